//! Writes into the graph what has been decided.
use super::{Change, Changes, Counts};
use crate::firm::{Form, Graph, NodeId, Op};

/// Changes a graph. Only operands move, each within its node: the order of the changes is of no
/// concern.
pub fn apply(graph: &mut Graph, changes: Changes) -> Counts {
    let Changes { forms, moved } = changes;
    let instructions = forms.iter().filter(|form| **form != Form::Source).count();
    for &(id, change) in &moved {
        if let Change::Hold { at, mirrored } = change {
            hold(graph, id, usize::from(at), mirrored);
        }
    }
    graph.set_forms(forms);
    Counts { instructions, immediates: moved.len() }
}

/// Takes an operand away from a node; those behind it move up.
fn hold(graph: &mut Graph, id: NodeId, at: usize, mirrored: bool) {
    let count = graph.operands(id).len();
    for place in at + 1..count {
        let operand = graph.operands(id)[place];
        graph.set_operand(id, place - 1, operand);
    }
    let op = match graph.op(id) {
        Op::Cmp(relation) if mirrored => Op::Cmp(relation.swapped()),
        op => op,
    };
    graph.rewrite(id, op, count - 1);
}

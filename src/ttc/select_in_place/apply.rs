//! Applies a selection to the graph.
use super::change::{Change, Changes};
use crate::firm::{self, NodeId, Op};
use crate::ttc::{Graph, SelectedForm};
use arena::SideTable;

/// The numbers of selected instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// All of them.
    pub instructions: usize,
    /// Those with a constant or a symbol.
    pub immediates: usize,
}

/// Changes a graph. Only the operands of single nodes change, so the changes have no order.
pub fn apply(graph: &mut Graph, changes: Changes) -> Counts {
    let Changes { forms, immediates } = changes;
    let instructions = forms.iter().filter(|form| **form != SelectedForm::Source).count();
    for &(id, change) in &immediates {
        if let Change::TakeImmediate { at, mirrored } = change {
            remove_operand(&mut graph.firm, id, usize::from(at), mirrored);
        }
    }
    graph.forms = SideTable::of(forms);
    Counts { instructions, immediates: immediates.len() }
}

/// Removes an operand of a node.
fn remove_operand(graph: &mut firm::Graph, id: NodeId, at: usize, mirrored: bool) {
    let count = graph.operands(id).len();
    for place in at + 1..count {
        let operand = graph.operands(id)[place];
        graph.set_operand(id, place - 1, operand);
    }
    let node = graph.node(id);
    let op = match node.op {
        Op::Cmp(relation) if mirrored => Op::Cmp(relation.swapped()),
        op => op,
    };
    graph.rewrite(id, op, node.mode, count - 1);
}

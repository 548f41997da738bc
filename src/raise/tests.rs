//! Firm becomes a control-flow graph with the same results.
use super::raise_function;
use crate::arith::{Binary, Relation};
use crate::firm::{EdgeKind, Graph, Mode, NodeId, Op};
use crate::stage::{Artifact, Outcome};

fn constant(graph: &mut Graph, value: i64) -> NodeId {
    graph.add(Op::Const(value), Mode::Is, graph.start_block, &[])
}

/// A loop with two Phis that exchange their values: (a, b) = (b, a + b) while a < arg.
#[test]
fn phis_take_their_operands_at_once() {
    let mut graph = Graph::new();
    let argument = graph.parameter(0);
    let [zero, one] = [0, 1].map(|it| constant(&mut graph, it));
    let start = graph.start_block;
    let enter = graph.add(Op::Jmp, Mode::X, start, &[]);
    let header = graph.add_block(Op::Block, &[enter, enter]);
    graph.set_depth(header, 1);
    let a = graph.add(Op::Phi, Mode::Is, header, &[zero, zero]);
    let b = graph.add(Op::Phi, Mode::Is, header, &[one, one]);
    let memory = graph.start;
    let test = graph.add(Op::Cmp(Relation::Less), Mode::Is, header, &[a, argument]);
    let jump = graph.add(Op::Cond, Mode::X, header, &[test]);
    let body = graph.add_block(Op::Block, &[jump]);
    graph.set_edge_kind(body, 0, EdgeKind::True);
    graph.set_depth(body, 1);
    let sum = graph.add(Op::Binary(Binary::Add), Mode::Is, body, &[a, b]);
    let back = graph.add(Op::Jmp, Mode::X, body, &[]);
    graph.set_operand(header, 1, back);
    graph.set_operand(a, 1, b);
    graph.set_operand(b, 1, sum);
    let after = graph.add_block(Op::Block, &[jump]);
    graph.set_edge_kind(after, 0, EdgeKind::False);
    let end = graph.return_values(after, memory, &[a]);
    graph.finish(&[end]);
    assert_eq!(graph.verify(), []);
    let flow = raise_function(&graph).expect("it is arithmetic");
    assert_eq!(flow.verify(), []);
    for argument in [0, 1, 5, 100] {
        assert_eq!(flow.eval_all(&[argument]), graph.eval_all(&[argument]));
    }
    assert_eq!(flow.eval_all(&[100]), Some(Outcome::value(144)));
}

#[test]
fn memory_is_reported() {
    let mut graph = Graph::new();
    let (start, block) = (graph.start, graph.start_block);
    let argument = graph.parameter(0);
    let load = graph.add(Op::Load(Default::default()), Mode::Is, block, &[start, argument]);
    let end = graph.return_values(block, load, &[load]);
    graph.finish(&[end]);
    let diagnostics = raise_function(&graph).expect_err("it has memory");
    assert_eq!(diagnostics[0].label, "a Load of mode Is");
}

//! Tests of programs of several functions: built, verified, printed, drawn and executed.
use super::super::{EdgeKind, Graph, Mode, NodeId, Op, Program, Signature};
use super::eval;
use crate::arith::{Binary, Relation};
use crate::stage::{Artifact, Outcome, Termination};

const ONE: Signature = Signature::new(1, 1);

fn binary(graph: &mut Graph, block: NodeId, op: Binary, operands: [NodeId; 2]) -> NodeId {
    graph.add(Op::Binary(op), Mode::Is, block, &operands)
}

fn constant(graph: &mut Graph, value: i64) -> NodeId {
    graph.add(Op::Const(value), Mode::Is, graph.start_block, &[])
}

/// Ends a function of one block.
fn returns(graph: &mut Graph, memory: NodeId, values: &[NodeId]) {
    let end = graph.return_values(graph.start_block, memory, values);
    graph.finish(&[end]);
}

/// `main(x)` calls `sum(x)`, which is x + sum(x - 1), or 0 if x is 0. It calls the function that is
/// its second parameter.
fn recursive() -> Program {
    let mut program = Program::empty();
    let main = program.declare("main", ONE);
    let sum = program.declare("sum", Signature::new(2, 1));
    let graph = program.body(main);
    let (x, address) = (graph.parameter(0), graph.function_address(sum));
    let call = graph.call(graph.start_block, graph.start, address, &[x, address], 1);
    returns(graph, call, &[call]);

    let graph = program.body(sum);
    let [x, own] = [0, 1].map(|number| graph.parameter(number));
    let [zero, one] = [0, 1].map(|value| constant(graph, value));
    let test = graph.add(Op::Cmp(Relation::Equal), Mode::Is, graph.start_block, &[x, zero]);
    let jump = graph.add(Op::Cond, Mode::X, graph.start_block, &[test]);
    let [done, again] = [EdgeKind::True, EdgeKind::False].map(|kind| {
        let block = graph.add_block(Op::Block, &[jump]);
        graph.set_edge_kind(block, 0, kind);
        block
    });
    let first = graph.return_values(done, graph.start, &[zero]);
    let less = binary(graph, again, Binary::Sub, [x, one]);
    let call = graph.call(again, graph.start, own, &[less, own], 1);
    let value = binary(graph, again, Binary::Add, [x, call]);
    let second = graph.return_values(again, call, &[value]);
    graph.finish(&[first, second]);
    program
}

/// `main(x)` is the second result of `swap(x, 5)` minus the first.
fn two_results() -> Program {
    let mut program = Program::empty();
    let main = program.declare("main", ONE);
    let swap = program.declare("swap", Signature::new(2, 2));
    let graph = program.body(main);
    let (x, five) = (graph.parameter(0), constant(graph, 5));
    let address = graph.function_address(swap);
    let call = graph.call(graph.start_block, graph.start, address, &[x, five], 2);
    let [first, second] = [0, 1].map(|number| graph.result(call, number));
    let value = binary(graph, graph.start_block, Binary::Sub, [second, first]);
    returns(graph, call, &[value]);
    let graph = program.body(swap);
    let [a, b] = [0, 1].map(|number| graph.parameter(number));
    returns(graph, graph.start, &[b, a]);
    program
}

#[test]
fn functions_call_each_other() {
    assert_eq!(recursive().verify(), []);
    assert_eq!(recursive().eval(4), Some(Outcome::value(10)));
    assert_eq!(recursive().eval(1000), Some(Outcome::value(500_500)));
    assert_eq!(recursive().eval(-1), Some(Outcome::out_of_steps()));
    assert_eq!(two_results().verify(), []);
    assert_eq!(two_results().eval(12), Some(Outcome::value(7)));
}

#[test]
fn the_entry_may_have_any_signature() {
    let mut program = two_results();
    program.functions.remove(0);
    assert_eq!(eval(&program, &[1, 2]).end, Termination::Values(vec![2, 1]));
}

#[test]
fn a_wrong_call_is_a_fault() {
    let mut program = recursive();
    let graph = program.body(0);
    let call = graph.ids().find(|&id| matches!(graph.op(id), Op::Call(_))).unwrap();
    graph.set_operand(call, 1, graph.operands(call)[2]);
    assert_eq!(program.verify(), []);
    let fault = Outcome::fault("a call", "7 is no function");
    assert_eq!(program.eval(7), Some(fault));
}

#[test]
fn functions_are_printed_and_drawn_with_their_names() {
    let program = two_results();
    let text = program.print();
    assert!(text.starts_with("function main: 1 -> 1\nStartBlock:\n"), "{text}");
    assert!(text.contains("Is = SymConst swap\n"), "{text}");
    assert!(text.contains("Is = Call, 2 results n1, n4, n2, n3\n"), "{text}");
    assert!(text.contains("Is = Result 1 n5\n"), "{text}");
    assert!(text.contains("\n\nfunction swap: 2 -> 2\n"), "{text}");
    let dot = program.picture().unwrap().dot();
    assert!(dot.contains("label=\"swap\"") && dot.contains("label=\"main\""), "{dot}");
}

#[track_caller]
fn breaks(change: fn(&mut Program), invariant: &str) {
    let mut program = two_results();
    change(&mut program);
    let violations = program.verify();
    let names: Vec<_> = violations.iter().map(|it| it.invariant).collect();
    assert!(names.contains(&invariant), "{violations:?}");
}

#[test]
fn invariants_of_calls_are_verified() {
    breaks(|program| program.functions.clear(), "entry");
    breaks(|program| program.functions[1].name = "main".into(), "entry");
    breaks(|program| program.functions[0].signature.parameters = 0, "parameter");
    breaks(|program| program.functions[0].signature.results = 2, "return");
    breaks(|program| program.functions[1].signature.parameters = 3, "signature");
    breaks(|program| program.functions[1].signature = ONE, "parameter");
    breaks(|program| change_op(program, Op::SymConst(1), Op::SymConst(99)), "symbol");
    breaks(|program| change_op(program, Op::Result(1), Op::Result(2)), "result");
    breaks(|program| change_op(program, Op::Result(1), Op::Result(0)), "result");
    breaks(|program| change_op(program, Op::Call(2), Op::Call(3)), "signature");
    breaks(|program| change_op(program, Op::Call(2), Op::Call(0)), "signature");
}

/// Replaces an operation of the entry by another one with the same operands.
fn change_op(program: &mut Program, from: Op, to: Op) {
    let graph = program.body(0);
    let id = graph.ids().find(|&id| graph.op(id) == from).expect("the graph has it");
    graph.rewrite(id, to, Mode::Is, usize::MAX);
}

//! Tests of `program_graph.rs`.
use super::*;
use crate::arith::Binary;
use crate::firm::Op;
use crate::lower::lower;
use crate::parse::{Input, parse};
use crate::peephole::{Engine, optimize, rules};
use crate::schedule::schedule;

/// Whether the dividend of each division is known not to be negative, in the order of Firm.
fn natural_dividends(text: &str) -> Vec<bool> {
    let engine = || Engine::new(rules().collect(), false);
    let input = Input {
        text,
        engine: engine(),
        show: Box::new(|_| ()),
        argument: None,
        #[cfg(feature = "ch14")]
        int: crate::arith::INT,
    };
    let parsed = parse(input).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let sea = optimize(parsed.graph, engine());
    let firm = lower(&sea, &schedule(&sea));
    let program = ProgramGraph::new(&firm);
    let is_division = |&id: &ProgramId| program.op(id) == Op::Binary(Binary::Div);
    let is_natural = |id: ProgramId| {
        let dividend = program.operands(id)[0].expect("it is a value");
        program.is_natural(dividend, id)
    };
    program.ids().filter(is_division).map(is_natural).collect()
}

#[test]
fn a_dividend_is_restricted_by_tests() {
    assert_eq!(natural_dividends("return arg / 8;"), [false]);
    assert_eq!(natural_dividends("if (arg > -1) return arg / 8; return arg / 3;"), [true, false]);
    assert_eq!(natural_dividends("if (arg < 0) return 1; return (arg - 1) / 8;"), [false]);
    assert_eq!(natural_dividends("if (arg > 0) return (arg - 1) / 8; return 1;"), [true]);
    assert_eq!(natural_dividends("while (arg > 0) arg = arg / 10; return arg / 3;"), [true, false]);
    assert_eq!(natural_dividends("return (arg > 5) * 4 / 3;"), [true]);
    let loops = "int i = 7; int s = 0; while (i < arg) { s = s + i / 3; i = i + 1; } return s / 2;";
    assert_eq!(natural_dividends(loops), [true, false]);
}

#[test]
fn nothing_is_known_without_a_division_by_a_positive_constant() {
    assert_eq!(natural_dividends("if (arg > 3) return arg / -7; return 1;"), [false]);
    assert_eq!(natural_dividends("if (arg > 3) return 7 / arg; return 1;"), [false]);
}

/// A constant is a node of its own for each use.
#[cfg(feature = "ch25")]
#[test]
fn a_phi_of_a_whole_graph_has_all_operands_but_itself() {
    let mut graph = firm::Graph::new();
    let constant = graph.add(Op::Const(4), Mode::Is, graph.start_block, &[]);
    let argument = graph.add(Op::Argument(0), Mode::Is, graph.start_block, &[graph.start]);
    let block = graph.add(Op::Block, Mode::BB, graph.start_block, &[graph.start]);
    let operands = [argument, constant, constant, graph.start];
    let phi = graph.add(Op::Phi, Mode::Is, block, &operands);
    graph.add_operands(phi, &[phi]);
    let program = ProgramGraph::of_all(&graph);
    let node = program.ids().find(|&id| program.firm(id) == phi).expect("it is a value");
    let used: Vec<_> = program.operands(node).iter().flatten().copied().collect();
    let firm: Vec<_> = used.iter().map(|&id| program.firm(id)).collect();
    assert_eq!(firm, [argument, constant, constant]);
    assert_ne!(used[1], used[2]);
    assert_eq!(used.iter().map(|&id| program.uses(id)).collect::<Vec<_>>(), [1, 1, 1]);
}

//! If-conversion: the branches that become Muxes, and those that stay.
use super::{built_in, emit, random_programs, select};
use crate::arith::Binary;
use crate::firm::{ControlFlow, Graph, Op};
use crate::pre_selection::if_conversion::convert;
use crate::pre_selection::tests::{ARGUMENTS, checked, lowered};
use crate::random::Random;
use crate::ranges::ranges_in_firm;
use crate::rules::RuleSet;
use crate::select::options::SelectionOptions;
use crate::stage::Artifact;
use crate::target::Flags;

/// The graph with Muxes for a machine.
fn converted(graph: &Graph, rules: &RuleSet) -> Graph {
    checked(graph, |graph| convert(graph, |op, mode| rules.cycles(op, mode)))
}

fn count(graph: &Graph, op: Op) -> usize {
    graph.ids().filter(|&id| graph.op(id) == op).count()
}

/// The numbers of Muxes and Conds of a program.
fn choices(text: &str) -> [usize; 2] {
    let graph = converted(&lowered(text), &built_in());
    [Op::Mux, Op::Cond].map(|op| count(&graph, op))
}

#[test]
fn short_arms_become_muxes() {
    for (text, expected) in [
        ("if (arg < 7) arg = 3; return arg;", [1, 0]),
        ("int a = 1; if (arg < 7) a = arg; else a = 7; return a;", [1, 0]),
        // Two values take two Muxes.
        (
            "int a = arg; int b = arg * 5; if (arg < 7) { a = b; b = arg; } return a / 3 + b;",
            [0, 1],
        ),
        // An inner choice in an arm.
        ("int a = arg * 3; int b = a; if (arg < 7) { if (a < 5) b = arg; } return b;", [2, 0]),
        // Equal numbers are rare, so the jump is predicted well.
        ("int a = arg / 3; if (arg == 7) a = a + arg + 1; return a;", [0, 1]),
        ("int a = arg / 3; if (arg < 7) a = a + arg + 1; return a;", [1, 0]),
    ] {
        assert_eq!(choices(text), expected, "{text}");
    }
}

#[test]
fn other_branches_stay() {
    for text in [
        // Long arms, and many values.
        "int a = arg; if (arg < 7) a = arg * arg * arg * arg; return a;",
        "int a = 1; int b = 2; int c = 3; if (arg < 7) { a = arg; b = 3; c = 4; } return a/b-c;",
        // A division that traps in the other case.
        "int a = 0; if (arg > 0) a = 1000 / arg; return a;",
        // A loop, and a return in an arm.
        "int a = 0; while (a < arg) a = a + 1; return a;",
        "if (arg < 7) return 1; return arg;",
        // Memory.
        "struct S { int x; } S s = new S; if (arg < 7) s.x = arg; return s.x;",
    ] {
        let [muxes, branches] = choices(text);
        assert!(muxes == 0 && branches > 0, "{text}: {muxes} and {branches}");
    }
}

#[test]
fn a_choice_restricts_the_chosen_values() {
    for (test, [least, most]) in [
        ("if (x < 7) x = 7; if (x > 300) x = 300;", [7, 300]),
        ("if (300 <= x) x = 9; if (7 >= x) x = 8;", [8, 299]),
    ] {
        let text = format!("int x = arg; {test} return x / 4;");
        let graph = converted(&lowered(&text), &built_in());
        assert_eq!(choices(&text)[1], 0, "{text}");
        let ranges = ranges_in_firm(&graph, &ControlFlow::new(&graph)).expect("it divides");
        let is_division = |&id: &_| graph.op(id) == Op::Binary(Binary::Div);
        let division = graph.ids().find(is_division).expect("it divides");
        let may_be =
            |value| ranges.may_be(graph.operands(division)[0], graph.node(division).block, value);
        let around = [least - 1, least, most, most + 1].map(may_be);
        assert_eq!(around, [false, true, true, false], "{text}");
    }
}

#[test]
fn a_machine_without_muxes_has_none() {
    let mut random = Random::new(31);
    let graph = random_programs::program(&mut random);
    assert_eq!(convert(graph.clone(), |_, _| None).print(), graph.print());
}

#[test]
fn converted_programs_keep_their_results() {
    let (rules, mut random) = (built_in(), Random::new(32));
    let mut muxes = 0;
    for _ in 0..2_000 {
        let graph = random_programs::finite_program(&mut random, &ARGUMENTS);
        muxes += count(&converted(&graph, &rules), Op::Mux);
    }
    assert!(muxes > 100, "{muxes}");
}

#[test]
fn muxes_with_one_condition_need_one_comparison() {
    let (rules, options) = (built_in(), SelectionOptions::default());
    for (second, expected) in [("c < d", 1), ("c < b", 2)] {
        let graph = converted(
            &lowered(&format!(
                "int a = arg; int b = arg * 5; int c = arg * 7; int d = arg * 9; int e = c;
                 if (c < d) a = b; if ({second}) e = b; return a + e * 3;"
            )),
            &rules,
        );
        assert_eq!(count(&graph, Op::Mux), 2);
        let selection = select(&graph, &rules, options).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let instructions = emit(&selection).instructions;
        let compares = instructions.iter().filter(|it| it.flags() == Flags::Compared);
        assert_eq!(compares.count(), expected, "{second}");
    }
}

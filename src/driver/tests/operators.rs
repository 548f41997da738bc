//! Random graphs of all operators, to the end: the bytes compute the results of Firm in the
//! emulator and on the processor, and every rule for an operator is selected for some graph.
use super::{built_in, emit, outcome, random_graphs, select};
use crate::arith::{Binary, Relation};
use crate::firm::{Graph, Mode, NodeId, Op};
use crate::heap::ResultFormat;
use crate::ia32::Program;
#[cfg(feature = "ch26")]
use crate::ia32::{self, code::Instruction};
use crate::linear_scan::allocate;
use crate::machine_code::MachineCode;
use crate::post_allocation;
use crate::random::Random;
use crate::rules::RuleSet;
use crate::select::Selection;
use crate::select::options::{Objective, SelectionOptions};
use crate::stage::{Artifact, Outcome, Termination};
use elf::Executable;
use emulate::native::Host;
use std::collections::BTreeSet;

const ARGUMENTS: [i64; 10] = [0, 1, -1, 7, 31, 33, -128, 1 << 16, i32::MIN as i64, i32::MAX as i64];

fn selected<'g>(graph: &'g Graph, rules: &'g RuleSet, objective: Objective) -> Selection<'g> {
    let options = SelectionOptions { objective, ..SelectionOptions::default() };
    select(graph, rules, options).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// The arguments for which the graph has a value, and these values.
fn values(graph: &Graph) -> Vec<(i64, i64)> {
    let value = |argument: i64| match outcome(graph, argument) {
        Some(Outcome { end: Termination::Value(value), .. }) => Some((argument, value)),
        _ => None,
    };
    ARGUMENTS.into_iter().filter_map(value).collect()
}

/// Compares the outcomes in the emulator with those of the graph; returns the executable.
fn check_bytes(graph: &Graph, selection: &Selection, values: &[(i64, i64)]) -> Executable {
    let code = post_allocation::finish(allocate(emit(selection)));
    assert_eq!(code.verify(), [], "{}", code.print());
    let functions = vec![code];
    let program = Program { functions, result: ResultFormat::Integer, file: String::new() };
    let bytes = MachineCode::new(&program);
    for &(argument, value) in values {
        let found = bytes.eval(argument);
        let shown = || format!("{argument}\n{}\n{}", graph.print(), bytes.print());
        assert_eq!(found, Some(Outcome::value(value)), "{}", shown());
    }
    let stub = start_stub::for_each_word();
    let functions = std::iter::once(stub.function()).chain(bytes.functions());
    elf::executable(&functions.collect::<Vec<_>>())
}

/// The values that the processor computes, one for each argument.
fn native_values(host: Host, executable: &Executable, arguments: &[(i64, i64)]) -> Vec<i64> {
    let arguments: Vec<_> = arguments.iter().map(|(it, _)| it.to_string()).collect();
    let output = host.run(&executable.bytes, &arguments).expect("the host runs executables");
    output.output.lines().map(|line| line.parse().expect("a number a line")).collect()
}

#[test]
fn the_processor_computes_the_results_of_firm() {
    let (rules, mut random, host) = (built_in(), Random::new(61), Host::detect());
    for round in 0..400 {
        let graph = random_graphs::graph(&mut random, 1 + round % 30);
        let values = values(&graph);
        for objective in [Objective::Speed, Objective::Size] {
            let selection = selected(&graph, &rules, objective);
            let executable = check_bytes(&graph, &selection, &values);
            if let Some(host) = host.filter(|_| round % 4 == 0 && !values.is_empty()) {
                let expected: Vec<_> = values.iter().map(|(_, value)| *value).collect();
                assert_eq!(
                    native_values(host, &executable, &values),
                    expected,
                    "{}",
                    graph.print()
                );
            }
        }
    }
}

/// One operation on the argument and a number, or on two values of the argument.
fn pair(op: Op, number: Option<i64>) -> Graph {
    let (mut graph, both) = operands(number);
    let operands = &both[..op.row().operands.len()];
    let value = graph.add(op, Mode::Is, graph.start_block, operands);
    returned(graph, value)
}

/// A graph with the argument, and a number or 3 · arg.
fn operands(number: Option<i64>) -> (Graph, [NodeId; 2]) {
    let mut graph = Graph::new();
    let argument = graph.add(Op::Argument(0), Mode::Is, graph.start_block, &[graph.start]);
    let right = match number {
        Some(number) => constant(&mut graph, number),
        None => {
            let three = constant(&mut graph, 3);
            let op = Op::Binary(Binary::Mul);
            graph.add(op, Mode::Is, graph.start_block, &[argument, three])
        }
    };
    (graph, [argument, right])
}

fn constant(graph: &mut Graph, number: i64) -> NodeId {
    graph.add(Op::Const(number), Mode::Is, graph.start_block, &[])
}

fn returned(mut graph: Graph, value: NodeId) -> Graph {
    let ret = graph.add(Op::Return, Mode::Is, graph.start_block, &[graph.start, value]);
    let block = graph.add_block(Op::EndBlock, &[ret]);
    graph.add(Op::End, Mode::X, block, &[]);
    graph
}

/// Counts are taken modulo the width, also those that are no constants.
#[test]
fn each_operator_computes_its_results_for_edge_values() {
    let rules = built_in();
    let operators = (0..Binary::COUNT).map(|at| Op::Binary(Binary::at(at))).chain([Op::Not]);
    let mut compared = 0;
    for op in operators {
        let numbers = [0, 1, -1, 2, -2, 31, 32, 33, 64, 255, 256, -128, 1 << 30, i32::MIN.into()];
        for number in numbers.into_iter().map(Some).chain([None]) {
            let graph = pair(op, number);
            let values = values(&graph);
            compared += values.len();
            for objective in [Objective::Speed, Objective::Size] {
                let selection = selected(&graph, &rules, objective);
                let executable = check_bytes(&graph, &selection, &values);
                let outcomes = values.iter().map(|(it, _)| executable.eval(*it));
                let expected = values.iter().map(|(_, value)| Some(Outcome::value(*value)));
                assert!(outcomes.eq(expected), "{}", graph.print());
            }
        }
    }
    assert!(compared > 1500, "{compared}");
}

/// Quotient and remainder of the same operands.
#[cfg(feature = "ch26")]
#[test]
fn one_division_computes_quotient_and_remainder() {
    let rules = built_in();
    for (number, objective, rule) in [
        (None, Objective::Speed, "idiv-both"),
        (None, Objective::Size, "idiv-both"),
        (Some(10), Objective::Size, "idiv-both/constant"),
    ] {
        let graph = both(number);
        let selection = selected(&graph, &rules, objective);
        let names: Vec<_> =
            selection.chosen.iter().map(|it| &*rules.rule(it.variant).name).collect();
        assert!(names.contains(&rule), "{names:?}");
        check_bytes(&graph, &selection, &values(&graph));
        let code = emit(&selection);
        let is_division = |it: &&Instruction| it.op == ia32::Op::Idiv;
        assert_eq!(code.instructions.iter().filter(is_division).count(), 1, "{}", code.print());
    }
}

/// arg / y - arg rem y, where y is a number or 3 · arg.
#[cfg(feature = "ch26")]
fn both(number: Option<i64>) -> Graph {
    let (mut graph, [argument, factor]) = operands(number);
    let right = [factor, number.map_or(factor, |number| constant(&mut graph, number))];
    let [quotient, remainder] = [(Binary::Div, right[0]), (Binary::Mod, right[1])]
        .map(|(op, y)| graph.add(Op::Binary(op), Mode::Is, graph.start_block, &[argument, y]));
    let difference = Op::Binary(Binary::Sub);
    let value = graph.add(difference, Mode::Is, graph.start_block, &[quotient, remainder]);
    returned(graph, value)
}

/// Patterns that are rare among random graphs: arg + (arg << 1, 2, 3), and (arg & 3 · arg) = 0.
fn rare_graphs() -> impl Iterator<Item = Graph> {
    let nested = |inner: Op, outer: Op, number: Option<i64>, first: Option<i64>| {
        let (mut graph, both) = operands(number);
        let inner = graph.add(inner, Mode::Is, graph.start_block, &both);
        let first = first.map_or(both[0], |number| constant(&mut graph, number));
        let value = graph.add(outer, Mode::Is, graph.start_block, &[first, inner]);
        returned(graph, value)
    };
    let [add, shift, and] = [Binary::Add, Binary::Shl, Binary::And].map(Op::Binary);
    let sums = (1..4).map(move |count| nested(shift, add, Some(count), None));
    sums.chain([nested(and, Op::Cmp(Relation::Equal), None, Some(0))])
}

/// The names of the rules that are selected for random graphs. Each is also a loop's body: there
/// cycles matter more, and remainders by a multiplication are cheaper than divisions.
fn names_in_random_graphs() -> BTreeSet<String> {
    let (rules, mut random) = (built_in(), Random::new(62));
    let mut names = BTreeSet::new();
    let random = (0..3000).map(|round| random_graphs::graph(&mut random, 1 + round % 12));
    for mut graph in random.chain(rare_graphs()) {
        for (objective, depth) in
            [(Objective::Speed, 0), (Objective::Size, 0), (Objective::Speed, 1)]
        {
            graph.set_depth(graph.start_block, depth);
            let selection = selected(&graph, &rules, objective);
            let chosen = selection.chosen.iter();
            names.extend(chosen.map(|it| rules.rule(it.variant).name.clone()));
        }
    }
    names
}

#[test]
fn each_rule_for_operators_is_selected() {
    let names = names_in_random_graphs();
    for name in NAMES {
        assert!(names.contains(*name), "{name} is selected for none of the graphs");
    }
}

/// Rules for operators that the language lacks.
const NAMES: &[&str] = &[
    "and",
    "or",
    "xor",
    "not",
    "idiv-remainder",
    "shift-left",
    "shift-right",
    "shift-right-signed",
    #[cfg(feature = "ch26")]
    "and/constant",
    #[cfg(feature = "ch26")]
    "low-byte",
    #[cfg(feature = "ch26")]
    "or/constant",
    #[cfg(feature = "ch26")]
    "xor/constant",
    #[cfg(feature = "ch26")]
    "xor-ones",
    #[cfg(feature = "ch26")]
    "remainder-magic",
    #[cfg(feature = "ch26")]
    "remainder-magic-whole",
    #[cfg(feature = "ch26")]
    "remainder-magic-plus",
    #[cfg(feature = "ch26")]
    "remainder-magic-neg",
    #[cfg(feature = "ch26")]
    "remainder-magic-neg-plus",
    #[cfg(feature = "ch26")]
    "remainder-one",
    #[cfg(feature = "ch26")]
    "remainder-power",
    #[cfg(feature = "ch26")]
    "remainder-power-neg",
    #[cfg(feature = "ch26")]
    "shift-left/constant",
    #[cfg(feature = "ch26")]
    "shift-right/constant",
    #[cfg(feature = "ch26")]
    "shift-right-signed/constant",
    #[cfg(feature = "ch26")]
    "lea/shifted",
    #[cfg(feature = "ch26")]
    "compare/bits",
];

//! Random functions of integers of 64 bits: all stages agree, the emulator and the processor
//! included.
use super::calls::{Check, options, printed};
use super::{built_in, rules_of};
use crate::arith::{Binary, split};
use crate::driver::{RegisterAllocator, compile_firm, link};
use crate::firm::{Graph, Mode, Op, Program, Signature};
use crate::heap::ResultFormat;
use crate::ia32::Code;
use crate::legalize::legalize;
use crate::legalize::tests::{EDGES, Generator};
use crate::rules::RuleSet;
use crate::select::options::{Method, Objective, SelectionOptions};
use crate::select::{emit, select_all};
use crate::stage::Artifact;
use emulate::native::Host;
use std::collections::BTreeSet;

const PROGRAMS: u64 = 200;

fn check(seed: u64, rules: &RuleSet, host: Option<Host>) {
    let graph = Generator::graph(seed);
    let Signature { parameters, results, .. } = graph.signature;
    let program = Program { functions: vec![graph], result: ResultFormat::Integer };
    let text = format!("{seed}\n{}", program.print());
    let argument = EDGES[seed as usize % EDGES.len()];
    let words = split(argument);
    let expected = program.eval_all(&words).expect("Firm can be executed");
    let mut options = options(rules, Method::Pbqp);
    if seed % 3 == 1 {
        options.registers = RegisterAllocator::Scan;
    }
    if seed % 5 == 1 {
        options.selection = SelectionOptions { method: Method::Greedy, ..options.selection };
    }
    if seed % 7 == 1 {
        options.selection = SelectionOptions { objective: Objective::Size, ..options.selection };
    }
    let observer = &mut Check { arguments: &words, expected: &expected, text: &text };
    let code = compile_firm(program, options, observer);
    let executable =
        code.and_then(|it| link(&it, &[start_stub::once(parameters, results)], observer));
    let executable = executable.unwrap_or_else(|halt| panic!("{halt:?}\n{text}"));
    if let Some(host) = host {
        let words: Vec<_> = words.iter().map(i64::to_string).collect();
        let run = host.run(&executable.bytes, &words).unwrap();
        assert_eq!((run.output, run.errors), printed(&expected), "{text}");
    }
}

#[test]
fn random_functions_of_pairs_agree_at_every_stage() {
    let (rules, host) = (built_in(), Host::detect());
    (0..PROGRAMS).for_each(|seed| check(seed, &rules, host));
}

/// The rules whose patterns come from integers of 64 bits alone.
const RULES: &[&str] = &[
    "add-pair",
    "add-pair-low",
    "sub-pair",
    "sub-pair-low",
    "add-carry",
    "add-carry-low",
    "sub-borrow",
    "sub-borrow-low",
    "mul-high",
    "mul-both",
    "imul-both",
    "shld-count",
    "shrd-count",
    "condition/pair",
    "condition/pair-not",
    "call",
];

#[test]
fn the_rules_for_pairs_are_selected() {
    let rules = built_in();
    let mut selected = BTreeSet::new();
    for seed in 0..2 * PROGRAMS {
        let (functions, result) = (vec![Generator::graph(seed)], ResultFormat::Integer);
        let words = legalize(Program { functions, result });
        let selection = select_all(&words, &rules, SelectionOptions::default());
        let selection = selection.unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let chosen = selection.functions.iter().flat_map(|it| &it.chosen);
        selected.extend(chosen.flat_map(|it| rules.rule(it.variant).written()));
    }
    let unused: Vec<_> = RULES.iter().filter(|name| !selected.contains(*name)).collect();
    assert!(unused.is_empty(), "{unused:?} of {selected:?}");
}

/// The names of the instructions for the sum of two numbers, without some rules.
fn instructions_of_sum(without: &[&str]) -> Vec<String> {
    let all = built_in();
    let kept = all.catalogue().filter(|rule| rule.written().all(|name| !without.contains(&name)));
    let rules = rules_of(kept.map(|rule| format!("{}\n", rule.text())).collect());
    let mut graph = Graph::new();
    graph.signature = Signature::new(4, 2);
    let (block, start) = (graph.start_block, graph.start);
    let [x, y] = [0, 2].map(|word| graph.add(Op::Argument(word), Mode::Ls, block, &[start]));
    let sum = graph.add(Op::Binary(Binary::Add), Mode::Ls, block, &[x, y]);
    let end = graph.add(Op::Return, Mode::Ls, block, &[start, sum]);
    graph.finish(&[end]);
    let words = legalize(Program { functions: vec![graph], result: ResultFormat::Integer });
    let selection = select_all(&words, &rules, SelectionOptions::default());
    let selection = selection.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let mut code = Code::new("simple");
    emit(&selection.functions[0], &mut code);
    let names = code.instructions.iter().map(|it| it.op.row().instruction.mnemonic.to_string());
    names.filter(|name| name != "mov" && name != "ret").collect()
}

/// As chapter 14 says.
#[test]
fn rules_save_instructions_of_sums() {
    assert_eq!(instructions_of_sum(&[]), ["add", "adc"]);
    assert_eq!(instructions_of_sum(&["add-pair"]), ["add", "cmp", "adc"]);
    let carries = ["add-pair", "add-pair-low", "add-carry", "add-carry-low"];
    assert_eq!(instructions_of_sum(&carries[..2]), ["add", "cmp", "adc"]);
    assert_eq!(instructions_of_sum(&carries), ["add", "cmp", "set", "movzx", "add", "add"]);
}

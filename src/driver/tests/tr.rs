//! Tests of TR: its rules are correct and local, so that the greedy cover is optimal.
use super::diagnostics::check_for;
use super::rule_semantics::refute;
use super::validation::proofs;
use super::{random_graphs, random_programs, select};
use crate::driver::TargetMachine;
use crate::firm::{Graph, Mode, Op};
use crate::random::Random;
use crate::rule_validation::validate;
use crate::rules::RuleSet;
use crate::select::Selection;
use crate::select::options::{Method, Objective, SelectionOptions};
use crate::stage::Artifact;
use crate::ttc::{Code, TARGET};
use source::Source;

pub fn built_in() -> RuleSet {
    rules_of(TargetMachine::Tr.built_in_rules().text)
}

pub fn rules_of(text: String) -> RuleSet {
    let rules = TargetMachine::Tr.rules(&Source { name: "rules".into(), text });
    rules.unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// The code of a cover.
pub fn emit(selection: &Selection) -> Code {
    let mut code = Code::default();
    select::emit(selection, &mut code);
    #[cfg(feature = "ch25")]
    {
        code.symbols = super::ttc_graphs::symbols();
    }
    code
}

#[test]
fn the_built_in_rules_compute_their_patterns() {
    let rules = built_in();
    let (coverage, counterexamples) = validate(&rules);
    assert_eq!(counterexamples.len(), 0, "{counterexamples:?}");
    let count = rules.catalogue().count();
    assert_eq!((coverage.sampled, coverage.exhaustive), (count, count));
}

#[test]
fn planted_faults_are_found() {
    for (rule, from, to) in [
        ("add", "add d, x, y", "sub d, x, y"),
        ("sub", "sub d, x, y", "sub d, y, x"),
        ("sub-immediate", "subi d, x, c", "addi d, x, c"),
        ("mul-immediate", "muli d, x, c", "muli d, x, 3"),
        ("div", "div d, x, y", "div d, y, x"),
        ("cmp", "cmp.r d, x, y", "cmp.r d, y, x"),
        ("cmp-immediate", "cmpi.r d, x, c", "cmpi.ne d, x, c"),
        ("argument", "argument d, k", "const d, k"),
        ("const", "const d, c", "const d, -c"),
        ("cond", "cond x, true, false", "cond x, false, true"),
        ("return", "=> return x", "=> addi d, x, 1; return d"),
        #[cfg(feature = "ch25")]
        ("mod", "mod d, x, y", "mod d, y, x"),
        #[cfg(feature = "ch25")]
        ("and", "=> and d, x, y", "=> or d, x, y"),
        #[cfg(feature = "ch25")]
        ("eor-immediate", "eori d, x, c", "ori d, x, c"),
        #[cfg(feature = "ch25")]
        ("shl-immediate", "shli d, x, c", "shri d, x, c"),
        #[cfg(feature = "ch25")]
        ("shr", "shr d, x, y", "shrs d, x, y"),
        #[cfg(feature = "ch25")]
        ("not", "not d, x", "subi d, x, 1"),
        #[cfg(feature = "ch25")]
        ("symconst", "symconst d, s", "const d, 0"),
        #[cfg(feature = "ch25")]
        ("load", "load d, x", "load e, x; load d, e"),
        #[cfg(feature = "ch25")]
        ("load-symbol", "loadi d, s", "symconst d, s"),
        #[cfg(feature = "ch25")]
        ("store", "=> store x, y", "=> store y, x"),
        #[cfg(feature = "ch25")]
        ("store-symbol", "storei s, y", "storei s, y; storei s, y"),
    ] {
        let text = TargetMachine::Tr.built_in_rules().text;
        assert!(text.contains(from), "no `{from}` in the rules");
        let planted = rules_of(text.replace(from, to));
        assert!(refute(&planted, rule).is_some(), "{rule}: {to}");
        assert!(!proofs(&planted, rule).is_empty(), "{rule}: {to}");
    }
}

/// Every operation has an instruction, and those on two values have one with an immediate operand.
#[test]
fn each_operation_has_its_instructions() {
    let rules = built_in();
    let names: Vec<_> = rules.catalogue().map(|rule| rule.name.as_str()).collect();
    for op in Op::kinds().filter(|op| TARGET.has(*op)) {
        let name = op.row().name.to_lowercase();
        assert!(names.contains(&name.as_str()), "{name}");
        let modes = op.row().operands.iter().map(|mode| mode.of(op.row().modes[0]));
        let takes_two = modes.eq([Mode::Is; 2]);
        let immediate = format!("{name}-immediate");
        assert_eq!(names.contains(&immediate.as_str()), takes_two, "{name}");
    }
    assert!(
        rules.catalogue().all(|rule| (rule.longest(), rule.cycles, rule.steps.len()) == (1, 1, 1))
    );
}

fn selected<'g>(
    graph: &'g Graph,
    rules: &'g RuleSet,
    selection: SelectionOptions,
) -> Selection<'g> {
    select(graph, rules, selection).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// Checks that both methods find the only optimal cover; returns its number of instructions.
fn check_methods_agree(graph: &Graph, rules: &RuleSet) -> usize {
    for objective in [Objective::Size, Objective::Speed] {
        let methods = [Method::Pbqp, Method::Greedy];
        let [best, greedy] =
            methods.map(|method| selected(graph, rules, SelectionOptions { objective, method }));
        assert_eq!(best.cost(objective), greedy.cost(objective), "{}", graph.print());
        let [best, greedy] = [emit(&best), emit(&greedy)];
        assert_eq!(best.print(), greedy.print(), "{}", graph.print());
    }
    emit(&selected(graph, rules, SelectionOptions::default())).instructions.len()
}

#[test]
fn the_greedy_cover_is_that_of_the_pbqp() {
    let (rules, mut random) = (built_in(), Random::new(31));
    let mut instructions = 0;
    for round in 0..1000 {
        let graphs =
            [random_graphs::graph(&mut random, round % 20), random_programs::program(&mut random)];
        instructions += graphs.iter().map(|it| check_methods_agree(it, &rules)).sum::<usize>();
    }
    assert!(instructions > 20_000, "{instructions} instructions");
}

#[test]
fn errors_in_rules_for_tr_are_reported() {
    let check = |rule: &str, expected: &[&str]| {
        check_for(&TARGET, &format!("rule own: {rule}; cycles 1"), expected);
    };
    check("Add:Is(x, y) => lea d, x", &["there is no tr instruction `lea` @ lea"]);
    check("Add:Is(x in eax, y) => add d, x, y", &["there is no tr register `eax` @ eax"]);
    check("Add:Is(x, y) => add x, y", &["`add` does not take these operands @ add"]);
    check("Add:Is(x, y) => addi d, x, y", &["`addi` does not take these operands @ addi"]);
    check("Add:Is(x, Const c) => add d, x, c", &["`add` does not take these operands @ add"]);
    check("Add:Is(x, y) => add d, x, [y]", &["`add` does not take these operands @ add"]);
    check("Add:Is(x, y) => add d, x, z", &["`z` is read before anything is in it @ add"]);
    check(
        "ordered Sub:Is(x, Const c) => subi d, x, c",
        &["these operands do not commute @ ordered"],
    );
    check("ordered Add:Is(x, y) => add d, x, y", &["these operands do not commute @ ordered"]);
    MORE.iter().for_each(|(rule, expected)| check(rule, &[expected]));
    check("Cond:X(x) => cond x, true, true", &["this rule never jumps to `false` @ own"]);
    check("Cond:X(x) => jmp next", &["Cond does not jump to `next` @ next"]);
    check("Return:Is(m, x) => copy d, x", &["the instructions of this rule do not return @ own"]);
    check("Add:Is(x, y) => return x", &["this rule has no result @ Add", EARLY]);
}

const EARLY: &str = "`return` is not allowed here @ return";

/// Errors with symbols and memory.
const MORE: &[(&str, &str)] = &[
    #[cfg(feature = "ch25")]
    ("SymConst s:Is => const d, s", "`const` does not take these operands @ const"),
    #[cfg(feature = "ch25")]
    ("SymConst s:Is if imm8(s) => symconst d, s", "`s` is no number of the pattern @ s"),
    #[cfg(feature = "ch25")]
    ("Const c:Is => symconst d, c", "`symconst` does not take these operands @ symconst"),
    #[cfg(feature = "ch25")]
    ("Not:Is(x) => load d, x", "`load` is not allowed here @ load"),
    #[cfg(feature = "ch25")]
    ("Store:Is(m, x, y) => store x, z", "`z` is read before anything is in it @ store"),
    #[cfg(feature = "ch25")]
    ("Load:Is(m, x) => store x, x", "this rule has no result @ Load"),
];

//! TR: its rules say what its instructions do, and are local, so that greed finds the best cover.
use super::refused::check_for;
use super::rows::refute;
use super::{control, dags};
use crate::base::random::Random;
use crate::base::span::Source;
use crate::driver::Machine;
use crate::firm::{Graph, Mode, NodeId, Op};
use crate::rules::RuleSet;
use crate::select::preference::{Cost, Method, Preference};
use crate::select::{self, Selection, select};
use crate::stage::Artifact;
use crate::ttc::{Code, TARGET};

pub fn built_in() -> RuleSet {
    rules_of(Machine::Tr.built_in_rules().text)
}

fn rules_of(text: String) -> RuleSet {
    let rules = Machine::Tr.rules(&Source { name: "rules".into(), text });
    rules.unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// The code of a cover.
pub fn emit(selection: &Selection) -> Code {
    let mut code = Code::default();
    select::emit(selection, &mut code);
    code
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
    ] {
        let text = Machine::Tr.built_in_rules().text;
        assert!(text.contains(from), "no `{from}` in the rules");
        let planted = rules_of(text.replace(from, to));
        assert!(refute(&planted, rule).is_some(), "{rule}: {to}");
    }
}

/// Every operation on two values has a version for a constant, and nothing else is missing.
#[test]
fn each_operation_has_its_instructions() {
    let rules = built_in();
    let names: Vec<_> = rules.catalogue().map(|rule| rule.name.as_str()).collect();
    for op in Op::KINDS.iter().filter(|op| op.is_selected()) {
        let name = op.row().name.to_lowercase();
        assert!(names.contains(&name.as_str()), "{name}");
        let takes_two = op.row().operands == [Mode::Is; 2];
        let immediate = format!("{name}-immediate");
        assert_eq!(names.contains(&immediate.as_str()), takes_two, "{name}");
    }
    assert!(rules.catalogue().all(|rule| (rule.bytes, rule.cycles, rule.steps.len()) == (1, 1, 1)));
}

fn selected<'g>(graph: &'g Graph, rules: &'g RuleSet, preference: Preference) -> Selection<'g> {
    select(graph, rules, preference).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// Hands back how many instructions there are. Where an operation has two constants, either of
/// them may be the one that goes into its instruction; else there is one best cover.
fn check_methods_agree(graph: &Graph, rules: &RuleSet) -> usize {
    for cost in [Cost::Size, Cost::Speed] {
        let methods = [Method::Pbqp, Method::Greedy];
        let [best, greedy] =
            methods.map(|method| selected(graph, rules, Preference { cost, method }));
        assert_eq!(best.cost(cost), greedy.cost(cost), "{}", graph.print());
        let [best, greedy] = [emit(&best), emit(&greedy)];
        assert_eq!(best.instructions.len(), greedy.instructions.len(), "{}", graph.print());
        if !computes_with_two_constants(graph) {
            assert_eq!(best.print(), greedy.print(), "{}", graph.print());
        }
    }
    emit(&selected(graph, rules, Preference::default())).instructions.len()
}

fn computes_with_two_constants(graph: &Graph) -> bool {
    let is_constant = |id: &NodeId| matches!(graph.op(*id), Op::Const(_));
    let computes = |id: &NodeId| graph.op(*id).row().operands == [Mode::Is; 2];
    graph.ids().filter(computes).any(|id| graph.operands(id).iter().all(is_constant))
}

#[test]
fn greed_finds_what_the_pbqp_finds() {
    let (rules, mut random) = (built_in(), Random::new(31));
    let (mut instructions, mut same) = (0, 0);
    for round in 0..1000 {
        let graphs = [dags::graph(&mut random, round % 20), control::program(&mut random)];
        for graph in &graphs {
            instructions += check_methods_agree(graph, &rules);
            same += u32::from(!computes_with_two_constants(graph));
        }
    }
    assert!(instructions > 20_000 && same > 300, "{instructions} instructions, {same} the same");
}

#[test]
fn what_a_machine_on_paper_lacks_is_complained_about() {
    let check = |rule: &str, expected: &[&str]| {
        check_for(&TARGET, &format!("rule own: {rule}; bytes 1 cycles 1"), expected);
    };
    check("Add:Is(x, y) => lea d, x", &["there is no tr instruction `lea` @ lea"]);
    check("Add:Is(x in eax, y) => add d, x, y", &["there is no tr register `eax` @ eax"]);
    check("Add:Is(x, y) => add x, y", &["`add` does not take these operands @ add"]);
    check("Add:Is(x, y) => addi d, x, y", &["`addi` does not take these operands @ addi"]);
    check("Add:Is(x, Const c) => add d, x, c", &["`add` does not take these operands @ add"]);
    check("Add:Is(x, y) => add d, x, [y]", &["`add` does not take these operands @ add"]);
    check("Add:Is(x, y) => add d, x, z", &["`z` is read before anything is in it @ add"]);
    check("Cond:X(x) => cond x, true, true", &["this rule never goes to `false` @ own"]);
    check("Cond:X(x) => jmp next", &["Cond does not go to `next` @ next"]);
    check("Return:X(m, x) => copy d, x", &["the instructions of this rule do not leave @ own"]);
    check("Add:Is(x, y) => return x", &["this rule makes no result @ Add", EARLY]);
}

const EARLY: &str = "`return` cannot stand here @ return";

//! Tests of composable rule sets: random patterns, random costs, nodes with several users.
use super::composable_memory::OF_NARROW;
use super::rule_semantics::refute;
use super::validation::ValidRules;
use super::{built_in, emit, random_graphs, random_programs, rules_of, select};
use crate::diagnostics::Diagnostic;
use crate::driver::built_in_rules;
use crate::effort::programs;
use crate::firm::{Graph, Mode, NodeId, Op};
use crate::ia32::TARGET;
use crate::random::Random;
use crate::rules::{self, Binding, Rule, RuleSet};
use crate::select::Selection;
use crate::select::options::{Method, Objective, SelectionOptions};
use crate::stage::Artifact;
use source::Source;

/// Rules for single operations; for arithmetic those of the machine.
pub fn atomic() -> String {
    let of_one = |op: Op, rule: &Rule| {
        let begin = format!(": {}:Is(", op.row().name);
        OPERANDS.iter().any(|operands| rule.text().contains(&format!("{begin}{operands}) =>")))
    };
    let built_in = built_in();
    let rule = |op| built_in.catalogue().find(|rule| of_one(op, rule)).expect("one for each");
    let rules = operators().map(|op| format!("{}\n", rule(op).text()));
    let rules = OTHERS.to_string() + &rules.collect::<String>();
    #[cfg(feature = "ch29")]
    let rules = rules + &named(&built_in, &["choose-value"]);
    rules + &named(&built_in, &["call-value", "function-address"])
}

/// The rules with these names.
fn named(built_in: &RuleSet, names: &[&str]) -> String {
    let is_named = |rule: &&Rule| names.contains(&&*rule.name);
    built_in.catalogue().filter(is_named).map(|rule| format!("{}\n", rule.text())).collect()
}

/// The operands of the machine's rules for single operators, the arithmetic of Firm.
const OPERANDS: [&str; 4] = ["x, y", "x in eax, y", "x, y in ecx", "x"];

fn operators() -> impl Iterator<Item = Op> {
    let all = Op::kinds().filter(|op| op.is_selected() && !op.has_relation());
    all.filter(|op| {
        let row = op.row();
        let mut modes = row.operands.iter().chain([&row.value]).map(|mode| mode.of(Mode::Is));
        let has_numbers = row.modes.contains(&Mode::Is) && modes.all(|mode| mode == Mode::Is);
        has_numbers && matches!(row.operands.len(), 1 | 2)
    })
}

const OTHERS: &str = "\
rule constant: Const c:Is => mov d, c; cycles 1
rule argument: Argument k:Is(m) => mov d, [argument k]; cycles 3
rule end: Return:Is(m, x in eax) => ret; cycles 1
rule load: Load:Is(m, p) => mov d, [p]; cycles 3
rule store: Store:Is(m, p, x) => mov [p], x; cycles 1
rule compare: Cmp.r:Is(x, y) => cmp x, y; set.r t; movzx d, t; cycles 3
rule jump: Jmp:X => jmp next; cycles 1
rule branch: Cond:X(x) => test x, x; j.ne true; jmp false; cycles 2
";

/// Generates the patterns of one rule, with repeated names and repeated operations.
struct PatternGenerator<'r> {
    random: &'r mut Random,
    /// The number of names, the names of values and operations, and the names of numbers.
    count: usize,
    values: Vec<String>,
    numbers: Vec<String>,
}

impl PatternGenerator<'_> {
    fn name(&mut self) -> String {
        self.count += 1;
        format!("v{}", self.count)
    }

    /// A pattern with two or three levels. Few different ones are generated, so that many have
    /// equal parts.
    fn pattern(&mut self, levels: usize) -> String {
        let op = if levels == 0 { "Mul" } else { self.random.pick(&["Add", "Sub"]) };
        let left = self.operand(levels);
        format!("{op}:Is({left}, {})", self.operand(levels))
    }

    fn operand(&mut self, levels: usize) -> String {
        match self.random.below(16) {
            0 => {
                let name = self.name();
                self.numbers.push(name.clone());
                format!("Const {name}:Is")
            }
            1 if !self.numbers.is_empty() => {
                let at = self.random.below(self.numbers.len());
                format!("Const {}:Is", self.numbers[at])
            }
            2..4 if !self.values.is_empty() => {
                let at = self.random.below(self.values.len());
                self.values[at].clone()
            }
            4..6 if levels > 0 => {
                let (pattern, name) = (self.pattern(levels - 1), self.name());
                self.values.push(name.clone());
                format!("{name} = {pattern}")
            }
            6..12 if levels > 0 => self.pattern(levels - 1),
            _ => {
                let name = self.name();
                self.values.push(name.clone());
                name
            }
        }
    }

    /// One to three patterns. Later ones mostly use names of earlier ones.
    fn patterns(&mut self) -> (String, String) {
        let (mut text, mut steps) = (String::new(), String::new());
        for _ in 0..self.random.below(8).saturating_sub(5) {
            let levels = self.random.below(3);
            let (pattern, name) = (self.pattern(levels), self.name());
            text += &format!("{name} = {pattern}, ");
            steps += &format!("mov {name}, 7; ");
            self.values.push(name);
        }
        let levels = 1 + self.random.below(2);
        (text + &self.pattern(levels), steps + "mov result, 7")
    }
}

/// Rules with random patterns. Their instructions are arbitrary.
fn random_rules(random: &mut Random) -> String {
    let mut text = String::new();
    for number in 0..2 + random.below(6) {
        let (values, numbers) = (Vec::new(), Vec::new());
        let (patterns, steps) = PatternGenerator { random, count: 0, values, numbers }.patterns();
        let rule = format!("rule random-{number}: {patterns} => {steps}; cycles 1\n");
        let source = Source { name: "rule".into(), text: rule };
        // It may have too many operations, or two patterns that are not connected.
        if patterns.matches(":Is").count() <= 6 && rules::parse(&source, &TARGET).is_ok() {
            text += &source.text;
        }
    }
    text
}

/// The same rules with other costs: those named random are mostly cheap, the others are not.
pub fn with_other_costs(rules: &RuleSet, random: &mut Random) -> RuleSet {
    rules.with_costs(&mut |rule| {
        let is_cheap = rule.name.starts_with("random") || random.below(4) == 0;
        let limits = if is_cheap { [3, 2] } else { [9, 9] };
        limits.map(|limit| random.below(limit) as u32)
    })
}

/// Some products, then sums, differences and products of earlier nodes; all are used.
fn tangle(random: &mut Random, size: usize) -> Graph {
    let binary = |name: &str| {
        let op = Op::kinds().find(|op| op.row().name == name);
        op.expect("a kind of Firm's")
    };
    let mut graph = Graph::new();
    let argument = graph.add(Op::Argument(0), Mode::Is, graph.start_block, &[graph.start]);
    let (mut all, mut below) = (vec![argument], vec![argument]);
    let levels =
        [(random.below(3) + 4, &["Mul"][..]), (size, &["Add", "Sub"]), (size * 4, &["Sub"])];
    for (width, ops) in levels {
        let row = (0..width).map(|number| {
            let op = binary(random.pick(ops));
            let mut operand = || match random.below(24) {
                0 => graph.add(Op::Const(number as i64), Mode::Is, graph.start_block, &[]),
                1 => random.pick(&all),
                // Some patterns require the same operand twice.
                2..4 => below[number % below.len()],
                _ => random.pick(&below),
            };
            let operands = [operand(), operand()];
            graph.add(op, Mode::Is, graph.start_block, &operands)
        });
        below = row.collect();
        all.extend(&below);
    }
    let used: Vec<_> = all.iter().flat_map(|&id| graph.operands(id).to_vec()).collect();
    all.retain(|id| !used.contains(id));
    let values = all;
    let quotient = |graph: &mut Graph, all: NodeId, value: &NodeId| {
        graph.add(binary("Div"), Mode::Is, graph.start_block, &[all, *value])
    };
    let all = values.iter().fold(argument, |all, value| quotient(&mut graph, all, value));
    let ret = graph.add(Op::Return, Mode::Is, graph.start_block, &[graph.start, all]);
    let block = graph.add_block(Op::EndBlock, &[ret]);
    graph.add(Op::End, Mode::X, block, &[]);
    graph
}

fn diagnostics(text: &str) -> Vec<String> {
    let source = Source { name: "rules".into(), text: text.into() };
    let checked = rules::check(&source, &TARGET).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    checked.diagnostics().into_iter().map(|diagnostic| diagnostic.message).collect()
}

pub fn completed(text: &str) -> Result<String, Vec<Diagnostic>> {
    let source = Source { name: "rules".into(), text: text.into() };
    let checked = rules::check(&source, &TARGET).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    checked.completed()
}

/// Completed rules lack nothing, and completing them changes nothing.
pub fn check_completed(text: &str) {
    assert_eq!(diagnostics(text), [""; 0], "{text}");
    assert_eq!(completed(text).as_deref(), Ok(text));
}

/// The number of random graphs for which selection fails, with random costs.
fn failures(text: &str, random: &mut Random, count: usize) -> usize {
    failures_among(text, random, count, &mut |_| {})
}

/// The same; `observe` gets each successful selection.
fn failures_among(
    text: &str,
    random: &mut Random,
    count: usize,
    observe: &mut dyn FnMut(&Selection),
) -> usize {
    let rules = rules_of(text.to_string());
    let mut failures = 0;
    for _ in 0..count {
        let rules = with_other_costs(&rules, random);
        let size = 4 + random.below(8);
        let graph = tangle(random, size);
        let heuristic =
            SelectionOptions { method: Method::Heuristic, ..SelectionOptions::default() };
        match select(&graph, &rules, heuristic) {
            Ok(selection) => {
                assert_eq!(selection.verify(), [], "{text}");
                assert_eq!(emit(&selection).verify(), [], "{text}");
                observe(&selection);
            }
            Err(_) => failures += 1,
        }
    }
    failures
}

/// The number of rule sets. Fewer have no variety.
pub fn count() -> usize {
    programs(20).max(20) as usize
}

#[test]
fn completed_random_rules_cannot_fail() {
    let mut random = Random::new(1);
    let (mut completed_count, mut several, mut named, mut twice) = (0, 0, 0, 0);
    let mut observe = |selection: &Selection| {
        for found in selection.matches() {
            let is_repeated = |id| found.inner().iter().filter(|it| *it == id).count() > 1;
            let is_named = |binding: &Binding| matches!(binding, Binding::Covered(_));
            several += usize::from(!found.extra_roots().is_empty());
            named +=
                usize::from(found.extra_roots().is_empty() && found.bindings.iter().any(is_named));
            twice += usize::from(found.inner().iter().any(is_repeated));
        }
    };
    for _ in 0..count() {
        let text = atomic() + &random_rules(&mut random);
        let whole = completed(&text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        check_completed(&whole);
        assert_eq!(failures_among(&whole, &mut random, 50, &mut observe), 0, "{whole}");
        completed_count += usize::from(whole != text);
    }
    println!(
        "{completed_count} completed: {several} several results, {named} named, {twice} twice"
    );
    assert!(completed_count > count() / 2 && several > 0 && named > 0 && twice > 0);
}

/// A random subset of the built-in rules. It contains the first rule, since a file without rules is
/// an error.
fn subset(random: &mut Random) -> String {
    let divisor = 2 + random.below(12);
    let kept = |(at, _): &(usize, &Rule)| *at == 0 || random.below(divisor) > 0;
    let built_in = built_in();
    let kept = built_in.catalogue().enumerate().filter(kept);
    kept.map(|(_, rule)| format!("{}\n", rule.text())).collect()
}

/// The rules for single operations on floats.
pub fn of_floats() -> String {
    let is_atomic = |rule: &&Rule| {
        OF_FLOATS.iter().any(|of| rule.text().contains(of)) && !rule.text().contains(" if ")
    };
    let built_in = built_in();
    built_in.catalogue().filter(is_atomic).map(|rule| format!("{}\n", rule.text())).collect()
}

const OF_FLOATS: [&str; 8] = [
    ":D(x, y) =>",
    "Const c:D =>",
    "Conv:Is(x) =>",
    "Load:D(m, p) =>",
    "Store:D(m, p, x) =>",
    "Return:D(",
    "Argument k:D(m) =>",
    "Call:D(m, x) =>",
];

/// The operation at the root of a pattern, and its mode.
fn operation(pattern: &str) -> Option<(&str, &str)> {
    let (op, rest) = pattern.split_once(':')?;
    Some((op.split([' ', '.']).next()?, rest.split(['(', ' ']).next()?))
}

/// The rules, with atomic rules for reported missing patterns; and the number of these.
fn with_atomic(text: &str, missing: &[Diagnostic]) -> (String, usize) {
    let (mut text, known) = (text.to_string(), atomic() + &of_floats() + OF_NARROW);
    for diagnostic in missing {
        let pattern =
            diagnostic.message.strip_prefix("no rule for every ").expect("only atomic ones");
        let is_for = |line: &&str| {
            line.split_once(": ").is_some_and(|(_, of)| operation(of) == operation(pattern))
        };
        let rule = known.lines().find(is_for);
        let rule = rule.expect("every operation has an atomic rule");
        text += &format!("{}\n", rule.replace("rule ", "rule atomic-"));
    }
    (text, missing.len())
}

/// A set that lacks nothing never fails. Another set is completed, or the operations without atomic
/// rules are reported; and generated rules compute their patterns.
#[test]
fn subsets_of_the_built_in_rules_never_fail_or_are_completed() {
    let mut random = Random::new(3);
    let (mut whole, mut completed_count, mut lacking, mut generated) = (0, 0, 0, 0);
    let mut valid = ValidRules::new(&built_in());
    for _ in 0..count() {
        let text = subset(&mut random);
        let missing = diagnostics(&text);
        let (text, completed) = match completed(&text) {
            Ok(completed) => (text, completed),
            Err(atomic) => {
                let (text, count) = with_atomic(&text, &atomic);
                lacking += usize::from(count > 0);
                let completed = completed(&text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
                (text, completed)
            }
        };
        whole += usize::from(missing.is_empty());
        completed_count += usize::from(text != completed);
        check_completed(&completed);
        check_selection(&completed, &mut random);
        let rules = rules_of(completed);
        valid.check(&rules);
        generated += check_generated(&rules, rules_of(text).catalogue().count());
    }
    println!(
        "{whole} whole, {lacking} without atomic rules, {completed_count} completed: {generated}"
    );
    assert!(completed_count > count() / 8 && lacking > 0 && generated > 0);
}

/// Tests some generated rules on programs; returns their number.
fn check_generated(rules: &RuleSet, old: usize) -> usize {
    for rule in rules.catalogue().skip(old).take(2) {
        assert_eq!(refute(rules, &rule.name), None);
    }
    rules.catalogue().count() - old
}

fn check_selection(text: &str, random: &mut Random) {
    let rules = rules_of(text.to_string());
    for round in 0..60 {
        let graph = match round % 3 {
            0 => random_programs::program(random),
            1 => random_graphs::graph(random, round),
            _ => tangle(random, 4 + round % 8),
        };
        let other = with_other_costs(&rules, random);
        for rules in [&rules, &other] {
            for objective in [Objective::Size, Objective::Speed] {
                let options = SelectionOptions { objective, ..SelectionOptions::default() };
                let options = SelectionOptions { method: Method::Heuristic, ..options };
                let selected = select(&graph, rules, options);
                let selection = selected.unwrap_or_else(|it| panic!("{it:?}\n{text}"));
                assert_eq!(selection.verify(), [], "{text}");
            }
        }
    }
}

/// Rules with small patterns, which may be required. Their instructions are arbitrary.
fn small(patterns: &[&str]) -> String {
    let rule = |(number, pattern): (usize, &&str)| {
        format!("rule random-{number}: {pattern} => mov d, 7; cycles 1\n")
    };
    atomic() + &patterns.iter().enumerate().map(rule).collect::<String>()
}

/// Sets that lack patterns fail on some graph, and do not fail when completed.
#[track_caller]
fn check_required(patterns: &[&str], missing: &[&str]) {
    let text = small(patterns);
    assert_eq!(diagnostics(&text), missing);
    let whole = completed(&text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let failed = [&text, &whole].map(|it| failures(it, &mut Random::new(5), 2000));
    assert!(failed[0] > 0 && failed[1] == 0, "{failed:?}");
}

#[test]
fn parts_are_required() {
    check_required(
        &[
            "Sub:Is(Add:Is(x, Mul:Is(y, z)), w)",
            "Sub:Is(x, Add:Is(y, Mul:Is(z, w)))",
            "Sub:Is(Mul:Is(x, y), z)",
            "Sub:Is(x, Mul:Is(y, z))",
        ],
        &["no rule for Add:Is(x, Mul:Is(y, z))"],
    );
}

/// Parts are required in every order in which they match inside the pattern, and in no other.
#[test]
fn parts_are_required_in_the_written_order() {
    let inner = "Add:Is(x, Mul:Is(y, z))";
    let (plain, ordered) = (inner.to_string(), format!("ordered {inner}"));
    let no_rule = |pattern: &str| format!("no rule for {pattern}");
    for (outer, known, missing) in [
        (&plain, None, Some(no_rule(&plain))),
        (&plain, Some(&plain), None),
        (&plain, Some(&ordered), Some(no_rule(&plain))),
        (&ordered, None, Some(no_rule(&ordered))),
        (&ordered, Some(&plain), None),
        (&ordered, Some(&ordered), None),
    ] {
        let whole = format!("Sub:Is({outer}, w)");
        let patterns = [Some(whole.as_str()), known.map(|known| known.as_str())];
        let text = small(&patterns.into_iter().flatten().collect::<Vec<_>>());
        assert_eq!(diagnostics(&text), missing.into_iter().collect::<Vec<_>>(), "{text}");
        let whole = completed(&text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        check_completed(&whole);
        assert_eq!(failures(&whole, &mut Random::new(7), 200), 0, "{whole}");
    }
}

/// A repeated operation of a pattern is also repeated in its parts and cuts, and a rule that
/// requires that subsumes them.
#[test]
fn equal_operations_of_a_pattern_remain_equal() {
    let square = "Mul:Is(s = Add:Is(x, y), s)";
    let minus_square = "Sub:Is(Mul:Is(s = Add:Is(x, y), s), z)";
    let minus_product = "Sub:Is(Mul:Is(Add:Is(x, y), Add:Is(z, u)), v)";
    for (patterns, missing) in [
        (&[square][..], &[][..]),
        (&[square, minus_square], &[]),
        (&[minus_square], &["no rule for Mul:Is(o = Add:Is(x, y), o)"]),
        (
            &[square, minus_product],
            &[
                "no rule for Mul:Is(Add:Is(x, y), Add:Is(z, u))",
                "no rule for Mul:Is(x, Add:Is(y, z))",
            ],
        ),
        // The difference contains the sum, so cutting the sum also cuts the difference.
        (
            &["Mul:Is(s = Add:Is(x, y), Sub:Is(s, z))"],
            &["no rule for Sub:Is(Add:Is(x, y), z)", "no rule for Mul:Is(Add:Is(x, y), z)"],
        ),
    ] {
        let text = small(patterns);
        assert_eq!(diagnostics(&text), missing, "{text}");
        let whole = completed(&text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        check_completed(&whole);
        assert_eq!(failures(&whole, &mut Random::new(9), 500), 0, "{whole}");
    }
}

/// Patterns with repeated operations, and instructions that compute them.
const SHARING: &str = "
rule long: Sub:Is(Sub:Is(Sub:Is(Mul:Is(s = Add:Is(Mul:Is(a, b), Mul:Is(c, d)), s), e), f), g)
    => imul a, b; imul c, d; add a, c; imul a, a; sub a, e; sub a, f; sub a, g; cycles 0
rule repeated: Sub:Is(Mul:Is(s = Add:Is(x, y), s), Sub:Is(s, z))
    => add x, y; mov t, x; imul t, x; sub x, z; sub t, x; cycles 0
rule often: Add:Is(Mul:Is(s = Sub:Is(x, y), Add:Is(s, s)), s)
    => sub x, y; lea d, [x + x]; imul d, x; add d, x; cycles 0
rule eight: Mul:Is(Mul:Is(Mul:Is(a, b), Mul:Is(c, d)),
                   Mul:Is(Mul:Is(Mul:Is(e, f), Mul:Is(g, h)), i)) => imul a, b;
    imul c, d; imul e, f; imul g, h; imul a, c; imul e, g; imul e, i; imul a, e; cycles 0
";

#[test]
fn repeated_operations_are_computed_once() {
    let mut valid = ValidRules::new(&built_in());
    for rules in [atomic() + SHARING, built_in_rules().text + SHARING] {
        let whole = completed(&rules).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        check_completed(&whole);
        valid.check(&rules_of(whole.clone()));
        assert_eq!(failures(&whole, &mut Random::new(11), 200), 0, "{whole}");
    }
}

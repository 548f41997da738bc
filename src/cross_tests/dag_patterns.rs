//! Patterns that are no trees: they are proved as others are, and matches with several results are
//! made in an order that there is.

use super::rule_semantics::{binary, refute};
use super::selection::check_meaning;
use super::{random_graphs, rules_of};
use crate::driver::built_in_rules;
use crate::firm::{Graph, NodeId, Op};
use crate::random::Random;
use crate::rules::{ProgramGraph, RuleSet, matches};
use crate::select::options::SelectionOptions;
use crate::select::{Selection, select};

/// Rules that IA-32 could have: no program of the book has use for them.
const RULES: &str = "
rule square-sum: Mul:Is(s = Add:Is(x, y), s) => add x, y; imul x, x; bytes 5 cycles 4
rule alone-sum: Mul:Is(s = Add:Is(x, y), z) if alone(s) => add x, y; imul x, z; bytes 5 cycles 4
rule double: Add:Is(x, x) => lea d, [x + x]; bytes 3 cycles 1
rule equal-factors: Mul:Is(Add:Is(x, Const c), Add:Is(y, Const c))
    => lea a, [x + c]; lea b, [y + c]; imul a, b; bytes 15 cycles 4
rule remainder: Sub:Is(x in eax, Mul:Is(Div:Is(x, y), y))
    => cdq; idiv y; out edx; clobbers eax; bytes 3 cycles 25
rule divide: q = Div:Is(x in eax, y), Sub:Is(x, Mul:Is(q, y))
    => cdq; idiv y; out eax edx; bytes 3 cycles 25
rule compare-branch: b = Cmp.r:Is(x, y), Cond:X(b)
    => cmp x, y; set.r t; movzx b, t; j.r true; jmp false; bytes 12 cycles 3
rule sum-difference: s = Add:Is(x, y), Sub:Is(x, y) => lea s, [x + y]; sub x, y; bytes 5 cycles 1
rule three: s = Add:Is(x, y), d = Sub:Is(x, y), Mul:Is(s, d)
    => lea s, [x + y]; mov d, x; sub d, y; mov p, s; imul p, d; bytes 12 cycles 4
";

fn rules() -> RuleSet {
    with(RULES)
}

fn with(more: &str) -> RuleSet {
    let known = built_in_rules().text;
    // A name belongs to one rule.
    rules_of(format!("{}{more}", known.replace("rule double:", "rule doubled:")))
}

#[test]
fn each_computes_what_its_patterns_say() {
    let rules = rules();
    for name in RULES.lines().filter_map(|line| line.strip_prefix("rule ")) {
        let name = name.split(':').next().expect("a rule has a name");
        assert_eq!(refute(&rules, name), None);
    }
}

#[test]
fn planted_faults_are_found() {
    for (rule, from, to) in [
        ("divide", "out eax edx", "out edx eax"),
        ("remainder", "out edx; clobbers eax", "out eax; clobbers edx"),
        ("square-sum", "imul x, x", "imul x, y"),
        ("sum-difference", "lea s, [x + y]", "lea s, [x + x]"),
        ("three", "sub d, y; mov p, s", "sub d, y; mov p, y"),
        ("compare-branch", "movzx b, t; j.r true; jmp false", "movzx b, t; j.r false; jmp true"),
        ("equal-factors", "lea b, [y + c]", "lea b, [y + 1]"),
    ] {
        assert!(RULES.contains(from), "no `{from}` in the rules");
        assert!(refute(&with(&RULES.replace(from, to)), rule).is_some(), "{rule}: {to}");
    }
}

#[test]
fn random_graphs_mean_what_they_say() {
    let rules = rules();
    let mut random = Random::new(31);
    for round in 0..1000 {
        let graph = random_graphs::graph(&mut random, 1 + round % 24);
        let selection = select(&graph, &rules, SelectionOptions::default());
        check_meaning(&graph, &selection.unwrap_or_else(|wrong| panic!("{wrong:?}")));
    }
}

/// A graph of one block, written down operation by operation.
struct Written {
    graph: Graph,
    argument: NodeId,
}

impl Written {
    fn new() -> Written {
        let mut graph = Graph::new();
        let argument = graph.add(Op::Argument(0), graph.start_block, &[graph.start]);
        Written { graph, argument }
    }

    fn add(&mut self, name: &str, left: NodeId, right: NodeId) -> NodeId {
        self.graph.add(binary(name), self.graph.start_block, &[left, right])
    }

    fn end(mut self, value: NodeId) -> Graph {
        let operands = [self.graph.start, value];
        let end = self.graph.add(Op::Return, self.graph.start_block, &operands);
        let block = self.graph.add_block(Op::EndBlock, &[end]);
        self.graph.add(Op::End, block, &[]);
        self.graph
    }
}

/// How many of the chosen matches have several results; the selection is sound.
fn with_several_results(graph: &Graph, rules: &RuleSet) -> usize {
    let selection: Selection = select(graph, rules, SelectionOptions::default()).expect("a cover");
    check_meaning(graph, &selection);
    selection.chosen.iter().filter(|found| !found.extra_roots().is_empty()).count()
}

/// Makes a sum and a difference of one value at once, much too cheaply to be refused.
const BOTH: &str = "rule both: a = Add:Is(x, y), Sub:Is(x, z)
    => lea a, [x + y]; sub x, z; bytes 0 cycles 0";

/// Two pairs of a sum and a difference of one value. The second difference reads the first sum;
/// and the first difference the second sum, if `crossed`.
fn pairs(crossed: bool) -> Graph {
    let mut written = Written::new();
    let x = written.argument;
    let y = written.add("Mul", x, x);
    let [sum_of_x, sum_of_y] = [written.add("Add", x, y), written.add("Add", y, y)];
    let behind_x = written.add("Mul", sum_of_x, sum_of_x);
    let behind_y = if crossed { written.add("Mul", sum_of_y, sum_of_y) } else { y };
    let of_x = written.add("Sub", x, behind_y);
    let of_y = written.add("Sub", y, behind_x);
    let both = written.add("Mul", of_x, of_y);
    let value = written.add("Mul", both, sum_of_y);
    written.end(value)
}

#[test]
fn matches_that_would_wait_for_each_other_are_not_chosen_together() {
    let rules = with(BOTH);
    assert_eq!(with_several_results(&pairs(false), &rules), 2);
    assert_eq!(with_several_results(&pairs(true), &rules), 1);
}

#[test]
fn a_match_that_would_wait_for_itself_is_not_chosen() {
    let mut written = Written::new();
    let x = written.argument;
    let y = written.add("Mul", x, x);
    let sum = written.add("Add", x, y);
    let behind = written.add("Mul", sum, sum);
    let difference = written.add("Sub", x, behind);
    assert_eq!(with_several_results(&written.end(difference), &with(BOTH)), 0);
}

#[test]
fn all_results_are_made_before_they_are_read() {
    let mut written = Written::new();
    let x = written.argument;
    let y = written.add("Mul", x, x);
    let sum = written.add("Add", x, y);
    let reader = written.add("Mul", sum, y);
    let difference = written.add("Sub", x, y);
    let value = written.add("Mul", reader, difference);
    assert_eq!(with_several_results(&written.end(value), &with(BOTH)), 1);
}

/// The difference is one of a value and the sum: what the match reads it would have to make.
#[test]
fn a_match_does_not_read_what_it_makes() {
    let rules = with(
        "rule both: q = Add:Is(x, y), Sub:Is(x, z)
        => mov d, x; sub d, z; lea q, [x + y]; mov r, d; bytes 0 cycles 0",
    );
    let with_another = |another: bool| {
        let mut written = Written::new();
        let x = written.argument;
        let y = written.add("Mul", x, x);
        let sum = written.add("Add", y, x);
        let difference = written.add("Sub", y, sum);
        let other = written.add(if another { "Add" } else { "Mul" }, y, y);
        let value = written.add("Mul", difference, sum);
        let value = written.add("Mul", value, other);
        with_several_results(&written.end(value), &rules)
    };
    assert_eq!(with_another(false), 0);
    // It makes a sum that it does not read.
    assert_eq!(with_another(true), 1);
}

/// What is made and lies inside too would have to be two things at once.
#[test]
fn a_match_does_not_cover_what_it_makes_in_another_way() {
    let rules = with(
        "rule both: a = Add:Is(x, Mul:Is(y, z)), Sub:Is(Sub:Is(Add:Is(p, q), r), w)
        => imul y, z; add x, y; add p, q; sub p, r; sub p, w; mov a, x; bytes 0 cycles 0",
    );
    let mut written = Written::new();
    let x = written.argument;
    let product = written.add("Mul", x, x);
    let sum = written.add("Add", x, product);
    let difference = written.add("Sub", sum, x);
    let value = written.add("Sub", difference, product);
    let graph = written.end(value);
    let program = ProgramGraph::new(&graph);
    let mut found = program.ids().flat_map(|id| matches(&rules, &program, id));
    assert!(found.all(|found| rules.rule(found.variant).name != "both"));
}

/// A sum of two values fits in both orders, so that either may be met again.
#[test]
fn names_that_are_met_again_are_told_apart() {
    let cheap = "rule cheap: Mul:Is(Add:Is(x, y), x)
        => mov d, x; add d, y; imul d, x; bytes 0 cycles 0";
    let ordered = cheap.replace("Add", "ordered Add");
    let chosen = |rule: &str, factor: usize, turned: bool| {
        let rules = with(rule);
        let mut written = Written::new();
        let x = written.argument;
        let b = written.add("Mul", x, x);
        let c = written.add("Sub", b, x);
        let sum = written.add("Add", b, c);
        let factor = [b, c, x][factor];
        let [left, right] = if turned { [factor, sum] } else { [sum, factor] };
        let value = written.add("Mul", left, right);
        let graph = written.end(value);
        let selection = select(&graph, &rules, SelectionOptions::default()).expect("a cover");
        check_meaning(&graph, &selection);
        selection.chosen.iter().any(|found| rules.rule(found.variant).name == "cheap")
    };
    for turned in [false, true] {
        assert_eq!([0, 1, 2].map(|it| chosen(cheap, it, turned)), [true, true, false]);
        assert_eq!([0, 1, 2].map(|it| chosen(&ordered, it, turned)), [true, false, false]);
    }
}

/// The same of a name that is met again in another pattern of the rule.
#[test]
fn names_of_other_patterns_are_told_apart() {
    for turned in [false, true] {
        let mut written = Written::new();
        let x = written.argument;
        let y = written.add("Mul", x, x);
        let [left, right] = if turned { [x, y] } else { [y, x] };
        let sum = written.add("Add", left, right);
        let difference = written.add("Sub", y, x);
        let value = written.add("Mul", sum, difference);
        assert_eq!(with_several_results(&written.end(value), &with(BOTH)), 1);
    }
}

#[test]
fn what_is_used_elsewhere_is_not_alone() {
    let rules = with(
        "rule cheap: Mul:Is(s = Add:Is(x, y), z) if alone(s)
        => add x, y; imul x, z; bytes 0 cycles 0",
    );
    let is_chosen = |used_twice: bool| {
        let mut written = Written::new();
        let x = written.argument;
        let y = written.add("Mul", x, x);
        let sum = written.add("Add", x, y);
        let product = written.add("Mul", sum, x);
        let value = written.add("Sub", product, if used_twice { sum } else { y });
        let graph = written.end(value);
        let selection = select(&graph, &rules, SelectionOptions::default()).expect("a cover");
        check_meaning(&graph, &selection);
        selection.chosen.iter().any(|found| rules.rule(found.variant).name == "cheap")
    };
    assert!(is_chosen(false));
    assert!(!is_chosen(true));
}

//! Tests of patterns that are no trees: their rules compute them, and matches with several results
//! have an order of execution.

use super::rule_semantics::{binary, refute};
use super::selection::check_meaning;
use super::{random_graphs, rules_of, select};
use crate::driver::built_in_rules;
use crate::effort::programs;
use crate::firm::{Graph, Mode, NodeId, Op};
use crate::random::Random;
use crate::rules::{ProgramGraph, RuleSet, matches};
use crate::select::Selection;
use crate::select::options::SelectionOptions;

/// Rules that IA-32 could have, but that the book's programs do not need.
const RULES: &str = "
rule square-sum: Mul:Is(s = Add:Is(x, y), s) => add x, y; imul x, x; cycles 4
rule unshared: Mul:Is(s = Add:Is(x, y), z) if unshared(s) => add x, y; imul x, z; cycles 4
rule double: Add:Is(x, x) => lea d, [x + x]; cycles 1
rule equal-factors: Mul:Is(Add:Is(x, Const c), Add:Is(y, Const c))
    => lea a, [x + c]; lea b, [y + c]; imul a, b; cycles 4
rule remainder: Sub:Is(x in eax, Mul:Is(Div:Is(x, y), y))
    => cdq; idiv y; out edx; clobbers eax; cycles 25
rule divide: q = Div:Is(x in eax, y), Sub:Is(x, Mul:Is(q, y))
    => cdq; idiv y; out eax edx; cycles 25
rule compare-branch: b = Cmp.r:Is(x, y), Cond:X(b)
    => cmp x, y; set.r t; movzx b, t; j.r true; jmp false; cycles 3
rule sum-difference: s = Add:Is(x, y), Sub:Is(x, y) => lea s, [x + y]; sub x, y; cycles 1
rule three: s = Add:Is(x, y), d = Sub:Is(x, y), Mul:Is(s, d)
    => lea s, [x + y]; mov d, x; sub d, y; mov p, s; imul p, d; cycles 4
";

fn rules() -> RuleSet {
    with(RULES)
}

fn with(more: &str) -> RuleSet {
    // Names of rules are unique.
    let mut known = built_in_rules().text;
    for name in ["double", "remainder", "divide"] {
        known = known.replace(&format!("rule {name}:"), &format!("rule known-{name}:"));
    }
    rules_of(known + more)
}

#[test]
fn each_rule_computes_its_patterns() {
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
fn selected_random_graphs_keep_their_results() {
    let rules = rules();
    let mut random = Random::new(31);
    for round in 0..programs(1000) as usize {
        let graph = random_graphs::graph(&mut random, 1 + round % 24);
        let selection = select(&graph, &rules, SelectionOptions::default());
        check_meaning(&graph, &selection.unwrap_or_else(|wrong| panic!("{wrong:?}")));
    }
}

/// A builder of graphs with one block.
struct GraphBuilder {
    graph: Graph,
    argument: NodeId,
}

impl GraphBuilder {
    fn new() -> GraphBuilder {
        let mut graph = Graph::new();
        let argument = graph.add(Op::Argument(0), Mode::Is, graph.start_block, &[graph.start]);
        GraphBuilder { graph, argument }
    }

    fn add(&mut self, name: &str, left: NodeId, right: NodeId) -> NodeId {
        self.graph.add(binary(name), Mode::Is, self.graph.start_block, &[left, right])
    }

    fn end(mut self, value: NodeId) -> Graph {
        let operands = [self.graph.start, value];
        let end = self.graph.add(Op::Return, Mode::Is, self.graph.start_block, &operands);
        let block = self.graph.add_block(Op::EndBlock, &[end]);
        self.graph.add(Op::End, Mode::X, block, &[]);
        self.graph
    }
}

/// The number of chosen matches with several results, after a check that the selection is sound.
fn with_several_results(graph: &Graph, rules: &RuleSet) -> usize {
    let selection: Selection = select(graph, rules, SelectionOptions::default()).expect("a cover");
    check_meaning(graph, &selection);
    selection.matches().filter(|found| !found.extra_roots().is_empty()).count()
}

/// Computes a sum and a difference of one value at once, at no cost, so that it is always chosen.
const BOTH: &str = "rule both: a = Add:Is(x, y), Sub:Is(x, z)
    => lea a, [x + y]; sub x, z; cycles 0";

/// Two pairs of a sum and a difference of one value. The second difference reads the first sum;
/// and the first difference the second sum, if `crossed`.
fn pairs(crossed: bool) -> Graph {
    let mut builder = GraphBuilder::new();
    let x = builder.argument;
    let y = builder.add("Mul", x, x);
    let [sum_of_x, sum_of_y] = [builder.add("Add", x, y), builder.add("Add", y, y)];
    let after_x = builder.add("Mul", sum_of_x, sum_of_x);
    let after_y = if crossed { builder.add("Mul", sum_of_y, sum_of_y) } else { y };
    let of_x = builder.add("Sub", x, after_y);
    let of_y = builder.add("Sub", y, after_x);
    let both = builder.add("Mul", of_x, of_y);
    let value = builder.add("Mul", both, sum_of_y);
    builder.end(value)
}

#[test]
fn matches_that_depend_on_each_other_are_not_chosen_together() {
    let rules = with(BOTH);
    assert_eq!(with_several_results(&pairs(false), &rules), 2);
    assert_eq!(with_several_results(&pairs(true), &rules), 1);
}

#[test]
fn a_match_that_depends_on_itself_is_not_chosen() {
    let mut builder = GraphBuilder::new();
    let x = builder.argument;
    let y = builder.add("Mul", x, x);
    let sum = builder.add("Add", x, y);
    let square = builder.add("Mul", sum, sum);
    let difference = builder.add("Sub", x, square);
    assert_eq!(with_several_results(&builder.end(difference), &with(BOTH)), 0);
}

#[test]
fn all_results_are_computed_before_they_are_read() {
    let mut builder = GraphBuilder::new();
    let x = builder.argument;
    let y = builder.add("Mul", x, x);
    let sum = builder.add("Add", x, y);
    let product = builder.add("Mul", sum, y);
    let difference = builder.add("Sub", x, y);
    let value = builder.add("Mul", product, difference);
    assert_eq!(with_several_results(&builder.end(value), &with(BOTH)), 1);
}

/// The difference reads the sum, so the match would read its own result.
#[test]
fn a_match_does_not_read_its_own_result() {
    let rules = with(
        "rule both: q = Add:Is(x, y), Sub:Is(x, z)
        => mov d, x; sub d, z; lea q, [x + y]; mov r, d; cycles 0",
    );
    let with_another = |another: bool| {
        let mut builder = GraphBuilder::new();
        let x = builder.argument;
        let y = builder.add("Mul", x, x);
        let sum = builder.add("Add", y, x);
        let difference = builder.add("Sub", y, sum);
        let other = builder.add(if another { "Add" } else { "Mul" }, y, y);
        let value = builder.add("Mul", difference, sum);
        let value = builder.add("Mul", value, other);
        with_several_results(&builder.end(value), &rules)
    };
    assert_eq!(with_another(false), 0);
    // It computes a sum that it does not read.
    assert_eq!(with_another(true), 1);
}

/// A root that is also an inner operation would need two shapes.
#[test]
fn a_match_does_not_cover_its_root_with_another_shape() {
    let rules = with(
        "rule both: a = Add:Is(x, Mul:Is(y, z)), Sub:Is(Sub:Is(Add:Is(p, q), r), w)
        => imul y, z; add x, y; add p, q; sub p, r; sub p, w; mov a, x; cycles 0",
    );
    let mut builder = GraphBuilder::new();
    let x = builder.argument;
    let product = builder.add("Mul", x, x);
    let sum = builder.add("Add", x, product);
    let difference = builder.add("Sub", sum, x);
    let value = builder.add("Sub", difference, product);
    let graph = builder.end(value);
    let program = ProgramGraph::new(&graph);
    let mut found = program.ids().flat_map(|id| matches(&rules, &program, id));
    assert!(found.all(|found| rules.rule(found.variant).name != "both"));
}

/// A sum of two values matches in both orders, so that either operand may be the repeated one.
#[test]
fn repeated_names_are_distinguished() {
    let cheap = "rule cheap: Mul:Is(Add:Is(x, y), x)
        => mov d, x; add d, y; imul d, x; cycles 0";
    #[cfg(feature = "ch19")]
    let ordered = cheap.replace("Add", "ordered Add");
    let chosen = |rule: &str, factor: usize, swapped: bool| {
        let rules = with(rule);
        let mut builder = GraphBuilder::new();
        let x = builder.argument;
        let b = builder.add("Mul", x, x);
        let c = builder.add("Sub", b, x);
        let sum = builder.add("Add", b, c);
        let factor = [b, c, x][factor];
        let [left, right] = if swapped { [factor, sum] } else { [sum, factor] };
        let value = builder.add("Mul", left, right);
        let graph = builder.end(value);
        let selection = select(&graph, &rules, SelectionOptions::default()).expect("a cover");
        check_meaning(&graph, &selection);
        selection.chosen.iter().any(|found| rules.rule(found.variant).name == "cheap")
    };
    for swapped in [false, true] {
        assert_eq!([0, 1, 2].map(|it| chosen(cheap, it, swapped)), [true, true, false]);
        #[cfg(feature = "ch19")]
        assert_eq!([0, 1, 2].map(|it| chosen(&ordered, it, swapped)), [true, false, false]);
    }
}

/// The same for a name that is repeated in another pattern of the rule.
#[test]
fn repeated_names_of_other_patterns_are_distinguished() {
    for swapped in [false, true] {
        let mut builder = GraphBuilder::new();
        let x = builder.argument;
        let y = builder.add("Mul", x, x);
        let [left, right] = if swapped { [x, y] } else { [y, x] };
        let sum = builder.add("Add", left, right);
        let difference = builder.add("Sub", y, x);
        let value = builder.add("Mul", sum, difference);
        assert_eq!(with_several_results(&builder.end(value), &with(BOTH)), 1);
    }
}

#[test]
fn an_operation_with_other_uses_is_not_unshared() {
    let rules = with(
        "rule cheap: Mul:Is(s = Add:Is(x, y), z) if unshared(s)
        => add x, y; imul x, z; cycles 0",
    );
    let is_chosen = |used_twice: bool| {
        let mut builder = GraphBuilder::new();
        let x = builder.argument;
        let y = builder.add("Mul", x, x);
        let sum = builder.add("Add", x, y);
        let product = builder.add("Mul", sum, x);
        let value = builder.add("Sub", product, if used_twice { sum } else { y });
        let graph = builder.end(value);
        let selection = select(&graph, &rules, SelectionOptions::default()).expect("a cover");
        check_meaning(&graph, &selection);
        selection.chosen.iter().any(|found| rules.rule(found.variant).name == "cheap")
    };
    assert!(is_chosen(false));
    assert!(!is_chosen(true));
}

//! Tests of patterns with loads and stores inside: their matches keep the order of memory, and a
//! set of such rules that lacks nothing never fails.
use super::rule_semantics::refute;
use super::selection::check_meaning;
use super::tr::rules_of;
use super::validation::{ValidRules, proofs};
use super::{select, ttc_graphs};
use crate::arith::Binary;
use crate::driver::TargetMachine;
use crate::firm::{Access, Graph, Mode, NodeId, Op};
use crate::random::Random;
use crate::rules::{self, ProgramGraph, RuleSet, matches};
use crate::select::Selection;
use crate::select::options::{Method, Objective, SelectionOptions};
use crate::stage::Artifact;
use crate::ttc::TARGET;
use source::Source;
use std::collections::BTreeSet;

/// Rules that load and store inside of their patterns.
const RULES: &str = "
rule load-offset: Load:Is(m, Add:Is(p, Const c)) => addi a, p, c; load d, a; cycles 1
rule add-load: Add:Is(x, Load:Is(m, p)) => load t, p; add d, x, t; cycles 1
rule add-load-offset: Add:Is(x, Load:Is(m, Add:Is(p, Const c)))
    => addi a, p, c; load t, a; add d, x, t; cycles 1
rule sub-load: Sub:Is(x, Load:Is(m, p)) => load t, p; sub d, x, t; cycles 1
rule sub-loaded: Sub:Is(Load:Is(m, p), x) => load t, p; sub d, t, x; cycles 1
rule sub-loads: Sub:Is(Load:Is(m, p), Load:Is(n, q))
    => load s, p; load t, q; sub d, s, t; cycles 1
rule load-load: Load:Is(m, Load:Is(n, p)) => load t, p; load d, t; cycles 1
rule copy: Store:Is(m, q, Load:Is(n, p)) => load t, p; store q, t; cycles 1
rule add-to: Store:Is(m, p, Add:Is(Load:Is(n, p), x))
    => load t, p; add u, t, x; store p, u; cycles 1
rule add-to-offset: Store:Is(m, a = Add:Is(p, Const c), Add:Is(Load:Is(n, a), x))
    => addi b, p, c; load t, b; add u, t, x; store b, u; cycles 1
rule load-and-add: l = Load:Is(m, p), Add:Is(l, x) => load l, p; add d, l, x; cycles 1
rule exchange: l = Load:Is(m, p), Store:Is(n, p, x) => load l, p; store p, x; cycles 1
";

/// Rules that make the others composable.
const COMPLETION: &str = "
rule store-offset: Store:Is(m, Add:Is(p, Const c), x) => addi a, p, c; store a, x; cycles 1
";

fn built_in() -> String {
    TargetMachine::Tr.built_in_rules().text
}

fn rules() -> RuleSet {
    rules_of(built_in() + RULES + COMPLETION)
}

fn names() -> impl Iterator<Item = &'static str> {
    let names = RULES.lines().filter_map(|line| line.strip_prefix("rule "));
    names.filter_map(|line| Some(line.split_once(':')?.0))
}

#[test]
fn each_rule_computes_its_patterns() {
    let rules = rules();
    names().for_each(|name| assert_eq!(refute(&rules, name), None));
    ValidRules::new(&rules_of(built_in())).check(&rules);
}

#[test]
fn planted_faults_are_found() {
    for (name, from, to) in [
        ("add-load", "load t, p; add d, x, t", "load t, x; add d, p, t"),
        ("sub-loads", "sub d, s, t", "sub d, t, s"),
        ("load-load", "load t, p; load d, t", "load d, p"),
        ("copy", "load t, p; store q, t", "load t, q; store p, t"),
        ("add-to", "add u, t, x; store p, u", "add u, t, x; store p, t"),
        ("add-to-offset", "store b, u", "store p, u"),
        ("exchange", "load l, p; store p, x", "store p, x; load l, p"),
    ] {
        assert!(RULES.contains(from), "no `{from}` in the rules");
        let planted = rules_of(built_in() + &RULES.replace(from, to));
        assert!(!proofs(&planted, name).is_empty(), "{name}: {to}");
    }
}

/// Builds a graph of one block.
struct GraphBuilder {
    graph: Graph,
    argument: NodeId,
    memory: NodeId,
}

impl GraphBuilder {
    fn new() -> GraphBuilder {
        let mut graph = Graph::new();
        let argument = graph.add(Op::Argument(0), Mode::Is, graph.start_block, &[graph.start]);
        GraphBuilder { argument, memory: graph.start, graph }
    }

    fn load(&mut self, access: Access, address: NodeId) -> NodeId {
        let operands = [self.memory, address];
        self.memory = self.graph.add(Op::Load(access), Mode::Is, self.graph.start_block, &operands);
        self.memory
    }

    fn store(&mut self, access: Access, address: NodeId, value: NodeId) -> NodeId {
        let operands = [self.memory, address, value];
        self.memory =
            self.graph.add(Op::Store(access), Mode::Is, self.graph.start_block, &operands);
        self.memory
    }

    fn constant(&mut self, number: i64) -> NodeId {
        self.graph.add(Op::Const(number), Mode::Is, self.graph.start_block, &[])
    }

    fn binary(&mut self, op: Binary, operands: [NodeId; 2]) -> NodeId {
        self.graph.add(Op::Binary(op), Mode::Is, self.graph.start_block, &operands)
    }

    fn returned(mut self, value: NodeId) -> Graph {
        let operands = [self.memory, value];
        let ret = self.graph.add(Op::Return, Mode::Is, self.graph.start_block, &operands);
        let block = self.graph.add_block(Op::EndBlock, &[ret]);
        self.graph.add(Op::End, Mode::X, block, &[]);
        assert_eq!(self.graph.verify(), [], "{}", self.graph.print());
        self.graph
    }
}

/// The names of the rules that match at a node.
fn matching(graph: &Graph, node: NodeId) -> Vec<String> {
    let (rules, program) = (rules(), ProgramGraph::new(graph));
    let at = program.ids().find(|&id| program.firm(id) == node).expect("it is needed");
    matches(&rules, &program, at).map(|it| rules.rule(it.variant).name.clone()).collect()
}

/// The access between a load and its use.
#[derive(Clone, Copy, PartialEq)]
enum Between {
    Nothing,
    Load,
    VolatileLoad,
    Store,
}

/// `argument + [argument]`, and other accesses in between.
fn sum(between: Between, access: Access, uses: usize) -> (Graph, NodeId) {
    let mut builder = GraphBuilder::new();
    let argument = builder.argument;
    let loaded = builder.load(access, argument);
    match between {
        Between::Nothing => {}
        Between::Load => drop(builder.load(Access::Plain, argument)),
        Between::VolatileLoad => drop(builder.load(Access::Volatile, argument)),
        Between::Store => drop(builder.store(Access::Plain, argument, argument)),
    }
    let sum = builder.binary(Binary::Add, [argument, loaded]);
    let value = (1..uses).fold(sum, |value, _| builder.binary(Binary::Mul, [value, loaded]));
    (builder.returned(value), sum)
}

#[test]
fn a_load_is_not_moved_over_a_store() {
    for (between, access, uses, is_legal) in [
        (Between::Nothing, Access::Plain, 1, true),
        (Between::Load, Access::Plain, 1, true),
        (Between::Store, Access::Plain, 1, false),
        (Between::VolatileLoad, Access::Plain, 1, false),
        (Between::Nothing, Access::Volatile, 1, false),
        (Between::Nothing, Access::Plain, 2, false),
    ] {
        let (graph, sum) = sum(between, access, uses);
        let names = matching(&graph, sum);
        assert!(names.contains(&"add".to_string()), "{names:?}");
        assert_eq!(names.contains(&"add-load".to_string()), is_legal, "{}", graph.print());
    }
}

/// A store of `[p] + x` to q, with q = p or q = p + 4, and a store to p in between or not.
fn update(is_same: bool, is_disturbed: bool, access: Access) -> (Graph, NodeId) {
    let mut builder = GraphBuilder::new();
    let p = builder.argument;
    let four = builder.constant(4);
    let q = builder.binary(Binary::Add, [p, four]);
    let loaded = builder.load(Access::Plain, p);
    let sum = builder.binary(Binary::Add, [loaded, q]);
    if is_disturbed {
        builder.store(Access::Plain, p, p);
    }
    let store = builder.store(access, if is_same { p } else { q }, sum);
    (builder.returned(p), store)
}

#[test]
fn an_update_loads_and_stores_at_one_address() {
    for (is_same, is_disturbed, access, is_legal) in [
        (true, false, Access::Plain, true),
        (false, false, Access::Plain, false),
        (true, true, Access::Plain, false),
        (true, false, Access::Volatile, false),
    ] {
        let (graph, store) = update(is_same, is_disturbed, access);
        let names = matching(&graph, store);
        assert!(names.contains(&"store".to_string()), "{names:?}");
        assert_eq!(names.contains(&"add-to".to_string()), is_legal, "{}", graph.print());
    }
}

/// Loads, stores and updates at a few addresses; values are often used at once.
fn random_graph(random: &mut Random, size: usize) -> Graph {
    let mut builder = GraphBuilder::new();
    let mut values = vec![builder.argument];
    for _ in 0..size {
        let [x, y] = [(); 2].map(|()| match random.below(3) {
            0 => random.pick(&values),
            _ => values[values.len() - 1],
        });
        let address = match random.below(3) {
            0 => x,
            1 => builder.argument,
            _ => {
                let offset = builder.constant(4 * random.below(3) as i64);
                builder.binary(Binary::Add, [builder.argument, offset])
            }
        };
        let access = random.pick(&[Access::Plain, Access::Plain, Access::Plain, Access::Volatile]);
        match random.below(8) {
            0 => drop(builder.store(access, address, x)),
            1 => {
                let loaded = builder.load(access, address);
                let sum = builder.binary(Binary::Add, [loaded, x]);
                builder.store(access, address, sum);
            }
            2..5 => values.push(builder.load(access, address)),
            _ => {
                let op = random.pick(&[Binary::Add, Binary::Add, Binary::Sub, Binary::Mul]);
                values.push(builder.binary(op, [x, y]));
            }
        }
    }
    builder.returned(values[values.len() - 1])
}

/// A random graph; some have several blocks.
fn any_graph(random: &mut Random, round: usize) -> Graph {
    match round % 3 {
        0 => ttc_graphs::graph(random, round % 20),
        _ => random_graph(random, round % 30),
    }
}

const METHODS: [Method; 3] = [Method::Pbqp, Method::Heuristic, Method::Greedy];

fn selected<'g>(graph: &'g Graph, rules: &'g RuleSet, method: Method) -> Selection<'g> {
    let options = SelectionOptions { method, objective: Objective::Speed };
    let selection = select(graph, rules, options);
    let selection = selection.unwrap_or_else(|wrong| panic!("{wrong:?}\n{}", graph.print()));
    assert_eq!(selection.verify(), [], "{}", graph.print());
    selection
}

#[test]
fn selected_random_graphs_keep_their_stores_and_results() {
    let (rules, mut random) = (rules(), Random::new(71));
    let mut seen = BTreeSet::new();
    for round in 0..1200 {
        let graph = any_graph(&mut random, round);
        for method in METHODS {
            let selection = selected(&graph, &rules, method);
            check_meaning(&graph, &selection);
            let chosen = selection.chosen.iter();
            seen.extend(chosen.map(|it| rules.rule(it.variant).name.clone()));
        }
    }
    let missing: Vec<_> = names().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "selected for none of the graphs: {missing:?}");
}

fn checked(text: &str) -> (Vec<String>, String) {
    let source = Source { name: "rules".into(), text: text.into() };
    let checked = rules::check(&source, &TARGET).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let missing = checked.diagnostics().into_iter().map(|it| it.message).collect();
    (missing, checked.completed().unwrap_or_else(|wrong| panic!("{wrong:?}")))
}

#[test]
fn parts_and_cuts_with_loads_are_required() {
    for (without, missing) in [
        ("", &[][..]),
        ("add-load", &["no rule for Add:Is(x, Load:Is(m, y))"]),
        ("copy", &[]),
        ("sub-loaded", &["no rule for Sub:Is(Load:Is(m, x), y)"]),
        ("load-offset", &["no rule for Load:Is(m, Add:Is(x, Const y))"]),
        ("store-offset", &["no rule for Store:Is(m, Add:Is(x, Const y:Is), z)"]),
    ] {
        let all = rules();
        let rules = all.catalogue().filter(|rule| rule.name != without);
        let text: String = rules.map(|rule| format!("{}\n", rule.text())).collect();
        let (found, completed) = checked(&text);
        assert_eq!(found.is_empty(), missing.is_empty(), "{without}: {found:?}");
        assert_eq!(checked(&completed), (Vec::new(), completed.clone()), "{without}");
        println!("{without}: {found:?}");
    }
}

/// The rules, with random costs.
fn with_random_costs(rules: &RuleSet, random: &mut Random) -> RuleSet {
    rules.with_costs(&mut |_| [9, 9].map(|limit| random.below(limit) as u32))
}

/// Any subset of the rules is completed, and then selects instructions for every graph.
#[test]
fn completed_subsets_never_fail() {
    let mut random = Random::new(72);
    let own = rules_of(built_in() + RULES);
    let atomic = rules_of(built_in()).catalogue().count();
    let mut generated = 0;
    let mut valid = ValidRules::new(&own);
    for _ in 0..12 {
        let kept = own.catalogue().enumerate();
        let kept = kept.filter(|(at, _)| *at < atomic || random.below(3) > 0);
        let text: String = kept.map(|(_, rule)| format!("{}\n", rule.text())).collect();
        let (missing, completed) = checked(&text);
        generated += missing.len();
        let rules = rules_of(completed);
        valid.check(&rules);
        for round in 0..40 {
            let graph = any_graph(&mut random, round);
            let rules = with_random_costs(&rules, &mut random);
            for method in METHODS {
                check_meaning(&graph, &selected(&graph, &rules, method));
            }
        }
    }
    assert!(generated > 10, "{generated}");
}

/// Without a part that the check requires, selection fails for some graph.
#[test]
fn incomplete_rules_fail() {
    let text = built_in()
        + "rule sub-of-sums: Sub:Is(Add:Is(x, Load:Is(m, p)), y)
               => load t, p; add s, x, t; sub d, s, y; cycles 1
           rule mul-of-load: Mul:Is(x, Load:Is(m, p)) => load t, p; mul d, x, t; cycles 1";
    let (missing, completed) = checked(&text);
    assert_eq!(missing.len(), 1, "{missing:?}");
    assert!(missing[0].contains("Add:Is(x, Load:Is(m, y))"), "{missing:?}");
    let mut random = Random::new(73);
    for _ in 0..300 {
        let graph = random_graph(&mut random, 20);
        let rules = with_random_costs(&rules_of(completed.clone()), &mut random);
        METHODS.iter().for_each(|&method| drop(selected(&graph, &rules, method)));
    }
}

#[track_caller]
fn refused(rule: &str, expected: &str) {
    let text = format!("{}\nrule own: {rule}; cycles 1", built_in());
    let wrong = rules::parse(&Source { name: "own".into(), text }, &TARGET);
    let messages: Vec<_> =
        wrong.expect_err("it is wrong").into_iter().map(|it| it.message).collect();
    assert_eq!(messages, [expected]);
}

#[test]
fn patterns_that_never_match_are_reported() {
    refused(
        "Mul:Is(l = Load:Is(m, p), l) => load t, p; mul d, t, t",
        "`l` loads and is used twice",
    );
    refused(
        "Sub:Is(s = Add:Is(x, Load:Is(m, p)), Mul:Is(s, y))
            => load t, p; add u, x, t; mul v, u, y; sub d, u, v",
        "`s` loads and is used twice",
    );
    refused(
        "s = Store:Is(m, p, x), Load:Is(n, p) => store p, x; copy d, x",
        "Store is not the last pattern",
    );
    refused("Add:Is(x, y) => load t, x; add d, t, y", "`load` is not allowed here");
}

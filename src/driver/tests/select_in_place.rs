//! Tests of in-place selection: both methods agree, on any number of threads and for any order of
//! the nodes, with the solution of the case and with equal results.
use super::{outcome, select, selection, tr, ttc_graphs};
use crate::arith::Relation;
use crate::firm::{self, Access, Mode, NodeId, Op};
use crate::random::Random;
use crate::rules::RuleSet;
use crate::select::options::{Method, Objective, SelectionOptions};
use crate::stage::Artifact;
use crate::ttc::{Counts, Graph, SelectedForm, select_in_place};
use arena::Id;

/// All data of a node.
fn node(graph: &Graph, id: NodeId) -> (Op, SelectedForm, NodeId, Vec<NodeId>) {
    let firm = &graph.firm;
    (firm.op(id), graph.forms[id], firm.node(id).block, firm.operands(id).to_vec())
}

fn selected(
    graph: &firm::Graph,
    rules: &RuleSet,
    method: Method,
    threads: usize,
) -> (Graph, Counts) {
    let mut graph = ttc_graphs::with_symbols(graph);
    let counts = select_in_place(&mut graph, rules, method, threads);
    let counts = counts.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    (graph, counts)
}

#[track_caller]
fn check_same(one: &Graph, other: &Graph) {
    assert_eq!(one.firm.len(), other.firm.len());
    one.firm.ids().for_each(|id| assert_eq!(node(one, id), node(other, id), "{}", one.print()));
}

/// The form and the operands of a node that the case specifies.
fn expected_node(graph: &firm::Graph, id: NodeId) -> (SelectedForm, Vec<NodeId>) {
    let operands = graph.operands(id).to_vec();
    let number = |at: usize| match graph.op(operands[at]) {
        Op::Const(number) => Some(SelectedForm::Number(number as i32)),
        _ => None,
    };
    let symbol = |at: usize| match graph.op(operands[at]) {
        Op::SymConst(symbol) => Some(SelectedForm::Symbol(symbol)),
        _ => None,
    };
    let (immediate, rest) = match graph.op(id) {
        Op::Binary(binary) => match (number(0), number(1)) {
            (_, Some(right)) => (Some(right), vec![operands[0]]),
            (left, None) if binary.row().commutes => (left, vec![operands[1]]),
            _ => (None, vec![]),
        },
        Op::Cmp(_) => (number(1), vec![operands[0]]),
        Op::Load(_) => (symbol(1), vec![operands[0]]),
        Op::Store(_) => (symbol(1), vec![operands[0], operands[2]]),
        Op::Const(_) | Op::SymConst(_) | Op::Not | Op::Jmp | Op::Cond => (None, vec![]),
        _ => return (SelectedForm::Source, operands),
    };
    immediate.map_or((SelectedForm::Plain, operands), |form| (form, rest))
}

const ARGUMENTS: [i64; 6] = [0, 1, -1, 7, i32::MIN as i64, i32::MAX as i64];

#[test]
fn both_methods_give_the_solution_of_the_case_and_keep_results() {
    let (rules, mut random) = (tr::built_in(), Random::new(41));
    let (mut immediates, mut written) = (0, 0);
    for round in 0..1000 {
        let graph = ttc_graphs::graph(&mut random, round % 40);
        assert_eq!(graph.verify(), [], "{}", graph.print());
        let (best, counts) = selected(&graph, &rules, Method::Pbqp, 1);
        for threads in [1, 2, 3, 7] {
            let (greedy, same) = selected(&graph, &rules, Method::Greedy, threads);
            check_same(&best, &greedy);
            assert_eq!(counts, same);
        }
        for id in graph.ids() {
            assert_eq!(
                (best.forms[id], best.firm.operands(id).to_vec()),
                expected_node(&graph, id)
            );
        }
        assert_eq!(best.verify(), [], "{}", best.print());
        for argument in ARGUMENTS {
            let before = outcome(&graph, argument).expect("Firm is executed");
            assert_eq!(best.eval(argument), Some(before.clone()), "{}", graph.print());
            written += before.output.lines().count();
        }
        immediates += counts.immediates;
    }
    assert!(immediates > 3000 && written > 10_000, "{immediates} {written}");
}

#[test]
fn the_order_of_the_nodes_does_not_matter() {
    let (rules, mut random) = (tr::built_in(), Random::new(42));
    for round in 0..200 {
        let graph = ttc_graphs::graph(&mut random, round % 40);
        let (other, places) = ttc_graphs::shuffled(&graph, &mut random);
        let (ordered, _) = selected(&graph, &rules, Method::Pbqp, 1);
        for method in [Method::Pbqp, Method::Greedy] {
            let (shuffled, _) = selected(&other, &rules, method, 2);
            for id in graph.ids() {
                let (op, form, _, operands) = node(&ordered, id);
                let operands: Vec<_> = operands.iter().map(|it| places[it.index()]).collect();
                let found = node(&shuffled, places[id.index()]);
                assert_eq!((found.0, found.1, found.3), (op, form, operands));
            }
        }
    }
}

/// The same graphs as code with registers.
#[test]
fn code_with_memory_computes_the_results_of_the_graph() {
    let (rules, mut random) = (tr::built_in(), Random::new(43));
    for round in 0..300 {
        let graph = ttc_graphs::graph(&mut random, round % 40);
        for method in [Method::Pbqp, Method::Greedy, Method::Heuristic] {
            let selected =
                select(&graph, &rules, SelectionOptions { objective: Objective::Speed, method });
            let selected = selected.unwrap_or_else(|wrong| panic!("{wrong:?}"));
            assert_eq!(selected.verify(), []);
            selection::check_meaning(&graph, &selected);
        }
    }
}

/// A graph that returns the value of one operation.
fn of_one(op: Op, operands: &[Op]) -> firm::Graph {
    let mut graph = firm::Graph::new();
    let operands: Vec<_> = operands
        .iter()
        .map(|&op| match op {
            Op::Start => graph.start,
            Op::Argument(_) => graph.add(op, Mode::Is, graph.start_block, &[graph.start]),
            op => graph.add(op, op.row().modes[0], graph.start_block, &[]),
        })
        .collect();
    let value = graph.add(op, Mode::Is, graph.start_block, &operands);
    let ret = graph.add(Op::Return, Mode::Is, graph.start_block, &[graph.start, value]);
    let block = graph.add_block(Op::EndBlock, &[ret]);
    graph.add(Op::End, Mode::X, block, &[]);
    graph
}

/// The rules of the case, with a text replaced.
fn with(from: &str, to: &str) -> RuleSet {
    let text = crate::driver::TargetMachine::Tr.built_in_rules().text;
    assert!(text.contains(from), "no `{from}` in the rules");
    tr::rules_of(text.replace(from, to))
}

#[test]
fn a_swapped_comparison_has_its_relation_mirrored() {
    let rules = with("ordered Cmp", "Cmp");
    let graph = of_one(Op::Cmp(Relation::Less), &[Op::Const(5), Op::Argument(0)]);
    for method in [Method::Pbqp, Method::Greedy] {
        let (selected, counts) = selected(&graph, &rules, method, 1);
        let mut ids = selected.firm.ids();
        let compared = ids.find(|&id| selected.forms[id] == SelectedForm::Number(5));
        let compared = compared.expect("the constant is in the instruction");
        assert_eq!(selected.firm.op(compared), Op::Cmp(Relation::Greater));
        assert_eq!(counts, Counts { instructions: 2, immediates: 1 });
        assert!(ARGUMENTS.iter().all(|&it| selected.eval(it) == graph.eval(it)));
    }
}

#[test]
fn a_failed_selection_is_reported_and_changes_nothing() {
    let load = of_one(Op::Load(Access::Plain), &[Op::Start, Op::SymConst(0)]);
    let add = of_one(super::rule_semantics::binary("Add"), &[Op::Argument(0), Op::Const(1)]);
    let both = [Method::Pbqp, Method::Greedy];
    let greedy = [Method::Greedy];
    let lacking =
        with("rule add: Add:Is(x, y) => add d, x, y", "rule add: Const k:Is => const d, k");
    let wrong = with("=> addi d, x, c", "=> subi d, x, c");
    let twice = with("=> addi d, x, c", "=> addi e, x, c; copy d, e");
    let guarded = with("Add:Is(x, Const c) =>", "Add:Is(x, Const c) if imm8(c) =>");
    let memory =
        with("Load:Is(m, SymConst s) => loadi d, s", "Mul:Is(y, Add:Is(x, z)) => mul d, y, x");
    let sum = of_one(super::rule_semantics::binary("Add"), &[Op::Argument(0), Op::Argument(0)]);
    for (graph, rules, methods, expected) in [
        (&sum, &lacking, &both[..], "no rule covers Add:Is(x, y) here"),
        (&add, &wrong, &both, "rule `add-immediate` becomes no node of the case"),
        (&add, &twice, &both[..1], "rule `add-immediate` becomes no node of the case"),
        (&add, &twice, &greedy, "rule `add-immediate` depends on more than the operands"),
        (&add, &guarded, &greedy, "rule `add-immediate` depends on more than the operands"),
        (&load, &memory, &greedy, "rule `load-symbol` depends on more than the operands"),
    ] {
        for &method in methods {
            let graph = ttc_graphs::with_symbols(graph);
            let mut changed = graph.clone();
            let wrong = select_in_place(&mut changed, rules, method, 2).expect_err("it is refused");
            assert!(wrong[0].message.starts_with(expected), "{wrong:?}");
            check_same(&graph, &changed);
        }
    }
    let (mut done, _) = selected(&add, &tr::built_in(), Method::Pbqp, 1);
    for method in both {
        let wrong =
            select_in_place(&mut done, &tr::built_in(), method, 1).expect_err("it is refused");
        assert_eq!(wrong[0].message, "this graph has instructions already");
    }
}

#[test]
fn a_graph_with_a_missing_operand_is_rejected() {
    let graph = of_one(super::rule_semantics::binary("Sub"), &[Op::Argument(0), Op::Bad]);
    for method in [Method::Pbqp, Method::Greedy] {
        let mut graph = ttc_graphs::with_symbols(&graph);
        let wrong = select_in_place(&mut graph, &tr::built_in(), method, 1);
        let wrong = wrong.expect_err("there is nothing to subtract");
        assert_eq!(wrong[0].message, "an operand of Sub is missing, or is no value");
    }
}

/// Removes or replaces an operand of a node.
fn mutate(graph: &mut firm::Graph, random: &mut Random) {
    let ids: Vec<_> = graph.ids().filter(|&id| graph.op(id).is_selected()).collect();
    let id = ids[random.below(ids.len())];
    let (op, count) = (graph.op(id), graph.operands(id).len());
    if count == 0 {
        return;
    }
    if random.below(2) == 0 {
        graph.rewrite(id, op, graph.node(id).mode, count - 1);
    } else {
        let other = graph.ids().nth(random.below(graph.len())).expect("there is one");
        graph.set_operand(id, random.below(count), other);
    }
}

#[test]
fn both_methods_agree_on_faulty_graphs() {
    let (rules, mut random, mut refused) = (tr::built_in(), Random::new(5), 0);
    for round in 0..600 {
        let mut graph = ttc_graphs::graph(&mut random, round % 20);
        mutate(&mut graph, &mut random);
        let [best, greedy] = [Method::Pbqp, Method::Greedy].map(|method| {
            let mut graph = ttc_graphs::with_symbols(&graph);
            let counts = select_in_place(&mut graph, &rules, method, 1);
            (counts.ok(), graph.print())
        });
        assert!(best == greedy, "{round}: {}", graph.print());
        refused += usize::from(best.0.is_none());
    }
    assert!(refused > 100 && refused < 500, "{refused}");
}

//! Tests of selection on random graphs: the cover is sound, the code computes the results of Firm,
//! and PBQP covers have minimal cost.
use super::random_graphs;
use super::{all_built_in, built_in, executable, outcome, rules_of, select};
use crate::effort::programs;
use crate::firm::Graph;
use crate::random::Random;
use crate::rules::RuleSet;
use crate::select::Selection;
#[cfg(feature = "ch04")]
use crate::select::options::Method;
use crate::select::options::{Objective, SelectionOptions};
use crate::stage::{Artifact, Outcome, Termination};

fn options() -> Vec<SelectionOptions> {
    let both = |method: &fn(Objective) -> SelectionOptions| {
        [method(Objective::Size), method(Objective::Speed)]
    };
    METHODS.iter().flat_map(both).collect()
}

/// All options with all rule sets.
fn configurations(all_rules: &[RuleSet]) -> impl Iterator<Item = (SelectionOptions, &RuleSet)> {
    let with_each = |selection| all_rules.iter().map(move |rules| (selection, rules));
    options().into_iter().flat_map(with_each)
}

const METHODS: &[fn(Objective) -> SelectionOptions] = &[
    |objective| SelectionOptions { objective, ..SelectionOptions::default() },
    #[cfg(feature = "ch04")]
    greedily,
];

#[cfg(feature = "ch04")]
fn greedily(objective: Objective) -> SelectionOptions {
    SelectionOptions { objective, method: Method::Greedy }
}

const ARGUMENTS: [i64; 8] = [0, 1, -1, 7, -128, 1 << 16, i32::MIN as i64, i32::MAX as i64];

/// Checks that the code of a cover is sound and computes the results of the graph, before and after
/// register allocation.
pub fn check_meaning(graph: &Graph, selection: &Selection) {
    for code in executable(selection) {
        assert_eq!(code.verify(), [], "{}\n{}", graph.print(), code.print());
        for argument in ARGUMENTS {
            let expected = outcome(graph, argument);
            if let Some(Outcome { end: Termination::Value(_), .. }) = expected {
                let shown = || format!("{argument}\n{}\n{}", graph.print(), code.print());
                assert_eq!(code.eval(argument), expected, "{}", shown());
            }
        }
    }
}

#[test]
fn selected_random_graphs_keep_their_results() {
    let all_rules = all_built_in();
    let mut random = Random::new(21);
    for round in 0..programs(1500) as usize {
        let graph = random_graphs::graph(&mut random, 1 + round % 24);
        assert_eq!(graph.verify(), []);
        for (selection, rules) in configurations(&all_rules) {
            let selection = select(&graph, rules, selection);
            check_meaning(&graph, &selection.unwrap_or_else(|wrong| panic!("{wrong:?}")));
        }
    }
}

#[cfg(feature = "ch29")]
#[test]
fn selected_graphs_with_choices_keep_their_results() {
    let (rules, mut random) = (built_in(), Random::new(24));
    for round in 0..programs(1500) as usize {
        let graph = random_graphs::graph_with_choices(&mut random, 1 + round % 24);
        for selection in options() {
            let selection = select(&graph, &rules, selection);
            check_meaning(&graph, &selection.unwrap_or_else(|wrong| panic!("{wrong:?}")));
        }
    }
}

/// Without each single rule, the graph is covered or the missing pattern is named.
#[test]
fn uncovered_patterns_are_named() {
    let all = built_in();
    let mut random = Random::new(22);
    let graphs: Vec<_> = (0..40).map(|size| random_graphs::graph(&mut random, size % 12)).collect();
    let mut missing = std::collections::BTreeSet::new();
    for rule in all.catalogue() {
        let others = all.catalogue().filter(|other| other.name != rule.name);
        let others: Vec<_> = others.map(|other| other.text()).collect();
        let others = rules_of(others.join("\n"));
        for (graph, selection) in
            graphs.iter().flat_map(|it| options().into_iter().map(move |p| (it, p)))
        {
            match select(graph, &others, selection) {
                Ok(selection) => check_meaning(graph, &selection),
                Err(wrong) => {
                    assert_eq!(wrong.len(), 1);
                    missing.insert(wrong[0].message.clone());
                }
            }
        }
    }
    let named = |pattern: &str| missing.contains(&format!("no rule covers {pattern} here"));
    assert!(named("Const:Is") && named("Return:Is(x, y)"), "{missing:?}");
}

#[cfg(feature = "ch04")]
mod pbqp {
    use super::*;
    use ::pbqp::{Budget, Cost as Price, solve_exactly};

    fn selected<'g>(
        graph: &'g Graph,
        rules: &'g RuleSet,
        selection: SelectionOptions,
    ) -> Selection<'g> {
        select(graph, rules, selection).unwrap_or_else(|wrong| panic!("{wrong:?}"))
    }

    #[test]
    fn its_cost_is_minimal_and_at_most_that_of_the_greedy_cover() {
        let rules = built_in();
        let mut random = Random::new(23);
        let (mut better, mut exact) = (0, 0);
        for round in 0..1500 {
            let graph = random_graphs::graph(&mut random, 1 + round % 30);
            for objective in [Objective::Size, Objective::Speed] {
                let best = selected(
                    &graph,
                    &rules,
                    SelectionOptions { objective, ..SelectionOptions::default() },
                );
                assert_eq!(best.verify(), [], "{}", graph.print());
                let greedy = selected(&graph, &rules, greedily(objective));
                assert_eq!(greedy.verify(), [], "{}", graph.print());
                let costs = [&best, &greedy].map(|it| it.cost(objective));
                assert!(costs[0] <= costs[1], "{costs:?}\n{}", graph.print());
                better += u32::from(costs[0] < costs[1]);
                let problem = best.problem().expect("it was solved");
                match solve_exactly(problem, None, &mut Budget::new(1_000_000)) {
                    Ok(solution) if solution.is_optimal() => {
                        exact += 1;
                        assert_eq!(solution.cost, Price::new(costs[0]), "{}", graph.print());
                    }
                    Err(wrong) if wrong.proven => panic!("there is a cover\n{}", graph.print()),
                    Ok(_) | Err(_) => {}
                }
            }
        }
        assert!(better > 100 && exact > 1000, "{better} better, {exact} exact");
    }
}

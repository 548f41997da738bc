//! Two reductions for what R1 and R2 leave: dominance and RM. Both keep the optimum.
//!
//! They look at nodes of any degree, and so they are worth their price only there. The nodes are
//! swept one after the other, again as long as a sweep finds enough.
//! Sources: Desmet, De Maeyer, Hazes and Lasters, "The dead-end elimination theorem and its use
//! in protein side-chain positioning", Nature 1992, with the criterion of Goldstein, Biophysical
//! Journal 1994 (dominance); Buchwald, "Optimal register allocation for SSA-form programs",
//! 2010, and Buchwald, Zwinkau and Bersch, CC 2011 (RM).
use super::answers::Answers;
use super::cost::Cost;
use super::graph::{Graph, Link};
use super::problem::{EdgeId, NodeId};
use super::report::Rule;
use super::solver::Solver;

/// Where the sweep is.
#[derive(Clone, Default)]
pub struct Broom {
    nodes: Vec<NodeId>,
    at: usize,
    /// How often this sweep has found something.
    found: usize,
    started: bool,
    /// Whether there is to be no sweep for now.
    pub rests: bool,
}

/// A sweep is followed by another if it has found something at one of so many nodes.
const ENOUGH: usize = 16;

/// So many edges the two nodes of RM have at most: to merge them takes time for each.
const CROWDED: usize = 48;

impl Broom {
    /// A broom that is not used for now.
    pub fn resting() -> Broom {
        Broom { rests: true, ..Broom::default() }
    }

    fn next(&mut self, graph: &Graph) -> Option<NodeId> {
        loop {
            while let Some(&x) = self.nodes.get(self.at) {
                self.at += 1;
                if !graph.is_gone(x) && graph.degree(x) > 0 {
                    return Some(x);
                }
            }
            if self.started && (self.found == 0 || self.found * ENOUGH < self.nodes.len()) {
                return None;
            }
            let left = graph.nodes().filter(|&x| !graph.is_gone(x) && graph.degree(x) > 0);
            *self = Broom { nodes: left.collect(), started: true, ..Broom::default() };
        }
    }
}

impl Solver<'_, '_> {
    /// Looks on until there is something to be done, and does it.
    pub fn sweep(&mut self) -> bool {
        if !self.settings.goes_on() || self.state.broom.rests {
            return false;
        }
        while let Some(x) = self.state.broom.next(&self.state.graph) {
            let found = self.drop_dominated(x) || self.merge_determined(x);
            self.state.broom.found += usize::from(found);
            if found {
                return true;
            }
        }
        false
    }

    fn drop_dominated(&mut self, x: NodeId) -> bool {
        let mut found = false;
        for a in (0..self.state.graph.vector(x).len()).rev() {
            if is_dominated(&self.state.graph, x, a) {
                self.state.graph.kill(x, a);
                self.report(Rule::Dominated, x, &[], Some(a as u32));
                found = true;
            }
        }
        found
    }

    fn merge_determined(&mut self, x: NodeId) -> bool {
        let Some(link) = determined(&self.state.graph, x) else { return false };
        if !self.state.large.take(merged_entries(&self.state.graph, x, link.other)) {
            return false;
        }
        merge(&mut self.state.graph, x, link, &mut self.state.answers);
        self.report(Rule::RM, x, &[link.other], None);
        true
    }
}

/// Whether alternative a of `x` is never better than some b, whatever the neighbours choose:
///
/// ```text
/// c_x(a) − c_x(b) + Σ_y min_j (C_xy(a, j) − C_xy(b, j)) ≥ 0
/// ```
fn is_dominated(graph: &Graph, x: NodeId, a: usize) -> bool {
    let vector = graph.vector(x);
    // An edge makes the excess no larger: row a has a zero.
    let cheaper = (0..vector.len()).filter(|&b| a != b && vector[b] <= vector[a]);
    vector[a].is_finite() && cheaper.into_iter().any(|b| never_better(graph, x, a, b))
}

fn never_better(graph: &Graph, x: NodeId, a: usize, b: usize) -> bool {
    let mut excess = graph.vector(x)[a].difference(graph.vector(x)[b]);
    for &Link { edge, other } in graph.edges_of(x) {
        let (matrix, vector) = (graph.view(edge, x), graph.vector(other));
        let mut least = 0;
        for ((with_a, with_b), other) in matrix.row(a).zip(matrix.row(b)).zip(vector) {
            if other.is_finite() && with_a.is_finite() {
                if !with_b.is_finite() {
                    return false;
                }
                least = with_a.difference(with_b).min(least);
            }
        }
        excess += least;
        if excess < 0 {
            return false;
        }
    }
    true
}

/// A link of `x` whose other end decides what `x` takes: each of its live alternatives goes with
/// one of `x` alone.
fn determined(graph: &Graph, x: NodeId) -> Option<Link> {
    graph.edges_of(x).iter().copied().find(|&Link { edge, other: y }| {
        graph.degree(x) + graph.degree(y) <= CROWDED
            && (0..graph.vector(y).len())
                .all(|j| !graph.is_alive(y, j) || partners(graph, x, edge, j).nth(1).is_none())
    })
}

/// How many entries the matrices have that `y` takes over from `x`.
fn merged_entries(graph: &Graph, x: NodeId, y: NodeId) -> usize {
    let others = graph.edges_of(x).iter().filter(|link| link.other != y);
    graph.vector(y).len() * others.map(|link| graph.vector(link.other).len()).sum::<usize>()
}

/// The alternatives of `x` that go with alternative `j` of the other end of `edge`.
fn partners(graph: &Graph, x: NodeId, edge: EdgeId, j: usize) -> impl Iterator<Item = usize> {
    let (matrix, vector) = (graph.view(edge, x), graph.vector(x));
    (0..vector.len()).filter(move |&i| vector[i].is_finite() && matrix.at(i, j).is_finite())
}

/// RM: a node x whose choice f(j) follows from the choice j of its neighbour y. What x costs is
/// paid by y, and y takes over its edges.
///
/// ```text
/// c_y(j) += c_x(f(j)) + C_xy(f(j), j),    C_yz(j, l) += C_xz(f(j), l)
/// ```
fn merge(graph: &mut Graph, x: NodeId, followed: Link, answers: &mut Answers) {
    let Link { edge, other: y } = followed;
    let follows: Vec<Option<usize>> = (0..graph.vector(y).len())
        .map(|j| partners(graph, x, edge, j).next().filter(|_| graph.is_alive(y, j)))
        .collect();
    answers.next.extend(follows.iter().map(|i| i.unwrap_or(0) as u32));
    answers.answer_one(x, y);
    for (j, i) in follows.iter().enumerate() {
        if let Some(i) = *i {
            graph.add(y, j, graph.vector(x)[i] + graph.view(edge, x).at(i, j));
        }
    }
    let others: Vec<_> = graph.edges_of(x).iter().copied().filter(|&it| it != followed).collect();
    graph.retire(x);
    graph.make_room(y, others.len());
    for link in others {
        let matrix = handed_over(graph, x, link, &follows, y < link.other);
        graph.add_matrix(y, link.other, &matrix);
    }
}

/// The matrix of `link` with a row for each alternative of the node that `x` follows, or a column
/// if that node is not the `first`. What it says of dead ones is read by nobody.
fn handed_over(
    graph: &Graph,
    x: NodeId,
    link: Link,
    follows: &[Option<usize>],
    first: bool,
) -> Vec<Cost> {
    let (matrix, count) = (graph.view(link.edge, x), graph.vector(link.other).len());
    let entry = |j: usize, l: usize| follows[j].map_or(Cost::ZERO, |i| matrix.at(i, l));
    if first {
        (0..follows.len()).flat_map(|j| (0..count).map(move |l| entry(j, l))).collect()
    } else {
        (0..count).flat_map(|l| (0..follows.len()).map(move |j| entry(j, l))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::budget::Budget;
    use super::super::problem::Problem;
    use super::super::random::{FAMILIES, Random, brute_force};
    use super::super::report::Reduction;
    use super::super::settings::{Settings, USUAL_STEPS};
    use super::super::solve::solve_with;
    use super::super::solver::State;
    use super::*;

    fn costs(values: &[u64]) -> Vec<Cost> {
        values.iter().map(|&value| Cost::new(value)).collect()
    }

    /// Four nodes, each with an edge to each other, so that R1 and R2 have to wait.
    fn clique(vectors: [&[u64]; 4], matrix: impl Fn(usize, usize) -> Vec<Cost>) -> Problem {
        let mut problem = Problem::new();
        let nodes = vectors.map(|vector| problem.add_node(&costs(vector)));
        for (u, v) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            problem.add_edge(nodes[u], nodes[v], &matrix(u, v));
        }
        problem
    }

    fn steps(problem: &Problem) -> Vec<String> {
        let mut steps = Vec::new();
        let mut note = |step: Reduction| steps.push(step.to_string());
        let solution =
            solve_with(problem, Settings::default(), Budget::new(USUAL_STEPS), &mut note);
        assert_eq!(solution.expect("it can be solved").cost, brute_force(problem));
        steps
    }

    #[test]
    fn what_is_never_better_goes_and_of_equals_the_last() {
        let alike = |u: usize, _: usize| match u {
            0 => costs(&[2, 0, 2, 0, 0, 2]),
            _ => costs(&[2, 0, 0, 2]),
        };
        // Rows 0 and 1 of the first node are equal; row 2 may be better than both by 6.
        let problem = clique([&[1, 1, 6], &[0, 0], &[0, 1], &[2, 0]], alike);
        let steps = steps(&problem);
        assert_eq!(steps[0], "dominated 0 alternative 1", "{steps:?}");
    }

    #[test]
    fn a_node_that_follows_another_is_merged_into_it() {
        // The first node takes 0 if the second takes 0, and 1 if the second takes 1 or 2.
        let (none, never) = (Cost::ZERO, Cost::INFINITY);
        let matrix = |u: usize, v: usize| match (u, v) {
            (0, 1) => vec![none, never, never, never, none, none],
            (0, _) => costs(&[0, 9, 9, 0]),
            (1, _) => costs(&[9, 0, 0, 9, 4, 4]),
            (_, _) => costs(&[0, 7, 7, 0]),
        };
        let problem = clique([&[3, 3], &[5, 5, 5], &[4, 4], &[2, 2]], matrix);
        assert_eq!(steps(&problem)[0], "RM 0 into 1");
    }

    #[test]
    fn sweeping_keeps_the_least_cost() {
        let mut swept = 0;
        for family in FAMILIES {
            for seed in 0..200 {
                let random = &mut Random(seed);
                let size = 4 + random.below(5);
                let problem = (family.draw)(random, size);
                let mut note = |step: Reduction| {
                    swept += u32::from(matches!(step.rule, Rule::RM | Rule::Dominated));
                };
                let mut solver = Solver::new(State::new(&problem), &mut note);
                let least = brute_force(&problem);
                if solver.reduce().is_err() {
                    assert_eq!(least, Cost::INFINITY, "{} {seed}", family.name);
                    continue;
                }
                let (left, mut silent) = (solver.state, |_: Reduction| {});
                let solution = Solver::new(left, &mut silent).solve(&problem);
                assert_eq!(solution.map_or(Cost::INFINITY, |it| it.cost), least, "{seed}");
            }
        }
        assert!(swept > 100, "{swept}");
    }
}

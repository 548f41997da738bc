//! Matrices that reductions make may be much larger than those that they take away.
//!
//! R2 makes millions of entries of a node of two alternatives between two nodes of thousands. So
//! such a node waits until its neighbours have had their turn, of which much less may be made; and
//! all large matrices together are bounded by the size of the problem. The search decides what is
//! left. An edge whose matrix is a sum, C(i, j) = u(i) + v(j), is gone once it is settled: so the
//! edges of a node that has to wait are settled first.
use super::graph::Graph;
use super::problem::{NodeId, Problem};
use super::reduce;
use super::report::Rule;
use super::solver::Solver;

/// What there is to know of large matrices.
#[derive(Clone)]
pub struct Large<'p> {
    problem: &'p Problem,
    /// So many entries they may have, even if the problem is small.
    least: usize,
    /// So many they may still have; nothing before the first is made.
    room: Option<usize>,
    /// Nodes that R2 would make much of.
    waiting: Vec<NodeId>,
}

/// So many entries are never too many.
const SMALL: usize = 1 << 10;

/// Nor are so many in the place of one.
const FACTOR: usize = 16;

/// So many there may be in all, even if the problem is small; and for each entry of the problem.
pub const ROOM: usize = 1 << 24;
const PER_ENTRY: usize = 8;

impl<'p> Large<'p> {
    /// For large matrices of a problem, for which there is `least` room at least.
    pub fn new(problem: &'p Problem, least: usize) -> Large<'p> {
        Large { problem, least, room: None, waiting: Vec::new() }
    }

    /// Takes the room for so many entries, if it is there.
    pub fn take(&mut self, made: usize) -> bool {
        if made <= SMALL {
            return true;
        }
        let room = self.room.unwrap_or_else(|| {
            let stated = self.problem.edges().map(|(_, _, matrix)| matrix.len());
            self.least + PER_ENTRY * stated.sum::<usize>()
        });
        let left = room.checked_sub(made);
        self.room = Some(left.unwrap_or(room));
        left.is_some()
    }

    /// Takes the room for what R2 makes of `x`, unless that is to wait.
    fn take_now(&mut self, graph: &Graph, x: NodeId) -> bool {
        let made = made(graph, x);
        let few = made <= SMALL || made <= FACTOR * gone(graph, x);
        few && self.take(made)
    }
}

/// How many entries the matrix has that R2 makes of `x`.
fn made(graph: &Graph, x: NodeId) -> usize {
    graph.edges_of(x).iter().map(|link| graph.vector(link.other).len()).product()
}

/// How many entries go with `x`.
fn gone(graph: &Graph, x: NodeId) -> usize {
    let others = graph.edges_of(x).iter().map(|link| graph.vector(link.other).len());
    graph.vector(x).len() * others.sum::<usize>()
}

impl Solver<'_, '_> {
    pub fn reduce_two(&mut self) -> bool {
        let Some(x) = self.state.graph.next_of_degree(2) else { return false };
        if self.state.large.take_now(&self.state.graph, x) {
            self.eliminate(x);
        } else {
            self.postpone(x);
        }
        true
    }

    /// What has waited for others.
    pub fn reduce_large(&mut self) -> bool {
        while let Some(x) = self.state.large.waiting.pop() {
            let graph = &self.state.graph;
            let is_there = !graph.is_gone(x) && graph.degree(x) == 2;
            if is_there && self.state.large.take(made(graph, x)) {
                self.eliminate(x);
                return true;
            }
        }
        false
    }

    fn eliminate(&mut self, x: NodeId) {
        let others = reduce::r2(&mut self.state.graph, x, &mut self.state.answers, &mut self.room);
        self.report(Rule::R2, x, &others, None);
    }

    /// Settles the edges of `x`, however few they are, and has it wait if both are still there.
    fn postpone(&mut self, x: NodeId) {
        let edges = [0, 1].map(|at| self.state.graph.edges_of(x)[at].edge);
        for edge in edges {
            let graph = &mut self.state.graph;
            let independent = reduce::normalize(graph, edge, &mut self.room.least);
            self.settled(edge, independent);
        }
        if self.state.graph.degree(x) == 2 {
            self.state.large.waiting.push(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cost::Cost;
    use super::super::report::Reduction;
    use super::super::solve::{Solution, solve, solve_observed};
    use super::*;
    use arena::Id;

    /// Some nodes of few alternatives, each with edges to the same two of many. What these cost
    /// together is not symmetric.
    fn between(narrow: usize, few: usize, many: usize) -> Problem {
        let mut problem = Problem::new();
        let costs = |count: usize, by: usize| {
            (0..count).map(|i| Cost::new((i * by % 1009) as u64)).collect::<Vec<_>>()
        };
        let wide = [0, 1].map(|at| problem.add_node(&costs(many, 7 + at)));
        for x in 0..narrow {
            let node = problem.add_node(&costs(few, 3 + x));
            wide.iter().zip(11..).for_each(|(&y, by)| {
                problem.add_edge(node, y, &costs(few * many, by + 13 * x));
            });
        }
        problem
    }

    fn solved(problem: &Problem) -> (Solution, Vec<String>) {
        let mut steps = Vec::new();
        let solution = solve_observed(problem, &mut |step: Reduction| steps.push(step.to_string()));
        (solution.expect("nothing is forbidden"), steps)
    }

    /// What the cheapest selection costs: a sum of what is best for each choice of the wide nodes.
    fn least(problem: &Problem) -> Cost {
        let [y, z] = [0, 1].map(NodeId::from_index);
        let rows = |x: NodeId, y: NodeId| {
            let edge = problem.between(x, y).expect("it is there");
            (problem.entries(edge), problem.vector(x).len())
        };
        let narrow: Vec<_> = problem.nodes().skip(2).map(|x| (x, rows(x, y), rows(x, z))).collect();
        let mut least = Cost::INFINITY;
        for (j, &cost) in problem.vector(y).iter().enumerate() {
            for (l, &other) in problem.vector(z).iter().enumerate() {
                let best = narrow.iter().map(|&(x, (with_y, few), (with_z, _))| {
                    let vector = problem.vector(x).iter().enumerate();
                    let all = vector.map(|(i, &it)| it + with_y[j * few + i] + with_z[l * few + i]);
                    all.min().unwrap_or(Cost::INFINITY)
                });
                least = least.min(cost + other + best.sum());
            }
        }
        least
    }

    #[test]
    fn nodes_without_a_choice_make_no_matrix() {
        let (solution, steps) = solved(&between(3, 1, 20_000));
        assert!(steps.iter().all(|step| !step.ends_with("into 0-1")), "{steps:?}");
        assert!(solution.is_optimal());
        assert_eq!(solution.cost, least(&between(3, 1, 2_000)), "costs repeat");
    }

    #[test]
    fn the_widest_nodes_of_a_circle_go_first() {
        let (solution, steps) = solved(&between(2, 2, 20_000));
        let two: Vec<_> = steps.iter().filter(|step| step.starts_with("R2")).collect();
        assert!(["R2 0 into 2-3", "R2 1 into 2-3"].contains(&&two[0][..]), "{steps:?}");
        assert!(solution.is_optimal(), "{steps:?}");
    }

    /// Three are more than a circle: it is R2 or nothing.
    #[test]
    fn large_matrices_are_made_where_there_is_room_for_them() {
        for (many, fits) in [(600, true), (4_200, false)] {
            let problem = between(3, 2, many);
            let (solution, steps) = solved(&problem);
            assert_eq!(steps.iter().any(|step| step.starts_with("R2")), fits, "{steps:?}");
            let least = least(&problem);
            assert!(solution.cost == least || !solution.is_optimal(), "{many}");
            assert!(solution.cost >= least && (solution.is_optimal() || !fits), "{many}");
        }
    }

    #[test]
    fn room_is_taken_once() {
        let problem = between(3, 2, 600);
        let mut large = Large::new(&problem, 0);
        assert!(large.take(SMALL) && large.take(40_000) && !large.take(40_000));
        assert!(large.take(17_000) && !large.take(1_025) && large.take(SMALL));
        assert!(solve(&problem).is_ok());
    }
}

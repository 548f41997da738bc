//! Small random problems of several families, and brute force to compare with.
use crate::{Cost, NodeId, Problem};

/// A stream of numbers; the same seed gives the same ones (splitmix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A cost below `bound`; infinite with a probability of `forbidden` percent.
    fn cost(&mut self, bound: usize, forbidden: usize) -> Cost {
        let cost = Cost::new(self.below(bound) as u64);
        if self.chance(forbidden) { Cost::INFINITY } else { cost }
    }
}

/// A distribution of problems.
pub struct Family {
    pub name: &'static str,
    /// Draws a problem with so many nodes.
    pub draw: fn(&mut Random, usize) -> Problem,
    /// Whether R1 and R2 suffice for all problems.
    pub easy: bool,
}

pub const FAMILIES: &[Family] = &[
    Family { name: "tree", draw: |random, n| weighted(random, n, tree, 15), easy: true },
    Family { name: "2-tree", draw: |random, n| weighted(random, n, two_tree, 15), easy: true },
    Family { name: "sparse", draw: |random, n| weighted(random, n, sparse, 10), easy: false },
    Family { name: "dense", draw: |random, n| weighted(random, n, dense, 5), easy: false },
    Family { name: "hard", draw: |random, n| weighted(random, n, sparse, 35), easy: false },
    Family { name: "colouring", draw: colouring, easy: false },
    Family { name: "selection", draw: selection, easy: false },
    Family { name: "grid", draw: |random, n| weighted(random, n, grid, 15), easy: false },
];

type Pairs = Vec<(usize, usize)>;

/// Most of these have a selection of finite cost: one is drawn first.
fn weighted(
    random: &mut Random,
    n: usize,
    edges: fn(&mut Random, usize) -> Pairs,
    forbidden: usize,
) -> Problem {
    let mut problem = Problem::new();
    let planted = random.chance(80);
    let mut plant = Vec::new();
    for _ in 0..n {
        let mut costs: Vec<Cost> = (0..1 + random.below(4)).map(|_| random.cost(50, 4)).collect();
        let chosen = random.below(costs.len());
        if planted {
            costs[chosen] = random.cost(50, 0);
        }
        plant.push(chosen);
        problem.add_node(&costs);
    }
    for (u, v) in edges(random, n) {
        let [rows, columns] = [u, v].map(|x| problem.vector(NodeId::from_index(x)).len());
        let bound = if random.chance(30) { 1 } else { 30 };
        let mut matrix: Vec<Cost> =
            (0..rows * columns).map(|_| random.cost(bound, forbidden)).collect();
        if planted {
            matrix[plant[u] * columns + plant[v]] = random.cost(bound, 0);
        }
        problem.add_edge(NodeId::from_index(u), NodeId::from_index(v), &matrix);
    }
    problem
}

fn tree(random: &mut Random, n: usize) -> Pairs {
    (1..n).map(|i| (random.below(i), i)).collect()
}

/// Each node has edges to both ends of an earlier edge, or to one.
fn two_tree(random: &mut Random, n: usize) -> Pairs {
    let mut edges = vec![(0, 1)];
    for i in 2..n {
        let (a, b) = edges[random.below(edges.len())];
        edges.push((a, i));
        if random.chance(70) {
            edges.push((i, b));
        }
    }
    edges
}

/// A grid with about as many rows as columns.
fn grid(_: &mut Random, n: usize) -> Pairs {
    let wide = n.isqrt().max(1);
    let right = (1..n).filter(|i| i % wide != 0).map(|i| (i - 1, i));
    right.chain((wide..n).map(|i| (i - wide, i))).collect()
}

fn sparse(random: &mut Random, n: usize) -> Pairs {
    (0..2 * n).map(|_| (random.below(n), random.below(n))).collect()
}

fn dense(random: &mut Random, n: usize) -> Pairs {
    (0..n * n).map(|_| (random.below(n), random.below(n))).collect()
}

/// Neighbours need different colours, and each node has costs for the three colours.
fn colouring(random: &mut Random, n: usize) -> Problem {
    let mut problem = Problem::new();
    for _ in 0..n {
        problem.add_node(&[0; 3].map(|_| random.cost(20, 0)));
    }
    let differ: Vec<Cost> =
        (0..9).map(|at| if at % 4 == 0 { Cost::INFINITY } else { Cost::ZERO }).collect();
    for (u, v) in sparse(random, n).into_iter().filter(|(u, v)| u != v) {
        problem.add_edge(NodeId::from_index(u), NodeId::from_index(v), &differ);
    }
    problem
}

/// Instruction selection: an operation is computed into a register, or is folded into all its
/// users. If it is not folded, it may fold one of its operands. There is always a selection: the
/// one that computes everything.
fn selection(random: &mut Random, n: usize) -> Problem {
    let mut problem = Problem::new();
    // For each node the operands; alternative 0 computes, 1 is folded, 2 + p folds operand p.
    for user in 0..n {
        let operands: Vec<usize> =
            (0..random.below(4).min(user)).map(|_| random.below(user)).collect();
        let mut costs = vec![Cost::new(3 + random.below(6) as u64), Cost::ZERO];
        costs.extend(operands.iter().map(|_| Cost::new(1 + random.below(9) as u64)));
        let node = problem.add_node(&costs);
        for (p, &operand) in operands.iter().enumerate() {
            let operand = NodeId::from_index(operand);
            let fits = |j: usize| (0..costs.len()).map(move |i| (j == 1) == (i == 2 + p));
            let provided = 0..problem.vector(operand).len();
            let matrix: Vec<Cost> = provided
                .flat_map(fits)
                .map(|fits| if fits { Cost::ZERO } else { Cost::INFINITY })
                .collect();
            problem.add_edge(operand, node, &matrix);
        }
    }
    problem
}

/// Calls `check` with all selections of a small problem.
pub fn each_selection(problem: &Problem, check: &mut dyn FnMut(&[u32])) {
    let mut choice = vec![0; problem.node_count()];
    loop {
        check(&choice);
        // Counts up; the first node changes fastest.
        let stopped = problem.nodes().find(|&x| {
            let digit = &mut choice[x.index()];
            *digit = (*digit + 1) % problem.vector(x).len() as u32;
            *digit != 0
        });
        if stopped.is_none() {
            return;
        }
    }
}

/// The least cost of all selections.
pub fn brute_force(problem: &Problem) -> Cost {
    let mut least = Cost::INFINITY;
    each_selection(problem, &mut |choice| least = least.min(problem.cost(choice)));
    least
}

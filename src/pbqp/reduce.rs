//! The reductions: each takes an edge or a node out of the graph, and all but RN keep the optimum.
//!
//! Sources: R0, R1, R2 and RN are Scholz and Eckstein's (LCTES 2002); how RN decides follows Hames
//! and Scholz (JMLC 2006); normal matrices, RE and the spreading of infinities are described by
//! Buchwald and Zwinkau (CASES 2010). With at most k alternatives a node, R2 takes O(k³) and the
//! others O(k²) for each edge they look at.
use super::cost::Cost;
use super::graph::Graph;
use super::problem::{EdgeId, NodeId};
use crate::base::ids::Id;

/// Normalises the matrix of an edge; true if the edge is independent then, and RE may remove it.
///
/// ```text
/// m = min_j C_uv(i, j):    c_u(i) += m,    C_uv(i, j) −= m for all j
/// ```
///
/// for every i, then likewise for the columns. Whoever chooses i pays m in any case, so m belongs
/// to the vector. Only live alternatives count. If m is infinite, nothing at v goes with i, so i
/// dies, and all edges of u have to be settled again: what went only with i dies next. The end
/// is arc consistency: each live alternative has a live partner at every neighbour.
/// After the two passes each live row and each live column has a zero, so a third is not needed.
pub fn settle(graph: &mut Graph, edge: EdgeId) -> bool {
    let [u, v] = graph.ends(edge);
    let lift = !is_thin(graph, edge);
    let zeros = [u, v].map(|x| lift_rows(graph, edge, x, lift));
    zeros == [true; 2] && is_independent(graph, edge)
}

/// Whether an end of `edge` has so few edges that it goes soon with all of them. To normalise them
/// is not worth it then; that nothing goes with an alternative is still found out.
pub fn is_thin(graph: &Graph, edge: EdgeId) -> bool {
    let [u, v] = graph.ends(edge);
    graph.degree(u).min(graph.degree(v)) <= THIN[THIN.len() - 1]
}

/// How few edges are few.
const THIN: &[usize] = &[
    0,
    #[cfg(feature = "ch19")]
    2,
];

/// True if each live row has a zero now.
fn lift_rows(graph: &mut Graph, edge: EdgeId, x: NodeId, lift: bool) -> bool {
    let mut from = 0;
    let mut zeros = true;
    while let Some((i, least)) = next_row(graph, edge, x, from) {
        from = i + 1;
        if !least.is_finite() {
            graph.add(x, i, least);
        } else if lift {
            graph.add(x, i, least);
            graph.subtract(edge, x, i, least);
        } else {
            zeros = false;
        }
    }
    zeros
}

/// The first live row at or after `from` whose least live entry is not zero, and that entry.
fn next_row(graph: &Graph, edge: EdgeId, x: NodeId, from: usize) -> Option<(usize, Cost)> {
    let (rows, columns) = (graph.vector(x), graph.vector(graph.across(edge, x)));
    let matrix = graph.view(edge, x);
    (from..rows.len()).filter(|&i| rows[i].is_finite()).find_map(|i| {
        let row = columns.iter().zip(matrix.row(i)).filter(|(column, _)| column.is_finite());
        let mut least = Cost::INFINITY;
        for (_, &entry) in row {
            least = least.min(entry);
            if least == Cost::ZERO {
                return None;
            }
        }
        Some((i, least))
    })
}

/// RE: if C_uv(i, j) = 0 for all live i and j, the edge says nothing.
fn is_independent(graph: &Graph, edge: EdgeId) -> bool {
    let [u, v] = graph.ends(edge);
    let (rows, columns, matrix) = (graph.vector(u), graph.vector(v), graph.view(edge, u));
    let mut live = (0..rows.len()).filter(|&i| rows[i].is_finite());
    live.all(|i| {
        let mut entries = columns.iter().zip(matrix.row(i));
        entries.all(|(column, &entry)| entry == Cost::ZERO || !column.is_finite())
    })
}

/// R1: a node x with one neighbour y. Once y has chosen, x can do its best, and y can know now
/// what that will cost. Gives y.
///
/// ```text
/// c_y(j) += min_i (c_x(i) + C_xy(i, j))
/// ```
pub fn r1(graph: &mut Graph, x: NodeId) -> NodeId {
    let edge = graph.edges_of(x)[0];
    let y = graph.across(edge, x);
    graph.retire(x);
    for j in 0..graph.vector(y).len() {
        let (vector, matrix) = (graph.vector(x), graph.view(edge, x));
        let best = vector.iter().enumerate().map(|(i, &cost)| cost + matrix.at(i, j)).min();
        graph.add(y, j, best.unwrap_or(Cost::INFINITY));
    }
    y
}

/// R2: a node x with two neighbours y and z. What x costs at best depends on both their choices,
/// so it becomes an edge between them. Gives y and z.
///
/// ```text
/// C_yz(j, l) += min_i (c_x(i) + C_xy(i, j) + C_xz(i, l))
/// ```
pub fn r2(graph: &mut Graph, x: NodeId) -> [NodeId; 2] {
    let mut edges = [graph.edges_of(x)[0], graph.edges_of(x)[1]];
    edges.sort_by_key(|&edge| graph.across(edge, x));
    let [y, z] = edges.map(|edge| graph.across(edge, x));
    let delta = best_between(graph, x, edges);
    graph.retire(x);
    graph.add_matrix(y, z, &delta);
    [y, z]
}

/// The matrix that R2 adds, row by row; what it says of dead ones is read by nobody.
fn best_between(graph: &Graph, x: NodeId, edges: [EdgeId; 2]) -> Vec<Cost> {
    let [to_y, to_z] = edges.map(|edge| graph.view(edge, x));
    let [of_y, of_z] = edges.map(|edge| graph.vector(graph.across(edge, x)));
    let mut delta = vec![Cost::INFINITY; of_y.len() * of_z.len()];
    for (i, &cost) in graph.vector(x).iter().enumerate().filter(|(_, cost)| cost.is_finite()) {
        for ((&with_y, row), of_y) in to_y.row(i).zip(delta.chunks_mut(of_z.len())).zip(of_y) {
            if of_y.is_finite() {
                let both = to_z.row(i).map(|&with_z| cost + with_y + with_z);
                row.iter_mut().zip(both).for_each(|(best, cost)| *best = cost.min(*best));
            }
        }
    }
    delta
}

/// RN: any node x. Takes the alternative that is cheapest as far as its neighbours can see,
///
/// ```text
/// h(i) = c_x(i) + Σ_y min_j (c_y(j) + C_xy(i, j))
/// ```
///
/// and tells them: c_y(j) += C_xy(i, j). The choice is a guess, the only one there is.
pub fn rn(graph: &mut Graph, x: NodeId) -> u32 {
    let choice = cheapest(&foreseen(graph, x));
    decide(graph, x, choice);
    choice
}

/// h(i) for all i.
pub fn foreseen(graph: &Graph, x: NodeId) -> Vec<Cost> {
    let mut costs = graph.vector(x).to_vec();
    for &edge in graph.edges_of(x) {
        let (matrix, vector) = (graph.view(edge, x), graph.vector(graph.across(edge, x)));
        for (i, cost) in costs.iter_mut().enumerate() {
            let both = vector.iter().zip(matrix.row(i)).map(|(&with, &entry)| with + entry);
            *cost += both.min().unwrap_or(Cost::INFINITY);
        }
    }
    costs
}

/// Takes `x` out, and adds to the vectors of its neighbours what they cost with its `choice`.
pub fn decide(graph: &mut Graph, x: NodeId, choice: u32) {
    graph.retire(x);
    for at in 0..graph.degree(x) {
        let edge = graph.edges_of(x)[at];
        let y = graph.across(edge, x);
        for j in 0..graph.vector(y).len() {
            graph.add(y, j, graph.view(edge, x).at(choice as usize, j));
        }
    }
}

/// R0, and the way back: once all its neighbours have chosen, a node takes its best.
///
/// ```text
/// s(x) = argmin_i (c_x(i) + Σ_y C_xy(i, s(y)))
/// ```
///
/// `costs` is room to write in.
pub fn choose(graph: &Graph, x: NodeId, choice: &[u32], costs: &mut Vec<Cost>) -> u32 {
    costs.clear();
    costs.extend_from_slice(graph.vector(x));
    for &edge in graph.edges_of(x) {
        let (matrix, y) = (graph.view(edge, x), graph.across(edge, x));
        let column = choice[y.index()] as usize;
        costs.iter_mut().enumerate().for_each(|(i, cost)| *cost += matrix.at(i, column));
    }
    cheapest(costs)
}

/// The least of some costs, the first of equals.
fn cheapest(costs: &[Cost]) -> u32 {
    let best = (0..costs.len()).min_by_key(|&i| costs[i]);
    best.expect("a node that is asked has an alternative") as u32
}

#[cfg(test)]
mod tests {
    use super::super::problem::Problem;
    use super::super::random::{FAMILIES, Random, brute_force, each_selection};
    use super::*;

    const INF: Cost = Cost::INFINITY;

    fn costs(values: &[u64]) -> Vec<Cost> {
        values.iter().map(|&value| Cost::new(value)).collect()
    }

    /// What `choice` costs in what is left of the graph.
    fn cost_left(graph: &Graph, choice: &[u32]) -> Cost {
        let chosen = |x: NodeId| choice[x.index()] as usize;
        let left = graph.nodes().filter(|&x| !graph.is_gone(x));
        let of_node = |x| {
            let edges = graph.edges_of(x).iter().filter(|&&edge| graph.ends(edge)[0] == x);
            let of_edge = |&edge| graph.view(edge, x).at(chosen(x), chosen(graph.across(edge, x)));
            graph.vector(x)[chosen(x)] + edges.map(of_edge).sum()
        };
        left.map(of_node).sum()
    }

    /// The least cost of what is left.
    fn least_left(graph: &Graph, problem: &Problem) -> Cost {
        let mut least = INF;
        each_selection(problem, &mut |choice| least = least.min(cost_left(graph, choice)));
        least
    }

    /// Settles all edges, shows the graph after each, and counts what has died.
    fn settle_all(graph: &mut Graph, see: &mut dyn FnMut(&Graph)) -> usize {
        let (mut dead, mut deaths) = (Vec::new(), 0);
        while let Some(edge) = graph.next_unsettled() {
            let independent = settle(graph, edge);
            graph.take_dead(&mut dead);
            deaths += dead.len();
            dead.iter().for_each(|&(x, _)| graph.spread(x));
            graph.settled(edge);
            if independent {
                graph.remove(edge);
            }
            see(graph);
        }
        deaths
    }

    #[test]
    fn normalising_keeps_what_every_selection_costs() {
        for seed in 0..200 {
            let problem = (FAMILIES[seed % FAMILIES.len()].draw)(&mut Random(seed as u64), 4);
            let mut graph = Graph::new(&problem);
            settle_all(&mut graph, &mut |graph| {
                each_selection(&problem, &mut |choice| {
                    assert_eq!(cost_left(graph, choice), problem.cost(choice), "{seed}");
                });
            });
        }
    }

    #[test]
    fn all_reductions_but_rn_keep_the_least_cost() {
        for seed in 0..800 {
            let problem = (FAMILIES[seed % FAMILIES.len()].draw)(&mut Random(seed as u64), 6);
            let least = brute_force(&problem);
            let mut graph = Graph::new(&problem);
            loop {
                settle_all(&mut graph, &mut |_| {});
                if let Some(x) = graph.next_of_degree(1) {
                    r1(&mut graph, x);
                } else if let Some(x) = graph.next_of_degree(2) {
                    r2(&mut graph, x);
                } else {
                    break;
                }
                assert_eq!(least_left(&graph, &problem), least, "{seed}");
            }
        }
    }

    /// Three nodes in a row; x is the middle one.
    fn row() -> (Problem, [NodeId; 3]) {
        let mut problem = Problem::new();
        let y = problem.add_node(&costs(&[1, 2]));
        let x = problem.add_node(&costs(&[10, 20]));
        let z = problem.add_node(&costs(&[3, 4]));
        problem.add_edge(y, x, &[Cost::new(5), INF, Cost::new(7), Cost::ZERO]);
        problem.add_edge(x, z, &costs(&[0, 30, 20, 0]));
        (problem, [y, x, z])
    }

    #[test]
    fn an_edge_whose_rows_are_constant_is_independent() {
        let mut problem = Problem::new();
        let u = problem.add_node(&costs(&[1, 2]));
        let v = problem.add_node(&[Cost::new(3), Cost::new(4), INF]);
        // Rows 2 + (1, 6) and 0 + (1, 6), and a column that is dead.
        problem.add_edge(u, v, &costs(&[3, 8, 0, 1, 6, 9]));
        // More neighbours, so that R1 and R2 have to wait.
        for end in [u, u, v, v] {
            let other = problem.add_node(&costs(&[0]));
            let column = vec![Cost::ZERO; problem.vector(end).len()];
            problem.add_edge(end, other, &column);
        }
        let mut graph = Graph::new(&problem);
        let edge = graph.between(u, v).unwrap();
        assert!(settle(&mut graph, edge));
        assert_eq!(graph.vector(u), costs(&[4, 3]));
        assert_eq!(graph.vector(v), [Cost::new(3), Cost::new(9), INF]);
    }

    #[test]
    fn r1_leaves_the_best_answers_to_the_neighbour() {
        let (problem, [y, x, z]) = row();
        let mut graph = Graph::new(&problem);
        assert_eq!(r1(&mut graph, y), x);
        // min(1 + 5, 2 + 7) and min(∞, 2 + 0)
        assert_eq!(graph.vector(x), costs(&[16, 22]));
        assert_eq!((graph.degree(x), graph.vector(z)), (1, &costs(&[3, 4])[..]));
        assert!(graph.is_gone(y));
        // The way back: y answers what x and z have chosen.
        assert_eq!(choose(&graph, y, &[0, 0, 0], &mut Vec::new()), 0);
        assert_eq!(choose(&graph, y, &[0, 1, 0], &mut Vec::new()), 1);
    }

    #[test]
    fn r2_leaves_the_best_answers_between_the_neighbours() {
        let (problem, [y, x, z]) = row();
        let mut graph = Graph::new(&problem);
        assert_eq!(r2(&mut graph, x), [y, z]);
        let edge = graph.between(z, y).expect("a new edge");
        let matrix = graph.view(edge, y);
        let entries = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(j, l)| matrix.at(j, l));
        // min(15 + 0, ∞), min(15 + 30, ∞), min(17 + 0, 20 + 20), min(17 + 30, 20 + 0)
        assert_eq!(entries[..], costs(&[15, 45, 17, 20]));
        assert_eq!((graph.degree(y), graph.degree(z)), (1, 1));
    }

    #[test]
    fn rn_looks_at_its_neighbours_and_prefers_the_first_of_equals() {
        let (problem, [y, x, z]) = row();
        // h(0) = 10 + min(1 + 5, 2 + 7) + min(3 + 0, 4 + 30) = 19
        // h(1) = 20 + min(∞, 2 + 0) + min(3 + 20, 4 + 0) = 26
        let mut graph = Graph::new(&problem);
        assert_eq!(rn(&mut graph, x), 0);
        assert_eq!((graph.vector(y), graph.vector(z)), (&costs(&[6, 9])[..], &costs(&[3, 34])[..]));
        assert_eq!((graph.degree(y), graph.degree(z)), (0, 0));
        let mut problem = Problem::new();
        let x = problem.add_node(&[INF, Cost::new(5), Cost::new(4), Cost::new(4)]);
        assert_eq!(rn(&mut Graph::new(&problem), x), 2);
    }

    #[test]
    fn an_impossible_alternative_makes_others_impossible_all_the_way() {
        let mut problem = Problem::new();
        let count = 100_000;
        let equal = [Cost::ZERO, INF, INF, Cost::ZERO];
        let nodes: Vec<NodeId> = (0..count).map(|_| problem.add_node(&costs(&[0, 1]))).collect();
        nodes.windows(2).for_each(|pair| problem.add_edge(pair[0], pair[1], &equal));
        // The last node cannot take its first alternative; the news must travel to the first node.
        let last = nodes[count - 1];
        problem.add_edge(last, last, &[INF, INF, INF, Cost::ZERO]);
        let mut graph = Graph::new(&problem);
        let deaths = settle_all(&mut graph, &mut |_| {});
        assert!(nodes.iter().all(|&x| !graph.is_alive(x, 0) && graph.is_alive(x, 1)));
        assert_eq!(deaths, count - 1);
    }
}

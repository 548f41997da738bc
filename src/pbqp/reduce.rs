//! The reductions: each takes an edge or a node out of the graph, and all but RN keep the optimum.
//!
//! Sources: R0, R1, R2 and RN are Scholz and Eckstein's (LCTES 2002); how RN decides follows Hames
//! and Scholz (JMLC 2006); normal matrices, RE and the spreading of infinities are described by
//! Buchwald and Zwinkau (CASES 2010). With at most k alternatives a node, R2 takes O(k³) and the
//! others O(k²) for each edge they look at.
use super::answers::Answers;
use super::cost::Cost;
use super::graph::{Graph, Link};
use super::problem::{EdgeId, NodeId};
use std::hint::select_unpredictable;

/// Normalises the matrix of an edge that is worth it; true if the edge is independent then, and
/// RE may remove it.
pub fn settle(graph: &mut Graph, edge: EdgeId, least: &mut Vec<Cost>) -> bool {
    !is_thin(graph, edge) && normalize(graph, edge, least)
}

/// Normalises the matrix of an edge; true if the edge is independent then.
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
///
/// `least` is room to write in.
pub fn normalize(graph: &mut Graph, edge: EdgeId, least: &mut Vec<Cost>) -> bool {
    let mut independent = false;
    for x in graph.ends(edge) {
        independent = find_least(graph, edge, x, least);
        if least.iter().any(|&cost| cost != Cost::ZERO) {
            graph.lift(edge, x, least);
        }
    }
    independent
}

/// Whether an end of `edge` has so few edges that it goes soon with all of them. To settle them is
/// not worth it then: R1 and R2 look at the same entries, and find out what goes with nothing.
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

/// Writes the least live entry of each live row of x into `least`, and nothing for the others.
/// True if nothing but zeros is left where it is taken away.
pub fn find_least(graph: &Graph, edge: EdgeId, x: NodeId, least: &mut Vec<Cost>) -> bool {
    let (rows, columns) = (graph.vector(x), graph.vector(graph.across(edge, x)));
    let matrix = graph.view(edge, x);
    let mut zero = true;
    least.clear();
    for (i, row) in rows.iter().enumerate() {
        let [mut low, mut high] = [Cost::INFINITY, Cost::ZERO];
        for (entry, column) in matrix.row(i).zip(columns) {
            let [all, none] = column.masks();
            low = low.min(entry | all);
            high = high.max(entry & none);
        }
        if !row.is_finite() {
            [low, high] = [Cost::ZERO; 2];
        }
        zero &= low == high || !low.is_finite();
        least.push(low);
    }
    zero
}

/// R1: a node x with one neighbour y. Once y has chosen, x can do its best, and y can know now
/// what that will cost. Gives y.
///
/// ```text
/// c_y(j) += min_i (c_x(i) + C_xy(i, j))
/// ```
pub fn r1(graph: &mut Graph, x: NodeId, answers: &mut Answers) -> NodeId {
    let Link { edge, other: y } = graph.edges_of(x)[0];
    graph.retire(x);
    for j in 0..graph.vector(y).len() {
        let (vector, with_j) = (graph.vector(x), graph.view(edge, y).row(j));
        let (best, cost) = cheapest(vector.iter().zip(with_j).map(|(&cost, with)| cost + with));
        answers.next.push(best);
        graph.add(y, j, cost);
    }
    answers.answer_one(x, y);
    graph.release(edge);
    y
}

/// R2: a node x with two neighbours y and z. What x costs at best depends on both their choices,
/// so it becomes an edge between them. Gives y and z.
///
/// ```text
/// C_yz(j, l) += min_i (c_x(i) + C_xy(i, j) + C_xz(i, l))
/// ```
pub fn r2(graph: &mut Graph, x: NodeId, answers: &mut Answers, room: &mut Room) -> [NodeId; 2] {
    let mut links = [graph.edges_of(x)[0], graph.edges_of(x)[1]];
    if links[0].other > links[1].other {
        links.swap(0, 1);
    }
    let [Link { edge: to_y, other: y }, Link { edge: to_z, other: z }] = links;
    let delta = best_between(graph, x, links, &mut answers.next, room);
    answers.answer_two(x, [y, z], graph.vector(z).len());
    graph.retire(x);
    // The later of two made matrices first, to get the room of both.
    let y_is_later = graph.made(to_y) > graph.made(to_z);
    let edges = if y_is_later { [to_y, to_z] } else { [to_z, to_y] };
    edges.into_iter().for_each(|edge| graph.release(edge));
    graph.add_matrix(y, z, delta);
    [y, z]
}

/// The matrix that R2 adds, row by row, and the `answers` of x; what they say of dead ones is read
/// by nobody.
fn best_between<'r>(
    graph: &Graph,
    x: NodeId,
    [to_y, to_z]: [Link; 2],
    answers: &mut Vec<u32>,
    room: &'r mut Room,
) -> &'r [Cost] {
    let Room { with_y, with_z, delta, .. } = room;
    let vector = graph.vector(x);
    // Both matrices are copied first: one comparison after the other is then done in near memory.
    with_y.clear();
    for j in 0..graph.vector(to_y.other).len() {
        with_y.extend(graph.view(to_y.edge, to_y.other).row(j));
    }
    with_z.clear();
    for l in 0..graph.vector(to_z.other).len() {
        let row = graph.view(to_z.edge, to_z.other).row(l);
        with_z.extend(vector.iter().zip(row).map(|(&cost, entry)| cost + entry));
    }
    delta.clear();
    for with_y in with_y.chunks_exact(vector.len()) {
        for with_z in with_z.chunks_exact(vector.len()) {
            let both = with_y.iter().zip(with_z).map(|(&with_y, &with_z)| with_y + with_z);
            let (best, cost) = cheapest(both);
            answers.push(best);
            delta.push(cost);
        }
    }
    delta
}

/// Room for costs, to be used again and again.
#[derive(Default)]
pub struct Room {
    pub least: Vec<Cost>,
    with_y: Vec<Cost>,
    with_z: Vec<Cost>,
    delta: Vec<Cost>,
}

/// RN: any node x. Takes the alternative that is cheapest as far as its neighbours can see,
///
/// ```text
/// h(i) = c_x(i) + Σ_y min_j (c_y(j) + C_xy(i, j))
/// ```
///
/// and tells them: c_y(j) += C_xy(i, j). The choice is a guess, the only one there is.
pub fn rn(graph: &mut Graph, x: NodeId) -> u32 {
    let (choice, _) = cheapest(foreseen(graph, x));
    decide(graph, x, choice);
    choice
}

/// h(i) for all i.
pub fn foreseen(graph: &Graph, x: NodeId) -> Vec<Cost> {
    let mut costs = graph.vector(x).to_vec();
    for &Link { edge, other } in graph.edges_of(x) {
        let (matrix, vector) = (graph.view(edge, x), graph.vector(other));
        for (i, cost) in costs.iter_mut().enumerate() {
            let both = vector.iter().zip(matrix.row(i)).map(|(&with, entry)| with + entry);
            *cost += both.min().unwrap_or(Cost::INFINITY);
        }
    }
    costs
}

/// Takes `x` out, and adds to the vectors of its neighbours what they cost with its `choice`.
pub fn decide(graph: &mut Graph, x: NodeId, choice: u32) {
    graph.retire(x);
    for at in 0..graph.degree(x) {
        let Link { edge, other: y } = graph.edges_of(x)[at];
        for j in 0..graph.vector(y).len() {
            graph.add(y, j, graph.view(edge, x).at(choice as usize, j));
        }
    }
}

/// R0: a node without edges takes its best alternative, the first of equals; with its cost.
pub fn cheapest(costs: impl IntoIterator<Item = Cost>) -> (u32, Cost) {
    let (mut best, mut least) = (0, Cost::INFINITY);
    for (i, cost) in (0..).zip(costs) {
        // Nobody could foresee the answer, so nothing branches on it.
        let is_less = cost < least;
        best = select_unpredictable(is_less, i, best);
        least = select_unpredictable(is_less, cost, least);
    }
    (best, least)
}

#[cfg(test)]
mod tests {
    use super::super::problem::Problem;
    use super::super::random::{FAMILIES, Random, brute_force, each_selection};
    use super::*;
    use arena::Id;

    const INF: Cost = Cost::INFINITY;

    fn costs(values: &[u64]) -> Vec<Cost> {
        values.iter().map(|&value| Cost::new(value)).collect()
    }

    /// What `choice` costs in what is left of the graph.
    fn cost_left(graph: &Graph, choice: &[u32]) -> Cost {
        let chosen = |x: NodeId| choice[x.index()] as usize;
        let left = graph.nodes().filter(|&x| !graph.is_gone(x));
        let of_node = |x| {
            let links = graph.edges_of(x).iter().filter(|link| x < link.other);
            let of_link = |it: &Link| graph.view(it.edge, x).at(chosen(x), chosen(it.other));
            graph.vector(x)[chosen(x)] + links.map(of_link).sum()
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
        let least = &mut Vec::new();
        while let Some(edge) = graph.next_unsettled() {
            let independent = settle(graph, edge, least);
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
                    r1(&mut graph, x, &mut Answers::default());
                } else if let Some(x) = graph.next_of_degree(2) {
                    r2(&mut graph, x, &mut Answers::default(), &mut Room::default());
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
            let column = vec![Cost::new(1); problem.vector(end).len()];
            problem.add_edge(end, other, &column);
        }
        let mut graph = Graph::new(&problem);
        let edge = graph.between(u, v).unwrap();
        assert!(settle(&mut graph, edge, &mut Vec::new()));
        assert_eq!(graph.vector(u), costs(&[4, 3]));
        assert_eq!(graph.vector(v), [Cost::new(3), Cost::new(9), INF]);
    }

    #[test]
    fn r1_leaves_the_best_answers_to_the_neighbour() {
        let (problem, [y, x, z]) = row();
        let mut graph = Graph::new(&problem);
        let answers = &mut Answers::default();
        assert_eq!(r1(&mut graph, y, answers), x);
        // min(1 + 5, 2 + 7) and min(∞, 2 + 0)
        assert_eq!(graph.vector(x), costs(&[16, 22]));
        assert_eq!((graph.degree(x), graph.vector(z)), (1, &costs(&[3, 4])[..]));
        assert!(graph.is_gone(y));
        // The way back: y answers what x has chosen.
        for chosen in [0, 1] {
            let mut choice = [7, chosen, 0];
            answers.clone().choose(&mut choice);
            assert_eq!(choice, [chosen, chosen, 0]);
        }
    }

    #[test]
    fn r2_leaves_the_best_answers_between_the_neighbours() {
        let (problem, [y, x, z]) = row();
        let mut graph = Graph::new(&problem);
        let answers = &mut Answers::default();
        assert_eq!(r2(&mut graph, x, answers, &mut Room::default()), [y, z]);
        let edge = graph.between(z, y).expect("a new edge");
        let matrix = graph.view(edge, y);
        let entries = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(j, l)| matrix.at(j, l));
        // min(15 + 0, ∞), min(15 + 30, ∞), min(17 + 0, 20 + 20), min(17 + 30, 20 + 0)
        assert_eq!(entries[..], costs(&[15, 45, 17, 20]));
        assert_eq!((graph.degree(y), graph.degree(z)), (1, 1));
        for (chosen, answer) in [([0, 0], 0), ([0, 1], 0), ([1, 0], 0), ([1, 1], 1)] {
            let mut choice = [chosen[0], 7, chosen[1]];
            answers.clone().choose(&mut choice);
            assert_eq!(choice[1], answer);
        }
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
        for (at, step) in (0..count).flat_map(|at| [(at, 1), (at, 2)]) {
            problem.add_edge(nodes[at], nodes[(at + step) % count], &equal);
        }
        // One node cannot take its first alternative; the news must travel around the ring.
        let last = nodes[count - 1];
        problem.add_edge(last, last, &[INF, INF, INF, Cost::ZERO]);
        let mut graph = Graph::new(&problem);
        let deaths = settle_all(&mut graph, &mut |_| {});
        assert!(nodes.iter().all(|&x| !graph.is_alive(x, 0) && graph.is_alive(x, 1)));
        assert_eq!(deaths, count - 1);
    }
}

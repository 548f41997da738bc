//! The reductions: each removes an edge or a node, and all but RN keep the optimum.
//!
//! Sources: R0, R1, R2 and RN are by Scholz and Eckstein (LCTES 2002); the choice of RN follows
//! Hames and Scholz (JMLC 2006); normal matrices, RE and the propagation of infinities follow
//! Buchwald and Zwinkau (CASES 2010). With at most k alternatives a node, R2 takes O(k³) and the
//! others O(k²) for each edge.
use crate::backpropagation::ReductionStack;
use crate::cost::Cost;
use crate::graph::{Graph, Incidence};
use crate::problem::{EdgeId, NodeId};
use alloc::vec::Vec;
use core::hint::select_unpredictable;

/// Normalizes the matrix of an edge. Returns whether the edge is independent then: RE removes it.
///
/// ```text
/// m = min_j C_uv(i, j):    c_u(i) += m,    C_uv(i, j) −= m for all j
/// ```
///
/// for every i, then likewise for the columns. Every selection with i pays m, so m belongs to the
/// vector. Only allowed alternatives count. If m is infinite, no alternative of v is compatible
/// with i, so i is pruned, and the other edges of u are normalized again. The result is arc
/// consistency: each allowed alternative has a compatible one at every neighbour. After the two
/// passes each allowed row and column has a zero, so a third pass would change nothing.
pub fn normalize(graph: &mut Graph, edge: EdgeId, minima: &mut Vec<Cost>) -> bool {
    let mut is_independent = false;
    for x in graph.ends(edge) {
        is_independent = row_minima(graph, edge, x, minima);
        if minima.iter().any(|&cost| cost != Cost::ZERO) {
            graph.project(edge, x, minima);
        }
    }
    is_independent
}

/// Whether R1 or R2 applies to an end of `edge`. Normalizing the edge would be wasted then: the
/// reduction reads the same entries and finds the same infinities.
pub fn is_reducible(graph: &Graph, edge: EdgeId) -> bool {
    let [u, v] = graph.ends(edge);
    graph.degree(u).min(graph.degree(v)) <= 2
}

/// Writes the minimum over the allowed columns of each allowed row of x into `minima`, and 0 for
/// the other rows. Returns whether only zeros are left after these minima are subtracted.
pub fn row_minima(graph: &Graph, edge: EdgeId, x: NodeId, minima: &mut Vec<Cost>) -> bool {
    let (rows, columns) = (graph.vector(x), graph.vector(graph.other_end(edge, x)));
    let matrix = graph.view(edge, x);
    let mut is_constant = true;
    minima.clear();
    for (i, row) in rows.iter().enumerate() {
        let [mut low, mut high] = [Cost::INFINITY, Cost::ZERO];
        for (entry, &column) in matrix.row(i).zip(columns) {
            let [for_low, for_high] = entry.where_finite(column);
            low = low.min(for_low);
            high = high.max(for_high);
        }
        if !row.is_finite() {
            [low, high] = [Cost::ZERO; 2];
        }
        is_constant &= low == high || !low.is_finite();
        minima.push(low);
    }
    is_constant
}

/// R1: eliminates a node x with one neighbour y. For each alternative of y, the best one of x is
/// known, and its cost is added to the vector of y. Returns y.
///
/// ```text
/// c_y(j) += min_i (c_x(i) + C_xy(i, j))
/// ```
pub fn r1(graph: &mut Graph, x: NodeId, stack: &mut ReductionStack) -> NodeId {
    let Incidence { edge, other: y } = graph.edges_of(x)[0];
    graph.eliminate(x);
    for j in 0..graph.vector(y).len() {
        let (vector, column) = (graph.vector(x), graph.view(edge, y).row(j));
        let (best, cost) = cheapest(vector.iter().zip(column).map(|(&cost, with)| cost + with));
        stack.next.push(best);
        graph.add(y, j, cost);
    }
    stack.push_r1(x, y);
    graph.free_matrix(edge);
    y
}

/// R2: eliminates a node x with two neighbours y and z. The least cost of x depends on both their
/// choices, so it becomes a matrix between them. Returns y and z.
///
/// ```text
/// C_yz(j, l) += min_i (c_x(i) + C_xy(i, j) + C_xz(i, l))
/// ```
pub fn r2(
    graph: &mut Graph,
    x: NodeId,
    stack: &mut ReductionStack,
    scratch: &mut Scratch,
) -> [NodeId; 2] {
    let mut ends = [graph.edges_of(x)[0], graph.edges_of(x)[1]];
    if ends[0].other > ends[1].other {
        ends.swap(0, 1);
    }
    let [Incidence { edge: to_y, other: y }, Incidence { edge: to_z, other: z }] = ends;
    let delta = r2_matrix(graph, x, ends, &mut stack.next, scratch);
    stack.push_r2(x, [y, z], graph.vector(z).len());
    graph.eliminate(x);
    // The later matrix first, so that the memory of both is freed.
    let y_is_later = graph.matrix_of(to_y) > graph.matrix_of(to_z);
    let edges = if y_is_later { [to_y, to_z] } else { [to_z, to_y] };
    edges.into_iter().for_each(|edge| graph.free_matrix(edge));
    graph.add_matrix(y, z, delta);
    [y, z]
}

/// The matrix that R2 adds, row by row, and the `best` alternatives of x. Entries of pruned rows
/// and columns are never read.
fn r2_matrix<'s>(
    graph: &Graph,
    x: NodeId,
    [to_y, to_z]: [Incidence; 2],
    best: &mut Vec<u32>,
    scratch: &'s mut Scratch,
) -> &'s [Cost] {
    let Scratch { with_y, with_z, delta, .. } = scratch;
    let vector = graph.vector(x);
    // Both matrices are copied row by row first, so that the inner loop reads contiguous memory.
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
            let sums = with_y.iter().zip(with_z).map(|(&with_y, &with_z)| with_y + with_z);
            let (choice, cost) = cheapest(sums);
            best.push(choice);
            delta.push(cost);
        }
    }
    delta
}

/// Memory that the reductions use again and again.
#[derive(Default)]
pub struct Scratch {
    pub minima: Vec<Cost>,
    with_y: Vec<Cost>,
    with_z: Vec<Cost>,
    delta: Vec<Cost>,
}

/// RN: decides any node x by a heuristic, the only one there is. It takes the alternative with the
/// least cost that its neighbours' vectors and the matrices between them show,
///
/// ```text
/// h(i) = c_x(i) + Σ_y min_j (c_y(j) + C_xy(i, j))
/// ```
pub fn rn(graph: &mut Graph, x: NodeId) -> u32 {
    let (choice, _) = cheapest(lookahead_costs(graph, x));
    assign(graph, x, choice);
    choice
}

/// h(i) for all i.
pub fn lookahead_costs(graph: &Graph, x: NodeId) -> Vec<Cost> {
    let mut costs = graph.vector(x).to_vec();
    for &Incidence { edge, other } in graph.edges_of(x) {
        let (matrix, vector) = (graph.view(edge, x), graph.vector(other));
        for (i, cost) in costs.iter_mut().enumerate() {
            let sums = vector.iter().zip(matrix.row(i)).map(|(&with, entry)| with + entry);
            *cost += sums.min().unwrap_or(Cost::INFINITY);
        }
    }
    costs
}

/// Eliminates `x` with its `choice` i: c_y(j) += C_xy(i, j) for all neighbours y.
pub fn assign(graph: &mut Graph, x: NodeId, choice: u32) {
    graph.eliminate(x);
    for at in 0..graph.degree(x) {
        let Incidence { edge, other: y } = graph.edges_of(x)[at];
        for j in 0..graph.vector(y).len() {
            graph.add(y, j, graph.view(edge, x).at(choice as usize, j));
        }
    }
}

/// R0: the cheapest alternative of a node without edges, the first of equals, and its cost.
pub fn cheapest(costs: impl IntoIterator<Item = Cost>) -> (u32, Cost) {
    let (mut best, mut least) = (0, Cost::INFINITY);
    for (i, cost) in (0..).zip(costs) {
        // A branch on the comparison would be unpredictable.
        let is_less = cost < least;
        best = select_unpredictable(is_less, i, best);
        least = select_unpredictable(is_less, cost, least);
    }
    (best, least)
}

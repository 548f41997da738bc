//! The canonical form of sums.
//!
//! A sum leans to the left, `((x + y) + z) + c`: its terms have a fixed order, the constant last,
//! so that two forms of one sum become one graph.
#[cfg(feature = "ch05")]
use super::phi::is_of_constants;
use crate::arith::Binary;
use crate::sea::{Graph, NodeId, Op};

/// Sums of more terms than this stay as they are, so that a sum of n terms costs n steps and not
/// n². Besides, other sums may share their left parts, and rewriting would copy all of them: the
/// sums of `x = x + y; y = y + x;`, again and again, have exponentially many terms.
pub const MAX_TERMS: usize = 8;

pub fn is_short_sum(graph: &Graph, id: NodeId) -> bool {
    spine(graph, id).nth(MAX_TERMS).is_none()
}

/// The sum, its left operand if that is a sum, and so on; the last one is the first term.
pub fn spine(graph: &Graph, id: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(Some(id), |&id| sum(graph, id).map(|[left, _]| left))
}

/// The two operands, if the node is a sum.
pub fn sum(graph: &Graph, id: NodeId) -> Option<[NodeId; 2]> {
    let is_sum = graph.op(id) == Op::Binary(Binary::Add);
    is_sum.then(|| graph.operands(id))
}

/// Whether the term `first` is to the left of the term `second` in the canonical form of a sum:
/// by rank, and of two terms of one rank the one that was made later is on the left.
pub fn is_before(graph: &Graph, first: NodeId, second: NodeId) -> bool {
    match (rank(graph, first), rank(graph, second)) {
        (Rank::Constant, Rank::Constant) => false,
        (one, other) => one < other || one == other && first > second,
    }
}

/// The order of the terms of a sum, from left to right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    #[cfg(feature = "ch05")]
    Phi,
    Other,
    /// A Phi of constants: close to the constants that may be added to it.
    #[cfg(feature = "ch05")]
    PhiOfConstants,
    Constant,
}

fn rank(graph: &Graph, id: NodeId) -> Rank {
    match graph.op(id) {
        _ if graph.value(id).is_some() => Rank::Constant,
        #[cfg(feature = "ch05")]
        Op::Phi(_) if is_of_constants(graph, id) => Rank::PhiOfConstants,
        #[cfg(feature = "ch05")]
        Op::Phi(_) => Rank::Phi,
        _ => Rank::Other,
    }
}

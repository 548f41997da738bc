//! Why rewriting ends: a measure that every firing of every rule makes smaller.
//!
//! The measure of a node is that of its expression, written out as a tree. It has components,
//! and the first in which two measures differ decides, as letters decide between words. The
//! engine checks each firing in debug builds, for expressions small enough to be written out.
#[cfg(feature = "ch04")]
use super::algebra::{stands_before, sum};
#[cfg(feature = "ch04")]
use crate::arith::Binary;
use crate::sea::{Graph, NodeId, Op};

/// The components, the most important first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Component {
    /// How many nodes are not constants; an operation counts as two, a Phi as one.
    Weight,
    /// For each sum, how many additions its right operand holds.
    #[cfg(feature = "ch04")]
    RightSums,
    /// How many pairs of terms or factors stand in the wrong order.
    #[cfg(feature = "ch04")]
    Inversions,
    /// Whether the node itself may have a twin: it does not stand in the table of numbers.
    #[cfg(feature = "ch09")]
    Unnumbered,
}

/// One number for each component.
type Measure = Vec<usize>;

/// Expressions of more nodes than this are not measured.
const SMALL: usize = 64;

/// The measure of `id`; none if its expression is large.
pub fn measure(graph: &Graph, id: NodeId) -> Option<Measure> {
    let tree = tree(graph, id)?;
    let components = [
        tree.iter().map(|&id| weight(graph.op(id))).sum(),
        #[cfg(feature = "ch04")]
        tree.iter().map(|&id| right_sums(graph, id)).sum(),
        #[cfg(feature = "ch04")]
        inversions(graph, &tree),
        #[cfg(feature = "ch09")]
        usize::from(!graph.is_numbered(id)),
    ];
    Some(components.to_vec())
}

/// Whether `after` measures less than `before` in `component` and no more in those before it.
pub fn shrinks(
    before: Option<Measure>,
    graph: &Graph,
    after: NodeId,
    component: Component,
) -> bool {
    let (Some(before), Some(after)) = (before, measure(graph, after)) else { return true };
    let at = component as usize;
    after[at] < before[at] && (0..at).all(|earlier| after[earlier] <= before[earlier])
}

/// The expression of `root` as a tree: a node stands in it as often as it would be written.
fn tree(graph: &Graph, root: NodeId) -> Option<Vec<NodeId>> {
    let mut tree = vec![root];
    let mut at = 0;
    while at < tree.len() {
        let id = tree[at];
        // What ways a Phi stands for is no part of its expression.
        tree.extend(graph.inputs(id).skip(usize::from(graph.op(id).is_phi())));
        at += 1;
        if tree.len() > SMALL {
            return None;
        }
    }
    Some(tree)
}

fn weight(op: Op) -> usize {
    match op {
        Op::Constant(_) => 0,
        #[cfg(feature = "ch05")]
        Op::Dead => 0,
        #[cfg(feature = "ch05")]
        Op::Phi(_) => 1,
        _ => 2,
    }
}

#[cfg(feature = "ch04")]
fn right_sums(graph: &Graph, id: NodeId) -> usize {
    sum(graph, id).map_or(0, |[_, right]| terms(graph, right).len() - 1)
}

/// The terms of the sum `id` from left to right; a node that is no sum is its only term.
#[cfg(feature = "ch04")]
fn terms(graph: &Graph, id: NodeId) -> Vec<NodeId> {
    let (mut terms, mut open) = (Vec::new(), vec![id]);
    while let Some(id) = open.pop() {
        match sum(graph, id) {
            Some([left, right]) => open.extend([right, left]),
            None => terms.push(id),
        }
    }
    terms
}

/// Counted once for each sum that is not part of a larger one.
#[cfg(feature = "ch04")]
fn inversions(graph: &Graph, tree: &[NodeId]) -> usize {
    let inner: Vec<_> = tree.iter().filter_map(|&id| sum(graph, id)).flatten().collect();
    let wrong = |order: &[NodeId]| -> usize {
        let later = |at: usize| order[at + 1..].iter().map(move |&it| (it, order[at]));
        let pairs = (0..order.len()).flat_map(later);
        pairs.filter(|&(right, left)| stands_before(graph, right, left)).count()
    };
    let count = |&id: &NodeId| match graph.op(id) {
        Op::Binary(Binary::Add) if !inner.contains(&id) => wrong(&terms(graph, id)),
        Op::Binary(Binary::Mul) => {
            let constant = |at| graph.types.value(graph.ty(graph.input(id, at))).is_some();
            usize::from(constant(0) && !constant(1))
        }
        _ => 0,
    };
    tree.iter().map(count).sum()
}

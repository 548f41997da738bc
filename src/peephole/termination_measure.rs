//! Why rewriting ends: a measure that every firing of every rule makes smaller.
//!
//! The measure has components, and the first in which two measures differ decides, as letters
//! decide between words. Some components count nodes of the graph; the others are sums over its
//! expressions, each written out as a tree. A rule changes one place, and the rest of the graph
//! adds the same to each component before and after. So it is enough to measure that place, and
//! it does not matter which other rules there are. The engine checks each firing in debug builds,
//! for expressions small enough to be written out.
//! Source: F. Baader, T. Nipkow, "Term Rewriting and All That", 1998, on interpretations.
#[cfg(feature = "ch04")]
use super::canonical_order::{is_before, sum};
use crate::arith::Binary;
use crate::sea::{Graph, NodeId, Op};
#[cfg(feature = "ch06")]
use arena::Id;
use picture::Kind;

/// The components, the most important first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Component {
    /// How many nodes there are for control, how many ends the program has, and how many tests
    /// are not constants. Unreachable control does not count.
    #[cfg(feature = "ch06")]
    Control,
    /// For each load, how deep the memory is that it reads: how many nodes made it, at most.
    #[cfg(feature = "ch10")]
    Memory,
    /// How many Phis there are that are not at a Region, with a value that is no constant. An
    /// expression ends at them: with the back edge of a loop it would be infinite.
    #[cfg(feature = "ch07")]
    LoopPhis,
    /// How many nodes are not constants; an operation counts as two, a Phi as one.
    Weight,
    /// How many operations there are but sums, and how many of them and of their inputs are not
    /// known. The order of a sum's terms depends on these nodes: on their age, and on what is
    /// known.
    #[cfg(feature = "ch09")]
    Terms,
    /// For each difference, how many additions its expression holds.
    #[cfg(feature = "ch09")]
    SumsInDifferences,
    /// For each sum, how many additions its right operand holds.
    #[cfg(feature = "ch04")]
    RightSums,
    /// How many pairs of terms or factors are in the wrong order.
    #[cfg(feature = "ch04")]
    Inversions,
    /// How many nodes there are.
    #[cfg(feature = "ch09")]
    Nodes,
}

/// One number for each component.
type Measure = Vec<usize>;

/// Expressions of more nodes than this are not measured.
const MAX_NODES: usize = 64;

/// The place of a node before a rule is tried there.
pub struct Before {
    /// None if the expression is large.
    measure: Option<Measure>,
    #[cfg(feature = "ch06")]
    node: NodeId,
    /// How many nodes there are in all.
    #[cfg(feature = "ch06")]
    count: usize,
}

impl Before {
    pub fn new(graph: &Graph, id: NodeId) -> Before {
        let place = Place {
            graph,
            root: id,
            #[cfg(feature = "ch06")]
            nodes: vec![id],
        };
        Before {
            measure: place.measure(),
            #[cfg(feature = "ch06")]
            node: id,
            #[cfg(feature = "ch06")]
            count: graph.len(),
        }
    }

    /// Whether the measure is smaller with `better` in this place: one component is, `component`
    /// or one before it, and those before that one are as they were.
    pub fn decreases(&self, graph: &Graph, better: NodeId, component: Component) -> bool {
        let place = Place {
            graph,
            root: better,
            #[cfg(feature = "ch06")]
            nodes: self.nodes_now(graph, better),
        };
        let (Some(before), Some(after)) = (&self.measure, place.measure()) else { return true };
        let differs = before.iter().zip(&after).position(|(before, after)| before != after);
        differs.is_some_and(|at| at <= component as usize && after[at] < before[at])
    }

    /// The nodes that stand here instead of the one there was: those the rule has made, and the
    /// node itself if it was changed in place.
    #[cfg(feature = "ch06")]
    fn nodes_now(&self, graph: &Graph, better: NodeId) -> Vec<NodeId> {
        let made = (self.count..graph.len()).map(NodeId::from_index);
        let kept = made.filter(|&id| graph.uses(id) > 0 || id == better);
        kept.chain((better == self.node).then_some(better)).collect()
    }
}

/// A place in a graph: an expression, and the nodes that are only there.
struct Place<'g> {
    graph: &'g Graph,
    root: NodeId,
    #[cfg(feature = "ch06")]
    nodes: Vec<NodeId>,
}

impl Place<'_> {
    fn measure(&self) -> Option<Measure> {
        let tree = tree(self.graph, self.root)?;
        let components = [
            #[cfg(feature = "ch06")]
            self.count(control),
            #[cfg(feature = "ch10")]
            self.count(memory_depth),
            #[cfg(feature = "ch07")]
            self.count(loop_phis),
            tree.iter().map(|&id| weight(self.graph.op(id))).sum(),
            #[cfg(feature = "ch09")]
            self.count(terms_and_unknown),
            #[cfg(feature = "ch09")]
            tree.iter().map(|&id| sums_in_difference(self.graph, id)).sum(),
            #[cfg(feature = "ch04")]
            tree.iter().map(|&id| right_sums(self.graph, id)).sum(),
            #[cfg(feature = "ch04")]
            tree.iter().map(|&id| inversions(self.graph, id)).sum(),
            #[cfg(feature = "ch09")]
            self.nodes.len(),
        ];
        Some(components.to_vec())
    }

    #[cfg(feature = "ch06")]
    fn count(&self, count: fn(&Graph, NodeId) -> usize) -> usize {
        self.nodes.iter().map(|&id| count(self.graph, id)).sum()
    }
}

/// The expression of `root` as a tree: a node is in it as often as it would be written.
fn tree(graph: &Graph, root: NodeId) -> Option<Vec<NodeId>> {
    let is_value = |id: &NodeId| graph.op(*id).row().kind == Kind::Data;
    let mut tree: Vec<_> = Some(root).into_iter().filter(is_value).collect();
    let mut at = 0;
    while let Some(&id) = tree.get(at) {
        at += 1;
        #[cfg(feature = "ch05")]
        if ends_expression(graph, id) {
            continue;
        }
        tree.extend(graph.inputs(id).filter(is_value));
        if tree.len() > MAX_NODES {
            return None;
        }
    }
    Some(tree)
}

/// Whether an expression goes no further than to this node: it is a Phi, but not at a Region.
#[cfg(feature = "ch05")]
fn ends_expression(graph: &Graph, id: NodeId) -> bool {
    graph.op(id).is_phi() && graph.op(graph.input(id, 0)) != Op::Region
}

fn weight(op: Op) -> usize {
    match op {
        Op::Constant(_) => 0,
        #[cfg(feature = "ch05")]
        Op::Phi(_) => 1,
        _ => 2,
    }
}

#[cfg(feature = "ch06")]
fn control(graph: &Graph, id: NodeId) -> usize {
    match graph.op(id) {
        Op::DeadControl => 0,
        Op::Stop => 1 + graph.inputs(id).len(),
        Op::If => 1 + usize::from(!is_constant(graph, graph.input(id, 1))),
        op => usize::from(op.row().kind == Kind::Control),
    }
}

#[cfg(feature = "ch06")]
fn is_constant(graph: &Graph, id: NodeId) -> bool {
    matches!(graph.op(id), Op::Constant(_))
}

#[cfg(feature = "ch10")]
fn memory_depth(graph: &Graph, id: NodeId) -> usize {
    match graph.op(id) {
        Op::Load(_) => 1 + graph.depth(graph.input(id, 0)) as usize,
        _ => 0,
    }
}

#[cfg(feature = "ch07")]
fn loop_phis(graph: &Graph, id: NodeId) -> usize {
    let varies = || graph.inputs(id).skip(1).any(|value| !is_constant(graph, value));
    usize::from(ends_expression(graph, id) && varies())
}

#[cfg(feature = "ch09")]
fn terms_and_unknown(graph: &Graph, id: NodeId) -> usize {
    let is_constant = matches!(graph.op(id), Op::Constant(_));
    if graph.op(id).row().kind != Kind::Data || sum(graph, id).is_some() || is_constant {
        return 0;
    }
    let is_unknown = |id: &NodeId| graph.value(*id).is_none();
    1 + graph.inputs(id).chain([id]).filter(is_unknown).count()
}

#[cfg(feature = "ch09")]
fn sums_in_difference(graph: &Graph, id: NodeId) -> usize {
    match graph.op(id) {
        Op::Binary(Binary::Sub) => {
            let below = tree(graph, id).unwrap_or_default();
            below.iter().filter(|&&id| sum(graph, id).is_some()).count()
        }
        _ => 0,
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

/// The pairs in the wrong order of which one is in the left operand of `id`, the other in
/// the right one.
#[cfg(feature = "ch04")]
fn inversions(graph: &Graph, id: NodeId) -> usize {
    match graph.op(id) {
        Op::Binary(Binary::Add) => {
            let [left, right] = [0, 1].map(|at| terms(graph, graph.input(id, at)));
            let before =
                |&one: &NodeId| right.iter().filter(|&&other| is_before(graph, other, one)).count();
            left.iter().map(before).sum()
        }
        Op::Binary(other) if other.row().commutes => {
            let constant = |at| graph.value(graph.input(id, at)).is_some();
            usize::from(constant(0) && !constant(1))
        }
        _ => 0,
    }
}

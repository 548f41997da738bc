//! Truths: `!` and comparisons, which the sea asks for as values, and which become one `Cmp`.
//!
//! A comparison that is only asked for by a `!` is not lowered itself: !(a < b) is a ≥ b.
use super::Lowering;
use crate::arith::{Relation, Unary};
use crate::schedule::Schedule;
use crate::{firm, sea};
use arena::SideTable;

/// A truth: that a relation holds between two values, the second being 0 if it is not named.
struct Truth {
    relation: Relation,
    left: sea::NodeId,
    right: Option<sea::NodeId>,
}

/// How many `!` in a row are looked through; a chain of them may be as long as the program.
const DEEPEST: usize = 8;

/// Where the value `id` is not 0.
fn truth_of(graph: &sea::Graph, mut id: sea::NodeId) -> Truth {
    let mut negated = false;
    for _ in 0..DEEPEST {
        if graph.op(id) == sea::Op::Unary(Unary::Not) {
            (id, negated) = (graph.input(id, 0), !negated);
        }
    }
    let (relation, left, right) = match graph.op(id) {
        sea::Op::Compare(it) => (it, graph.input(id, 0), Some(graph.input(id, 1))),
        _ => (Relation::NotEqual, id, None),
    };
    Truth { relation: if negated { relation.negated() } else { relation }, left, right }
}

/// Whether the node is a truth of other values.
fn is_truth(op: sea::Op) -> bool {
    matches!(op, sea::Op::Unary(Unary::Not) | sea::Op::Compare(_))
}

/// Which nodes are asked for as values, not only as part of the truth of another.
pub fn wanted(graph: &sea::Graph, schedule: &Schedule) -> SideTable<sea::NodeId, bool> {
    let mut wanted: SideTable<sea::NodeId, bool> = SideTable::new(graph.len());
    for want in WANTS {
        schedule.order.iter().rev().for_each(|&id| want(graph, id, &mut wanted));
    }
    wanted
}

type Want = fn(&sea::Graph, sea::NodeId, &mut SideTable<sea::NodeId, bool>);

/// What a node wants. The values of a Phi may stand behind it, so they come first.
const WANTS: &[Want] = &[
    #[cfg(feature = "ch05")]
    |graph, id, wanted| {
        if matches!(graph.op(id), sea::Op::Phi(_)) {
            graph.inputs(id).for_each(|input| wanted[input] = true);
        }
    },
    |graph, id, wanted| {
        if is_truth(graph.op(id)) && wanted[id] {
            want_truth(graph, id, wanted);
        } else if !is_truth(graph.op(id)) {
            want_inputs(graph, id, wanted);
        }
    },
];

fn want_truth(graph: &sea::Graph, id: sea::NodeId, wanted: &mut SideTable<sea::NodeId, bool>) {
    let Truth { left, right, .. } = truth_of(graph, id);
    wanted[left] = true;
    right.into_iter().for_each(|right| wanted[right] = true);
}

fn want_inputs(graph: &sea::Graph, id: sea::NodeId, wanted: &mut SideTable<sea::NodeId, bool>) {
    match graph.op(id) {
        #[cfg(feature = "ch05")]
        sea::Op::If => want_truth(graph, graph.input(id, 1), wanted),
        _ => graph.inputs(id).for_each(|input| wanted[input] = true),
    }
}

impl Lowering<'_> {
    /// Where `id` is not 0, as 0 or 1.
    pub fn truth(&mut self, id: sea::NodeId) -> firm::NodeId {
        let Truth { relation, left, right } = truth_of(self.sea, id);
        let [left, right] = [Some(left), right].map(|id| id.map(|id| self.value(id)));
        let right = right.unwrap_or_else(|| self.constant(0));
        let left = left.expect("a truth is one of some value");
        self.add(firm::Op::Cmp(relation), &[left, right])
    }
}

//! What is known of control: where it may come, and what may come with it.
use super::graph::Graph;
use super::op::NodeId;
#[cfg(feature = "ch05")]
use super::op::Op;
#[cfg(feature = "ch05")]
use crate::types::TypeKind;
use picture::Kind;

impl Graph {
    /// Whether control that is given to `id` goes on there.
    pub fn takes_control(&self, id: NodeId) -> bool {
        #[cfg(feature = "ch06")]
        if self.is_bypassed(id) {
            return false;
        }
        self.op(id).row().kind == Kind::Control
    }
}

#[cfg(feature = "ch05")]
impl Graph {
    /// Whether control may come to `id`, as far as is known.
    pub fn is_reachable(&self, id: NodeId) -> bool {
        !matches!(self.types.kind(self.ty(id)), TypeKind::DeadControl)
    }

    /// The ways out of an If that control may take, as far as is known. Where ways meet, what
    /// comes on any other is left out too.
    pub fn branches(&self, choice: NodeId) -> impl Iterator<Item = NodeId> {
        let is_way = |it: &NodeId| {
            matches!(self.op(*it), Op::ControlProjection(_)) && self.is_reachable(*it)
        };
        self.users(choice).filter(is_way)
    }

    /// The values of a Phi that may come, as far as is known.
    pub fn live_values(&self, phi: NodeId) -> impl Iterator<Item = NodeId> {
        (1..self.inputs(phi).len()).filter_map(move |at| self.live_value(phi, at))
    }

    /// The value of a Phi at `at`, if it may come.
    pub fn live_value(&self, phi: NodeId, at: usize) -> Option<NodeId> {
        let region = self.input(phi, 0);
        let way = self.inputs(region).nth(at - 1);
        let comes = way.is_some_and(|way| self.is_entered(region) && self.is_reachable(way));
        comes.then(|| self.input(phi, at))
    }

    /// Whether control may come to a join. To a loop that nothing enters nothing comes back: what
    /// seems to may be computed from its Phis alone, such as x = x + 1.
    fn is_entered(&self, join: NodeId) -> bool {
        #[cfg(feature = "ch07")]
        if self.op(join) == Op::Loop {
            return self.is_reachable(self.input(join, 0));
        }
        self.is_reachable(join)
    }
}

#[cfg(feature = "ch06")]
impl Graph {
    /// Whether control may leave an If this way, as far as is known.
    pub fn can_take(&self, choice: NodeId, truth: bool) -> bool {
        match self.types.kind(self.ty(choice)) {
            TypeKind::Tuple(ways) => {
                !matches!(self.types.kind(ways[usize::from(!truth)]), TypeKind::DeadControl)
            }
            _ => true,
        }
    }

    /// Whether the If `id` is still there for a way that control never takes only: the way it
    /// takes has been replaced by what led to the If.
    fn is_bypassed(&self, id: NodeId) -> bool {
        let replaced = |truth: bool| {
            !self.can_take(id, !truth)
                && self.users(id).all(|it| self.op(it) != Op::ControlProjection(truth))
        };
        self.op(id) == Op::If && (replaced(true) || replaced(false))
    }
}

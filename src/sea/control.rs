//! Which control nodes are reachable, and which inputs of Phis are live.
use super::graph::Graph;
use super::op::{NodeId, Op};
#[cfg(feature = "ch10")]
use crate::arith::{Relation, Unary};
use crate::types::{Type, TypeKind};
use picture::Kind;
use std::iter::successors;

impl Graph {
    /// Whether `id` is a live successor of its control input.
    pub fn takes_control(&self, id: NodeId) -> bool {
        #[cfg(feature = "ch06")]
        if self.is_bypassed(id) {
            return false;
        }
        // Only calls enter a function.
        #[cfg(feature = "ch18")]
        if let Op::Function(_) = self.op(id) {
            return false;
        }
        self.op(id).row().kind == Kind::Control
    }
}

#[cfg(feature = "ch05")]
impl Graph {
    /// Whether control may reach `id`, as far as is known.
    pub fn is_reachable(&self, id: NodeId) -> bool {
        self.ty(id) != Type::DEAD_CONTROL
    }

    /// The branches of an If that may be taken, as far as is known.
    pub fn branches(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let is_live = |it: &NodeId| {
            matches!(self.op(*it), Op::ControlProjection(_)) && self.is_reachable(*it)
        };
        self.users(id).filter(is_live)
    }

    /// The live inputs of a Phi: those for reachable predecessors, as far as is known.
    pub fn live_values(&self, phi: NodeId) -> impl Iterator<Item = NodeId> {
        let region = self.input(phi, 0);
        let is_entered = self.is_entered(region);
        let edges = self.inputs(region).zip(self.inputs(phi).skip(1));
        let live = edges.filter(move |&(edge, _)| is_entered && self.is_reachable(edge));
        live.map(|(_, value)| value)
    }

    /// Whether control may reach a join. If the entry of a loop is dead, its back edge is dead,
    /// too, even if it does not look so: x = x + 1 may be computed from its Phis alone.
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
    /// Whether this branch of an If may be taken, as far as is known.
    pub fn can_take(&self, id: NodeId, truth: bool) -> bool {
        match self.types.kind(self.ty(id)) {
            TypeKind::Tuple(branches) => branches[usize::from(!truth)] != Type::DEAD_CONTROL,
            _ => true,
        }
    }

    /// Whether only the dead branch of the If `id` is left: the live one has been replaced by the
    /// If's control input.
    fn is_bypassed(&self, id: NodeId) -> bool {
        let replaced = |truth: bool| {
            !self.can_take(id, !truth)
                && self.users(id).all(|it| self.op(it) != Op::ControlProjection(truth))
        };
        self.op(id) == Op::If && (replaced(true) || replaced(false))
    }
}

/// Tests of pointers.
#[cfg(feature = "ch10")]
impl Graph {
    /// The pointer that a predicate compares with null, and whether the predicate is true for null.
    /// A predicate that is no such test is returned as it is.
    pub fn null_test(&self, predicate: NodeId) -> (NodeId, bool) {
        let operands = self.negations(predicate).skip(1);
        operands.fold((predicate, false), |(_, is_for_null), operand| (operand, !is_for_null))
    }

    /// The predicate, its operand if it is a negation or a comparison with null, the operand's
    /// operand if that is one, and so on.
    pub fn negations(&self, predicate: NodeId) -> impl Iterator<Item = NodeId> {
        let operand = |&id: &NodeId| match self.op(id) {
            Op::Unary(Unary::Not) => Some(self.input(id, 0)),
            Op::Compare(Relation::Equal) => self.compared_with_null(id),
            _ => None,
        };
        successors(Some(predicate), operand).take(MAX_NEGATIONS + 1)
    }

    /// The other operand of a comparison with null.
    fn compared_with_null(&self, id: NodeId) -> Option<NodeId> {
        let [left, right] = self.operands(id);
        match [left, right].map(|it| self.ty(it) == Type::NULL) {
            [false, true] => Some(left),
            [true, false] => Some(right),
            _ => None,
        }
    }
}

/// The largest number of negations in a predicate that are looked through.
#[cfg(feature = "ch10")]
const MAX_NEGATIONS: usize = 8;

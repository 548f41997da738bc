//! A rule's view of the graph: it notes all that the rule reads below its root.
//!
//! A rule that does not fit is tried again when something that it has read changes. Until then it
//! would read the same, and not fit again. So no rule lists its dependents.
use super::Engine;
use super::dependents::{Aspects, Noted, aspect};
use crate::sea::{self, Graph, NodeId, Op, dominator_dependencies};
use crate::types::{Type, Types};

pub struct Reader<'a> {
    graph: &'a mut Graph,
    root: NodeId,
    noted: &'a mut Noted,
}

impl<'a> Reader<'a> {
    pub fn new(engine: &'a mut Engine, graph: &'a mut Graph, root: NodeId) -> Reader<'a> {
        Reader { graph, root, noted: &mut engine.noted }
    }

    /// The operation of a node never changes.
    pub fn op(&self, id: NodeId) -> Op {
        self.graph.op(id)
    }

    pub fn types(&self) -> &Types {
        &self.graph.types
    }

    pub fn ty(&mut self, id: NodeId) -> Type {
        self.note(id, aspect::TYPE);
        self.graph.ty(id)
    }

    pub fn is_reachable(&mut self, id: NodeId) -> bool {
        self.note(id, aspect::TYPE);
        self.graph.is_reachable(id)
    }

    pub fn input(&mut self, id: NodeId, at: usize) -> NodeId {
        self.note(id, aspect::INPUTS);
        self.graph.input(id, at)
    }

    pub fn input_count(&mut self, id: NodeId) -> usize {
        self.note(id, aspect::INPUTS);
        self.graph.inputs(id).len()
    }

    /// Whether a node has no user but the root.
    pub fn is_only_used_by_root(&mut self, id: NodeId) -> bool {
        self.note(id, aspect::USERS);
        self.graph.uses(id) == 1
    }

    /// The pointer that a predicate compares with null, and whether the predicate is true for null.
    pub fn null_test(&mut self, predicate: NodeId) -> (NodeId, bool) {
        for id in self.graph.negations(predicate) {
            self.noted.push((id, aspect::INPUTS));
            self.noted.extend(self.graph.inputs(id).map(|it| (it, aspect::TYPE)));
        }
        self.graph.null_test(predicate)
    }

    /// Whether the control node `above` dominates `id`, as far as the limit allows to see.
    pub fn dominates(&mut self, above: NodeId, id: NodeId) -> bool {
        for it in dominator_dependencies(self.graph, id) {
            self.note(it, aspect::TYPE | aspect::INPUTS);
        }
        sea::dominates(self.graph, above, id)
    }

    /// The root is visited anyway when it has another input.
    fn note(&mut self, id: NodeId, aspects: Aspects) {
        if id != self.root {
            self.noted.push((id, aspects));
        }
    }
}

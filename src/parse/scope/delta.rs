//! Branches: each arm needs the scope at its start, and the join needs the changes of both arms.
//!
//! The scope is never copied. A checkpoint opens an undo log, which records the old value of each
//! changed variable, once. A rollback restores these values, so that the other arm can start from
//! the same scope, and returns the changes. So an arm costs as much as it changes, whatever the
//! number of variables, and a join compares only variables that one of the arms has changed.
use super::Scope;
#[cfg(feature = "ch10")]
use super::facts::FactChanges;
use crate::sea::{Graph, NodeId, Op};

/// The old values of the variables that changed since a checkpoint.
pub struct UndoLog {
    /// A Scope node that holds them, one for each of `slots`.
    node: NodeId,
    /// The variables, each with its previous `Variable::logged_at`.
    slots: Vec<(usize, usize)>,
}

/// The changes since a checkpoint: the control at the end, and the changed variables.
pub struct ScopeDelta {
    /// A Scope node that holds control, and the new value for each of `slots`.
    node: NodeId,
    /// In ascending order.
    pub slots: Vec<usize>,
    #[cfg(feature = "ch10")]
    pub facts: FactChanges,
}

impl ScopeDelta {
    /// No changes, with control at `control`.
    pub fn none(graph: &mut Graph, control: NodeId) -> ScopeDelta {
        ScopeDelta {
            node: graph.create(Op::Scope, &[control]),
            slots: Vec::new(),
            #[cfg(feature = "ch10")]
            facts: FactChanges::none(),
        }
    }

    /// Adds a change; its slot must be after the others.
    pub fn push(&mut self, graph: &mut Graph, slot: usize, new: NodeId) {
        self.slots.push(slot);
        graph.add_input(self.node, new);
    }

    pub fn control(&self, graph: &Graph) -> NodeId {
        graph.input(self.node, 0)
    }

    /// The new value of a variable, if it has changed.
    pub fn of(&self, graph: &Graph, slot: usize) -> Option<NodeId> {
        let at = self.slots.binary_search(&slot).ok()?;
        Some(graph.input(self.node, at + 1))
    }

    /// Replaces the new value of a variable that has changed.
    #[cfg(feature = "ch17")]
    pub fn replace(&mut self, graph: &mut Graph, slot: usize, new: NodeId) {
        let at = self.slots.binary_search(&slot).expect("the variable has changed");
        graph.set_input(self.node, at + 1, new);
    }

    /// The changed variables, and their new values.
    pub fn changes(&self, graph: &Graph) -> Vec<(usize, NodeId)> {
        self.slots.iter().copied().zip(graph.inputs(self.node).skip(1)).collect()
    }

    #[cfg(feature = "ch10")]
    pub fn with_facts(self, facts: FactChanges) -> ScopeDelta {
        ScopeDelta { facts, ..self }
    }

    /// Releases its values.
    pub fn release(self, graph: &mut Graph) {
        graph.kill(self.node);
    }
}

impl Scope<'_> {
    /// Records the old value of a variable that is about to change in the innermost undo log.
    pub fn note_old_value(&mut self, graph: &mut Graph, slot: usize) {
        let old = self.value(graph, slot);
        let logged_at =
            std::mem::replace(&mut self.variables[slot].logged_at, self.undo_logs.len());
        if let Some(undo_log) = self.undo_logs.last_mut()
            && logged_at < self.variables[slot].logged_at
        {
            undo_log.slots.push((slot, logged_at));
            graph.add_input(undo_log.node, old);
        }
    }

    pub fn set_control(&mut self, graph: &mut Graph, control: NodeId) {
        graph.set_input(self.node, 0, control);
    }

    /// Opens an undo log.
    pub fn checkpoint(&mut self, graph: &mut Graph) {
        let node = graph.create(Op::Scope, &[]);
        self.undo_logs.push(UndoLog { node, slots: Vec::new() });
        #[cfg(feature = "ch10")]
        self.facts.checkpoint();
    }

    /// Closes the innermost undo log: restores the old values, and returns the changes.
    pub fn rollback(&mut self, graph: &mut Graph) -> ScopeDelta {
        let undo_log = self.undo_logs.pop().expect("every rollback has a checkpoint");
        let mut slots: Vec<_> = undo_log.slots.iter().map(|&(slot, _)| slot).collect();
        slots.sort_unstable();
        // The slot of control is 0.
        let changed = [0].iter().chain(&slots).map(|&slot| graph.input(self.node, slot));
        let changed: Vec<_> = changed.collect();
        let delta = ScopeDelta {
            node: graph.create(Op::Scope, &changed),
            slots,
            #[cfg(feature = "ch10")]
            facts: self.facts.rollback(),
        };
        for (at, &(slot, logged_at)) in undo_log.slots.iter().enumerate() {
            #[cfg(feature = "ch08")]
            self.log(slot);
            graph.set_input(self.node, slot, graph.input(undo_log.node, at));
            self.variables[slot].logged_at = logged_at;
        }
        graph.kill(undo_log.node);
        delta
    }

    /// The old values in the open undo logs, and the names of their variables.
    pub fn old_values(&self) -> Vec<(NodeId, Vec<String>)> {
        let names = |undo_log: &UndoLog| {
            let names = undo_log.slots.iter().filter_map(|&(slot, _)| self.variables.get(slot));
            (undo_log.node, names.map(|variable| variable.name.to_string()).collect())
        };
        self.undo_logs.iter().map(names).collect()
    }

    /// Applies changes to the scope.
    pub fn apply(&mut self, graph: &mut Graph, delta: ScopeDelta) {
        self.set_control(graph, delta.control(graph));
        for (slot, new) in delta.changes(graph) {
            self.set(graph, slot, new);
        }
        #[cfg(feature = "ch10")]
        self.facts.apply(&delta.facts);
        delta.release(graph);
    }

    /// The number of variables.
    pub fn count(&self) -> usize {
        self.variables.len()
    }
}

//! Where the program branches, the scope is to be there twice, and once again where the ways meet.
//!
//! It is never copied. A stretch of the program, such as an arm of an `if`, is opened and closed.
//! In between, the scope writes down the old value of each variable that is changed, once. At the
//! end the old values are put back, so that another stretch may begin where this one began, and
//! what has changed is handed out. So a stretch costs what it changes, however many variables
//! there are, and ways that meet are compared in what either of them has changed.
use super::Scope;
use crate::sea::{Graph, NodeId, Op};

/// The old values of what an open stretch has changed so far.
pub struct UndoLog {
    /// A Scope node that holds them, one for each of `slots`.
    node: NodeId,
    slots: Vec<usize>,
    /// What `Variable::noted` was before.
    noted: Vec<usize>,
}

/// Where control is at the end of a stretch, and the variables that the stretch has changed.
pub struct ScopeDelta {
    /// A Scope node that holds control, and the new and the old value for each of `slots`.
    node: NodeId,
    /// In ascending order.
    pub slots: Vec<usize>,
}

impl ScopeDelta {
    /// Control is at `control`, and nothing has changed yet.
    pub fn none(graph: &mut Graph, control: NodeId) -> ScopeDelta {
        ScopeDelta { node: graph.create(Op::Scope, &[control]), slots: Vec::new() }
    }

    /// Another change, of a slot behind the others.
    pub fn push(&mut self, graph: &mut Graph, slot: usize, new: NodeId, old: NodeId) {
        self.slots.push(slot);
        graph.add_input(self.node, new);
        graph.add_input(self.node, old);
    }

    pub fn control(&self, graph: &Graph) -> NodeId {
        graph.input(self.node, 0)
    }

    /// The new and the old value of a variable, if it has changed.
    pub fn of(&self, graph: &Graph, slot: usize) -> Option<(NodeId, NodeId)> {
        let at = self.slots.binary_search(&slot).ok()?;
        Some((graph.input(self.node, 2 * at + 1), graph.input(self.node, 2 * at + 2)))
    }

    /// Nobody asks for them any more.
    pub fn forget(self, graph: &mut Graph) {
        graph.kill(self.node);
    }
}

impl Scope<'_> {
    /// Before a variable changes: the innermost undo log notes its old value.
    pub fn note_old_value(&mut self, graph: &mut Graph, slot: usize) {
        let old = self.value(graph, slot);
        let noted = std::mem::replace(&mut self.variables[slot].noted, self.pasts.len());
        if let Some(past) = self.pasts.last_mut()
            && noted < self.variables[slot].noted
        {
            past.slots.push(slot);
            past.noted.push(noted);
            graph.add_input(past.node, old);
        }
    }

    pub fn set_control(&mut self, graph: &mut Graph, control: NodeId) {
        graph.set_input(self.node, 0, control);
    }

    /// Opens a stretch.
    pub fn checkpoint(&mut self, graph: &mut Graph) {
        let node = graph.create(Op::Scope, &[]);
        self.pasts.push(UndoLog { node, slots: Vec::new(), noted: Vec::new() });
    }

    /// Closes the innermost stretch: hands out what it has changed, and puts back the old values.
    pub fn rollback(&mut self, graph: &mut Graph) -> ScopeDelta {
        let past = self.pasts.pop().expect("a stretch is closed once");
        let changes = self.changes_since(graph, &past);
        for (at, (slot, noted)) in past.slots.into_iter().zip(past.noted).enumerate() {
            #[cfg(feature = "ch08")]
            self.log(slot);
            graph.set_input(self.node, slot, graph.input(past.node, at));
            self.variables[slot].noted = noted;
        }
        graph.kill(past.node);
        changes
    }

    /// What has changed since a stretch was opened.
    fn changes_since(&self, graph: &mut Graph, past: &UndoLog) -> ScopeDelta {
        let mut changed: Vec<_> = past.slots.iter().copied().zip(graph.inputs(past.node)).collect();
        changed.sort_unstable_by_key(|&(slot, _)| slot);
        let mut changes = ScopeDelta::none(graph, graph.input(self.node, 0));
        for (slot, old) in changed {
            changes.push(graph, slot, graph.input(self.node, slot), old);
        }
        changes
    }

    /// What the open stretches have written down, and the names of the variables.
    pub fn old_values(&self) -> Vec<(NodeId, Vec<String>)> {
        let names = |past: &UndoLog| {
            let names = past.slots.iter().filter_map(|&slot| self.variables.get(slot));
            (past.node, names.map(|variable| variable.name.to_string()).collect())
        };
        self.pasts.iter().map(names).collect()
    }

    /// Takes over changes.
    pub fn apply(&mut self, graph: &mut Graph, changes: ScopeDelta) {
        self.set_control(graph, changes.control(graph));
        for &slot in &changes.slots {
            if let Some((new, _)) = changes.of(graph, slot) {
                self.set(graph, slot, new);
            }
        }
        changes.forget(graph);
    }

    /// How many variables there are.
    pub fn count(&self) -> usize {
        self.variables.len()
    }

    pub fn name(&self, slot: usize) -> &str {
        self.variables[slot].name
    }
}

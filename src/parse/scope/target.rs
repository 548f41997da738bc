//! The targets of jumps out of a loop's body, and the values of variables there.
//!
//! A target may have many jumps, with few assignments between them. So a target records the
//! variables on which it differed from the scope at the last jump, and the scope logs all
//! assignments. The next jump compares only these variables: it costs as much as has changed, plus
//! the Phis it makes, whatever the number of variables.
use super::{Scope, ScopeDelta};
use crate::sea::{Graph, NodeId, Op};
use arena::FxHashMap;

/// The jumps out of a body.
#[derive(Clone, Copy)]
pub enum Jump {
    Break,
    Continue,
}

/// The merged state of all jumps to one target so far.
pub struct Target {
    /// A Scope node: control, and the values that differ from those at the loop header.
    node: NodeId,
    /// For each variable the index of its value among the inputs.
    inputs: FxHashMap<usize, usize>,
    /// The variables on which it may differ from the scope at the last jump.
    differing: Vec<usize>,
    /// The length of the log at the last jump.
    logged: usize,
}

impl Target {
    /// Control comes from `control`, with the values of the loop's header, where the log had the
    /// length `logged`.
    fn new(graph: &mut Graph, control: NodeId, logged: usize) -> Target {
        let node = graph.create(Op::Scope, &[control]);
        let (inputs, differing) = (FxHashMap::default(), Vec::new());
        Target { node, inputs, differing, logged }
    }

    /// Control leaves the loop at its condition.
    fn of_exit(graph: &mut Graph, exits: &ScopeDelta, logged: usize) -> Target {
        let mut target = Target::new(graph, exits.control(graph), logged);
        for (slot, new) in exits.changes(graph) {
            target.set(graph, slot, new);
        }
        target
    }

    pub fn control(&self, graph: &Graph) -> NodeId {
        graph.input(self.node, 0)
    }

    pub fn set_control(&self, graph: &mut Graph, control: NodeId) {
        graph.set_input(self.node, 0, control);
    }

    fn value(&self, graph: &Graph, slot: usize) -> Option<NodeId> {
        self.inputs.get(&slot).map(|&at| graph.input(self.node, at))
    }

    pub fn set(&mut self, graph: &mut Graph, slot: usize, value: NodeId) {
        match self.inputs.get(&slot) {
            Some(&at) => graph.set_input(self.node, at, value),
            None => {
                self.inputs.insert(slot, graph.inputs(self.node).len());
                graph.add_input(self.node, value);
            }
        }
    }

    /// The variables with values of their own, in ascending order, and the values.
    pub fn values(&self, graph: &Graph) -> Vec<(usize, NodeId)> {
        let mut inputs: Vec<_> = self.inputs.iter().map(|(&slot, &at)| (slot, at)).collect();
        inputs.sort_unstable();
        inputs.into_iter().map(|(slot, at)| (slot, graph.input(self.node, at))).collect()
    }

    /// Removes the target. Values that have no other use are removed, too.
    pub fn release(self, graph: &mut Graph) {
        graph.kill(self.node);
    }
}

impl Scope<'_> {
    /// Records an assignment.
    pub fn log(&mut self, slot: usize) {
        if self.is_in_loop() {
            self.log.push(slot);
        }
    }

    pub fn is_in_loop(&self) -> bool {
        !self.loops.is_empty()
    }

    /// Takes out the target of a jump; `None` if there is no jump to it yet.
    pub fn take_target(&mut self, graph: &mut Graph, jump: Jump) -> Option<Target> {
        let open_loop = self.loops.last_mut().expect("a loop is open");
        let known = open_loop.targets[jump as usize].take();
        match jump {
            Jump::Break => {
                let exits = open_loop.exits.as_ref();
                known.or_else(|| Some(Target::of_exit(graph, exits?, open_loop.logged)))
            }
            Jump::Continue => known,
        }
    }

    /// The target after its first jump: control and all values are the scope's.
    pub fn first_target(&self, graph: &mut Graph) -> Target {
        let open_loop = self.loops.last().expect("a loop is open");
        let mut target = Target::new(graph, self.control(graph), open_loop.logged);
        for (slot, _, current) in self.differences(graph, &target) {
            target.set(graph, slot, current);
        }
        target
    }

    /// The differences between the target and the scope: the variables in ascending order, their
    /// values at the target, and those in the scope.
    pub fn differences(&self, graph: &Graph, target: &Target) -> Vec<(usize, NodeId, NodeId)> {
        let open_loop = self.loops.last().expect("a loop is open");
        let changed = target.differing.iter().chain(&self.log[target.logged..]).copied();
        let mut slots: Vec<_> = changed.filter(|&slot| slot < open_loop.count).collect();
        slots.sort_unstable();
        slots.dedup();
        let values = |slot| {
            let at_target =
                target.value(graph, slot).unwrap_or_else(|| open_loop.value(graph, slot));
            (slot, at_target, graph.input(self.node, slot))
        };
        slots
            .into_iter()
            .map(values)
            .filter(|(_, at_target, current)| at_target != current)
            .collect()
    }

    /// Puts the target back after a jump; on `differing` it may differ from the scope.
    pub fn put_target(&mut self, jump: Jump, mut target: Target, differing: Vec<usize>) {
        (target.differing, target.logged) = (differing, self.log.len());
        let open_loop = self.loops.last_mut().expect("a loop is open");
        open_loop.targets[jump as usize] = Some(target);
    }

    /// Closes the targets of a loop; returns the changes at its `continue`s, if there are any.
    pub fn close_targets(&mut self, graph: &mut Graph) -> Option<ScopeDelta> {
        let open_loop = self.loops.last_mut().expect("a loop is open");
        let [breaks, continues] = std::mem::take(&mut open_loop.targets);
        if let Some(breaks) = breaks {
            let exits = open_loop.changes(graph, breaks);
            open_loop.exits.replace(exits).into_iter().for_each(|exits| exits.release(graph));
        }
        let continues = continues.map(|continues| open_loop.changes(graph, continues));
        #[cfg(feature = "ch10")]
        let continues = continues.map(|it| it.with_facts(self.facts.continues()));
        continues
    }
}

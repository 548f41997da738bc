//! Loops: each variable that the body may change has a Phi at the loop header.
#[cfg(feature = "ch08")]
use super::target::Target;
use super::{Scope, ScopeDelta};
use crate::sea::{Graph, NodeId, Op, infer};
use arena::FxHashMap;

pub struct OpenLoop {
    header: NodeId,
    /// A Scope node that holds the Phis; for each variable that has one, the index of its input.
    phis: NodeId,
    slots: FxHashMap<usize, usize>,
    /// The changes from the header to the loop's exit.
    pub exits: Option<ScopeDelta>,
    /// The targets of `break` and `continue`, once there is such a jump.
    #[cfg(feature = "ch08")]
    pub targets: [Option<Target>; 2],
    /// The number of variables, and the length of the log, at the loop's entry.
    #[cfg(feature = "ch08")]
    pub count: usize,
    #[cfg(feature = "ch08")]
    pub logged: usize,
}

/// A loop after its body: its Phis, with the slots of their variables.
pub struct ClosedLoop {
    phis: NodeId,
    /// In ascending order; each with its index among the inputs of `phis`.
    slots: Vec<(usize, usize)>,
    exits: ScopeDelta,
}

impl Scope<'_> {
    pub fn open_loop(&mut self, graph: &mut Graph, header: NodeId) {
        let phis = graph.create(Op::Scope, &[]);
        self.loops.push(OpenLoop {
            header,
            phis,
            slots: FxHashMap::default(),
            exits: None,
            #[cfg(feature = "ch08")]
            targets: [None, None],
            #[cfg(feature = "ch08")]
            count: self.variables.len(),
            #[cfg(feature = "ch08")]
            logged: self.log.len(),
        });
    }

    /// Sets the exit of the loop to `control`, before its body has changed anything.
    pub fn expect_exit(&mut self, graph: &mut Graph, control: NodeId) {
        let exits = ScopeDelta::none(graph, control);
        self.loops.last_mut().expect("a loop is open").exits = Some(exits);
    }

    /// Ends the condition of a loop, which may store to fields: restores the values at the header.
    /// The changes since then belong to the exit.
    #[cfg(feature = "ch10")]
    pub fn end_condition(&mut self, graph: &mut Graph) {
        let changes = self.rollback(graph);
        let exits = self.exits();
        for (slot, new) in changes.changes(graph) {
            exits.push(graph, slot, new);
        }
        changes.release(graph);
    }

    /// The body begins with the changes of the condition, too.
    #[cfg(feature = "ch10")]
    pub fn repeat_condition(&mut self, graph: &mut Graph) {
        for (slot, new) in self.exits().changes(graph) {
            self.set(graph, slot, new);
        }
    }

    #[cfg(feature = "ch10")]
    fn exits(&mut self) -> &mut ScopeDelta {
        let open_loop = self.loops.last_mut().expect("a loop is open");
        open_loop.exits.as_mut().expect("a loop has a condition")
    }

    /// Makes the Phi of a variable at the header of an open loop, without its value for the back
    /// edge.
    pub fn add_phi(&mut self, graph: &mut Graph, depth: usize, slot: usize) {
        let label = self.label(graph, slot);
        let open_loop = &mut self.loops[depth];
        let entry = graph.input(self.node, slot);
        let phi = graph.create(Op::Phi(label), &[open_loop.header, entry]);
        let ty = infer(graph, phi);
        graph.set_type(phi, ty);
        open_loop.slots.insert(slot, graph.inputs(open_loop.phis).len());
        graph.add_input(open_loop.phis, phi);
        graph.set_input(self.node, slot, phi);
    }

    /// Closes the innermost loop: completes its Phis with the values of its back edge, and restores
    /// the values from before the loop.
    pub fn close_loop(&mut self, graph: &mut Graph, back: ScopeDelta) -> ClosedLoop {
        let open = self.loops.pop().expect("every loop is closed once");
        let OpenLoop { header, phis, slots, exits, .. } = open;
        graph.add_input(header, back.control(graph));
        let mut slots: Vec<_> = slots.into_iter().collect();
        slots.sort_unstable();
        for &(slot, at) in &slots {
            let phi = graph.input(phis, at);
            let value = back.of(graph, slot).unwrap_or(phi);
            graph.add_input(phi, value);
            graph.set_input(self.node, slot, graph.input(phi, 1));
        }
        back.release(graph);
        ClosedLoop { phis, slots, exits: exits.expect("a loop has a condition") }
    }

    /// After a loop, variables have their values at its exit, or those of the Phis.
    pub fn exit_loop(&mut self, graph: &mut Graph, closed: ClosedLoop) {
        let exits = closed.exits;
        self.set_control(graph, exits.control(graph));
        for &(slot, at) in &closed.slots {
            let phi = graph.input(closed.phis, at);
            let value = exits.of(graph, slot).unwrap_or(phi);
            self.set(graph, slot, value);
        }
        exits.release(graph);
        graph.kill(closed.phis);
    }
}

#[cfg(feature = "ch08")]
impl OpenLoop {
    /// The value of the variable's Phi at the loop header.
    pub fn value(&self, graph: &Graph, slot: usize) -> NodeId {
        graph.input(self.phis, self.slots[&slot])
    }

    /// What changes between the loop's header and a target. The target is removed.
    pub fn changes(&self, graph: &mut Graph, target: Target) -> ScopeDelta {
        let mut changes = ScopeDelta::none(graph, target.control(graph));
        for (slot, new) in target.values(graph) {
            changes.push(graph, slot, new);
        }
        target.release(graph);
        changes
    }
}

impl ClosedLoop {
    /// The Phis, in the order of the variables.
    pub fn phis(&self, graph: &Graph) -> Vec<NodeId> {
        self.slots.iter().map(|&(_, at)| graph.input(self.phis, at)).collect()
    }
}

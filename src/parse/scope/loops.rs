//! Loops: each variable that the body may change has a Phi at the loop's head.
#[cfg(feature = "ch08")]
use super::target::Target;
use super::{Scope, ScopeDelta};
use crate::sea::{Graph, NodeId, Op, infer};
use arena::FxHashMap;

pub struct OpenLoop {
    head: NodeId,
    /// A Scope node that holds the Phis; for each variable that has one, which input it is.
    phis: NodeId,
    slots: FxHashMap<usize, usize>,
    /// What has changed, from the head on, where the loop is left.
    pub exits: Option<ScopeDelta>,
    /// Where `break` and `continue` lead to, once they were said.
    #[cfg(feature = "ch08")]
    pub targets: [Option<Target>; 2],
    /// How many variables there were before, and how long the log was.
    #[cfg(feature = "ch08")]
    pub count: usize,
    #[cfg(feature = "ch08")]
    pub logged: usize,
}

/// A loop whose body has been read: its Phis, with the slots of their variables.
pub struct ClosedLoop {
    phis: NodeId,
    /// In ascending order; each with its place among the inputs of `phis`.
    slots: Vec<(usize, usize)>,
    exits: ScopeDelta,
}

impl Scope<'_> {
    pub fn open_loop(&mut self, graph: &mut Graph, head: NodeId) {
        let phis = graph.create(Op::Scope, &[]);
        self.loops.push(OpenLoop {
            head,
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

    /// The loop is left at `control`, before its body has changed anything.
    pub fn expect_exit(&mut self, graph: &mut Graph, control: NodeId) {
        let exits = ScopeDelta::none(graph, control);
        self.loops.last_mut().expect("a loop is open").exits = Some(exits);
    }

    /// Makes the Phi of a variable at the head of an open loop. What comes back is not known yet.
    pub fn add_phi(&mut self, graph: &mut Graph, depth: usize, slot: usize) {
        let label = graph.label(self.variables[slot].name);
        let inside = &mut self.loops[depth];
        let entry = graph.input(self.node, slot);
        let phi = graph.create(Op::Phi(label), &[inside.head, entry]);
        let ty = infer(graph, phi);
        graph.set_type(phi, ty);
        inside.slots.insert(slot, graph.inputs(inside.phis).len());
        graph.add_input(inside.phis, phi);
        graph.set_input(self.node, slot, phi);
    }

    /// Closes the innermost loop, from whose end `back` leads to its head: completes its Phis, and
    /// puts back the values from before the loop.
    pub fn close_loop(&mut self, graph: &mut Graph, back: ScopeDelta) -> ClosedLoop {
        let open = self.loops.pop().expect("a loop is closed once");
        let OpenLoop { head, phis, slots, exits, .. } = open;
        graph.add_input(head, back.control(graph));
        let mut slots: Vec<_> = slots.into_iter().collect();
        slots.sort_unstable();
        for &(slot, at) in &slots {
            let phi = graph.input(phis, at);
            let value = back.of(graph, slot).map_or(phi, |(new, _)| new);
            graph.add_input(phi, value);
            graph.set_input(self.node, slot, graph.input(phi, 1));
        }
        back.forget(graph);
        ClosedLoop { phis, slots, exits: exits.expect("a loop has a condition") }
    }

    /// Behind a loop: variables have the values they had where it was left, or those of the Phis.
    pub fn exit_loop(&mut self, graph: &mut Graph, closed: ClosedLoop) {
        let exits = closed.exits;
        self.set_control(graph, exits.control(graph));
        for &(slot, at) in &closed.slots {
            let phi = graph.input(closed.phis, at);
            let value = exits.of(graph, slot).map_or(phi, |(new, _)| new);
            self.set(graph, slot, value);
        }
        exits.forget(graph);
        graph.kill(closed.phis);
    }
}

#[cfg(feature = "ch08")]
impl OpenLoop {
    /// The value at the loop's head of a variable that has gone into the loop.
    pub fn value(&self, graph: &Graph, slot: usize) -> NodeId {
        graph.input(self.phis, self.slots[&slot])
    }

    /// What changes between the loop's header and a target. The target is removed.
    pub fn changes(&self, graph: &mut Graph, target: Target) -> ScopeDelta {
        let mut changes = ScopeDelta::none(graph, target.control(graph));
        for (slot, new) in target.values(graph) {
            changes.push(graph, slot, new, self.value(graph, slot));
        }
        target.forget(graph);
        changes
    }
}

impl ClosedLoop {
    /// The Phis, in the order of the variables.
    pub fn phis(&self, graph: &Graph) -> Vec<NodeId> {
        self.slots.iter().map(|&(_, at)| graph.input(self.phis, at)).collect()
    }
}

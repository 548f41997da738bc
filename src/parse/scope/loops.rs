//! Loops: each variable that the body may change has a Phi at the loop header.
#[cfg(feature = "ch10")]
use super::facts::FactChanges;
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
    /// The changes that the condition makes.
    #[cfg(feature = "ch10")]
    condition: Option<ScopeDelta>,
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
    #[cfg(feature = "ch10")]
    facts: FactChanges,
}

impl Scope<'_> {
    pub fn open_loop(&mut self, graph: &mut Graph, header: NodeId) {
        let phis = graph.create(Op::Scope, &[]);
        #[cfg(feature = "ch10")]
        self.facts.enter_loop(self.variables.len());
        self.loops.push(OpenLoop {
            header,
            phis,
            slots: FxHashMap::default(),
            #[cfg(feature = "ch10")]
            condition: None,
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
        #[cfg(feature = "ch10")]
        let facts = self.facts.close_loop(&back.facts);
        back.release(graph);
        ClosedLoop {
            phis,
            slots,
            exits: exits.expect("a loop has a condition"),
            #[cfg(feature = "ch10")]
            facts,
        }
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
        #[cfg(feature = "ch10")]
        self.facts.apply(&closed.facts);
        exits.release(graph);
        graph.kill(closed.phis);
    }
}

/// The condition of a loop may change values: it may store to fields, and it may test variables.
#[cfg(feature = "ch10")]
impl Scope<'_> {
    /// Ends the condition of a loop: restores the values at the header.
    pub fn end_condition(&mut self, graph: &mut Graph) {
        let changes = self.rollback(graph);
        self.innermost().condition = Some(changes);
    }

    /// The exit and the body begin with the changes of the condition.
    pub fn repeat_condition(&mut self, graph: &mut Graph) {
        let changes = self.innermost().condition.take().expect("the condition has ended");
        for (slot, new) in changes.changes(graph) {
            self.set(graph, slot, new);
        }
        self.facts.apply(&changes.facts);
        self.innermost().condition = Some(changes);
    }

    /// Begins the body.
    pub fn begin_body(&mut self, graph: &mut Graph) {
        self.repeat_condition(graph);
        let changes = self.innermost().condition.take();
        changes.into_iter().for_each(|it| it.release(graph));
    }

    /// Sets the changes from the header to the exit at the condition.
    pub fn set_exit(&mut self, graph: &mut Graph, exits: ScopeDelta) {
        self.facts.set_exit(exits.facts.clone());
        let none = self.innermost().exits.replace(exits);
        none.into_iter().for_each(|none| none.release(graph));
    }

    fn innermost(&mut self) -> &mut OpenLoop {
        self.loops.last_mut().expect("a loop is open")
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

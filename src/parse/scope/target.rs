//! Where the jumps out of a loop's body lead, and what comes with them.
//!
//! Many jumps may lead to one place, and between two of them few variables may change. So a
//! target remembers on which variables it differed from the scope at the last jump, and the scope
//! writes a log of those that are given a value. At the next jump only these are compared: it
//! costs what has changed, and the Phis it makes, however many variables there are.
use super::{Scope, ScopeDelta};
use crate::sea::{Graph, NodeId, Op};
use arena::FxHashMap;

/// The ways out of a body that a program can spell.
#[derive(Clone, Copy)]
pub enum Jump {
    Break,
    Continue,
}

/// What has come to one place so far.
pub struct Target {
    /// A Scope node: control, and the values that are not those of the loop's head.
    node: NodeId,
    /// For each variable the input that is its value.
    places: FxHashMap<usize, usize>,
    /// The variables on which it may differ from the scope at the last jump.
    differing: Vec<usize>,
    /// How long the log was at the last jump.
    logged: usize,
}

impl Target {
    /// Control comes from `control`, with the values of the loop's header, where the log had the
    /// length `logged`.
    fn new(graph: &mut Graph, control: NodeId, logged: usize) -> Target {
        let node = graph.create(Op::Scope, &[control]);
        let (places, differing) = (FxHashMap::default(), Vec::new());
        Target { node, places, differing, logged }
    }

    pub fn control(&self, graph: &Graph) -> NodeId {
        graph.input(self.node, 0)
    }

    pub fn set_control(&self, graph: &mut Graph, control: NodeId) {
        graph.set_input(self.node, 0, control);
    }

    fn value(&self, graph: &Graph, slot: usize) -> Option<NodeId> {
        self.places.get(&slot).map(|&at| graph.input(self.node, at))
    }

    pub fn set(&mut self, graph: &mut Graph, slot: usize, value: NodeId) {
        match self.places.get(&slot) {
            Some(&at) => graph.set_input(self.node, at, value),
            None => {
                self.places.insert(slot, graph.inputs(self.node).len());
                graph.add_input(self.node, value);
            }
        }
    }

    /// The variables with values of their own, in ascending order, and the values.
    pub fn values(&self, graph: &Graph) -> Vec<(usize, NodeId)> {
        let mut places: Vec<_> = self.places.iter().map(|(&slot, &at)| (slot, at)).collect();
        places.sort_unstable();
        places.into_iter().map(|(slot, at)| (slot, graph.input(self.node, at))).collect()
    }

    /// Removes the target. Values that have no other use are removed, too.
    pub fn forget(self, graph: &mut Graph) {
        graph.kill(self.node);
    }
}

impl Scope<'_> {
    /// A variable has got a value.
    pub fn log(&mut self, slot: usize) {
        if self.is_in_loop() {
            self.log.push(slot);
        }
    }

    pub fn is_in_loop(&self) -> bool {
        !self.loops.is_empty()
    }

    /// Takes out what has come to the target of a jump so far; nothing may have come there.
    pub fn take_target(&mut self, graph: &mut Graph, jump: Jump) -> Option<Target> {
        let inside = self.loops.last_mut().expect("a loop is open");
        let known = inside.targets[jump as usize].take();
        match jump {
            Jump::Break => {
                let exit = inside.exits.as_ref().map(|exits| exits.control(graph));
                known.or_else(|| exit.map(|exit| Target::new(graph, exit, inside.logged)))
            }
            Jump::Continue => known,
        }
    }

    /// This is the first jump there: control and all values come from here.
    pub fn first_target(&self, graph: &mut Graph) -> Target {
        let inside = self.loops.last().expect("a loop is open");
        let mut target = Target::new(graph, self.control(graph), inside.logged);
        for (slot, _, here) in self.differences(graph, &target) {
            target.set(graph, slot, here);
        }
        target
    }

    /// Where the target differs from the scope: the variables in ascending order, the values they
    /// have there, and those they have here.
    pub fn differences(&self, graph: &Graph, target: &Target) -> Vec<(usize, NodeId, NodeId)> {
        let inside = self.loops.last().expect("a loop is open");
        let changed = target.differing.iter().chain(&self.log[target.logged..]).copied();
        let mut slots: Vec<_> = changed.filter(|&slot| slot < inside.count).collect();
        slots.sort_unstable();
        slots.dedup();
        let values = |slot| {
            let there = target.value(graph, slot).unwrap_or_else(|| inside.value(graph, slot));
            (slot, there, graph.input(self.node, slot))
        };
        slots.into_iter().map(values).filter(|(_, there, here)| there != here).collect()
    }

    /// Another jump has come to the target; on `differing` it may differ from the scope.
    pub fn put_target(&mut self, jump: Jump, mut target: Target, differing: Vec<usize>) {
        (target.differing, target.logged) = (differing, self.log.len());
        let inside = self.loops.last_mut().expect("a loop is open");
        inside.targets[jump as usize] = Some(target);
    }

    /// Nothing more jumps: hands out what has changed where `continue` was said, once it was.
    pub fn close_targets(&mut self, graph: &mut Graph) -> Option<ScopeDelta> {
        let inside = self.loops.last_mut().expect("a loop is open");
        let [breaks, continues] = std::mem::take(&mut inside.targets);
        if let Some(breaks) = breaks {
            let exits = inside.changes(graph, breaks);
            inside.exits.replace(exits).into_iter().for_each(|exits| exits.forget(graph));
        }
        continues.map(|continues| inside.changes(graph, continues))
    }
}

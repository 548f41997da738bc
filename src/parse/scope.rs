//! What the names of a program mean at the place that is being read.
//!
//! The values stand in a node of the sea, one input for each visible variable: so the graph
//! knows that somebody may still ask for them. The names stand here.
use crate::sea::dot::Bindings;
use crate::sea::{Graph, NodeId, Op};
use std::collections::HashMap;

pub struct Scope<'s> {
    node: NodeId,
    /// The name of each input of the node.
    names: Vec<&'s str>,
    /// For each open block, the first input that belongs to it.
    levels: Vec<usize>,
    /// For each name, the inputs it names, the innermost last.
    slots: HashMap<&'s str, Vec<usize>>,
}

impl<'s> Scope<'s> {
    pub fn new(graph: &mut Graph) -> Scope<'s> {
        let node = graph.create(Op::Scope, &[]);
        Scope { node, names: Vec::new(), levels: vec![0], slots: HashMap::new() }
    }

    /// Opens a block.
    pub fn push(&mut self) {
        self.levels.push(self.names.len());
    }

    /// Closes the innermost block: its names are gone, and so are values only they kept alive.
    pub fn pop(&mut self, graph: &mut Graph) {
        let first = self.levels.pop().expect("a block is closed once");
        for name in self.names.drain(first..).rev() {
            graph.pop_input(self.node);
            self.slots.get_mut(name).and_then(Vec::pop);
        }
    }

    /// Declares `name` in the innermost block; false if this block has declared it before.
    pub fn define(&mut self, graph: &mut Graph, name: &'s str, value: NodeId) -> bool {
        let slots = self.slots.entry(name).or_default();
        let level = self.levels.last().copied().unwrap_or_default();
        if slots.last().is_some_and(|&slot| slot >= level) {
            return false;
        }
        slots.push(self.names.len());
        self.names.push(name);
        graph.add_input(self.node, value);
        true
    }

    /// The value of the innermost variable called `name`.
    pub fn lookup(&self, graph: &Graph, name: &str) -> Option<NodeId> {
        Some(graph.input(self.node, self.slot(name)?))
    }

    /// Gives the innermost variable called `name` a new value; false if there is none.
    pub fn update(&mut self, graph: &mut Graph, name: &str, value: NodeId) -> bool {
        let slot = self.slot(name);
        slot.inspect(|&slot| graph.set_input(self.node, slot, value)).is_some()
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.slots.get(name)?.last().copied()
    }

    /// Every visible name, the innermost first.
    pub fn names(&self) -> impl Iterator<Item = &'s str> {
        self.names.iter().rev().copied()
    }

    /// What a picture shows of this scope.
    pub fn bindings(&self) -> Bindings {
        let ends = self.levels[1..].iter().copied().chain([self.names.len()]);
        let levels = self.levels.iter().zip(ends);
        let owned = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let levels = levels.map(|(&from, to)| owned(&self.names[from..to])).collect();
        Bindings { scope: self.node, levels }
    }
}

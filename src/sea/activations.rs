//! The values of nodes while functions call each other: each activation of a function, from its
//! call to its return, has values of its own.
//!
//! There is one table for all activations. An activation that sets the value of a node for the
//! first time saves the value of another one, and restores it when it returns. So a call costs as
//! much as the function does, whatever the number of nodes.
use super::op::NodeId;
use arena::SideTable;
use std::ops::{Index, IndexMut};

/// The values of the nodes in the current activation.
pub struct Values<T> {
    values: SideTable<NodeId, T>,
    /// The activation that set the value of each node.
    owners: SideTable<NodeId, u64>,
    /// The current activation, from 0 on.
    current: u64,
    /// The number of calls so far.
    calls: u64,
    /// The activations that wait, the innermost last.
    waiting: Vec<Activation<T>>,
    /// The value of a node that has none.
    none: T,
}

/// The owner of a value that all activations share.
const SHARED: u64 = u64::MAX;

struct Activation<T> {
    number: u64,
    /// The values that the function that it called has replaced, and their owners.
    replaced: Vec<(NodeId, T, u64)>,
}

impl<T: Clone + Default> Values<T> {
    /// No node has a value; the tables have space for so many.
    pub fn new(nodes: usize) -> Values<T> {
        Values {
            values: SideTable::new(nodes),
            owners: SideTable::new(nodes),
            current: 0,
            calls: 0,
            waiting: Vec::new(),
            none: T::default(),
        }
    }

    /// Begins an activation without values.
    pub fn call(&mut self) {
        self.waiting.push(Activation { number: self.current, replaced: Vec::new() });
        self.calls += 1;
        self.current = self.calls;
    }

    /// Shares the value of a node with all activations: no function computes it.
    pub fn share(&mut self, id: NodeId) {
        self.owners[id] = SHARED;
    }

    /// Ends the current activation.
    pub fn leave(&mut self) {
        let caller = self.waiting.pop().expect("a function has been called");
        for (id, value, owner) in caller.replaced.into_iter().rev() {
            (self.values[id], self.owners[id]) = (value, owner);
        }
        self.current = caller.number;
    }
}

impl<T> Index<NodeId> for Values<T>
where
    SideTable<NodeId, T>: Index<NodeId, Output = T>,
{
    type Output = T;

    fn index(&self, id: NodeId) -> &T {
        match self.owners[id] {
            owner if owner == self.current || owner == SHARED => &self.values[id],
            _ => &self.none,
        }
    }
}

impl<T: Clone + Default> IndexMut<NodeId> for Values<T>
where
    SideTable<NodeId, T>: IndexMut<NodeId, Output = T>,
{
    fn index_mut(&mut self, id: NodeId) -> &mut T {
        if self.owners[id] != self.current {
            let replaced = std::mem::take(&mut self.values[id]);
            if let Some(caller) = self.waiting.last_mut() {
                caller.replaced.push((id, replaced, self.owners[id]));
            }
            self.owners[id] = self.current;
        }
        &mut self.values[id]
    }
}

//! Def-use chains: edges from users to definitions that can be followed in both directions.
//!
//! An edge is in two lists: among its user's inputs, which are contiguous in one array, and in a
//! doubly linked list of all uses of its definition. So adding, changing and removing an edge takes
//! constant time, however many users a node has.
use crate::Id;

/// The inputs and the users of the nodes of a graph.
#[derive(Clone, Debug)]
pub struct DefUse<I> {
    nodes: Vec<Node>,
    edges: Vec<Edge<I>>,
}

#[derive(Clone, Debug)]
struct Node {
    /// Its inputs are `edges[first..first + count]`.
    first: u32,
    count: u32,
    /// The capacity for inputs at this place.
    capacity: u32,
    /// The latest edge to this node, or `NONE`.
    last_use: u32,
    uses: u32,
}

/// A use of `def` by `user`, linked with the other uses of `def`.
#[derive(Clone, Copy, Debug)]
struct Edge<I> {
    user: I,
    def: I,
    next: u32,
    previous: u32,
}

const NONE: u32 = u32::MAX;

impl<I> Default for DefUse<I> {
    fn default() -> Self {
        DefUse { nodes: Vec::new(), edges: Vec::new() }
    }
}

impl<I: Id> DefUse<I> {
    /// Reserves memory for `count` more nodes, with two inputs each.
    pub fn reserve(&mut self, count: usize) {
        self.nodes.reserve(count);
        self.edges.reserve(2 * count);
    }

    /// Adds the node with the next id, with these inputs, and memory for `capacity` of them.
    pub fn push(&mut self, inputs: &[I], capacity: usize) -> I {
        let id = I::from_index(self.nodes.len());
        let (first, count) = (self.edges.len() as u32, inputs.len() as u32);
        let capacity = count.max(capacity as u32);
        self.nodes.push(Node { first, count, capacity, last_use: NONE, uses: 0 });
        self.edges.resize((first + capacity) as usize, Edge::unused(id));
        inputs.iter().zip(first..).for_each(|(&input, at)| self.link(at, input));
        id
    }

    /// The inputs of a node, in order.
    pub fn inputs(&self, id: I) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone {
        let node = &self.nodes[id.index()];
        let edges = &self.edges[node.first as usize..(node.first + node.count) as usize];
        edges.iter().map(|edge| edge.def)
    }

    /// The input at this position.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn input(&self, id: I, at: usize) -> I {
        self.edges[self.place(id, at) as usize].def
    }

    /// The first inputs, all at once.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn first_inputs<const N: usize>(&self, id: I) -> [I; N] {
        let node = &self.nodes[id.index()];
        let edges = &self.edges[node.first as usize..(node.first + node.count) as usize];
        let first = edges.first_chunk::<N>().expect("so many inputs");
        first.map(|edge| edge.def)
    }

    /// The users of a node, the latest first; a user appears once for each of its uses.
    pub fn users(&self, id: I) -> impl Iterator<Item = I> {
        let edge = |at: u32| self.edges.get(at as usize);
        std::iter::successors(edge(self.nodes[id.index()].last_use), move |it| edge(it.previous))
            .map(|edge| edge.user)
    }

    /// The number of uses.
    pub fn uses(&self, id: I) -> usize {
        self.nodes[id.index()].uses as usize
    }

    /// The latest use of a node: its user, and the position among the user's inputs.
    pub fn last_use(&self, id: I) -> Option<(I, usize)> {
        let at = self.nodes[id.index()].last_use;
        let edge = self.edges.get(at as usize)?;
        Some((edge.user, (at - self.nodes[edge.user.index()].first) as usize))
    }

    /// Appends an input.
    pub fn add(&mut self, id: I, input: I) {
        let node = &self.nodes[id.index()];
        if node.count == node.capacity {
            self.grow(id);
        }
        let node = &mut self.nodes[id.index()];
        let at = node.first + node.count;
        node.count += 1;
        self.link(at, input);
    }

    /// Changes the input at this position, and returns the old one.
    ///
    /// # Panics
    /// If there are fewer inputs.
    pub fn set(&mut self, id: I, at: usize, input: I) -> I {
        let at = self.place(id, at);
        let old = self.edges[at as usize].def;
        self.unlink(at);
        self.link(at, input);
        old
    }

    /// Removes the last input and returns it.
    pub fn pop(&mut self, id: I) -> Option<I> {
        let node = &mut self.nodes[id.index()];
        node.count = node.count.checked_sub(1)?;
        let at = node.first + node.count;
        self.unlink(at);
        Some(self.edges[at as usize].def)
    }

    /// Counts one more use of a node, which has no user. `release` ends it.
    pub fn hold(&mut self, id: I) {
        self.nodes[id.index()].uses += 1;
    }

    /// Ends a use that `hold` has counted.
    pub fn release(&mut self, id: I) {
        self.nodes[id.index()].uses -= 1;
    }

    /// The edge of the input at this position.
    fn place(&self, id: I, at: usize) -> u32 {
        let node = &self.nodes[id.index()];
        assert!(at < node.count as usize, "node {} has no input {at}", id.index());
        node.first + at as u32
    }

    /// Doubles the capacity for inputs: moves them to the end of the array of edges.
    fn grow(&mut self, id: I) {
        let Node { first, count, .. } = self.nodes[id.index()];
        let capacity = (2 * count).max(4);
        let inputs: Vec<_> = self.inputs(id).collect();
        (first..first + count).for_each(|at| self.unlink(at));
        let moved = self.edges.len() as u32;
        self.edges.resize((moved + capacity) as usize, Edge::unused(id));
        let node = &mut self.nodes[id.index()];
        (node.first, node.capacity) = (moved, capacity);
        inputs.into_iter().zip(moved..).for_each(|(input, at)| self.link(at, input));
    }

    /// Makes the edge at `at` the latest use of `def`.
    fn link(&mut self, at: u32, def: I) {
        let node = &mut self.nodes[def.index()];
        let last = std::mem::replace(&mut node.last_use, at);
        node.uses += 1;
        if last != NONE {
            self.edges[last as usize].next = at;
        }
        let edge = &mut self.edges[at as usize];
        (edge.def, edge.previous, edge.next) = (def, last, NONE);
    }

    /// Removes the edge at `at` from the uses of its definition.
    fn unlink(&mut self, at: u32) {
        let Edge { def, next, previous, .. } = self.edges[at as usize];
        let node = &mut self.nodes[def.index()];
        node.uses -= 1;
        match next {
            NONE => node.last_use = previous,
            _ => self.edges[next as usize].previous = previous,
        }
        if previous != NONE {
            self.edges[previous as usize].next = next;
        }
    }
}

impl<I: Id> Edge<I> {
    /// An unused edge of `user`.
    fn unused(user: I) -> Edge<I> {
        Edge { user, def: user, next: NONE, previous: NONE }
    }
}

#[cfg(test)]
#[path = "tests/def_use.rs"]
mod tests;

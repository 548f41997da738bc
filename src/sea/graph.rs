//! The graph: nodes, and edges that can be followed in both directions. Only this file changes it.
//!
//! An edge is in two lists: among its user's inputs, which are contiguous in one array, and in a
//! doubly linked list of all uses of its definition. So adding, changing and removing an edge takes
//! constant time, however many users a node has.
#[cfg(feature = "ch09")]
use super::gvn_table::{GvnTable, hash};
#[cfg(feature = "ch05")]
use super::op::Label;
use super::op::{NodeId, Op};
#[cfg(feature = "ch02")]
use crate::types::Type;
use crate::types::Types;
use arena::Arena;
#[cfg(feature = "ch09")]
use arena::SideTable;
#[cfg(feature = "ch09")]
use picture::Kind;
#[cfg(feature = "ch09")]
use source::Span;

#[derive(Clone, Debug)]
struct Node {
    op: Op,
    #[cfg(feature = "ch02")]
    ty: Type,
    /// Its inputs are `edges[first..first + count]`.
    first: u32,
    count: u32,
    /// The capacity for inputs at this place.
    capacity: u32,
    /// The latest edge to this node, or `NONE`.
    last_use: u32,
    uses: u32,
    /// One more than that of the deepest input at its creation.
    #[cfg(feature = "ch06")]
    depth: u32,
    /// How many of its uses are predicates of Ifs.
    #[cfg(feature = "ch06")]
    tests: u32,
    /// Of a join, the immediate dominator, if it is cached; the join itself if it is too far up.
    #[cfg(feature = "ch06")]
    dominator: Option<NodeId>,
    /// Its hash in the value numbering table; 0 if it is not in the table.
    #[cfg(feature = "ch09")]
    hash: u32,
}

/// A use of `def` by `user`, linked with the other uses of `def`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    user: NodeId,
    def: NodeId,
    next: u32,
    previous: u32,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Graph {
    pub types: Types,
    nodes: Arena<NodeId, Node>,
    edges: Vec<Edge>,
    /// The labels of Phis.
    #[cfg(feature = "ch05")]
    labels: Labels,
    #[cfg(feature = "ch09")]
    gvn_table: GvnTable,
    /// Nodes that lost a user and are still in the graph, if they have at most one user left or are
    /// control.
    #[cfg(feature = "ch09")]
    pub released: Vec<NodeId>,
    /// The tokens that nodes were made for, and that of the next nodes.
    #[cfg(feature = "ch09")]
    origins: SideTable<NodeId, Option<Span>>,
    #[cfg(feature = "ch09")]
    origin: Option<Span>,
    pub start: NodeId,
    /// The Return, or the Stop that collects all Returns; the Start until there is one.
    pub end: NodeId,
}

impl Default for Graph {
    /// A graph without nodes; its start and its end must be set.
    fn default() -> Self {
        let first = arena::Id::from_index(0);
        let (types, nodes) = (Types::default(), Arena::default());
        Graph {
            types,
            nodes,
            edges: Vec::new(),
            #[cfg(feature = "ch05")]
            labels: Labels::default(),
            #[cfg(feature = "ch09")]
            gvn_table: GvnTable::default(),
            #[cfg(feature = "ch09")]
            released: Vec::new(),
            #[cfg(feature = "ch09")]
            origins: SideTable::new(0),
            #[cfg(feature = "ch09")]
            origin: None,
            start: first,
            end: first,
        }
    }
}

impl Graph {
    /// Makes a node. Missing inputs are added later by `add_input`.
    pub fn create(&mut self, op: Op, inputs: &[NodeId]) -> NodeId {
        let capacity = op.row().inputs.unwrap_or(0).max(inputs.len());
        let node = Node {
            op,
            #[cfg(feature = "ch02")]
            ty: Type::TOP,
            first: self.edges.len() as u32,
            count: 0,
            capacity: capacity as u32,
            last_use: NONE,
            uses: 0,
            #[cfg(feature = "ch06")]
            depth: self.depth_from(inputs),
            #[cfg(feature = "ch06")]
            tests: 0,
            #[cfg(feature = "ch06")]
            dominator: None,
            #[cfg(feature = "ch09")]
            hash: 0,
        };
        let id = self.nodes.push(node);
        #[cfg(feature = "ch09")]
        self.note_origin(id);
        self.edges.resize(self.edges.len() + capacity, Edge::unused(id));
        for &input in inputs {
            self.add_input(id, input);
        }
        id
    }

    /// Sets the token of the next nodes; returns that of the last ones.
    #[cfg(feature = "ch09")]
    pub fn set_origin(&mut self, origin: Option<Span>) -> Option<Span> {
        std::mem::replace(&mut self.origin, origin)
    }

    #[cfg(feature = "ch09")]
    fn note_origin(&mut self, id: NodeId) {
        self.origins[id] = self.origin;
    }

    #[cfg(feature = "ch09")]
    pub fn origin(&self, id: NodeId) -> Option<Span> {
        self.origins[id]
    }

    pub fn op(&self, id: NodeId) -> Op {
        self.nodes[id].op
    }

    #[cfg(feature = "ch02")]
    pub fn ty(&self, id: NodeId) -> Type {
        self.nodes[id].ty
    }

    #[cfg(feature = "ch02")]
    pub fn set_type(&mut self, id: NodeId, ty: Type) {
        self.nodes[id].ty = ty;
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        self.nodes.ids()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn inputs(
        &self,
        id: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator {
        let node = &self.nodes[id];
        let edges = &self.edges[node.first as usize..(node.first + node.count) as usize];
        edges.iter().map(|edge| edge.def)
    }

    pub fn input(&self, id: NodeId, at: usize) -> NodeId {
        assert!(at < self.nodes[id].count as usize, "{id:?} has no input {at}");
        self.edges[self.nodes[id].first as usize + at].def
    }

    /// The users of the node, the latest first; a user appears once for each of its uses.
    pub fn users(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let edge = |at: u32| self.edges.get(at as usize);
        std::iter::successors(edge(self.nodes[id].last_use), move |it| edge(it.previous))
            .map(|edge| edge.user)
    }

    pub fn uses(&self, id: NodeId) -> usize {
        self.nodes[id].uses as usize
    }

    /// Appends an input.
    pub fn add_input(&mut self, id: NodeId, input: NodeId) {
        if self.nodes[id].count == self.nodes[id].capacity {
            self.grow_inputs(id);
        }
        let at = self.nodes[id].first + self.nodes[id].count;
        self.nodes[id].count += 1;
        self.link(at, input);
    }

    /// Doubles the capacity for inputs: moves them to the end of the array of edges.
    fn grow_inputs(&mut self, id: NodeId) {
        let Node { first, count, .. } = self.nodes[id];
        let capacity = (2 * count).max(4);
        let inputs: Vec<_> = self.inputs(id).collect();
        (first..first + count).for_each(|at| self.unlink(at));
        let moved = self.edges.len() as u32;
        self.edges.resize((moved + capacity) as usize, Edge::unused(id));
        (self.nodes[id].first, self.nodes[id].capacity) = (moved, capacity);
        inputs.into_iter().zip(moved..).for_each(|(input, at)| self.link(at, input));
    }

    /// Makes the edge at `at` a use of `def`.
    fn link(&mut self, at: u32, def: NodeId) {
        #[cfg(feature = "ch09")]
        self.unlock(at);
        let last = std::mem::replace(&mut self.nodes[def].last_use, at);
        if last != NONE {
            self.edges[last as usize].next = at;
        }
        self.nodes[def].uses += 1;
        let edge = &mut self.edges[at as usize];
        (edge.def, edge.previous, edge.next) = (def, last, NONE);
        #[cfg(feature = "ch06")]
        self.count_test(at, true);
    }

    /// Removes the edge at `at` from the uses of its definition.
    fn unlink(&mut self, at: u32) {
        #[cfg(feature = "ch09")]
        self.unlock(at);
        #[cfg(feature = "ch06")]
        self.count_test(at, false);
        let Edge { def, next, previous, .. } = self.edges[at as usize];
        match next {
            NONE => self.nodes[def].last_use = previous,
            _ => self.edges[next as usize].previous = previous,
        }
        if previous != NONE {
            self.edges[previous as usize].next = next;
        }
        self.nodes[def].uses -= 1;
    }
}

#[cfg(feature = "ch02")]
impl Graph {
    /// Removes a node without users, and all inputs that have no other users.
    pub fn kill(&mut self, id: NodeId) {
        let (mut next, mut dead) = (Some(id), Vec::new());
        while let Some(id) = next {
            assert_eq!(self.nodes[id].uses, 0, "{id:?} is still used");
            while self.nodes[id].count > 0 {
                let input = self.pop_edge(id);
                if self.nodes[input].uses == 0 {
                    dead.push(input);
                }
                #[cfg(feature = "ch09")]
                self.note_release(input);
            }
            next = dead.pop();
        }
    }

    /// Removes the last input and returns it; it may have no users left.
    fn pop_edge(&mut self, id: NodeId) -> NodeId {
        self.nodes[id].count -= 1;
        let at = self.nodes[id].first + self.nodes[id].count;
        self.unlink(at);
        self.edges[at as usize].def
    }

    /// Removes `id` if it has no users, but keeps `kept`.
    pub fn kill_unless_used(&mut self, id: NodeId, kept: NodeId) {
        if self.nodes[id].uses == 0 {
            self.nodes[kept].uses += 1;
            self.kill(id);
            self.nodes[kept].uses -= 1;
            #[cfg(feature = "ch09")]
            self.note_release(kept);
        }
    }
}

#[cfg(feature = "ch03")]
impl Graph {
    /// Removes the last input of `id`, and all nodes that are unused then.
    pub fn pop_input(&mut self, id: NodeId) {
        let input = self.pop_edge(id);
        self.release(input);
    }

    /// Changes the input at `at`, and removes all nodes that are unused then.
    pub fn set_input(&mut self, id: NodeId, at: usize, input: NodeId) {
        let at = self.nodes[id].first + at as u32;
        let old = self.edges[at as usize].def;
        self.nodes[old].uses += 1;
        self.unlink(at);
        self.link(at, input);
        self.nodes[old].uses -= 1;
        self.release(old);
    }

    /// Handles the loss of a user.
    fn release(&mut self, id: NodeId) {
        if self.nodes[id].uses == 0 {
            self.kill(id);
        }
        #[cfg(feature = "ch09")]
        self.note_release(id);
    }
}

/// Value numbering.
#[cfg(feature = "ch09")]
impl Graph {
    /// The node in the table that is congruent to `id`; if there is none, `id` itself is inserted,
    /// and locked.
    pub fn value_number(&mut self, id: NodeId) -> NodeId {
        // A Phi without its back edge may still differ from others.
        let incomplete = self.op(id).row().inputs != Some(self.inputs(id).len());
        if self.is_in_gvn_table(id) || incomplete {
            return id;
        }
        let op = self.op(id).without_label();
        let hash = hash(op, self.inputs(id));
        let same = |&other: &NodeId| {
            self.op(other).without_label() == op && self.inputs(other).eq(self.inputs(id))
        };
        if let Some(known) = self.gvn_table.candidates(hash).find(same) {
            return known;
        }
        self.nodes[id].hash = hash;
        self.gvn_table.insert(hash, id);
        id
    }

    fn is_in_gvn_table(&self, id: NodeId) -> bool {
        self.nodes[id].hash != 0
    }

    /// The user of the edge at `at` is about to change: it leaves the table.
    fn unlock(&mut self, at: u32) {
        let user = self.edges[at as usize].user;
        let hash = std::mem::take(&mut self.nodes[user].hash);
        if hash != 0 {
            self.gvn_table.remove(hash, user);
        }
    }

    /// Removes the inputs for which `keep` is false; the others stay in order.
    pub fn retain_inputs(&mut self, id: NodeId, keep: impl Fn(&Graph, NodeId) -> bool) {
        let kept: Vec<_> = self.inputs(id).filter(|&input| keep(self, input)).collect();
        for (at, &input) in kept.iter().enumerate() {
            self.set_input(id, at, input);
        }
        while self.nodes[id].count > kept.len() as u32 {
            self.pop_input(id);
        }
    }

    /// Rules look at the number of users only if it is at most one, except for control.
    fn note_release(&mut self, id: NodeId) {
        if self.nodes[id].uses < 2 || self.op(id).row().kind == Kind::Control {
            self.released.push(id);
        }
    }
}

/// Data for dominators.
#[cfg(feature = "ch06")]
impl Graph {
    fn count_test(&mut self, at: u32, is_added: bool) {
        let Edge { user, def, .. } = self.edges[at as usize];
        if self.nodes[user].op == Op::If {
            let tests = &mut self.nodes[def].tests;
            *tests = if is_added { *tests + 1 } else { *tests - 1 };
        }
    }

    /// Whether several Ifs test it.
    pub fn is_tested_again(&self, id: NodeId) -> bool {
        self.nodes[id].tests > 1
    }

    fn depth_from(&self, inputs: &[NodeId]) -> u32 {
        inputs.iter().map(|&input| self.nodes[input].depth + 1).max().unwrap_or(0)
    }

    /// The length of the longest path to a control node, without back edges.
    pub fn depth(&self, id: NodeId) -> u32 {
        self.nodes[id].depth
    }

    /// The immediate dominator of a join, if it is cached and still in the graph.
    pub fn dominator(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id].dominator.filter(|&it| self.nodes[it].uses > 0)
    }

    pub fn set_dominator(&mut self, id: NodeId, dominator: NodeId) {
        self.nodes[id].dominator = Some(dominator);
    }
}

/// Labels of Phis, and replacement.
#[cfg(feature = "ch05")]
impl Graph {
    /// The label for the variable `name`.
    pub fn label(&mut self, name: &str) -> Label {
        if let Some(&known) = self.labels.known.get(name) {
            return known;
        }
        let label = self.labels.names.push(name.to_string());
        self.labels.known.insert(name.to_string(), label);
        label
    }

    pub fn label_name(&self, label: Label) -> &str {
        &self.labels.names[label]
    }

    /// Makes every user of `old` use `new`, and removes `old`.
    pub fn replace(&mut self, old: NodeId, new: NodeId) {
        while self.nodes[old].last_use != NONE {
            let at = self.nodes[old].last_use;
            self.unlink(at);
            self.link(at, new);
        }
        self.kill_unless_used(old, new);
    }
}

#[cfg(feature = "ch04")]
impl Graph {
    /// Swaps the two inputs.
    pub fn swap_inputs(&mut self, id: NodeId) {
        let (left, right) = (self.input(id, 0), self.input(id, 1));
        let first = self.nodes[id].first;
        self.unlink(first);
        self.unlink(first + 1);
        self.link(first, right);
        self.link(first + 1, left);
    }
}

/// The names of variables, without duplicates.
#[cfg(feature = "ch05")]
#[derive(Clone, Debug, Default)]
struct Labels {
    names: Arena<Label, String>,
    known: arena::FxHashMap<String, Label>,
}

impl Edge {
    /// An unused edge of `user`.
    fn unused(user: NodeId) -> Edge {
        Edge { user, def: user, next: NONE, previous: NONE }
    }
}

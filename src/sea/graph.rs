//! The graph: nodes, and edges that can be followed in both directions. Only this file changes it.
#[cfg(feature = "ch09")]
use super::gvn_table::{GvnTable, hash};
#[cfg(feature = "ch05")]
use super::labels::Labels;
use super::op::{NodeId, Op};
#[cfg(feature = "ch15")]
use crate::traps::{Trap, TrapId};
#[cfg(feature = "ch18")]
use crate::types::FunctionId;
use crate::types::Types;
#[cfg(feature = "ch02")]
use crate::types::{Type, value_class};
use arena::{Arena, DefUse};
use picture::Kind;
use source::Span;

#[derive(Clone, Debug)]
struct Node {
    op: Op,
    #[cfg(feature = "ch02")]
    ty: Type,
    /// The kind of its operation, times 4, and the class of its value.
    #[cfg(feature = "ch02")]
    class: u8,
    /// One more than that of the deepest input at its creation.
    #[cfg(feature = "ch06")]
    depth: u32,
    /// How many of its uses are predicates of Ifs; of a join, how many Phis it has.
    #[cfg(feature = "ch06")]
    tests_or_phis: u32,
    /// Of a join, the immediate dominator, if it is cached; the join itself if it is too far up.
    #[cfg(feature = "ch06")]
    dominator: Option<NodeId>,
    /// Its hash in the value numbering table; 0 if it is not in the table.
    #[cfg(feature = "ch09")]
    hash: u32,
}

#[derive(Clone, Debug)]
pub struct Graph {
    pub types: Types,
    nodes: Arena<NodeId, Node>,
    /// The inputs and the users of each node.
    edges: DefUse<NodeId>,
    /// The labels of Phis.
    #[cfg(feature = "ch05")]
    pub labels: Labels,
    #[cfg(feature = "ch09")]
    gvn_table: GvnTable,
    /// Nodes that lost a user and are still in the graph, if they have at most one user left or are
    /// control.
    #[cfg(feature = "ch09")]
    pub released: Vec<NodeId>,
    /// The tokens that nodes were made for, and that of the next nodes.
    #[cfg(feature = "ch09")]
    origins: Arena<NodeId, Option<Span>>,
    #[cfg(feature = "ch09")]
    origin: Option<Span>,
    pub start: NodeId,
    /// The Return, or the Stop that collects all Returns; the Start until there is one.
    pub end: NodeId,
    /// The type of the result: integers, or pointers to objects of one struct.
    #[cfg(feature = "ch10")]
    pub result: Type,
    /// The places of the Traps.
    #[cfg(feature = "ch15")]
    pub traps: Arena<TrapId, Trap>,
    /// The entry of each function whose body has been parsed.
    #[cfg(feature = "ch18")]
    pub entries: arena::SideTable<FunctionId, Option<NodeId>>,
    /// The names of the parameters of each function.
    #[cfg(feature = "ch18")]
    pub parameters: arena::FxHashMap<FunctionId, Vec<String>>,
}

impl Default for Graph {
    /// A graph without nodes; its start and its end must be set.
    fn default() -> Self {
        let first = arena::Id::from_index(0);
        Graph {
            types: Types::default(),
            nodes: Arena::default(),
            edges: DefUse::default(),
            #[cfg(feature = "ch05")]
            labels: Labels::default(),
            #[cfg(feature = "ch09")]
            gvn_table: GvnTable::default(),
            #[cfg(feature = "ch09")]
            released: Vec::new(),
            #[cfg(feature = "ch09")]
            origins: Arena::default(),
            #[cfg(feature = "ch09")]
            origin: None,
            start: first,
            end: first,
            #[cfg(feature = "ch10")]
            result: Type::INTEGER,
            #[cfg(feature = "ch15")]
            traps: Arena::default(),
            #[cfg(feature = "ch18")]
            entries: arena::SideTable::new(0),
            #[cfg(feature = "ch18")]
            parameters: arena::FxHashMap::default(),
        }
    }
}

impl Graph {
    /// Makes a node.
    /// @ch02 Missing inputs are added later by `add_input`.
    pub fn create(&mut self, op: Op, inputs: &[NodeId]) -> NodeId {
        let node = Node {
            op,
            #[cfg(feature = "ch02")]
            ty: Type::TOP,
            #[cfg(feature = "ch02")]
            class: 4 * op.kind(),
            #[cfg(feature = "ch06")]
            depth: self.depth_from(inputs),
            #[cfg(feature = "ch06")]
            tests_or_phis: 0,
            #[cfg(feature = "ch06")]
            dominator: None,
            #[cfg(feature = "ch09")]
            hash: 0,
        };
        let id = self.nodes.push(node);
        // Most nodes that may have any number of inputs, such as Phis and scopes, have few.
        self.edges.push(inputs, op.row().inputs.unwrap_or(4));
        #[cfg(feature = "ch09")]
        self.origins.push(self.origin);
        #[cfg(feature = "ch06")]
        inputs.iter().for_each(|&input| self.count_use(id, input, true));
        id
    }

    /// Reserves memory for this many nodes.
    #[cfg(feature = "ch09")]
    pub fn reserve(&mut self, count: usize) {
        self.nodes.reserve(count);
        self.edges.reserve(count);
        self.origins.reserve(count);
    }

    /// Sets the token of the next nodes; returns that of the last ones.
    #[cfg(feature = "ch09")]
    pub fn set_origin(&mut self, origin: Option<Span>) -> Option<Span> {
        std::mem::replace(&mut self.origin, origin)
    }

    /// The token of the next nodes.
    #[cfg(feature = "ch10")]
    pub fn current_origin(&self) -> Option<Span> {
        self.origin
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
        let value = value_class(self.types.value(ty));
        let node = &mut self.nodes[id];
        (node.ty, node.class) = (ty, node.class & !3 | value);
    }

    /// The kind of the operation and the class of the value, as one number.
    #[cfg(feature = "ch02")]
    pub fn class(&self, id: NodeId) -> u8 {
        self.nodes[id].class
    }

    /// The value of the node, if its type contains only one.
    #[cfg(feature = "ch02")]
    pub fn value(&self, id: NodeId) -> Option<i64> {
        let Node { ty, class, .. } = self.nodes[id];
        if class & 3 == 0 { None } else { self.types.value(ty) }
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
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + Clone {
        self.edges.inputs(id)
    }

    pub fn input(&self, id: NodeId, at: usize) -> NodeId {
        self.edges.input(id, at)
    }

    /// The first two inputs.
    #[cfg(feature = "ch02")]
    pub fn operands(&self, id: NodeId) -> [NodeId; 2] {
        self.edges.first_inputs(id)
    }

    /// The users of the node, the latest first; a user appears once for each of its uses.
    pub fn users(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.edges.users(id)
    }

    pub fn uses(&self, id: NodeId) -> usize {
        self.edges.uses(id)
    }

    /// Appends an input.
    #[cfg(feature = "ch02")]
    pub fn add_input(&mut self, id: NodeId, input: NodeId) {
        #[cfg(feature = "ch09")]
        self.unlock(id);
        self.edges.add(id, input);
        #[cfg(feature = "ch06")]
        self.count_use(id, input, true);
    }
}

#[cfg(feature = "ch02")]
impl Graph {
    /// Removes a node without users, and all inputs that have no other users.
    pub fn kill(&mut self, id: NodeId) {
        let (mut next, mut dead) = (Some(id), Vec::new());
        while let Some(id) = next {
            assert_eq!(self.uses(id), 0, "{id:?} is still used");
            while let Some(input) = self.pop_edge(id) {
                if self.uses(input) == 0 {
                    dead.push(input);
                }
                #[cfg(feature = "ch09")]
                self.note_release(input);
            }
            next = dead.pop();
        }
    }

    /// Removes the last input and returns it; it may have no users left.
    fn pop_edge(&mut self, id: NodeId) -> Option<NodeId> {
        #[cfg(feature = "ch09")]
        self.unlock(id);
        let input = self.edges.pop(id)?;
        #[cfg(feature = "ch06")]
        self.count_use(id, input, false);
        Some(input)
    }

    /// Removes `id` if it has no users, but keeps `kept`.
    pub fn kill_unless_used(&mut self, id: NodeId, kept: NodeId) {
        if self.uses(id) == 0 {
            self.edges.hold(kept);
            self.kill(id);
            self.edges.release(kept);
            #[cfg(feature = "ch09")]
            self.note_release(kept);
        }
    }
}

#[cfg(feature = "ch03")]
impl Graph {
    /// Removes the last input of `id`, and all nodes that are unused then.
    pub fn pop_input(&mut self, id: NodeId) {
        if let Some(input) = self.pop_edge(id) {
            self.release(input);
        }
    }

    /// Changes the input at `at`, and removes all nodes that are unused then.
    pub fn set_input(&mut self, id: NodeId, at: usize, input: NodeId) {
        let old = self.set_edge(id, at, input);
        self.release(old);
    }

    /// Changes the input at `at` and returns the old one; it may have no users left.
    fn set_edge(&mut self, id: NodeId, at: usize, input: NodeId) -> NodeId {
        #[cfg(feature = "ch09")]
        self.unlock(id);
        let old = self.edges.set(id, at, input);
        #[cfg(feature = "ch06")]
        self.count_use(id, old, false);
        #[cfg(feature = "ch06")]
        self.count_use(id, input, true);
        old
    }

    /// Handles the loss of a user.
    fn release(&mut self, id: NodeId) {
        if self.uses(id) == 0 {
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
        let is_complete = || self.op(id).row().inputs == Some(self.inputs(id).len());
        if self.is_in_gvn_table(id) || !is_complete() {
            return id;
        }
        let hash = hash(self.op(id), self.inputs(id));
        if let Some(known) = self.find(hash, self.op(id), self.inputs(id)) {
            return known;
        }
        self.nodes[id].hash = hash;
        self.gvn_table.insert(hash, id);
        id
    }

    /// The node in the table with this operation and these inputs.
    pub fn congruent(&self, op: Op, inputs: &[NodeId]) -> Option<NodeId> {
        let inputs = inputs.iter().copied();
        self.find(hash(op, inputs.clone()), op, inputs)
    }

    fn find(
        &self,
        hash: u32,
        op: Op,
        inputs: impl Iterator<Item = NodeId> + Clone,
    ) -> Option<NodeId> {
        let op = op.without_label();
        let is_same =
            |&it: &NodeId| self.op(it).without_label() == op && self.inputs(it).eq(inputs.clone());
        self.gvn_table.candidates(hash).find(is_same)
    }

    /// Removes the nodes that neither the end of the program nor control depends on, though they
    /// have users: Phis that use only each other. Returns whether there were any.
    pub fn sweep(&mut self) -> bool {
        let is_control = |id: &NodeId| self.op(*id).row().kind == Kind::Control;
        let control = self.ids().filter(is_control);
        let is_needed = flow::dependencies(control, self.len(), |id| self.inputs(id));
        let unused: Vec<_> = self.ids().filter(|&id| self.uses(id) > 0 && !is_needed[id]).collect();
        for &id in &unused {
            while let Some(input) = self.pop_edge(id) {
                self.note_release(input);
            }
        }
        !unused.is_empty()
    }

    /// Whether the node has been removed: nothing leads to it, and it leads nowhere.
    pub fn is_removed(&self, id: NodeId) -> bool {
        let is_alone = self.uses(id) == 0 && self.inputs(id).len() == 0 && id != self.end;
        is_alone && !self.is_in_gvn_table(id)
    }

    /// The graph without the tables that only changes need: it stays as it is.
    pub fn frozen(self) -> Graph {
        Graph { gvn_table: GvnTable::default(), released: Vec::new(), ..self }
    }

    fn is_in_gvn_table(&self, id: NodeId) -> bool {
        self.nodes[id].hash != 0
    }

    /// The inputs of the node are about to change: it leaves the table.
    fn unlock(&mut self, id: NodeId) {
        let hash = std::mem::take(&mut self.nodes[id].hash);
        if hash != 0 {
            self.gvn_table.remove(hash, id);
        }
    }

    /// Removes the inputs for which `keep` is false; the others stay in order.
    pub fn retain_inputs(&mut self, id: NodeId, keep: impl Fn(&Graph, NodeId) -> bool) {
        let kept: Vec<_> = self.inputs(id).filter(|&input| keep(self, input)).collect();
        for (at, &input) in kept.iter().enumerate() {
            self.set_input(id, at, input);
        }
        while self.inputs(id).len() > kept.len() {
            self.pop_input(id);
        }
    }

    /// Rules look at the number of users only if it is at most one, except for control.
    fn note_release(&mut self, id: NodeId) {
        if self.uses(id) < 2 || self.op(id).row().kind == Kind::Control {
            self.released.push(id);
        }
    }
}

/// Data for dominators.
#[cfg(feature = "ch06")]
impl Graph {
    fn count_use(&mut self, user: NodeId, def: NodeId, is_added: bool) {
        let [op, of] = [user, def].map(|it| self.nodes[it].op);
        let is_counted = if of.is_join() { op.is_phi() } else { op == Op::If };
        if is_counted {
            let count = &mut self.nodes[def].tests_or_phis;
            *count = if is_added { *count + 1 } else { *count - 1 };
        }
    }

    /// Whether several Ifs test the value.
    pub fn is_tested_again(&self, id: NodeId) -> bool {
        self.nodes[id].tests_or_phis > 1
    }

    /// Whether the join has a Phi.
    pub fn has_phi(&self, join: NodeId) -> bool {
        self.nodes[join].tests_or_phis > 0
    }

    fn depth_from(&self, inputs: &[NodeId]) -> u32 {
        inputs.iter().map(|&input| self.nodes[input].depth + 1).max().unwrap_or(0)
    }

    /// Sets the depth of a node, whose inputs have changed, from those that are no back edges.
    #[cfg(feature = "ch18")]
    pub fn set_depth_from(&mut self, id: NodeId, inputs: &[NodeId]) {
        self.nodes[id].depth = self.depth_from(inputs);
    }

    /// The length of the longest path to a control node, without back edges.
    pub fn depth(&self, id: NodeId) -> u32 {
        self.nodes[id].depth
    }

    /// The immediate dominator of a join, if it is cached and still in the graph.
    pub fn dominator(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id].dominator.filter(|&it| self.uses(it) > 0)
    }

    pub fn set_dominator(&mut self, id: NodeId, dominator: NodeId) {
        self.nodes[id].dominator = Some(dominator);
    }
}

/// Labels of Phis, and replacement.
#[cfg(feature = "ch05")]
impl Graph {
    /// Makes every user of `old` use `new`, and removes `old`.
    pub fn replace(&mut self, old: NodeId, new: NodeId) {
        while let Some((user, at)) = self.edges.last_use(old) {
            self.set_edge(user, at, new);
        }
        self.kill_unless_used(old, new);
    }
}

#[cfg(feature = "ch04")]
impl Graph {
    /// Swaps the two inputs.
    pub fn swap_inputs(&mut self, id: NodeId) {
        let [left, right] = self.operands(id);
        self.set_edge(id, 0, right);
        self.set_edge(id, 1, left);
    }
}

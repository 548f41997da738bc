//! A graph that rules rewrite, with the facts that they ask for.
use super::reachability::Reachability;
use super::users::{Use, Users};
use crate::firm::graph::{Graph, NodeId};
use crate::firm::mode::Mode;
use crate::firm::op::Op;
use crate::firm::renumber::{by_blocks, renumber};
use arena::{FxHashMap, ListTable, SideTable};
use std::sync::OnceLock;

/// The mode and the value of a constant.
type Constant = (Mode, i64);

pub struct Rewriter {
    pub graph: Graph,
    /// The number of users of each node; a block is used by the nodes in it.
    uses: SideTable<NodeId, u32>,
    users: Users,
    /// The node of each constant.
    constants: FxHashMap<Constant, NodeId>,
    /// Constants that rules do not replace.
    opaque: SideTable<NodeId, bool>,
    /// The number of nodes before the first rewrite.
    original: usize,
    /// The operand in place of those that were removed.
    bad: NodeId,
    /// The nodes of the next wave, each once.
    pub next: Vec<NodeId>,
    is_queued: SideTable<NodeId, bool>,
    /// The block that a block has been merged with.
    merged: FxHashMap<NodeId, NodeId>,
    /// Whether nodes of merged blocks have moved.
    has_moved: bool,
    members: OnceLock<ListTable<NodeId, NodeId>>,
    reachability: OnceLock<Reachability>,
    /// Whether an edge to a block was removed since the last search for unreachable blocks.
    pub has_removed_edge: bool,
    /// Whether a new operation is left to the next wave, as in the paper.
    pub paper_order: bool,
    /// The node that replaced the last one that was rewritten.
    pub replacement: Option<NodeId>,
}

/// The number of users of each node, with an entry for one node more.
fn uses(graph: &Graph) -> SideTable<NodeId, u32> {
    let mut uses: SideTable<NodeId, u32> = SideTable::new(graph.len() + 1);
    for id in graph.ids() {
        graph.operands(id).iter().for_each(|&operand| uses[operand] += 1);
        let block = graph.node(id).block;
        if block != id {
            uses[block] += 1;
        }
    }
    uses
}

/// The first node of each constant that is used.
fn constants(
    graph: &Graph,
    uses: &SideTable<NodeId, u32>,
    opaque: &SideTable<NodeId, bool>,
) -> FxHashMap<Constant, NodeId> {
    let mut constants = FxHashMap::default();
    for id in graph.ids().filter(|&id| uses[id] > 0 && !opaque[id]) {
        if let Op::Const(value) = graph.op(id) {
            constants.entry((graph.node(id).mode, value)).or_insert(id);
        }
    }
    constants
}

impl Rewriter {
    pub fn new(mut graph: Graph, opaque: SideTable<NodeId, bool>) -> Rewriter {
        let original = graph.len();
        let uses = uses(&graph);
        let constants = constants(&graph, &uses, &opaque);
        let mut replaced: SideTable<NodeId, bool> = SideTable::new(original);
        for id in graph.ids() {
            replaced[id] = match graph.op(id) {
                Op::Const(value) => constants.get(&(graph.node(id).mode, value)) != Some(&id),
                Op::Binary(_) | Op::Not | Op::Cmp(_) | Op::Phi => true,
                Op::Jmp | Op::Cond | Op::Return => true,
                _ => false,
            };
        }
        let users = Users::new(&graph, |id| replaced[id]);
        let bad = graph.add_later(Op::Bad, Mode::BB, 0, graph.start);
        Rewriter {
            graph,
            uses,
            users,
            constants,
            opaque,
            original,
            bad,
            next: Vec::new(),
            is_queued: SideTable::new(original + 1),
            merged: FxHashMap::default(),
            has_moved: false,
            members: OnceLock::new(),
            reachability: OnceLock::new(),
            has_removed_edge: false,
            paper_order: false,
            replacement: None,
        }
    }

    pub fn op(&self, id: NodeId) -> Op {
        self.graph.op(id)
    }

    pub fn is_bad(&self, id: NodeId) -> bool {
        matches!(self.graph.op(id), Op::Bad)
    }

    pub fn operands(&self, id: NodeId) -> &[NodeId] {
        self.graph.operands(id)
    }

    /// The value of a constant.
    pub fn value(&self, id: NodeId) -> Option<i64> {
        match self.graph.op(id) {
            Op::Const(value) if !self.opaque[id] => Some(value),
            _ => None,
        }
    }

    /// The value of an operand, if it is a constant.
    pub fn constant_at(&self, id: NodeId, at: usize) -> Option<i64> {
        self.value(*self.operands(id).get(at)?)
    }

    /// Whether a node has no users.
    pub fn is_unused(&self, id: NodeId) -> bool {
        self.uses[id] == 0
    }

    /// The block of a node, or the one with which that was merged.
    pub fn block(&self, id: NodeId) -> NodeId {
        self.merged_block(self.graph.node(id).block)
    }

    fn merged_block(&self, mut block: NodeId) -> NodeId {
        while let Some(&with) = self.merged.get(&block) {
            block = with;
        }
        block
    }

    /// The same, with path compression: R. E. Tarjan, "Efficiency of a Good But Not Linear Set
    /// Union Algorithm", Journal of the ACM 22, 1975.
    fn find_merged_block(&mut self, block: NodeId) -> NodeId {
        let (root, mut block) = (self.merged_block(block), block);
        while let Some(with) = self.merged.insert(block, root).filter(|&with| with != root) {
            block = with;
        }
        self.merged.remove(&root);
        root
    }

    /// The nodes of a block before the first rewrite.
    pub fn members(&self, block: NodeId) -> &[NodeId] {
        let members = self.members.get_or_init(|| {
            let ids = self.graph.ids().take(self.original);
            let pairs = ids.map(|id| (self.graph.node(id).block, id)).filter(|(at, id)| at != id);
            ListTable::group(self.original, pairs)
        });
        &members[block]
    }

    /// The control flow before the first edge was removed.
    pub fn reachability(&self) -> &Reachability {
        self.reachability.get_or_init(|| Reachability::new(&self.graph))
    }
}

/// Rewriting.
impl Rewriter {
    /// Adds a node to the next wave.
    pub fn enqueue(&mut self, id: NodeId) {
        if !std::mem::replace(&mut self.is_queued[id], true) {
            self.next.push(id);
        }
    }

    /// The nodes of the next wave, which is empty after that.
    pub fn take_wave(&mut self) -> Vec<NodeId> {
        let wave = std::mem::take(&mut self.next);
        wave.iter().for_each(|&id| self.is_queued[id] = false);
        wave
    }

    /// The node of a constant; a new one, if there is none yet.
    pub fn constant(&mut self, mode: Mode, value: i64) -> NodeId {
        if let Some(constant) = self.first_of(mode, value) {
            return constant;
        }
        let constant = self.graph.add(Op::Const(value), mode, self.graph.start_block, &[]);
        self.uses[self.graph.start_block] += 1;
        self.constants.insert((mode, value), constant);
        self.enqueue(constant);
        constant
    }

    /// The operation of `id` on other constants: the node of its `value`, or in the order of the
    /// paper a new operation, which the next wave folds.
    pub fn combined(&mut self, id: NodeId, operands: &[NodeId], value: i64) -> NodeId {
        let mode = self.graph.node(id).mode;
        if !self.paper_order {
            return self.constant(mode, value);
        }
        let block = self.block(id);
        let operation = self.graph.add(self.op(id), mode, block, operands);
        self.uses[block] += 1;
        for (&operand, at) in operands.iter().zip(0..) {
            self.uses[operand] += 1;
            self.users.add(operand, Use { user: operation, at });
        }
        self.enqueue(operation);
        operation
    }

    /// The node that stands for all constants of this mode and value.
    pub fn first_of(&self, mode: Mode, value: i64) -> Option<NodeId> {
        self.constants.get(&(mode, value)).copied().filter(|&id| !self.is_bad(id))
    }

    /// Replaces an operand.
    pub fn set_operand(&mut self, id: NodeId, at: usize, new: NodeId) {
        let old = self.operands(id)[at];
        self.graph.set_operand(id, at, new);
        self.uses[new] += 1;
        self.release(old);
        self.enqueue_user(id);
    }

    /// Replaces an operand by a value, and adds the use.
    pub fn set_value(&mut self, id: NodeId, at: usize, new: NodeId) {
        self.set_operand(id, at, new);
        self.users.add(new, Use { user: id, at: at as u32 });
    }

    /// Enqueues a node with a new operand, and the users that its constant may be combined with.
    fn enqueue_user(&mut self, id: NodeId) {
        self.enqueue(id);
        let values = self.graph.node(id).mode.values();
        if matches!(self.op(id), Op::Binary(binary) if values.associate(binary)) {
            for at in 0.. {
                let Some(Use { user, .. }) = self.users.get(id, at) else { break };
                if self.op(user) == self.op(id) {
                    self.enqueue(user);
                }
            }
        }
    }

    /// Replaces a value by a constant, and removes it. If End keeps the value, it keeps the
    /// constant only if `keeps`.
    pub fn replace_by_constant(&mut self, id: NodeId, value: i64, keeps: bool) {
        let constant = self.constant(self.graph.value_mode(id), value);
        for number in 0.. {
            let Some(Use { user, at }) = self.users.get(id, number) else { break };
            let is_current = self.operands(user).get(at as usize) == Some(&id);
            if is_current && (keeps || self.op(user) != Op::End) {
                self.set_operand(user, at as usize, constant);
            }
        }
        self.remove(id);
        self.replacement = Some(constant);
    }

    /// Replaces a value by another, and removes it.
    pub fn replace_by_value(&mut self, id: NodeId, value: NodeId) {
        for number in 0.. {
            let Some(Use { user, at }) = self.users.get(id, number) else { break };
            if self.operands(user).get(at as usize) == Some(&id) {
                self.set_value(user, at as usize, value);
            }
        }
        self.remove(id);
        self.replacement = Some(value);
    }

    /// Notes that a node has lost a user.
    fn release(&mut self, id: NodeId) {
        if id == self.bad {
            return;
        }
        self.uses[id] -= 1;
        if self.uses[id] == 0 {
            self.enqueue(id);
        }
    }

    /// Removes a node; its users have a Bad operand instead.
    pub fn remove(&mut self, id: NodeId) {
        for at in 0..self.operands(id).len() {
            self.release(self.operands(id)[at]);
        }
        let block = self.graph.node(id).block;
        if block != id {
            self.release(self.merged_block(block));
        }
        let is_jump = self.graph.value_mode(id) == Mode::X;
        let is_block = block == id;
        self.graph.rewrite(id, Op::Bad, Mode::BB, 0);
        if is_jump {
            self.enqueue_targets(id);
        } else if is_block {
            for at in 0..self.members(id).len() {
                self.enqueue(self.members(id)[at]);
            }
        }
    }

    /// Enqueues the targets of a jump, and their Phis.
    fn enqueue_targets(&mut self, jump: NodeId) {
        for number in 0.. {
            let Some(Use { user, .. }) = self.users.get(jump, number) else { break };
            if !self.is_bad(user) {
                self.enqueue_header(user);
            }
        }
    }

    /// Enqueues a block and its Phis.
    fn enqueue_header(&mut self, block: NodeId) {
        self.has_removed_edge = true;
        self.enqueue(block);
        for at in 0..self.members(block).len() {
            let member = self.members(block)[at];
            if self.op(member) == Op::Phi {
                self.enqueue(member);
            }
        }
    }

    /// Removes an operand; those after it keep their numbers for now.
    pub fn remove_operand(&mut self, id: NodeId, at: usize) {
        let old = self.operands(id)[at];
        self.graph.set_operand(id, at, self.bad);
        self.release(old);
        if self.op(id) == Op::Phi { self.enqueue(id) } else { self.enqueue_header(id) }
    }

    /// Replaces a Cond by a Jmp.
    pub fn become_jump(&mut self, id: NodeId) {
        let condition = self.operands(id)[0];
        self.graph.rewrite(id, Op::Jmp, Mode::X, 0);
        self.release(condition);
    }

    /// The targets of a jump, each with the number of the edge.
    pub fn targets(&self, jump: NodeId) -> impl Iterator<Item = (NodeId, usize)> {
        let uses = (0..).map_while(move |number| self.users.get(jump, number));
        uses.filter(move |it| self.operands(it.user).get(it.at as usize) == Some(&jump))
            .map(|it| (it.user, it.at as usize))
    }

    /// Moves all nodes of a block to another.
    pub fn merge(&mut self, block: NodeId, with: NodeId) {
        let (moved, with) = (self.uses[block], self.find_merged_block(with));
        self.merged.insert(block, with);
        self.uses[with] += moved;
        self.uses[block] = 0;
        for at in 0..self.operands(block).len() {
            self.release(self.operands(block)[at]);
        }
        self.graph.rewrite(block, Op::Bad, Mode::BB, 0);
        self.replacement = Some(with);
    }

    /// The graph of the remaining nodes, and for each of them its old id. They keep their order,
    /// but constants follow the start, since new ones have users before them, and merged blocks
    /// follow each other.
    pub fn finish(mut self) -> (Graph, Vec<NodeId>) {
        self.apply_merges();
        let left = self.graph.ids().filter(|&id| !self.is_bad(id));
        let is_constant = |id: &NodeId| self.value(*id).is_some();
        let mut order = Vec::with_capacity(self.graph.len());
        for id in left.clone().filter(|id| !is_constant(id)) {
            order.push(id);
            if id == self.graph.start {
                order.extend(left.clone().filter(is_constant));
            }
        }
        if self.has_moved {
            order = by_blocks(&self.graph, &order);
        }
        (renumber(&self.graph, &order), order)
    }

    /// Moves the nodes of merged blocks.
    pub fn apply_merges(&mut self) {
        if !self.merged.is_empty() {
            for id in self.graph.ids() {
                let block = self.find_merged_block(self.graph.node(id).block);
                self.graph.set_block(id, block);
            }
            self.merged.clear();
            self.has_moved = true;
        }
    }
}

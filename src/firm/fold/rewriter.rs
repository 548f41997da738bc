//! A graph that rules rewrite, and what they have to know of it.
use super::blocks::Blocks;
use super::users::{Use, Users};
use crate::arith::INT;
use crate::firm::graph::{Form, Graph, NodeId};
use crate::firm::op::Op;
use crate::firm::renumber::renumber;
use arena::{FxHashMap, ListTable, SideTable};
use std::sync::OnceLock;

pub struct Rewriter {
    pub graph: Graph,
    /// How many edges lead to each node: operands, what is kept, and for blocks what is in them.
    uses: SideTable<NodeId, u32>,
    users: Users,
    /// The node of each constant.
    constants: FxHashMap<i64, NodeId>,
    /// What was there before the first rule was applied.
    original: usize,
    /// Stands where something has been removed.
    bad: NodeId,
    /// Who is to be looked at next, each once.
    pub next: Vec<NodeId>,
    waits: SideTable<NodeId, bool>,
    /// The block that a block has been merged with.
    merged: FxHashMap<NodeId, NodeId>,
    members: OnceLock<ListTable<NodeId, NodeId>>,
    blocks: OnceLock<Blocks>,
    /// Whether ways to blocks have gone since it was last asked which blocks are reached.
    pub has_cut: bool,
    /// Whether what could be computed now is left to the next wave, as in the paper.
    pub literal: bool,
    /// What was put in the place of the last node that was rewritten.
    pub became: Option<NodeId>,
}

/// How many edges lead to each node; there is room for one node more.
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
fn constants(graph: &Graph, uses: &SideTable<NodeId, u32>) -> FxHashMap<i64, NodeId> {
    let mut constants = FxHashMap::default();
    for id in graph.ids().filter(|&id| uses[id] > 0) {
        if let (Op::Const(value), Form::Source) = (graph.op(id), graph.form(id)) {
            constants.entry(value).or_insert(id);
        }
    }
    constants
}

impl Rewriter {
    pub fn new(mut graph: Graph) -> Rewriter {
        let original = graph.len();
        let uses = uses(&graph);
        let constants = constants(&graph, &uses);
        let mut replaced: SideTable<NodeId, bool> = SideTable::new(original);
        for id in graph.ids() {
            replaced[id] = match graph.op(id) {
                Op::Const(value) => constants.get(&value) != Some(&id),
                Op::Binary(_) | Op::Not | Op::Cmp(_) | Op::Phi => true,
                Op::Jmp | Op::Cond | Op::Return => true,
                _ => false,
            };
        }
        let users = Users::new(&graph, |id| replaced[id]);
        let bad = graph.add_later(Op::Bad, Op::Bad.row().mode, 0, graph.start);
        Rewriter {
            graph,
            uses,
            users,
            constants,
            original,
            bad,
            next: Vec::new(),
            waits: SideTable::new(original + 1),
            merged: FxHashMap::default(),
            members: OnceLock::new(),
            blocks: OnceLock::new(),
            has_cut: false,
            literal: false,
            became: None,
        }
    }

    pub fn op(&self, id: NodeId) -> Op {
        self.graph.op(id)
    }

    pub fn is_bad(&self, id: NodeId) -> bool {
        self.graph.op(id) == Op::Bad
    }

    pub fn operands(&self, id: NodeId) -> &[NodeId] {
        self.graph.operands(id)
    }

    /// The value of a constant.
    pub fn value(&self, id: NodeId) -> Option<i64> {
        match (self.graph.op(id), self.graph.form(id)) {
            (Op::Const(value), Form::Source) => Some(value),
            _ => None,
        }
    }

    /// The value of an operand, if it is a constant.
    pub fn constant_at(&self, id: NodeId, at: usize) -> Option<i64> {
        self.value(*self.operands(id).get(at)?)
    }

    /// Whether no edge leads to a node.
    pub fn is_unused(&self, id: NodeId) -> bool {
        self.uses[id] == 0
    }

    /// The block of a node, or what it has been merged with.
    pub fn block(&self, id: NodeId) -> NodeId {
        self.home(self.graph.node(id).block)
    }

    fn home(&self, mut block: NodeId) -> NodeId {
        while let Some(&with) = self.merged.get(&block) {
            block = with;
        }
        block
    }

    /// The same, and what has been found is remembered all the way.
    fn find_home(&mut self, block: NodeId) -> NodeId {
        let (home, mut block) = (self.home(block), block);
        while let Some(with) = self.merged.insert(block, home).filter(|&with| with != home) {
            block = with;
        }
        self.merged.remove(&home);
        home
    }

    /// What stood in a block before anything was rewritten.
    pub fn members(&self, block: NodeId) -> &[NodeId] {
        let members = self.members.get_or_init(|| {
            let ids = self.graph.ids().take(self.original);
            let pairs = ids.map(|id| (self.graph.node(id).block, id)).filter(|(at, id)| at != id);
            ListTable::group(self.original, pairs)
        });
        &members[block]
    }

    /// How control flows, before any of its ways was removed.
    pub fn blocks(&self) -> &Blocks {
        self.blocks.get_or_init(|| Blocks::new(&self.graph))
    }
}

/// Rewriting.
impl Rewriter {
    /// Has a node looked at again.
    pub fn touch(&mut self, id: NodeId) {
        if !std::mem::replace(&mut self.waits[id], true) {
            self.next.push(id);
        }
    }

    /// The nodes that are to be looked at now.
    pub fn take_wave(&mut self) -> Vec<NodeId> {
        let wave = std::mem::take(&mut self.next);
        wave.iter().for_each(|&id| self.waits[id] = false);
        wave
    }

    /// The node of a constant; a new one, if there is none yet.
    pub fn constant(&mut self, value: i64) -> NodeId {
        let value = INT.wrap(value);
        if let Some(constant) = self.first_of(value) {
            return constant;
        }
        let constant = self.graph.add(Op::Const(value), self.graph.start_block, &[]);
        self.uses[self.graph.start_block] += 1;
        self.constants.insert(value, constant);
        self.touch(constant);
        constant
    }

    /// What the operation of `id` is for other constants: the node of its `value`; or as in the
    /// paper a new operation beside it, which the next wave folds.
    pub fn combined(&mut self, id: NodeId, operands: &[NodeId], value: i64) -> NodeId {
        if !self.literal {
            return self.constant(value);
        }
        let block = self.block(id);
        let operation = self.graph.add(self.op(id), block, operands);
        self.uses[block] += 1;
        for (&operand, at) in operands.iter().zip(0..) {
            self.uses[operand] += 1;
            self.users.add(operand, Use { user: operation, at });
        }
        self.touch(operation);
        operation
    }

    /// The node that all users of a constant are to have.
    pub fn first_of(&self, value: i64) -> Option<NodeId> {
        self.constants.get(&value).copied().filter(|&id| !self.is_bad(id))
    }

    /// Puts another node in the place of an operand.
    pub fn set_operand(&mut self, id: NodeId, at: usize, new: NodeId) {
        let old = self.operands(id)[at];
        self.graph.set_operand(id, at, new);
        self.uses[new] += 1;
        self.release(old);
        self.touch_user(id);
    }

    /// Puts a value in the place of an operand, and remembers the user.
    pub fn set_value(&mut self, id: NodeId, at: usize, new: NodeId) {
        self.set_operand(id, at, new);
        self.users.add(new, Use { user: id, at: at as u32 });
    }

    /// Has a node looked at again of which an operand has changed, and those that its constant
    /// operand may now go on to.
    fn touch_user(&mut self, id: NodeId) {
        self.touch(id);
        let associates = |op| matches!(op, Op::Binary(binary) if binary.row().commutes);
        if associates(self.op(id)) {
            for at in 0.. {
                let Some(Use { user, .. }) = self.users.get(id, at) else { break };
                if self.op(user) == self.op(id) {
                    self.touch(user);
                }
            }
        }
    }

    /// Puts a constant in the place of a value, and removes it. What is kept goes on being kept
    /// only if `keeps`.
    pub fn become_constant(&mut self, id: NodeId, value: i64, keeps: bool) {
        let constant = self.constant(value);
        for number in 0.. {
            let Some(Use { user, at }) = self.users.get(id, number) else { break };
            let is_one = self.operands(user).get(at as usize) == Some(&id);
            if is_one && (keeps || self.op(user) != Op::End) {
                self.set_operand(user, at as usize, constant);
            }
        }
        self.remove(id);
        self.became = Some(constant);
    }

    /// Puts another value in the place of one, and removes that.
    pub fn become_value(&mut self, id: NodeId, value: NodeId) {
        for number in 0.. {
            let Some(Use { user, at }) = self.users.get(id, number) else { break };
            if self.operands(user).get(at as usize) == Some(&id) {
                self.set_value(user, at as usize, value);
            }
        }
        self.remove(id);
        self.became = Some(value);
    }

    /// One edge less leads to a node.
    fn release(&mut self, id: NodeId) {
        if id == self.bad {
            return;
        }
        self.uses[id] -= 1;
        if self.uses[id] == 0 {
            self.touch(id);
        }
    }

    /// Removes a node with all its edges: whoever used it has something Bad instead.
    pub fn remove(&mut self, id: NodeId) {
        for at in 0..self.operands(id).len() {
            self.release(self.operands(id)[at]);
        }
        let block = self.graph.node(id).block;
        if block != id {
            self.release(self.home(block));
        }
        let is_jump = self.graph.node(id).mode == crate::firm::Mode::X;
        let is_block = block == id;
        self.graph.rewrite(id, Op::Bad, 0);
        if is_jump {
            self.touch_targets(id);
        } else if is_block {
            for at in 0..self.members(id).len() {
                self.touch(self.members(id)[at]);
            }
        }
    }

    /// Has the blocks looked at again that a jump led to, and what they begin with.
    fn touch_targets(&mut self, jump: NodeId) {
        for number in 0.. {
            let Some(Use { user, .. }) = self.users.get(jump, number) else { break };
            if !self.is_bad(user) {
                self.touch_head(user);
            }
        }
    }

    /// Has a block looked at again, and its Phis.
    fn touch_head(&mut self, block: NodeId) {
        self.has_cut = true;
        self.touch(block);
        for at in 0..self.members(block).len() {
            let member = self.members(block)[at];
            if self.op(member) == Op::Phi {
                self.touch(member);
            }
        }
    }

    /// Removes an operand; what is behind it stays where it is for now.
    pub fn cut(&mut self, id: NodeId, at: usize) {
        let old = self.operands(id)[at];
        self.graph.set_operand(id, at, self.bad);
        self.release(old);
        if self.op(id) == Op::Phi { self.touch(id) } else { self.touch_head(id) }
    }

    /// Makes a Jmp of a Cond.
    pub fn become_jump(&mut self, id: NodeId) {
        let condition = self.operands(id)[0];
        self.graph.rewrite(id, Op::Jmp, 0);
        self.release(condition);
    }

    /// The blocks that a jump leads to, each with the number of the way.
    pub fn targets(&self, jump: NodeId) -> impl Iterator<Item = (NodeId, usize)> {
        let uses = (0..).map_while(move |number| self.users.get(jump, number));
        uses.filter(move |it| self.operands(it.user).get(it.at as usize) == Some(&jump))
            .map(|it| (it.user, it.at as usize))
    }

    /// Moves all that stands in a block to another.
    pub fn merge(&mut self, block: NodeId, with: NodeId) {
        let (moved, with) = (self.uses[block], self.find_home(with));
        self.merged.insert(block, with);
        self.uses[with] += moved;
        self.uses[block] = 0;
        for at in 0..self.operands(block).len() {
            self.release(self.operands(block)[at]);
        }
        self.graph.rewrite(block, Op::Bad, 0);
        self.became = Some(with);
    }

    /// The nodes that are left, in their order; constants, which may have got users before them,
    /// stand behind the start, and what has come to a block behind what was there.
    pub fn finish(mut self) -> Graph {
        let moved = !self.merged.is_empty();
        self.settle();
        let left = self.graph.ids().filter(|&id| !self.is_bad(id));
        let is_constant = |id: &NodeId| self.value(*id).is_some();
        let mut order = Vec::with_capacity(self.graph.len());
        for id in left.clone().filter(|id| !is_constant(id)) {
            order.push(id);
            if id == self.graph.start {
                order.extend(left.clone().filter(is_constant));
            }
        }
        if moved {
            order = self.by_blocks(&order);
        }
        renumber(&self.graph, &order)
    }

    /// The same nodes, those of a block behind it.
    fn by_blocks(&self, order: &[NodeId]) -> Vec<NodeId> {
        let block = |id: NodeId| self.graph.node(id).block;
        let inside = order.iter().map(|&id| (block(id), id)).filter(|(block, id)| block != id);
        let inside = ListTable::group(self.graph.len(), inside);
        let blocks = order.iter().copied().filter(|&id| block(id) == id);
        blocks.flat_map(|it| std::iter::once(it).chain(inside[it].iter().copied())).collect()
    }

    /// Writes down where nodes stand whose block has been merged.
    pub fn settle(&mut self) {
        if !self.merged.is_empty() {
            for id in self.graph.ids() {
                let block = self.find_home(self.graph.node(id).block);
                self.graph.set_block(id, block);
            }
            self.merged.clear();
        }
    }
}

//! Random graphs in the style of the case: bit operations, symbols and memory, with branches and
//! loops.
use crate::arith::{Binary, Relation};
use crate::firm::{Access, EdgeKind, Graph, Mode, NodeId, Op};
use crate::random::Random;
use crate::ttc::{self, Symbols};
use arena::Id;

const RELATIONS: [Relation; 8] = [
    Relation::Never,
    Relation::Greater,
    Relation::Equal,
    Relation::GreaterEqual,
    Relation::Less,
    Relation::NotEqual,
    Relation::LessEqual,
    Relation::Always,
];

const CONSTANTS: [i64; 9] = [0, 1, -1, 2, 7, 31, -128, i32::MIN as i64, i32::MAX as i64];

/// The names of the symbols.
pub fn symbols() -> Symbols {
    let mut symbols = Symbols::default();
    for name in ["global", "array"] {
        symbols.number(name);
    }
    symbols
}

/// The same graph with the names of its symbols.
pub fn with_symbols(graph: &Graph) -> ttc::Graph {
    ttc::Graph { symbols: symbols(), ..graph.clone().into() }
}

/// A program of some statements. Nodes are after their operands, and blocks after their
/// predecessors.
pub fn graph(random: &mut Random, size: usize) -> Graph {
    let mut graph = Graph::new();
    let argument = graph.add(Op::Argument(0), Mode::Is, graph.start_block, &[graph.start]);
    let (block, memory) = (graph.start_block, graph.start);
    let mut builder = GraphBuilder { graph, random, values: vec![argument], memory, block };
    for _ in 0..size {
        builder.statement(2);
    }
    let GraphBuilder { mut graph, values, memory, block, .. } = builder;
    let ret = graph.add(Op::Return, Mode::Is, block, &[memory, values[values.len() - 1]]);
    let block = graph.add_block(Op::EndBlock, &[ret]);
    graph.add(Op::End, Mode::X, block, &[]);
    graph
}

struct GraphBuilder<'r> {
    graph: Graph,
    random: &'r mut Random,
    /// The values that are defined here.
    values: Vec<NodeId>,
    /// The state of memory, and the block that is being filled.
    memory: NodeId,
    block: NodeId,
}

impl GraphBuilder<'_> {
    fn statement(&mut self, depth: usize) {
        match self.random.below(12) {
            0 if depth > 0 => self.branch(depth - 1),
            1 if depth > 0 => self.counted_loop(depth - 1),
            _ => self.operation(),
        }
    }

    /// Adds an operation to the block.
    fn operation(&mut self) {
        let access = self.random.pick(&[Access::Plain, Access::Plain, Access::Volatile]);
        let op = match self.random.below(8) {
            0 => Op::Load(access),
            1 => Op::Store(access),
            2 => Op::Not,
            3 => Op::Cmp(self.random.pick(&RELATIONS)),
            _ => Op::Binary(Binary::at(self.random.below(Binary::COUNT))),
        };
        let operands = op.row().operands.iter().map(|mode| match mode.of(Mode::Is) {
            Mode::Is => self.operand(),
            _ => self.memory,
        });
        let operands: Vec<_> = operands.collect();
        let mode = Mode::Is;
        let id = self.graph.add(op, mode, self.block, &operands);
        if op.accesses_memory() {
            self.memory = id;
        }
        if self.graph.value_mode(id) == Mode::Is {
            self.values.push(id);
        }
    }

    fn operand(&mut self) -> NodeId {
        let constant = match self.random.below(10) {
            0..3 => Op::Const(self.random.pick(&CONSTANTS)),
            3 => Op::SymConst(self.random.pick(&[0, 1])),
            4..7 => return self.values[self.values.len() - 1],
            _ => return self.random.pick(&self.values),
        };
        self.graph.add(constant, Mode::Is, self.graph.start_block, &[])
    }

    fn constant(&mut self, number: i64) -> NodeId {
        self.graph.add(Op::Const(number), Mode::Is, self.graph.start_block, &[])
    }

    /// A block after an edge of another one.
    fn enter(&mut self, jump: NodeId, kind: EdgeKind) -> NodeId {
        let block = self.graph.add_block(Op::Block, &[jump]);
        self.graph.set_edge_kind(block, 0, kind);
        self.block = block;
        block
    }

    /// A branch, with a Phi of memory and a Phi of a value at the join.
    fn branch(&mut self, depth: usize) {
        let operands = [self.operand(), self.operand()];
        let relation = self.random.pick(&RELATIONS);
        let compared = self.graph.add(Op::Cmp(relation), Mode::Is, self.block, &operands);
        let cond = self.graph.add(Op::Cond, Mode::X, self.block, &[compared]);
        let (count, memory) = (self.values.len(), self.memory);
        let arms = [EdgeKind::True, EdgeKind::False].map(|edge| {
            self.enter(cond, edge);
            self.memory = memory;
            (0..self.random.below(4)).for_each(|_| self.statement(depth));
            let end = (self.values[self.values.len() - 1], self.memory);
            self.values.truncate(count);
            (self.graph.add(Op::Jmp, Mode::X, self.block, &[]), end)
        });
        self.block = self.graph.add_block(Op::Block, &arms.map(|(jump, _)| jump));
        self.memory = self.phi(Mode::M, &arms.map(|(_, (_, memory))| memory));
        let value = self.phi(Mode::Is, &arms.map(|(_, (value, _))| value));
        self.values.push(value);
    }

    fn phi(&mut self, mode: Mode, operands: &[NodeId]) -> NodeId {
        let phi = self.graph.add_later(Op::Phi, mode, operands.len(), self.graph.start);
        self.graph.set_block(phi, self.block);
        operands.iter().enumerate().for_each(|(at, &it)| self.graph.set_operand(phi, at, it));
        phi
    }

    /// A loop with a few iterations.
    fn counted_loop(&mut self, depth: usize) {
        let times = self.random.below(4) as i64;
        let (times, value) = (self.constant(times), self.values[self.values.len() - 1]);
        let jump = self.graph.add(Op::Jmp, Mode::X, self.block, &[]);
        let header = self.graph.add_block(Op::Block, &[jump, jump]);
        self.block = header;
        self.memory = self.phi(Mode::M, &[self.memory, self.memory]);
        let (memory, counter) = (self.memory, self.phi(Mode::Is, &[times, times]));
        let value = self.phi(Mode::Is, &[value, value]);
        self.values.push(value);
        let zero = self.constant(0);
        let compared = self.graph.add(Op::Cmp(Relation::Less), Mode::Is, header, &[zero, counter]);
        let cond = self.graph.add(Op::Cond, Mode::X, header, &[compared]);
        let count = self.values.len();
        self.enter(cond, EdgeKind::True);
        (0..self.random.below(4)).for_each(|_| self.statement(depth));
        let (minus, last) = (self.constant(-1), self.values[self.values.len() - 1]);
        let next = self.graph.add(Op::Binary(Binary::Add), Mode::Is, self.block, &[minus, counter]);
        let back = self.graph.add(Op::Jmp, Mode::X, self.block, &[]);
        for (id, operand) in [(header, back), (memory, self.memory), (counter, next), (value, last)]
        {
            self.graph.set_operand(id, 1, operand);
        }
        self.values.truncate(count);
        self.memory = memory;
        self.enter(cond, EdgeKind::False);
    }
}

/// The same graph with its nodes in another order, and their new ids.
pub fn shuffled(graph: &Graph, random: &mut Random) -> (Graph, Vec<NodeId>) {
    let mut order: Vec<NodeId> = graph.ids().collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.below(at + 1));
    }
    let mut new_ids = order.clone();
    for (at, id) in order.iter().enumerate() {
        new_ids[id.index()] = NodeId::from_index(at);
    }
    let mut new = Graph::with_capacity(graph.len(), graph.operand_count());
    for &id in &order {
        let node = graph.node(id);
        let any = NodeId::from_index(0);
        new.add_later(node.op, node.mode, graph.operands(id).len(), any);
    }
    for id in graph.ids() {
        let new_id = new_ids[id.index()];
        new.set_block(new_id, new_ids[graph.node(id).block.index()]);
        for (at, operand) in graph.operands(id).iter().enumerate() {
            new.set_operand(new_id, at, new_ids[operand.index()]);
            if graph.node(id).mode == Mode::BB {
                new.set_edge_kind(new_id, at, graph.edge_kind(id, at));
            }
        }
    }
    new.start_block = new_ids[graph.start_block.index()];
    new.start = new_ids[graph.start.index()];
    (new, new_ids)
}

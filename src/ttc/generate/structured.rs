//! Graphs of programs of assignments, ifs, loops, loads and stores.
use super::graph_builder::GraphBuilder;
use super::random::Random;
use crate::arith::{Binary, Relation, Traps};
use crate::firm::{Access, EdgeKind, Mode, NodeId, Op};
use crate::ttc::Graph;
use std::collections::HashMap;

/// A program of about this number of statements, which depends on the seed.
pub fn structured(seed: u64, statements: usize) -> Graph {
    let mut generator = Generator::new(seed, statements);
    generator.sequence(0);
    let values = generator.variables;
    let sum = values[1..]
        .iter()
        .fold(values[0], |sum, &value| generator.builder.binary(Binary::Add, sum, value));
    generator.builder.finish(generator.memory, sum, true)
}

struct Generator {
    builder: GraphBuilder,
    random: Random,
    /// The number of statements to be added.
    rest: usize,
    arguments: [NodeId; 2],
    symbol: NodeId,
    constants: HashMap<i64, NodeId>,
    variables: [NodeId; 4],
    memory: NodeId,
}

const OPERATIONS: [Binary; 13] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::And,
    Binary::Or,
    Binary::Eor,
    Binary::Shl,
    Binary::Shr,
    Binary::Shrs,
    Binary::Div,
    Binary::Mod,
    Binary::Add,
    Binary::Add,
];

const RELATIONS: [Relation; 8] = [
    Relation::Less,
    Relation::Equal,
    Relation::NotEqual,
    Relation::Greater,
    Relation::LessEqual,
    Relation::GreaterEqual,
    Relation::Always,
    Relation::Never,
];

/// The deepest nesting of statements; the recursion is as deep.
const MAX_DEPTH: usize = 5;

impl Generator {
    fn new(seed: u64, rest: usize) -> Generator {
        let mut builder = GraphBuilder::new();
        let arguments = [0, 1].map(|number| builder.argument(number));
        let symbol = builder.symbol("glob");
        let start = builder.graph.start;
        let mut generator = Generator {
            builder,
            random: Random::new(seed),
            rest,
            arguments,
            symbol,
            constants: HashMap::new(),
            variables: [start; 4],
            memory: start,
        };
        generator.variables = [(); 4].map(|()| generator.first());
        generator
    }

    /// The first value of a variable.
    fn first(&mut self) -> NodeId {
        if self.random.chance(60, 100) {
            self.constant()
        } else {
            self.random.pick(&self.arguments)
        }
    }

    fn constant(&mut self) -> NodeId {
        let value = self.random.below(9) as i64 - 4;
        *self.constants.entry(value).or_insert_with(|| self.builder.constant(value))
    }

    fn value(&mut self) -> NodeId {
        if self.random.chance(25, 100) {
            self.constant()
        } else {
            self.random.pick(&self.variables)
        }
    }

    fn sequence(&mut self, depth: usize) {
        let mut count = 1 + self.random.below(5);
        while self.rest > 0 && count > 0 {
            (self.rest, count) = (self.rest - 1, count - 1);
            match self.random.below(100) {
                0..20 if depth < MAX_DEPTH => self.branch(depth),
                20..28 if depth + 1 < MAX_DEPTH => self.repeat(depth),
                28..38 => self.store(),
                38..45 => self.load(),
                _ => self.assign(),
            }
        }
    }

    fn assign(&mut self) {
        let value = if self.random.chance(1, 12) {
            let operand = self.value();
            self.builder.add(Op::Not, Mode::Is, &[operand])
        } else {
            let op = self.random.pick(&OPERATIONS);
            let operands = [self.value(), self.value()];
            // The divisor is neither 0 nor -1.
            let is_safe = op.row().traps == Traps::Never;
            let right = if is_safe { operands[1] } else { self.odd(operands[1]) };
            self.builder.binary(op, operands[0], right)
        };
        self.set(value);
    }

    /// A small odd number above 1 that depends on a value.
    fn odd(&mut self, value: NodeId) -> NodeId {
        let [six, three] = [6, 3].map(|value| {
            *self.constants.entry(value).or_insert_with(|| self.builder.constant(value))
        });
        let few = self.builder.binary(Binary::And, value, six);
        self.builder.binary(Binary::Or, few, three)
    }

    fn set(&mut self, value: NodeId) {
        let variable = self.random.below(self.variables.len());
        self.variables[variable] = value;
    }

    fn address(&mut self) -> NodeId {
        if self.random.chance(1, 2) { self.symbol } else { self.value() }
    }

    fn access(&mut self) -> Access {
        if self.random.chance(1, 4) { Access::Volatile } else { Access::Plain }
    }

    fn store(&mut self) {
        let access = self.access();
        let operands = [self.memory, self.address(), self.value()];
        self.memory = self.builder.add(Op::Store(access), Mode::Is, &operands);
    }

    fn load(&mut self) {
        let access = self.access();
        let operands = [self.memory, self.address()];
        self.memory = self.builder.add(Op::Load(access), Mode::Is, &operands);
        self.set(self.memory);
    }

    fn cond(&mut self) -> NodeId {
        let operands = [self.value(), self.value()];
        let relation = self.random.pick(&RELATIONS);
        let truth = self.builder.add(Op::Cmp(relation), Mode::Is, &operands);
        self.builder.add(Op::Cond, Mode::X, &[truth])
    }

    /// Begins a block with one predecessor.
    fn enter(&mut self, jump: NodeId, kind: EdgeKind) {
        self.builder.open(&[jump]);
        self.builder.graph.set_edge_kind(self.builder.block, 0, kind);
    }

    fn branch(&mut self, depth: usize) {
        let cond = self.cond();
        let (variables, memory) = (self.variables, self.memory);
        self.enter(cond, EdgeKind::True);
        self.sequence(depth + 1);
        let jump = self.builder.add(Op::Jmp, Mode::X, &[]);
        let then = std::mem::replace(&mut self.variables, variables);
        let then_memory = std::mem::replace(&mut self.memory, memory);
        let (other, kind) = if self.random.chance(1, 3) {
            (cond, EdgeKind::False)
        } else {
            self.enter(cond, EdgeKind::False);
            self.sequence(depth + 1);
            (self.builder.add(Op::Jmp, Mode::X, &[]), EdgeKind::Always)
        };
        self.builder.open(&[jump, other]);
        self.builder.graph.set_edge_kind(self.builder.block, 1, kind);
        for (at, value) in then.into_iter().enumerate() {
            self.variables[at] = self.join(Mode::Is, value, self.variables[at]);
        }
        self.memory = self.join(Mode::M, then_memory, self.memory);
    }

    /// The value at a join.
    fn join(&mut self, mode: Mode, left: NodeId, right: NodeId) -> NodeId {
        if left == right {
            return left;
        }
        let phi = self.phi(mode, left);
        self.builder.graph.set_operand(phi, 1, right);
        phi
    }

    /// A Phi of two operands; only the first one is known.
    fn phi(&mut self, mode: Mode, first: NodeId) -> NodeId {
        let phi = self.builder.graph.add_later(Op::Phi, mode, 2, first);
        self.builder.graph.set_block(phi, self.builder.block);
        phi
    }

    fn repeat(&mut self, depth: usize) {
        let jump = self.builder.add(Op::Jmp, Mode::X, &[]);
        let header = self.builder.graph.add_later(Op::Block, Mode::BB, 2, jump);
        self.builder.block = header;
        self.variables = self.variables.map(|value| self.phi(Mode::Is, value));
        self.memory = self.phi(Mode::M, self.memory);
        let (variables, memory) = (self.variables, self.memory);
        let cond = self.cond();
        self.enter(cond, EdgeKind::True);
        self.sequence(depth + 1);
        let back = self.builder.add(Op::Jmp, Mode::X, &[]);
        self.builder.graph.set_operand(header, 1, back);
        for (phi, value) in variables.into_iter().zip(self.variables) {
            self.builder.graph.set_operand(phi, 1, value);
        }
        self.builder.graph.set_operand(memory, 1, self.memory);
        self.enter(cond, EdgeKind::False);
        (self.variables, self.memory) = (variables, memory);
    }
}

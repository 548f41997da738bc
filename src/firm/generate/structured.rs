//! Programs of assignments, ifs, loops, loads and stores, as graphs: to test with.
use super::Frame;
use super::random::Random;
use crate::arith::{Binary, Relation, Traps};
use crate::firm::graph::{Graph, NodeId, Way};
use crate::firm::mode::Mode;
use crate::firm::op::{Access, Op};
use std::collections::HashMap;

/// A program of about so many statements. The same seed gives the same program.
pub fn structured(seed: u64, statements: usize) -> Graph {
    let mut maker = Maker::new(seed, statements);
    maker.sequence(0);
    let values = maker.variables;
    let sum = values[1..]
        .iter()
        .fold(values[0], |sum, &value| maker.frame.binary(Binary::Add, sum, value));
    maker.frame.finish(maker.memory, sum, true)
}

struct Maker {
    frame: Frame,
    random: Random,
    /// How many statements are still to be made.
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

/// No statement is nested deeper, so this recurses.
const DEEPEST: usize = 5;

impl Maker {
    fn new(seed: u64, rest: usize) -> Maker {
        let mut frame = Frame::new();
        let arguments = [0, 1].map(|number| frame.argument(number));
        let symbol = frame.symbol("glob");
        let start = frame.graph.start;
        let mut maker = Maker {
            frame,
            random: Random::new(seed),
            rest,
            arguments,
            symbol,
            constants: HashMap::new(),
            variables: [start; 4],
            memory: start,
        };
        maker.variables = [(); 4].map(|()| maker.first());
        maker
    }

    /// What a variable begins with.
    fn first(&mut self) -> NodeId {
        if self.random.chance(60, 100) {
            self.constant()
        } else {
            self.random.pick(&self.arguments)
        }
    }

    fn constant(&mut self) -> NodeId {
        let value = self.random.below(9) as i64 - 4;
        *self.constants.entry(value).or_insert_with(|| self.frame.constant(value))
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
                0..20 if depth < DEEPEST => self.branch(depth),
                20..28 if depth + 1 < DEEPEST => self.repeat(depth),
                28..38 => self.store(),
                38..45 => self.load(),
                _ => self.assign(),
            }
        }
    }

    fn assign(&mut self) {
        let value = if self.random.chance(1, 12) {
            let operand = self.value();
            self.frame.add(Op::Not, &[operand])
        } else {
            let op = self.random.pick(&OPERATIONS);
            let operands = [self.value(), self.value()];
            // What is divided by is not 0, and not -1.
            let is_safe = op.row().traps == Traps::Never;
            let right = if is_safe { operands[1] } else { self.odd(operands[1]) };
            self.frame.binary(op, operands[0], right)
        };
        self.set(value);
    }

    /// A small odd number above 1, made of a value.
    fn odd(&mut self, value: NodeId) -> NodeId {
        let [six, three] = [6, 3].map(|value| {
            *self.constants.entry(value).or_insert_with(|| self.frame.constant(value))
        });
        let few = self.frame.binary(Binary::And, value, six);
        self.frame.binary(Binary::Or, few, three)
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
        self.memory = self.frame.add(Op::Store(access), &operands);
    }

    fn load(&mut self) {
        let access = self.access();
        let operands = [self.memory, self.address()];
        self.memory = self.frame.add(Op::Load(access), &operands);
        self.set(self.memory);
    }

    fn cond(&mut self) -> NodeId {
        let operands = [self.value(), self.value()];
        let relation = self.random.pick(&RELATIONS);
        let truth = self.frame.add(Op::Cmp(relation), &operands);
        self.frame.add(Op::Cond, &[truth])
    }

    /// Begins a block behind one way.
    fn enter(&mut self, jump: NodeId, way: Way) {
        self.frame.open(&[jump]);
        self.frame.graph.set_way(self.frame.block, 0, way);
    }

    fn branch(&mut self, depth: usize) {
        let cond = self.cond();
        let (variables, memory) = (self.variables, self.memory);
        self.enter(cond, Way::True);
        self.sequence(depth + 1);
        let jump = self.frame.add(Op::Jmp, &[]);
        let then = std::mem::replace(&mut self.variables, variables);
        let then_memory = std::mem::replace(&mut self.memory, memory);
        let (other, way) = if self.random.chance(1, 3) {
            (cond, Way::False)
        } else {
            self.enter(cond, Way::False);
            self.sequence(depth + 1);
            (self.frame.add(Op::Jmp, &[]), Way::Always)
        };
        self.frame.open(&[jump, other]);
        self.frame.graph.set_way(self.frame.block, 1, way);
        for (at, value) in then.into_iter().enumerate() {
            self.variables[at] = self.meet(Mode::Is, value, self.variables[at]);
        }
        self.memory = self.meet(Mode::M, then_memory, self.memory);
    }

    /// The value behind two ways.
    fn meet(&mut self, mode: Mode, left: NodeId, right: NodeId) -> NodeId {
        if left == right {
            return left;
        }
        let phi = self.phi(mode, left);
        self.frame.graph.set_operand(phi, 1, right);
        phi
    }

    /// A Phi of two operands, of which only the first is known.
    fn phi(&mut self, mode: Mode, first: NodeId) -> NodeId {
        let phi = self.frame.graph.add_later(Op::Phi, mode, 2, first);
        self.frame.graph.set_block(phi, self.frame.block);
        phi
    }

    fn repeat(&mut self, depth: usize) {
        let jump = self.frame.add(Op::Jmp, &[]);
        let head = self.frame.graph.add_later(Op::Block, Mode::BB, 2, jump);
        self.frame.block = head;
        self.variables = self.variables.map(|value| self.phi(Mode::Is, value));
        self.memory = self.phi(Mode::M, self.memory);
        let (variables, memory) = (self.variables, self.memory);
        let cond = self.cond();
        self.enter(cond, Way::True);
        self.sequence(depth + 1);
        let around = self.frame.add(Op::Jmp, &[]);
        self.frame.graph.set_operand(head, 1, around);
        for (phi, value) in variables.into_iter().zip(self.variables) {
            self.frame.graph.set_operand(phi, 1, value);
        }
        self.frame.graph.set_operand(memory, 1, self.memory);
        self.enter(cond, Way::False);
        (self.variables, self.memory) = (variables, memory);
    }
}

//! Random allocated code with conditions, loops and exits from loops.
//!
//! It never faults and always terminates: each loop counts down in a word of the frame. The result
//! depends on every register, and much of the code can be shortened or removed.
use crate::arith::Relation;
use crate::ia32::code::{Address, Base, Block, BlockId, Code, Form};
use crate::ia32::{Op, Operand, Register};
use crate::random::Random;
use arena::Id;

pub struct Writer {
    random: Random,
    code: Code,
    depth: u32,
    /// Jumps out of the enclosing loops, whose targets are not yet set.
    exits: Vec<Vec<usize>>,
    loops: i32,
}

/// The argument and the counters are addressed by esp.
const ESP: Register = Register::ESP;
const FRAME: i32 = 64;
/// eax, ecx, edx and ebx; esi and edi are for the loops.
const VALUES: usize = 4;
const EBX: usize = 3;
const ESI: usize = 6;

const ANYWHERE: BlockId = BlockId::ENTRY;

impl Writer {
    pub fn new(seed: u64) -> Writer {
        let random = Random::new(seed);
        let code = Code { form: Form::Allocated, ..Code::new("simple") };
        Writer { random, code, depth: 0, exits: Vec::new(), loops: 0 }
    }

    pub fn function(mut self, statements: usize) -> Code {
        self.begin();
        self.push(Op::Push, &[register(EBX)]);
        self.push(Op::Push, &[register(ESI)]);
        self.push(Op::SubImmediate, &[Operand::Register(ESP), Operand::Immediate(FRAME)]);
        self.push(Op::Load, &[register(0), word(FRAME + 12)]);
        for at in 1..VALUES {
            let factor = Operand::Immediate(1 + self.random.below(9) as i32);
            self.push(Op::ImulImmediate, &[register(at), register(0), factor]);
        }
        self.statements(statements, 3);
        self.leave();
        self.code
    }

    fn push(&mut self, op: Op, operands: &[Operand]) -> usize {
        let at = self.code.instructions.len();
        self.code.push(op, operands, at as u32);
        at
    }

    fn begin(&mut self) -> BlockId {
        let first = self.code.instructions.len() as u32;
        self.code.blocks.push(Block::new(first, self.depth))
    }

    fn value(&mut self) -> Operand {
        register(self.random.below(VALUES))
    }

    fn number(&mut self) -> Operand {
        const EDGES: [i32; 8] = [0, 0, 1, -1, 3, 127, 128, i32::MIN];
        Operand::Immediate(EDGES[self.random.below(EDGES.len())])
    }

    fn statements(&mut self, count: usize, nested: usize) {
        for _ in 0..1 + self.random.below(count) {
            match self.random.below(6) {
                0 if nested > 0 => self.condition(count, nested),
                1 if nested > 0 && self.loops < FRAME / 4 => self.repeat(count, nested),
                2 if !self.exits.is_empty() => self.leave_loop(),
                3 => self.truth(),
                _ => self.arithmetic(),
            }
        }
    }

    fn arithmetic(&mut self) {
        let (a, b, number) = (self.value(), self.value(), self.number());
        match self.random.below(12) {
            0 => self.push(Op::Add, &[a, b]),
            1 => self.push(Op::Sub, &[a, b]),
            2 => self.push(Op::Dec, &[a]),
            3 => self.push(Op::And, &[a, b]),
            4 => self.push(Op::Imul, &[a, b]),
            5 => self.push(Op::Mov, &[a, b]),
            6 => self.push(Op::MovImmediate, &[a, number]),
            7 => self.push(Op::Shl, &[a, number]),
            8 => self.push(Op::Neg, &[a]),
            _ => self.address(a, b, number),
        };
    }

    fn address(&mut self, target: Operand, other: Operand, number: Operand) -> usize {
        let (Operand::Register(a), Operand::Register(b)) = (target, other) else {
            unreachable!("values are in registers")
        };
        let Operand::Immediate(displacement) = number else { unreachable!("a number") };
        let sum = Address::new(Base::Register(a), 0).with_index(b, 1);
        let swapped = Address::new(Base::Register(b), 0).with_index(a, 1);
        let far = Address::new(Base::Register(a), displacement);
        let double = Address::new(Base::None, 0).with_index(a, 2);
        let address = [sum, swapped, far, double][self.random.below(4)];
        self.push(Op::Lea, &[target, Operand::Address(address)])
    }

    /// Sets the flags; returns a condition.
    fn compare(&mut self) -> Operand {
        let (a, b, number) = (self.value(), self.value(), self.number());
        match self.random.below(4) {
            0 => self.push(Op::Cmp, &[a, b]),
            1 => self.push(Op::CmpImmediate, &[a, number]),
            _ => self.push(Op::Test, &[a, a]),
        };
        if self.random.below(4) == 0 {
            let (a, b) = (self.value(), self.value());
            self.push(Op::Mov, &[a, b]);
        }
        Operand::Condition(Relation::ALL[self.random.below(6)])
    }

    fn truth(&mut self) {
        let (relation, target) = (self.compare(), self.value());
        self.push(Op::Set, &[relation, target]);
        self.push(Op::Movzx, &[target, target]);
    }

    fn jump(&mut self) -> usize {
        self.push(Op::Jmp, &[Operand::Block(ANYWHERE)])
    }

    /// Jumps under a condition to the next block, and otherwise to a target that is set later, by
    /// the returned jump.
    fn branch(&mut self, relation: Operand) -> usize {
        let next = Operand::Block(BlockId::from_index(self.code.blocks.len()));
        self.push(Op::Jcc, &[relation, next]);
        self.jump()
    }

    fn set_target(&mut self, jump: usize, target: BlockId) {
        self.code.instructions[jump].operands[0] = Operand::Block(target);
    }

    fn condition(&mut self, count: usize, nested: usize) {
        let relation = self.compare();
        let other = self.branch(relation);
        self.begin();
        let empty = self.random.below(4) == 0;
        if !empty {
            self.statements(count / 2 + 1, nested - 1);
        }
        let after = if self.random.below(5) > 0 { Some(self.jump()) } else { self.leave() };
        let otherwise = self.begin();
        self.set_target(other, otherwise);
        if self.random.below(2) == 0 {
            self.statements(count / 2 + 1, nested - 1);
        }
        let last = self.jump();
        let join = self.begin();
        after.into_iter().chain([last]).for_each(|jump| self.set_target(jump, join));
    }

    fn repeat(&mut self, count: usize, nested: usize) {
        let counter = word(4 * self.loops);
        self.loops += 1;
        let iterations = Operand::Immediate(1 + self.random.below(4) as i32);
        self.push(Op::MovImmediate, &[register(ESI), iterations]);
        self.push(Op::Store, &[counter, register(ESI)]);
        let entry = self.jump();
        self.depth += 1;
        self.exits.push(Vec::new());
        let header = self.begin();
        self.set_target(entry, header);
        self.push(Op::Load, &[register(ESI), counter]);
        self.push(Op::Dec, &[register(ESI)]);
        self.push(Op::Store, &[counter, register(ESI)]);
        self.push(Op::Test, &[register(ESI), register(ESI)]);
        let exit = self.branch(Operand::Condition(Relation::GreaterEqual));
        self.begin();
        self.statements(count / 2 + 1, nested - 1);
        let back = self.jump();
        self.set_target(back, header);
        self.depth -= 1;
        let exits = self.exits.pop().expect("of this loop");
        let after = self.begin();
        exits.into_iter().chain([exit]).for_each(|jump| self.set_target(jump, after));
    }

    fn leave_loop(&mut self) {
        let relation = self.compare();
        let other = self.branch(relation);
        self.begin();
        let exit = self.jump();
        self.exits.last_mut().expect("the exit is inside a loop").push(exit);
        let next = self.begin();
        self.set_target(other, next);
    }

    /// Mixes the values and returns. No jump is needed after it.
    fn leave(&mut self) -> Option<usize> {
        for at in 1..VALUES {
            self.push(Op::ImulImmediate, &[register(0), register(0), Operand::Immediate(31)]);
            self.push(Op::Add, &[register(0), register(at)]);
        }
        self.push(Op::AddImmediate, &[Operand::Register(ESP), Operand::Immediate(FRAME)]);
        self.push(Op::Pop, &[register(ESI)]);
        self.push(Op::Pop, &[register(EBX)]);
        self.push(Op::Ret, &[]);
        None
    }
}

fn register(number: usize) -> Operand {
    Operand::Register(Register::from_index(number))
}

fn word(offset: i32) -> Operand {
    Operand::Address(Address::new(Base::Register(ESP), offset))
}

//! Random code that cannot fault, for tests.
#[cfg(feature = "ch05")]
pub mod graphs;

#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch14")]
use crate::firm::Signature;
#[cfg(feature = "ch05")]
use crate::ia32::code::BlockId;
use crate::ia32::code::{Address, Base};
use crate::ia32::instruction::Row;
use crate::ia32::instruction_table::ROWS;
use crate::ia32::{Code, Op, Operand, Register, encode};
use crate::random::Random;
use crate::stage::{Artifact, Termination};
use crate::target::{OperandConstraint, RegisterConstraint, RegisterKind};
use arena::Id;

/// Writes random code that cannot fault, with about `live` live values.
pub struct Writer {
    pub random: Random,
    pub code: Code,
    /// The values that may be read.
    pub pool: Vec<Register>,
    live: usize,
    /// The first virtual register that the current block has written.
    pub begun: u32,
}

pub const EAX: Operand = Operand::Register(Register::EAX);

/// The bases of loads in selected code.
const LOAD_BASES: &[Base] = &[
    #[cfg(feature = "ch04")]
    Base::Argument(0),
];

/// The bases of addresses without a register.
const NO_BASES: &[Base] = &[
    #[cfg(feature = "ch04")]
    Base::None,
];

/// Addresses with an index.
const WITH_INDEX: &[fn(Address, Register, u8) -> Address] = &[
    #[cfg(feature = "ch04")]
    Address::with_index,
];

/// Starts the code.
const BEGIN: &[fn(&mut Code)] = &[
    #[cfg(feature = "ch05")]
    |code| {
        code.begin_block();
    },
];

/// Whether an instruction reads or writes memory at any address, and not only an argument.
#[cfg(feature = "ch10")]
fn accesses_memory(row: &Row) -> bool {
    let has_address = row.instruction.operands.contains(&OperandConstraint::Address);
    has_address && !matches!(row.op, Op::Load | Op::Lea)
}

/// Numbers at the limits of instruction forms.
const EDGES: [i32; 10] = [0, 1, -1, 5, 127, 128, -128, -129, i32::MIN, i32::MAX];

impl Writer {
    pub fn new(seed: u64, live: usize) -> Writer {
        let random = Random::new(seed);
        let mut writer =
            Writer { random, code: Code::new("simple"), pool: Vec::new(), live, begun: 0 };
        BEGIN.iter().for_each(|begin| begin(&mut writer.code));
        writer.number(42);
        writer
    }

    pub fn program(mut self, length: usize) -> Code {
        while self.code.instructions.len() < length {
            self.write();
        }
        self.finish();
        self.code
    }

    /// Values that are live in all blocks, and blocks that need registers for themselves.
    #[cfg(feature = "ch05")]
    pub fn many_values_in_many_blocks() -> Code {
        let mut writer = Writer::new(1, 2000);
        (0..2000).for_each(|number| writer.number(number));
        for block in 1..=20_000 {
            writer.push(Op::Jmp, &[Operand::Block(BlockId::from_index(block))]);
            writer.code.begin_block();
            let sum = writer.fresh();
            writer.push(Op::MovImmediate, &[sum, Operand::Immediate(1)]);
            writer.push(Op::AddImmediate, &[sum, Operand::Immediate(2)]);
        }
        writer.program(0)
    }

    /// Some instructions.
    pub fn write(&mut self) {
        let row = &ROWS[self.random.below(ROWS.len())];
        self.row(row);
    }

    /// Returns the sum of all defined values.
    pub fn finish(&mut self) {
        let sum = self.fresh();
        self.push(Op::MovImmediate, &[sum, Operand::Immediate(0)]);
        while let Some(value) = self.pool.pop() {
            self.push(Op::Add, &[sum, Operand::Register(value)]);
        }
        self.push(Op::Mov, &[EAX, sum]);
        self.push(Op::Ret, &[]);
    }

    pub fn push(&mut self, op: Op, operands: &[Operand]) {
        let origin = self.code.instructions.len() as u32;
        self.code.push(op, operands, origin);
    }

    pub fn fresh(&mut self) -> Operand {
        Operand::Register(self.register())
    }

    pub fn register(&mut self) -> Register {
        self.code.virtual_registers.push(RegisterKind::WORD);
        Register::new_virtual(self.code.register_count() - 1)
    }

    pub fn value(&mut self) -> Operand {
        Operand::Register(self.pool[self.random.below(self.pool.len())])
    }

    /// Adds a value to the pool, and may drop another one.
    fn keep(&mut self, value: Operand) {
        let Operand::Register(value) = value else { panic!("a value is in a register") };
        if self.random.below(16) > 0 {
            self.pool.push(value);
        }
        while self.pool.len() > self.live {
            let at = self.random.below(self.pool.len());
            self.pool.swap_remove(at);
        }
    }

    fn immediate(&mut self) -> i32 {
        self.random.pick(&EDGES)
    }

    pub fn number(&mut self, number: i32) {
        let value = self.register();
        self.push(Op::MovImmediate, &[Operand::Register(value), Operand::Immediate(number)]);
        self.pool.push(value);
    }

    pub fn row(&mut self, row: &Row) {
        // Addresses are random, so nothing is read or written there.
        #[cfg(feature = "ch10")]
        if accesses_memory(row) {
            return;
        }
        match row.op {
            Op::Push | Op::Pop | Op::Store | Op::Ret => {}
            #[cfg(feature = "ch05")]
            Op::Jmp | Op::Jcc => {}
            #[cfg(feature = "ch14")]
            Op::Call | Op::CallRegister | Op::MovSymbol => {}
            #[cfg(feature = "ch18")]
            Op::JmpFunction | Op::JmpValue | Op::CallPair | Op::RetPair => {}
            #[cfg(feature = "ch18")]
            Op::FloatCall | Op::FloatCallRegister => {}
            #[cfg(feature = "ch15")]
            Op::CallNoReturn | Op::PushImmediate => {}
            Op::Cdq | Op::Idiv => self.division(),
            #[cfg(feature = "ch04")]
            Op::ImulWide => self.wide_product(Op::ImulWide),
            #[cfg(feature = "ch14")]
            Op::MulWide => self.wide_product(Op::MulWide),
            #[cfg(feature = "ch04")]
            Op::Set | Op::Movzx => self.comparison(),
            #[cfg(feature = "ch14")]
            Op::MovsxByte | Op::MovzxHalf | Op::MovsxHalf => self.conversion(row.op),
            Op::Load => self.load(),
            #[cfg(feature = "ch29")]
            Op::Cmov => self.choice(),
            #[cfg(feature = "ch14")]
            op @ (Op::Adc | Op::AdcImmediate | Op::Sbb | Op::SbbImmediate) => {
                self.carry();
                self.plain(op, row);
            }
            // Generated programs have floats.
            #[cfg(feature = "ch12")]
            op if op.is_float() => {}
            op => self.plain(op, row),
        }
    }

    fn load(&mut self) {
        for &base in LOAD_BASES {
            let value = self.fresh();
            self.push(Op::Load, &[value, Operand::Address(Address::new(base, 0))]);
            self.keep(value);
        }
    }

    /// Random operands. The target is new, or sometimes an older value.
    fn plain(&mut self, op: Op, row: &Row) {
        let old = self.pool[self.random.below(self.pool.len())];
        let new = self.random.below(8) > 0 || old.virtual_number() < Some(self.begun);
        let target = if new { self.fresh() } else { Operand::Register(old) };
        let first = row.instruction.operands[0];
        if new && first.writes() && first.reads() {
            let source = self.value();
            self.push(Op::Mov, &[target, source]);
            self.keep(target);
        }
        let operands = row.instruction.operands.iter().map(|slot| match slot {
            OperandConstraint::Register(..) if slot.writes() => target,
            #[cfg(feature = "ch14")]
            OperandConstraint::Register(_, RegisterConstraint::Only(number)) => {
                self.value_in(Operand::Register(Register::from_index(usize::from(*number))))
            }
            OperandConstraint::Register(..) => self.value(),
            OperandConstraint::Immediate => Operand::Immediate(self.immediate()),
            OperandConstraint::Address => self.address(),
            #[cfg(feature = "ch04")]
            OperandConstraint::Condition => unreachable!("no plain operation has one"),
            #[cfg(feature = "ch14")]
            OperandConstraint::Symbol => unreachable!("only calls have one"),
            #[cfg(feature = "ch05")]
            OperandConstraint::Block => unreachable!("only jumps have one"),
        });
        let operands = operands.collect::<Vec<_>>();
        self.push(op, &operands);
        if new && first.writes() && !first.reads() {
            self.keep(target);
        }
    }

    /// A comparison, for its carry.
    #[cfg(feature = "ch14")]
    fn carry(&mut self) {
        let operands = [self.value(), self.value()];
        self.push(Op::Cmp, &operands);
    }

    /// Copies a value to a real register.
    #[cfg(feature = "ch14")]
    fn value_in(&mut self, register: Operand) -> Operand {
        let value = self.value();
        self.push(Op::Mov, &[register, value]);
        register
    }

    fn address(&mut self) -> Operand {
        let [base, index] = [(); 2].map(|()| self.pool[self.random.below(self.pool.len())]);
        let none = NO_BASES.get(self.random.below(3));
        let scale = 1 << self.random.below(4);
        let indexed = none.is_some() || self.random.below(2) == 0;
        let base = none.copied().unwrap_or(Base::Register(base));
        let sum = Address::new(base, self.immediate());
        let sum = match WITH_INDEX.first() {
            Some(with_index) if indexed => with_index(sum, index, scale),
            _ => sum,
        };
        Operand::Address(sum)
    }

    fn division(&mut self) {
        let divisor = self.fresh();
        let constant = [2, 3, -7, 10, i32::MAX, i32::MIN][self.random.below(6)];
        self.push(Op::MovImmediate, &[divisor, Operand::Immediate(constant)]);
        let dividend = self.value();
        self.push(Op::Mov, &[EAX, dividend]);
        self.push(Op::Cdq, &[]);
        self.push(Op::Idiv, &[divisor]);
        self.results();
        if self.random.below(2) == 0 {
            self.keep(divisor);
        }
    }

    /// Takes eax, edx or both.
    pub fn results(&mut self) {
        let edx = Operand::Register(Register::from_index(2));
        let mask = 1 + self.random.below(3);
        for (bit, register) in [(1, EAX), (2, edx)] {
            if mask & bit != 0 {
                let value = self.fresh();
                self.push(Op::Mov, &[value, register]);
                self.keep(value);
            }
        }
    }

    /// Calls the second function of the program, which has no parameters.
    #[cfg(feature = "ch14")]
    pub fn call(&mut self) {
        let signature = Operand::Signature(Signature::new(0, 1));
        self.push(Op::Call, &[Operand::Symbol(1), signature]);
        let value = self.fresh();
        self.push(Op::Mov, &[value, EAX]);
        self.keep(value);
    }

    #[cfg(feature = "ch04")]
    fn wide_product(&mut self, op: Op) {
        let [a, b] = [self.value(), self.value()];
        self.push(Op::Mov, &[EAX, a]);
        self.push(op, &[b]);
        self.results();
    }

    /// Compares two values.
    #[cfg(feature = "ch04")]
    fn condition(&mut self) -> Operand {
        let [a, b] = [self.value(), self.value()];
        let compare = [Op::Cmp, Op::Test][self.random.below(2)];
        self.push(compare, &[a, b]);
        Operand::Condition(Relation::ALL[self.random.below(6)])
    }

    /// The flags last until the conditional copy.
    #[cfg(feature = "ch29")]
    fn choice(&mut self) {
        let [target, otherwise, chosen] = [self.fresh(), self.value(), self.value()];
        self.push(Op::Mov, &[target, otherwise]);
        let relation = self.condition();
        self.push(Op::Cmov, &[relation, target, chosen]);
        self.keep(target);
    }

    /// The lower part of any value may be read.
    #[cfg(feature = "ch14")]
    fn conversion(&mut self, op: Op) {
        let [word, source] = [self.fresh(), self.value()];
        self.push(op, &[word, source]);
        self.keep(word);
    }

    #[cfg(feature = "ch04")]
    fn comparison(&mut self) {
        let relation = self.condition();
        let [byte, result] = [self.fresh(), self.fresh()];
        self.push(Op::Set, &[relation, byte]);
        self.push(Op::Movzx, &[result, byte]);
        self.keep(result);
        // The low byte of any value may be read.
        let [word, source] = [self.fresh(), self.value()];
        self.push(Op::Movzx, &[word, source]);
        self.keep(word);
    }
}

/// Checks that allocated code is sound and computes the same results.
#[track_caller]
pub fn check_allocation(code: &Code, allocated: &Code, arguments: &[i64]) {
    assert_eq!(allocated.verify(), [], "\n{}\n{}", code.print(), allocated.print());
    for &argument in arguments {
        let outcome = code.eval(argument).expect("selected code is executable");
        assert!(matches!(outcome.end, Termination::Value(_)), "{outcome:?}\n{}", code.print());
        let after = allocated.eval(argument);
        assert_eq!(after, Some(outcome), "\n{}\n{}", code.print(), allocated.print());
    }
    assert_eq!(encode(allocated).offsets.len(), allocated.instructions.len());
}

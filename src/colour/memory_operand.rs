//! Operands in memory: a value that an instruction reads there needs no register.
use crate::colour::next_use::LOOP_EXIT_DISTANCE;
use crate::colour::spiller::Spiller;
use crate::ia32::code::Instruction;
use crate::ia32::{Op, Operand, Register};
use crate::live_ranges::Position;

/// The value that an instruction may read in memory: its second operand, or one that it compares
/// with a constant.
pub fn value_in_memory(instruction: &Instruction) -> Option<Register> {
    let [first, second, _] = instruction.operands;
    let value = match instruction.op {
        Op::CmpImmediate => first,
        Op::Test => Some(first).filter(|_| first == second)?,
        op => op.with_second_in_memory().and(Some(second)).filter(|_| first != second)?,
    };
    match value {
        Operand::Register(value) if !value.is_real() => Some(value),
        _ => None,
    }
}

/// The instruction, when this value is in memory.
pub fn with_memory(instruction: &Instruction, place: Operand) -> Instruction {
    let Instruction { op, operands: [first, second, third], origin } = *instruction;
    let compare = |number| Instruction::new(Op::MemoryCmpImmediate, &[place, number], origin);
    match op {
        Op::Test => compare(Operand::Immediate(0)),
        Op::CmpImmediate => compare(second),
        _ => {
            let op = op.with_second_in_memory().expect("an operand is in memory");
            Instruction { op, operands: [first, place, third], origin }
        }
    }
}

impl Spiller<'_> {
    /// The value that an instruction reads in memory, if that is possible and the next use of the
    /// value is too far away for a register.
    pub fn memory_operand(&mut self, instruction: &Instruction, at: Position) -> Option<Register> {
        let value = value_in_memory(instruction).filter(|it| self.is_in_memory(*it))?;
        let stays = !self.is_worth_a_register(value, at);
        self.spilled[value] |= stays;
        stays.then_some(value)
    }

    /// Whether a value is read again, before another one that is in a register.
    pub fn is_worth_a_register(&mut self, value: Register, at: Position) -> bool {
        self.next.enter(self.code, self.intervals, self.block);
        let distance = |value| self.distance(at + 2, value);
        let again = distance(value);
        let class = self.class(value);
        let is_full = self.held_count(class) >= self.available(class).len();
        let others = self.held.iter().filter(|it| it.class == class);
        let mut others = others.map(|it| distance(it.value));
        again < LOOP_EXIT_DISTANCE && (!is_full || others.any(|other| again < other))
    }
}

//! Operands in memory: a value that an instruction reads there needs no register.
use crate::allocate::Position;
use crate::colour::next_use::LOOP_EXIT_DISTANCE;
use crate::colour::spiller::Spiller;
use crate::ia32::code::Instruction;
use crate::ia32::{Operand, Register};

/// The value that may be in memory, as the second operand of an instruction.
pub fn second_in_memory(instruction: &Instruction) -> Option<Register> {
    let [first, Operand::Register(value), _] = instruction.operands else { return None };
    let is_distinct = !value.is_real() && first != Operand::Register(value);
    (is_distinct && instruction.op.with_second_in_memory().is_some()).then_some(value)
}

impl Spiller<'_> {
    /// The value that is the second operand of an instruction and stays in memory, if that is
    /// possible and its next use is too far away for a register.
    pub fn memory_operand(&mut self, instruction: &Instruction, at: Position) -> Option<Register> {
        let value = second_in_memory(instruction).filter(|it| self.is_in_memory(*it))?;
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

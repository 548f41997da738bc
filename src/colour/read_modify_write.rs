//! Updates in memory: a *read-modify-write* instruction changes a value in its slot.
//!
//! It takes the place of a reload, an operation and a store. The old and the new value have one
//! slot and no register.
use crate::colour::memory_operand::value_in_memory;
use crate::colour::spiller::Spiller;
use crate::colour::split_code::{Action, Part, Step};
use crate::ia32::code::{Base, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use crate::live_ranges::Position;
use crate::live_ranges::intervals::Use;
use crate::target::Flags;
use std::ops::Range;

/// So many instructions are searched for a use of the flags, so that it takes constant time.
const NEAR: usize = 16;

/// An operation on a value in memory. It replaces a `lea`, or a copy and an operation.
#[derive(Clone, Copy)]
pub struct Update {
    /// The value before it.
    pub value: Register,
    /// The value after it, in the same slot.
    pub result: Register,
    /// The number of instructions that it replaces.
    length: usize,
    op: Op,
    other: Operand,
}

/// The updates that may replace the first of these instructions, or the first two.
pub fn updates(instructions: &[Instruction]) -> impl Iterator<Item = Update> {
    let operations = operation(instructions).into_iter().flat_map(|(length, op, left, right)| {
        let commutes = op != Op::MemorySub;
        let commuted = commutes.then_some((right, left));
        let orders = [Some((left, right)), commuted].into_iter().flatten();
        orders.map(move |(value, other)| (length, op, value, other))
    });
    operations.filter_map(|(length, op, value, other)| {
        let (Operand::Register(result), Operand::Register(value)) =
            (instructions[0].operands[0], value)
        else {
            return None;
        };
        let is_real = result.is_real() || value.is_real();
        let is_distinct = ![value, result].map(Operand::Register).contains(&other);
        (is_distinct && !is_real).then_some(Update { value, result, length, op, other })
    })
}

/// The operation on its two operands that the first instructions are, and their number.
fn operation(instructions: &[Instruction]) -> Option<(usize, Op, Operand, Operand)> {
    let [first, rest @ ..] = instructions else { return None };
    match (first.operands[1], rest.first()) {
        (Operand::Address(sum), _) if first.op == Op::Lea => {
            let Base::Register(left) = sum.base() else { return None };
            let left = Operand::Register(left);
            match (sum.index(), sum.displacement) {
                (Some((right, 1)), 0) => Some((1, Op::MemoryAdd, left, Operand::Register(right))),
                (None, number) => {
                    Some((1, Op::MemoryAddImmediate, left, Operand::Immediate(number)))
                }
                _ => None,
            }
        }
        (source, Some(second)) if first.op.is_copy() && second.operands[0] == first.operands[0] => {
            Some((2, second.op.with_first_in_memory()?, source, second.operands[1]))
        }
        _ => None,
    }
}

impl Update {
    /// The instruction for a value at this place.
    pub fn instruction(&self, place: Operand, origin: u32) -> Instruction {
        Instruction::new(self.op, &[place, self.other], origin)
    }

    /// The position of the last instruction that it replaces, if this one is the first.
    fn last(&self, at: usize) -> Position {
        2 * (at + self.length - 1) as Position
    }
}

impl Spiller<'_> {
    /// Replaces the first of these instructions, or the first two, by an update in memory. Returns
    /// their number; none if no update takes their place.
    pub fn update_in_memory(&mut self, range: Range<usize>) -> Option<usize> {
        let at = range.start;
        let instructions = &self.code.instructions[range];
        // Most instructions are not the first of an update.
        operation(instructions)?;
        let mut possible = updates(instructions);
        let update = possible.find(|it| self.stays_in_memory(at, it))?;
        let last = update.last(at);
        let first = self.out.operands.len();
        let instruction = update.instruction(Operand::None, 0);
        instruction.for_each_named(|it| self.out.operands.push(it));
        let operands = Part::since(first, &self.out.operands);
        self.reload(operands, last, at);
        self.name_operands(operands);
        self.drop_dead(last + 2);
        let action = Action::Instruction { operands, memory: Some(update.value) };
        self.out.steps.push(Step { action, fixed: RegisterSet::EMPTY, at: at as u32 });
        (self.spilled[update.value], self.spilled[update.result]) = (true, true);
        self.updated.push((update.value, update.result));
        Some(update.length)
    }

    /// Whether a value is in memory, and the result of an update of it needs no register.
    fn stays_in_memory(&mut self, at: usize, update: &Update) -> bool {
        self.is_in_memory(update.value)
            && self.intervals[update.value].argument.is_none()
            && self.ends(at, update)
            && !(update.length == 1 && self.are_flags_read(at))
            && !self.is_worth_a_register(update.result, self.last_read_in_memory(update, at))
    }

    /// The position of the first read of the result, if that can be in memory, too; else that of
    /// the update.
    fn last_read_in_memory(&self, update: &Update, at: usize) -> Position {
        let last = update.last(at);
        let mut uses = self.intervals.of(update.result).uses_from(last + 2).iter();
        let is_read = |it: &&Use| it.at < self.intervals.flow.last(self.block);
        let first = uses.next().filter(is_read).filter(|it| {
            let instruction = &self.code.instructions[it.at as usize / 2];
            value_in_memory(instruction) == Some(update.result)
        });
        first.map_or(last, |it| it.at)
    }

    /// Whether the old value is not live after an update.
    pub fn ends(&self, at: usize, update: &Update) -> bool {
        !self.intervals.of(update.value).covers(update.last(at) + 1)
    }

    /// Whether the flags at an instruction that does not change them may be read later.
    fn are_flags_read(&self, at: usize) -> bool {
        let rest = &self.code.instructions[at + 1..self.code.range(self.block).end];
        Flags::are_read(rest.iter().take(NEAR).map(Instruction::flags), rest.len() > NEAR)
    }
}

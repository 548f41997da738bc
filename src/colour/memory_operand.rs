//! Instructions with an operand in memory.
use crate::ia32::code::{Base, Instruction};
use crate::ia32::{Op, Operand, Register};

/// The value that may be in memory, as the second operand of an instruction.
pub fn second_in_memory(instruction: &Instruction) -> Option<Register> {
    let [first, Operand::Register(value), _] = instruction.operands else { return None };
    let is_distinct = !value.is_real() && first != Operand::Register(value);
    (is_distinct && instruction.op.with_second_in_memory().is_some()).then_some(value)
}

/// An operation on a value in memory. It replaces a `lea`, or a copy and an operation.
#[derive(Clone, Copy)]
pub struct Update {
    /// The value before it.
    pub value: Register,
    /// The value after it, in the same slot.
    pub result: Register,
    /// The number of instructions that it replaces.
    pub length: usize,
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

/// The form of the first instructions that has a value in memory, at this place.
pub fn with_memory(instructions: &[Instruction], value: Register, place: Operand) -> Instruction {
    let Instruction { op, operands: [first, _, third], origin } = instructions[0];
    match updates(instructions).find(|it| it.value == value) {
        Some(Update { op, other, .. }) => Instruction::new(op, &[place, other], origin),
        None => {
            let op = op.with_second_in_memory().expect("an operand is in memory");
            Instruction { op, operands: [first, place, third], origin }
        }
    }
}

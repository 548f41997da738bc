//! Instructions whose second operand may be in memory.
use crate::ia32::code::Instruction;
use crate::ia32::{Op, Operand, Register};

/// The operation with its second operand in memory, and the value that may be there.
pub fn memory_form(instruction: &Instruction) -> Option<(Op, Register)> {
    let [first, Operand::Register(value), _] = instruction.operands else { return None };
    let op = match instruction.op {
        Op::Add => Op::AddMemory,
        Op::Sub => Op::SubMemory,
        Op::Imul => Op::ImulMemory,
        Op::Cmp => Op::CmpMemory,
        Op::FloatAdd => Op::FloatAddMemory,
        Op::FloatSub => Op::FloatSubMemory,
        Op::FloatMul => Op::FloatMulMemory,
        Op::FloatDiv => Op::FloatDivMemory,
        Op::FloatCompare => Op::FloatCompareMemory,
        _ => return None,
    };
    (!value.is_real() && first != Operand::Register(value)).then_some((op, value))
}

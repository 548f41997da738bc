//! The operations that also exist with one operand in memory.
use crate::ia32::Op;

impl Op {
    /// The operation whose second operand is in memory.
    pub fn with_second_in_memory(self) -> Option<Op> {
        Some(match self {
            Op::Add => Op::AddMemory,
            Op::Sub => Op::SubMemory,
            Op::Imul => Op::ImulMemory,
            Op::Cmp => Op::CmpMemory,
            Op::FloatAdd => Op::FloatAddMemory,
            Op::FloatSub => Op::FloatSubMemory,
            Op::FloatMul => Op::FloatMulMemory,
            Op::FloatDiv => Op::FloatDivMemory,
            Op::FloatCompare => Op::FloatCompareMemory,
            #[cfg(feature = "ch14")]
            Op::FloatNarrow => Op::FloatNarrowMemory,
            _ => return None,
        })
    }

    /// The operation that updates its first operand in memory.
    pub fn with_first_in_memory(self) -> Option<Op> {
        Some(match self {
            Op::Add => Op::MemoryAdd,
            Op::AddImmediate => Op::MemoryAddImmediate,
            Op::Sub => Op::MemorySub,
            Op::Inc => Op::MemoryInc,
            Op::Dec => Op::MemoryDec,
            _ => return None,
        })
    }
}

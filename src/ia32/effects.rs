//! The effects of instructions on memory, on control and on the flags.
use crate::ia32::instruction::Op;
#[cfg(feature = "ch14")]
use crate::target::Effect;
#[cfg(feature = "ch04")]
use crate::target::Flags;

#[cfg(feature = "ch14")]
pub const fn effect(op: Op) -> Effect {
    match op {
        Op::Ret => Effect::Leaves,
        Op::Push | Op::Pop => Effect::Stack,
        Op::MovImmediate | Op::Mov | Op::Zero | Op::Lea | Op::Movzx => Effect::None,
        Op::Add | Op::AddImmediate | Op::Sub | Op::SubImmediate | Op::Neg => Effect::None,
        Op::Imul | Op::ImulImmediate | Op::ImulWide | Op::Cdq | Op::Idiv => Effect::None,
        #[cfg(feature = "ch14")]
        Op::MulWide => Effect::None,
        Op::Inc | Op::Dec | Op::Not | Op::And | Op::AndImmediate | Op::Or => Effect::None,
        Op::OrImmediate | Op::Xor | Op::XorImmediate | Op::Shl | Op::Shr | Op::Sar => Effect::None,
        Op::Cmp | Op::CmpImmediate | Op::Test | Op::TestImmediate | Op::Set => Effect::None,
        Op::Jmp | Op::Jcc => Effect::Jumps,
        Op::Load | Op::Store | Op::StoreImmediate => Effect::Memory,
        Op::AddMemory | Op::SubMemory | Op::ImulMemory | Op::ImulMemoryImmediate => Effect::Memory,
        Op::MemoryAdd | Op::MemoryAddImmediate | Op::MemoryInc => Effect::Memory,
        Op::MemorySub | Op::MemoryDec => Effect::Memory,
        Op::CmpMemory | Op::MemoryCmpImmediate => Effect::Memory,
        Op::FloatMove | Op::FloatZero | Op::FloatAdd | Op::FloatSub => Effect::None,
        Op::FloatMul | Op::FloatDiv | Op::FloatXor | Op::FloatCompare => Effect::None,
        Op::FloatMask | Op::FloatLowWord | Op::FloatFromWord => Effect::None,
        Op::FloatLoad | Op::FloatStore | Op::FloatAddMemory | Op::FloatSubMemory => Effect::Memory,
        Op::FloatMulMemory | Op::FloatDivMemory | Op::FloatCompareMemory => Effect::Memory,
        Op::FloatFromMemory => Effect::Memory,
        Op::FloatRet => Effect::Leaves,
        #[cfg(feature = "ch18")]
        Op::JmpFunction | Op::JmpValue | Op::RetPair => Effect::Leaves,
        #[cfg(feature = "ch18")]
        Op::CallPair => Effect::Calls { clobbers: BESIDES_PAIR },
        #[cfg(feature = "ch18")]
        Op::FloatCall | Op::FloatCallRegister => Effect::Calls { clobbers: BESIDES_FLOAT },
        #[cfg(feature = "ch29")]
        Op::Cmov => Effect::None,
        #[cfg(feature = "ch14")]
        Op::SarCount => Effect::None,
        #[cfg(feature = "ch14")]
        Op::Adc | Op::AdcImmediate | Op::Sbb | Op::SbbImmediate => Effect::None,
        #[cfg(feature = "ch14")]
        Op::Shld | Op::Shrd | Op::ShldCount | Op::ShrdCount => Effect::None,
        #[cfg(feature = "ch14")]
        Op::ShlCount | Op::ShrCount | Op::Rol | Op::FloatNarrow | Op::FloatWiden => Effect::None,
        #[cfg(feature = "ch14")]
        Op::Call | Op::CallRegister => Effect::Calls { clobbers: CALLER_SAVED },
        #[cfg(feature = "ch15")]
        Op::CallNoReturn => Effect::Calls { clobbers: CALLER_SAVED },
        #[cfg(feature = "ch15")]
        Op::PushImmediate => Effect::Stack,
        #[cfg(feature = "ch14")]
        Op::MovSymbol => Effect::None,
        #[cfg(feature = "ch14")]
        Op::MovsxByte | Op::MovzxHalf | Op::MovsxHalf => Effect::None,
        #[cfg(feature = "ch14")]
        Op::LoadByte | Op::LoadSignedByte | Op::LoadHalf | Op::LoadSignedHalf => Effect::Memory,
        #[cfg(feature = "ch14")]
        Op::StoreByte | Op::StoreByteImmediate => Effect::Memory,
        #[cfg(feature = "ch14")]
        Op::StoreHalf | Op::StoreHalfImmediate => Effect::Memory,
        #[cfg(feature = "ch14")]
        Op::ByteAdd | Op::ByteAddImmediate | Op::ByteSub => Effect::Memory,
        #[cfg(feature = "ch14")]
        Op::HalfAdd | Op::HalfAddImmediate | Op::HalfSub => Effect::Memory,
        #[cfg(feature = "ch14")]
        Op::ByteCmpImmediate | Op::FloatNarrowMemory | Op::FloatWidenMemory | Op::SingleStore => {
            Effect::Memory
        }
    }
}

#[cfg(feature = "ch04")]
pub const fn flags(op: Op) -> Flags {
    match op {
        Op::MovImmediate | Op::Mov | Op::Load | Op::Store | Op::Lea | Op::Not | Op::Cdq => {
            Flags::Untouched
        }
        Op::Movzx | Op::Push | Op::Pop | Op::Ret => Flags::Untouched,
        Op::Add | Op::AddImmediate | Op::Sub | Op::SubImmediate => Flags::Zero,
        Op::Inc | Op::Dec | Op::Neg => Flags::Zero,
        Op::Shl | Op::Shr | Op::Sar => Flags::Zero,
        Op::Zero | Op::And | Op::AndImmediate | Op::Or | Op::OrImmediate => Flags::Result,
        Op::Xor | Op::XorImmediate => Flags::Result,
        Op::Imul | Op::ImulImmediate | Op::ImulWide | Op::Idiv => Flags::Undefined,
        #[cfg(feature = "ch14")]
        Op::MulWide => Flags::Undefined,
        Op::Cmp | Op::CmpImmediate | Op::Test => Flags::Compared,
        Op::Set => Flags::Read,
        #[cfg(feature = "ch05")]
        Op::Jmp => Flags::Untouched,
        #[cfg(feature = "ch05")]
        Op::Jcc => Flags::Read,
        #[cfg(feature = "ch10")]
        Op::StoreImmediate => Flags::Untouched,
        #[cfg(feature = "ch10")]
        Op::AddMemory | Op::SubMemory => Flags::Zero,
        #[cfg(feature = "ch10")]
        Op::MemoryAdd | Op::MemoryAddImmediate | Op::MemoryInc => Flags::Zero,
        #[cfg(feature = "ch10")]
        Op::MemorySub | Op::MemoryDec => Flags::Zero,
        #[cfg(feature = "ch10")]
        Op::ImulMemory | Op::ImulMemoryImmediate => Flags::Undefined,
        #[cfg(feature = "ch10")]
        Op::CmpMemory | Op::MemoryCmpImmediate | Op::TestImmediate => Flags::Compared,
        #[cfg(feature = "ch12")]
        Op::FloatCompare | Op::FloatCompareMemory => Flags::ComparedUnsigned,
        #[cfg(feature = "ch12")]
        Op::FloatMove | Op::FloatZero | Op::FloatAdd | Op::FloatSub => Flags::Untouched,
        #[cfg(feature = "ch12")]
        Op::FloatMul | Op::FloatDiv | Op::FloatXor | Op::FloatMask => Flags::Untouched,
        #[cfg(feature = "ch12")]
        Op::FloatLoad | Op::FloatStore | Op::FloatAddMemory | Op::FloatSubMemory => {
            Flags::Untouched
        }
        #[cfg(feature = "ch12")]
        Op::FloatMulMemory | Op::FloatDivMemory | Op::FloatLowWord => Flags::Untouched,
        #[cfg(feature = "ch12")]
        Op::FloatFromWord | Op::FloatFromMemory | Op::FloatRet => Flags::Untouched,
        #[cfg(feature = "ch29")]
        Op::Cmov => Flags::Read,
        #[cfg(feature = "ch14")]
        Op::SarCount => Flags::Undefined,
        #[cfg(feature = "ch14")]
        Op::Adc | Op::AdcImmediate => Flags::Carry,
        #[cfg(feature = "ch14")]
        Op::Sbb | Op::SbbImmediate => Flags::Borrow,
        #[cfg(feature = "ch14")]
        Op::Shld | Op::Shrd | Op::ShldCount | Op::ShrdCount | Op::Rol => Flags::Undefined,
        #[cfg(feature = "ch14")]
        Op::ShlCount | Op::ShrCount => Flags::Undefined,
        #[cfg(feature = "ch14")]
        Op::Call | Op::CallRegister => Flags::Undefined,
        #[cfg(feature = "ch18")]
        Op::JmpFunction | Op::JmpValue | Op::CallPair => Flags::Undefined,
        #[cfg(feature = "ch18")]
        Op::FloatCall | Op::FloatCallRegister => Flags::Undefined,
        #[cfg(feature = "ch18")]
        Op::RetPair => Flags::Untouched,
        #[cfg(feature = "ch15")]
        Op::CallNoReturn => Flags::Undefined,
        #[cfg(feature = "ch15")]
        Op::PushImmediate => Flags::Untouched,
        #[cfg(feature = "ch14")]
        Op::MovSymbol
        | Op::FloatNarrow
        | Op::FloatNarrowMemory
        | Op::FloatWiden
        | Op::FloatWidenMemory
        | Op::SingleStore => Flags::Untouched,
        #[cfg(feature = "ch14")]
        Op::MovsxByte | Op::MovzxHalf | Op::MovsxHalf => Flags::Untouched,
        #[cfg(feature = "ch14")]
        Op::LoadByte | Op::LoadSignedByte | Op::LoadHalf | Op::LoadSignedHalf => Flags::Untouched,
        #[cfg(feature = "ch14")]
        Op::StoreByte | Op::StoreByteImmediate => Flags::Untouched,
        #[cfg(feature = "ch14")]
        Op::StoreHalf | Op::StoreHalfImmediate => Flags::Untouched,
        #[cfg(feature = "ch14")]
        Op::ByteCmpImmediate => Flags::Compared,
        #[cfg(feature = "ch14")]
        Op::ByteAdd | Op::ByteAddImmediate | Op::ByteSub => Flags::Undefined,
        #[cfg(feature = "ch14")]
        Op::HalfAdd | Op::HalfAddImmediate | Op::HalfSub => Flags::Undefined,
    }
}

/// Whether the carry is that of a sum or the borrow of a difference.
#[cfg(feature = "ch14")]
pub const fn carries(op: Op) -> bool {
    is_sum(op) || matches!(op, Op::Sub | Op::SubImmediate | Op::SubMemory | Op::MemorySub)
}

/// Whether the carry is that of a sum.
#[cfg(feature = "ch14")]
pub const fn is_sum(op: Op) -> bool {
    let in_memory = matches!(op, Op::MemoryAdd | Op::MemoryAddImmediate);
    in_memory || matches!(op, Op::Add | Op::AddImmediate | Op::AddMemory)
}

/// The registers that a cdecl function may change, apart from that of its result: ecx, edx, and all
/// for floats.
#[cfg(feature = "ch14")]
const CALLER_SAVED: &[u8] = &[1, 2, 8, 9, 10, 11, 12, 13, 14, 15];

/// Those that a function may change whose second result is in edx.
#[cfg(feature = "ch18")]
const BESIDES_PAIR: &[u8] = &[1, 8, 9, 10, 11, 12, 13, 14, 15];

/// Those that a function may change whose result is a float.
#[cfg(feature = "ch18")]
const BESIDES_FLOAT: &[u8] = &[0, 1, 2, 9, 10, 11, 12, 13, 14, 15];

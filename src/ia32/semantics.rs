//! The semantics of instructions, in terms of their operands.
#[cfg(feature = "ch12")]
use crate::floats::FloatOp;
#[cfg(feature = "ch14")]
use memory::Size;

/// The semantics of parts of operations on two words.
#[cfg(feature = "ch14")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PairSemantics {
    /// The first operand becomes the sum of itself, the second and the carry.
    AddCarry,
    /// The second operand and the carry are subtracted from the first.
    SubBorrow,
    /// The first operand, an upper word, is shifted to the left; the second is the lower word.
    ShiftLeft,
    /// The first operand, a lower word, is shifted to the right; the second is the upper word.
    ShiftRight,
}

#[cfg(feature = "ch14")]
impl PairSemantics {
    /// The result for two words and a carry or a count.
    pub fn result(self, x: i32, y: i32, third: u32) -> i32 {
        let pair = |high: i32, low: i32| {
            u64::from(high.cast_unsigned()) << 32 | u64::from(low.cast_unsigned())
        };
        match self {
            PairSemantics::AddCarry => x.wrapping_add(y).wrapping_add(third.cast_signed()),
            PairSemantics::SubBorrow => x.wrapping_sub(y).wrapping_sub(third.cast_signed()),
            PairSemantics::ShiftLeft => (pair(x, y) << (third % 32) >> 32) as i32,
            PairSemantics::ShiftRight => (pair(y, x) >> (third % 32)) as i32,
        }
    }

    /// Whether it reads the carry.
    pub fn reads_carry(self) -> bool {
        matches!(self, PairSemantics::AddCarry | PairSemantics::SubBorrow)
    }
}

/// The semantics of a form, in terms of its operands.
#[derive(Clone, Copy)]
pub enum Semantics {
    /// Copies the second to the first.
    Move,
    /// Computes the address of the second into the first.
    #[cfg(feature = "ch04")]
    LoadAddress,
    #[cfg(feature = "ch02")]
    Constant(i32),
    /// The first becomes a function of itself.
    #[cfg(feature = "ch02")]
    Unary(fn(i32) -> i32),
    /// The first becomes a function of itself and the second.
    #[cfg(feature = "ch02")]
    Binary(fn(i32, i32) -> i32),
    /// The first becomes a function of the second and the third.
    #[cfg(feature = "ch02")]
    Ternary(fn(i32, i32) -> i32),
    /// edx:eax becomes eax times the operand.
    #[cfg(feature = "ch04")]
    MultiplyWide,
    /// The same without signs.
    #[cfg(feature = "ch14")]
    MultiplyWideUnsigned,
    /// A part of an operation on two words.
    #[cfg(feature = "ch14")]
    Pair(PairSemantics),
    /// edx becomes the sign of eax.
    #[cfg(feature = "ch02")]
    SignExtend,
    /// eax and edx become quotient and remainder of edx:eax by the operand.
    #[cfg(feature = "ch02")]
    Divide,
    /// The flags hold how the two results of a function of both operands compare.
    #[cfg(feature = "ch04")]
    Compare(fn(i32, i32) -> (i32, i32)),
    /// The low byte of the second becomes 1 if the relation that is the first holds, else 0.
    #[cfg(feature = "ch04")]
    Set,
    /// Copies the third to the second if the relation that is the first holds.
    #[cfg(feature = "ch29")]
    Choose,
    /// The first becomes a function of the second.
    #[cfg(feature = "ch04")]
    Convert(fn(i32) -> i32),
    /// Jumps to the block that is the first.
    #[cfg(feature = "ch05")]
    Jump,
    /// Jumps to the block that is the second if the relation that is the first holds.
    #[cfg(feature = "ch05")]
    Branch,
    #[cfg(feature = "ch02")]
    Push,
    #[cfg(feature = "ch02")]
    Pop,
    Return,
    #[cfg(feature = "ch12")]
    Float(FloatSemantics),
    /// Calls the function that is the first.
    #[cfg(feature = "ch14")]
    Call,
    /// Goes on with the function that is the first.
    #[cfg(feature = "ch18")]
    JumpToFunction,
    /// Accesses a byte or a half word in memory.
    #[cfg(feature = "ch14")]
    Narrow(NarrowSemantics),
}

/// The semantics of a form with a byte or a half word in memory.
#[cfg(feature = "ch14")]
#[derive(Clone, Copy)]
pub enum NarrowSemantics {
    /// The first becomes a function of the number of this size that is the second.
    Load(Size, fn(i32) -> i32),
    /// Copies the lowest bits of the second to the first.
    Store(Size),
    /// The number of this size that is the first becomes a function of itself and the second.
    Update(Size, fn(i32, i32) -> i32),
    /// The flags hold how the byte that is the first, without a sign, compares with the second,
    /// which is a byte, too.
    CompareByte,
}

#[cfg(feature = "ch14")]
impl NarrowSemantics {
    /// The size of the number in memory.
    pub fn size(self) -> Size {
        match self {
            NarrowSemantics::Load(size, _) | NarrowSemantics::Store(size) => size,
            NarrowSemantics::Update(size, _) => size,
            NarrowSemantics::CompareByte => Size::Byte,
        }
    }
}

/// The semantics of a form with registers for floats, in terms of the 64 bits in them.
#[cfg(feature = "ch12")]
#[derive(Clone, Copy)]
pub enum FloatSemantics {
    /// Copies the second to the first.
    Move,
    /// +0
    Zero,
    /// The first becomes a function of itself and the second.
    Compute(FloatOp),
    /// The bits in which the two differ.
    Xor,
    /// All bits are set if the relation with the number of the third holds, else none.
    Mask,
    /// The flags hold how the two compare. If one of them is NaN, the first is below.
    Compare,
    /// A general register becomes the low word of the second.
    LowWord,
    /// The integer that is the second.
    FromWord,
    /// The 32 bits of the second, rounded. The others are undefined.
    #[cfg(feature = "ch14")]
    Narrow,
    /// The number whose lowest 32 bits the second has.
    #[cfg(feature = "ch14")]
    Widen,
    /// Copies the lowest 32 bits of the second to the first.
    #[cfg(feature = "ch14")]
    StoreSingle,
    /// Returns the number in xmm0.
    Return,
}

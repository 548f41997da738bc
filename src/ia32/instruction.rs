//! The instructions: one row per mnemonic and operand form. All other modules read these rows.
//!
//! A row contains the form's mnemonic and operands (`InstructionForm`), its bytes (`Encoding`) and
//! its semantics (`Semantics`). Numbers: Intel's Software Developer's Manual, volume 2.
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch12")]
pub use crate::ia32::semantics::FloatSemantics;
pub use crate::ia32::semantics::Semantics;
#[cfg(feature = "ch14")]
pub use crate::ia32::semantics::{NarrowSemantics, PairSemantics};
use crate::target::InstructionForm;
#[cfg(feature = "ch10")]
use memory::Size;

/// The forms of the instructions, in the order of `ROWS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    MovImmediate,
    Mov,
    Ret,
    #[cfg(feature = "ch02")]
    Load,
    #[cfg(feature = "ch02")]
    Store,
    #[cfg(feature = "ch02")]
    Zero,
    #[cfg(feature = "ch02")]
    Add,
    #[cfg(feature = "ch02")]
    AddImmediate,
    #[cfg(feature = "ch02")]
    Sub,
    #[cfg(feature = "ch02")]
    SubImmediate,
    #[cfg(feature = "ch02")]
    Neg,
    #[cfg(feature = "ch02")]
    Imul,
    #[cfg(feature = "ch02")]
    ImulImmediate,
    #[cfg(feature = "ch02")]
    Cdq,
    #[cfg(feature = "ch02")]
    Idiv,
    #[cfg(feature = "ch02")]
    Push,
    #[cfg(feature = "ch02")]
    Pop,
    #[cfg(feature = "ch04")]
    Lea,
    #[cfg(feature = "ch04")]
    Inc,
    #[cfg(feature = "ch04")]
    Dec,
    #[cfg(feature = "ch04")]
    Not,
    #[cfg(feature = "ch04")]
    And,
    #[cfg(feature = "ch04")]
    AndImmediate,
    #[cfg(feature = "ch04")]
    Or,
    #[cfg(feature = "ch04")]
    OrImmediate,
    #[cfg(feature = "ch04")]
    Xor,
    #[cfg(feature = "ch04")]
    XorImmediate,
    #[cfg(feature = "ch04")]
    Shl,
    #[cfg(feature = "ch04")]
    Shr,
    #[cfg(feature = "ch04")]
    Sar,
    #[cfg(feature = "ch04")]
    ImulWide,
    /// The same without signs.
    #[cfg(feature = "ch14")]
    MulWide,
    #[cfg(feature = "ch04")]
    Cmp,
    #[cfg(feature = "ch04")]
    CmpImmediate,
    #[cfg(feature = "ch04")]
    Test,
    #[cfg(feature = "ch10")]
    TestImmediate,
    #[cfg(feature = "ch04")]
    Set,
    #[cfg(feature = "ch04")]
    Movzx,
    #[cfg(feature = "ch05")]
    Jmp,
    #[cfg(feature = "ch05")]
    Jcc,
    #[cfg(feature = "ch10")]
    AddMemory,
    #[cfg(feature = "ch10")]
    SubMemory,
    #[cfg(feature = "ch10")]
    ImulMemory,
    #[cfg(feature = "ch10")]
    ImulMemoryImmediate,
    #[cfg(feature = "ch10")]
    CmpMemory,
    #[cfg(feature = "ch10")]
    StoreImmediate,
    #[cfg(feature = "ch10")]
    MemoryAdd,
    #[cfg(feature = "ch10")]
    MemoryAddImmediate,
    #[cfg(feature = "ch10")]
    MemorySub,
    #[cfg(feature = "ch10")]
    MemoryInc,
    #[cfg(feature = "ch10")]
    MemoryDec,
    #[cfg(feature = "ch10")]
    MemoryCmpImmediate,
    #[cfg(feature = "ch12")]
    FloatMove,
    #[cfg(feature = "ch12")]
    FloatLoad,
    #[cfg(feature = "ch12")]
    FloatStore,
    #[cfg(feature = "ch12")]
    FloatZero,
    #[cfg(feature = "ch12")]
    FloatAdd,
    #[cfg(feature = "ch12")]
    FloatAddMemory,
    #[cfg(feature = "ch12")]
    FloatSub,
    #[cfg(feature = "ch12")]
    FloatSubMemory,
    #[cfg(feature = "ch12")]
    FloatMul,
    #[cfg(feature = "ch12")]
    FloatMulMemory,
    #[cfg(feature = "ch12")]
    FloatDiv,
    #[cfg(feature = "ch12")]
    FloatDivMemory,
    #[cfg(feature = "ch12")]
    FloatXor,
    #[cfg(feature = "ch12")]
    FloatCompare,
    #[cfg(feature = "ch12")]
    FloatCompareMemory,
    #[cfg(feature = "ch12")]
    FloatMask,
    #[cfg(feature = "ch12")]
    FloatLowWord,
    #[cfg(feature = "ch12")]
    FloatFromWord,
    #[cfg(feature = "ch12")]
    FloatFromMemory,
    #[cfg(feature = "ch12")]
    FloatRet,
    #[cfg(feature = "ch29")]
    Cmov,
    #[cfg(feature = "ch14")]
    ShlCount,
    #[cfg(feature = "ch14")]
    ShrCount,
    #[cfg(feature = "ch14")]
    SarCount,
    #[cfg(feature = "ch14")]
    Rol,
    #[cfg(feature = "ch14")]
    Adc,
    #[cfg(feature = "ch14")]
    AdcImmediate,
    #[cfg(feature = "ch14")]
    Sbb,
    #[cfg(feature = "ch14")]
    SbbImmediate,
    #[cfg(feature = "ch14")]
    Shld,
    #[cfg(feature = "ch14")]
    Shrd,
    #[cfg(feature = "ch14")]
    ShldCount,
    #[cfg(feature = "ch14")]
    ShrdCount,
    #[cfg(feature = "ch14")]
    Call,
    #[cfg(feature = "ch14")]
    CallRegister,
    #[cfg(feature = "ch14")]
    MovSymbol,
    /// A jump to another function in place of a call and a return.
    #[cfg(feature = "ch18")]
    JmpFunction,
    /// The same, to the function of an address.
    #[cfg(feature = "ch18")]
    JmpValue,
    /// A call whose second result is in edx.
    #[cfg(feature = "ch18")]
    CallPair,
    /// A call whose result is a float.
    #[cfg(feature = "ch18")]
    FloatCall,
    #[cfg(feature = "ch18")]
    FloatCallRegister,
    /// A return with a second result in edx.
    #[cfg(feature = "ch18")]
    RetPair,
    /// A call of a function that does not return.
    #[cfg(feature = "ch15")]
    CallNoReturn,
    #[cfg(feature = "ch15")]
    PushImmediate,
    #[cfg(feature = "ch14")]
    MovsxByte,
    #[cfg(feature = "ch14")]
    MovzxHalf,
    #[cfg(feature = "ch14")]
    MovsxHalf,
    #[cfg(feature = "ch14")]
    LoadByte,
    #[cfg(feature = "ch14")]
    LoadSignedByte,
    #[cfg(feature = "ch14")]
    LoadHalf,
    #[cfg(feature = "ch14")]
    LoadSignedHalf,
    #[cfg(feature = "ch14")]
    StoreByte,
    #[cfg(feature = "ch14")]
    StoreByteImmediate,
    #[cfg(feature = "ch14")]
    StoreHalf,
    #[cfg(feature = "ch14")]
    StoreHalfImmediate,
    #[cfg(feature = "ch14")]
    ByteCmpImmediate,
    #[cfg(feature = "ch14")]
    ByteAdd,
    #[cfg(feature = "ch14")]
    ByteAddImmediate,
    #[cfg(feature = "ch14")]
    ByteSub,
    #[cfg(feature = "ch14")]
    HalfAdd,
    #[cfg(feature = "ch14")]
    HalfAddImmediate,
    #[cfg(feature = "ch14")]
    HalfSub,
    #[cfg(feature = "ch14")]
    FloatNarrow,
    #[cfg(feature = "ch14")]
    FloatNarrowMemory,
    #[cfg(feature = "ch14")]
    FloatWiden,
    #[cfg(feature = "ch14")]
    FloatWidenMemory,
    #[cfg(feature = "ch14")]
    SingleStore,
}

impl Op {
    /// Whether no instruction of its block follows.
    pub fn ends_block(self) -> bool {
        #[cfg(feature = "ch05")]
        if self == Op::Jmp {
            return true;
        }
        #[cfg(feature = "ch15")]
        if self == Op::CallNoReturn {
            return true;
        }
        self.is_return()
    }

    /// Whether it jumps to another function.
    #[cfg(feature = "ch18")]
    pub fn jumps_to_function(self) -> bool {
        matches!(self, Op::JmpFunction | Op::JmpValue)
    }

    /// Whether it ends the function.
    pub fn is_return(self) -> bool {
        #[cfg(feature = "ch12")]
        if self == Op::FloatRet {
            return true;
        }
        #[cfg(feature = "ch18")]
        if self.jumps_to_function() || self == Op::RetPair {
            return true;
        }
        self == Op::Ret
    }

    /// Whether it adds a word to the stack.
    #[cfg(feature = "ch02")]
    pub fn pushes(self) -> bool {
        #[cfg(feature = "ch15")]
        if self == Op::PushImmediate {
            return true;
        }
        self == Op::Push
    }

    /// Whether it has registers for floats.
    #[cfg(feature = "ch12")]
    pub fn is_float(self) -> bool {
        matches!(self.row().semantics, Semantics::Float(_))
    }

    /// The size of its operand in memory, if it has one.
    #[cfg(feature = "ch12")]
    pub fn memory_size(self) -> Size {
        match self.row().semantics {
            #[cfg(feature = "ch14")]
            Semantics::Narrow(narrow) => narrow.size(),
            Semantics::Float(FloatSemantics::FromWord) => Size::Word,
            #[cfg(feature = "ch14")]
            Semantics::Float(FloatSemantics::Widen | FloatSemantics::StoreSingle) => Size::Word,
            Semantics::Float(_) => Size::Double,
            _ => Size::Word,
        }
    }

    /// Whether its immediate operand is the count of a shift.
    #[cfg(feature = "ch04")]
    pub fn is_counted(self) -> bool {
        matches!(self.row().encoding, Encoding::Shift(_))
    }

    /// Whether it copies a register to another one.
    pub fn is_copy(self) -> bool {
        #[cfg(feature = "ch12")]
        if self == Op::FloatMove {
            return true;
        }
        self == Op::Mov
    }
}

/// All data of a form.
#[derive(Clone, Copy)]
pub struct Row {
    pub op: Op,
    pub instruction: InstructionForm,
    pub encoding: Encoding,
    pub semantics: Semantics,
    /// Its two operands commute.
    #[cfg(feature = "ch02")]
    pub commutes: bool,
}

/// The encoding of a form. "r/m" is the operand that may be a register or an address.
#[derive(Clone, Copy, Debug)]
pub enum Encoding {
    /// The opcode and nothing else.
    Bare(u8),
    /// The register's number is added to the opcode.
    #[cfg(feature = "ch02")]
    Short(u8),
    /// The same, and four bytes of immediate.
    ShortImmediate(u8),
    /// The opcode; the first operand is the r/m, the second the register.
    FromRegister(u8),
    /// The opcode; the first operand is the register, the second the r/m.
    #[cfg(feature = "ch02")]
    ToRegister(&'static [u8]),
    /// The only operand is both register and r/m.
    #[cfg(feature = "ch02")]
    Twice(u8),
    /// The opcode, and a digit in the register field that completes it.
    #[cfg(feature = "ch02")]
    Digit(u8, u8),
    /// The opcode of several bytes; the first operand is the r/m, the second the register.
    #[cfg(feature = "ch12")]
    FromLongRegister(&'static [u8]),
    /// The same; the third is a byte of immediate.
    #[cfg(feature = "ch14")]
    FromRegisterByte(&'static [u8]),
    /// The opcode of several bytes; the only operand is both register and r/m.
    #[cfg(feature = "ch12")]
    LongTwice(&'static [u8]),
    /// The opcode of several bytes; the first operand is the register, the second the r/m, and the
    /// third a byte of immediate.
    #[cfg(feature = "ch12")]
    ToRegisterByte(&'static [u8]),
    /// The opcode, a digit, and an immediate of this size.
    #[cfg(feature = "ch10")]
    DigitImmediate(&'static [u8], u8, Size),
    /// `test` of an r/m and an immediate.
    #[cfg(feature = "ch10")]
    TestImmediate,
    /// An operation on an r/m and an immediate: its digit.
    #[cfg(feature = "ch02")]
    Arithmetic(u8),
    /// The same for half words.
    #[cfg(feature = "ch14")]
    HalfArithmetic(u8),
    /// A shift of an r/m by an immediate: its digit.
    #[cfg(feature = "ch04")]
    Shift(u8),
    #[cfg(feature = "ch02")]
    MultiplyImmediate,
    #[cfg(feature = "ch04")]
    SetCondition,
    /// A copy from the r/m to the register, made if a relation holds.
    #[cfg(feature = "ch29")]
    MoveCondition,
    /// A jump to a block, taken always.
    #[cfg(feature = "ch05")]
    Jump,
    /// A jump to a block, taken if a relation holds.
    #[cfg(feature = "ch05")]
    JumpCondition,
    /// The opcode, and four bytes for the distance of a symbol.
    #[cfg(feature = "ch14")]
    SymbolDistance(u8),
    /// The register's number is added to the opcode; four bytes for the address of a symbol.
    #[cfg(feature = "ch14")]
    ShortSymbol(u8),
    /// An immediate of one byte if possible, else of four.
    #[cfg(feature = "ch15")]
    PushImmediate,
}

/// The relations of `Mask`, by their numbers. Number 3 is whether one operand is NaN, so there is
/// no such operation.
#[cfg(feature = "ch12")]
pub const MASKS: [(&str, Option<Relation>); 7] = [
    ("eq", Some(Relation::Equal)),
    ("lt", Some(Relation::Less)),
    ("le", Some(Relation::LessEqual)),
    ("unord", None),
    ("neq", Some(Relation::NotEqual)),
    ("nlt", Some(Relation::NotLess)),
    ("nle", Some(Relation::NotLessEqual)),
];

/// The suffix of a mnemonic for a relation between integers, and its condition code.
#[cfg(feature = "ch04")]
pub fn condition(relation: Relation) -> (&'static str, u8) {
    match relation {
        Relation::Equal => ("e", 0x4),
        Relation::NotEqual => ("ne", 0x5),
        Relation::Less => ("l", 0xc),
        Relation::GreaterEqual => ("ge", 0xd),
        Relation::LessEqual => ("le", 0xe),
        Relation::Greater => ("g", 0xf),
        #[cfg(feature = "ch12")]
        Relation::Below => ("b", 0x2),
        #[cfg(feature = "ch12")]
        Relation::AboveEqual => ("ae", 0x3),
        #[cfg(feature = "ch12")]
        Relation::BelowEqual => ("be", 0x6),
        #[cfg(feature = "ch12")]
        Relation::Above => ("a", 0x7),
        #[cfg(feature = "ch12")]
        Relation::NotLess | Relation::NotLessEqual => {
            unreachable!("comparisons of floats set the flags of numbers without a sign")
        }
        #[cfg(feature = "ch29")]
        Relation::Negative => ("s", 0x8),
        #[cfg(feature = "ch29")]
        Relation::NotNegative => ("ns", 0x9),
        #[cfg(feature = "ch25")]
        Relation::Always | Relation::Never => unreachable!("Firm folds constant relations"),
    }
}

/// Whether the flags after arithmetic show if the relation holds between its result and 0, though
/// the result may have overflowed.
#[cfg(feature = "ch04")]
pub fn needs_only_result(relation: Relation) -> bool {
    #[cfg(feature = "ch29")]
    if relation.is_of_sign() {
        return true;
    }
    needs_only_zero_flag(relation)
}

/// Whether a relation depends only on whether two numbers are equal.
#[cfg(feature = "ch04")]
pub fn needs_only_zero_flag(relation: Relation) -> bool {
    matches!(relation, Relation::Equal | Relation::NotEqual)
}

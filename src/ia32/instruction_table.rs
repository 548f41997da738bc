//! The rows of the instructions, in the order of `Op`.
#[cfg(feature = "ch12")]
use crate::floats::FloatOp;
#[cfg(feature = "ch04")]
use crate::ia32::effects::flags;
#[cfg(feature = "ch14")]
use crate::ia32::effects::{carries, effect};
use crate::ia32::instruction::Encoding::{self, *};
#[cfg(feature = "ch12")]
use crate::ia32::instruction::FloatSemantics;
use crate::ia32::instruction::Semantics::{self, *};
#[cfg(feature = "ch14")]
use crate::ia32::instruction::{NarrowSemantics, PairSemantics};
use crate::ia32::instruction::{Op, Row};
#[cfg(feature = "ch12")]
use crate::ia32::register::FIRST_FLOAT;
use crate::target::{InstructionForm, OperandAccess, OperandConstraint, RegisterConstraint};
use arena::{concatenated, total};
#[cfg(feature = "ch10")]
use memory::Size;

/// Every form.
pub const ROWS: &[Row] = &concatenated::<Row, { total(TABLES) }>(TABLES);

const _: () = {
    let mut at = 0;
    while at < ROWS.len() {
        assert!(ROWS[at].op as usize == at, "the rows are in the order of `Op`");
        assert!(ROWS[at].instruction.operands.len() <= 3);
        at += 1;
    }
};

const TABLES: &[&[Row]] = &[
    CONSTANTS,
    #[cfg(feature = "ch02")]
    ARITHMETIC,
    #[cfg(feature = "ch04")]
    ALTERNATIVES,
    #[cfg(feature = "ch04")]
    COMPARISONS,
    #[cfg(feature = "ch05")]
    JUMPS,
    #[cfg(feature = "ch10")]
    MEMORY,
    #[cfg(feature = "ch12")]
    FLOATS,
    #[cfg(feature = "ch29")]
    CHOICES,
    #[cfg(feature = "ch14")]
    SHIFTS,
    #[cfg(feature = "ch14")]
    PAIRS,
    #[cfg(feature = "ch14")]
    CALLS,
    #[cfg(feature = "ch14")]
    EXTENSIONS,
    #[cfg(feature = "ch14")]
    NARROW,
    #[cfg(feature = "ch14")]
    SINGLES,
];

const USE: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Use, RegisterConstraint::Any);
const DEFINE: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Define, RegisterConstraint::Any);
const IMMEDIATE: OperandConstraint = OperandConstraint::Immediate;
#[cfg(feature = "ch02")]
const UPDATE: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Update, RegisterConstraint::Any);
#[cfg(feature = "ch02")]
const ADDRESS: OperandConstraint = OperandConstraint::Address;
#[cfg(feature = "ch04")]
const USE_BYTE: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Use, RegisterConstraint::Byte);
#[cfg(feature = "ch04")]
const DEFINE_BYTE: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Define, RegisterConstraint::Byte);
#[cfg(feature = "ch14")]
const USE_HALF: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Use, RegisterConstraint::Half);
#[cfg(feature = "ch04")]
const CONDITION: OperandConstraint = OperandConstraint::Condition;
#[cfg(feature = "ch05")]
const BLOCK: OperandConstraint = OperandConstraint::Block;

/// The register of shift counts.
#[cfg(feature = "ch14")]
const USE_COUNT: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Use, RegisterConstraint::Only(ECX));
#[cfg(feature = "ch14")]
const SYMBOL: OperandConstraint = OperandConstraint::Symbol;

#[cfg(feature = "ch12")]
const USE_FLOAT: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Use, RegisterConstraint::Float);
#[cfg(feature = "ch12")]
const DEFINE_FLOAT: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Define, RegisterConstraint::Float);
#[cfg(feature = "ch12")]
const UPDATE_FLOAT: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Update, RegisterConstraint::Float);

const EAX: u8 = 0;
#[cfg(feature = "ch12")]
const XMM0: u8 = FIRST_FLOAT as u8;
#[cfg(feature = "ch14")]
const ECX: u8 = 1;
#[cfg(feature = "ch02")]
const EDX: u8 = 2;

/// Constants and the return.
#[rustfmt::skip] // one line, one form
const CONSTANTS: &[Row] = &[
    row(Op::MovImmediate, "mov", &[DEFINE, IMMEDIATE], ShortImmediate(0xb8), Move),
    row(Op::Mov, "mov", &[DEFINE, USE], FromRegister(0x89), Move),
    row(Op::Ret, "ret", &[], Bare(0xc3), Return)
        .reading(&[EAX]),
];

/// The four operations, and loads and stores.
#[cfg(feature = "ch02")]
#[rustfmt::skip]
const ARITHMETIC: &[Row] = &[
    row(Op::Load, "mov", &[DEFINE, ADDRESS], ToRegister(&[0x8b]), Move),
    row(Op::Store, "mov", &[ADDRESS, USE], FromRegister(0x89), Move),
    // `xor r,r`, as an instruction of its own, since it does not depend on r.
    row(Op::Zero, "zero", &[DEFINE], Twice(0x31), Constant(0)),
    row(Op::Add, "add", &[UPDATE, USE], FromRegister(0x01), Binary(i32::wrapping_add))
        .commuting(),
    row(Op::AddImmediate, "add", &[UPDATE, IMMEDIATE], Arithmetic(0), Binary(i32::wrapping_add)),
    row(Op::Sub, "sub", &[UPDATE, USE], FromRegister(0x29), Binary(i32::wrapping_sub)),
    row(Op::SubImmediate, "sub", &[UPDATE, IMMEDIATE], Arithmetic(5), Binary(i32::wrapping_sub)),
    row(Op::Neg, "neg", &[UPDATE], Digit(0xf7, 3), Unary(i32::wrapping_neg)),
    row(Op::Imul, "imul", &[UPDATE, USE], ToRegister(&[0x0f, 0xaf]), Binary(i32::wrapping_mul))
        .commuting(),
    row(Op::ImulImmediate, "imul", &[DEFINE, USE, IMMEDIATE], MultiplyImmediate,
        Ternary(i32::wrapping_mul)),
    row(Op::Cdq, "cdq", &[], Bare(0x99), SignExtend)
        .reading(&[EAX]).writing(&[EDX]),
    row(Op::Idiv, "idiv", &[USE], Digit(0xf7, 7), Divide)
        .reading(&[EAX, EDX]).writing(&[EAX, EDX]),
    row(Op::Push, "push", &[USE], Short(0x50), Push),
    row(Op::Pop, "pop", &[DEFINE], Short(0x58), Pop),
];

/// Cheaper instructions for special cases.
#[cfg(feature = "ch04")]
#[rustfmt::skip]
const ALTERNATIVES: &[Row] = &[
    row(Op::Lea, "lea", &[DEFINE, ADDRESS], ToRegister(&[0x8d]), LoadAddress),
    row(Op::Inc, "inc", &[UPDATE], Short(0x40), Unary(|x| x.wrapping_add(1))),
    row(Op::Dec, "dec", &[UPDATE], Short(0x48), Unary(|x| x.wrapping_sub(1))),
    row(Op::Not, "not", &[UPDATE], Digit(0xf7, 2), Unary(|x| !x)),
    row(Op::And, "and", &[UPDATE, USE], FromRegister(0x21), Binary(|x, y| x & y))
        .commuting(),
    row(Op::AndImmediate, "and", &[UPDATE, IMMEDIATE], Arithmetic(4), Binary(|x, y| x & y)),
    row(Op::Or, "or", &[UPDATE, USE], FromRegister(0x09), Binary(|x, y| x | y))
        .commuting(),
    row(Op::OrImmediate, "or", &[UPDATE, IMMEDIATE], Arithmetic(1), Binary(|x, y| x | y)),
    row(Op::Xor, "xor", &[UPDATE, USE], FromRegister(0x31), Binary(|x, y| x ^ y))
        .commuting(),
    row(Op::XorImmediate, "xor", &[UPDATE, IMMEDIATE], Arithmetic(6), Binary(|x, y| x ^ y)),
    // The machine takes a count modulo 32, as `wrapping_shl` does.
    row(Op::Shl, "shl", &[UPDATE, IMMEDIATE], Shift(4), Binary(|x, n| x.wrapping_shl(n as u32))),
    row(Op::Shr, "shr", &[UPDATE, IMMEDIATE], Shift(5),
        Binary(|x, n| (x as u32).wrapping_shr(n as u32) as i32)),
    row(Op::Sar, "sar", &[UPDATE, IMMEDIATE], Shift(7), Binary(|x, n| x.wrapping_shr(n as u32))),
    row(Op::ImulWide, "imul", &[USE], Digit(0xf7, 5), MultiplyWide)
        .reading(&[EAX]).writing(&[EAX, EDX]),
    #[cfg(feature = "ch14")]
    row(Op::MulWide, "mul", &[USE], Digit(0xf7, 4), MultiplyWideUnsigned)
        .reading(&[EAX]).writing(&[EAX, EDX]),
];

/// Comparisons and their truth values.
#[cfg(feature = "ch04")]
#[rustfmt::skip]
const COMPARISONS: &[Row] = &[
    row(Op::Cmp, "cmp", &[USE, USE], FromRegister(0x39), Compare(|x, y| (x, y))),
    row(Op::CmpImmediate, "cmp", &[USE, IMMEDIATE], Arithmetic(7), Compare(|x, y| (x, y))),
    row(Op::Test, "test", &[USE, USE], FromRegister(0x85), Compare(|x, y| (x & y, 0))),
    #[cfg(feature = "ch10")]
    row(Op::TestImmediate, "test", &[USE, IMMEDIATE], Encoding::TestImmediate,
        Compare(|x, y| (x & y, 0))),
    row(Op::Set, "set", &[CONDITION, DEFINE_BYTE], SetCondition, Set),
    row(Op::Movzx, "movzx", &[DEFINE, USE_BYTE], ToRegister(&[0x0f, 0xb6]),
        Convert(|x| x & 0xff)),
];

/// Jumps.
#[cfg(feature = "ch05")]
#[rustfmt::skip]
const JUMPS: &[Row] = &[
    row(Op::Jmp, "jmp", &[BLOCK], Encoding::Jump, Semantics::Jump),
    row(Op::Jcc, "j", &[CONDITION, BLOCK], JumpCondition, Branch),
];

/// Operations with an operand in memory, and stores of constants.
#[cfg(feature = "ch10")]
#[rustfmt::skip]
const MEMORY: &[Row] = &[
    row(Op::AddMemory, "add", &[UPDATE, ADDRESS], ToRegister(&[0x03]), Binary(i32::wrapping_add)),
    row(Op::SubMemory, "sub", &[UPDATE, ADDRESS], ToRegister(&[0x2b]), Binary(i32::wrapping_sub)),
    row(Op::ImulMemory, "imul", &[UPDATE, ADDRESS], ToRegister(&[0x0f, 0xaf]),
        Binary(i32::wrapping_mul)),
    row(Op::ImulMemoryImmediate, "imul", &[DEFINE, ADDRESS, IMMEDIATE], MultiplyImmediate,
        Ternary(i32::wrapping_mul)),
    row(Op::CmpMemory, "cmp", &[USE, ADDRESS], ToRegister(&[0x3b]), Compare(|x, y| (x, y))),
    row(Op::StoreImmediate, "mov", &[ADDRESS, IMMEDIATE], DigitImmediate(&[0xc7], 0, Size::Word),
        Move),
    row(Op::MemoryAdd, "add", &[ADDRESS, USE], FromRegister(0x01), Binary(i32::wrapping_add)),
    row(Op::MemoryAddImmediate, "add", &[ADDRESS, IMMEDIATE], Arithmetic(0),
        Binary(i32::wrapping_add)),
    row(Op::MemorySub, "sub", &[ADDRESS, USE], FromRegister(0x29), Binary(i32::wrapping_sub)),
    row(Op::MemoryInc, "inc", &[ADDRESS], Digit(0xff, 0), Unary(|x| x.wrapping_add(1))),
    row(Op::MemoryDec, "dec", &[ADDRESS], Digit(0xff, 1), Unary(|x| x.wrapping_sub(1))),
    row(Op::MemoryCmpImmediate, "cmp", &[ADDRESS, IMMEDIATE], Arithmetic(7),
        Compare(|x, y| (x, y))),
];

/// Copies that are made if a relation holds.
#[cfg(feature = "ch29")]
const CHOICES: &[Row] = &[row(Op::Cmov, "cmov", &[CONDITION, UPDATE, USE], MoveCondition, Choose)];

/// Shifts by a count in cl, modulo 32. A shift by 0 does not change the flags.
#[cfg(feature = "ch14")]
#[rustfmt::skip]
const SHIFTS: &[Row] = &[
    #[cfg(feature = "ch14")]
    row(Op::ShlCount, "shl", &[UPDATE, USE_COUNT], Digit(0xd3, 4),
        Binary(|x, n| x.wrapping_shl(n as u32))),
    #[cfg(feature = "ch14")]
    row(Op::ShrCount, "shr", &[UPDATE, USE_COUNT], Digit(0xd3, 5),
        Binary(|x, n| (x as u32).wrapping_shr(n as u32) as i32)),
    row(Op::SarCount, "sar", &[UPDATE, USE_COUNT], Digit(0xd3, 7),
        Binary(|x, n| x.wrapping_shr(n as u32))),
    row(Op::Rol, "rol", &[UPDATE, IMMEDIATE], Shift(0), Binary(|x, n| x.rotate_left(n as u32))),
];

/// Parts of operations on pairs of words.
#[cfg(feature = "ch14")]
#[rustfmt::skip]
const PAIRS: &[Row] = &[
    row(Op::Adc, "adc", &[UPDATE, USE], FromRegister(0x11), Pair(PairSemantics::AddCarry)),
    row(Op::AdcImmediate, "adc", &[UPDATE, IMMEDIATE], Arithmetic(2),
        Pair(PairSemantics::AddCarry)),
    row(Op::Sbb, "sbb", &[UPDATE, USE], FromRegister(0x19), Pair(PairSemantics::SubBorrow)),
    row(Op::SbbImmediate, "sbb", &[UPDATE, IMMEDIATE], Arithmetic(3),
        Pair(PairSemantics::SubBorrow)),
    // The bits that are shifted in are those of the second operand.
    row(Op::Shld, "shld", &[UPDATE, USE, IMMEDIATE], FromRegisterByte(&[0x0f, 0xa4]),
        Pair(PairSemantics::ShiftLeft)),
    row(Op::Shrd, "shrd", &[UPDATE, USE, IMMEDIATE], FromRegisterByte(&[0x0f, 0xac]),
        Pair(PairSemantics::ShiftRight)),
    row(Op::ShldCount, "shld", &[UPDATE, USE, USE_COUNT], FromLongRegister(&[0x0f, 0xa5]),
        Pair(PairSemantics::ShiftLeft)),
    row(Op::ShrdCount, "shrd", &[UPDATE, USE, USE_COUNT], FromLongRegister(&[0x0f, 0xad]),
        Pair(PairSemantics::ShiftRight)),
];

/// Conversions to and from floating-point numbers of 32 bits.
#[cfg(feature = "ch14")]
#[rustfmt::skip]
const SINGLES: &[Row] = &[
    row(Op::FloatNarrow, "cvtsd2ss", &[DEFINE_FLOAT, USE_FLOAT], ToRegister(&[0xf2, 0x0f, 0x5a]),
        Float(FloatSemantics::Narrow)),
    row(Op::FloatNarrowMemory, "cvtsd2ss", &[DEFINE_FLOAT, ADDRESS],
        ToRegister(&[0xf2, 0x0f, 0x5a]), Float(FloatSemantics::Narrow)),
    row(Op::FloatWiden, "cvtss2sd", &[DEFINE_FLOAT, USE_FLOAT], ToRegister(&[0xf3, 0x0f, 0x5a]),
        Float(FloatSemantics::Widen)),
    row(Op::FloatWidenMemory, "cvtss2sd", &[DEFINE_FLOAT, ADDRESS],
        ToRegister(&[0xf3, 0x0f, 0x5a]), Float(FloatSemantics::Widen)),
    row(Op::SingleStore, "movss", &[ADDRESS, USE_FLOAT], FromLongRegister(&[0xf3, 0x0f, 0x11]),
        Float(FloatSemantics::StoreSingle)),
];

/// Floating-point numbers. An operand in memory is at any address, but for `xorpd`, which has none.
#[cfg(feature = "ch12")]
#[rustfmt::skip]
const FLOATS: &[Row] = &[
    row(Op::FloatMove, "movapd", &[DEFINE_FLOAT, USE_FLOAT], ToRegister(&[0x66, 0x0f, 0x28]),
        Float(FloatSemantics::Move)),
    row(Op::FloatLoad, "movsd", &[DEFINE_FLOAT, ADDRESS], ToRegister(&[0xf2, 0x0f, 0x10]),
        Float(FloatSemantics::Move)),
    row(Op::FloatStore, "movsd", &[ADDRESS, USE_FLOAT], FromLongRegister(&[0xf2, 0x0f, 0x11]),
        Float(FloatSemantics::Move)),
    // `xorpd x,x`, as an instruction of its own, since it does not depend on x.
    row(Op::FloatZero, "zerosd", &[DEFINE_FLOAT], LongTwice(&[0x66, 0x0f, 0x57]),
        Float(FloatSemantics::Zero)),
    row(Op::FloatAdd, "addsd", &[UPDATE_FLOAT, USE_FLOAT], ToRegister(&[0xf2, 0x0f, 0x58]),
        Float(FloatSemantics::Compute(FloatOp::Add))).commuting(),
    row(Op::FloatAddMemory, "addsd", &[UPDATE_FLOAT, ADDRESS], ToRegister(&[0xf2, 0x0f, 0x58]),
        Float(FloatSemantics::Compute(FloatOp::Add))),
    row(Op::FloatSub, "subsd", &[UPDATE_FLOAT, USE_FLOAT], ToRegister(&[0xf2, 0x0f, 0x5c]),
        Float(FloatSemantics::Compute(FloatOp::Sub))),
    row(Op::FloatSubMemory, "subsd", &[UPDATE_FLOAT, ADDRESS], ToRegister(&[0xf2, 0x0f, 0x5c]),
        Float(FloatSemantics::Compute(FloatOp::Sub))),
    row(Op::FloatMul, "mulsd", &[UPDATE_FLOAT, USE_FLOAT], ToRegister(&[0xf2, 0x0f, 0x59]),
        Float(FloatSemantics::Compute(FloatOp::Mul))).commuting(),
    row(Op::FloatMulMemory, "mulsd", &[UPDATE_FLOAT, ADDRESS], ToRegister(&[0xf2, 0x0f, 0x59]),
        Float(FloatSemantics::Compute(FloatOp::Mul))),
    row(Op::FloatDiv, "divsd", &[UPDATE_FLOAT, USE_FLOAT], ToRegister(&[0xf2, 0x0f, 0x5e]),
        Float(FloatSemantics::Compute(FloatOp::Div))),
    row(Op::FloatDivMemory, "divsd", &[UPDATE_FLOAT, ADDRESS], ToRegister(&[0xf2, 0x0f, 0x5e]),
        Float(FloatSemantics::Compute(FloatOp::Div))),
    row(Op::FloatXor, "xorpd", &[UPDATE_FLOAT, USE_FLOAT], ToRegister(&[0x66, 0x0f, 0x57]),
        Float(FloatSemantics::Xor)).commuting(),
    row(Op::FloatCompare, "ucomisd", &[USE_FLOAT, USE_FLOAT], ToRegister(&[0x66, 0x0f, 0x2e]),
        Float(FloatSemantics::Compare)),
    row(Op::FloatCompareMemory, "ucomisd", &[USE_FLOAT, ADDRESS], ToRegister(&[0x66, 0x0f, 0x2e]),
        Float(FloatSemantics::Compare)),
    row(Op::FloatMask, "cmpsd", &[UPDATE_FLOAT, USE_FLOAT, IMMEDIATE],
        ToRegisterByte(&[0xf2, 0x0f, 0xc2]), Float(FloatSemantics::Mask)),
    row(Op::FloatLowWord, "movd", &[DEFINE, USE_FLOAT], FromLongRegister(&[0x66, 0x0f, 0x7e]),
        Float(FloatSemantics::LowWord)),
    // The machine writes the lower half of the register, so it waits for the former value.
    row(Op::FloatFromWord, "cvtsi2sd", &[UPDATE_FLOAT, USE], ToRegister(&[0xf2, 0x0f, 0x2a]),
        Float(FloatSemantics::FromWord)),
    row(Op::FloatFromMemory, "cvtsi2sd", &[DEFINE_FLOAT, ADDRESS],
        ToRegister(&[0xf2, 0x0f, 0x2a]), Float(FloatSemantics::FromWord)),
    // `ret`, as an instruction of its own, since it returns what is in another register.
    row(Op::FloatRet, "retsd", &[], Bare(0xc3), Float(FloatSemantics::Return))
        .reading(&[XMM0]),
];

/// Calls of a symbol and of a value, and the address of a symbol.
#[cfg(feature = "ch14")]
#[rustfmt::skip]
const CALLS: &[Row] = &[
    row(Op::Call, "call", &[SYMBOL], SymbolDistance(0xe8), Call)
        .writing(&[EAX]),
    row(Op::CallRegister, "call", &[USE], Digit(0xff, 2), Call)
        .writing(&[EAX]),
    row(Op::MovSymbol, "mov", &[DEFINE, SYMBOL], ShortSymbol(0xb8), Move),
    // `jmp`, which has another name for a function.
    #[cfg(feature = "ch18")]
    row(Op::JmpFunction, "jmpf", &[SYMBOL], SymbolDistance(0xe9), JumpToFunction),
    #[cfg(feature = "ch18")]
    row(Op::JmpValue, "jmpv", &[USE], Digit(0xff, 4), JumpToFunction),
    // `call` and `ret`, as instructions of their own: a second result is in edx, a float in xmm0.
    #[cfg(feature = "ch18")]
    row(Op::CallPair, "callpair", &[SYMBOL], SymbolDistance(0xe8), Call)
        .writing(&[EAX, EDX]),
    #[cfg(feature = "ch18")]
    row(Op::FloatCall, "callsd", &[SYMBOL], SymbolDistance(0xe8), Call)
        .writing(&[XMM0]),
    #[cfg(feature = "ch18")]
    row(Op::FloatCallRegister, "callsd", &[USE], Digit(0xff, 2), Call)
        .writing(&[XMM0]),
    #[cfg(feature = "ch18")]
    row(Op::RetPair, "retpair", &[], Bare(0xc3), Return)
        .reading(&[EAX, EDX]),
    // `call`, which has another name if it does not return.
    #[cfg(feature = "ch15")]
    row(Op::CallNoReturn, "calln", &[SYMBOL], SymbolDistance(0xe8), Call),
    #[cfg(feature = "ch15")]
    row(Op::PushImmediate, "push", &[IMMEDIATE], Encoding::PushImmediate, Push),
];

/// Bytes with a sign, and half words. The two of half words have names of their own in rules.
#[cfg(feature = "ch14")]
#[rustfmt::skip]
const EXTENSIONS: &[Row] = &[
    row(Op::MovsxByte, "movsx", &[DEFINE, USE_BYTE], ToRegister(&[0x0f, 0xbe]),
        Convert(|x| i32::from(x as i8))),
    row(Op::MovzxHalf, "movzxh", &[DEFINE, USE_HALF], ToRegister(&[0x0f, 0xb7]),
        Convert(|x| x & 0xffff)),
    row(Op::MovsxHalf, "movsxh", &[DEFINE, USE_HALF], ToRegister(&[0x0f, 0xbf]),
        Convert(|x| i32::from(x as i16))),
];

/// Bytes and half words in memory. In rules, only the loads of bytes have the machine's names.
#[cfg(feature = "ch14")]
#[rustfmt::skip]
const NARROW: &[Row] = &[
    row(Op::LoadByte, "movzx", &[DEFINE, ADDRESS], ToRegister(&[0x0f, 0xb6]),
        Narrow(NarrowSemantics::Load(Size::Byte, |x| x & 0xff))),
    row(Op::LoadSignedByte, "movsx", &[DEFINE, ADDRESS], ToRegister(&[0x0f, 0xbe]),
        Narrow(NarrowSemantics::Load(Size::Byte, |x| i32::from(x as i8)))),
    row(Op::LoadHalf, "movzxh", &[DEFINE, ADDRESS], ToRegister(&[0x0f, 0xb7]),
        Narrow(NarrowSemantics::Load(Size::Half, |x| x & 0xffff))),
    row(Op::LoadSignedHalf, "movsxh", &[DEFINE, ADDRESS], ToRegister(&[0x0f, 0xbf]),
        Narrow(NarrowSemantics::Load(Size::Half, |x| i32::from(x as i16)))),
    row(Op::StoreByte, "movb", &[ADDRESS, USE_BYTE], FromRegister(0x88),
        Narrow(NarrowSemantics::Store(Size::Byte))),
    row(Op::StoreByteImmediate, "movb", &[ADDRESS, IMMEDIATE],
        DigitImmediate(&[0xc6], 0, Size::Byte), Narrow(NarrowSemantics::Store(Size::Byte))),
    row(Op::StoreHalf, "movh", &[ADDRESS, USE_HALF], FromLongRegister(&[0x66, 0x89]),
        Narrow(NarrowSemantics::Store(Size::Half))),
    row(Op::StoreHalfImmediate, "movh", &[ADDRESS, IMMEDIATE],
        DigitImmediate(&[0x66, 0xc7], 0, Size::Half), Narrow(NarrowSemantics::Store(Size::Half))),
    row(Op::ByteCmpImmediate, "cmpb", &[ADDRESS, IMMEDIATE],
        DigitImmediate(&[0x80], 7, Size::Byte), Narrow(NarrowSemantics::CompareByte)),
    row(Op::ByteAdd, "addb", &[ADDRESS, USE_BYTE], FromRegister(0x00),
        Narrow(NarrowSemantics::Update(Size::Byte, i32::wrapping_add))),
    row(Op::ByteAddImmediate, "addb", &[ADDRESS, IMMEDIATE],
        DigitImmediate(&[0x80], 0, Size::Byte),
        Narrow(NarrowSemantics::Update(Size::Byte, i32::wrapping_add))),
    row(Op::ByteSub, "subb", &[ADDRESS, USE_BYTE], FromRegister(0x28),
        Narrow(NarrowSemantics::Update(Size::Byte, i32::wrapping_sub))),
    row(Op::HalfAdd, "addh", &[ADDRESS, USE_HALF], FromLongRegister(&[0x66, 0x01]),
        Narrow(NarrowSemantics::Update(Size::Half, i32::wrapping_add))),
    row(Op::HalfAddImmediate, "addh", &[ADDRESS, IMMEDIATE], HalfArithmetic(0),
        Narrow(NarrowSemantics::Update(Size::Half, i32::wrapping_add))),
    row(Op::HalfSub, "subh", &[ADDRESS, USE_HALF], FromLongRegister(&[0x66, 0x29]),
        Narrow(NarrowSemantics::Update(Size::Half, i32::wrapping_sub))),
];

/// A row without implicit registers.
const fn row(
    op: Op,
    mnemonic: &'static str,
    operands: &'static [OperandConstraint],
    encoding: Encoding,
    meaning: Semantics,
) -> Row {
    let instruction = InstructionForm {
        mnemonic,
        operands,
        reads: &[],
        #[cfg(feature = "ch02")]
        writes: &[],
        #[cfg(feature = "ch14")]
        effect: effect(op),
        #[cfg(feature = "ch04")]
        flags: flags(op),
        #[cfg(feature = "ch14")]
        carries: carries(op),
    };
    Row {
        op,
        instruction,
        encoding,
        semantics: meaning,
        #[cfg(feature = "ch02")]
        commutes: false,
    }
}

impl Row {
    const fn reading(self, reads: &'static [u8]) -> Row {
        Row { instruction: InstructionForm { reads, ..self.instruction }, ..self }
    }

    #[cfg(feature = "ch02")]
    const fn writing(self, writes: &'static [u8]) -> Row {
        Row { instruction: InstructionForm { writes, ..self.instruction }, ..self }
    }

    #[cfg(feature = "ch02")]
    const fn commuting(self) -> Row {
        Row { commutes: true, ..self }
    }
}

impl Op {
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

#[cfg(test)]
#[path = "tests/instruction_table.rs"]
mod tests;

//! The instructions: one row per mnemonic and operand form, which everything else reads.
//!
//! A row says how rule files name the form and what its operands may be (`Instruction`), which
//! bytes it becomes (`Encoding`) and what it computes (`Meaning`). Numbers: Intel's Software
//! Developer's Manual, volume 2.
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::ia32::reg::NAMES;
#[cfg(feature = "ch04")]
use crate::rules::target::Flags;
use crate::rules::target::{Class, Instruction, Role, Slot, Target};

/// The forms of the instructions, in the order of `ROWS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    MovImmediate,
    Mov,
    #[cfg(feature = "ch02")]
    Load,
    #[cfg(feature = "ch02")]
    Store,
    #[cfg(feature = "ch04")]
    Lea,
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
    #[cfg(feature = "ch04")]
    Inc,
    #[cfg(feature = "ch04")]
    Dec,
    #[cfg(feature = "ch02")]
    Neg,
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
    #[cfg(feature = "ch02")]
    Imul,
    #[cfg(feature = "ch02")]
    ImulImmediate,
    #[cfg(feature = "ch04")]
    ImulWide,
    #[cfg(feature = "ch02")]
    Cdq,
    #[cfg(feature = "ch02")]
    Idiv,
    #[cfg(feature = "ch04")]
    Cmp,
    #[cfg(feature = "ch04")]
    CmpImmediate,
    #[cfg(feature = "ch04")]
    Test,
    #[cfg(feature = "ch04")]
    Set,
    #[cfg(feature = "ch04")]
    Movzx,
    #[cfg(feature = "ch02")]
    Push,
    #[cfg(feature = "ch02")]
    Pop,
    Ret,
}

/// Everything about a form that is data.
pub struct Row {
    pub op: Op,
    pub instruction: Instruction,
    pub encoding: Encoding,
    pub meaning: Meaning,
    /// Its two operands may change places.
    #[cfg(feature = "ch02")]
    pub commutes: bool,
}

/// How a form becomes bytes. "r/m" is the operand that may be a register or an address.
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
    /// The one operand is both register and r/m.
    #[cfg(feature = "ch02")]
    Twice(u8),
    /// The opcode, and a digit that completes it where a register's number would stand.
    #[cfg(feature = "ch02")]
    Digit(u8, u8),
    /// An operation on an r/m and an immediate: its digit.
    #[cfg(feature = "ch02")]
    Arithmetic(u8),
    /// A shift of an r/m by an immediate: its digit.
    #[cfg(feature = "ch04")]
    Shift(u8),
    #[cfg(feature = "ch02")]
    MultiplyImmediate,
    #[cfg(feature = "ch04")]
    SetCondition,
}

/// What a form does, in terms of its operands.
#[derive(Clone, Copy)]
pub enum Meaning {
    /// The first becomes the second.
    Move,
    /// The first becomes the address that the second writes down.
    #[cfg(feature = "ch04")]
    Address,
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
    /// edx becomes the sign of eax.
    #[cfg(feature = "ch02")]
    SignExtend,
    /// eax and edx become quotient and remainder of edx:eax by the operand.
    #[cfg(feature = "ch02")]
    Divide,
    /// The flags hold how the two results of a function of both operands compare.
    #[cfg(feature = "ch04")]
    Compare(fn(i32, i32) -> (i32, i32)),
    /// The low byte of the second tells whether the relation that is the first holds.
    #[cfg(feature = "ch04")]
    Set,
    /// The first becomes the low byte of the second.
    #[cfg(feature = "ch04")]
    ZeroExtend,
    #[cfg(feature = "ch02")]
    Push,
    #[cfg(feature = "ch02")]
    Pop,
    Return,
}

impl Op {
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

/// IA-32, as rules see it: `ROWS[n].op` is what its instruction number n stands for.
pub const TARGET: Target = Target { name: "ia32", registers: &NAMES, instructions: &INSTRUCTIONS };

const INSTRUCTIONS: [Instruction; ROWS.len()] = {
    let mut instructions = [ROWS[0].instruction; ROWS.len()];
    let mut at = 0;
    while at < ROWS.len() {
        instructions[at] = ROWS[at].instruction;
        at += 1;
    }
    instructions
};

const USE: Slot = Slot::Register(Role::Use, Class::Any);
const DEFINE: Slot = Slot::Register(Role::Define, Class::Any);
#[cfg(feature = "ch02")]
const UPDATE: Slot = Slot::Register(Role::Update, Class::Any);
#[cfg(feature = "ch04")]
const USE_BYTE: Slot = Slot::Register(Role::Use, Class::Byte);
#[cfg(feature = "ch04")]
const DEFINE_BYTE: Slot = Slot::Register(Role::Define, Class::Byte);
#[cfg(feature = "ch02")]
use Slot::Address;
#[cfg(feature = "ch04")]
use Slot::Condition;
use Slot::Immediate;

const EAX: u8 = 0;
#[cfg(feature = "ch02")]
const EDX: u8 = 2;

#[cfg(feature = "ch02")]
use Encoding::{Arithmetic, Digit, MultiplyImmediate, Short, ToRegister, Twice};
use Encoding::{Bare, FromRegister, ShortImmediate};
#[cfg(feature = "ch04")]
use Encoding::{SetCondition, Shift};

/// Every form; those of one mnemonic stand together.
#[rustfmt::skip] // one line, one form
pub const ROWS: &[Row] = &[
    row(Op::MovImmediate, "mov", &[DEFINE, Immediate], ShortImmediate(0xb8), Meaning::Move),
    row(Op::Mov, "mov", &[DEFINE, USE], FromRegister(0x89), Meaning::Move),
    #[cfg(feature = "ch02")]
    row(Op::Load, "mov", &[DEFINE, Address], ToRegister(&[0x8b]), Meaning::Move),
    #[cfg(feature = "ch02")]
    row(Op::Store, "mov", &[Address, USE], FromRegister(0x89), Meaning::Move),
    #[cfg(feature = "ch04")]
    row(Op::Lea, "lea", &[DEFINE, Address], ToRegister(&[0x8d]), Meaning::Address),
    // `xor r,r`, under a name of its own because it does not read what it is said to read.
    #[cfg(feature = "ch02")]
    row(Op::Zero, "zero", &[DEFINE], Twice(0x31), Meaning::Constant(0)),
    #[cfg(feature = "ch02")]
    row(Op::Add, "add", &[UPDATE, USE], FromRegister(0x01), Meaning::Binary(i32::wrapping_add))
        .commuting(),
    #[cfg(feature = "ch02")]
    row(Op::AddImmediate, "add", &[UPDATE, Immediate], Arithmetic(0), Meaning::Binary(i32::wrapping_add)),
    #[cfg(feature = "ch02")]
    row(Op::Sub, "sub", &[UPDATE, USE], FromRegister(0x29), Meaning::Binary(i32::wrapping_sub)),
    #[cfg(feature = "ch02")]
    row(Op::SubImmediate, "sub", &[UPDATE, Immediate], Arithmetic(5), Meaning::Binary(i32::wrapping_sub)),
    #[cfg(feature = "ch04")]
    row(Op::Inc, "inc", &[UPDATE], Short(0x40), Meaning::Unary(|x| x.wrapping_add(1))),
    #[cfg(feature = "ch04")]
    row(Op::Dec, "dec", &[UPDATE], Short(0x48), Meaning::Unary(|x| x.wrapping_sub(1))),
    #[cfg(feature = "ch02")]
    row(Op::Neg, "neg", &[UPDATE], Digit(0xf7, 3), Meaning::Unary(i32::wrapping_neg)),
    #[cfg(feature = "ch04")]
    row(Op::Not, "not", &[UPDATE], Digit(0xf7, 2), Meaning::Unary(|x| !x)),
    #[cfg(feature = "ch04")]
    row(Op::And, "and", &[UPDATE, USE], FromRegister(0x21), Meaning::Binary(|x, y| x & y))
        .commuting(),
    #[cfg(feature = "ch04")]
    row(Op::AndImmediate, "and", &[UPDATE, Immediate], Arithmetic(4), Meaning::Binary(|x, y| x & y)),
    #[cfg(feature = "ch04")]
    row(Op::Or, "or", &[UPDATE, USE], FromRegister(0x09), Meaning::Binary(|x, y| x | y))
        .commuting(),
    #[cfg(feature = "ch04")]
    row(Op::OrImmediate, "or", &[UPDATE, Immediate], Arithmetic(1), Meaning::Binary(|x, y| x | y)),
    #[cfg(feature = "ch04")]
    row(Op::Xor, "xor", &[UPDATE, USE], FromRegister(0x31), Meaning::Binary(|x, y| x ^ y))
        .commuting(),
    #[cfg(feature = "ch04")]
    row(Op::XorImmediate, "xor", &[UPDATE, Immediate], Arithmetic(6), Meaning::Binary(|x, y| x ^ y)),
    // The machine takes a count modulo 32, as `wrapping_shl` does.
    #[cfg(feature = "ch04")]
    row(Op::Shl, "shl", &[UPDATE, Immediate], Shift(4), Meaning::Binary(|x, n| x.wrapping_shl(n as u32))),
    #[cfg(feature = "ch04")]
    row(Op::Shr, "shr", &[UPDATE, Immediate], Shift(5), Meaning::Binary(shift_right)),
    #[cfg(feature = "ch04")]
    row(Op::Sar, "sar", &[UPDATE, Immediate], Shift(7), Meaning::Binary(|x, n| x.wrapping_shr(n as u32))),
    #[cfg(feature = "ch02")]
    row(Op::Imul, "imul", &[UPDATE, USE], ToRegister(&[0x0f, 0xaf]), Meaning::Binary(i32::wrapping_mul))
        .commuting(),
    #[cfg(feature = "ch02")]
    row(Op::ImulImmediate, "imul", &[DEFINE, USE, Immediate], MultiplyImmediate, Meaning::Ternary(i32::wrapping_mul)),
    #[cfg(feature = "ch04")]
    row(Op::ImulWide, "imul", &[USE], Digit(0xf7, 5), Meaning::MultiplyWide)
        .reading(&[EAX]).writing(&[EAX, EDX]),
    #[cfg(feature = "ch02")]
    row(Op::Cdq, "cdq", &[], Bare(0x99), Meaning::SignExtend)
        .reading(&[EAX]).writing(&[EDX]),
    #[cfg(feature = "ch02")]
    row(Op::Idiv, "idiv", &[USE], Digit(0xf7, 7), Meaning::Divide)
        .reading(&[EAX, EDX]).writing(&[EAX, EDX]),
    #[cfg(feature = "ch04")]
    row(Op::Cmp, "cmp", &[USE, USE], FromRegister(0x39), Meaning::Compare(|x, y| (x, y))),
    #[cfg(feature = "ch04")]
    row(Op::CmpImmediate, "cmp", &[USE, Immediate], Arithmetic(7), Meaning::Compare(|x, y| (x, y))),
    #[cfg(feature = "ch04")]
    row(Op::Test, "test", &[USE, USE], FromRegister(0x85), Meaning::Compare(|x, y| (x & y, 0))),
    #[cfg(feature = "ch04")]
    row(Op::Set, "set", &[Condition, DEFINE_BYTE], SetCondition, Meaning::Set),
    #[cfg(feature = "ch04")]
    row(Op::Movzx, "movzx", &[DEFINE, USE_BYTE], ToRegister(&[0x0f, 0xb6]), Meaning::ZeroExtend),
    #[cfg(feature = "ch02")]
    row(Op::Push, "push", &[USE], Short(0x50), Meaning::Push),
    #[cfg(feature = "ch02")]
    row(Op::Pop, "pop", &[DEFINE], Short(0x58), Meaning::Pop),
    row(Op::Ret, "ret", &[], Bare(0xc3), Meaning::Return)
        .reading(&[EAX]),
];

/// A row without implicit registers.
const fn row(
    op: Op,
    mnemonic: &'static str,
    operands: &'static [Slot],
    encoding: Encoding,
    meaning: Meaning,
) -> Row {
    let instruction = Instruction {
        mnemonic,
        operands,
        reads: &[],
        writes: &[],
        #[cfg(feature = "ch04")]
        flags: flags(op),
    };
    Row {
        op,
        instruction,
        encoding,
        meaning,
        #[cfg(feature = "ch02")]
        commutes: false,
    }
}

impl Row {
    const fn reading(self, reads: &'static [u8]) -> Row {
        Row { instruction: Instruction { reads, ..self.instruction }, ..self }
    }

    #[cfg(feature = "ch02")]
    const fn writing(self, writes: &'static [u8]) -> Row {
        Row { instruction: Instruction { writes, ..self.instruction }, ..self }
    }

    #[cfg(feature = "ch02")]
    const fn commuting(self) -> Row {
        Row { commutes: true, ..self }
    }
}

#[cfg(feature = "ch04")]
const fn flags(op: Op) -> Flags {
    match op {
        Op::MovImmediate | Op::Mov | Op::Load | Op::Store | Op::Lea | Op::Not | Op::Cdq => {
            Flags::Untouched
        }
        Op::Movzx | Op::Push | Op::Pop | Op::Ret => Flags::Untouched,
        Op::Zero | Op::Add | Op::AddImmediate | Op::Sub | Op::SubImmediate => Flags::Written,
        Op::Inc | Op::Dec | Op::Neg | Op::And | Op::AndImmediate => Flags::Written,
        Op::Or | Op::OrImmediate | Op::Xor | Op::XorImmediate => Flags::Written,
        Op::Shl | Op::Shr | Op::Sar | Op::Imul | Op::ImulImmediate => Flags::Written,
        Op::ImulWide | Op::Idiv | Op::Cmp | Op::CmpImmediate | Op::Test => Flags::Written,
        Op::Set => Flags::Read,
    }
}

#[cfg(feature = "ch04")]
fn shift_right(x: i32, count: i32) -> i32 {
    (x as u32).wrapping_shr(count as u32) as i32
}

/// How a relation between signed integers ends a mnemonic, and what it adds to an opcode.
#[cfg(feature = "ch04")]
pub fn condition(relation: Relation) -> (&'static str, u8) {
    match relation {
        Relation::Equal => ("e", 0x4),
        Relation::NotEqual => ("ne", 0x5),
        Relation::Less => ("l", 0xc),
        Relation::GreaterEqual => ("ge", 0xd),
        Relation::LessEqual => ("le", 0xe),
        Relation::Greater => ("g", 0xf),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_forms() {
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!(row.op as usize, at, "{}", row.instruction.mnemonic);
            assert_eq!(TARGET.instructions[at].mnemonic, row.instruction.mnemonic);
            assert!(row.instruction.operands.len() <= 3);
        }
    }

    #[test]
    fn mnemonic_and_kinds_of_operands_name_one_form() {
        let kind = |slot: &Slot| std::mem::discriminant(slot);
        let keys = TARGET.instructions.iter().map(|instruction| {
            (instruction.mnemonic, instruction.operands.iter().map(kind).collect::<Vec<_>>())
        });
        let keys = keys.collect::<Vec<_>>();
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "{key:?}");
        }
    }

    #[test]
    fn forms_of_one_mnemonic_stand_together() {
        let mut mnemonics = TARGET.instructions.iter().map(|row| row.mnemonic).collect::<Vec<_>>();
        mnemonics.dedup();
        let runs = mnemonics.len();
        mnemonics.sort_unstable();
        mnemonics.dedup();
        assert_eq!(runs, mnemonics.len());
    }

    #[cfg(feature = "ch02")]
    #[test]
    fn only_what_has_two_registers_commutes() {
        for row in ROWS.iter().filter(|row| row.commutes) {
            assert_eq!(row.instruction.operands, [UPDATE, USE], "{}", row.instruction.mnemonic);
            let Meaning::Binary(meaning) = row.meaning else { panic!("not binary") };
            for (x, y) in [(3, 5), (i32::MIN, -1), (-7, i32::MAX)] {
                assert_eq!(meaning(x, y), meaning(y, x), "{}", row.instruction.mnemonic);
            }
        }
    }
}

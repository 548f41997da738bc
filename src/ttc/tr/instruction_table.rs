//! The instructions of TR, one row each.
//!
//! Arithmetic has a form with three registers, and one with a constant as the last operand.
use crate::arith::Binary;
use crate::firm::Op;
use crate::target::{
    Effect, Flags, InstructionForm, OperandAccess, OperandConstraint, RegisterConstraint, Target,
};

/// Everything about an instruction that is data.
#[derive(Clone, Copy)]
pub struct Row {
    pub instruction: InstructionForm,
    pub semantics: Semantics,
}

/// The effect of an instruction, in terms of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Semantics {
    /// The first becomes the second.
    Move,
    /// The first becomes the argument of the program.
    Argument,
    /// The first becomes the result for the second and the third.
    Binary(Binary),
    /// The second becomes 1 if the relation that is the first holds between the third and the
    /// fourth, and 0 elsewhere.
    Compare,
    /// Jumps to the first.
    Jump,
    /// Jumps to the second if the first is 1, to the third if it is 0.
    Branch,
    /// The program ends with the first.
    Return,
    /// The first becomes the complement of the second, bit by bit.
    #[cfg(feature = "ch25")]
    Not,
    /// The first becomes the value in memory at the second.
    #[cfg(feature = "ch25")]
    Load,
    /// Memory at the first becomes the second.
    #[cfg(feature = "ch25")]
    Store,
}

pub const USE: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Use, RegisterConstraint::Any);
const DEFINE: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Define, RegisterConstraint::Any);
pub const NUMBER: OperandConstraint = OperandConstraint::Immediate;
const RELATION: OperandConstraint = OperandConstraint::Condition;
const BLOCK: OperandConstraint = OperandConstraint::Block;
#[cfg(feature = "ch25")]
const SYMBOL: OperandConstraint = OperandConstraint::Symbol;

/// Every instruction; its number is its place here.
#[rustfmt::skip] // one line, one instruction
pub const ROWS: &[Row] = &[
    row("const", &[DEFINE, NUMBER], Semantics::Move),
    row("argument", &[DEFINE, NUMBER], Semantics::Argument),
    row("copy", &[DEFINE, USE], Semantics::Move),
    row("add", &[DEFINE, USE, USE], Semantics::Binary(Binary::Add)),
    row("addi", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Add)),
    row("sub", &[DEFINE, USE, USE], Semantics::Binary(Binary::Sub)),
    row("subi", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Sub)),
    row("mul", &[DEFINE, USE, USE], Semantics::Binary(Binary::Mul)),
    row("muli", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Mul)),
    row("div", &[DEFINE, USE, USE], Semantics::Binary(Binary::Div)),
    row("divi", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Div)),
    row("cmp", &[RELATION, DEFINE, USE, USE], Semantics::Compare),
    row("cmpi", &[RELATION, DEFINE, USE, NUMBER], Semantics::Compare),
    row("jmp", &[BLOCK], Semantics::Jump),
    row("cond", &[USE, BLOCK, BLOCK], Semantics::Branch),
    row("return", &[USE], Semantics::Return),
    row("mod", &[DEFINE, USE, USE], Semantics::Binary(Binary::Mod)),
    row("modi", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Mod)),
    row("and", &[DEFINE, USE, USE], Semantics::Binary(Binary::And)),
    row("andi", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::And)),
    row("or", &[DEFINE, USE, USE], Semantics::Binary(Binary::Or)),
    row("ori", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Or)),
    row("eor", &[DEFINE, USE, USE], Semantics::Binary(Binary::Eor)),
    row("eori", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Eor)),
    row("shl", &[DEFINE, USE, USE], Semantics::Binary(Binary::Shl)),
    row("shli", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Shl)),
    row("shr", &[DEFINE, USE, USE], Semantics::Binary(Binary::Shr)),
    row("shri", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Shr)),
    row("shrs", &[DEFINE, USE, USE], Semantics::Binary(Binary::Shrs)),
    row("shrsi", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Shrs)),
    row("mulh", &[DEFINE, USE, USE], Semantics::Binary(Binary::Mulh)),
    row("mulhi", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Mulh)),
    row("mulhu", &[DEFINE, USE, USE], Semantics::Binary(Binary::Mulhu)),
    row("mulhui", &[DEFINE, USE, NUMBER], Semantics::Binary(Binary::Mulhu)),
    #[cfg(feature = "ch25")]
    row("not", &[DEFINE, USE], Semantics::Not),
    #[cfg(feature = "ch25")]
    row("symconst", &[DEFINE, SYMBOL], Semantics::Move),
    #[cfg(feature = "ch25")]
    row("load", &[DEFINE, USE], Semantics::Load),
    #[cfg(feature = "ch25")]
    row("loadi", &[DEFINE, SYMBOL], Semantics::Load),
    #[cfg(feature = "ch25")]
    row("store", &[USE, USE], Semantics::Store),
    #[cfg(feature = "ch25")]
    row("storei", &[SYMBOL, USE], Semantics::Store),
];

/// The instruction that copies a register.
pub const COPY: usize = 2;

const fn row(
    mnemonic: &'static str,
    operands: &'static [OperandConstraint],
    semantics: Semantics,
) -> Row {
    let effect = match semantics {
        Semantics::Jump | Semantics::Branch => Effect::Jumps,
        Semantics::Return => Effect::Leaves,
        Semantics::Move | Semantics::Argument | Semantics::Binary(_) | Semantics::Compare => {
            Effect::None
        }
        #[cfg(feature = "ch25")]
        Semantics::Not => Effect::None,
        #[cfg(feature = "ch25")]
        Semantics::Load | Semantics::Store => Effect::Memory,
    };
    let (reads, writes, flags) = (&[], &[], Flags::Untouched);
    let carries = false;
    let instruction = InstructionForm { mnemonic, operands, reads, writes, effect, flags, carries };
    Row { instruction, semantics }
}

/// Whether an instruction computes the same as an operation of Firm, with the same operands.
#[cfg(feature = "ch25")]
pub fn implements(instruction: usize, op: Op) -> bool {
    match (ROWS[instruction].semantics, op) {
        (Semantics::Binary(own), Op::Binary(binary)) => own == binary,
        (Semantics::Move, Op::Const(_) | Op::SymConst(_)) => true,
        (Semantics::Compare, Op::Cmp(_)) | (Semantics::Not, Op::Not) => true,
        (Semantics::Jump, Op::Jmp) | (Semantics::Branch, Op::Cond) => true,
        (Semantics::Load, Op::Load(_)) | (Semantics::Store, Op::Store(_)) => true,
        _ => false,
    }
}

/// TR, as rules see it.
pub const TARGET: Target = Target {
    name: "tr",
    registers: &[],
    stack: None,
    instructions: &INSTRUCTIONS,
    length: |_, _| 1, // The machine is abstract.
    #[cfg(feature = "ch25")]
    has_file_only_operations: true,
};

const INSTRUCTIONS: [InstructionForm; ROWS.len()] = {
    let mut instructions = [ROWS[0].instruction; ROWS.len()];
    let mut at = 0;
    while at < ROWS.len() {
        instructions[at] = ROWS[at].instruction;
        at += 1;
    }
    instructions
};

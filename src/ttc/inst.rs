//! The instructions of TR: one row each, which everything else reads.
//!
//! What computes has a version of three registers, and one with a constant for the last of them.
use crate::arith::Binary;
#[cfg(feature = "ch25")]
use crate::firm::Op;
use crate::rules::target::{
    Effect, Flags, InstructionForm, OperandAccess, OperandConstraint, RegisterConstraint, Target,
};

/// Everything about an instruction that is data.
#[derive(Clone, Copy)]
pub struct Row {
    pub instruction: InstructionForm,
    pub meaning: Meaning,
}

/// What an instruction does, in terms of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The first becomes the second.
    Move,
    /// The first becomes the argument of the program.
    Argument,
    /// The first becomes what is computed of the second and the third.
    Binary(Binary),
    /// The second becomes 1 if the relation that is the first holds between the third and the
    /// fourth, and 0 elsewhere.
    Compare,
    /// Control goes to the block that is the first.
    Jump,
    /// Control goes to the second if the first is 1, to the third if it is 0.
    Branch,
    /// The program ends with the first.
    Return,
    /// The first becomes the complement of the second, bit by bit.
    #[cfg(feature = "ch25")]
    Not,
    /// The first becomes what stands in memory at the second.
    #[cfg(feature = "ch25")]
    Load,
    /// Memory at the first becomes the second.
    #[cfg(feature = "ch25")]
    Store,
}

const USE: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Use, RegisterConstraint::Any);
const DEFINE: OperandConstraint =
    OperandConstraint::Register(OperandAccess::Define, RegisterConstraint::Any);
const NUMBER: OperandConstraint = OperandConstraint::Immediate;
const RELATION: OperandConstraint = OperandConstraint::Condition;
const BLOCK: OperandConstraint = OperandConstraint::Block;
#[cfg(feature = "ch25")]
const SYMBOL: OperandConstraint = OperandConstraint::Symbol;

/// Every instruction; its number is its place here.
#[rustfmt::skip] // one line, one instruction
pub const ROWS: &[Row] = &[
    row("const", &[DEFINE, NUMBER], Meaning::Move),
    row("argument", &[DEFINE, NUMBER], Meaning::Argument),
    row("copy", &[DEFINE, USE], Meaning::Move),
    row("add", &[DEFINE, USE, USE], Meaning::Binary(Binary::Add)),
    row("addi", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::Add)),
    row("sub", &[DEFINE, USE, USE], Meaning::Binary(Binary::Sub)),
    row("subi", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::Sub)),
    row("mul", &[DEFINE, USE, USE], Meaning::Binary(Binary::Mul)),
    row("muli", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::Mul)),
    row("div", &[DEFINE, USE, USE], Meaning::Binary(Binary::Div)),
    row("divi", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::Div)),
    row("cmp", &[RELATION, DEFINE, USE, USE], Meaning::Compare),
    row("cmpi", &[RELATION, DEFINE, USE, NUMBER], Meaning::Compare),
    row("jmp", &[BLOCK], Meaning::Jump),
    row("cond", &[USE, BLOCK, BLOCK], Meaning::Branch),
    row("return", &[USE], Meaning::Return),
    #[cfg(feature = "ch25")]
    row("mod", &[DEFINE, USE, USE], Meaning::Binary(Binary::Mod)),
    #[cfg(feature = "ch25")]
    row("modi", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::Mod)),
    #[cfg(feature = "ch25")]
    row("and", &[DEFINE, USE, USE], Meaning::Binary(Binary::And)),
    #[cfg(feature = "ch25")]
    row("andi", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::And)),
    #[cfg(feature = "ch25")]
    row("or", &[DEFINE, USE, USE], Meaning::Binary(Binary::Or)),
    #[cfg(feature = "ch25")]
    row("ori", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::Or)),
    #[cfg(feature = "ch25")]
    row("eor", &[DEFINE, USE, USE], Meaning::Binary(Binary::Eor)),
    #[cfg(feature = "ch25")]
    row("eori", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::Eor)),
    #[cfg(feature = "ch25")]
    row("shl", &[DEFINE, USE, USE], Meaning::Binary(Binary::Shl)),
    #[cfg(feature = "ch25")]
    row("shli", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::Shl)),
    #[cfg(feature = "ch25")]
    row("shr", &[DEFINE, USE, USE], Meaning::Binary(Binary::Shr)),
    #[cfg(feature = "ch25")]
    row("shri", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::Shr)),
    #[cfg(feature = "ch25")]
    row("shrs", &[DEFINE, USE, USE], Meaning::Binary(Binary::Shrs)),
    #[cfg(feature = "ch25")]
    row("shrsi", &[DEFINE, USE, NUMBER], Meaning::Binary(Binary::Shrs)),
    #[cfg(feature = "ch25")]
    row("not", &[DEFINE, USE], Meaning::Not),
    #[cfg(feature = "ch25")]
    row("symconst", &[DEFINE, SYMBOL], Meaning::Move),
    #[cfg(feature = "ch25")]
    row("load", &[DEFINE, USE], Meaning::Load),
    #[cfg(feature = "ch25")]
    row("loadi", &[DEFINE, SYMBOL], Meaning::Load),
    #[cfg(feature = "ch25")]
    row("store", &[USE, USE], Meaning::Store),
    #[cfg(feature = "ch25")]
    row("storei", &[SYMBOL, USE], Meaning::Store),
];

/// The instruction that copies a register.
pub const COPY: usize = 2;

const fn row(
    mnemonic: &'static str,
    operands: &'static [OperandConstraint],
    meaning: Meaning,
) -> Row {
    let effect = match meaning {
        Meaning::Jump | Meaning::Branch => Effect::Jumps,
        Meaning::Return => Effect::Leaves,
        Meaning::Move | Meaning::Argument | Meaning::Binary(_) | Meaning::Compare => Effect::None,
        #[cfg(feature = "ch25")]
        Meaning::Not => Effect::None,
        #[cfg(feature = "ch25")]
        Meaning::Load | Meaning::Store => Effect::Memory,
    };
    let (reads, writes, flags) = (&[], &[], Flags::Untouched);
    let instruction = InstructionForm { mnemonic, operands, reads, writes, effect, flags };
    Row { instruction, meaning }
}

/// Whether an instruction does what an operation of Firm does, with the same operands.
#[cfg(feature = "ch25")]
pub fn is_version(instruction: usize, op: Op) -> bool {
    match (ROWS[instruction].meaning, op) {
        (Meaning::Binary(own), Op::Binary(binary)) => own == binary,
        (Meaning::Move, Op::Const(_) | Op::SymConst(_)) => true,
        (Meaning::Compare, Op::Cmp(_)) | (Meaning::Not, Op::Not) => true,
        (Meaning::Jump, Op::Jmp) | (Meaning::Branch, Op::Cond) => true,
        (Meaning::Load, Op::Load(_)) | (Meaning::Store, Op::Store(_)) => true,
        _ => false,
    }
}

/// TR, as rules see it.
pub const TARGET: Target = Target {
    name: "tr",
    registers: &[],
    stack: None,
    instructions: &INSTRUCTIONS,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mnemonics_name_one_instruction() {
        for (at, row) in ROWS.iter().enumerate() {
            let same = |other: &Row| other.instruction.mnemonic == row.instruction.mnemonic;
            assert_eq!(ROWS.iter().position(same), Some(at));
        }
        assert_eq!(ROWS[COPY].instruction.mnemonic, "copy");
    }

    /// The right operand of what computes is a register, or in the version whose name ends with i
    /// a number; nothing else differs.
    #[test]
    fn what_computes_has_two_versions() {
        for row in ROWS.iter().filter(|row| computes(row)) {
            let name = row.instruction.mnemonic.trim_end_matches('i');
            let versions = [name.to_string(), format!("{name}i")].map(|name| {
                let found = ROWS.iter().find(|row| row.instruction.mnemonic == name);
                let found = found.expect("there are both");
                assert_eq!(found.meaning, row.meaning);
                found.instruction.operands.split_last().expect("it has operands")
            });
            assert_eq!(versions.map(|(last, _)| *last), [USE, NUMBER]);
            assert_eq!(versions[0].1, versions[1].1);
        }
    }

    fn computes(row: &Row) -> bool {
        matches!(row.meaning, Meaning::Binary(_) | Meaning::Compare)
    }
}

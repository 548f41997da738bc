//! The operations on floating-point numbers, in mode D.
//!
//! They are operations of their own, so that no rule for integers matches them, and each operand
//! of each operation has one mode.
use super::mode::Mode::{self, D, Is, M, X};
use super::op::{AllowedBlock, Row};
use crate::floats::FloatOp;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Float {
    /// The number with these bits.
    Const(i64),
    Compute(FloatOp),
    /// Ends the function with a state of memory and a number.
    Return,
}

impl Float {
    /// One operation of each kind, with any attribute.
    pub fn kinds() -> impl Iterator<Item = Float> {
        let others = [Float::Const(0), Float::Return];
        others.into_iter().chain(FloatOp::all().map(Float::Compute))
    }

    pub fn row(self) -> Row {
        let row = |name, operands, modes, block| Row { name, operands, more: None, modes, block };
        match self {
            Float::Const(_) => row("ConstF", &[], &[D], AllowedBlock::StartBlock),
            Float::Compute(op) => row(op.row().name, operands(op), modes(op), AllowedBlock::Any),
            Float::Return => row("ReturnF", &[M, D], &[X], AllowedBlock::Any),
        }
    }

    pub fn number(self) -> Option<i64> {
        let Float::Const(bits) = self else { return None };
        Some(bits)
    }

    pub fn commutes(self) -> bool {
        matches!(self, Float::Compute(op) if op.commutes())
    }

    /// Whether programs may have it. -x becomes -0 - x.
    pub fn is_selected(self) -> bool {
        self != Float::Compute(FloatOp::Minus)
    }
}

fn operands(op: FloatOp) -> &'static [Mode] {
    match (op, op.row().operands) {
        (FloatOp::FromInteger, _) => &[Is],
        (_, 1) => &[D],
        (_, _) => &[D, D],
    }
}

fn modes(op: FloatOp) -> &'static [Mode] {
    if op.row().is_relation { &[Is] } else { &[D] }
}

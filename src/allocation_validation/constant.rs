//! Constants: equal ones are one value, so they may be computed again.
use crate::ia32::code::Instruction;
use crate::ia32::{Op, Operand};

/// A number that an instruction puts into a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    Number(i32),
    /// A floating-point number by its bits.
    Float(i64),
    /// The address of a symbol.
    Symbol(u32),
}

impl Constant {
    /// The constant that an instruction puts into an operand, if it does nothing else.
    pub fn of(instruction: &Instruction) -> Option<(Operand, Constant)> {
        let [to, from, _] = instruction.operands;
        let constant = match (instruction.op, to, from) {
            (Op::MovImmediate, _, Operand::Immediate(number)) => Constant::Number(number),
            (Op::StoreImmediate, Operand::Address(address), Operand::Immediate(number))
                if address.is_on_stack() =>
            {
                Constant::Number(number)
            }
            (Op::Zero, ..) => Constant::Number(0),
            (Op::FloatZero, ..) => Constant::Float(0),
            (Op::FloatLoad, _, Operand::Address(address)) => Constant::Float(address.constant()?),
            (Op::MovSymbol, _, Operand::Symbol(symbol)) => Constant::Symbol(symbol),
            _ => return None,
        };
        Some((to, constant))
    }
}

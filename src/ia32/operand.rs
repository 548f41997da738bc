//! Operands of instructions.
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch14")]
use crate::firm::Signature;
#[cfg(feature = "ch02")]
use crate::ia32::address::Address;
use crate::ia32::register::Register;
#[cfg(feature = "ch18")]
use crate::ia32::register::RegisterSet;
use crate::target::OperandConstraint;
#[cfg(feature = "ch05")]
use crate::target::blocks::BlockId;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    None,
    Register(Register),
    Immediate(i32),
    #[cfg(feature = "ch02")]
    Address(Address),
    #[cfg(feature = "ch04")]
    Condition(Relation),
    #[cfg(feature = "ch05")]
    Block(BlockId),
    /// The address of the symbol with this number.
    #[cfg(feature = "ch14")]
    Symbol(u32),
    /// Of a call: the number of words that it passes and takes. It has no slot.
    #[cfg(feature = "ch14")]
    Signature(Signature),
    /// Of a call: the caller-saved registers that the called function leaves alone. It has no slot.
    #[cfg(feature = "ch18")]
    Preserved(RegisterSet),
}

impl Operand {
    /// The number of the symbol that it is the address of.
    #[cfg(feature = "ch14")]
    pub fn symbol(self) -> Option<u32> {
        let Operand::Symbol(symbol) = self else { return None };
        Some(symbol)
    }

    /// Whether it is of the kind that a slot requires.
    pub fn fits(self, slot: OperandConstraint) -> bool {
        match slot {
            OperandConstraint::Register(..) => matches!(self, Operand::Register(_)),
            OperandConstraint::Immediate => matches!(self, Operand::Immediate(_)),
            #[cfg(feature = "ch02")]
            OperandConstraint::Address => matches!(self, Operand::Address(_)),
            #[cfg(feature = "ch04")]
            OperandConstraint::Condition => matches!(self, Operand::Condition(_)),
            #[cfg(feature = "ch05")]
            OperandConstraint::Block => matches!(self, Operand::Block(_)),
            #[cfg(feature = "ch14")]
            OperandConstraint::Symbol => matches!(self, Operand::Symbol(_)),
        }
    }

    /// Whether it may come after the operands that fill slots.
    pub fn needs_no_slot(self) -> bool {
        let needs_none = self == Operand::None;
        #[cfg(feature = "ch14")]
        let needs_none = needs_none || matches!(self, Operand::Signature(_));
        #[cfg(feature = "ch18")]
        let needs_none = needs_none || matches!(self, Operand::Preserved(_));
        needs_none
    }

    /// The registers that are read when this operand fills `slot`.
    pub fn reads(self, slot: OperandConstraint) -> impl Iterator<Item = Register> {
        let registers = match self {
            Operand::Register(register) => [slot.reads().then_some(register), None],
            #[cfg(feature = "ch02")]
            Operand::Address(address) => address.registers(),
            _ => [None, None],
        };
        registers.into_iter().flatten()
    }

    /// The register that is written when this operand fills `slot`.
    pub fn written(self, slot: OperandConstraint) -> Option<Register> {
        let Operand::Register(register) = self else { return None };
        slot.writes().then_some(register)
    }
}

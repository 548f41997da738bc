//! Operands of instructions for a match: its bindings in the place of the names of its rule.
#[cfg(feature = "ch04")]
use super::AddressTemplate;
use super::{Binding, Immediate, NameId, OperandTemplate};
#[cfg(feature = "ch05")]
use crate::target::blocks::BlockId;
#[cfg(feature = "ch04")]
use crate::target::code_builder::Address;
use crate::target::code_builder::{Operand, Register};

/// The registers and the blocks of a match.
pub trait Places {
    /// The register of a name.
    fn register(&self, name: NameId) -> Register;

    /// The target of the root for a true or for a false condition.
    #[cfg(feature = "ch05")]
    fn block(&self, truth: bool) -> BlockId;
}

impl OperandTemplate {
    /// The operand of an instruction.
    pub fn operand(&self, bindings: &[Binding], places: &impl Places) -> Operand {
        match self {
            OperandTemplate::Register(name_id) => Operand::Register(places.register(*name_id)),
            OperandTemplate::Real(number) => Operand::Register(Register::Real(*number)),
            OperandTemplate::Immediate(immediate) => {
                Operand::Immediate(immediate.of_match(bindings))
            }
            #[cfg(feature = "ch04")]
            OperandTemplate::Address(address) => {
                Operand::Address(address.address(bindings, places))
            }
            #[cfg(feature = "ch04")]
            OperandTemplate::Condition(name_id) => match bindings[*name_id as usize] {
                Binding::Relation(relation) => Operand::Condition(relation),
                _ => unreachable!("a condition is bound to a relation"),
            },
            #[cfg(feature = "ch04")]
            OperandTemplate::Relation(relation) => Operand::Condition(*relation),
            #[cfg(feature = "ch05")]
            OperandTemplate::Block(truth) => Operand::Block(places.block(*truth)),
            #[cfg(feature = "ch14")]
            OperandTemplate::Symbol(name_id) => {
                Operand::Symbol(bound_number(bindings, *name_id) as u32)
            }
        }
    }
}

fn bound_number(bindings: &[Binding], name_id: NameId) -> i64 {
    match bindings[name_id as usize] {
        Binding::Number(number) => number,
        _ => unreachable!("an immediate is bound to a number"),
    }
}

/// The argument of a function: a word, or the number of a relation.
fn attribute(bindings: &[Binding], name_id: NameId) -> i64 {
    #[cfg(feature = "ch12")]
    if let Binding::Relation(relation) = bindings[name_id as usize] {
        return relation as i64;
    }
    i64::from(bound_number(bindings, name_id) as i32)
}

impl Immediate {
    fn of_match(&self, bindings: &[Binding]) -> i32 {
        match self {
            Immediate::Number(number) => *number,
            Immediate::Of(function, name_id) => (function.of)(attribute(bindings, *name_id)) as i32,
        }
    }
}

#[cfg(feature = "ch04")]
impl AddressTemplate {
    fn address(&self, bindings: &[Binding], places: &impl Places) -> Address {
        let numbers = self.displacement.iter().map(|immediate| immediate.of_match(bindings));
        let index = self
            .index
            .map(|(name_id, scale)| (places.register(name_id), scale.of_match(bindings) as u8));
        Address {
            argument: self.argument.map(|name_id| bound_number(bindings, name_id) as u32),
            #[cfg(feature = "ch12")]
            constant: self.constant.map(|name_id| bound_number(bindings, name_id)),
            base: self.base.map(|name_id| places.register(name_id)),
            index,
            displacement: numbers.fold(0, i32::wrapping_add),
        }
    }
}

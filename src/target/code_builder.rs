//! The interface through which rules produce code for any machine.
//!
//! Selection uses nothing of a machine but its `Target` and a `CodeBuilder`.
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch14")]
use crate::firm::Signature;
#[cfg(feature = "ch05")]
use crate::target::blocks::BlockId;
use crate::target::register_kind::RegisterKind;

/// Code under construction.
pub trait CodeBuilder {
    /// A new virtual register.
    fn new_register(&mut self, kind: RegisterKind) -> Register;

    /// Adds an instruction, by its number in the target's table, for the node `origin`.
    fn add(&mut self, instruction: usize, operands: &[Operand], origin: u32);

    /// Adds an instruction that copies a register.
    fn add_copy(&mut self, to: Register, from: Register, origin: u32);

    /// A block that is inside `depth` loops. Blocks are filled in the order of their creation.
    #[cfg(feature = "ch05")]
    fn new_block(&mut self, depth: u32) -> BlockId;

    /// Starts to fill this block, which has these parameters.
    #[cfg(feature = "ch05")]
    fn begin(&mut self, block: BlockId, parameters: &[Register]);

    /// The arguments that this block passes to its only successor.
    #[cfg(feature = "ch05")]
    fn set_arguments(&mut self, block: BlockId, arguments: &[Register]);

    /// The last instruction is a volatile access.
    #[cfg(feature = "ch25")]
    fn make_volatile(&mut self) {}

    /// The numbers of words that the last call passes and takes.
    #[cfg(feature = "ch14")]
    fn set_signature(&mut self, _: Signature) {
        unreachable!("{NO_CALLS}")
    }

    /// Adds a copy of a register to the place of an argument of the next call.
    #[cfg(feature = "ch14")]
    fn pass_argument(&mut self, _number: u32, _value: Register, _origin: u32) {
        unreachable!("{NO_CALLS}")
    }

    /// Ends a block with a call that does not return. Its arguments are registers and numbers.
    #[cfg(feature = "ch15")]
    fn end_with_call(&mut self, _symbol: u32, _arguments: &[Operand], _origin: u32) {
        unreachable!("{NO_CALLS}")
    }

    /// Adds a copy of a result of the last call to a new register. The words of the results but the
    /// first follow those of the arguments.
    #[cfg(feature = "ch14")]
    fn take_result(&mut self, _word: u32, _origin: u32) -> Register {
        unreachable!("{NO_CALLS}")
    }

    /// Adds a copy of a register to the place of a result of the function; result 0 has a rule.
    #[cfg(feature = "ch14")]
    fn return_result(&mut self, _number: u32, _value: Register, _origin: u32) {
        unreachable!("{NO_CALLS}")
    }
}

#[cfg(feature = "ch14")]
const NO_CALLS: &str = "a machine without calls has no rule for them";

/// A register of code under construction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register {
    /// A real one, by its index in the target's list.
    Real(u8),
    Virtual(u32),
}

/// An operand of an instruction under construction. It has the kind that its slot requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    Register(Register),
    Immediate(i32),
    #[cfg(feature = "ch04")]
    Address(Address),
    #[cfg(feature = "ch04")]
    Condition(Relation),
    #[cfg(feature = "ch05")]
    Block(BlockId),
    /// The address of the symbol with this number.
    #[cfg(feature = "ch14")]
    Symbol(u32),
}

/// The address of an argument, or base plus index times scale plus displacement.
#[cfg(feature = "ch04")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    pub argument: Option<u32>,
    /// The address of a floating-point number with these bits.
    #[cfg(feature = "ch12")]
    pub constant: Option<i64>,
    pub base: Option<Register>,
    pub index: Option<(Register, u8)>,
    pub displacement: i32,
}

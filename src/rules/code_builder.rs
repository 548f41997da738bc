//! What rules become is taken by code in the making: what a machine must offer for that.
//!
//! Whoever applies rules knows of a machine its `Target` and a `CodeBuilder`, nothing else.
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch25")]
use crate::firm::Symbols;
#[cfg(feature = "ch05")]
use arena::id;

#[cfg(feature = "ch05")]
id! {
    /// A basic block of code, whichever machine it is for.
    BlockId
}

#[cfg(feature = "ch05")]
impl BlockId {
    /// Where the function is entered.
    pub const ENTRY: BlockId = BlockId(0);
}

/// Code in the making.
pub trait CodeBuilder {
    /// A virtual register that nobody has yet.
    fn new_register(&mut self) -> Register;

    /// Adds an instruction, by its number in the target's table, for the node `origin`.
    fn add(&mut self, instruction: usize, operands: &[Operand], origin: u32);

    /// Adds an instruction that copies a register.
    fn add_copy(&mut self, to: Register, from: Register, origin: u32);

    /// A block that stands in `depth` loops. Blocks begin in the order in which they are made.
    #[cfg(feature = "ch05")]
    fn new_block(&mut self, depth: u32) -> BlockId;

    /// From now on instructions are those of this block, at which `parameters` arrive.
    #[cfg(feature = "ch05")]
    fn begin(&mut self, block: BlockId, parameters: &[Register]);

    /// What goes on with control from this block to the only one behind it.
    #[cfg(feature = "ch05")]
    fn set_arguments(&mut self, block: BlockId, arguments: &[Register]);

    /// What the symbols are called that operands name by their numbers.
    #[cfg(feature = "ch25")]
    fn name_symbols(&mut self, _symbols: &Symbols) {}

    /// Others may see what the last instruction does.
    #[cfg(feature = "ch25")]
    fn make_volatile(&mut self) {}
}

/// A register of code in the making.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register {
    /// A real one, by its place among the target's.
    Real(u8),
    Virtual(u32),
}

/// An operand of an instruction in the making; it is of its slot's kind.
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
    #[cfg(feature = "ch25")]
    Symbol(u32),
}

/// The place of an argument, or base plus index times scale plus displacement.
#[cfg(feature = "ch04")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    pub argument: Option<u32>,
    pub base: Option<Register>,
    pub index: Option<(Register, u8)>,
    pub displacement: i32,
}

//! The code of a function for TR: blocks of instructions.
use crate::arith::Relation;
use crate::firm::Access;
use crate::target::blocks::{self, BlockId, Blocks};
use crate::target::code_builder::{self, CodeBuilder};
use crate::target::{OperandConstraint, RegisterKind};
#[cfg(feature = "ch25")]
use crate::ttc::Symbols;
use crate::ttc::tr::instruction_table::{COPY, ROWS, Row, Semantics};
use arena::id;
use std::iter::zip;
use std::ops::Range;

id! {
    /// A register; there is one for every value.
    Register
}

#[derive(Clone, Debug, Default)]
pub struct Code {
    pub instructions: Vec<Instruction>,
    /// The number of registers.
    pub registers: u32,
    pub blocks: Blocks<Register>,
    /// The names of the symbols in operands.
    #[cfg(feature = "ch25")]
    pub symbols: Symbols,
    /// Its memory is the heap alone.
    #[cfg(feature = "ch25")]
    pub has_heap: bool,
}

/// A basic block of instructions of TR.
pub type Block = blocks::Block<Register>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The number of its row.
    pub number: u32,
    /// One for each slot of its row; the rest is `None`.
    pub operands: [Operand; MOST_OPERANDS],
    /// The number of the Firm node that it was made for.
    pub origin: u32,
    /// Whether its access to memory is visible.
    #[cfg(feature = "ch25")]
    pub access: Access,
}

const MOST_OPERANDS: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    None,
    Register(Register),
    Immediate(i32),
    Condition(Relation),
    Block(BlockId),
    /// The address of the symbol with this number.
    #[cfg(feature = "ch25")]
    Symbol(u32),
}

impl Code {
    /// The instructions of a block.
    pub fn range(&self, block: BlockId) -> Range<usize> {
        blocks::range(&self.blocks, block, self.instructions.len())
    }

    /// The blocks after a block.
    pub fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + Clone + use<> {
        let last = self.instructions[self.range(block)].last().copied();
        last.into_iter().flat_map(|inst| inst.targets())
    }
}

impl Instruction {
    pub fn new(number: usize, operands: &[Operand], origin: u32) -> Instruction {
        let mut all = [Operand::None; MOST_OPERANDS];
        all[..operands.len()].copy_from_slice(operands);
        Instruction {
            number: number as u32,
            operands: all,
            origin,
            #[cfg(feature = "ch25")]
            access: Access::Plain,
        }
    }

    pub fn row(&self) -> &'static Row {
        &ROWS[self.number as usize]
    }

    /// Its operands, each beside the slot it fills.
    pub fn slots(&self) -> impl Iterator<Item = (OperandConstraint, Operand)> + use<> {
        zip(self.row().instruction.operands.iter().copied(), self.operands)
    }

    /// Its name in messages, given its number.
    pub fn place(&self, at: usize) -> String {
        format!("{at}: {self} (node {})", self.origin)
    }

    pub fn reads(&self) -> impl Iterator<Item = Register> + use<> {
        self.slots().filter(|(slot, _)| slot.reads()).filter_map(|(_, it)| it.register())
    }

    pub fn writes(&self) -> impl Iterator<Item = Register> + use<> {
        self.slots().filter(|(slot, _)| slot.writes()).filter_map(|(_, it)| it.register())
    }

    /// The blocks it jumps to.
    pub fn targets(&self) -> impl Iterator<Item = BlockId> + Clone + use<> {
        self.operands.into_iter().filter_map(|operand| match operand {
            Operand::Block(block) => Some(block),
            _ => None,
        })
    }

    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(self.row().semantics, Semantics::Jump | Semantics::Branch | Semantics::Return)
    }
}

impl Operand {
    fn register(self) -> Option<Register> {
        match self {
            Operand::Register(register) => Some(register),
            _ => None,
        }
    }
}

impl CodeBuilder for Code {
    fn new_register(&mut self, _kind: RegisterKind) -> code_builder::Register {
        self.registers += 1;
        code_builder::Register::Virtual(self.registers - 1)
    }

    fn add(&mut self, instruction: usize, operands: &[code_builder::Operand], origin: u32) {
        let mut all = [Operand::None; MOST_OPERANDS];
        for (place, operand) in all.iter_mut().zip(operands) {
            *place = taken(*operand);
        }
        self.instructions.push(Instruction::new(instruction, &all[..operands.len()], origin));
    }

    fn add_copy(&mut self, to: code_builder::Register, from: code_builder::Register, origin: u32) {
        self.add(COPY, &[to, from].map(code_builder::Operand::Register), origin);
    }

    fn new_block(&mut self, depth: u32) -> BlockId {
        self.blocks.push(Block::new(0, depth))
    }

    fn begin(&mut self, block: BlockId, parameters: &[code_builder::Register]) {
        let begun = &mut self.blocks[block];
        begun.first = self.instructions.len() as u32;
        begun.parameters = parameters.iter().copied().map(register).collect();
    }

    fn set_arguments(&mut self, block: BlockId, arguments: &[code_builder::Register]) {
        self.blocks[block].arguments = arguments.iter().copied().map(register).collect();
    }

    #[cfg(feature = "ch25")]
    fn make_volatile(&mut self) {
        let last = self.instructions.last_mut().expect("a rule has instructions");
        last.access = Access::Volatile;
    }
}

fn register(register: code_builder::Register) -> Register {
    match register {
        code_builder::Register::Virtual(number) => Register(number),
        code_builder::Register::Real(_) => unreachable!("rules find no real register in the table"),
    }
}

fn taken(operand: code_builder::Operand) -> Operand {
    match operand {
        code_builder::Operand::Register(it) => Operand::Register(register(it)),
        code_builder::Operand::Immediate(number) => Operand::Immediate(number),
        code_builder::Operand::Condition(relation) => Operand::Condition(relation),
        code_builder::Operand::Block(block) => Operand::Block(block),
        #[cfg(feature = "ch25")]
        code_builder::Operand::Symbol(number) => Operand::Symbol(number),
        other => unreachable!("no instruction has a slot for {other:?}"),
    }
}

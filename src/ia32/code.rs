//! The code of a function: instructions with their operands, before and after register allocation.
//!
//! Selected code names virtual registers. A real register occurs where an instruction requires it,
//! @ch01-01 with a move: `mov eax,v1`, `ret`.
//! @ch02 with moves: `mov eax,v1`, `cdq`, `idiv v2`, `mov v3,eax`.
//! A real register is live from a write to its last read before the next write.
//! @ch02 An instruction that overwrites its first operand is preceded by a copy: `mov v3,v1`,
//! @ch02 `add v3,v2`.
//! The result is in eax at `ret`.
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch14")]
use crate::firm::Signature;
#[cfg(feature = "ch02")]
pub use crate::ia32::address::{Address, Base};
use crate::ia32::instruction::Op;
pub use crate::ia32::operand::Operand;
use crate::ia32::register::Register;
#[cfg(feature = "ch02")]
use crate::ia32::register::RegisterSet;
#[cfg(feature = "ch18")]
use crate::ia32::register::argument_registers;
#[cfg(feature = "ch09")]
use crate::stage::FirmNode;
#[cfg(feature = "ch14")]
use crate::target::Effect;
#[cfg(feature = "ch04")]
use crate::target::Flags;
#[cfg(feature = "ch05")]
pub use crate::target::blocks::BlockId;
#[cfg(feature = "ch05")]
use crate::target::blocks::{self, Blocks};
use crate::target::{OperandConstraint, RegisterKind};
use arena::{Id, ListTable};
use std::iter::zip;
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct Code {
    /// The name of the function.
    pub name: String,
    #[cfg(feature = "ch14")]
    pub signature: Signature,
    /// The caller-saved registers that it leaves alone, as far as its callers know.
    #[cfg(feature = "ch18")]
    pub preserved: RegisterSet,
    pub form: Form,
    pub instructions: Vec<Instruction>,
    /// The kind of each virtual register.
    pub virtual_registers: Vec<RegisterKind>,
    #[cfg(feature = "ch05")]
    pub blocks: Blocks<Register>,
}

/// A basic block of instructions of IA-32.
#[cfg(feature = "ch05")]
pub type Block = blocks::Block<Register>;

/// The stage of the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Selected,
    Allocated,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Instruction {
    pub op: Op,
    /// One for each slot of its row; the rest is `None`.
    pub operands: [Operand; 3],
    /// The number of the node that it was emitted for.
    pub origin: u32,
}

/// A register that an instruction names, and the slot of the operand that it is part of.
#[cfg(feature = "ch02")]
#[derive(Clone, Copy)]
pub struct Named {
    pub register: Register,
    pub slot: OperandConstraint,
}

#[cfg(feature = "ch02")]
impl Named {
    /// Whether it is read, maybe as part of an address.
    pub fn is_read(&self) -> bool {
        self.slot.reads() || self.slot == OperandConstraint::Address
    }
}

impl Code {
    /// Selected code without instructions.
    pub fn new(name: &str) -> Code {
        Code {
            name: name.into(),
            #[cfg(feature = "ch14")]
            signature: Signature::new(1, 1),
            #[cfg(feature = "ch18")]
            preserved: RegisterSet::EMPTY,
            form: Form::Selected,
            instructions: Vec::new(),
            virtual_registers: Vec::new(),
            #[cfg(feature = "ch05")]
            blocks: Blocks::default(),
        }
    }

    /// The Firm node of each instruction; `function` is the number of this function.
    #[cfg(feature = "ch09")]
    pub fn firm_nodes(&self, function: usize) -> impl Iterator<Item = FirmNode> {
        self.instructions.iter().map(move |it| (function, it.origin))
    }

    /// The instructions of each block, or all of them.
    pub fn ranges(&self) -> Vec<Range<usize>> {
        #[cfg(feature = "ch05")]
        if !self.blocks.is_empty() {
            return self.blocks.ids().map(|block| self.range(block)).collect();
        }
        std::iter::once(0..self.instructions.len()).collect()
    }

    /// The instructions of a block.
    #[cfg(feature = "ch05")]
    pub fn range(&self, block: BlockId) -> Range<usize> {
        blocks::range(&self.blocks, block, self.instructions.len())
    }

    /// The successors of a block: the targets of its last instructions, then the next block if
    /// control can fall through.
    #[cfg(feature = "ch05")]
    pub fn successors(&self, block: BlockId) -> impl DoubleEndedIterator<Item = BlockId> + Clone {
        let range = self.range(block);
        let last = &self.instructions[range.end.saturating_sub(2).max(range.start)..range.end];
        let stays = last.last().is_some_and(|it| it.op.ends_block());
        let next = BlockId::from_index(block.index() + 1);
        let next = (!stays && next.index() < self.blocks.len()).then_some(next);
        last.iter().filter_map(Instruction::target).chain(next)
    }

    /// The successors of each block.
    #[cfg(feature = "ch05")]
    pub fn all_successors(&self) -> ListTable<BlockId, BlockId> {
        let mut successors = ListTable::with_capacity(self.blocks.len(), 2 * self.blocks.len());
        self.blocks.ids().for_each(|block| successors.push(self.successors(block)));
        successors
    }

    /// The predecessors of each block, in the order of the blocks.
    #[cfg(feature = "ch05")]
    pub fn predecessors(&self) -> ListTable<BlockId, BlockId> {
        self.all_successors().inverted()
    }

    /// Begins a block outside of loops, without parameters.
    #[cfg(feature = "ch05")]
    pub fn begin_block(&mut self) -> BlockId {
        let first = self.instructions.len() as u32;
        self.blocks.push(Block::new(first, 0))
    }

    /// The number of virtual registers.
    pub fn register_count(&self) -> u32 {
        self.virtual_registers.len() as u32
    }

    /// The kind of a register; none for an unknown virtual one.
    #[cfg(feature = "ch02")]
    pub fn kind(&self, register: Register) -> Option<RegisterKind> {
        match register.virtual_number() {
            Some(number) => self.virtual_registers.get(number as usize).copied(),
            None => Some(register.real_kind()),
        }
    }

    pub fn push(&mut self, op: Op, operands: &[Operand], origin: u32) {
        self.instructions.push(Instruction::new(op, operands, origin));
    }
}

impl Instruction {
    pub fn new(op: Op, operands: &[Operand], origin: u32) -> Instruction {
        let mut all = [Operand::None; 3];
        all[..operands.len()].copy_from_slice(operands);
        Instruction { op, operands: all, origin }
    }

    /// Its name in messages, given its number.
    pub fn place(&self, at: usize) -> String {
        format!("{at}: {self} (node {})", self.origin)
    }

    /// Its operands, each with the slot that it fills.
    pub fn slots(&self) -> impl Iterator<Item = (OperandConstraint, Operand)> {
        let slots = zip(self.op.row().instruction.operands, &self.operands);
        slots.map(|(slot, operand)| (*slot, *operand))
    }

    /// The relation of a conditional jump or `set`.
    #[cfg(feature = "ch04")]
    pub fn condition(&self) -> Option<Relation> {
        self.operands.iter().find_map(|operand| {
            let Operand::Condition(relation) = operand else { return None };
            Some(*relation)
        })
    }

    /// The target of a jump.
    #[cfg(feature = "ch05")]
    pub fn target(&self) -> Option<BlockId> {
        self.operands.iter().find_map(|operand| {
            let Operand::Block(target) = operand else { return None };
            Some(*target)
        })
    }

    /// Its use of the flags. A shift by 0 does not change them.
    #[cfg(feature = "ch04")]
    pub fn flags(&self) -> Flags {
        let shifts = matches!(self.op, Op::Shl | Op::Shr | Op::Sar);
        let by_nothing = matches!(self.operands[1], Operand::Immediate(count) if count & 31 == 0);
        if shifts && by_nothing { Flags::Untouched } else { self.op.row().instruction.flags }
    }

    /// The registers that it reads: named ones, those of addresses, and implicit ones.
    pub fn reads(&self) -> impl Iterator<Item = Register> {
        let named = self.slots().flat_map(|(slot, operand)| operand.reads(slot));
        named.chain(self.implicit_reads())
    }

    /// The registers that it reads or writes.
    pub fn registers(&self) -> impl Iterator<Item = Register> {
        self.reads().chain(self.writes())
    }

    /// The registers that it reads and does not name.
    pub fn implicit_reads(&self) -> impl Iterator<Item = Register> + use<> {
        let numbers = self.op.row().instruction.reads.iter();
        let registers = numbers.map(|&number| Register::from_index(usize::from(number)));
        #[cfg(feature = "ch18")]
        let registers = registers.chain(self.passed_in_registers());
        registers
    }

    /// The registers that it writes, named or implicit.
    pub fn writes(&self) -> impl Iterator<Item = Register> {
        let writes = self.slots().filter_map(|(slot, operand)| operand.written(slot));
        #[cfg(feature = "ch02")]
        let writes = writes.chain(self.implicit_writes());
        writes
    }

    /// The registers that it writes and does not name.
    #[cfg(feature = "ch02")]
    pub fn implicit_writes(&self) -> impl Iterator<Item = Register> + use<> {
        let numbers = self.op.row().instruction.writes.iter();
        let writes = numbers.map(|&number| Register::from_index(usize::from(number)));
        #[cfg(feature = "ch14")]
        let writes = writes.chain(self.clobbers().iter());
        writes
    }

    /// Visits the registers that it names, in written order. Analyses that visit every instruction
    /// need this to be fast.
    #[cfg(feature = "ch02")]
    pub fn for_each_named(&self, mut visit: impl FnMut(Named)) {
        for (&slot, operand) in zip(self.op.row().instruction.operands, &self.operands) {
            match operand {
                Operand::Register(register) => visit(Named { register: *register, slot }),
                Operand::Address(address) => {
                    let [base, index] = address.registers();
                    base.into_iter().for_each(|register| visit(Named { register, slot }));
                    index.into_iter().for_each(|register| visit(Named { register, slot }));
                }
                _ => {}
            }
        }
    }

    /// Renames the registers that it names, in written order.
    pub fn rename(&mut self, mut rename: impl FnMut(OperandConstraint, Register) -> Register) {
        for (slot, operand) in zip(self.op.row().instruction.operands, &mut self.operands) {
            match operand {
                Operand::Register(register) => *register = rename(*slot, *register),
                #[cfg(feature = "ch02")]
                Operand::Address(address) => address.rename(|register| rename(*slot, register)),
                _ => {}
            }
        }
    }
}

/// Sets of real registers. Analyses of allocated code visit every instruction several times, and a
/// set is one word.
#[cfg(feature = "ch02")]
impl Instruction {
    /// The real registers that it reads.
    pub fn real_reads(&self) -> RegisterSet {
        let mut reads = RegisterSet::of_numbers(self.op.row().instruction.reads);
        #[cfg(feature = "ch18")]
        self.passed_in_registers().for_each(|register| reads.insert(register));
        self.for_each_named(|it| {
            if it.is_read() {
                reads.insert_real(it.register);
            }
        });
        reads
    }

    /// Whether an operand names a virtual register.
    pub fn names_virtual(&self) -> bool {
        let mut found = false;
        self.for_each_named(|it| found |= !it.register.is_real());
        found
    }

    /// The real registers that it writes.
    pub fn real_writes(&self) -> RegisterSet {
        let form = &self.op.row().instruction;
        let implicit = RegisterSet::of_numbers(form.writes);
        #[cfg(feature = "ch14")]
        let implicit = implicit.union(self.clobbers());
        let mut writes = implicit;
        for (slot, operand) in zip(form.operands, &self.operands) {
            if let Some(register) = operand.written(*slot) {
                writes.insert_real(register);
            }
        }
        writes
    }
}

/// Floating-point numbers.
#[cfg(feature = "ch12")]
impl Instruction {
    /// The number in the pool that it refers to.
    pub fn constant(&self) -> Option<i64> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Address(address) => address.constant(),
            _ => None,
        })
    }
}

/// Memory.
#[cfg(feature = "ch10")]
impl Instruction {
    /// Whether it accesses memory besides the stack.
    pub fn accesses_heap(&self) -> bool {
        let is_in_heap = |operand: &Operand| match operand {
            #[cfg(feature = "ch12")]
            Operand::Address(address) if address.constant().is_some() => false,
            Operand::Address(address) => !address.is_on_stack(),
            _ => false,
        };
        self.op != Op::Lea && self.operands.iter().any(is_in_heap)
    }
}

/// Calls.
#[cfg(feature = "ch14")]
impl Instruction {
    /// The number of words that a call passes and takes.
    pub fn signature(&self) -> Option<Signature> {
        let Operand::Signature(signature) = self.operands[1] else { return None };
        Some(signature)
    }

    /// The registers of the arguments of a call.
    #[cfg(feature = "ch18")]
    fn passed_in_registers(&self) -> impl Iterator<Item = Register> + use<> {
        self.signature().into_iter().flat_map(argument_registers)
    }

    pub fn is_call(&self) -> bool {
        matches!(self.op.row().instruction.effect, Effect::Calls { .. })
    }

    /// The registers that a call leaves undefined.
    pub fn clobbers(&self) -> RegisterSet {
        let clobbers = RegisterSet::of_numbers(self.op.row().instruction.clobbers());
        #[cfg(feature = "ch18")]
        if let Operand::Preserved(preserved) = self.operands[2] {
            return clobbers.without(preserved);
        }
        clobbers
    }
}

#[cfg(feature = "ch02")]
impl Code {
    /// The number of words that the caller has on the stack for this function.
    pub fn argument_words(&self) -> u32 {
        let words = 1;
        #[cfg(feature = "ch14")]
        let words = words - 1 + stack_words(self.signature);
        words
    }

    /// The argument of a program as the words that its entry has on the stack: those for results
    /// after the first one follow.
    #[cfg(feature = "ch14")]
    pub fn words_of(&self, argument: i64) -> Vec<i64> {
        let mut words = self.signature.words_of(argument);
        words.resize(self.argument_words() as usize, 0);
        words
    }
}

/// The number of words that the calls need.
#[cfg(feature = "ch14")]
pub fn outgoing_words<'i>(instructions: impl Iterator<Item = &'i Instruction>) -> u32 {
    #[cfg(feature = "ch15")]
    let instructions = instructions.filter(|it| it.op != Op::CallNoReturn);
    let calls = instructions.filter_map(Instruction::signature);
    calls.map(stack_words).max().unwrap_or(0)
}

/// The caller's stack has a word for each argument, and after them a word for each result but the
/// first, which is in eax. So a function with several results writes them to memory of its caller.
/// @ch18 If the second one is in edx, it needs no word.
#[cfg(feature = "ch14")]
fn stack_words(signature: Signature) -> u32 {
    signature.on_stack() + signature.results_on_stack()
}

#[cfg(test)]
#[cfg(feature = "ch04")]
#[path = "tests/code.rs"]
mod tests;

//! Frame layout: the addresses of arguments and slots, and the saved registers.
//!
//! From esp upwards: the slots, the saved registers, the return address, the arguments.
#[cfg(feature = "ch05")]
use crate::ia32::code::Block;
#[cfg(feature = "ch14")]
use crate::ia32::code::outgoing_words;
use crate::ia32::code::{Base, Code, Form, Instruction};
use crate::ia32::register::{CALLEE_SAVED, RegisterSet};
use crate::ia32::{Op, Operand, Register};
use crate::live_ranges::stack_slots::StackSlots;

struct Frame {
    /// The offset of each slot from esp.
    offsets: Vec<u32>,
    /// The size of all slots.
    bytes: i32,
    /// The registers that the function writes and must preserve.
    saved: Vec<Register>,
}

#[cfg(feature = "ch04")]
const WORD: i32 = 4;
const ESP: Operand = Operand::Register(Register::ESP);

/// The allocated code of a function with this body. The body is in pieces, so that its memory is
/// free again piece by piece.
pub fn lay_out(mut code: Code, body: Vec<Vec<Instruction>>, slots: &StackSlots) -> Code {
    code.instructions = Vec::new(); // All of them have been copied.
    let instructions = with_frame(body, slots);
    let allocated =
        Code { form: Form::Allocated, instructions, virtual_registers: Vec::new(), ..code };
    #[cfg(feature = "ch05")]
    let allocated = with_blocks(allocated);
    allocated
}

/// Sets the blocks: each ends in its only `jmp` or `ret`.
#[cfg(feature = "ch05")]
fn with_blocks(mut code: Code) -> Code {
    let ends = code.instructions.iter().enumerate();
    let ends = ends.filter(|(_, instruction)| instruction.op.ends_block());
    let firsts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect::<Vec<_>>();
    for (block, first) in code.blocks.ids().zip(firsts) {
        code.blocks[block] = Block::new(first, code.blocks[block].depth);
    }
    code
}

/// Adds prologue and epilogue, and replaces slots by addresses.
fn with_frame(mut body: Vec<Vec<Instruction>>, slots: &StackSlots) -> Vec<Instruction> {
    let (offsets, bytes) = slots.layout();
    let all = || body.iter().flatten();
    #[cfg(feature = "ch14")]
    let (offsets, bytes) = above(outgoing_words(all()), offsets, bytes);
    let written = written(&body);
    let is_written = |it: &Register| written.contains(*it);
    let saved = CALLEE_SAVED.into_iter().filter(is_written).collect();
    let frame = Frame { offsets, bytes: bytes as i32, saved };
    let mut laid_out = Vec::with_capacity(all().count() + 2 * CALLEE_SAVED.len() + 2);
    if let Some(first) = all().next() {
        frame.enter(first.origin, &mut laid_out);
    }
    frame.resolve_all(&mut body);
    for piece in body {
        for part in piece.split_inclusive(|it| it.op.is_return()) {
            let is_return = part.last().is_some_and(|it| it.op.is_return());
            let (before, returned) = part.split_at(part.len() - usize::from(is_return));
            laid_out.extend_from_slice(before);
            returned.iter().for_each(|it| frame.leave(it.origin, &mut laid_out));
            laid_out.extend_from_slice(returned);
        }
    }
    laid_out
}

/// The words of calls are below the slots.
#[cfg(feature = "ch14")]
fn above(words: u32, offsets: Vec<u32>, bytes: u32) -> (Vec<u32>, u32) {
    let below = WORD as u32 * words;
    (offsets.into_iter().map(|offset| below + offset).collect(), below + bytes)
}

/// The registers that the function writes.
/// @ch15 Those before a call that does not return need not be saved.
fn written(body: &[Vec<Instruction>]) -> RegisterSet {
    let mut written = RegisterSet::EMPTY;
    #[cfg(feature = "ch15")]
    let mut returns = true;
    for instruction in body.iter().flatten().rev() {
        #[cfg(feature = "ch15")]
        if instruction.op.ends_block() {
            returns = instruction.op != Op::CallNoReturn;
        }
        #[cfg(feature = "ch15")]
        if !returns {
            continue;
        }
        written = written.union(instruction.real_writes());
    }
    written
}

/// Addresses are as much further from esp as words were `pushed` before: the arguments of a call
/// that does not return.
#[cfg(feature = "ch15")]
fn shift(instruction: &mut Instruction, pushed: &mut i32) {
    for operand in &mut instruction.operands {
        if let Operand::Address(address) = operand
            && address.base() == Base::Register(Register::ESP)
        {
            address.displacement += *pushed;
        }
    }
    if instruction.op.pushes() {
        *pushed += WORD;
    } else if instruction.op == Op::CallNoReturn {
        *pushed = 0;
    }
}

impl Frame {
    fn enter(&self, origin: u32, code: &mut Vec<Instruction>) {
        code.extend(self.saved().map(|register| Instruction::new(Op::Push, &[register], origin)));
        if self.bytes > 0 {
            let size = Operand::Immediate(self.bytes);
            code.push(Instruction::new(Op::SubImmediate, &[ESP, size], origin));
        }
    }

    fn leave(&self, origin: u32, code: &mut Vec<Instruction>) {
        if self.bytes > 0 {
            let size = Operand::Immediate(self.bytes);
            code.push(Instruction::new(Op::AddImmediate, &[ESP, size], origin));
        }
        code.extend(
            self.saved().rev().map(|register| Instruction::new(Op::Pop, &[register], origin)),
        );
    }

    fn saved(&self) -> impl DoubleEndedIterator<Item = Operand> {
        self.saved.iter().copied().map(Operand::Register)
    }

    fn resolve_all(&self, body: &mut [Vec<Instruction>]) {
        #[cfg(feature = "ch15")]
        let mut pushed = 0;
        for instruction in body.iter_mut().flatten() {
            self.resolve(instruction);
            #[cfg(feature = "ch15")]
            shift(instruction, &mut pushed);
        }
    }

    fn resolve(&self, instruction: &mut Instruction) {
        for operand in &mut instruction.operands {
            let Operand::Address(address) = operand else { continue };
            let offset = match address.base() {
                #[cfg(feature = "ch04")]
                Base::None => continue,
                Base::Register(_) => continue,
                #[cfg(feature = "ch12")]
                Base::Constant(_) => continue,
                #[cfg(feature = "ch04")]
                Base::Argument(number) => self.arguments_offset() + WORD * number as i32,
                Base::Slot(number) => self.offsets[number as usize] as i32,
                #[cfg(feature = "ch14")]
                Base::Outgoing(number) => WORD * number as i32,
            };
            address.set_base(Register::ESP);
            address.displacement += offset;
        }
    }

    /// The offset of the arguments from esp.
    #[cfg(feature = "ch04")]
    fn arguments_offset(&self) -> i32 {
        let return_address = 1;
        self.bytes + WORD * (self.saved().count() as i32 + return_address)
    }
}

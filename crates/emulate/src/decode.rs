//! Decodes each instruction once, into a form that is quick to execute.
//!
//! iced-x86 decodes the bytes. The tables here map mnemonics to operations: to add an instruction
//! to the emulator, add a row.
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

use super::arithmetic::{self, Operator};
use super::fault::Fault;
use super::flags::{CONDITIONS, Condition};
use super::float::{self, FloatOperation};
use super::width::Width;
use arena::{Arena, SideTable, id};
use elf::Symbol;
use memory::Memory;

/// An instruction, ready to be executed.
pub struct DecodedInstruction {
    pub operation: Operation,
    /// The width of the first operand.
    pub width: Width,
    pub target: Operand,
    /// The operands after it, as they are written.
    pub source: Operand,
    pub third: Operand,
    /// The inputs: the target and the source, or two sources.
    pub left: Operand,
    pub right: Operand,
    /// The address after it.
    pub next: u32,
}

#[derive(Clone, Copy)]
pub enum Operation {
    Nothing,
    /// Extends a narrower source with zeros.
    Move,
    /// Extends a narrower source with its sign.
    MoveSigned,
    MoveAddress,
    Exchange,
    Combine(Operator),
    /// Writes the flags alone.
    Compare(Operator),
    SetIf(&'static Condition),
    MoveIf(&'static Condition),
    JumpIf(&'static Condition),
    Jump,
    Call,
    Return,
    Push,
    Pop,
    /// Releases the frame that starts at ebp: esp = ebp, then pops ebp.
    Leave,
    /// Fills edx with the sign of eax.
    ExtendSign,
    /// edx:eax from eax.
    MultiplyWide {
        signed: bool,
    },
    /// The first operand is shifted, and the bits that are shifted in are those of the second one.
    ShiftPair {
        left: bool,
    },
    /// The number of the highest bit that is set.
    HighestBit,
    /// eax and edx from edx:eax.
    DivideWide {
        signed: bool,
    },
    Interrupt,
    Float(FloatOperation),
}

#[derive(Clone, Copy)]
pub enum Operand {
    Immediate(u32),
    Register {
        number: u8,
        /// 8 for ah, ch, dh and bh, else 0.
        shift: u8,
        width: Width,
    },
    Memory {
        address: Address,
        width: Width,
    },
    /// A register for floats.
    Float {
        number: u8,
    },
}

/// base + index * scale + displacement.
#[derive(Clone, Copy)]
pub struct Address {
    pub base: u8,
    pub index: u8,
    pub scale: u8,
    pub displacement: u32,
}

/// The numbers of registers, as instructions encode them.
pub const EAX: usize = 0;
pub const ECX: usize = 1;
pub const EDX: usize = 2;
pub const EBX: usize = 3;
pub const ESP: usize = 4;
pub const EBP: usize = 5;
pub const ESI: usize = 6;
pub const EDI: usize = 7;
/// A register that always holds 0, for addresses without base or index.
pub const NONE: usize = 8;

type Row = (Mnemonic, u32, Operation);

/// Instructions for any width of operands, by mnemonic and number of operands.
const ANY_WIDTH: &[Row] = {
    use Mnemonic::*;
    &[
        (Mov, 2, Operation::Move),
        (Movzx, 2, Operation::Move),
        (Movsx, 2, Operation::MoveSigned),
        (Lea, 2, Operation::MoveAddress),
        (Xchg, 2, Operation::Exchange),
        (Add, 2, Operation::Combine(arithmetic::add)),
        (Adc, 2, Operation::Combine(arithmetic::add_with_carry)),
        (Sub, 2, Operation::Combine(arithmetic::subtract)),
        (Sbb, 2, Operation::Combine(arithmetic::subtract_with_borrow)),
        (Cmp, 2, Operation::Compare(arithmetic::subtract)),
        (And, 2, Operation::Combine(arithmetic::and)),
        (Or, 2, Operation::Combine(arithmetic::or)),
        (Xor, 2, Operation::Combine(arithmetic::xor)),
        (Test, 2, Operation::Compare(arithmetic::and)),
        (Inc, 1, Operation::Combine(arithmetic::increment)),
        (Dec, 1, Operation::Combine(arithmetic::decrement)),
        (Neg, 1, Operation::Combine(arithmetic::negate)),
        (Not, 1, Operation::Combine(arithmetic::complement)),
        (Shl, 2, Operation::Combine(arithmetic::shift_left)),
        (Shr, 2, Operation::Combine(arithmetic::shift_right)),
        (Sar, 2, Operation::Combine(arithmetic::shift_right_signed)),
        (Rol, 2, Operation::Combine(arithmetic::rotate_left)),
        (Ror, 2, Operation::Combine(arithmetic::rotate_right)),
        (Imul, 2, Operation::Combine(arithmetic::multiply)),
        (Imul, 3, Operation::Combine(arithmetic::multiply)),
        (Nop, 0, Operation::Nothing),
        (Nop, 1, Operation::Nothing),
    ]
};

/// Instructions that are emulated for operands of 32 bits only.
const WORDS_ONLY: &[Row] = {
    use Mnemonic::*;
    &[
        (Push, 1, Operation::Push),
        (Pop, 1, Operation::Pop),
        (Leave, 0, Operation::Leave),
        (Call, 1, Operation::Call),
        (Ret, 0, Operation::Return),
        (Ret, 1, Operation::Return),
        (Jmp, 1, Operation::Jump),
        (Cdq, 0, Operation::ExtendSign),
        (Imul, 1, Operation::MultiplyWide { signed: true }),
        (Mul, 1, Operation::MultiplyWide { signed: false }),
        (Idiv, 1, Operation::DivideWide { signed: true }),
        (Div, 1, Operation::DivideWide { signed: false }),
        (Shld, 3, Operation::ShiftPair { left: true }),
        (Shrd, 3, Operation::ShiftPair { left: false }),
        (Bsr, 2, Operation::HighestBit),
        (Int, 1, Operation::Interrupt),
    ]
};

id! {
    /// One decoded instruction of the text.
    InstructionId
}

/// The text segment, and the instructions that were decoded.
pub struct Text {
    start: u32,
    ids: Vec<Option<InstructionId>>,
    decoded: Arena<InstructionId, DecodedInstruction>,
    /// The number of times each was executed.
    counts: SideTable<InstructionId, u64>,
}

impl Text {
    pub fn new(start: u32, size: usize) -> Text {
        let (decoded, counts) = (Arena::default(), SideTable::new(0));
        Text { start, ids: vec![None; size], decoded, counts }
    }

    /// How often the instruction at each address was executed.
    pub fn counts(&self) -> impl Iterator<Item = (u32, u64)> {
        let addresses = (self.start..).zip(&self.ids);
        addresses.filter_map(|(address, id)| Some((address, self.counts[(*id)?])))
    }

    /// The number of executed instructions of a function.
    pub fn executed(&self, function: &Symbol) -> u64 {
        let first = function.address.wrapping_sub(self.start) as usize;
        let ids = self.ids.iter().skip(first).take(function.size as usize);
        ids.flatten().map(|&id| self.counts[id]).sum()
    }

    /// The instruction at `address`, which is executed next. `memory` holds the bytes of the text,
    /// which do not change.
    pub fn instruction(
        &mut self,
        address: u32,
        memory: &Memory,
    ) -> Result<&DecodedInstruction, Fault> {
        let offset = address.wrapping_sub(self.start) as usize;
        match self.ids.get(offset) {
            Some(&Some(id)) => {
                self.counts[id] += 1;
                Ok(&self.decoded[id])
            }
            Some(None) => {
                let left = (self.ids.len() - offset) as u32;
                let bytes = memory.bytes(address, left.min(MAX_LENGTH))?;
                let id = self.decoded.push(decode(&bytes, address)?);
                self.ids[offset] = Some(id);
                self.counts[id] = 1;
                Ok(&self.decoded[id])
            }
            None => Err(Fault::OutsideText(address)),
        }
    }
}

/// The width of a whole register.
const WORD: Width = Width(32);
/// The maximal length of an instruction, in bytes.
const MAX_LENGTH: u32 = 15;

/// The instruction at the beginning of `bytes`, which are at `address`.
fn decode(bytes: &[u8], address: u32) -> Result<DecodedInstruction, Fault> {
    let mut decoder = Decoder::with_ip(32, bytes, address.into(), DecoderOptions::NONE);
    let instruction = decoder.decode();
    let bytes = &bytes[..instruction.len()];
    if matches!(instruction.mnemonic(), Mnemonic::INVALID | Mnemonic::Ud2) {
        return Err(Fault::UndefinedInstruction(bytes.into()));
    }
    translate(&instruction).ok_or_else(|| Fault::UnknownInstruction(bytes.into()))
}

/// `None` if it is not emulated.
fn translate(instruction: &Instruction) -> Option<DecodedInstruction> {
    let mut operands = [Operand::Immediate(0); 3];
    let count = instruction.op_count();
    for at in 0..count {
        *operands.get_mut(at as usize)? = operand(instruction, at)?;
    }
    let width = operands[0].width();
    for operand in &mut operands {
        if let Operand::Immediate(value) = operand {
            *value = if width.0 < 32 { width.truncate(*value) } else { *value };
        }
    }
    let operation = match float_operation(instruction, &operands) {
        Some(operation) => Operation::Float(operation),
        None => operation(instruction, width)?,
    };
    let [target, second, third] = operands;
    let (left, right) = if count == 3 { (second, third) } else { (target, second) };
    Some(DecodedInstruction {
        operation,
        width,
        target,
        source: second,
        third,
        left,
        right,
        next: instruction.next_ip32(),
    })
}

/// The operation, if it is one on floats.
fn float_operation(instruction: &Instruction, operands: &[Operand; 3]) -> Option<FloatOperation> {
    let (mnemonic, count) = (instruction.mnemonic(), instruction.op_count());
    let mut rows = float::ROWS.iter().filter(|row| row.0 == mnemonic).map(|row| row.1);
    rows.find(|operation| float::fits(*operation, operands, count))
}

fn operation(instruction: &Instruction, width: Width) -> Option<Operation> {
    let (mnemonic, count) = (instruction.mnemonic(), instruction.op_count());
    let row = |rows: &[Row]| {
        let row = rows.iter().find(|row| (row.0, row.1) == (mnemonic, count));
        row.map(|row| row.2)
    };
    let words = width == WORD && instruction.stack_pointer_increment() % 4 == 0;
    row(ANY_WIDTH)
        .or_else(|| row(WORDS_ONLY).filter(|_| words))
        .or_else(|| CONDITIONS.iter().find_map(|condition| conditional(condition, mnemonic)))
}

fn conditional(condition: &'static Condition, mnemonic: Mnemonic) -> Option<Operation> {
    let rows = [
        (condition.jump, Operation::JumpIf(condition)),
        (condition.set, Operation::SetIf(condition)),
        (condition.copy, Operation::MoveIf(condition)),
    ];
    rows.iter().find(|row| row.0 == mnemonic).map(|row| row.1)
}

fn operand(instruction: &Instruction, at: u32) -> Option<Operand> {
    match instruction.op_kind(at) {
        OpKind::Register => register(instruction.op_register(at)),
        OpKind::Memory => memory(instruction),
        OpKind::NearBranch32 => Some(Operand::Immediate(instruction.near_branch32())),
        // All other kinds, e.g. far branches, strings and segments.
        _ => instruction.try_immediate(at).ok().map(|value| Operand::Immediate(value as u32)),
    }
}

fn register(register: Register) -> Option<Operand> {
    let number = register.number() as u8;
    if register.is_xmm() {
        return Some(Operand::Float { number });
    }
    let (number, shift, width) = match register.size() {
        _ if !register.is_gpr() => return None,
        1 if number >= 4 => (number - 4, 8, Width(8)), // ah, ch, dh, bh
        size => (number, 0, Width(8 * size as u32)),
    };
    Some(Operand::Register { number, shift, width })
}

fn memory(instruction: &Instruction) -> Option<Operand> {
    let size = match instruction.memory_size().size() {
        0 if instruction.mnemonic() == Mnemonic::Lea => 4,
        size @ (1 | 2 | 4 | 8) => size as u32,
        _ => return None,
    };
    if instruction.has_segment_prefix() {
        return None;
    }
    let address = Address {
        base: address_register(instruction.memory_base())?,
        index: address_register(instruction.memory_index())?,
        scale: instruction.memory_index_scale() as u8,
        displacement: instruction.memory_displacement32(),
    };
    Some(Operand::Memory { address, width: Width(8 * size) })
}

/// A base or index register.
fn address_register(register: Register) -> Option<u8> {
    match register {
        Register::None => Some(NONE as u8),
        _ => register.is_gpr32().then(|| register.number() as u8),
    }
}

impl Operand {
    /// An immediate operand has the width of the operand before it, or 32 bits if it is alone.
    pub fn width(&self) -> Width {
        match self {
            Operand::Immediate(_) | Operand::Float { .. } => WORD,
            Operand::Register { width, .. } | Operand::Memory { width, .. } => *width,
        }
    }
}

/// Every instruction that is emulated.
#[cfg(test)]
pub fn mnemonics() -> Vec<Mnemonic> {
    let rows = ANY_WIDTH.iter().chain(WORDS_ONLY).map(|row| row.0);
    rows.chain(CONDITIONS.iter().flat_map(|it| [it.jump, it.set, it.copy])).collect()
}

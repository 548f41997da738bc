//! Turns bytes into steps that are quick to execute, each address once.
//!
//! iced-x86 knows how instructions are encoded. What they do is said in the tables here: to teach
//! the emulator an instruction, add a row.
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

use super::arithmetic::{self as mean, Operator};
use super::fault::Fault;
use super::flags::{CONDITIONS, Condition};
use super::memory::Memory;
use crate::arith::Width;
use crate::base::ids::{Arena, SideTable, id};
use crate::elf::Symbol;

/// An instruction, ready to be executed.
pub struct Step {
    pub does: Does,
    /// The width of the first operand.
    pub width: Width,
    pub target: Operand,
    /// The operands that are computed with: the target and the source, or two sources.
    pub left: Operand,
    pub right: Operand,
    /// The address of the instruction behind it.
    pub next: u32,
}

#[derive(Clone, Copy)]
pub enum Does {
    Nothing,
    /// Fills with zeros what the source does not have.
    Move,
    /// Fills with the sign.
    MoveSigned,
    MoveAddress,
    Exchange,
    Combine(Operator),
    /// Combines for the flags alone.
    Compare(Operator),
    SetIf(&'static Condition),
    MoveIf(&'static Condition),
    JumpIf(&'static Condition),
    Jump,
    Call,
    Return,
    Push,
    Pop,
    /// edx takes the sign of eax.
    ExtendSign,
    /// edx:eax from eax.
    MultiplyWide {
        signed: bool,
    },
    /// eax and edx from edx:eax.
    DivideWide {
        signed: bool,
    },
    Interrupt,
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

type Row = (Mnemonic, u32, Does);

/// Instructions for any width of operands, by mnemonic and number of operands.
const ANY_WIDTH: &[Row] = {
    use Mnemonic::*;
    &[
        (Mov, 2, Does::Move),
        (Movzx, 2, Does::Move),
        (Movsx, 2, Does::MoveSigned),
        (Lea, 2, Does::MoveAddress),
        (Xchg, 2, Does::Exchange),
        (Add, 2, Does::Combine(mean::add)),
        (Adc, 2, Does::Combine(mean::add_with_carry)),
        (Sub, 2, Does::Combine(mean::subtract)),
        (Sbb, 2, Does::Combine(mean::subtract_with_borrow)),
        (Cmp, 2, Does::Compare(mean::subtract)),
        (And, 2, Does::Combine(mean::and)),
        (Or, 2, Does::Combine(mean::or)),
        (Xor, 2, Does::Combine(mean::xor)),
        (Test, 2, Does::Compare(mean::and)),
        (Inc, 1, Does::Combine(mean::increment)),
        (Dec, 1, Does::Combine(mean::decrement)),
        (Neg, 1, Does::Combine(mean::negate)),
        (Not, 1, Does::Combine(mean::complement)),
        (Shl, 2, Does::Combine(mean::shift_left)),
        (Shr, 2, Does::Combine(mean::shift_right)),
        (Sar, 2, Does::Combine(mean::shift_right_signed)),
        (Imul, 2, Does::Combine(mean::multiply)),
        (Imul, 3, Does::Combine(mean::multiply)),
        (Nop, 0, Does::Nothing),
        (Nop, 1, Does::Nothing),
    ]
};

/// Instructions that are emulated for operands of 32 bits only.
const WORDS_ONLY: &[Row] = {
    use Mnemonic::*;
    &[
        (Push, 1, Does::Push),
        (Pop, 1, Does::Pop),
        (Call, 1, Does::Call),
        (Ret, 0, Does::Return),
        (Ret, 1, Does::Return),
        (Jmp, 1, Does::Jump),
        (Cdq, 0, Does::ExtendSign),
        (Imul, 1, Does::MultiplyWide { signed: true }),
        (Mul, 1, Does::MultiplyWide { signed: false }),
        (Idiv, 1, Does::DivideWide { signed: true }),
        (Div, 1, Does::DivideWide { signed: false }),
        (Int, 1, Does::Interrupt),
    ]
};

id! {
    /// One decoded instruction of the text.
    StepId
}

/// The text segment, and the steps of those of its addresses that were reached.
pub struct Text {
    start: u32,
    ids: Vec<Option<StepId>>,
    steps: Arena<StepId, Step>,
    /// How often each step was asked for.
    counts: SideTable<StepId, u64>,
}

impl Text {
    pub fn new(start: u32, size: usize) -> Text {
        let (steps, counts) = (Arena::default(), SideTable::new(0));
        Text { start, ids: vec![None; size], steps, counts }
    }

    /// How many instructions of a function were executed.
    pub fn executed(&self, function: &Symbol) -> u64 {
        let first = function.address.wrapping_sub(self.start) as usize;
        let ids = self.ids.iter().skip(first).take(function.size as usize);
        ids.flatten().map(|&id| self.counts[id]).sum()
    }

    /// The step at `address`. `memory` holds the bytes of the text, which never change.
    pub fn step(&mut self, address: u32, memory: &Memory) -> Result<&Step, Fault> {
        let offset = address.wrapping_sub(self.start) as usize;
        match self.ids.get(offset) {
            Some(&Some(id)) => {
                self.counts[id] += 1;
                Ok(&self.steps[id])
            }
            Some(None) => {
                let left = (self.ids.len() - offset) as u32;
                let bytes = memory.bytes(address, left.min(LONGEST))?;
                let id = self.steps.push(decode(bytes, address)?);
                self.ids[offset] = Some(id);
                self.counts[id] = 1;
                Ok(&self.steps[id])
            }
            None => Err(Fault::OutsideText(address)),
        }
    }
}

/// The width of a whole register.
const WORD: Width = Width(32);
/// No instruction has more bytes.
const LONGEST: u32 = 15;

/// The instruction at the beginning of `bytes`, which stand at `address`.
fn decode(bytes: &[u8], address: u32) -> Result<Step, Fault> {
    let mut decoder = Decoder::with_ip(32, bytes, address.into(), DecoderOptions::NONE);
    let instruction = decoder.decode();
    let bytes = &bytes[..instruction.len()];
    if matches!(instruction.mnemonic(), Mnemonic::INVALID | Mnemonic::Ud2) {
        return Err(Fault::UndefinedInstruction(bytes.into()));
    }
    step(&instruction).ok_or_else(|| Fault::UnknownInstruction(bytes.into()))
}

/// `None` for what is not emulated.
fn step(instruction: &Instruction) -> Option<Step> {
    let mut operands = [Operand::Immediate(0); 3];
    let count = instruction.op_count();
    for at in 0..count {
        *operands.get_mut(at as usize)? = operand(instruction, at)?;
    }
    let width = operands[0].width();
    for operand in &mut operands {
        if let Operand::Immediate(value) = operand {
            *value = mean::cut(width, *value);
        }
    }
    let does = does(instruction, width)?;
    let [target, second, third] = operands;
    let (left, right) = if count == 3 { (second, third) } else { (target, second) };
    Some(Step { does, width, target, left, right, next: instruction.next_ip32() })
}

fn does(instruction: &Instruction, width: Width) -> Option<Does> {
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

fn conditional(condition: &'static Condition, mnemonic: Mnemonic) -> Option<Does> {
    let rows = [
        (condition.jump, Does::JumpIf(condition)),
        (condition.set, Does::SetIf(condition)),
        (condition.copy, Does::MoveIf(condition)),
    ];
    rows.iter().find(|row| row.0 == mnemonic).map(|row| row.1)
}

fn operand(instruction: &Instruction, at: u32) -> Option<Operand> {
    match instruction.op_kind(at) {
        OpKind::Register => register(instruction.op_register(at)),
        OpKind::Memory => memory(instruction),
        OpKind::NearBranch32 => Some(Operand::Immediate(instruction.near_branch32())),
        // Far branches, strings, segments, and whatever else there is.
        _ => instruction.try_immediate(at).ok().map(|value| Operand::Immediate(value as u32)),
    }
}

fn register(register: Register) -> Option<Operand> {
    let number = register.number() as u8;
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
        size @ (1 | 2 | 4) => size as u32,
        _ => return None,
    };
    if instruction.has_segment_prefix() {
        return None;
    }
    let address = Address {
        base: part(instruction.memory_base())?,
        index: part(instruction.memory_index())?,
        scale: instruction.memory_index_scale() as u8,
        displacement: instruction.memory_displacement32(),
    };
    Some(Operand::Memory { address, width: Width(8 * size) })
}

/// A register of an address.
fn part(register: Register) -> Option<u8> {
    match register {
        Register::None => Some(NONE as u8),
        _ => register.is_gpr32().then(|| register.number() as u8),
    }
}

impl Operand {
    /// Immediate operands are as wide as the instruction needs them; standing alone, as words.
    pub fn width(&self) -> Width {
        match self {
            Operand::Immediate(_) => WORD,
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

//! The regions of a block in which instructions name real registers.
//!
//! A region begins with copies of values into real registers and ends with copies of results from
//! them. In its core, between the two, no other value is in any of its registers. All values are
//! copied in parallel at its start, so there each may get another register.
use crate::ia32::code::{Code, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Operand, Register};
use std::ops::Range;

pub struct Region {
    /// Its instructions, and those of its core.
    pub all: Range<usize>,
    pub core: Range<usize>,
    /// The real registers that it reads and writes.
    pub fixed: RegisterSet,
}

/// The regions among some instructions, in their order.
pub fn find(code: &Code, range: Range<usize>) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut live = RegisterSet::EMPTY;
    let (mut end, mut fixed) = (None, RegisterSet::EMPTY);
    #[cfg(feature = "ch18")]
    let start = range.start;
    for at in range.rev() {
        let instruction = &code.instructions[at];
        let [reads, writes] = [real_reads(instruction), real_writes(instruction)];
        fixed = fixed.union(reads).union(writes);
        if fixed == RegisterSet::EMPTY {
            continue;
        }
        let end_or_here = *end.get_or_insert(at + 1);
        live = live.without(writes).union(reads);
        if live == RegisterSet::EMPTY {
            regions.push(region(code, at..end_or_here, fixed));
            (end, fixed) = (None, RegisterSet::EMPTY);
        }
    }
    // The caller has written the registers that are live at the entry.
    #[cfg(feature = "ch18")]
    if let Some(end) = end {
        regions.push(region(code, start..end, fixed));
    }
    regions.reverse();
    regions
}

fn region(code: &Code, all: Range<usize>, fixed: RegisterSet) -> Region {
    let instructions = &code.instructions[all.clone()];
    let entry = instructions.iter().take_while(|it| is_copy(it, 0)).count();
    let exit = instructions[entry..].iter().rev().take_while(|it| is_copy(it, 1)).count();
    let core = all.start + entry..all.end - exit;
    Region { all, core, fixed }
}

/// Whether an instruction copies a value to a real register, or from one; `real` is the operand
/// that is real.
fn is_copy(instruction: &Instruction, real: usize) -> bool {
    let is = |at: usize| match instruction.operands[at] {
        Operand::Register(register) => Some(register.is_real()),
        _ => None,
    };
    instruction.op.is_copy() && is(real) == Some(true) && is(1 - real) == Some(false)
}

/// The real registers that an instruction reads, without the stack pointer.
fn real_reads(instruction: &Instruction) -> RegisterSet {
    instruction.real_reads().without(STACK_POINTER)
}

/// The real registers that it writes, without the stack pointer.
pub fn real_writes(instruction: &Instruction) -> RegisterSet {
    instruction.real_writes().without(STACK_POINTER)
}

const STACK_POINTER: RegisterSet = RegisterSet::EMPTY.with(Register::ESP);

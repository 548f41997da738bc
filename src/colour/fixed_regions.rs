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
    let mut end = None;
    for at in range.rev() {
        let instruction = &code.instructions[at];
        let mut named = reals(instruction.reads()).chain(reals(instruction.writes()));
        if named.next().is_some() {
            end.get_or_insert(at + 1);
        }
        reals(instruction.writes()).for_each(|it| live.remove(it));
        reals(instruction.reads()).for_each(|it| live.insert(it));
        if live == RegisterSet::EMPTY
            && let Some(end) = end.take()
        {
            regions.push(region(code, at..end));
        }
    }
    regions.reverse();
    regions
}

fn region(code: &Code, all: Range<usize>) -> Region {
    let mut fixed = RegisterSet::EMPTY;
    for instruction in &code.instructions[all.clone()] {
        reals(instruction.reads()).for_each(|it| fixed.insert(it));
        reals(instruction.writes()).for_each(|it| fixed.insert(it));
    }
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

/// The real registers among some registers, without the stack pointer.
pub fn reals(registers: impl Iterator<Item = Register>) -> impl Iterator<Item = Register> {
    registers.filter(|it| it.is_real() && *it != Register::ESP)
}

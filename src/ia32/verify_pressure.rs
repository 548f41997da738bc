//! `registers-left`: the real registers that are not occupied by the code itself suffice for the
//! virtual registers of each instruction.
use crate::ia32::code::{Code, Instruction, Operand};
use crate::ia32::register::{NAMES, Register, RegisterSet};
use crate::target::OperandConstraint;
use crate::target::report::Report;
use arena::SideTable;
use std::collections::BTreeSet;

/// Real registers are not live across blocks, so each block is scanned alone, backwards.
pub fn registers_left(code: &Code, report: &mut Report) {
    // Unknown registers are violations of `numbered`.
    let mut registers = code.instructions.iter().flat_map(Instruction::registers);
    if registers.any(|register| code.kind(register).is_none()) {
        return;
    }
    let allowed = allowed(code);
    for range in code.ranges() {
        let mut live = RegisterSet::EMPTY;
        for at in range.rev() {
            let instruction = &code.instructions[at];
            if !has_free_registers(instruction, &mut live, &allowed) {
                report.fail(
                    "registers-left",
                    instruction.place(at),
                    "too few registers are left for its operands",
                );
            }
        }
    }
}

/// Whether the operands of an instruction can have registers; `live` are the live real registers,
/// first those after the instruction and then those before it.
fn has_free_registers(
    instruction: &Instruction,
    live: &mut RegisterSet,
    allowed: &SideTable<Register, RegisterSet>,
) -> bool {
    let left = |live: RegisterSet, register: Register| {
        allowed[register].iter().filter(|it| !live.contains(*it)).count()
    };
    let mut busy = *live;
    instruction.writes().filter(|it| it.is_real()).for_each(|it| busy.insert(it));
    let mut writes = instruction.writes().filter(|it| !it.is_real());
    let may_write = writes.all(|it| left(busy, it) > 0);
    instruction.writes().filter(|it| it.is_real()).for_each(|it| live.remove(it));
    instruction.reads().filter(|it| it.is_real()).for_each(|it| live.insert(it));
    let reads: BTreeSet<Register> = instruction.reads().filter(|it| !it.is_real()).collect();
    may_write && reads.iter().all(|&it| left(*live, it) >= reads.len())
}

/// The real registers that all uses of a virtual register permit.
fn allowed(code: &Code) -> SideTable<Register, RegisterSet> {
    let real = [RegisterSet::EMPTY; NAMES.len()];
    let classes = code.virtual_registers.iter().map(|kind| RegisterSet::allocatable(kind.class));
    let mut allowed = SideTable::of(real.into_iter().chain(classes).collect());
    for (slot, operand) in code.instructions.iter().flat_map(Instruction::slots) {
        if let (OperandConstraint::Register(_, class), Operand::Register(register)) =
            (slot, operand)
        {
            allowed[register] = allowed[register].intersect(RegisterSet::of(class));
        }
    }
    allowed
}

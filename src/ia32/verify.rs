//! The invariants of code.
//!
//! Both forms:
//! * `operands-fit`: each operand is of its slot's kind, a real register of its slot's class;
//! * `addresses-exist`: an address has a base or an index; the index is not esp, its scale is
//!   1, 2, 4 or 8;
//! * `blocks-fit`: each instruction is in one block, no block is empty, and jumps lead to blocks;
//! * `terminator-last`: a block ends with a jump or `ret`, and has none before; in allocated code
//!   it may also continue with the block that follows;
//! * `block-arguments`: a block has as many arguments as its only successor has parameters;
//! * `definite-assignment`: a register is written on every path before it is read;
//! * `flags-defined`: where a condition is read, the flags tell it on every way there.
//!
//! Selected code:
//! * `numbered`: there are as many virtual registers as the code says;
//! * `registers-left`: real registers that hold something leave enough of them for the virtual ones
//!   that an instruction names;
//! * `parameters`: values arrive with control only where several ways meet;
//! * `critical`: where several ways meet, none of them comes from a block that leads two ways;
//! * `stack-untouched`: nothing names esp, pushes, pops, knows of a frame or writes to an argument;
//! * `ordered`: a block stands behind one that leads to it, and jumps back lead to blocks that
//!   control has passed on every way there;
//! * `contiguous-loops`: control comes through the head of a loop to all that stands between it and
//!   the last jump back;
//! * `single-definition`: a virtual register is written in one block only;
//! * `dominated`: it is read only where control has passed that block on every way there.
//!
//! Allocated code:
//! * `real-only`: no virtual register is left;
//! * `laid-out`: no address names an argument or a slot;
//! * `stack-written`: words of the stack are read after they were written;
//! * `stack-balanced`: only `push`, `pop` and constants move esp, and `ret` finds it in place;
//! * `callee-saved`: `ret` finds ebx, ebp, esi and edi as they were at entry.
use crate::ia32::abstract_state::AbstractState;
use crate::ia32::code::{Code, Form, Operand};
#[cfg(feature = "ch05")]
use crate::ia32::dataflow;
use crate::ia32::instruction::Op;
#[cfg(feature = "ch02")]
use crate::ia32::pressure;
use crate::ia32::register::Register;
use crate::ia32::report::{Report, registers};
#[cfg(feature = "ch02")]
use crate::ia32::stack_initialization;
#[cfg(feature = "ch05")]
use crate::ia32::verify_blocks;
#[cfg(feature = "ch02")]
use crate::ia32::verify_stack;
use crate::rules::target::{OperandConstraint, RegisterConstraint};
use crate::stage::Violation;
use arena::SideTable;

/// Every broken invariant of the code's form.
pub fn verify(code: &Code) -> Vec<Violation> {
    let mut report = Report::default();
    for check in FIRST {
        check(code, &mut report);
        if report.count() > 0 {
            return report.0;
        }
    }
    let own = match code.form {
        Form::Selected => SELECTED,
        Form::Allocated => ALLOCATED,
    };
    own.iter().for_each(|check| check(code, &mut report));
    report.0
}

type Check = fn(&Code, &mut Report);

/// The other checks rely on these.
const FIRST: &[Check] = &[
    operands_fit,
    #[cfg(feature = "ch05")]
    verify_blocks::blocks_fit,
    leaves_last,
    #[cfg(feature = "ch05")]
    verify_blocks::jumps_last,
    #[cfg(feature = "ch02")]
    verify_stack::addresses_exist,
];

const SELECTED: &[Check] = &[
    virtual_written_before_read,
    |code, report| follow(code, &entry_states(code), report),
    numbered,
    #[cfg(feature = "ch02")]
    pressure::registers_left,
    #[cfg(feature = "ch02")]
    verify_stack::stack_untouched,
    #[cfg(feature = "ch05")]
    verify_blocks::handed_over,
    #[cfg(feature = "ch05")]
    verify_blocks::joins,
    #[cfg(feature = "ch05")]
    verify_blocks::single_assignment,
];

const ALLOCATED: &[Check] = &[
    assigned,
    real_only,
    #[cfg(feature = "ch02")]
    verify_stack::laid_out,
    #[cfg(feature = "ch05")]
    verify_blocks::handed_over,
];

fn operands_fit(code: &Code, report: &mut Report) {
    for (at, instruction) in code.instructions.iter().enumerate() {
        let slots = instruction.op.row().instruction.operands.len();
        let rest = instruction.operands[slots..].iter().all(|operand| *operand == Operand::None);
        if !rest || !instruction.slots().all(|(slot, operand)| fits(slot, operand)) {
            report.fail("operands-fit", at, instruction, "an operand does not fit its slot");
        }
    }
}

fn fits(slot: OperandConstraint, operand: Operand) -> bool {
    match slot {
        OperandConstraint::Register(_, RegisterConstraint::Any) => {
            matches!(operand, Operand::Register(_))
        }
        #[cfg(feature = "ch04")]
        OperandConstraint::Register(_, RegisterConstraint::Byte) => {
            let Operand::Register(register) = operand else { return false };
            !register.is_real() || register.byte_name().is_some()
        }
        OperandConstraint::Immediate => matches!(operand, Operand::Immediate(_)),
        #[cfg(feature = "ch02")]
        OperandConstraint::Address => matches!(operand, Operand::Address(_)),
        #[cfg(feature = "ch04")]
        OperandConstraint::Condition => matches!(operand, Operand::Condition(_)),
        #[cfg(feature = "ch05")]
        OperandConstraint::Block => matches!(operand, Operand::Block(_)),
        #[cfg(feature = "ch25")]
        OperandConstraint::Symbol => false,
    }
}

/// What control does not pass.
const LEAVES: &[Op] = &[
    Op::Ret,
    #[cfg(feature = "ch05")]
    Op::Jmp,
];

fn leaves_last(code: &Code, report: &mut Report) {
    let ranges = code.ranges();
    let blocks = ranges.len();
    for (number, range) in ranges.into_iter().enumerate() {
        if range.is_empty() {
            report.fail_anywhere("terminator-last", "no instruction".into());
        }
        let may_pass = code.form == Form::Allocated && number + 1 < blocks;
        for at in range.clone() {
            let instruction = &code.instructions[at];
            let (leaves, last) = (LEAVES.contains(&instruction.op), at + 1 == range.end);
            if leaves && !last {
                report.fail("terminator-last", at, instruction, "nothing can follow");
            } else if last && !leaves && !may_pass {
                report.fail("terminator-last", at, instruction, "control has nowhere to go on");
            }
        }
    }
}

/// Instructions stand behind those whose results they read. What blocks hand over is written
/// where it arrives.
fn virtual_written_before_read(code: &Code, report: &mut Report) {
    let mut written = SideTable::<Register, bool>::new(0);
    #[cfg(feature = "ch05")]
    for id in code.blocks.ids() {
        code.blocks[id].parameters.iter().for_each(|&parameter| written[parameter] = true);
    }
    for (at, instruction) in code.instructions.iter().enumerate() {
        let read = instruction.reads().filter(|register| !register.is_real());
        for register in read.filter(|register| !written[*register]) {
            let what = format!("{register} was never written");
            report.fail("definite-assignment", at, instruction, &what);
        }
        for register in instruction.writes() {
            written[register] = true;
        }
    }
}

/// Registers and words of the stack are written before they are read.
fn assigned(code: &Code, report: &mut Report) {
    let states = entry_states(code);
    follow(code, &states, report);
    #[cfg(feature = "ch02")]
    stack_initialization::words_written(code, &states, report);
}

/// The state at the begin of each block.
fn entry_states(code: &Code) -> Vec<Option<AbstractState>> {
    #[cfg(feature = "ch05")]
    if !code.blocks.is_empty() {
        return dataflow::entry_states(code);
    }
    vec![Some(AbstractState::entry(code.form))]
}

/// Follows control through each block; what is broken first is reported.
fn follow(code: &Code, states: &[Option<AbstractState>], report: &mut Report) {
    for (range, state) in code.ranges().into_iter().zip(states) {
        let Some(mut state) = *state else { continue };
        for at in range {
            let instruction = &code.instructions[at];
            if let Err((invariant, what)) = state.step(instruction) {
                report.fail(invariant, at, instruction, &what);
                break;
            }
        }
    }
}

fn numbered(code: &Code, report: &mut Report) {
    let known = |register: Register| register.virtual_number() < Some(code.virtuals);
    for (at, instruction) in code.instructions.iter().enumerate() {
        if !registers(instruction).all(known) {
            report.fail("numbered", at, instruction, "an unknown virtual register");
        }
    }
}

fn real_only(code: &Code, report: &mut Report) {
    for (at, instruction) in code.instructions.iter().enumerate() {
        if !registers(instruction).all(Register::is_real) {
            report.fail("real-only", at, instruction, "a virtual register is left");
        }
    }
}

#[cfg(test)]
#[cfg(feature = "ch04")]
#[path = "tests/verify.rs"]
mod tests;

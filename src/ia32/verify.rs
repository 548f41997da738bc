//! The invariants of code.
//!
//! Both forms:
//! @ch01-03 * `operands-fit`: each operand is of its slot's kind;
//! @ch04 * `operands-fit`: each operand is of its slot's kind, a real register of its slot's class;
//! * `terminator-last`: a block ends with a jump or `ret`, and has none before; in allocated code
//!   it may also continue with the block that follows;
//! * `definite-assignment`: a register is written on every path before it is read.
//!
//! Selected code:
//! * `numbered`: the numbers of virtual registers are below their count.
//!
//! Allocated code:
//! * `real-only`: no virtual register is left.
#[cfg(feature = "ch05")]
use crate::ia32::code::BlockId;
use crate::ia32::code::{Code, Form, Operand};
use crate::ia32::register::Register;
#[cfg(feature = "ch05")]
use crate::ia32::verify_blocks;
#[cfg(feature = "ch02")]
use crate::ia32::verify_stack;
#[cfg(feature = "ch02")]
use crate::ia32::verify_state::AbstractState;
#[cfg(feature = "ch19")]
use crate::ia32::{verify_addresses, verify_pressure};
use crate::stage::Violation;
use crate::target::OperandConstraint;
use crate::target::report::Report;
#[cfg(feature = "ch05")]
use arena::Id;
use arena::SideTable;
use flow::DefiniteAssignment;
use std::ops::Range;

/// Every violated invariant of the code's form.
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
    terminators_last,
    #[cfg(feature = "ch05")]
    verify_blocks::jumps_last,
    #[cfg(feature = "ch19")]
    verify_addresses::addresses_exist,
];

const SELECTED: &[Check] = &[
    definite_assignment,
    #[cfg(feature = "ch02")]
    |code, report| check_states(code, report, &mut DefiniteAssignment::new(code.ranges().len())),
    numbered,
    #[cfg(feature = "ch19")]
    verify_pressure::registers_left,
    #[cfg(feature = "ch19")]
    verify_addresses::stack_untouched,
    #[cfg(feature = "ch05")]
    verify_blocks::block_arguments,
    #[cfg(feature = "ch05")]
    verify_blocks::check_joins,
    #[cfg(feature = "ch05")]
    verify_blocks::single_assignment,
];

const ALLOCATED: &[Check] = &[
    definite_assignment,
    #[cfg(feature = "ch02")]
    real_definite_assignment,
    real_only,
    #[cfg(feature = "ch02")]
    verify_stack::laid_out,
    #[cfg(feature = "ch05")]
    verify_blocks::block_arguments,
];

fn operands_fit(code: &Code, report: &mut Report) {
    for (at, instruction) in code.instructions.iter().enumerate() {
        let slots = instruction.op.row().instruction.operands.len();
        let rest = instruction.operands[slots..].iter().all(|it| it.needs_no_slot());
        let fits = |(slot, operand): (OperandConstraint, Operand)| operand.fits(slot);
        #[cfg(feature = "ch04")]
        let fits = |(slot, operand)| fits((slot, operand)) && is_in_class(code, slot, operand);
        if !rest || !instruction.slots().all(fits) {
            report.fail("operands-fit", instruction.place(at), "an operand does not fit its slot");
        }
    }
}

/// Whether a register is of the class that its slot requires.
#[cfg(feature = "ch04")]
fn is_in_class(code: &Code, slot: OperandConstraint, operand: Operand) -> bool {
    let (OperandConstraint::Register(_, constraint), Operand::Register(register)) = (slot, operand)
    else {
        return true;
    };
    code.kind(register).is_none_or(|kind| kind.contains(constraint.part()))
        && register.satisfies(constraint)
}

fn terminators_last(code: &Code, report: &mut Report) {
    let ranges = code.ranges();
    let blocks = ranges.len();
    for (number, range) in ranges.into_iter().enumerate() {
        if range.is_empty() {
            report.fail_anywhere("terminator-last", "no instruction".into());
        }
        let may_fall_through = code.form == Form::Allocated && number + 1 < blocks;
        for at in range.clone() {
            let instruction = &code.instructions[at];
            let (is_terminator, last) = (instruction.op.ends_block(), at + 1 == range.end);
            if is_terminator && !last {
                report.fail("terminator-last", instruction.place(at), "nothing can follow");
            } else if last && !is_terminator && !may_fall_through {
                report.fail("terminator-last", instruction.place(at), "control has no next block");
            }
        }
    }
}

/// Registers are written before they are read, in the order of the code. A block writes its
/// parameters. Real registers have abstract states.
fn definite_assignment(code: &Code, report: &mut Report) {
    #[cfg(feature = "ch02")]
    if code.virtual_registers.is_empty() {
        return;
    }
    let mut written = SideTable::<Register, bool>::new(0);
    #[cfg(feature = "ch05")]
    for id in code.blocks.ids() {
        code.blocks[id].parameters.iter().for_each(|&parameter| written[parameter] = true);
    }
    for (at, instruction) in code.instructions.iter().enumerate() {
        let read = instruction.reads();
        #[cfg(feature = "ch02")]
        let read = read.filter(|register| !register.is_real());
        for register in read.filter(|register| !written[*register]) {
            let detail = format!("{register} was never written");
            report.fail("definite-assignment", instruction.place(at), detail);
        }
        for register in instruction.writes() {
            written[register] = true;
        }
    }
}

/// Registers and words of the stack are written before they are read.
#[cfg(feature = "ch02")]
fn real_definite_assignment(code: &Code, report: &mut Report) {
    let before = report.count();
    let mut words = DefiniteAssignment::new(code.ranges().len());
    #[cfg(feature = "ch05")]
    for from in code.blocks.ids() {
        code.successors(from).for_each(|to| words.add_edge(from.index(), to.index()));
    }
    check_states(code, report, &mut words);
    if report.count() == before {
        for at in words.unwritten(written_by_caller(code)) {
            let at = at as usize;
            let detail = "this word was never written";
            report.fail("stack-written", code.instructions[at].place(at), detail);
        }
    }
}

/// The words of the stack that hold the arguments.
#[cfg(feature = "ch02")]
fn written_by_caller(code: &Code) -> Range<u32> {
    let words = 0..code.argument_words();
    #[cfg(feature = "ch14")]
    let words = code.signature.results_on_stack()..words.end;
    words
}

/// Executes each block abstractly, reports its first violation, and notes its accesses to words of
/// the stack. If a block is executed again, with another state, only that counts.
#[cfg(feature = "ch02")]
fn check_states(code: &Code, report: &mut Report, words: &mut DefiniteAssignment) {
    let ranges = code.ranges();
    let mut violations = vec![None; ranges.len()];
    execute_all(code, |block, state| {
        words.begin(block);
        let mut steps = ranges[block].clone().map(|at| {
            let instruction = &code.instructions[at];
            let add = |access| words.add(block, at as u32, access);
            state.stack.for_each_access(instruction, add);
            state.step(instruction).map_err(|broken| (at, broken))
        });
        violations[block] = steps.find_map(Result::err);
        violations[block].is_none()
    });
    for (at, (invariant, detail)) in violations.into_iter().flatten() {
        report.fail(invariant, code.instructions[at].place(at), detail);
    }
}

/// Calls `execute` for each block with the state at its start, which becomes that at its end. In
/// selected code, every block starts with the entry state.
#[cfg(feature = "ch02")]
fn execute_all(code: &Code, mut execute: impl FnMut(usize, &mut AbstractState) -> bool) {
    let entry = AbstractState::entry(code);
    #[cfg(feature = "ch05")]
    if code.form == Form::Allocated && !code.blocks.is_empty() {
        let execute = |block: BlockId, state: &mut _| execute(block.index(), state);
        let (start, meet) = ((BlockId::ENTRY, entry), AbstractState::meet);
        return flow::execute_all(start, |block| code.successors(block), meet, execute);
    }
    (0..code.ranges().len()).for_each(|block| {
        execute(block, &mut { entry });
    });
}

fn numbered(code: &Code, report: &mut Report) {
    let known = |register: Register| register.virtual_number() < Some(code.register_count());
    for (at, instruction) in code.instructions.iter().enumerate() {
        if !instruction.registers().all(known) {
            report.fail("numbered", instruction.place(at), "an unknown virtual register");
        }
    }
}

fn real_only(code: &Code, report: &mut Report) {
    for (at, instruction) in code.instructions.iter().enumerate() {
        #[cfg(feature = "ch02")]
        if !instruction.names_virtual() {
            continue;
        }
        if !instruction.registers().all(Register::is_real) {
            report.fail("real-only", instruction.place(at), "a virtual register is left");
        }
    }
}

#[cfg(test)]
#[cfg(feature = "ch04")]
#[path = "tests/verify.rs"]
mod tests;

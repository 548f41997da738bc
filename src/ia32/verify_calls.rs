//! The invariant of calls:
//!
//! - `call-signature`: a call has a signature, which is that of the function if it is known. Other
//!   instructions have none. A symbol has the number of a function.
use crate::ia32::Program;
#[cfg(feature = "ch18")]
use crate::ia32::code::Code;
use crate::ia32::code::{Instruction, Operand};
#[cfg(feature = "ch18")]
use crate::ia32::register::RegisterSet;
use crate::stage::Violation;
use crate::target::report::Report;

pub fn verify(program: &Program) -> Vec<Violation> {
    let mut report = Report::default();
    for code in &program.functions {
        for (at, instruction) in code.instructions.iter().enumerate() {
            if !has_signature(program, instruction) {
                let detail = format!("in {}", code.name);
                report.fail("call-signature", instruction.place(at), detail);
            }
            #[cfg(feature = "ch18")]
            if !preserves(program, code, instruction) {
                let detail = format!("in {}", code.name);
                report.fail("call-preserves", instruction.place(at), detail);
            }
        }
    }
    report.0
}

fn has_signature(program: &Program, instruction: &Instruction) -> bool {
    let symbols = instruction.operands.into_iter().filter_map(Operand::symbol);
    let mut callees = symbols.map(|symbol| program.symbol(symbol));
    let signature = instruction.signature();
    let is_call = instruction.is_call();
    #[cfg(feature = "ch18")]
    let is_call = is_call || instruction.op.jumps_to_function();
    signature.is_some() == is_call
        && callees.all(|callee| {
            callee.is_some_and(|(_, own)| signature.is_none_or(|signature| signature == own))
        })
}

/// The invariant `call-preserves`: an instruction writes no register that its function claims to
/// leave alone, and relies as a call on nothing but a claim.
#[cfg(feature = "ch18")]
fn preserves(program: &Program, code: &Code, instruction: &Instruction) -> bool {
    let relied = match instruction.operands[2] {
        Operand::Preserved(preserved) => preserved,
        _ => RegisterSet::EMPTY,
    };
    let callee = instruction.operands[0].symbol();
    let callee = callee.and_then(|symbol| program.functions.get(symbol as usize));
    let claimed = callee.map_or(RegisterSet::EMPTY, |it| it.preserved);
    let written = match instruction.op {
        op if op.jumps_to_function() => RegisterSet::changed_by_calls().without(relied),
        _ => instruction.real_writes(),
    };
    relied.without(claimed).is_empty() && code.preserved.intersect(written).is_empty()
}

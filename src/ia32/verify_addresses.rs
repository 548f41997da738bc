//! The invariants of addresses and of the stack in code that rules of any file have made.
//!
//! * `addresses-exist`: the index of an address is not esp, its scale is 1, 2, 4 or 8;
//! * `stack-untouched`: in selected code, nothing names esp, pushes, pops, names a slot or writes
//!   to an argument.
use crate::ia32::address::{Address, Base};
use crate::ia32::code::Code;
use crate::ia32::instruction::Op;
use crate::ia32::register::Register;
use crate::ia32::verify_stack::addresses;
use crate::target::report::Report;

pub fn addresses_exist(code: &Code, report: &mut Report) {
    for (at, instruction, address) in addresses(code) {
        let exists = address.index().is_none_or(|(register, scale)| {
            register != Register::ESP && matches!(scale, 1 | 2 | 4 | 8)
        });
        if !exists {
            report.fail("addresses-exist", instruction.place(at), "there is no such address");
        }
    }
}

pub fn stack_untouched(code: &Code, report: &mut Report) {
    for (at, instruction) in code.instructions.iter().enumerate() {
        let moves = instruction.op.pushes() || instruction.op == Op::Pop;
        #[cfg(feature = "ch15")]
        let moves = moves && !pushes_argument(code, at);
        if moves || instruction.registers().any(|register| register == Register::ESP) {
            report.fail("stack-untouched", instruction.place(at), "the stack is not laid out yet");
        }
    }
    for (at, instruction, address) in addresses(code) {
        if matches!(address.base(), Base::Slot(_)) {
            report.fail("stack-untouched", instruction.place(at), "there is no frame yet");
        }
        #[cfg(feature = "ch14")]
        if is_result(code, address) {
            continue;
        }
        if instruction.op == Op::Store && is_relative_to_argument(address) {
            report.fail("stack-untouched", instruction.place(at), "an argument keeps its value");
        }
    }
}

/// Whether an instruction pushes an argument of a call that does not return.
#[cfg(feature = "ch15")]
fn pushes_argument(code: &Code, at: usize) -> bool {
    let mut others = code.instructions[at..].iter().skip_while(|it| it.op.pushes());
    let is_push = code.instructions[at].op.pushes();
    is_push && others.next().is_some_and(|it| it.op == Op::CallNoReturn)
}

/// Whether the address is relative to that of an argument.
fn is_relative_to_argument(address: Address) -> bool {
    matches!(address.base(), Base::Argument(_))
}

/// Whether the address is that of a result, after the arguments.
#[cfg(feature = "ch14")]
fn is_result(code: &Code, address: Address) -> bool {
    let results = code.signature.on_stack()..code.argument_words();
    matches!(address.base(), Base::Argument(number) if results.contains(&number))
}

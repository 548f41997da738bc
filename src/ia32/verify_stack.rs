//! The invariants of addresses.
//!
//! * `addresses-exist`: the index of an address is not esp, its scale is 1, 2, 4 or 8;
//! * `stack-untouched`: in selected code, nothing names esp, pushes, pops, names a slot or writes
//!   to an argument;
//! * `laid-out`: in allocated code, no address names an argument or a slot.
use crate::ia32::address::{Address, Base};
use crate::ia32::code::{Code, Instruction, Operand};
use crate::ia32::instruction::Op;
use crate::ia32::register::Register;
use crate::ia32::report::{Report, registers};

pub fn addresses_exist(code: &Code, report: &mut Report) {
    for (at, instruction, address) in addresses(code) {
        let exists = address.index().is_none_or(|(register, scale)| {
            register != Register::ESP && matches!(scale, 1 | 2 | 4 | 8)
        });
        if !exists {
            report.fail("addresses-exist", at, instruction, "the machine has no such address");
        }
    }
}

/// Whether the address is relative to that of an argument.
#[cfg(feature = "ch04")]
fn is_relative_to_argument(address: Address) -> bool {
    matches!(address.base(), Base::Argument(_))
}

/// Whether the address is that of a result, after the arguments.
#[cfg(feature = "ch26")]
fn is_result(code: &Code, address: Address) -> bool {
    let results = code.signature.parameters..code.argument_words();
    matches!(address.base(), Base::Argument(number) if results.contains(&number))
}

fn addresses(code: &Code) -> impl Iterator<Item = (usize, &Instruction, Address)> {
    let address = |operand: &Operand| match operand {
        Operand::Address(address) => Some(*address),
        _ => None,
    };
    // An instruction has one address at most.
    let found = move |it: &Instruction| it.operands.iter().find_map(address);
    let all = code.instructions.iter().enumerate();
    all.filter_map(move |(at, it)| Some((at, it, found(it)?)))
}

pub fn stack_untouched(code: &Code, report: &mut Report) {
    for (at, instruction) in code.instructions.iter().enumerate() {
        let moves = matches!(instruction.op, Op::Push | Op::Pop);
        if moves || registers(instruction).any(|register| register == Register::ESP) {
            report.fail("stack-untouched", at, instruction, "the stack is not laid out yet");
        }
    }
    for (at, instruction, address) in addresses(code) {
        if matches!(address.base(), Base::Slot(_)) {
            report.fail("stack-untouched", at, instruction, "there is no frame yet");
        }
        #[cfg(feature = "ch26")]
        if is_result(code, address) {
            continue;
        }
        #[cfg(feature = "ch04")]
        if instruction.op == Op::Store && is_relative_to_argument(address) {
            report.fail("stack-untouched", at, instruction, "an argument keeps its value");
        }
    }
}

pub fn laid_out(code: &Code, report: &mut Report) {
    for (at, instruction, address) in addresses(code) {
        let laid_out = match address.base() {
            #[cfg(feature = "ch04")]
            Base::None => true,
            Base::Register(_) => true,
            #[cfg(feature = "ch04")]
            Base::Argument(_) => false,
            Base::Slot(_) => false,
            #[cfg(feature = "ch12")]
            Base::Constant(_) => true,
            #[cfg(feature = "ch26")]
            Base::Outgoing(_) => false,
        };
        if !laid_out {
            report.fail("laid-out", at, instruction, "an argument or slot without an address");
        }
    }
}

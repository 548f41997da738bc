//! `laid-out`: in allocated code, no address names an argument or a slot.
use crate::ia32::address::{Address, Base};
use crate::ia32::code::{Code, Instruction, Operand};
use crate::target::report::Report;

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
            #[cfg(feature = "ch14")]
            Base::Outgoing(_) => false,
        };
        if !laid_out {
            report.fail("laid-out", instruction.place(at), "an argument or slot has no address");
        }
    }
}

pub fn addresses(code: &Code) -> impl Iterator<Item = (usize, &Instruction, Address)> {
    let address = |operand: &Operand| match operand {
        Operand::Address(address) => Some(*address),
        _ => None,
    };
    // An instruction has one address at most.
    let found = move |it: &Instruction| it.operands.iter().find_map(address);
    let all = code.instructions.iter().enumerate();
    all.filter_map(move |(at, it)| Some((at, it, found(it)?)))
}

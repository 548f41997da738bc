//! Code as text: Intel's syntax, spelt as `objdump -d -M intel` spells it.
//!
//! One space stands where objdump pads the mnemonic. Virtual registers are `v0`, `v1`, …
#[cfg(feature = "ch02")]
use crate::ia32::code::{Address, Base};
use crate::ia32::code::{Code, Inst, Operand};
use crate::ia32::inst::Op;
#[cfg(feature = "ch04")]
use crate::ia32::inst::condition;
#[cfg(feature = "ch02")]
use crate::ia32::reg::Register;
#[cfg(feature = "ch04")]
use crate::rules::target::Class;
use crate::rules::target::Slot;
use std::fmt;

/// One instruction a line.
pub fn listing(code: &Code) -> String {
    code.instructions.iter().map(|inst| format!("{inst}\n")).collect()
}

/// Allocated code as a source for `as --32`, which makes of it the bytes that `encode` makes.
pub fn assembly(code: &Code) -> String {
    let lines = code.instructions.iter().map(|inst| format!("\t{inst}\n")).collect::<String>();
    let head = ".intel_syntax noprefix\n.text\n.globl simple\n.type simple, @function\nsimple:\n";
    let tail = ".size simple, .-simple\n.section .note.GNU-stack, \"\", @progbits\n";
    format!("{head}{lines}{tail}")
}

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(mnemonic(self.op))?;
        let mut separator = " ";
        for (slot, operand) in self.slots() {
            let text = operand_text(self.op, slot, operand);
            if is_suffix(slot) {
                f.write_str(&text)?;
            } else {
                write!(f, "{separator}{text}")?;
                separator = ",";
            }
        }
        Ok(())
    }
}

fn mnemonic(op: Op) -> &'static str {
    match op {
        #[cfg(feature = "ch02")]
        Op::Zero => "xor",
        named => named.row().instruction.mnemonic,
    }
}

/// Whether an operand is written as the end of the mnemonic.
fn is_suffix(slot: Slot) -> bool {
    match slot {
        Slot::Register(..) | Slot::Immediate => false,
        #[cfg(feature = "ch02")]
        Slot::Address => false,
        #[cfg(feature = "ch04")]
        Slot::Condition => true,
    }
}

fn operand_text(op: Op, slot: Slot, operand: Operand) -> String {
    match (op, slot, operand) {
        (_, _, Operand::None) => String::new(),
        #[cfg(feature = "ch04")]
        (_, Slot::Register(_, Class::Byte), Operand::Register(register)) => {
            register.byte_name().map_or_else(|| register.to_string(), String::from)
        }
        #[cfg(feature = "ch02")]
        (Op::Zero, _, Operand::Register(register)) => format!("{register},{register}"),
        (_, _, Operand::Register(register)) => register.to_string(),
        #[cfg(feature = "ch04")]
        (Op::Shl | Op::Shr | Op::Sar, _, Operand::Immediate(1)) => "1".into(),
        #[cfg(feature = "ch04")]
        (Op::Shl | Op::Shr | Op::Sar, _, Operand::Immediate(count)) => {
            format!("{:#x}", count as u8)
        }
        (_, _, Operand::Immediate(value)) => format!("{value:#x}"),
        #[cfg(feature = "ch04")]
        (Op::Lea, _, Operand::Address(address)) => address_text(address),
        #[cfg(feature = "ch02")]
        (_, _, Operand::Address(address)) => format!("DWORD PTR {}", address_text(address)),
        #[cfg(feature = "ch04")]
        (_, _, Operand::Condition(relation)) => condition(relation).0.into(),
    }
}

#[cfg(feature = "ch02")]
fn address_text(address: Address) -> String {
    let index = address.index.map(|(register, scale)| format!("{register}*{scale}"));
    let terms = base_text(address.base).into_iter().chain(index).collect::<Vec<_>>().join("+");
    let displacement = address.displacement.unsigned_abs();
    let sign = if address.displacement < 0 { '-' } else { '+' };
    if displacement == 0 && !needs_displacement(address.base) {
        format!("[{terms}]")
    } else {
        format!("[{terms}{sign}{displacement:#x}]")
    }
}

#[cfg(feature = "ch02")]
fn base_text(base: Base) -> Option<String> {
    match base {
        #[cfg(feature = "ch04")]
        Base::None => None,
        Base::Register(register) => Some(register.to_string()),
        #[cfg(feature = "ch04")]
        Base::Argument(number) => Some(format!("argument {number}")),
        Base::Slot(number) => Some(format!("slot {number}")),
    }
}

/// The machine has no such address without a displacement; objdump shows it even if it is 0.
#[cfg(feature = "ch02")]
fn needs_displacement(base: Base) -> bool {
    match base {
        #[cfg(feature = "ch04")]
        Base::None => true,
        Base::Register(register) => register == Register::EBP,
        #[cfg(feature = "ch04")]
        Base::Argument(_) => false,
        Base::Slot(_) => false,
    }
}

#[cfg(test)]
#[cfg(feature = "ch04")]
mod tests {
    use super::*;
    use crate::ia32::read::selected;

    /// As binutils 2.40 disassembles it, or would if it knew the virtual registers.
    const LINES: &[&str] = &[
        "mov eax,0xffffffff",
        "mov v0,DWORD PTR [argument 0]",
        "mov eax,DWORD PTR [esp+0x4]",
        "mov DWORD PTR [ebp+0x0],esi",
        "mov DWORD PTR [slot 3],v1",
        "lea eax,[ebx+ecx*1-0x80]",
        "lea v2,[v0*4+0x0]",
        "lea eax,[ebp+eax*8+0x0]",
        "lea eax,[eax-0x80000000]",
        "add eax,0xffffff80",
        "shl eax,1",
        "shr eax,0x0",
        "sar v0,0x1f",
        "imul eax,v3,0x7fffffff",
        "imul ecx",
        "cdq",
        "idiv v7",
        "setle al",
        "setne v4",
        "movzx v5,v4",
        "movzx esi,dl",
        "push ebp",
        "ret",
    ];

    #[test]
    fn instructions_read_as_objdump_prints_them() {
        let code = selected(&LINES.join("\n"));
        assert_eq!(listing(&code).lines().collect::<Vec<_>>(), LINES);
    }

    #[test]
    fn a_register_is_emptied_by_xor() {
        assert_eq!(listing(&selected("zero v3; zero ecx")), "xor v3,v3\nxor ecx,ecx\n");
    }

    #[test]
    fn the_assembler_gets_a_whole_file() {
        let text = assembly(&selected("mov eax,1; ret"));
        assert!(text.contains("\n.globl simple\n"), "{text}");
        assert!(text.contains("\nsimple:\n\tmov eax,0x1\n\tret\n"), "{text}");
    }
}

//! Code as text: Intel's syntax, spelt as `objdump -d -M intel` spells it.
//!
//! One space stands where objdump pads the mnemonic. Virtual registers are `v0`, `v1`, …
#[cfg(feature = "ch05")]
use crate::base::ids::Id;
use crate::ia32::code::{Code, Inst, Operand};
use crate::ia32::inst::Op;
#[cfg(feature = "ch04")]
use crate::ia32::inst::condition;
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
        #[cfg(feature = "ch05")]
        Slot::Block => false,
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
        (Op::Shl | Op::Shr | Op::Sar, _, Operand::Immediate(count)) => match count as u8 {
            1 => "1".into(),
            count => format!("{count:#x}"),
        },
        (_, _, Operand::Immediate(value)) => format!("{value:#x}"),
        #[cfg(feature = "ch05")]
        (_, _, Operand::Block(block)) => format!("b{}", block.index()),
        #[cfg(feature = "ch04")]
        (Op::Lea, _, Operand::Address(address)) => address.to_string(),
        #[cfg(feature = "ch02")]
        (_, _, Operand::Address(address)) => format!("DWORD PTR {address}"),
        #[cfg(feature = "ch04")]
        (_, _, Operand::Condition(relation)) => condition(relation).0.into(),
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

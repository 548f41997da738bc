//! Prints code in Intel's syntax, in the format of `objdump -d -M intel`.
//!
//! A single space replaces objdump's padding. Virtual registers are `v0`, `v1`, …
#[cfg(feature = "ch12")]
use crate::floats;
use crate::ia32::Program;
#[cfg(feature = "ch05")]
use crate::ia32::code::BlockId;
use crate::ia32::code::{Code, Instruction, Operand};
#[cfg(feature = "ch12")]
use crate::ia32::instruction::MASKS;
use crate::ia32::instruction::Op;
#[cfg(feature = "ch04")]
use crate::ia32::instruction::condition;
use crate::target::OperandConstraint;
#[cfg(feature = "ch14")]
use crate::target::RegisterConstraint;
use arena::FxHashMap;
#[cfg(feature = "ch09")]
use arena::Id;
#[cfg(feature = "ch12")]
use memory::Size;
use std::fmt;

/// One instruction a line. Several blocks have their names and parameters before them, and the
/// arguments after the jump.
pub fn listing(code: &Code) -> String {
    #[cfg(feature = "ch05")]
    if is_named(code) {
        return listed_blocks(code);
    }
    lines(code, "")
}

/// Allocated code as a source for `as --32`, which assembles it to the bytes of `encode`.
#[cfg(feature = "ch09")]
pub fn assembly(program: &Program) -> String {
    let functions = program.functions.iter().map(assembled_function).collect::<String>();
    #[cfg(feature = "ch14")]
    let functions = program.with_names(&functions);
    #[cfg(feature = "ch12")]
    let functions = with_constants(program, &functions);
    let tail = ".section .note.GNU-stack, \"\", @progbits\n";
    format!(".intel_syntax noprefix\n.text\n{functions}{tail}")
}

/// The functions with labels for floating-point numbers, and these numbers in a section of their
/// own.
#[cfg(feature = "ch12")]
fn with_constants(program: &Program, functions: &str) -> String {
    let mut parts = functions.split("[constant ");
    let mut text = parts.next().unwrap_or_default().to_string();
    let mut numbers = FxHashMap::default();
    for (at, bits) in program.constants().into_iter().enumerate() {
        numbers.insert(floats::text(bits), (at, bits));
    }
    for part in parts {
        let (number, rest) = part.split_once(']').expect("a number ends with a bracket");
        text += &format!("[.Lconstant_{}]{rest}", numbers[number].0);
    }
    let mut numbers: Vec<_> = numbers.into_values().collect();
    numbers.sort_unstable();
    if !numbers.is_empty() {
        text += ".section .rodata\n.balign 8\n";
    }
    for (at, bits) in numbers {
        text += &format!(".Lconstant_{at}:\t.quad {bits:#x}\n");
    }
    text
}

#[cfg(feature = "ch09")]
fn assembled_function(code: &Code) -> String {
    let (name, lines) = (&code.name, assembled_lines(code));
    format!(".globl {name}\n.type {name}, @function\n{name}:\n{lines}.size {name}, .-{name}\n")
}

#[cfg(feature = "ch09")]
fn assembled_lines(code: &Code) -> String {
    if is_named(code) {
        return assembled_blocks(code);
    }
    lines(code, "\t")
}

fn lines(code: &Code, indent: &str) -> String {
    code.instructions.iter().map(|instruction| format!("{indent}{instruction}\n")).collect()
}

/// Code of one block needs no names, unless it jumps to its start.
#[cfg(feature = "ch05")]
fn is_named(code: &Code) -> bool {
    code.blocks.len() > 1
        || code.instructions.iter().any(|instruction| instruction.target().is_some())
}

#[cfg(feature = "ch05")]
fn listed_blocks(code: &Code) -> String {
    let mut text = String::new();
    for id in code.blocks.ids() {
        text += &format!("{}:\n", code.blocks[id].head(id));
        for at in code.range(id) {
            text += &format!("    {}\n", code.instruction_text(id, at));
        }
    }
    text
}

/// Names that begin with `.L` stay out of the object file.
#[cfg(feature = "ch09")]
fn assembled_blocks(code: &Code) -> String {
    let mut text = String::new();
    let label = |block: BlockId| format!(".L{}", block.index());
    #[cfg(feature = "ch14")]
    let label = |block| format!("{}_{}", label(block), code.name);
    for block in code.blocks.ids() {
        text += &format!("{}:\n", label(block));
        for instruction in &code.instructions[code.range(block)] {
            let line = match instruction.target() {
                Some(target) => instruction.jump_to(&label(target)),
                None => instruction.to_string(),
            };
            text += &format!("\t{line}\n");
        }
    }
    text
}

/// The functions with their names; symbols are the names of functions.
#[cfg(feature = "ch14")]
pub fn functions(program: &Program) -> String {
    let texts = program.functions.iter().map(|code| function(program, code));
    texts.collect::<Vec<_>>().join("\n")
}

/// One of the functions, with its name.
#[cfg(feature = "ch14")]
pub fn function(program: &Program, code: &Code) -> String {
    format!("{}:\n{}", code.name, program.with_names(&listing(code)))
}

#[cfg(feature = "ch14")]
impl Program {
    /// A text with the names of functions in place of the numbers of symbols.
    pub fn with_names(&self, text: &str) -> String {
        let mut parts = text.split("symbol ");
        let mut named = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let (number, rest) = part.split_at(part.find(no_digit).unwrap_or(part.len()));
            let function = number.parse().ok().and_then(|number| self.symbol(number));
            named += function.map_or(number, |(name, _)| name);
            named += rest;
        }
        named
    }
}

#[cfg(feature = "ch14")]
fn no_digit(letter: char) -> bool {
    !letter.is_ascii_digit()
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&mnemonic(self))?;
        let mut separator = " ";
        let slots = self.slots();
        #[cfg(feature = "ch04")]
        let slots = slots.filter(|(slot, _)| *slot != OperandConstraint::Condition);
        // The number of a relation is part of the mnemonic.
        #[cfg(feature = "ch12")]
        let slots = slots.filter(|(_, operand)| {
            self.op != Op::FloatMask || matches!(operand, Operand::Register(_))
        });
        for (slot, operand) in slots {
            write!(f, "{separator}{}", operand_text(self.op, slot, operand))?;
            separator = ",";
        }
        Ok(())
    }
}

#[cfg(feature = "ch05")]
impl Code {
    /// An instruction of a block; after a jump, the arguments.
    pub fn instruction_text(&self, block: BlockId, at: usize) -> String {
        let instruction = &self.instructions[at];
        let jumps = instruction.op == Op::Jmp;
        if jumps { self.blocks[block].with_arguments(instruction) } else { instruction.to_string() }
    }
}

#[cfg(feature = "ch05")]
impl Instruction {
    /// The text of a jump, with another name for its target.
    pub fn jump_to(&self, target: &str) -> String {
        format!("{} {target}", mnemonic(self))
    }
}

/// The name on the machine, if rules have another name for a form.
#[cfg(feature = "ch02")]
fn machine_name(op: Op) -> Option<&'static str> {
    match op {
        Op::Zero => Some("xor"),
        #[cfg(feature = "ch14")]
        Op::MovzxHalf => Some("movzx"),
        #[cfg(feature = "ch14")]
        Op::MovsxHalf => Some("movsx"),
        #[cfg(feature = "ch14")]
        Op::LoadHalf => Some("movzx"),
        #[cfg(feature = "ch14")]
        Op::LoadSignedHalf => Some("movsx"),
        #[cfg(feature = "ch14")]
        Op::StoreByte | Op::StoreByteImmediate => Some("mov"),
        #[cfg(feature = "ch14")]
        Op::StoreHalf | Op::StoreHalfImmediate => Some("mov"),
        #[cfg(feature = "ch14")]
        Op::ByteCmpImmediate => Some("cmp"),
        #[cfg(feature = "ch14")]
        Op::ByteAdd | Op::ByteAddImmediate | Op::HalfAdd | Op::HalfAddImmediate => Some("add"),
        #[cfg(feature = "ch14")]
        Op::ByteSub | Op::HalfSub => Some("sub"),
        #[cfg(feature = "ch18")]
        Op::JmpFunction | Op::JmpValue => Some("jmp"),
        #[cfg(feature = "ch15")]
        Op::CallNoReturn => Some("call"),
        #[cfg(feature = "ch18")]
        Op::CallPair | Op::FloatCall | Op::FloatCallRegister => Some("call"),
        #[cfg(feature = "ch18")]
        Op::RetPair => Some("ret"),
        _ => None,
    }
}

/// With the condition, if it has one.
fn mnemonic(instruction: &Instruction) -> String {
    #[cfg(feature = "ch12")]
    if let Some(name) = float_mnemonic(instruction) {
        return name;
    }
    let name = instruction.op.row().instruction.mnemonic;
    #[cfg(feature = "ch02")]
    let name = machine_name(instruction.op).unwrap_or(name);
    let name = name.to_string();
    #[cfg(feature = "ch04")]
    let name = match instruction.condition() {
        Some(relation) => name + condition(relation).0,
        None => name,
    };
    name
}

/// The name of an instruction that the machine has under another name.
#[cfg(feature = "ch12")]
fn float_mnemonic(instruction: &Instruction) -> Option<String> {
    match (instruction.op, instruction.operands[2]) {
        (Op::FloatZero, _) => Some("xorpd".to_string()),
        (Op::FloatRet, _) => Some("ret".to_string()),
        (Op::FloatMask, Operand::Immediate(relation)) => {
            Some(format!("cmp{}sd", MASKS[relation as usize].0))
        }
        _ => None,
    }
}

#[cfg(feature = "ch12")]
fn size_name(size: Size) -> &'static str {
    match size {
        Size::Byte => "BYTE",
        Size::Half => "WORD",
        Size::Word => "DWORD",
        Size::Double => "QWORD",
    }
}

fn operand_text(op: Op, slot: OperandConstraint, operand: Operand) -> String {
    match (op, slot, operand) {
        (_, _, Operand::None) => String::new(),
        #[cfg(feature = "ch04")]
        (_, OperandConstraint::Register(_, constraint), Operand::Register(register))
            if constraint.part().bytes == 1 =>
        {
            register.byte_name().map_or_else(|| register.to_string(), String::from)
        }
        #[cfg(feature = "ch14")]
        (_, OperandConstraint::Register(_, RegisterConstraint::Half), Operand::Register(it)) => {
            it.half_name().map_or_else(|| it.to_string(), String::from)
        }
        #[cfg(feature = "ch12")]
        (Op::FloatZero, _, Operand::Register(register)) => format!("{register},{register}"),
        #[cfg(feature = "ch02")]
        (Op::Zero, _, Operand::Register(register)) => format!("{register},{register}"),
        (_, _, Operand::Register(register)) => register.to_string(),
        #[cfg(feature = "ch04")]
        (op, _, Operand::Immediate(count)) if op.is_counted() => match count as u8 {
            1 => "1".into(),
            count => format!("{count:#x}"),
        },
        #[cfg(feature = "ch14")]
        (op, _, Operand::Immediate(value)) if op.memory_size() == Size::Byte => {
            format!("{:#x}", value as u8)
        }
        #[cfg(feature = "ch14")]
        (op, _, Operand::Immediate(value)) if op.memory_size() == Size::Half => {
            format!("{:#x}", value as u16)
        }
        (_, _, Operand::Immediate(value)) => format!("{value:#x}"),
        #[cfg(feature = "ch05")]
        (_, _, Operand::Block(block)) => block.to_string(),
        #[cfg(feature = "ch04")]
        (Op::Lea, _, Operand::Address(address)) => address.to_string(),
        #[cfg(feature = "ch12")]
        (_, _, Operand::Address(address)) if op.memory_size() != Size::Word => {
            format!("{} PTR {address}", size_name(op.memory_size()))
        }
        #[cfg(feature = "ch02")]
        (_, _, Operand::Address(address)) => format!("DWORD PTR {address}"),
        #[cfg(feature = "ch04")]
        (_, _, Operand::Condition(relation)) => condition(relation).0.into(),
        #[cfg(feature = "ch14")]
        (Op::MovSymbol, _, Operand::Symbol(symbol)) => format!("OFFSET symbol {symbol}"),
        #[cfg(feature = "ch14")]
        (_, _, Operand::Symbol(symbol)) => format!("symbol {symbol}"),
        #[cfg(feature = "ch14")]
        (_, _, Operand::Signature(_)) => String::new(),
        #[cfg(feature = "ch18")]
        (_, _, Operand::Preserved(_)) => String::new(),
    }
}

#[cfg(test)]
#[cfg(feature = "ch04")]
#[path = "tests/print.rs"]
mod tests;

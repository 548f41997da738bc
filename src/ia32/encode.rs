//! Allocated code as bytes, each instruction in its shortest form.
//!
//! After the opcode stands the ModRM byte: two bits of mode, three that name a register or
//! complete the opcode, three that name the other operand, r/m. Mode 3 means that r/m is a
//! register. (Intel's Software Developer's Manual, volume 2, section 2.1.)
#[cfg(feature = "ch05")]
use crate::ia32::branch_relaxation;
use crate::ia32::code::{Code, Instruction, Operand};
use crate::ia32::instruction::Encoding;
#[cfg(feature = "ch04")]
use crate::ia32::instruction::condition;
#[cfg(feature = "ch02")]
use crate::ia32::register::Register;
use arena::Id;

/// The bytes of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encoded {
    pub bytes: Vec<u8>,
    /// Where each instruction begins.
    pub offsets: Vec<u32>,
}

/// Encodes allocated code that has been verified.
pub fn encode(code: &Code) -> Encoded {
    let mut encoded = Encoded::default();
    encode_instructions(code, &mut encoded);
    #[cfg(feature = "ch05")]
    branch_relaxation::relax(code, &mut encoded);
    encoded
}

fn encode_instructions(code: &Code, encoded: &mut Encoded) {
    for instruction in &code.instructions {
        encoded.offsets.push(encoded.bytes.len() as u32);
        encode_instruction(instruction, &mut encoded.bytes);
    }
}

fn encode_instruction(instruction: &Instruction, bytes: &mut Vec<u8>) {
    let [first, second, ..] = instruction.operands;
    match instruction.op.row().encoding {
        Encoding::Bare(opcode) => bytes.push(opcode),
        #[cfg(feature = "ch02")]
        Encoding::Short(opcode) => bytes.push(opcode + number(first)),
        Encoding::ShortImmediate(opcode) => {
            bytes.push(opcode + number(first));
            bytes.extend(immediate(second).to_le_bytes());
        }
        Encoding::FromRegister(opcode) => {
            bytes.push(opcode);
            mod_rm(number(second), first, bytes);
        }
        #[cfg(feature = "ch02")]
        Encoding::ToRegister(opcode) => {
            bytes.extend(opcode);
            mod_rm(number(first), second, bytes);
        }
        #[cfg(feature = "ch02")]
        Encoding::Twice(opcode) => {
            bytes.push(opcode);
            mod_rm(number(first), first, bytes);
        }
        #[cfg(feature = "ch02")]
        Encoding::Digit(opcode, digit) => {
            bytes.push(opcode);
            mod_rm(digit, first, bytes);
        }
        #[cfg(feature = "ch02")]
        Encoding::Arithmetic(digit) => arithmetic(digit, first, immediate(second), bytes),
        #[cfg(feature = "ch04")]
        Encoding::Shift(digit) => shift(digit, first, immediate(second), bytes),
        #[cfg(feature = "ch02")]
        Encoding::MultiplyImmediate => {
            multiply(first, second, immediate(instruction.operands[2]), bytes)
        }
        #[cfg(feature = "ch04")]
        Encoding::SetCondition => {
            bytes.extend([0x0f, 0x90 + condition_code(first)]);
            mod_rm(0, second, bytes);
        }
        #[cfg(feature = "ch05")]
        Encoding::Jump => bytes.extend(branch_relaxation::short(None)),
        #[cfg(feature = "ch05")]
        Encoding::JumpCondition => {
            bytes.extend(branch_relaxation::short(Some(condition_code(first))))
        }
    }
}

/// An operation on a register and an immediate: of one byte if it is that small, else of four.
#[cfg(feature = "ch02")]
fn arithmetic(digit: u8, register: Operand, value: i32, bytes: &mut Vec<u8>) {
    if let Ok(small) = i8::try_from(value) {
        bytes.push(0x83);
        mod_rm(digit, register, bytes);
        bytes.push(small as u8);
    } else if register == Operand::Register(Register::EAX) {
        bytes.push(digit << 3 | 0x05);
        bytes.extend(value.to_le_bytes());
    } else {
        bytes.push(0x81);
        mod_rm(digit, register, bytes);
        bytes.extend(value.to_le_bytes());
    }
}

/// The machine looks at the low five bits of a count only.
#[cfg(feature = "ch04")]
fn shift(digit: u8, register: Operand, count: i32, bytes: &mut Vec<u8>) {
    let count = count as u8;
    if count == 1 {
        bytes.push(0xd1);
        mod_rm(digit, register, bytes);
    } else {
        bytes.push(0xc1);
        mod_rm(digit, register, bytes);
        bytes.push(count);
    }
}

#[cfg(feature = "ch02")]
fn multiply(target: Operand, factor: Operand, value: i32, bytes: &mut Vec<u8>) {
    if let Ok(small) = i8::try_from(value) {
        bytes.push(0x6b);
        mod_rm(number(target), factor, bytes);
        bytes.push(small as u8);
    } else {
        bytes.push(0x69);
        mod_rm(number(target), factor, bytes);
        bytes.extend(value.to_le_bytes());
    }
}

/// The ModRM byte, and what it announces.
fn mod_rm(field: u8, operand: Operand, bytes: &mut Vec<u8>) {
    match operand {
        Operand::Register(_) => bytes.push(0b11 << 6 | field << 3 | number(operand)),
        #[cfg(feature = "ch02")]
        Operand::Address(address) => address.encode(field, bytes),
        Operand::None | Operand::Immediate(_) => unreachable!("verified: r/m fills its slot"),
        #[cfg(feature = "ch04")]
        Operand::Condition(_) => unreachable!("verified: r/m fills its slot"),
        #[cfg(feature = "ch05")]
        Operand::Block(_) => unreachable!("verified: r/m fills its slot"),
    }
}

fn number(operand: Operand) -> u8 {
    let Operand::Register(register) = operand else {
        unreachable!("verified: a register fills its slot")
    };
    debug_assert!(register.is_real(), "verified: registers are allocated");
    register.index() as u8
}

fn immediate(operand: Operand) -> i32 {
    let Operand::Immediate(value) = operand else {
        unreachable!("verified: an immediate fills its slot")
    };
    value
}

#[cfg(feature = "ch04")]
fn condition_code(operand: Operand) -> u8 {
    let Operand::Condition(relation) = operand else {
        unreachable!("verified: a relation fills its slot")
    };
    condition(relation).1
}

#[cfg(test)]
#[cfg(feature = "ch04")]
mod tests {
    use super::*;
    use crate::ia32::code::{Address, Base, Form};
    use crate::ia32::instruction::{Op, ROWS};
    use crate::ia32::register::{NAMES, Register};
    use crate::rules::target::{OperandConstraint, RegisterConstraint};
    use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};

    const EDGES: [i32; 9] = [0, 1, -1, 127, 128, -128, -129, i32::MIN, i32::MAX];

    fn real() -> impl Iterator<Item = Register> {
        (0..NAMES.len()).map(Register::from_index)
    }

    /// Everything that may stand in a slot.
    fn candidates(slot: OperandConstraint) -> Vec<Operand> {
        match slot {
            OperandConstraint::Register(_, RegisterConstraint::Any) => {
                real().map(Operand::Register).collect()
            }
            OperandConstraint::Register(_, RegisterConstraint::Byte) => {
                real().take(4).map(Operand::Register).collect()
            }
            OperandConstraint::Immediate => EDGES.map(Operand::Immediate).to_vec(),
            OperandConstraint::Address => addresses().map(Operand::Address).collect(),
            OperandConstraint::Condition => {
                crate::arith::Relation::ALL.map(Operand::Condition).to_vec()
            }
            #[cfg(feature = "ch05")]
            OperandConstraint::Block => unreachable!("jumps are tested where they are encoded"),
            #[cfg(feature = "ch25")]
            OperandConstraint::Symbol => unreachable!("no instruction has a slot for a symbol"),
        }
    }

    fn addresses() -> impl Iterator<Item = Address> {
        let indices = real().filter(|&register| register != Register::ESP);
        let scaled = indices.flat_map(|index| [1, 2, 4, 8].map(|scale| Some((index, scale))));
        let scaled = scaled.chain([None]).collect::<Vec<_>>();
        let bases = real().map(Base::Register).chain([Base::None]);
        let parts = bases.flat_map(move |base| scaled.clone().into_iter().map(move |i| (base, i)));
        let exist = parts.filter(|(base, index)| *base != Base::None || index.is_some());
        exist.flat_map(|(base, index)| {
            EDGES.map(|displacement| Address { base, index, displacement })
        })
    }

    const JUMPS: &[Op] = &[
        #[cfg(feature = "ch05")]
        Op::Jmp,
        #[cfg(feature = "ch05")]
        Op::Jcc,
    ];

    /// Every form that does not jump, with all its operands.
    fn everything() -> Code {
        let mut code = Code { form: Form::Allocated, ..Code::new() };
        for row in ROWS.iter().filter(|row| !JUMPS.contains(&row.op)) {
            let mut choices = vec![vec![]];
            for &slot in row.instruction.operands {
                let longer = choices.iter().flat_map(|chosen| {
                    let candidates = candidates(slot).into_iter();
                    candidates.map(move |next| [&chosen[..], &[next]].concat())
                });
                choices = longer.collect();
            }
            for operands in choices {
                code.push(row.op, &operands, 0);
            }
        }
        code
    }

    #[test]
    fn a_decoder_reads_what_was_encoded() {
        let code = everything();
        let Encoded { bytes, offsets } = encode(&code);
        let mut decoder = Decoder::with_ip(32, &bytes, 0, DecoderOptions::NONE);
        let mut formatter = formatter();
        let mut text = String::new();
        for (instruction, offset) in code.instructions.iter().zip(offsets) {
            assert_eq!(decoder.position(), offset as usize, "before {instruction}");
            let decoded = decoder.decode();
            text.clear();
            formatter.format(&decoded, &mut text);
            assert_eq!(text, as_iced_writes(&instruction.to_string()));
            assert_eq!(decoded.len(), shortest(instruction), "{instruction}");
        }
        assert_eq!(decoder.position(), bytes.len());
    }

    fn formatter() -> IntelFormatter {
        let mut formatter = IntelFormatter::new();
        let options = formatter.options_mut();
        options.set_hex_prefix("0x");
        options.set_hex_suffix("");
        options.set_uppercase_hex(false);
        options.set_small_hex_numbers_in_decimal(false);
        options.set_always_show_scale(true);
        options.set_add_leading_zero_to_hex_numbers(false);
        formatter
    }

    /// iced leaves out zeros and what objdump says twice.
    fn as_iced_writes(text: &str) -> String {
        let mut text = text.replace("DWORD PTR ", "").replace("+0x0]", "]");
        if let Some(shift) = text.strip_suffix(",1") {
            text = format!("{shift},0x1");
        }
        for register in real().map(|register| register.to_string()) {
            let twice = format!("imul {register},{register},");
            text = text.replace(&twice, &format!("imul {register},"));
        }
        text
    }

    /// How long the shortest encoding is.
    fn shortest(instruction: &Instruction) -> usize {
        let operand = |at: usize| instruction.operands[at];
        match instruction.op.row().encoding {
            Encoding::Bare(_) => 1,
            Encoding::ShortImmediate(_) => 5,
            Encoding::FromRegister(_) => 1 + mod_rm_length(operand(0)),
            Encoding::Short(_) => 1,
            Encoding::ToRegister(opcode) => opcode.len() + mod_rm_length(operand(1)),
            Encoding::Twice(_) | Encoding::Digit(..) => 2,
            Encoding::Arithmetic(_) if immediate_length(operand(1)) == 1 => 3,
            Encoding::Arithmetic(_) if number(operand(0)) == 0 => 5,
            Encoding::Arithmetic(_) => 6,
            Encoding::Shift(_) => 2 + usize::from(operand(1) != Operand::Immediate(1)),
            Encoding::MultiplyImmediate => 2 + immediate_length(operand(2)),
            Encoding::SetCondition => 3,
            #[cfg(feature = "ch05")]
            Encoding::Jump | Encoding::JumpCondition => 2,
        }
    }

    fn immediate_length(operand: Operand) -> usize {
        if (-128..128).contains(&immediate(operand)) { 1 } else { 4 }
    }

    fn mod_rm_length(operand: Operand) -> usize {
        match operand {
            Operand::Address(address) => {
                let small = (-128..128).contains(&address.displacement);
                let needs_sib = address.index.is_some() || address.base == register(4);
                let displacement = match address.base {
                    Base::None => 4,
                    base if address.displacement == 0 && base != register(5) => 0,
                    _ if small => 1,
                    _ => 4,
                };
                1 + usize::from(needs_sib) + displacement
            }
            _ => 1,
        }
    }

    fn register(number: usize) -> Base {
        Base::Register(Register::from_index(number))
    }
}

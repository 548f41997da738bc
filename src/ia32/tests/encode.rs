//! Tests of `encode.rs`.
use super::*;
use crate::ia32::code::{Address, Base, Form};
use crate::ia32::instruction::Op;
use crate::ia32::instruction_table::ROWS;
use crate::ia32::register::Register;
#[cfg(feature = "ch12")]
use crate::ia32::register::{FIRST_FLOAT, NAMES};
use crate::target::{OperandConstraint, RegisterConstraint};
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};

const EDGES: [i32; 9] = [0, 1, -1, 127, 128, -128, -129, i32::MIN, i32::MAX];

fn real() -> impl Iterator<Item = Register> + Clone {
    (0..8).map(Register::from_index)
}

#[cfg(feature = "ch12")]
fn floats() -> impl Iterator<Item = Register> {
    (FIRST_FLOAT..NAMES.len()).map(Register::from_index)
}

/// All operands that a slot permits.
fn candidates(slot: OperandConstraint) -> Vec<Operand> {
    match slot {
        OperandConstraint::Register(_, RegisterConstraint::Any) => {
            real().map(Operand::Register).collect()
        }
        OperandConstraint::Register(_, RegisterConstraint::Byte) => {
            real().take(4).map(Operand::Register).collect()
        }
        #[cfg(feature = "ch14")]
        OperandConstraint::Register(_, RegisterConstraint::Half) => {
            real().map(Operand::Register).collect()
        }
        #[cfg(feature = "ch14")]
        OperandConstraint::Register(_, RegisterConstraint::Only(number)) => {
            real().skip(usize::from(number)).take(1).map(Operand::Register).collect()
        }
        #[cfg(feature = "ch12")]
        OperandConstraint::Register(_, RegisterConstraint::Float) => {
            floats().map(Operand::Register).collect()
        }
        OperandConstraint::Immediate => EDGES.map(Operand::Immediate).to_vec(),
        OperandConstraint::Address => addresses().map(Operand::Address).collect(),
        OperandConstraint::Condition => {
            crate::arith::Relation::ALL.map(Operand::Condition).to_vec()
        }
        #[cfg(feature = "ch05")]
        OperandConstraint::Block => unreachable!("jumps are tested where they are encoded"),
        #[cfg(feature = "ch14")]
        OperandConstraint::Symbol => unreachable!("relocations are tested by calls"),
    }
}

fn addresses() -> impl Iterator<Item = Address> {
    let indices = real().filter(|&register| register != Register::ESP);
    let scaled = indices.flat_map(|index| [1, 2, 4, 8].map(|scale| Some((index, scale))));
    let without_base = scaled.clone().map(|index| (Base::None, index));
    let scaled = scaled.chain([None]).collect::<Vec<_>>();
    let bases = real().map(Base::Register);
    let parts = bases.flat_map(move |base| scaled.clone().into_iter().map(move |i| (base, i)));
    let parts = parts.chain(without_base);
    #[cfg(feature = "ch10")]
    let parts = parts.chain([(Base::None, None)]);
    let address = |(base, index): (Base, Option<(Register, u8)>), displacement| {
        let sum = Address::new(base, displacement);
        index.map_or(sum, |(register, scale)| sum.with_index(register, scale))
    };
    parts.flat_map(move |parts| EDGES.map(|displacement| address(parts, displacement)))
}

const JUMPS: &[Op] = &[
    #[cfg(feature = "ch05")]
    Op::Jmp,
    #[cfg(feature = "ch05")]
    Op::Jcc,
    #[cfg(feature = "ch14")]
    Op::Call,
    #[cfg(feature = "ch14")]
    Op::MovSymbol,
    #[cfg(feature = "ch18")]
    Op::JmpFunction,
    #[cfg(feature = "ch18")]
    Op::CallPair,
    #[cfg(feature = "ch18")]
    Op::FloatCall,
    #[cfg(feature = "ch15")]
    Op::CallNoReturn,
];

/// Every form that names no block and no symbol, with all its operands.
fn everything() -> Code {
    let mut code = Code { form: Form::Allocated, ..Code::new("simple") };
    for row in ROWS.iter().filter(|row| !JUMPS.contains(&row.op)) {
        let mut choices = vec![vec![]];
        for &slot in row.instruction.operands {
            let longer = choices.iter().flat_map(|chosen| {
                let candidates = candidates(slot).into_iter();
                candidates.map(move |next| [&chosen[..], &[next]].concat())
            });
            choices = longer.collect();
        }
        // The immediate is the number of a relation.
        #[cfg(feature = "ch12")]
        if row.op == Op::FloatMask {
            let numbers = (0..7).map(Operand::Immediate);
            let numbered = |number| choices.iter().map(move |it| [it[0], it[1], number]);
            choices = numbers.flat_map(|it| numbered(it).map(Vec::from)).collect();
        }
        // The immediate is a count.
        #[cfg(feature = "ch14")]
        if let Op::Shld | Op::Shrd = row.op {
            let counts = [1, 31].map(Operand::Immediate);
            let counted = |count| choices.iter().map(move |it| [it[0], it[1], count]);
            choices = counts.into_iter().flat_map(|it| counted(it).map(Vec::from)).collect();
        }
        for operands in choices {
            code.push(row.op, &operands, 0);
        }
    }
    code
}

#[test]
fn a_decoder_decodes_every_encoded_instruction() {
    let code = everything();
    let Encoded { bytes, offsets, .. } = encode(&code);
    let mut decoder = Decoder::with_ip(32, &bytes, 0, DecoderOptions::NONE);
    let mut formatter = formatter();
    let mut text = String::new();
    for (instruction, offset) in code.instructions.iter().zip(offsets) {
        assert_eq!(decoder.position(), offset as usize, "before {instruction}");
        let decoded = decoder.decode();
        text.clear();
        formatter.format(&decoded, &mut text);
        let sizes = ["dword ptr ", "qword ptr ", "word ptr ", "byte ptr "];
        assert_eq!(
            sizes.iter().fold(text.clone(), |text, size| text.replace(size, "")),
            as_iced_writes(&instruction.to_string())
        );
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

/// iced omits zero displacements and repeated registers, unlike objdump.
fn as_iced_writes(text: &str) -> String {
    let sizes = ["DWORD PTR ", "QWORD PTR ", "WORD PTR ", "BYTE PTR "];
    let mut text = sizes.iter().fold(text.replace("+0x0]", "]"), |it, size| it.replace(size, ""));
    if let Some((before, number)) = text.split_once("ds:") {
        let (number, after) = number.split_at(number.find(',').unwrap_or(number.len()));
        text = format!("{before}[{number}]{after}");
    }
    if let Some(shift) = text.strip_suffix(",1") {
        text = format!("{shift},0x1");
    }
    for register in real().map(|register| register.to_string()) {
        let twice = format!("imul {register},{register},");
        text = text.replace(&twice, &format!("imul {register},"));
    }
    text
}

/// The length of the shortest encoding.
fn shortest(instruction: &Instruction) -> usize {
    let operand = |at: usize| instruction.operands[at];
    match instruction.op.row().encoding {
        Encoding::Bare(_) => 1,
        Encoding::ShortImmediate(_) => 5,
        Encoding::FromRegister(_) | Encoding::ToRegister(_) if has_short_form(instruction) => 5,
        Encoding::FromRegister(_) => 1 + mod_rm_length(operand(0)),
        Encoding::Short(_) => 1,
        Encoding::ToRegister(opcode) => opcode.len() + mod_rm_length(operand(1)),
        Encoding::Twice(_) => 2,
        Encoding::Digit(..) => 1 + mod_rm_length(operand(0)),
        #[cfg(feature = "ch12")]
        Encoding::FromLongRegister(opcode) | Encoding::LongTwice(opcode) => {
            opcode.len() + mod_rm_length(operand(0))
        }
        #[cfg(feature = "ch12")]
        Encoding::ToRegisterByte(opcode) => opcode.len() + mod_rm_length(operand(1)) + 1,
        #[cfg(feature = "ch14")]
        Encoding::FromRegisterByte(opcode) => opcode.len() + mod_rm_length(operand(0)) + 1,
        #[cfg(feature = "ch10")]
        Encoding::DigitImmediate(opcode, _, size) => {
            opcode.len() + mod_rm_length(operand(0)) + size.bytes() as usize
        }
        #[cfg(feature = "ch10")]
        Encoding::TestImmediate => 5 + usize::from(operand(0) != EAX),
        Encoding::Arithmetic(_) if immediate_length(operand(1)) == 1 => {
            2 + mod_rm_length(operand(0))
        }
        Encoding::Arithmetic(_) if operand(0) == EAX => 5,
        Encoding::Arithmetic(_) => 5 + mod_rm_length(operand(0)),
        #[cfg(feature = "ch14")]
        Encoding::HalfArithmetic(_) => {
            let is_small = (-128..128).contains(&(immediate(operand(1)) as i16));
            3 + mod_rm_length(operand(0)) + usize::from(!is_small)
        }
        Encoding::Shift(_) => 2 + usize::from(operand(1) != Operand::Immediate(1)),
        Encoding::MultiplyImmediate => 1 + mod_rm_length(operand(1)) + immediate_length(operand(2)),
        Encoding::SetCondition => 3,
        #[cfg(feature = "ch29")]
        Encoding::MoveCondition => 3,
        #[cfg(feature = "ch05")]
        Encoding::Jump | Encoding::JumpCondition => 2,
        #[cfg(feature = "ch14")]
        Encoding::SymbolDistance(_) | Encoding::ShortSymbol(_) => 5,
        #[cfg(feature = "ch15")]
        Encoding::PushImmediate => 1 + immediate_length(operand(0)),
    }
}

const EAX: Operand = Operand::Register(Register::EAX);

/// Whether it moves a word between eax and an absolute address.
fn has_short_form(instruction: &Instruction) -> bool {
    let absolute =
        |operand: &Operand| matches!(operand, Operand::Address(it) if it.registers() == [None; 2]);
    let operands = &instruction.operands;
    matches!(instruction.op, Op::Load | Op::Store)
        && operands.contains(&EAX)
        && operands.iter().any(absolute)
}

fn immediate_length(operand: Operand) -> usize {
    if (-128..128).contains(&immediate(operand)) { 1 } else { 4 }
}

fn mod_rm_length(operand: Operand) -> usize {
    match operand {
        Operand::Address(address) => {
            let small = (-128..128).contains(&address.displacement);
            let needs_sib = address.index().is_some() || address.base() == register(4);
            let displacement = match address.base() {
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

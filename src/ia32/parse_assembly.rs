//! Parses the text of code, for tests: the format of `print`, with `zero r` instead of `xor r,r`.
//! The forms of half words are `movzxh` and `movsxh`.
use crate::arith::Relation;
#[cfg(feature = "ch05")]
use crate::ia32::code::BlockId;
use crate::ia32::code::{Address, Base, Code, Form, Instruction, Operand};
use crate::ia32::instruction::condition;
use crate::ia32::instruction_table::ROWS;
use crate::ia32::register::{NAMES, Register};
use crate::target::RegisterKind;
use crate::target::read_blocks::{self, Line};
use arena::Id;

pub fn selected(text: &str) -> Code {
    // The colon of an absolute address ends no name.
    let named = |name: &str| register(name).unwrap_or_else(|| panic!("no register: {name}"));
    let lines = read_blocks::lines(&text.replace("ds:", "ds"), named);
    let texts = lines.iter().filter_map(Line::instruction);
    let instructions = texts.enumerate().map(|(at, line)| instruction(at, line));
    let instructions = instructions.collect::<Vec<_>>();
    let named = instructions.iter().flat_map(Instruction::registers);
    let passed = lines.iter().flat_map(|line| line.registers.iter().copied());
    let last = named.chain(passed).filter_map(|register| register.virtual_number()).max();
    Code {
        form: Form::Selected,
        instructions,
        virtual_registers: vec![RegisterKind::WORD; last.map_or(0, |last| last as usize + 1)],
        #[cfg(feature = "ch05")]
        blocks: read_blocks::blocks(&lines),
        ..Code::new("simple")
    }
}

pub fn allocated(text: &str) -> Code {
    Code { form: Form::Allocated, ..selected(text) }
}

fn instruction(at: usize, line: &str) -> Instruction {
    let (mnemonic, rest) = line.split_once(' ').unwrap_or((line, ""));
    let operands = rest.split(',').filter(|text| !text.is_empty()).map(operand);
    let (mnemonic, operands) = with_condition(mnemonic, operands.collect());
    let row = ROWS.iter().find(|row| {
        let slots = row.instruction.operands;
        let mut pairs = slots.iter().zip(&operands);
        row.instruction.mnemonic == mnemonic
            && slots.len() == operands.len()
            && pairs.all(|(slot, operand)| operand.fits(*slot))
    });
    Instruction::new(row.unwrap_or_else(|| panic!("no form for {line}")).op, &operands, at as u32)
}

fn with_condition(mnemonic: &str, mut operands: Vec<Operand>) -> (&str, Vec<Operand>) {
    for name in ["set", "j"] {
        let suffix = mnemonic.strip_prefix(name);
        let named = |relation: &Relation| suffix == Some(condition(*relation).0);
        if let Some(relation) = Relation::ALL.into_iter().find(named) {
            operands.insert(0, Operand::Condition(relation));
            return (name, operands);
        }
    }
    (mnemonic, operands)
}

fn operand(text: &str) -> Operand {
    let address = text.trim_start_matches("DWORD PTR ");
    if let Some(absolute) = address.strip_prefix("ds") {
        return Operand::Address(Address::new(Base::None, number(absolute)));
    }
    let address = address.strip_prefix('[');
    if let Some(address) = address.and_then(|it| it.strip_suffix(']')) {
        return Operand::Address(self::address(address));
    }
    #[cfg(feature = "ch05")]
    if let Some(block) = block(text) {
        return block;
    }
    register(text).map_or_else(|| Operand::Immediate(number(text)), Operand::Register)
}

#[cfg(feature = "ch05")]
fn block(text: &str) -> Option<Operand> {
    let number = text.strip_prefix('b')?.parse().ok()?;
    Some(Operand::Block(BlockId::from_index(number)))
}

fn register(text: &str) -> Option<Register> {
    let named =
        |register: &Register| register.to_string() == text || register.byte_name() == Some(text);
    #[cfg(feature = "ch14")]
    let named = |register: &Register| named(register) || register.half_name() == Some(text);
    let number = text.strip_prefix('v').and_then(|number| number.parse().ok());
    let real = (0..NAMES.len()).map(Register::from_index).find(named);
    real.or(number.map(Register::new_virtual))
}

fn address(text: &str) -> Address {
    let (mut base, mut scaled, mut displacement) = (Base::None, None, 0);
    for term in text.replace('-', "+-").split('+') {
        if let Some((index, scale)) = term.split_once('*') {
            let index = register(index).expect("an index is a register");
            scaled = Some((index, scale.parse().expect("a scale is a number")));
        } else if let Some(number) = term.strip_prefix("argument ") {
            base = Base::Argument(number.parse().expect("arguments have numbers"));
        } else if let Some(number) = term.strip_prefix("slot ") {
            base = Base::Slot(number.parse().expect("slots have numbers"));
        } else if let Some(register) = register(term) {
            base = Base::Register(register);
        } else {
            displacement = number(term);
        }
    }
    let sum = Address::new(base, displacement);
    scaled.map_or(sum, |(index, scale)| sum.with_index(index, scale))
}

/// Hexadecimal, modulo 2^32, or decimal.
fn number(text: &str) -> i32 {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let value = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    (sign * value.unwrap_or_else(|_| panic!("not a number: {text}"))) as i32
}

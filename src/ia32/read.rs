//! Code from its text, for tests: what `print` writes, and `zero r` where it writes `xor r,r`.
use crate::arith::Relation;
use crate::base::ids::Id;
use crate::ia32::code::{Address, Base, Code, Form, Inst, Operand};
use crate::ia32::inst::{ROWS, condition};
use crate::ia32::reg::{NAMES, Register};
use crate::rules::target::Slot;

/// Instructions stand on lines of their own or between semicolons.
pub fn selected(text: &str) -> Code {
    let lines = text.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty());
    let instructions = lines.enumerate().map(|(at, line)| instruction(at, line));
    let instructions = instructions.collect::<Vec<_>>();
    let named = instructions.iter().flat_map(|inst| inst.reads().chain(inst.writes()));
    let last = named.filter_map(|register| register.virtual_number()).max();
    Code { form: Form::Selected, instructions, virtuals: last.map_or(0, |last| last + 1) }
}

pub fn allocated(text: &str) -> Code {
    Code { form: Form::Allocated, ..selected(text) }
}

fn instruction(at: usize, line: &str) -> Inst {
    let (mnemonic, rest) = line.split_once(' ').unwrap_or((line, ""));
    let operands = rest.split(',').filter(|text| !text.is_empty()).map(operand);
    let (mnemonic, operands) = with_condition(mnemonic, operands.collect());
    let row = ROWS.iter().find(|row| {
        let slots = row.instruction.operands;
        let mut pairs = slots.iter().zip(&operands);
        row.instruction.mnemonic == mnemonic
            && slots.len() == operands.len()
            && pairs.all(|(slot, operand)| is_kind(*slot, *operand))
    });
    Inst::new(row.unwrap_or_else(|| panic!("no form for {line}")).op, &operands, at as u32)
}

fn with_condition(mnemonic: &str, mut operands: Vec<Operand>) -> (&str, Vec<Operand>) {
    let named = |relation: &Relation| mnemonic.strip_prefix("set") == Some(condition(*relation).0);
    let Some(relation) = Relation::ALL.into_iter().find(named) else { return (mnemonic, operands) };
    operands.insert(0, Operand::Condition(relation));
    ("set", operands)
}

fn is_kind(slot: Slot, operand: Operand) -> bool {
    match operand {
        Operand::None => false,
        Operand::Register(_) => matches!(slot, Slot::Register(..)),
        Operand::Immediate(_) => slot == Slot::Immediate,
        Operand::Address(_) => slot == Slot::Address,
        Operand::Condition(_) => slot == Slot::Condition,
    }
}

fn operand(text: &str) -> Operand {
    let address = text.trim_start_matches("DWORD PTR ").strip_prefix('[');
    if let Some(address) = address.and_then(|text| text.strip_suffix(']')) {
        return Operand::Address(self::address(address));
    }
    register(text).map_or_else(|| Operand::Immediate(number(text)), Operand::Register)
}

fn register(text: &str) -> Option<Register> {
    let named =
        |register: &Register| register.to_string() == text || register.byte_name() == Some(text);
    let number = text.strip_prefix('v').and_then(|number| number.parse().ok());
    let real = (0..NAMES.len()).map(Register::from_index).find(named);
    real.or(number.map(Register::new_virtual))
}

fn address(text: &str) -> Address {
    let mut address = Address::new(Base::None, 0);
    for term in text.replace('-', "+-").split('+') {
        if let Some((index, scale)) = term.split_once('*') {
            let index = register(index).expect("an index is a register");
            address.index = Some((index, scale.parse().expect("a scale is a number")));
        } else if let Some(number) = term.strip_prefix("argument ") {
            address.base = Base::Argument(number.parse().expect("arguments have numbers"));
        } else if let Some(number) = term.strip_prefix("slot ") {
            address.base = Base::Slot(number.parse().expect("slots have numbers"));
        } else if let Some(base) = register(term) {
            address.base = Base::Register(base);
        } else {
            address.displacement = number(term);
        }
    }
    address
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

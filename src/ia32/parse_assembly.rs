//! Parses the text of code, for tests: the format of `print`, with `zero r` instead of `xor r,r`.
//! The forms of half words are `movzxh` and `movsxh`.
//!
//! The name of a block may be followed by its loop depth: `b2@1(v3,v4):`.
use crate::arith::Relation;
use crate::ia32::code::{Address, Base, Code, Form, Instruction, Operand};
#[cfg(feature = "ch05")]
use crate::ia32::code::{Block, BlockId};
use crate::ia32::instruction::condition;
use crate::ia32::instruction_table::ROWS;
use crate::ia32::register::{NAMES, Register};
use crate::target::{OperandConstraint, RegisterKind};
use arena::Id;

/// Instructions are separated by line ends or semicolons, and may follow a block's name.
pub fn selected(text: &str) -> Code {
    let lines = lines(text);
    let texts = lines.iter().filter_map(Line::instruction);
    let instructions = texts.enumerate().map(|(at, line)| instruction(at, line));
    let instructions = instructions.collect::<Vec<_>>();
    let named =
        instructions.iter().flat_map(|instruction| instruction.reads().chain(instruction.writes()));
    let passed = lines.iter().flat_map(Line::registers);
    let last = named.chain(passed).filter_map(|register| register.virtual_number()).max();
    Code {
        form: Form::Selected,
        instructions,
        virtual_registers: vec![RegisterKind::WORD; last.map_or(0, |last| last as usize + 1)],
        #[cfg(feature = "ch05")]
        blocks: blocks(&lines),
        ..Code::new("simple")
    }
}

pub fn allocated(text: &str) -> Code {
    Code { form: Form::Allocated, ..selected(text) }
}

/// The name of a block or an instruction, and the registers in parentheses after it.
struct Line {
    text: String,
    registers: Vec<Register>,
}

fn lines(text: &str) -> Vec<Line> {
    // The colon of an absolute address ends no name.
    let text = text.replace("ds:", "ds");
    let parts = text.split(['\n', ';']).flat_map(|line| line.split_inclusive(':'));
    parts.map(str::trim).filter(|part| !part.is_empty()).map(Line::new).collect()
}

impl Line {
    fn new(text: &str) -> Line {
        let end = if text.ends_with(':') { ":" } else { "" };
        let inner = text.trim_end_matches(':').strip_suffix(')');
        let Some((text, inner)) = inner.and_then(|text| text.split_once('(')) else {
            return Line { text: text.into(), registers: Vec::new() };
        };
        let named = |name| register(name).unwrap_or_else(|| panic!("no register: {name}"));
        Line { text: format!("{text}{end}"), registers: inner.split(',').map(named).collect() }
    }

    fn instruction(&self) -> Option<&str> {
        (!self.text.ends_with(':')).then_some(&self.text)
    }

    fn registers(&self) -> impl Iterator<Item = Register> {
        self.registers.iter().copied()
    }
}

#[cfg(feature = "ch05")]
fn blocks(lines: &[Line]) -> arena::Arena<BlockId, Block> {
    let mut blocks = arena::Arena::default();
    let mut first = 0;
    for line in lines {
        match line.text.strip_suffix(':') {
            Some(name) => {
                let (name, depth) = name.split_once('@').unwrap_or((name, "0"));
                let depth = depth.parse().expect("a number of loops");
                let parameters = line.registers.clone();
                let id = blocks.push(Block { first, depth, parameters, arguments: Vec::new() });
                assert_eq!(block(name), Some(Operand::Block(id)), "blocks are numbered in order");
            }
            None => {
                if blocks.is_empty() {
                    blocks.push(Block::default());
                }
                let last: BlockId = blocks.ids().next_back().expect("there is one");
                blocks[last].arguments.extend(line.registers());
                first += 1;
            }
        }
    }
    blocks
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
            && pairs.all(|(slot, operand)| is_kind(*slot, *operand))
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

fn is_kind(slot: OperandConstraint, operand: Operand) -> bool {
    match operand {
        Operand::None => false,
        Operand::Register(_) => matches!(slot, OperandConstraint::Register(..)),
        Operand::Immediate(_) => slot == OperandConstraint::Immediate,
        Operand::Address(_) => slot == OperandConstraint::Address,
        Operand::Condition(_) => slot == OperandConstraint::Condition,
        #[cfg(feature = "ch05")]
        Operand::Block(_) => slot == OperandConstraint::Block,
        #[cfg(feature = "ch14")]
        Operand::Symbol(_) => slot == OperandConstraint::Symbol,
        #[cfg(feature = "ch14")]
        Operand::Signature(_) => false,
        #[cfg(feature = "ch18")]
        Operand::Preserved(_) => false,
    }
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

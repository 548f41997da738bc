//! Parses assembly, for tests: the output of `print`, also with semicolons between lines.
use crate::arith::Relation;
use crate::target::blocks::BlockId;
use crate::target::read_blocks::{Line, blocks, lines};
use crate::ttc::tr::code::{Code, Instruction, Operand, Register};
use crate::ttc::tr::instruction_table::ROWS;
use arena::Id;

pub fn code(text: &str) -> Code {
    let mut code = Code::default();
    let lines = lines(text, register);
    #[cfg(feature = "ch25")]
    let lines: Vec<_> = lines.into_iter().filter(|it| !symbol(&mut code, &it.text)).collect();
    let texts = lines.iter().filter_map(Line::instruction).enumerate();
    code.instructions = texts.map(|(at, text)| instruction(text, at)).collect();
    code.blocks = blocks(&lines);
    let named = code.instructions.iter().flat_map(|inst| inst.reads().chain(inst.writes()));
    let passed = lines.iter().flat_map(|line| line.registers.iter().copied());
    code.registers = named.chain(passed).map(|it| it.index() as u32 + 1).max().unwrap_or(0);
    code
}

/// Reads a symbol, as in `s0 = global`.
#[cfg(feature = "ch25")]
fn symbol(code: &mut Code, text: &str) -> bool {
    let Some((number, name)) = text.split_once(" = ") else { return false };
    operand(number) == Operand::Symbol(code.symbols.number(name))
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|text| !text.is_empty())
}

fn instruction(text: &str, at: usize) -> Instruction {
    #[cfg(feature = "ch25")]
    if let Some(rest) = text.strip_prefix("volatile ") {
        return Instruction { access: crate::firm::Access::Volatile, ..plain(rest, at) };
    }
    plain(text, at)
}

fn plain(text: &str, at: usize) -> Instruction {
    let (mnemonic, rest) = text.split_once(' ').expect("every instruction has operands");
    let (mnemonic, relation) = match mnemonic.split_once('.') {
        Some((mnemonic, name)) => (mnemonic, Some(relation(name))),
        None => (mnemonic, None),
    };
    let operands = relation.into_iter().chain(list(rest).map(operand)).collect::<Vec<_>>();
    let number = ROWS.iter().position(|row| row.instruction.mnemonic == mnemonic);
    Instruction::new(number.unwrap_or_else(|| panic!("no `{mnemonic}`")), &operands, at as u32)
}

fn relation(name: &str) -> Operand {
    let named = |relation: &Relation| relation.row().name.to_lowercase() == name;
    Operand::Condition(Relation::ALL.into_iter().find(named).expect("a relation"))
}

fn operand(text: &str) -> Operand {
    match text.split_at(1) {
        ("v", _) => Operand::Register(register(text)),
        ("b", number) => {
            Operand::Block(BlockId::from_index(number.parse().expect("a block has a number")))
        }
        #[cfg(feature = "ch25")]
        ("s", number) => Operand::Symbol(number.parse().expect("a symbol has a number")),
        _ => Operand::Immediate(text.parse().expect("a number")),
    }
}

fn register(text: &str) -> Register {
    let number = text.strip_prefix('v').and_then(|number| number.parse().ok());
    Register::from_index(number.expect("a register has a number"))
}

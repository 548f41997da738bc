//! Parses assembly, for tests: the output of `print`, also with semicolons between lines.
use crate::arith::Relation;
use crate::target::code_builder::BlockId;
use crate::ttc::tr::code::{Block, Code, Instruction, Operand, Register};
use crate::ttc::tr::instruction_table::ROWS;
use arena::Id;

pub fn code(text: &str) -> Code {
    let mut code = Code::default();
    let parts = text.split(['\n', ';']).flat_map(|line| line.split_inclusive(':'));
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        #[cfg(feature = "ch25")]
        if symbol(&mut code, part) {
            continue;
        }
        let (text, registers) = match part.trim_end_matches(':').strip_suffix(')') {
            Some(text) => text.split_once('(').expect("the parenthesis was opened"),
            None => (part.trim_end_matches(':'), ""),
        };
        let registers = list(registers).map(register).collect::<Vec<_>>();
        if part.ends_with(':') {
            let first = code.instructions.len() as u32;
            let block = Block { first, parameters: registers, arguments: Vec::new() };
            let id = code.blocks.push(block);
            assert_eq!(operand(text), Operand::Block(id), "blocks are numbered in order");
        } else {
            let inst = instruction(text, code.instructions.len());
            code.instructions.push(inst);
            let last = code.blocks.ids().next_back().expect("a block has begun");
            code.blocks[last].arguments.extend(registers);
        }
    }
    let named = code.instructions.iter().flat_map(|inst| inst.reads().chain(inst.writes()));
    let handed = code.blocks.ids().flat_map(|id| {
        let Block { parameters, arguments, .. } = &code.blocks[id];
        parameters.iter().chain(arguments).copied()
    });
    code.registers = named.chain(handed).map(|it| it.index() as u32 + 1).max().unwrap_or(0);
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

//! Implements the interface through which selection produces code.
#[cfg(feature = "ch14")]
use crate::firm::Signature;
#[cfg(feature = "ch14")]
use crate::ia32::Op;
#[cfg(feature = "ch04")]
use crate::ia32::address::{Address, Base};
#[cfg(feature = "ch05")]
use crate::ia32::code::Block;
use crate::ia32::code::Instruction;
use crate::ia32::instruction_table::ROWS;
use crate::ia32::{Code, Operand, Register};
#[cfg(feature = "ch29")]
use crate::target::Flags;
use crate::target::RegisterKind;
#[cfg(feature = "ch05")]
use crate::target::blocks::BlockId;
use crate::target::code_builder::{self, CodeBuilder};
use arena::Id;

/// So many instructions are searched for the last comparison, so that it takes constant time.
#[cfg(feature = "ch29")]
const NEAR: usize = 16;

impl CodeBuilder for Code {
    fn new_register(&mut self, kind: RegisterKind) -> code_builder::Register {
        self.virtual_registers.push(kind);
        code_builder::Register::Virtual(self.register_count() - 1)
    }

    fn add(&mut self, instruction: usize, operands: &[code_builder::Operand], origin: u32) {
        let instruction = self::instruction(instruction, operands, origin);
        #[cfg(feature = "ch29")]
        if self.repeats_comparison(instruction.op, instruction.operands) {
            return;
        }
        self.instructions.push(instruction);
    }

    fn add_copy(&mut self, to: code_builder::Register, from: code_builder::Register, origin: u32) {
        let operands = [to, from].map(|it| Operand::Register(register(it)));
        let copy = self.kind(register(to)).expect("its registers are known").copy();
        self.push(copy, &operands, origin);
    }

    #[cfg(feature = "ch05")]
    fn new_block(&mut self, depth: u32) -> BlockId {
        self.blocks.push(Block::new(0, depth))
    }

    #[cfg(feature = "ch05")]
    fn begin(&mut self, block: BlockId, parameters: &[code_builder::Register]) {
        let filled = &mut self.blocks[block];
        filled.first = self.instructions.len() as u32;
        filled.parameters = parameters.iter().copied().map(register).collect();
    }

    #[cfg(feature = "ch05")]
    fn set_arguments(&mut self, block: BlockId, arguments: &[code_builder::Register]) {
        self.blocks[block].arguments = arguments.iter().copied().map(register).collect();
    }

    #[cfg(feature = "ch14")]
    fn set_signature(&mut self, signature: Signature) {
        let call = self.instructions.iter_mut().rev().find(|instruction| instruction.is_call());
        call.expect("the rule of a Call calls").operands[1] = Operand::Signature(signature);
    }

    #[cfg(feature = "ch14")]
    fn pass_argument(&mut self, number: u32, value: code_builder::Register, origin: u32) {
        self.store_word(Base::Outgoing(number), value, origin);
    }

    /// No other call follows, so the arguments are pushed, the last one first: they need no words
    /// of the frame.
    #[cfg(feature = "ch15")]
    fn end_with_call(&mut self, symbol: u32, arguments: &[code_builder::Operand], origin: u32) {
        for &argument in arguments.iter().rev() {
            let is_number = matches!(argument, code_builder::Operand::Immediate(_));
            let op = if is_number { Op::PushImmediate } else { Op::Push };
            self.push(op, &[operand(argument)], origin);
        }
        let signature = Signature::new(arguments.len() as u32, 0);
        let operands = [Operand::Symbol(symbol), Operand::Signature(signature)];
        self.push(Op::CallNoReturn, &operands, origin);
    }

    #[cfg(feature = "ch14")]
    fn take_result(&mut self, word: u32, origin: u32) -> code_builder::Register {
        let result = self.new_register(RegisterKind::WORD);
        let word = Operand::Address(Address::new(Base::Outgoing(word), 0));
        self.push(Op::Load, &[Operand::Register(register(result)), word], origin);
        result
    }

    #[cfg(feature = "ch14")]
    fn return_result(&mut self, number: u32, value: code_builder::Register, origin: u32) {
        let word = Base::Argument(self.signature.parameters + number - 1);
        self.store_word(word, value, origin);
    }
}

#[cfg(feature = "ch29")]
impl Code {
    /// Whether an instruction repeats the comparison that the flags are from, as for two Muxes with
    /// one condition. Virtual registers and numbers do not change between the two.
    fn repeats_comparison(&self, op: Op, operands: [Operand; 3]) -> bool {
        let may_change = |operand: &Operand| match operand {
            Operand::Register(register) => register.is_real(),
            Operand::Address(_) => true,
            _ => false,
        };
        if op.row().instruction.flags != Flags::Compared || operands.iter().any(may_change) {
            return false;
        }
        let is_end = |op: Op| op.is_return() || matches!(op, Op::Jmp | Op::Jcc);
        let block = self.instructions.iter().rev().take_while(|it| !is_end(it.op));
        let sets_flags = |it: &&Instruction| it.flags().writes();
        let last = block.take(NEAR).find(sets_flags);
        last.is_some_and(|it| it.op == op && it.operands == operands)
    }
}

#[cfg(feature = "ch14")]
impl Code {
    fn store_word(&mut self, word: Base, value: code_builder::Register, origin: u32) {
        let word = Operand::Address(Address::new(word, 0));
        let value = register(value);
        let store = self.kind(value).expect("its registers are known").store();
        self.push(store, &[word, Operand::Register(value)], origin);
    }
}

/// An instruction, by its number in the table.
pub fn instruction(number: usize, operands: &[code_builder::Operand], origin: u32) -> Instruction {
    let mut all = [Operand::None; 3];
    for (target, operand) in all.iter_mut().zip(operands) {
        *target = self::operand(*operand);
    }
    Instruction { op: ROWS[number].op, operands: all, origin }
}

fn register(register: code_builder::Register) -> Register {
    match register {
        code_builder::Register::Real(number) => Register::from_index(usize::from(number)),
        code_builder::Register::Virtual(number) => Register::new_virtual(number),
    }
}

fn operand(operand: code_builder::Operand) -> Operand {
    match operand {
        code_builder::Operand::Register(it) => Operand::Register(register(it)),
        code_builder::Operand::Immediate(number) => Operand::Immediate(number),
        #[cfg(feature = "ch04")]
        code_builder::Operand::Address(it) => Operand::Address(address(it)),
        #[cfg(feature = "ch04")]
        code_builder::Operand::Condition(relation) => Operand::Condition(relation),
        #[cfg(feature = "ch05")]
        code_builder::Operand::Block(block) => Operand::Block(block),
        #[cfg(feature = "ch14")]
        code_builder::Operand::Symbol(symbol) => Operand::Symbol(symbol),
    }
}

#[cfg(feature = "ch04")]
fn address(address: code_builder::Address) -> Address {
    #[cfg(feature = "ch12")]
    if let Some(bits) = address.constant {
        return Address::of_constant(bits);
    }
    let base = match (address.base, address.argument) {
        (Some(base), _) => Base::Register(register(base)),
        (None, Some(number)) => Base::Argument(number),
        (None, None) => Base::None,
    };
    let sum = Address::new(base, address.displacement);
    let index = address.index.map(|(index, scale)| (register(index), scale));
    index.map_or(sum, |(index, scale)| sum.with_index(index, scale))
}

//! The calling convention of functions that only this program calls: the first words are passed in
//! registers, and so are the first two results.
//!
//! Selection passes all arguments on the stack, as C does, and all results but the first. Here, each
//! function whose address is no value gets its first words in eax, edx and ecx, and all its callers
//! put them there: a move to a register takes the place of a store, and at the entry a move from one
//! that of a load. The other words of the stack have smaller numbers then. In the same way, a second
//! result goes in edx, as C returns integers of two words.
//!
//! (GCC: Function Attributes, `regparm`; F. Chow: Minimizing Register Usage Penalty at Procedure
//! Calls, 1988.)
use crate::firm::Signature;
use crate::ia32::code::{Address, Base, BlockId, Instruction};
use crate::ia32::register::ARGUMENT_REGISTERS;
use crate::ia32::{Code, Op, Operand, Program, Register};
use crate::target::RegisterKind;

/// Passes the first words of arguments and the second result in registers wherever all callers are
/// known.
pub fn pass_in_registers(mut program: Program) -> Program {
    let functions = &program.functions;
    let mut signatures: Vec<Signature> = functions.iter().map(in_registers).collect();
    signatures[0] = functions[0].signature; // The start of the process calls it as C does.
    for instruction in functions.iter().flat_map(|code| &code.instructions) {
        if instruction.op != Op::Call
            && let Some(symbol) = instruction.operands.into_iter().find_map(Operand::symbol)
            && let Some(code) = functions.get(symbol as usize)
        {
            signatures[symbol as usize] = code.signature;
        }
    }
    for (code, own) in program.functions.iter_mut().zip(&signatures) {
        code.signature = *own;
        move_words(code, &signatures);
    }
    program
}

/// The signature of a function with words in registers.
fn in_registers(code: &Code) -> Signature {
    let signature = code.signature;
    let in_registers = words_for_registers(code);
    Signature { in_registers, returns_pair: signature.results == 2, ..signature }
}

/// The number of the first words of a function that may be in registers: none, if an instruction
/// other than a load reads one.
fn words_for_registers(code: &Code) -> u32 {
    let words = code.signature.parameters.min(ARGUMENT_REGISTERS.len() as u32);
    let reads = |it: &Instruction| argument(it.operands[1]).or(argument(it.operands[2]));
    let others = code.instructions.iter().filter(|it| from_register(it.op).is_none());
    if others.filter_map(reads).any(|number| number < words) { 0 } else { words }
}

/// The instruction that reads a register in place of a word of the stack.
fn from_register(op: Op) -> Option<Op> {
    match op {
        Op::Load => Some(Op::Mov),
        Op::FloatFromMemory => Some(Op::FloatFromWord),
        _ => None,
    }
}

/// The number of an own argument, if the operand is its word on the stack.
fn argument(operand: Operand) -> Option<u32> {
    let Operand::Address(address) = operand else { return None };
    let Base::Argument(number) = address.base() else { return None };
    Some(number)
}

/// Rewrites the accesses of a function to its own arguments and results and to those of its calls.
fn move_words(code: &mut Code, signatures: &[Signature]) {
    let own = code.signature.in_registers;
    let mut rewriter = Rewriter {
        own: code.signature,
        values: (0..own).map(|_| new_word(code)).collect(),
        signatures,
        last: Signature::new(0, 1),
        passed: Vec::new(),
        returned: None,
        instructions: Vec::with_capacity(code.instructions.len() + own as usize),
    };
    let origin = code.instructions.first().map_or(0, |it| it.origin);
    for (value, register) in rewriter.values.clone().into_iter().zip(ARGUMENT_REGISTERS) {
        rewriter.copy(Operand::Register(value), Operand::Register(register), origin);
    }
    for block in code.blocks.ids() {
        let range = code.range(block);
        let first = if block == BlockId::ENTRY { 0 } else { rewriter.instructions.len() };
        code.blocks[block].first = first as u32;
        code.instructions[range].iter().for_each(|it| rewriter.instruction(*it));
    }
    code.instructions = rewriter.instructions;
}

fn new_word(code: &mut Code) -> Register {
    code.virtual_registers.push(RegisterKind::WORD);
    Register::new_virtual(code.register_count() - 1)
}

struct Rewriter<'c> {
    own: Signature,
    /// The values of the arguments that are in registers.
    values: Vec<Register>,
    /// The signatures of all functions, and that of the last call.
    signatures: &'c [Signature],
    last: Signature,
    /// The stores of the next call's arguments.
    passed: Vec<Instruction>,
    /// The second result of the next return.
    returned: Option<Operand>,
    instructions: Vec<Instruction>,
}

impl Rewriter<'_> {
    fn instruction(&mut self, mut instruction: Instruction) {
        let [first, second, _] = instruction.operands;
        match instruction.op {
            _ if instruction.is_call() => return self.call(instruction),
            Op::Ret if self.own.returns_pair => return self.return_pair(instruction),
            Op::Store if outgoing(first).is_some() => return self.passed.push(instruction),
            Op::Store if self.own.returns_pair && argument(first) == Some(self.own.parameters) => {
                self.returned = Some(second);
                return;
            }
            Op::Load
                if self.last.returns_pair && outgoing(second) == Some(self.last.parameters) =>
            {
                let second = Operand::Register(Register::EDX);
                return self.copy(first, second, instruction.origin);
            }
            _ => {}
        }
        if let Some(number) = argument(second)
            && let Some(&value) = self.values.get(number as usize)
        {
            if instruction.op == Op::FloatFromMemory {
                // From a register, it keeps the upper half of its target.
                self.instructions.push(Instruction::new(
                    Op::FloatZero,
                    &[first],
                    instruction.origin,
                ));
            }
            instruction.op = from_register(instruction.op).expect("only loads read this word");
            instruction.operands[1] = Operand::Register(value);
        }
        for operand in &mut instruction.operands {
            let Operand::Address(address) = operand else { continue };
            match address.base() {
                Base::Argument(number) => {
                    *operand = word(Base::Argument, number - self.own.in_registers);
                }
                Base::Outgoing(number) => {
                    *operand = word(Base::Outgoing, number - self.last.in_registers);
                }
                _ => {}
            }
        }
        self.instructions.push(instruction);
    }

    /// Moves the second result to its register before a return.
    fn return_pair(&mut self, mut instruction: Instruction) {
        let second = self.returned.take().expect("a return of two results stores the second one");
        self.copy(Operand::Register(Register::EDX), second, instruction.origin);
        instruction.op = Op::RetPair;
        self.instructions.push(instruction);
    }

    /// Stores the words that stay on the stack, and then moves the others to their registers.
    fn call(&mut self, mut call: Instruction) {
        let callee = call.operands[0].symbol().and_then(|it| self.signatures.get(it as usize));
        self.last = callee.copied().or(call.signature()).expect("a call has a signature");
        call.operands[1] = Operand::Signature(self.last);
        if self.last.returns_pair {
            call.op = Op::CallPair;
        }
        let in_registers = self.last.in_registers;
        let passed = std::mem::take(&mut self.passed);
        let (moved, stored): (Vec<_>, Vec<_>) = passed.into_iter().partition(|it| {
            outgoing(it.operands[0]).is_some_and(|number| number < in_registers) //
        });
        for mut store in stored {
            let number = outgoing(store.operands[0]).expect("it stores an argument");
            store.operands[0] = word(Base::Outgoing, number - in_registers);
            self.instructions.push(store);
        }
        for Instruction { operands: [to, value, _], origin, .. } in moved {
            let number = outgoing(to).expect("it stores an argument");
            self.copy(Operand::Register(ARGUMENT_REGISTERS[number as usize]), value, origin);
        }
        self.instructions.push(call);
    }

    fn copy(&mut self, to: Operand, from: Operand, origin: u32) {
        self.instructions.push(Instruction::new(Op::Mov, &[to, from], origin));
    }
}

/// The number of an argument of the next call, if the operand is its word on the stack.
fn outgoing(operand: Operand) -> Option<u32> {
    let Operand::Address(address) = operand else { return None };
    let Base::Outgoing(number) = address.base() else { return None };
    Some(number)
}

fn word(base: fn(u32) -> Base, number: u32) -> Operand {
    Operand::Address(Address::new(base(number), 0))
}

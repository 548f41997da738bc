//! The calling convention of functions that only this program calls: the first words are passed in
//! registers.
//!
//! Selection passes all arguments on the stack, as C does. Here, each function whose address is no
//! value gets its first words in eax, edx and ecx, and all its callers put them there: a move to a
//! register takes the place of a store, and at the entry a move from one that of a load. The other
//! words of the stack have smaller numbers then.
//!
//! (GCC: Function Attributes, `regparm`; F. Chow: Minimizing Register Usage Penalty at Procedure
//! Calls, 1988.)
use crate::ia32::code::{Address, Base, BlockId, Instruction};
use crate::ia32::register::ARGUMENT_REGISTERS;
use crate::ia32::{Code, Op, Operand, Program, Register};
use crate::target::RegisterKind;

/// Passes the first words of arguments in registers wherever all callers are known.
pub fn pass_in_registers(mut program: Program) -> Program {
    let functions = &program.functions;
    let mut in_registers: Vec<u32> = functions.iter().map(words_for_registers).collect();
    in_registers[0] = 0; // The start of the process calls it as C does.
    for instruction in functions.iter().flat_map(|code| &code.instructions) {
        if instruction.op != Op::Call
            && let Some(symbol) = instruction.operands.into_iter().find_map(Operand::symbol)
            && let Some(words) = in_registers.get_mut(symbol as usize)
        {
            *words = 0;
        }
    }
    for (code, &own) in program.functions.iter_mut().zip(&in_registers) {
        code.signature.in_registers = own;
        move_arguments(code, &in_registers);
    }
    program
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

/// Rewrites the accesses of a function to its own arguments and to those of its calls.
fn move_arguments(code: &mut Code, in_registers: &[u32]) {
    let own = code.signature.in_registers;
    let mut rewriter = Rewriter {
        values: (0..own).map(|_| new_word(code)).collect(),
        in_registers,
        last: 0,
        passed: Vec::new(),
        instructions: Vec::with_capacity(code.instructions.len() + own as usize),
    };
    let origin = code.instructions.first().map_or(0, |it| it.origin);
    for (value, register) in rewriter.values.clone().into_iter().zip(ARGUMENT_REGISTERS) {
        rewriter.copy(value, register, origin);
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
    /// The values of the arguments that are in registers.
    values: Vec<Register>,
    /// The number of words that each function takes in registers.
    in_registers: &'c [u32],
    /// That number for the last call.
    last: u32,
    /// The stores of the next call's arguments.
    passed: Vec<Instruction>,
    instructions: Vec<Instruction>,
}

impl Rewriter<'_> {
    fn instruction(&mut self, mut instruction: Instruction) {
        if instruction.is_call() {
            self.call(instruction);
            return;
        }
        let [first, second, _] = instruction.operands;
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
        } else if let (Op::Store, Some(_)) = (instruction.op, outgoing(first)) {
            self.passed.push(instruction);
            return;
        }
        for operand in &mut instruction.operands {
            let Operand::Address(address) = operand else { continue };
            match address.base() {
                Base::Argument(number) => *operand = word(Base::Argument, number - self.own()),
                Base::Outgoing(number) => *operand = word(Base::Outgoing, number - self.last),
                _ => {}
            }
        }
        self.instructions.push(instruction);
    }

    fn own(&self) -> u32 {
        self.values.len() as u32
    }

    /// Stores the words that stay on the stack, and then moves the others to their registers.
    fn call(&mut self, mut call: Instruction) {
        let symbol = call.operands[0].symbol().map(|symbol| symbol as usize);
        self.last = symbol.and_then(|it| self.in_registers.get(it)).copied().unwrap_or(0);
        let passed = std::mem::take(&mut self.passed);
        let (in_registers, on_stack): (Vec<_>, Vec<_>) = passed.into_iter().partition(|it| {
            outgoing(it.operands[0]).is_some_and(|number| number < self.last) //
        });
        for mut store in on_stack {
            let number = outgoing(store.operands[0]).expect("it stores an argument");
            store.operands[0] = word(Base::Outgoing, number - self.last);
            self.instructions.push(store);
        }
        for Instruction { operands, origin, .. } in in_registers {
            let number = outgoing(operands[0]).expect("it stores an argument");
            let Operand::Register(value) = operands[1] else { unreachable!("it is a value") };
            self.copy(ARGUMENT_REGISTERS[number as usize], value, origin);
        }
        if let Operand::Signature(signature) = &mut call.operands[1] {
            signature.in_registers = self.last;
        }
        self.instructions.push(call);
    }

    fn copy(&mut self, to: Register, from: Register, origin: u32) {
        let operands = [Operand::Register(to), Operand::Register(from)];
        self.instructions.push(Instruction::new(Op::Mov, &operands, origin));
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

//! The calling convention of functions that only this program calls: the first words and floats are
//! passed in registers, and so is a second result.
//!
//! Selection passes all arguments on the stack, as C does, and all results but the first. Here,
//! each function whose address is no value gets its first words in eax, edx and ecx, its first
//! floats in xmm0, xmm1 and xmm2, and all its callers put them there: a move to a register takes
//! the place of a store, and at the entry a move from one that of a load. The other words of the
//! stack have smaller numbers then. In the same way, a second result goes in edx, as C returns
//! integers of two words.
//!
//! (GCC: Function Attributes, `regparm`; F. Chow: Minimizing Register Usage Penalty at Procedure
//! Calls, 1988.)
use crate::firm::{Signature, WordSet};
use crate::ia32::code::{Address, Base, BlockId, Instruction};
use crate::ia32::register::{ARGUMENT_REGISTERS, FLOAT_ARGUMENT_REGISTERS, passed_words};
use crate::ia32::{Code, Op, Operand, Program, Register};
use crate::register_usage::callee;

/// Passes the first words and floats of arguments and the second result in registers wherever all
/// callers are known.
pub fn pass_in_registers(mut program: Program) -> Program {
    let functions = &program.functions;
    let floats = floats(functions);
    let conventions = functions.iter().zip(floats);
    let mut conventions: Vec<Convention> =
        conventions.map(|(code, floats)| Convention::in_registers(code, floats)).collect();
    // The start of the process calls it as C does.
    conventions[0] = Convention::of_c(functions[0].signature);
    for instruction in functions.iter().flat_map(|code| &code.instructions) {
        if callee(instruction).is_none()
            && let Some(symbol) = instruction.operands.into_iter().find_map(Operand::symbol)
            && let Some(code) = functions.get(symbol as usize)
        {
            conventions[symbol as usize] = Convention::of_c(code.signature);
        }
    }
    for (code, own) in program.functions.iter_mut().zip(&conventions) {
        move_words(code, *own, &conventions);
    }
    program
}

/// The places of the arguments and the results of a function.
#[derive(Clone, Copy)]
struct Convention {
    /// A second result in edx is none of its results.
    signature: Signature,
    /// Whether there is one.
    returns_pair: bool,
}

/// The words of each function's arguments at which a float begins: so it loads them, or a caller
/// stores them.
fn floats(functions: &[Code]) -> Vec<WordSet> {
    let mut floats = vec![WordSet::EMPTY; functions.len()];
    for (number, code) in functions.iter().enumerate() {
        let mut passed = WordSet::EMPTY;
        for instruction in &code.instructions {
            match (instruction.op, instruction.operands) {
                (Op::FloatLoad, [_, from, _]) if let Some(word) = argument(from) => {
                    floats[number].insert(word);
                }
                (Op::FloatStore, [to, ..]) if let Some(word) = outgoing(to) => passed.insert(word),
                _ if instruction.is_call() => {
                    let passed = std::mem::replace(&mut passed, WordSet::EMPTY);
                    if let Some(callee) = callee(instruction).and_then(|it| floats.get_mut(it)) {
                        *callee = callee.union(passed);
                    }
                }
                _ => {}
            }
        }
    }
    floats
}

impl Convention {
    fn of_c(signature: Signature) -> Convention {
        Convention { signature, returns_pair: false }
    }

    /// With words in registers: not those that an instruction other than a load reads.
    fn in_registers(code: &Code, floats: WordSet) -> Convention {
        let others = code.instructions.iter().filter(|it| from_register(it.op).is_none());
        let reads = others.flat_map(|it| it.operands).filter_map(argument);
        let mut on_stack = WordSet::EMPTY;
        reads.for_each(|word| on_stack.insert(word));
        let mut signature = code.signature;
        let returns_pair = signature.results == 2;
        signature.results -= u32::from(returns_pair);
        let mut free = [ARGUMENT_REGISTERS.len(), FLOAT_ARGUMENT_REGISTERS.len()];
        let mut word = 0;
        while word < signature.parameters {
            let is_float = floats.contains(word);
            let last = word + u32::from(is_float);
            let free = &mut free[usize::from(is_float)];
            if *free > 0 && !on_stack.contains(word) && last < WordSet::SIZE {
                *free -= 1;
                (word..=last).for_each(|it| signature.in_registers.insert(it));
                if is_float {
                    signature.floats.insert(word);
                }
            }
            word = last + 1;
        }
        Convention { signature, returns_pair }
    }
}

/// The instruction that reads a register in place of words of the stack.
fn from_register(op: Op) -> Option<Op> {
    match op {
        Op::Load => Some(Op::Mov),
        Op::FloatLoad => Some(Op::FloatMove),
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
fn move_words(code: &mut Code, own: Convention, conventions: &[Convention]) {
    code.signature = own.signature;
    let mut rewriter = Rewriter {
        own,
        values: [None; WordSet::SIZE as usize],
        conventions,
        last: Convention::of_c(Signature::new(0, 1)),
        passed: Vec::new(),
        returned: None,
        instructions: Vec::with_capacity(code.instructions.len() + 6),
    };
    let origin = code.instructions.first().map_or(0, |it| it.origin);
    for (word, register) in passed_words(code.signature) {
        code.virtual_registers.push(register.real_kind());
        let value = Register::new_virtual(code.register_count() - 1);
        rewriter.values[word as usize] = Some(value);
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

struct Rewriter<'c> {
    own: Convention,
    /// The values of the arguments that are in registers, at their first words.
    values: [Option<Register>; WordSet::SIZE as usize],
    /// The conventions of all functions, and that of the last call.
    conventions: &'c [Convention],
    last: Convention,
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
            Op::Store | Op::FloatStore if outgoing(first).is_some() => {
                return self.passed.push(instruction);
            }
            Op::Store
                if self.own.returns_pair
                    && argument(first) == Some(self.own.signature.parameters) =>
            {
                self.returned = Some(second);
                return;
            }
            Op::Load
                if self.last.returns_pair
                    && outgoing(second) == Some(self.last.signature.parameters) =>
            {
                let second = Operand::Register(Register::EDX);
                return self.copy(first, second, instruction.origin);
            }
            _ => {}
        }
        if let Some(number) = argument(second)
            && let Some(&Some(value)) = self.values.get(number as usize)
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
            if let Some(number) = argument(*operand) {
                *operand = on_stack(Base::Argument, number, self.own.signature);
            } else if let Some(number) = outgoing(*operand) {
                *operand = on_stack(Base::Outgoing, number, self.last.signature);
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
        let callee = callee(&call).and_then(|callee| self.conventions.get(callee)).copied();
        let of_c = || call.signature().map(Convention::of_c);
        self.last = callee.or_else(of_c).expect("a call has a signature");
        let signature = self.last.signature;
        call.operands[1] = Operand::Signature(signature);
        if self.last.returns_pair {
            call.op = Op::CallPair;
        }
        let passed = std::mem::take(&mut self.passed);
        let number = |it: &Instruction| outgoing(it.operands[0]).expect("it stores an argument");
        let is_moved = |it: &Instruction| signature.in_registers.contains(number(it));
        for store in passed.iter().filter(|it| !is_moved(it)) {
            let mut store = *store;
            store.operands[0] = on_stack(Base::Outgoing, number(&store), signature);
            self.instructions.push(store);
        }
        for store in passed.iter().filter(|it| is_moved(it)) {
            let place = passed_words(signature).find(|it| it.0 == number(store));
            let (_, register) = place.expect("its word is in a register");
            self.copy(Operand::Register(register), store.operands[1], store.origin);
        }
        self.instructions.push(call);
    }

    /// Copies a register; one of the two is a real one.
    fn copy(&mut self, to: Operand, from: Operand, origin: u32) {
        let registers = [to, from].into_iter().filter_map(|it| match it {
            Operand::Register(register) if register.is_real() => Some(register),
            _ => None,
        });
        let copy =
            registers.map(|it| it.real_kind().copy()).next().expect("one is a real register");
        self.instructions.push(Instruction::new(copy, &[to, from], origin));
    }
}

/// The number of an argument of the next call, if the operand is its word on the stack.
fn outgoing(operand: Operand) -> Option<u32> {
    let Operand::Address(address) = operand else { return None };
    let Base::Outgoing(number) = address.base() else { return None };
    Some(number)
}

/// The word of this number among those of the stack.
fn on_stack(base: fn(u32) -> Base, number: u32, signature: Signature) -> Operand {
    let number = number - signature.in_registers.count_below(number);
    Operand::Address(Address::new(base(number), 0))
}

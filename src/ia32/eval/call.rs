//! Calls: the activations of callers are on an explicit stack.
//!
//! A called function may not read the registers of its caller, and must restore some of them. The
//! others are unwritten after the call, and so are the words of its arguments.
use super::{BlockId, Cell, ComparedValues, EAX, FIRST_SYMBOL, Machine, StepResult, run};
use crate::ia32::code::{Code, Form, Instruction, outgoing_words};
use crate::ia32::register::{CALLEE_SAVED, NAMES};
use crate::stage::Outcome;
use arena::Id;

/// Calls the first function.
pub fn eval_program(functions: &[Code], arguments: &[i64]) -> Outcome {
    let Some(entry) = functions.first() else {
        return Outcome::fault("the start", "there is no function");
    };
    if arguments.len() != entry.signature.parameters as usize {
        return Outcome::fault(&entry.name, format!("{} arguments are passed", arguments.len()));
    }
    let mut machine = Machine::new(entry, 0);
    machine.calls = Calls::new(functions);
    machine.stack = vec![Cell::Unwritten; entry.signature.results as usize - 1];
    let words = arguments.iter().rev().map(|&argument| Cell::Value(argument as i32));
    machine.stack.extend(words);
    machine.calls.distance = 4 * entry.argument_words() as i32 - 4;
    machine.stack.push(Cell::ReturnAddress);
    machine.reserve_outgoing();
    run(machine)
}

/// The functions of the program, and those that have called and not continued.
pub struct Calls<'c> {
    functions: &'c [Code],
    pub callers: Vec<Caller<'c>>,
    /// The distance of the first argument from the end of the stack, in bytes.
    pub distance: i32,
}

impl<'c> Calls<'c> {
    pub fn new(functions: &'c [Code]) -> Calls<'c> {
        Calls { functions, callers: Vec::new(), distance: 0 }
    }
}

/// The state of a function that called another one.
pub struct Caller<'c> {
    code: &'c Code,
    next: usize,
    block: BlockId,
    registers: Vec<Cell>,
    /// The number of words of the stack.
    words: usize,
    distance: i32,
}

impl Machine<'_> {
    pub fn call(&mut self, call: &Instruction) -> StepResult {
        let address = self.read(call.operands[0])?;
        let number = usize::try_from(i64::from(address) - i64::from(FIRST_SYMBOL));
        let callee = number.ok().and_then(|number| self.calls.functions.get(number));
        let callee = callee.ok_or_else(|| format!("there is no function at {address:#x}"))?;
        if call.signature() != Some(callee.signature) {
            return Err(format!("{} has another signature", callee.name));
        }
        let distance = Machine::TOP as i32 - self.esp();
        let registers = vec![Cell::Unwritten; NAMES.len() + callee.virtual_registers.len()];
        self.calls.callers.push(Caller {
            code: std::mem::replace(&mut self.code, callee),
            next: std::mem::take(&mut self.next),
            block: std::mem::replace(&mut self.block, BlockId::ENTRY),
            registers: std::mem::replace(&mut self.registers, registers),
            words: self.stack.len(),
            distance: std::mem::replace(&mut self.calls.distance, distance),
        });
        self.stack.push(Cell::ReturnAddress);
        self.flags = ComparedValues::Nothing;
        self.reserve_outgoing();
        if Machine::STACK_WORDS < self.stack.len() {
            return Err("the stack is full".into());
        }
        Ok(())
    }

    /// Selected code has no frame yet, so the words of its calls are reserved here.
    fn reserve_outgoing(&mut self) {
        if self.code.form == Form::Selected {
            let words = self.stack.len() + outgoing_words(&self.code.instructions) as usize;
            self.stack.resize(words, Cell::Unwritten);
        }
    }

    /// Releases the words that `reserve_outgoing` added.
    pub fn release_outgoing(&mut self) {
        if self.code.form == Form::Selected {
            let words = outgoing_words(&self.code.instructions) as usize;
            self.stack.truncate(self.stack.len().saturating_sub(words));
        }
    }

    pub fn return_to_caller(&mut self) -> StepResult {
        let value = self.read(EAX)?;
        let changed = CALLEE_SAVED.iter().find(|it| self.registers[it.index()] != Cell::Unwritten);
        if let Some(register) = changed.filter(|_| self.code.form == Form::Allocated) {
            return Err(format!("{register} is not restored"));
        }
        let caller = self.calls.callers.pop().expect("there is a caller");
        if self.stack.len() != caller.words + 1 || self.stack.pop() != Some(Cell::ReturnAddress) {
            return Err("the stack is not balanced".into());
        }
        for word in 1..=self.code.signature.parameters as usize {
            self.stack[caller.words - word] = Cell::Unwritten;
        }
        (self.code, self.next, self.block) = (caller.code, caller.next, caller.block);
        (self.registers, self.calls.distance) = (caller.registers, caller.distance);
        let call = self.code.instructions[self.next - 1];
        for register in call.clobbers() {
            self.registers[register.index()] = Cell::Unwritten;
        }
        self.flags = ComparedValues::Nothing;
        self.write(EAX, value)
    }
}

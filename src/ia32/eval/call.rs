//! Calls: the activations of callers are on an explicit stack.
//!
//! A called function may not read the registers of its caller, and must restore some of them. The
//! others are unwritten after the call, and so are the words of its arguments.
use super::memory::TOP;
use super::{BlockId, Cell, ComparedValues, EAX, FIRST_SYMBOL, Machine, StepResult};
use crate::arith::{Binary, TRAP, Width, joined, split};
use crate::firm::External;
#[cfg(feature = "ch18")]
use crate::ia32::Operand;
use crate::ia32::Program;
use crate::ia32::Register;
use crate::ia32::code::{Code, Form, Instruction, outgoing_words};
#[cfg(feature = "ch18")]
use crate::ia32::register::argument_registers;
use crate::ia32::register::{CALLEE_SAVED, NAMES};
use crate::stage::{Outcome, Termination};
use arena::Id;

/// Calls the first function.
pub fn eval_program(program: &Program, arguments: &[i64]) -> Outcome {
    let functions = &program.functions[..];
    let Some(entry) = functions.first() else {
        return Outcome::fault("the start", "there is no function");
    };
    let parameters = entry.signature.parameters(arguments);
    let mut words: Vec<i32> = parameters.iter().map(|&argument| argument as i32).collect();
    words.resize(entry.argument_words() as usize, 0);
    let mut machine = Machine::new(entry, &words);
    machine.calls = Calls::new(functions);
    let results = TOP + 4 * entry.signature.parameters;
    machine.stack.clear(results, 4 * entry.signature.results_on_stack());
    let Outcome { end, .. } = match machine.reserve_outgoing() {
        Ok(()) => machine.run(),
        Err(reason) => Outcome::fault(&entry.name, reason),
    };
    let Outcome { end, .. } = match end {
        Termination::Value(first) => machine.results(first, results),
        end => Outcome { output: String::new(), end },
    };
    #[cfg(feature = "ch15")]
    let end = machine.calls.trap.take().map_or(end, Termination::Trap);
    let outcome = Outcome { output: std::mem::take(&mut machine.calls.output), end };
    outcome.with_format(&program.result, |address| machine.load_word(address))
}

/// The functions of the program, and those that have called and not continued.
pub struct Calls<'c> {
    functions: &'c [Code],
    pub callers: Vec<Caller<'c>>,
    /// The output of external functions.
    output: String,
    /// The message of the external function that has ended the program.
    #[cfg(feature = "ch15")]
    trap: Option<String>,
}

impl<'c> Calls<'c> {
    pub fn new(functions: &'c [Code]) -> Calls<'c> {
        Calls {
            functions,
            callers: Vec::new(),
            output: String::new(),
            #[cfg(feature = "ch15")]
            trap: None,
        }
    }
}

/// The state of a function that called another one.
pub struct Caller<'c> {
    code: &'c Code,
    next: usize,
    block: BlockId,
    registers: Vec<Cell>,
    first_argument: u32,
}

impl<'c> Machine<'c> {
    /// The results of the entry: the first one, and those on the stack from an address on.
    fn results(&self, first: i64, others: u32) -> Outcome {
        let mut values = vec![first];
        for address in (0..self.code.signature.results_on_stack()).map(|number| others + 4 * number)
        {
            match self.stack.load(address) {
                Ok(value) => values.push(value.into()),
                Err(reason) => return Outcome::fault(&self.code.name, reason),
            }
        }
        Outcome::values(&values)
    }

    pub fn call(&mut self, call: &Instruction) -> StepResult {
        let address = self.read(call.operands[0])?;
        if let Some(external) = External::of(number(address), self.calls.functions.len()) {
            return self.call_external(external, call);
        }
        let callee = self.callee(address, call)?;
        let esp = self.stack.esp;
        let registers = unwritten_registers(callee);
        #[cfg(feature = "ch18")]
        let registers = self.with_arguments(callee, registers);
        self.calls.callers.push(Caller {
            code: std::mem::replace(&mut self.code, callee),
            next: std::mem::take(&mut self.next),
            block: std::mem::replace(&mut self.block, BlockId::ENTRY),
            registers: std::mem::replace(&mut self.registers, registers),
            first_argument: std::mem::replace(&mut self.stack.first_argument, esp),
        });
        self.flags = ComparedValues::Nothing;
        let pushed = self.stack.move_to(esp - 4).and_then(|()| self.reserve_outgoing());
        pushed.map_err(|_| "the stack is full".into())
    }

    /// Goes on with another function in place of this one: it has the same caller, and its
    /// arguments are where those of this one were.
    #[cfg(feature = "ch18")]
    pub fn jump_to_function(&mut self, jump: &Instruction) -> StepResult {
        let address = self.read(jump.operands[0])?;
        self.check_restored()?;
        if let Some(external) = External::of(number(address), self.calls.functions.len()) {
            let esp = self.stack.esp;
            self.stack.move_to(self.stack.first_argument)?;
            self.call_external(external, jump)?;
            self.stack.move_to(esp)?;
            return self.leave();
        }
        self.code = self.callee(address, jump)?;
        (self.next, self.block) = (0, BlockId::ENTRY);
        self.registers = self.with_arguments(self.code, unwritten_registers(self.code));
        self.flags = ComparedValues::Nothing;
        Ok(())
    }

    /// The registers of a called function, with those of its arguments.
    #[cfg(feature = "ch18")]
    fn with_arguments(&self, callee: &Code, mut registers: Vec<Cell>) -> Vec<Cell> {
        for register in argument_registers(callee.signature) {
            registers[register.index()] = self.registers[register.index()];
        }
        registers
    }

    /// The function at an address; it has the signature of its call.
    fn callee(&self, address: i32, call: &Instruction) -> Result<&'c Code, String> {
        let callee = self.calls.functions.get(number(address) as usize);
        let callee = callee.ok_or_else(|| format!("there is no function at {address:#x}"))?;
        if call.signature() != Some(callee.signature) {
            return Err(format!("{} has another signature", callee.name));
        }
        Ok(callee)
    }

    /// Its arguments become unwritten, as those of other functions.
    fn call_external(&mut self, external: External, call: &Instruction) -> StepResult {
        if call.signature() != Some(external.signature()) {
            return Err(format!("{} has another signature", external.name()));
        }
        match external {
            External::Write => {
                let [number, letter] = [0, 4].map(|at| self.stack.load(self.stack.esp + at));
                let letter = char::from(letter? as u8);
                self.calls.output += &format!("{}{letter}", number?);
            }
            External::Trap => return Err(TRAP.into()),
            External::Quotient => return self.divide_pairs(Binary::Div),
            #[cfg(feature = "ch17")]
            External::Remainder => return self.divide_pairs(Binary::Mod),
            #[cfg(feature = "ch15")]
            _ => return self.end_with_trap(external),
        }
        self.stack.clear(self.stack.esp, 4 * external.signature().parameters);
        self.take_result(0)
    }

    #[cfg(feature = "ch15")]
    fn end_with_trap(&mut self, external: External) -> StepResult {
        let word = |number| self.stack.load(self.stack.esp + 4 * number).map(i64::from);
        let arguments = (0..external.signature().parameters).map(word);
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        self.calls.trap = external.message(&arguments);
        Err("the program has ended".into())
    }

    /// The quotient or the remainder of two integers of two words each, which are on the stack.
    fn divide_pairs(&mut self, op: Binary) -> StepResult {
        let esp = self.stack.esp;
        let word = |number: u32| self.stack.load(esp + 4 * number).map(i64::from);
        let (x, y) = (joined(word(0)?, word(1)?), joined(word(2)?, word(3)?));
        let [low, high] = op.evaluate_checked(Width(64), x, y).map(split).ok_or(TRAP)?;
        self.stack.clear(esp, 16);
        self.stack.store(esp + 16, high as i32)?;
        self.take_result(low as i32)
    }

    /// The state after the call before the next instruction.
    fn take_result(&mut self, value: i32) -> StepResult {
        self.forget_clobbered();
        self.write(EAX, value)
    }

    /// The registers and the flags after a call.
    fn forget_clobbered(&mut self) {
        let call = self.code.instructions[self.next - 1];
        for register in call.clobbers().iter() {
            self.registers[register.index()] = Cell::Unwritten;
        }
        self.flags = ComparedValues::Nothing;
    }

    /// Selected code has no frame yet, so the words of its calls are reserved here.
    fn reserve_outgoing(&mut self) -> StepResult {
        let words = self.reserved_words();
        self.stack.move_to(self.stack.esp.wrapping_sub(4 * words))
    }

    /// Releases the words that `reserve_outgoing` added.
    pub fn release_outgoing(&mut self) -> StepResult {
        let words = self.reserved_words();
        self.stack.move_to(self.stack.esp.wrapping_add(4 * words))
    }

    fn reserved_words(&self) -> u32 {
        match self.code.form {
            Form::Selected => outgoing_words(self.code.instructions.iter()),
            Form::Allocated => 0,
        }
    }

    /// Whether the function is not the first one.
    pub fn has_caller(&self) -> bool {
        !self.calls.callers.is_empty()
    }

    /// Returns to the caller.
    pub fn leave_function(&mut self) -> StepResult {
        self.release_outgoing()?;
        let results = self.results_in_registers()?;
        self.check_restored()?;
        let caller = self.calls.callers.pop().expect("there is a caller");
        #[cfg(feature = "ch18")]
        self.check_preserved(&caller)?;
        let first_argument = self.stack.first_argument;
        self.stack.move_to(first_argument)?;
        let call = caller.code.instructions[caller.next - 1];
        let words = call.signature().map_or(0, |it| it.on_stack());
        self.stack.clear(first_argument, 4 * words);
        (self.code, self.next, self.block) = (caller.code, caller.next, caller.block);
        self.registers = caller.registers;
        self.stack.first_argument = caller.first_argument;
        self.forget_clobbered();
        for (register, value) in results {
            self.registers[register.index()] = value;
        }
        Ok(())
    }

    /// The registers that the return reads, with their values.
    fn results_in_registers(&self) -> Result<Vec<(Register, Cell)>, String> {
        let numbers = self.code.instructions[self.next - 1].op.row().instruction.reads;
        // A jump to an external function has taken its result.
        let numbers = if numbers.is_empty() { &[0] } else { numbers };
        let registers = numbers.iter().map(|&it| Register::from_index(it.into()));
        let results = registers.map(|register| match self.registers[register.index()] {
            Cell::Unwritten => Err(format!("{register} was never written")),
            value => Ok((register, value)),
        });
        results.collect()
    }

    /// Whether the registers that the call relies on are as the caller left them.
    #[cfg(feature = "ch18")]
    fn check_preserved(&self, caller: &Caller) -> StepResult {
        let call = caller.code.instructions[caller.next - 1];
        let Operand::Preserved(preserved) = call.operands[2] else { return Ok(()) };
        let is_changed = |it: &Register| {
            let now = self.registers[it.index()];
            now != Cell::Unwritten && now != caller.registers[it.index()]
        };
        match preserved.iter().find(is_changed) {
            Some(register) => Err(format!("{register} is not preserved")),
            None => Ok(()),
        }
    }

    /// Whether esp points at the address to return to, and the caller's registers are restored.
    fn check_restored(&self) -> StepResult {
        let changed = CALLEE_SAVED.iter().find(|it| self.registers[it.index()] != Cell::Unwritten);
        if let Some(register) = changed.filter(|_| self.code.form == Form::Allocated) {
            return Err(format!("{register} is not restored"));
        }
        let return_address = self.stack.first_argument - 4;
        if self.stack.esp != return_address || !self.stack.is_unwritten(return_address) {
            return Err("the stack is not balanced".into());
        }
        Ok(())
    }
}

/// The number of the function at an address.
fn number(address: i32) -> u32 {
    u32::try_from(i64::from(address) - i64::from(FIRST_SYMBOL)).unwrap_or(u32::MAX)
}

fn unwritten_registers(code: &Code) -> Vec<Cell> {
    vec![Cell::Unwritten; NAMES.len() + code.virtual_registers.len()]
}

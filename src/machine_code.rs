//! Machine code and executables as stages; the emulator evaluates them.
#[cfg(feature = "ch12")]
mod constants;

#[cfg(feature = "ch14")]
use crate::arith::joined;
#[cfg(feature = "ch14")]
use crate::firm::External;
#[cfg(feature = "ch10")]
use crate::heap;
#[cfg(feature = "ch12")]
use crate::heap::ResultFormat;
use crate::ia32::code::Instruction;
use crate::ia32::{Code, Encoded, Operand, Program, encode};
#[cfg(feature = "ch12")]
use crate::ia32::{Referenced, Relocation};
#[cfg(feature = "ch09")]
use crate::stage::FirmNode;
use crate::stage::{Artifact, Outcome, STEP_LIMIT, Termination, Violation};
#[cfg(feature = "ch12")]
use constants::ConstantPool;
use elf::{Executable, Function};
use emulate::{Run, call, call_with_data, run};
use memory::Size;
use start_stub::Routine;
use std::collections::HashSet;

/// The machine code of the functions of a program.
pub struct MachineCode<'c> {
    #[cfg(feature = "ch10")]
    program: &'c Program,
    functions: Vec<EncodedFunction<'c>>,
    /// The floating-point numbers that instructions refer to.
    #[cfg(feature = "ch12")]
    constants: ConstantPool,
    /// The external functions that they call.
    #[cfg(feature = "ch14")]
    externals: Vec<Routine>,
}

/// The machine code of a function, and the instructions it encodes.
struct EncodedFunction<'c> {
    code: &'c Code,
    encoded: Encoded,
    #[cfg(feature = "ch12")]
    relocations: Vec<elf::Relocation<'c>>,
}

impl<'c> MachineCode<'c> {
    /// Encodes code that has been verified.
    pub fn new(program: &'c Program) -> MachineCode<'c> {
        let functions: Vec<_> = program.functions.iter().map(EncodedFunction::new).collect();
        #[cfg(feature = "ch12")]
        let constants = ConstantPool::new(program, &functions);
        let machine_code = MachineCode {
            #[cfg(feature = "ch10")]
            program,
            functions,
            #[cfg(feature = "ch12")]
            constants,
            #[cfg(feature = "ch14")]
            externals: externals(program),
        };
        #[cfg(feature = "ch12")]
        let machine_code = machine_code.with_symbols();
        machine_code
    }

    /// Names the symbols of all relocations. The linker adds the address of the pool to the offset
    /// of a number in it.
    #[cfg(feature = "ch12")]
    fn with_symbols(mut self) -> MachineCode<'c> {
        #[cfg(feature = "ch14")]
        let name = |number| self.program.symbol(number).expect("the code is verified").0;
        for EncodedFunction { encoded, relocations, .. } in &mut self.functions {
            for Relocation { offset, of } in encoded.relocations.drain(..) {
                let (symbol, kind) = match of {
                    Referenced::Number(bits) => {
                        let within = self.constants.offset(bits).to_le_bytes();
                        encoded.bytes[offset as usize..][..4].copy_from_slice(&within);
                        (constants::NAME, elf::Target::Address)
                    }
                    #[cfg(feature = "ch14")]
                    Referenced::Function(number) => (name(number), elf::Target::Address),
                    #[cfg(feature = "ch14")]
                    Referenced::Distance(number) => (name(number), elf::Target::Distance),
                };
                relocations.push(elf::Relocation { offset, symbol, kind });
            }
        }
        self
    }

    /// The names and the bytes of the functions.
    pub fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        let functions = self.functions.iter().map(|it| Function {
            #[cfg(feature = "ch12")]
            relocations: &it.relocations,
            ..Function::new(&it.code.name, &it.encoded.bytes)
        });
        #[cfg(feature = "ch12")]
        let functions = functions.chain(self.constants.function());
        #[cfg(feature = "ch14")]
        let functions = functions.chain(self.externals.iter().map(Routine::function));
        functions
    }
}

/// The external functions that a program calls.
#[cfg(feature = "ch14")]
fn externals(program: &Program) -> Vec<Routine> {
    let instructions = program.functions.iter().flat_map(|code| &code.instructions);
    let symbols: HashSet<u32> =
        instructions.flat_map(|it| it.operands).filter_map(Operand::symbol).collect();
    let first = program.functions.len() as u32;
    let all = External::ALL.iter().copied().zip(first..);
    let called = all.filter(|(_, symbol)| symbols.contains(symbol));
    called.map(|(it, _)| external(it, program)).collect()
}

/// @ch15 The name of the file is a part of messages.
#[cfg(feature = "ch14")]
fn external(external: External, _program: &Program) -> Routine {
    match external {
        External::Write => start_stub::print_function(external.name()),
        External::Trap => start_stub::trap_function(external.name()),
        External::Quotient => start_stub::quotient_function(external.name()),
        #[cfg(feature = "ch17")]
        External::Remainder => start_stub::remainder_function(external.name()),
        #[cfg(feature = "ch15")]
        External::OutOfBounds => {
            start_stub::out_of_bounds_function(external.name(), &_program.file)
        }
        #[cfg(feature = "ch15")]
        External::NoLength => start_stub::length_function(external.name(), &_program.file),
        #[cfg(feature = "ch15")]
        External::WideOutOfBounds => {
            start_stub::wide_out_of_bounds_function(external.name(), &_program.file)
        }
        #[cfg(feature = "ch15")]
        External::WideNoLength => start_stub::wide_length_function(external.name(), &_program.file),
    }
}

impl<'c> EncodedFunction<'c> {
    fn new(code: &'c Code) -> EncodedFunction<'c> {
        EncodedFunction {
            code,
            encoded: encode(code),
            #[cfg(feature = "ch12")]
            relocations: Vec::new(),
        }
    }
}

impl EncodedFunction<'_> {
    /// Each instruction with its offset and its bytes.
    fn rows(&self) -> impl Iterator<Item = (u32, &[u8], &Instruction)> {
        let starts = self.encoded.offsets.iter();
        let ends = starts.clone().skip(1).copied().chain([self.encoded.bytes.len() as u32]);
        starts.zip(ends).zip(&self.code.instructions).map(|((&start, end), instruction)| {
            (start, &self.encoded.bytes[start as usize..end as usize], instruction)
        })
    }

    /// One instruction a line: offset, bytes, text.
    fn print(&self) -> String {
        let row = |(offset, bytes, instruction): (u32, &[u8], &Instruction)| {
            let bytes: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let text = self.text(instruction);
            format!("{offset:4x}  {:<24}  {text}\n", bytes.join(" "))
        };
        self.rows().map(row).collect()
    }

    /// An instruction as text; a jump with the offset of its target.
    fn text(&self, instruction: &Instruction) -> String {
        #[cfg(feature = "ch05")]
        if let Some(target) = instruction.target() {
            let first = self.code.blocks[target].first;
            return instruction.jump_to(&format!("{:#x}", self.encoded.offsets[first as usize]));
        }
        instruction.to_string()
    }
}

impl Artifact for MachineCode<'_> {
    fn print(&self) -> String {
        #[cfg(feature = "ch14")]
        if self.functions.len() > 1 {
            return self.print_functions();
        }
        let text: String = self.functions.iter().map(EncodedFunction::print).collect();
        #[cfg(feature = "ch14")]
        let text = self.program.with_names(&text);
        text
    }

    #[cfg(feature = "ch18")]
    fn functions(&self) -> Vec<(String, String)> {
        let text = |it: &EncodedFunction| (it.code.name.clone(), self.print_function(it));
        self.functions.iter().map(text).collect()
    }

    /// Each of several functions is a line with its name, the instructions, and an empty line.
    #[cfg(feature = "ch09")]
    fn line_nodes(&self) -> Vec<Option<FirmNode>> {
        let mut lines = Vec::new();
        let is_named = self.functions.len() > 1;
        for (number, function) in self.functions.iter().enumerate() {
            lines.extend(is_named.then_some(None));
            lines.extend(function.code.firm_nodes(number).map(Some));
            lines.extend(is_named.then_some(None));
        }
        lines
    }

    /// - `bytes`: every instruction has one to fifteen bytes.
    fn verify(&self) -> Vec<Violation> {
        let rows = self.functions.iter().flat_map(EncodedFunction::rows);
        let invalid = rows.filter(|(_, bytes, _)| bytes.is_empty() || bytes.len() > 15);
        let violation = |(_, bytes, instruction): (u32, &[u8], &Instruction)| Violation {
            invariant: "bytes",
            detail: format!("{instruction} has {}", bytes.len()),
        };
        invalid.map(violation).collect()
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        let functions: Vec<_> = self.functions().collect();
        #[cfg(feature = "ch10")]
        if self.program.has_heap() {
            return Some(self.eval_with_heap(&functions, argument));
        }
        let run = call(&functions, &self.words_of(argument), STEP_LIMIT);
        #[cfg(feature = "ch14")]
        if self.program.result == ResultFormat::Wide {
            return Some(wide_outcome(run));
        }
        #[cfg(feature = "ch12")]
        if self.program.result == ResultFormat::Float {
            return Some(float_outcome(run));
        }
        Some(Outcome { end: end(&run), output: run.output })
    }

    #[cfg(feature = "ch14")]
    fn eval_all(&self, arguments: &[i64]) -> Option<Outcome> {
        let entry = self.program.functions.first()?;
        let parameters = entry.signature.parameters(arguments);
        let mut words: Vec<i32> = parameters.iter().map(|&it| it as i32).collect();
        words.resize(entry.argument_words() as usize, 0);
        let functions: Vec<_> = self.functions().collect();
        let run = call(&functions, &words, STEP_LIMIT);
        let outcome = match run.end {
            emulate::Termination::Value(first) => {
                let others = &run.words[parameters.len()..];
                let values = [first].into_iter().chain(others.iter().copied());
                Outcome::values(&values.map(i64::from).collect::<Vec<_>>())
            }
            emulate::Termination::Fault { place, fault: emulate::Fault::Exit(_) } => {
                Outcome::fault(place, reported(&run.errors))
            }
            end => Outcome { output: String::new(), end: end.into() },
        };
        Some(Outcome { output: run.output, ..outcome })
    }
}

#[cfg(feature = "ch10")]
impl MachineCode<'_> {
    fn eval_with_heap(&self, functions: &[Function], argument: i64) -> Outcome {
        let words = self.words_of(argument);
        let (run, memory) = call_with_data(functions, &words, &[heap::segment()], STEP_LIMIT);
        #[cfg(feature = "ch14")]
        if self.program.result == ResultFormat::Wide {
            return wide_outcome(run);
        }
        #[cfg(feature = "ch12")]
        if self.program.result == ResultFormat::Float {
            return float_outcome(run);
        }
        let outcome = Outcome { end: end(&run), output: run.output };
        outcome.with_format(&self.program.result, |address| {
            let memory = memory.as_ref().ok_or("the code cannot be loaded")?;
            memory.load_signed(address, Size::Word).map_err(|fault| fault.to_string())
        })
    }
}

/// The end of a run of the functions.
/// @ch15 A function may have ended the program with a message.
fn end(run: &Run) -> Termination {
    #[cfg(feature = "ch15")]
    if let emulate::Termination::Fault { fault: emulate::Fault::Exit(1), .. } = run.end
        && let Some(message) = message_at_place(&run.errors)
    {
        return Termination::Trap(message);
    }
    run.end.clone().into()
}

/// The part `LINE:COLUMN: …` of a message after the name of a file, which may contain anything.
#[cfg(feature = "ch15")]
fn message_at_place(errors: &str) -> Option<String> {
    let texts = [": index ", ": no array has length "];
    let place = &errors[..texts.into_iter().find_map(|it| errors.rfind(it))?];
    let column = place.rfind(':')?;
    let line = place[..column].rfind(':')?;
    Some(errors[line + 1..].trim_end().to_string())
}

impl MachineCode<'_> {
    /// The argument of the program.
    /// @ch14 As words, before those for results after the first one.
    fn words_of(&self, argument: i64) -> Vec<i32> {
        let words = [argument];
        #[cfg(feature = "ch14")]
        let words = self.program.functions[0].words_of(words[0]);
        words.iter().map(|&it| it as i32).collect()
    }
}

/// The outcome of a function that returns an integer of two words, the high one after the words of
/// the argument.
#[cfg(feature = "ch14")]
fn wide_outcome(run: Run) -> Outcome {
    let end = match end(&run) {
        Termination::Value(low) => {
            let high = run.words.last().copied().unwrap_or_default();
            Termination::Value(joined(low, high.into()))
        }
        other => other,
    };
    Outcome { output: run.output, end }
}

/// The outcome of a function that returns a float.
#[cfg(feature = "ch12")]
fn float_outcome(run: Run) -> Outcome {
    let end = match end(&run) {
        Termination::Value(_) => Termination::Value(run.float.cast_signed()),
        other => other,
    };
    let outcome = Outcome { output: run.output, end };
    outcome.with_format(&ResultFormat::Float, |_| Err("a float has no memory".into()))
}

/// The reason in the message of a program that ended early.
#[cfg(feature = "ch14")]
fn reported(errors: &str) -> &str {
    errors.trim_end().trim_start_matches("sonc: ")
}

#[cfg(feature = "ch14")]
impl MachineCode<'_> {
    /// The functions with their names. Distances and addresses of functions are 0.
    fn print_functions(&self) -> String {
        let texts = self.functions.iter().map(|it| self.print_function(it));
        texts.collect::<Vec<_>>().join("\n")
    }

    fn print_function(&self, function: &EncodedFunction) -> String {
        format!("{}:\n{}", function.code.name, self.program.with_names(&function.print()))
    }
}

impl Artifact for Executable {
    fn print(&self) -> String {
        Executable::print(self)
    }

    fn verify(&self) -> Vec<Violation> {
        let defects = Executable::verify(self).into_iter();
        defects.map(|it| Violation { invariant: it.invariant, detail: it.detail }).collect()
    }

    /// The value is the number or the object that the executable prints for the argument.
    fn eval(&self, argument: i64) -> Option<Outcome> {
        let run = run(&self.bytes, &[argument.to_string()], STEP_LIMIT);
        let line = run.output.strip_suffix('\n').unwrap_or(&run.output);
        Some(match (run.end, line.parse()) {
            (emulate::Termination::Value(0), Ok(value)) => Outcome::value(value),
            #[cfg(feature = "ch10")]
            (emulate::Termination::Value(0), Err(_)) => Outcome::object(line.to_string()),
            #[cfg(feature = "ch15")]
            (emulate::Termination::Value(1), _)
                if let Some(message) = message_at_place(&run.errors) =>
            {
                Outcome::trap(message)
            }
            (emulate::Termination::Value(status), _) => {
                Outcome::fault("_start", format!("status {status}: {}", run.errors.trim_end()))
            }
            (end, _) => Outcome { output: run.output, end: end.into() },
        })
    }

    /// The values are the numbers in the last line that the executable prints.
    #[cfg(feature = "ch14")]
    fn eval_all(&self, arguments: &[i64]) -> Option<Outcome> {
        let words: Vec<_> = arguments.iter().map(i64::to_string).collect();
        let run = run(&self.bytes, &words, STEP_LIMIT);
        let lines = run.output.trim_end_matches('\n');
        let last = lines.rfind('\n').map_or(0, |at| at + 1);
        let values: Result<Vec<i64>, _> = lines[last..].split(' ').map(str::parse).collect();
        Some(match (run.end, values) {
            (emulate::Termination::Value(0), Ok(values)) => {
                Outcome { output: lines[..last].to_string(), ..Outcome::values(&values) }
            }
            (emulate::Termination::Value(_), _) => {
                Outcome { output: run.output, ..Outcome::fault("_start", reported(&run.errors)) }
            }
            (end, _) => Outcome { output: run.output, end: end.into() },
        })
    }
}

impl From<emulate::Termination> for Termination {
    fn from(end: emulate::Termination) -> Termination {
        match end {
            emulate::Termination::Value(value) => Termination::Value(value.into()),
            emulate::Termination::Fault { place, fault } => {
                Termination::Fault { place, reason: fault.to_string() }
            }
            emulate::Termination::OutOfSteps => Termination::OutOfSteps,
        }
    }
}

#[cfg(test)]
#[cfg(feature = "ch05")]
#[path = "tests/machine_code.rs"]
mod tests;

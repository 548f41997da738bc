//! Runs a program or calls a function, and returns how it ended.
use super::decode::{EAX, EBP, EBX, EDI, ESI, ESP, Text};
use super::execute::{Machine, Registers};
use super::fault::Fault;
use super::load;
use super::process::Process;
use elf::{Function, Image, Symbol};
use memory::{Memory, Segment, Size};

/// The observable behaviour of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Its text on standard output.
    pub output: String,
    /// Its text on standard error.
    pub errors: String,
    /// How it ended.
    pub end: Termination,
    /// The number of instructions executed.
    pub instructions: u64,
    /// The bits of the floating-point number in xmm0.
    pub float: u64,
    /// The words of the arguments after a call. A function may return values in them.
    pub words: Vec<i32>,
    /// The number of instructions executed in each function, with its name.
    pub functions: Vec<(String, u64)>,
    /// How often the instruction at each address was executed, in the order of addresses.
    pub executed: Vec<(u32, u64)>,
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// The exit status of a program, or the value that a function returned.
    Value(i32),
    /// It cannot continue.
    Fault {
        /// The instruction: function and offset (`main+0x1f`), or an address; `file` if the program
        /// cannot be loaded.
        place: String,
        /// The reason.
        fault: Fault,
    },
    /// The budget of instructions is used up.
    OutOfSteps,
}

/// Runs an executable file with the words `arguments` after its name, for at most `budget`
/// instructions. It ends with its exit status.
pub fn run(file: &[u8], arguments: &[String], budget: u64) -> Run {
    match Process::start(file, arguments) {
        Ok(mut process) => {
            process.advance(budget);
            process.observed()
        }
        Err(run) => *run,
    }
}

/// The end of a machine that stopped with this fault, or without one.
pub fn end_of(fault: Option<Fault>, machine: &Machine, symbols: &[Symbol]) -> Termination {
    match fault {
        None => Termination::OutOfSteps,
        Some(Fault::Exit(status)) => Termination::Value(status),
        Some(fault) => fault_at(machine.place, symbols, fault),
    }
}

/// Calls the first of these functions with `arguments` as cdecl requires, for at most `budget`
/// instructions. It ends with the value in eax. A register that it did not restore is a fault.
/// `words` are the arguments afterwards.
pub fn call(functions: &[Function], arguments: &[i32], budget: u64) -> Run {
    call_with_data(functions, arguments, &[], budget).0
}

/// The same, with the segments `data` of memory besides code and stack; also the memory after the
/// call, if there is one.
pub fn call_with_data(
    functions: &[Function],
    arguments: &[i32],
    data: &[Segment],
    budget: u64,
) -> (Run, Option<Memory>) {
    let mut code = Vec::new();
    call_image(&load::place(functions, &mut code), arguments, data, budget)
}

/// The same for the function at the entry of `image`.
pub fn call_image(
    image: &Image,
    arguments: &[i32],
    data: &[Segment],
    budget: u64,
) -> (Run, Option<Memory>) {
    match load::called(image, arguments, data) {
        Ok((mut machine, text)) => {
            let run = run_call(&mut machine, text, &image.symbols, arguments.len(), budget);
            (run, Some(machine.memory))
        }
        Err(fault) => (not_loaded(fault), None),
    }
}

fn run_call(
    machine: &mut Machine,
    mut text: Text,
    symbols: &[Symbol],
    arguments: usize,
    budget: u64,
) -> Run {
    let before = machine.registers;
    let first = before[ESP].wrapping_add(4);
    let fault = match machine.run(&mut text, budget) {
        None => return finish(machine, &text, symbols, Termination::OutOfSteps),
        Some(Fault::OutsideText(load::CALLER)) => not_restored(machine, &before),
        fault => fault,
    };
    let end = match fault {
        None => Termination::Value(machine.registers[EAX].cast_signed()),
        Some(fault) => fault_at(machine.place, symbols, fault),
    };
    let address = |number: usize| first + 4 * number as u32;
    let words = (0..arguments).map(|it| machine.memory.load(address(it), Size::Word));
    let words = words.map(|word| word.map_or(0, |word| word as i32)).collect();
    Run { words, ..finish(machine, &text, symbols, end) }
}

/// The registers that a function must restore, with the expected difference: the return pops its
/// address.
const CALLEE_SAVED: [(usize, &str, u32); 5] =
    [(ESP, "esp", 4), (EBX, "ebx", 0), (ESI, "esi", 0), (EDI, "edi", 0), (EBP, "ebp", 0)];

fn not_restored(machine: &Machine, before: &Registers) -> Option<Fault> {
    CALLEE_SAVED.iter().find_map(|(number, register, distance)| {
        let (before, after) = (before[*number] + distance, machine.registers[*number]);
        (before != after).then_some(Fault::NotRestored { register, before, after })
    })
}

fn fault_at(address: u32, symbols: &[Symbol], fault: Fault) -> Termination {
    let symbol = symbols.iter().find(|symbol| address.wrapping_sub(symbol.address) < symbol.size);
    let place = match symbol {
        Some(symbol) => format!("{}+{:#x}", symbol.name, address - symbol.address),
        None => format!("{address:#010x}"),
    };
    Termination::Fault { place, fault }
}

pub fn not_loaded(fault: Fault) -> Run {
    let end = Termination::Fault { place: "file".into(), fault };
    let [output, errors] = [String::new(), String::new()];
    let (words, functions, executed) = (Vec::new(), Vec::new(), Vec::new());
    Run { output, errors, end, instructions: 0, float: 0, words, functions, executed }
}

pub fn finish(machine: &Machine, text: &Text, symbols: &[Symbol], end: Termination) -> Run {
    let [output, errors] =
        [&machine.output, &machine.errors].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let executed = |symbol: &Symbol| (symbol.name.clone(), text.executed(symbol));
    let functions = symbols.iter().map(executed).collect();
    let instructions = machine.instructions;
    let float = machine.floats[0];
    let executed = text.counts().collect();
    Run { output, errors, end, instructions, float, words: Vec::new(), functions, executed }
}

#[cfg(test)]
#[path = "tests/run.rs"]
mod tests;

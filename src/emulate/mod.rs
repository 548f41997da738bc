//! An emulator for IA-32: what bytes do, on any host, and why they fail.
//!
//! It knows the instructions that the compiler and the start stub use, and is strict where a
//! processor is not: it stops at reads of undefined flags, at accesses outside the program's
//! memory, at functions that do not leave their caller's registers as they were.
mod arithmetic;
mod artifact;
mod decode;
mod execute;
mod fault;
mod flags;
#[cfg(test)]
mod generate;
mod load;
mod memory;
#[cfg(test)]
mod native;

pub use artifact::MachineCode;

use crate::elf::{self, Symbol};
use crate::stage::{End, Outcome};
use decode::{EAX, EBP, EBX, EDI, ESI, ESP, Text};
use execute::{Machine, Registers};
use fault::Fault;

/// What a program did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What it wrote to standard output, and how it ended.
    pub outcome: Outcome,
    /// What it wrote to standard error.
    pub errors: String,
    /// How many instructions it executed.
    pub instructions: u64,
    /// How many of them each function has, by its name.
    pub functions: Vec<(String, u64)>,
}

/// Runs an executable file with the words `arguments` behind its name. It ends with its exit
/// status, with a fault (whose place is `file` if it cannot be loaded), or, after `budget`
/// instructions, without a result.
pub fn run(file: &[u8], arguments: &[String], budget: u64) -> Run {
    let loaded = elf::read(file).map_err(Fault::File).and_then(|image| {
        let (machine, text) = load::process(&image, arguments)?;
        Ok((machine, text, image.symbols))
    });
    let (mut machine, mut text, symbols) = match loaded {
        Ok(loaded) => loaded,
        Err(fault) => return not_loaded(&fault),
    };
    let end = match machine.run(&mut text, budget) {
        None => End::OutOfSteps,
        Some(Fault::Exit(status)) => End::Value(status.into()),
        Some(fault) => fault_at(machine.place, &symbols, &fault),
    };
    finish(machine, &text, &symbols, end)
}

/// Calls the cdecl function `code` with `argument`. It ends with the value in eax, with a fault,
/// which may be a register that was not restored, or, after `budget` instructions, without a
/// result. Names of places call the function `simple`.
pub fn call(code: &[u8], argument: i32, budget: u64) -> Run {
    let (mut machine, mut text, symbol) = match load::called(code, argument) {
        Ok(called) => called,
        Err(fault) => return not_loaded(&fault),
    };
    let symbols = [symbol];
    let before = machine.registers;
    let fault = match machine.run(&mut text, budget) {
        None => return finish(machine, &text, &symbols, End::OutOfSteps),
        Some(Fault::OutsideText(load::CALLER)) => not_restored(&machine, &before),
        fault => fault,
    };
    let end = match fault {
        None => End::Value(machine.registers[EAX].cast_signed().into()),
        Some(fault) => fault_at(machine.place, &symbols, &fault),
    };
    finish(machine, &text, &symbols, end)
}

/// The registers that belong to the caller, and how far above their old value they have to be.
/// The return takes its address from the stack; the argument stays there.
const CALLERS: [(usize, &str, u32); 5] =
    [(ESP, "esp", 4), (EBX, "ebx", 0), (ESI, "esi", 0), (EDI, "edi", 0), (EBP, "ebp", 0)];

fn not_restored(machine: &Machine, before: &Registers) -> Option<Fault> {
    CALLERS.iter().find_map(|(number, register, above)| {
        let (before, after) = (before[*number] + above, machine.registers[*number]);
        (before != after).then_some(Fault::NotRestored { register, before, after })
    })
}

fn fault_at(address: u32, symbols: &[Symbol], fault: &Fault) -> End {
    let symbol = symbols.iter().find(|symbol| address.wrapping_sub(symbol.address) < symbol.size);
    let place = match symbol {
        Some(symbol) => format!("{}+{:#x}", symbol.name, address - symbol.address),
        None => format!("{address:#010x}"),
    };
    End::Fault { place, reason: fault.to_string() }
}

fn not_loaded(fault: &Fault) -> Run {
    let outcome = Outcome::fault("file", fault.to_string());
    Run { outcome, errors: String::new(), instructions: 0, functions: Vec::new() }
}

fn finish(machine: Machine, text: &Text, symbols: &[Symbol], end: End) -> Run {
    let [output, errors] =
        [&machine.output, &machine.errors].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let executed = |symbol: &Symbol| (symbol.name.clone(), text.executed(symbol));
    Run {
        outcome: Outcome { output, end },
        errors,
        instructions: machine.instructions,
        functions: symbols.iter().map(executed).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLENTY: u64 = 1000;

    /// What becomes of the function whose bytes these are, called with 7.
    fn end(code: &[u8]) -> End {
        call(code, 7, PLENTY).outcome.end
    }

    fn reason(code: &[u8]) -> String {
        match end(code) {
            End::Fault { place, reason } => format!("{place}: {reason}"),
            other => panic!("no fault: {other:?}"),
        }
    }

    #[test]
    fn a_function_returns_what_is_in_eax() {
        assert_eq!(end(&[0xb8, 42, 0, 0, 0, 0xc3]), End::Value(42));
        assert_eq!(end(&[0x8b, 0x44, 0x24, 0x04, 0xf7, 0xd8, 0xc3]), End::Value(-7));
        assert_eq!(call(&[0x90, 0xc3], 0, PLENTY).instructions, 2);
    }

    #[test]
    fn a_function_that_never_returns_runs_out_of_steps() {
        assert_eq!(end(&[0xeb, 0xfe]), End::OutOfSteps);
        assert_eq!(call(&[0xeb, 0xfe], 0, PLENTY).instructions, PLENTY);
    }

    #[test]
    fn instructions_are_counted_for_each_function() {
        // dec DWORD PTR [esp+4]; jne back; mov eax,1; ret
        let code = [0xff, 0x4c, 0x24, 4, 0x75, 0xfa, 0xb8, 1, 0, 0, 0, 0xc3];
        let run = run(&program(&code), &["10".to_string()], PLENTY);
        let [(start, stub), (simple, function)] = &run.functions[..] else { panic!("{run:?}") };
        assert_eq!((&start[..], &simple[..], *function), ("_start", "simple", 10 * 2 + 2));
        assert_eq!(stub + function, run.instructions);
    }

    #[test]
    fn faults_say_where_and_why() {
        let rows: &[(&[u8], &str)] = &[
            (&[0x90, 0x0f, 0x0b], "simple+0x1: undefined instruction 0f 0b"),
            (&[0xb8, 1], "simple+0x0: undefined instruction b8 01"),
            (&[0x90, 0xd9, 0xe8], "simple+0x1: instruction d9 e8 is not emulated"),
            (&[0x66, 0xc3], "simple+0x0: instruction 66 c3 is not emulated"),
            (&[0x65, 0x8b, 0x00], "simple+0x0: instruction 65 8b 00 is not emulated"),
            (&[0x67, 0x8b, 0x00], "simple+0x0: instruction 67 8b 00 is not emulated"),
            (&[0x66, 0xf7, 0xf9], "simple+0x0: instruction 66 f7 f9 is not emulated"),
            (&[0x90], "simple+0x0: goes on at 0x00001001, outside the text"),
            (&[], "0x00001000: goes on at 0x00001000, outside the text"),
            (
                &[0x8b, 0x05, 0x10, 0, 0, 0],
                "simple+0x0: read of 4 bytes at 0x00000010 outside any segment",
            ),
            (
                &[0xc6, 0x05, 0, 0x10, 0, 0, 1],
                "simple+0x0: write of 1 byte at 0x00001000 in a read-only segment",
            ),
            (&[0x31, 0xc9, 0xf7, 0xf9], "simple+0x2: division by zero"),
            (&[0x74, 0x00, 0xc3], "simple+0x0: the zero flag is read but undefined"),
            (&[0xcd, 0x21], "simple+0x0: interrupt 0x21 is no system call"),
            (&[0xb8, 0x63, 0, 0, 0, 0xcd, 0x80], "simple+0x5: system call 99 is not emulated"),
            (
                &[0xb8, 1, 0, 0, 0, 0x31, 0xdb, 0xcd, 0x80],
                "simple+0x7: exit with status 0 instead of a return",
            ),
        ];
        for (code, expected) in rows {
            assert_eq!(reason(code), *expected);
        }
    }

    #[test]
    fn the_least_integer_is_not_divided_by_minus_one() {
        let code = [0xb8, 0, 0, 0, 0x80, 0x99, 0xb9, 0xff, 0xff, 0xff, 0xff, 0xf7, 0xf9, 0xc3];
        assert_eq!(reason(&code), "simple+0xb: the quotient does not fit its register");
    }

    #[test]
    fn the_callers_registers_are_left_alone() {
        let ebx = reason(&[0x31, 0xdb, 0xc3]);
        assert_eq!(ebx, "simple+0x2: ebx is 0x00000000 after the return, not 0xdead0003");
        let esp = reason(&[0xc2, 4, 0]);
        assert_eq!(esp, "simple+0x0: esp is 0xbfffeffc after the return, not 0xbfffeff8");
        assert_eq!(end(&[0x53, 0x31, 0xdb, 0x5b, 0xc3]), End::Value(-559_087_616));
    }

    #[test]
    fn a_function_does_not_look_behind_its_argument() {
        let reason = reason(&[0x8b, 0x44, 0x24, 0x08, 0xc3]);
        assert_eq!(reason, "simple+0x0: read of 4 bytes at 0xbfffeffc outside any segment");
    }

    #[test]
    fn a_stack_that_overflows_is_a_fault() {
        let End::Fault { reason, .. } =
            call(&[0xe8, 0xfb, 0xff, 0xff, 0xff], 0, 1 << 30).outcome.end
        else {
            panic!("endless recursion ends");
        };
        assert!(reason.starts_with("write of 4 bytes at "), "{reason}");
    }

    #[test]
    fn a_file_that_is_no_program_is_a_fault() {
        let end = run(b"#!/bin/sh", &[], PLENTY).outcome.end;
        let reason = "no ELF executable for IA-32".into();
        assert_eq!(end, End::Fault { place: "file".into(), reason });
        let word = "1\0".to_string();
        let end = run(&program(&[0xc3]), &[word], PLENTY).outcome.end;
        let reason = "no process has such arguments".into();
        assert_eq!(end, End::Fault { place: "file".into(), reason });
    }

    #[test]
    fn a_file_that_wants_too_much_memory_is_a_fault() {
        let mut file = program(&[0xc3]);
        file[0x34 + 20 + 3] = 0xff; // the highest byte of p_memsz
        let end = run(&file, &[], PLENTY).outcome.end;
        let reason = "4278190337 bytes of memory are too many".into();
        assert_eq!(end, End::Fault { place: "file".into(), reason });
    }

    #[test]
    fn a_fault_of_a_program_is_placed_by_its_symbols() {
        let Run { outcome, .. } = run(&program(&[0x90, 0x0f, 0x0b]), &[], PLENTY);
        let reason = "undefined instruction 0f 0b".into();
        assert_eq!(outcome.end, End::Fault { place: "simple+0x1".into(), reason });
    }

    #[test]
    fn no_changed_byte_makes_the_emulator_panic() {
        let file = program(&[0x8b, 0x44, 0x24, 0x04, 0xc3]);
        let words = ["1".to_string()];
        let right = run(&file, &words, PLENTY);
        assert_eq!(right.outcome, Outcome { output: "1\n".into(), end: End::Value(0) });
        let mut different = 0;
        for at in 0..file.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut broken = file.clone();
                broken[at] = byte;
                different += u32::from(run(&broken, &words, PLENTY) != right);
            }
        }
        assert!(different > 500, "{different}");
    }

    fn program(function: &[u8]) -> Vec<u8> {
        let start = elf::Part { name: "_start", code: &crate::start::code(), listing: "" };
        let simple = elf::Part { name: "simple", code: function, listing: "" };
        elf::executable(&[start, simple]).bytes
    }
}

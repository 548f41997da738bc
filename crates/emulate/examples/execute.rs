//! Executes a file in the emulator, and prints its output and its end.
use emulate::{Run, Termination, run};
use std::process::ExitCode;
use std::{env, fs};

const MAX_INSTRUCTIONS: u64 = 1_000_000_000;

fn main() -> ExitCode {
    let mut words = env::args().skip(1);
    let Some(path) = words.next() else {
        eprintln!("usage: execute FILE [ARGUMENT]…");
        return ExitCode::from(2);
    };
    match fs::read(&path) {
        Ok(file) => {
            let arguments: Vec<String> = words.collect();
            print!("{}", shown(&run(&file, &arguments, MAX_INSTRUCTIONS)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn shown(run: &Run) -> String {
    let end = match &run.end {
        Termination::Value(status) => format!("exit status {status}"),
        Termination::Fault { place, fault } => format!("fault at {place}: {fault}"),
        Termination::OutOfSteps => format!("stopped after {MAX_INSTRUCTIONS} instructions"),
    };
    format!("{}{}{end}\n", run.output, run.errors)
}

#[test]
fn the_example_holds() {
    let check = |code: &[u8], expected| {
        let function = elf::Function::new("_start", code);
        let file = elf::executable(&[function]).bytes;
        assert_eq!(shown(&run(&file, &[], 10)), expected);
    };
    // mov ebx,42; mov eax,1; int 0x80
    check(&[0xbb, 42, 0, 0, 0, 0xb8, 1, 0, 0, 0, 0xcd, 0x80], "exit status 42\n");
    // ud2
    check(&[0x0f, 0x0b], "fault at _start+0x0: undefined instruction 0f 0b\n");
}

//! The last stages: machine code, and an executable with a start stub.
#[cfg(feature = "ch12")]
use crate::heap;
use crate::ia32;
use crate::machine_code::MachineCode;
use crate::stage::{Halt, Stage, StageObserver};
use elf::Executable;

/// An executable that calls the program for each word of the command line.
pub(crate) fn link_for_each_word(
    code: &ia32::Program,
    observer: &mut dyn StageObserver,
) -> Result<Executable, Halt> {
    let stub = start_stub::for_each_word();
    #[cfg(feature = "ch10")]
    let stub = special_stub(code).unwrap_or(stub);
    let stubs = vec![stub];
    #[cfg(feature = "ch18")]
    let stubs = with_guard(stubs, code);
    link(code, &stubs, observer)
}

/// The start stub of a program with a heap.
/// @ch12 Or of one that returns floats.
/// @ch14 Or of one whose integers have two words.
#[cfg(feature = "ch10")]
fn special_stub(code: &ia32::Program) -> Option<start_stub::Routine> {
    #[cfg(feature = "ch14")]
    if is_wide(code) {
        return Some(code.result.stub_with_wide_integers());
    }
    #[cfg(feature = "ch12")]
    if code.result == heap::ResultFormat::Float && !code.has_heap() {
        return Some(start_stub::for_each_word_with_floats());
    }
    code.has_heap().then(|| code.result.stub_with_heap())
}

/// Whether an `int` has two words.
#[cfg(feature = "ch14")]
fn is_wide(code: &ia32::Program) -> bool {
    code.functions[0].signature.parameters > 1
}

/// The start stub, and the guard of the stack if functions call each other.
#[cfg(feature = "ch18")]
fn with_guard(
    mut stubs: Vec<start_stub::Routine>,
    code: &ia32::Program,
) -> Vec<start_stub::Routine> {
    if code.functions.len() > 1 {
        stubs.push(match is_wide(code) {
            true => start_stub::wide_stack_guard(),
            false => start_stub::stack_guard(code.has_heap()),
        });
    }
    stubs
}

/// An executable of the start stub, other routines, and the compiled functions.
pub(crate) fn link(
    code: &ia32::Program,
    stubs: &[start_stub::Routine],
    observer: &mut dyn StageObserver,
) -> Result<Executable, Halt> {
    let machine_code = MachineCode::new(code);
    observer.stage_done(Stage::Bytes, &machine_code)?;

    let functions = stubs.iter().map(start_stub::Routine::function);
    let functions: Vec<_> = functions.chain(machine_code.functions()).collect();
    let executable = elf::executable(&functions);
    observer.stage_done(Stage::Elf, &executable)?;
    Ok(executable)
}

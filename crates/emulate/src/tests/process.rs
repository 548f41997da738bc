//! Tests of `process.rs`.
use super::super::run::run;
use super::super::test_program::program;
use super::*;

/// dec DWORD PTR [esp+4]; jne back; mov eax,1; ret
const COUNT_DOWN: &[u8] = &[0xff, 0x4c, 0x24, 4, 0x75, 0xfa, 0xb8, 1, 0, 0, 0, 0xc3];

#[test]
fn parts_are_a_whole_run() {
    let file = program(COUNT_DOWN, &[40, 10]);
    let whole = run(&file, &[], 1000);
    let mut process = Process::start(&file, &[]).unwrap_or_else(|run| panic!("{run:?}"));
    let mut parts = 0;
    while !process.has_ended() {
        assert_eq!(process.observed().end, Termination::OutOfSteps);
        parts += 1;
        process.advance(7 * parts);
        assert!(process.instructions() <= 7 * parts);
    }
    assert!(parts > 10);
    assert_eq!(process.observed(), whole);
    assert_eq!(process.written(), whole.output.len());
    process.advance(1000);
    assert_eq!(process.observed(), whole, "it ends once");
}

#[test]
fn a_file_that_cannot_be_loaded_has_a_run() {
    let run = Process::start(b"text", &[]).err().expect("it is no program");
    let is_fault = matches!(&run.end, Termination::Fault { place, .. } if place == "file");
    assert!(is_fault, "{run:?}");
}

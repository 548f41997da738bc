//! Compares the emulator with the processor: both run the same files, if the host can execute them.
use super::native::{Host, Output};
use super::random_functions::Generator;
use super::test_program::{printed, program};
use super::*;
use iced_x86::{Decoder, DecoderOptions, Mnemonic};

const BUDGET: u64 = 1_000_000;
const FUNCTIONS: u64 = 200;
const ARGUMENTS: [i32; 20] = [
    0,
    1,
    -1,
    2,
    -2,
    7,
    31,
    32,
    127,
    128,
    -128,
    255,
    256,
    32_767,
    65_535,
    1_000_003,
    -1_000_003,
    0x7654_3210,
    i32::MAX,
    i32::MIN,
];

#[test]
fn emulator_and_processor_agree_on_random_functions() {
    let host = Host::detect();
    if host.is_none() {
        eprintln!("this host does not execute IA-32 programs: only the emulator is tested");
    }
    for seed in 1..=FUNCTIONS {
        let code = Generator::new(seed).function();
        let file = program(&code, &ARGUMENTS);
        let emulated = run(&file, &[], BUDGET);
        assert_eq!((&emulated.errors[..], emulated.end), ("", Termination::Value(0)), "{seed}");
        let called = ARGUMENTS
            .map(|argument| call(&[Function::new("simple", &code)], &[argument], BUDGET).end);
        let values = printed(&emulated.output).into_iter().map(Termination::Value);
        assert!(values.eq(called), "seed {seed}: the bare function and the program differ");
        if let Some(host) = host {
            let expected =
                Output { output: emulated.output, errors: emulated.errors, status: Some(0) };
            assert_eq!(host.run(&file, &[]).unwrap(), expected, "seed {seed}");
        }
    }
}

#[test]
fn a_process_gets_its_words_and_returns_its_status() {
    // mov ebx,[esp]; mov eax,1; int 0x80: the status is the number of words, its name included
    let code = [0x8b, 0x1c, 0x24, 0xb8, 1, 0, 0, 0, 0xcd, 0x80];
    let file = elf::executable(&[Function::new("_start", &code)]);
    let words = ["a".to_string(), "b c".to_string()];
    assert_eq!(run(&file.bytes, &words, BUDGET).end, Termination::Value(3));
    if let Some(host) = Host::detect() {
        assert_eq!(host.run(&file.bytes, &words).unwrap().status, Some(3));
        // ud2
        let code = [0x0f, 0x0b];
        let file = elf::executable(&[Function::new("_start", &code)]);
        assert_eq!(host.run(&file.bytes, &[]).unwrap().status, None);
    }
}

#[test]
fn random_functions_use_every_instruction() {
    let mut missing: Vec<Mnemonic> = decode::mnemonics();
    for seed in 1..=FUNCTIONS {
        let code = Generator::new(seed).function();
        for instruction in &mut Decoder::new(32, &code, DecoderOptions::NONE) {
            missing.retain(|mnemonic| *mnemonic != instruction.mnemonic());
        }
    }
    assert_eq!(missing, [Mnemonic::Int]); // it is in the test program
}

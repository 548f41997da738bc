//! Tests of `run.rs`.
use super::super::test_program::{printed, program};
use super::*;

const BUDGET: u64 = 1000;

/// The end of a call of the function whose bytes these are, with 7.
fn end(code: &[u8]) -> Termination {
    call(&[Function::new("simple", code)], &[7], BUDGET).end
}

fn reason(end: Termination) -> String {
    match end {
        Termination::Fault { place, fault } => format!("{place}: {fault}"),
        Termination::Value(_) | Termination::OutOfSteps => panic!("no fault: {end:?}"),
    }
}

#[test]
fn a_function_returns_eax() {
    assert_eq!(end(&[0xb8, 42, 0, 0, 0, 0xc3]), Termination::Value(42));
    assert_eq!(end(&[0x8b, 0x44, 0x24, 0x04, 0xf7, 0xd8, 0xc3]), Termination::Value(-7));
    assert_eq!(call(&[Function::new("simple", &[0x90, 0xc3])], &[0], BUDGET).instructions, 2);
}

#[test]
fn a_function_that_never_returns_runs_out_of_steps() {
    assert_eq!(end(&[0xeb, 0xfe]), Termination::OutOfSteps);
    assert_eq!(call(&[Function::new("simple", &[0xeb, 0xfe])], &[0], BUDGET).instructions, BUDGET);
}

#[test]
fn instructions_are_counted_for_each_function() {
    // dec DWORD PTR [esp+4]; jne back; mov eax,1; ret
    let code = [0xff, 0x4c, 0x24, 4, 0x75, 0xfa, 0xb8, 1, 0, 0, 0, 0xc3];
    let run = run(&program(&code, &[10]), &[], BUDGET);
    let [(start, stub), (simple, function)] = &run.functions[..] else { panic!("{run:?}") };
    assert_eq!((&start[..], &simple[..], *function), ("_start", "simple", 10 * 2 + 2));
    assert_eq!(stub + function, run.instructions);
}

#[test]
fn faults_have_a_place_and_a_reason() {
    let rows: &[(&[u8], &str)] = &[
        (&[0x90, 0x0f, 0x0b], "simple+0x1: undefined instruction 0f 0b"),
        (&[0xb8, 1], "simple+0x0: undefined instruction b8 01"),
        (&[0x90, 0xd9, 0xe8], "simple+0x1: instruction d9 e8 is not emulated"),
        (&[0x66, 0xc3], "simple+0x0: instruction 66 c3 is not emulated"),
        (&[0x65, 0x8b, 0x00], "simple+0x0: instruction 65 8b 00 is not emulated"),
        (&[0x67, 0x8b, 0x00], "simple+0x0: instruction 67 8b 00 is not emulated"),
        (&[0x66, 0xf7, 0xf9], "simple+0x0: instruction 66 f7 f9 is not emulated"),
        (&[0x90], "simple+0x0: continues at 0x00001001, outside the text"),
        (&[], "0x00001000: continues at 0x00001000, outside the text"),
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
        assert_eq!(reason(end(code)), *expected);
    }
}

#[test]
fn the_least_integer_is_not_divided_by_minus_1() {
    let code = [0xb8, 0, 0, 0, 0x80, 0x99, 0xb9, 0xff, 0xff, 0xff, 0xff, 0xf7, 0xf9, 0xc3];
    assert_eq!(reason(end(&code)), "simple+0xb: the quotient does not fit its register");
}

#[test]
fn callee_saved_registers_are_restored() {
    let ebx = reason(end(&[0x31, 0xdb, 0xc3]));
    assert_eq!(ebx, "simple+0x2: ebx is 0x00000000 after the return, not 0xdead0003");
    let esp = reason(end(&[0xc2, 4, 0]));
    assert_eq!(esp, "simple+0x0: esp is 0xbfffeff4 after the return, not 0xbfffeff0");
    assert_eq!(end(&[0x53, 0x31, 0xdb, 0x5b, 0xc3]), Termination::Value(-559_087_616));
}

#[test]
fn the_words_after_the_argument_are_not_accessible() {
    let reason = reason(end(&[0x8b, 0x44, 0x24, 0x08, 0xc3]));
    assert_eq!(reason, "simple+0x0: read of 4 bytes at 0xbfffeff4 outside any segment");
}

#[test]
fn a_stack_that_overflows_is_a_fault() {
    let endless = call(&[Function::new("simple", &[0xe8, 0xfb, 0xff, 0xff, 0xff])], &[0], 1 << 30);
    let reason = reason(endless.end);
    assert_eq!(reason, "simple+0x0: the stack is full");
}

#[test]
fn a_file_that_is_not_a_program_is_a_fault() {
    let end = run(b"#!/bin/sh", &[], BUDGET).end;
    assert_eq!(reason(end), "file: no ELF executable for IA-32");
    let end = run(&program(&[0xc3], &[]), &["1\0".to_string()], BUDGET).end;
    assert_eq!(reason(end), "file: no process has such arguments");
}

#[test]
fn a_program_larger_than_memory_is_a_fault() {
    let mut file = program(&[0xc3], &[]);
    file[0x34 + 20 + 3] = 0xff; // the highest byte of p_memsz
    let end = run(&file, &[], BUDGET).end;
    assert_eq!(reason(end), "file: 4278190143 bytes of memory are too many");
}

#[test]
fn the_place_of_a_fault_is_named_by_a_symbol() {
    let run = run(&program(&[0x90, 0x0f, 0x0b], &[0]), &[], BUDGET);
    assert_eq!(reason(run.end), "simple+0x1: undefined instruction 0f 0b");
}

#[test]
fn the_stack_of_a_process_holds_its_words() {
    let start = |code: &[u8]| {
        let exit = [0xb8, 1, 0, 0, 0, 0xcd, 0x80]; // mov eax,1; int 0x80
        let code = [code, &exit].concat();
        let start = Function::new("_start", &code);
        let words = ["ab".to_string(), "c".to_string()];
        run(&elf::executable(&[start]).bytes, &words, BUDGET).end
    };
    // mov ebx,[esp]
    assert_eq!(start(&[0x8b, 0x1c, 0x24]), Termination::Value(3));
    // mov ecx,[esp+8]; movzx ebx,BYTE PTR [ecx+1]
    let second = start(&[0x8b, 0x4c, 0x24, 8, 0x0f, 0xb6, 0x59, 1]);
    assert_eq!(second, Termination::Value(i32::from(b'b')));
    // mov ebx,[esp+16]
    assert_eq!(start(&[0x8b, 0x5c, 0x24, 16]), Termination::Value(0));
}

#[test]
fn a_function_may_use_further_memory() {
    let content = memory::Content::Zero;
    let data = memory::Segment { start: 0x2000_0000, size: 8, content, writable: true };
    // add DWORD PTR ds:0x20000004,7; mov eax,ds:0x20000004; ret
    let code = [0x83, 0x05, 4, 0, 0, 0x20, 7, 0xa1, 4, 0, 0, 0x20, 0xc3];
    let (run, memory) = call_with_data(&[Function::new("simple", &code)], &[], &[data], BUDGET);
    assert_eq!(run.end, Termination::Value(7));
    let memory = memory.expect("the function was called");
    assert_eq!(memory.load(0x2000_0004, Size::Word), Ok(7));
    // mov DWORD PTR ds:0x20000008,0
    let code = [0xc7, 0x05, 8, 0, 0, 0x20, 0, 0, 0, 0];
    let (run, _) = call_with_data(&[Function::new("simple", &code)], &[], &[data], BUDGET);
    let after = "simple+0x0: write of 4 bytes at 0x20000008 outside any segment";
    assert_eq!(reason(run.end), after);
}

#[test]
fn a_handler_is_called_after_an_access_outside_of_memory() {
    let install = [
        0x6a, 0, 0x6a, 0, 0x6a, 0, // push 0; push 0; push 0
        0xe8, 12, 0, 0, 0, // call install
        0xbb, 42, 0, 0, 0, // handler: mov ebx,42
        0xb8, 1, 0, 0, 0, // mov eax,1
        0xcd, 0x80, // int 0x80
        0xbb, 11, 0, 0, 0, // install: mov ebx,11
        0x89, 0xe1, // mov ecx,esp
        0xb8, 67, 0, 0, 0, // mov eax,67
        0xcd, 0x80, // int 0x80
    ];
    let load = [0xa1, 4, 0, 0, 0x20]; // mov eax,ds:0x20000004
    let end = |code: &[u8], size: u8| {
        let map = [
            0xb8, 192, 0, 0, 0, // mov eax,192
            0xbb, 0, 0, 0, 0x20, // mov ebx,0x20000000
            0xb9, size, 0, 0, 0, // mov ecx,size
            0xbe, 0x32, 0x40, 0, 0, // mov esi,0x4032
            0xcd, 0x80, // int 0x80
        ];
        let code = [&map[..], code].concat();
        run(&elf::executable(&[Function::new("_start", &code)]).bytes, &[], BUDGET).end
    };
    let exit = [0x89, 0xc3, 0xb8, 1, 0, 0, 0, 0xcd, 0x80]; // mov ebx,eax; mov eax,1; int 0x80
    let handled = [&install[..], &load, &exit].concat();
    assert_eq!(end(&handled, 4), Termination::Value(42));
    assert_eq!(end(&handled, 8), Termination::Value(0));
    let outside = "_start+0x16: read of 4 bytes at 0x20000004 outside any segment";
    assert_eq!(reason(end(&load, 4)), outside);
}

#[test]
fn memory_is_not_mapped_twice() {
    let map = [
        0xb8, 192, 0, 0, 0, // mov eax,192
        0xbb, 0, 0, 0, 0x20, // mov ebx,0x20000000
        0xb9, 8, 0, 0, 0, // mov ecx,8
        0xbe, 0x32, 0x40, 0, 0, // mov esi,0x4032
        0xcd, 0x80, // int 0x80
    ];
    let exit = [0x89, 0xc3, 0xb8, 1, 0, 0, 0, 0xcd, 0x80]; // mov ebx,eax; mov eax,1; int 0x80
    let code = [&map[..], &map, &exit].concat();
    let run = run(&elf::executable(&[Function::new("_start", &code)]).bytes, &[], BUDGET);
    assert_eq!(run.end, Termination::Value(-12 & 0xff), "ENOMEM");
}

#[test]
fn no_changed_byte_makes_the_emulator_panic() {
    let file = program(&[0x8b, 0x44, 0x24, 0x04, 0xc3], &[1]);
    let right = run(&file, &[], BUDGET);
    assert_eq!((printed(&right.output), &right.end), (vec![1], &Termination::Value(0)));
    let mut different = 0;
    for at in 0..file.len() {
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = file.clone();
            changed[at] = byte;
            different += u32::from(run(&changed, &[], BUDGET) != right);
        }
    }
    assert!(different > 500, "{different}");
}

//! Tests of `register_usage.rs`.
use super::*;
use crate::firm::Signature;
use crate::heap::ResultFormat;
use crate::ia32::parse_assembly::allocated;
use crate::ia32::{Program, Register};
use crate::stage::{Artifact, Termination};

const SIGNATURE: Signature = Signature::new(0, 1);

/// An allocated function that calls others, and then executes some instructions.
fn function(callees: &[u32], text: &str) -> Code {
    let mut code = allocated(text);
    code.signature = SIGNATURE;
    let calls = callees.iter().map(|&symbol| {
        let operands = [Operand::Symbol(symbol), Operand::Signature(SIGNATURE)];
        Instruction::new(Op::Call, &operands, 0)
    });
    code.instructions.splice(0..0, calls);
    code
}

fn program(functions: Vec<Code>) -> Program {
    Program { functions, result: ResultFormat::default(), file: String::new() }
}

#[test]
fn callees_come_first() {
    let calls: [&[u32]; 6] = [&[1, 2], &[3], &[3, 9], &[4], &[3], &[]];
    let functions = calls.map(|callees| function(callees, "mov eax,1; ret"));
    assert_eq!(callees_first(&functions, 0..6), [4, 3, 1, 2, 0, 5]);
}

#[test]
fn a_long_chain_of_calls_needs_no_deep_stack() {
    let last = 100_000;
    let functions: Vec<_> =
        (0..=last).map(|it| function(&[(it + 1) % (last + 1)], "mov eax,1; ret")).collect();
    let order = callees_first(&functions, 0..functions.len());
    assert!(order.into_iter().eq((0..functions.len()).rev()));
}

#[test]
fn calls_know_the_registers_that_callees_leave_alone() {
    let mut functions = vec![
        function(&[1, 2], "mov eax,1; ret"),
        function(&[2], "mov ecx,1; mov eax,1; ret"),
        function(&[], "mov eax,1; ret"),
    ];
    let all = RegisterSet::changed_by_calls();
    for (number, expected) in [(2, all), (1, all.without(RegisterSet::of_numbers(&[1])))] {
        note_in_calls(&mut functions, number);
        functions[number].preserved = preserved(&functions[number].instructions);
        assert_eq!(functions[number].preserved, expected);
    }
    note_in_calls(&mut functions, 0);
    let clobbers = |at: usize| functions[0].instructions[at].clobbers();
    assert_eq!(clobbers(0), RegisterSet::of_numbers(&[1]));
    assert_eq!(clobbers(1), RegisterSet::EMPTY);
}

/// The verifier and the evaluator find a function that changes a register against its claim, and a
/// call that relies on more than the claim.
#[test]
fn false_claims_are_found() {
    let caller = || function(&[1], "mov eax,edx; ret");
    let with_call = |text: &str, preserved: RegisterSet, relied: RegisterSet| {
        let mut caller = caller();
        caller.instructions[0].operands[2] = Operand::Preserved(relied);
        let before = [Operand::Register(Register::EDX), Operand::Immediate(7)];
        caller.instructions.insert(0, Instruction::new(Op::MovImmediate, &before, 0));
        let callee = Code { preserved, ..function(&[], text) };
        let program = program(vec![caller, callee]);
        let violated: Vec<_> = program.verify().iter().map(|it| it.invariant).collect();
        (violated, program.eval(0).expect("code is executed").end)
    };
    let edx = RegisterSet::of_numbers(&[2]);
    let none = RegisterSet::EMPTY;
    let (violated, end) = with_call("mov eax,1; ret", edx, edx);
    assert_eq!((violated, end), (vec![], Termination::Value(7)));
    let (violated, end) = with_call("mov eax,1; mov edx,1; ret", edx, edx);
    assert_eq!(violated, ["call-preserves"]);
    assert!(matches!(end, Termination::Fault { .. }), "{end:?}");
    let (violated, _) = with_call("mov eax,1; ret", none, edx);
    assert_eq!(violated, ["call-preserves"]);
    let (violated, end) = with_call("mov eax,1; ret", edx, none);
    assert_eq!(violated, ["definite-assignment"]);
    assert!(matches!(end, Termination::Fault { .. }), "{end:?}");
}

//! Every invariant is broken once.
use super::super::code::{Code, Operand};
use super::super::parse_assembly::code;
use super::super::verify::verify;

#[track_caller]
fn check(code: Code, expected: &[&str]) {
    let violations = verify(&code);
    let mut broken = violations.iter().map(|found| found.invariant).collect::<Vec<_>>();
    broken.dedup();
    assert_eq!(broken, expected, "{violations:?}");
}

#[test]
fn sound_code_breaks_nothing() {
    check(code("b0: argument v0,0; addi v1,v0,5; return v1"), &[]);
    check(code("b0: const v0,1; jmp b1(v0); b1(v1): addi v2,v1,1; jmp b1(v2)"), &[]);
    check(code("b0: const v0,1; cond v0,b2,b1; b1: jmp b3; b2: jmp b3; b3: return v0"), &[]);
}

#[test]
fn operands_fit_their_slots() {
    let mut wrong = code("b0: const v0,1; return v0");
    wrong.instructions[1].operands[0] = Operand::Immediate(1);
    check(wrong.clone(), &["operands-fit"]);
    wrong.instructions[1].operands[0] = Operand::None;
    check(wrong, &["operands-fit"]);
    let mut wrong = code("b0: const v0,1; return v0");
    wrong.instructions[1].operands[1] = Operand::Immediate(1);
    check(wrong, &["operands-fit"]);
}

#[test]
fn every_instruction_is_in_a_block_and_jumps_lead_to_one() {
    check(Code::default(), &["blocks-fit"]);
    let two = || code("b0: const v0,1; jmp b1; b1: return v0");
    for firsts in [[1, 2], [0, 0], [0, 3], [2, 1]] {
        let mut wrong = two();
        for (id, first) in wrong.blocks.ids().zip(firsts) {
            wrong.blocks[id].first = first;
        }
        check(wrong, &["blocks-fit"]);
    }
    check(code("b0: jmp b1"), &["blocks-fit"]);
}

#[test]
fn blocks_end_with_a_terminator() {
    check(code("b0: const v0,1"), &["terminator-last"]);
    check(code("b0: const v0,1; return v0; return v0"), &["terminator-last"]);
    check(code("b0: const v0,1; b1: return v0"), &["terminator-last"]);
    check(code("b0: jmp b1; jmp b1; b1: jmp b1"), &["terminator-last"]);
}

#[test]
fn registers_are_counted() {
    let few = |text: &str| Code { registers: 1, ..code(text) };
    check(few("b0: const v1,1; return v1"), &["numbered"]);
    check(few("b0: const v0,1; jmp b1(v0); b1(v1): jmp b1(v0)"), &["numbered"]);
}

#[test]
fn arguments_are_passed_to_one_block() {
    let with = |jump: &str, head: &str| {
        code(&format!(
            "b0: const v0,1; cond v0,b1,b2; b1: jmp b3(v0,v0); b2: {jump}; \
             {head}: addi v9,v0,1; return v9"
        ))
    };
    check(with("jmp b3(v0,v0)", "b3(v1,v2)"), &[]);
    check(with("jmp b3", "b3(v1,v2)"), &["block-arguments"]);
    check(with("jmp b3(v0,v0)", "b3"), &["block-arguments"]);
    check(with("cond v0,b3,b3", "b3(v1,v2)"), &["block-arguments"]);
}

#[test]
fn only_joins_have_parameters() {
    check(code("b0: const v0,1; jmp b1(v0); b1(v1): return v1"), &["parameters"]);
    check(code("b0(v0): return v0"), &["parameters"]);
}

#[test]
fn blocks_are_in_an_order_of_control_flow() {
    check(code("b0: jmp b2; b1: jmp b3; b2: jmp b1; b3: jmp b3"), &["ordered"]);
    check(code("b0: const v0,1; return v0; b1: jmp b1"), &["ordered"]);
    check(code("b0: jmp b0"), &["ordered"]);
    let middle = "b0: const v0,1; cond v0,b1,b2; b1: jmp b2; b2: jmp b1";
    check(code(middle), &["ordered"]);
}

#[test]
fn registers_are_written_once_and_before_they_are_read() {
    check(code("b0: const v0,1; const v0,2; return v0"), &["single-definition"]);
    let turning = |arguments: &str, head: &str| {
        code(&format!("b0: const v0,1; jmp b1({arguments}); b1({head}): jmp b1({arguments})"))
    };
    check(turning("v0,v0", "v1,v1"), &["single-definition"]);
    check(turning("v0", "v0"), &["single-definition"]);
    check(code("b0: add v0,v1,v1; const v1,1; return v0"), &["dominated"]);
    check(code("b0: return v0"), &["dominated"]);
    let diamond = |left: &str, behind: &str| {
        code(&format!(
            "b0: const v0,1; cond v0,b1,b2; b1: {left}; jmp b3; b2: jmp b3; b3: return {behind}"
        ))
    };
    check(diamond("const v1,2", "v0"), &[]);
    check(diamond("const v1,2", "v1"), &["dominated"]);
    check(code("b0: jmp b1(v1); b1(v0): const v1,1; jmp b1(v1)"), &["dominated"]);
}

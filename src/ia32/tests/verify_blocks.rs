//! Tests of `verify_blocks.rs`.
use crate::ia32::Code;
use crate::ia32::parse_assembly::{allocated, selected};
use crate::stage::Artifact;

#[track_caller]
fn check(code: Code, expected: &[&str]) {
    let violations = code.verify();
    let mut violated = violations.iter().map(|found| found.invariant).collect::<Vec<_>>();
    violated.dedup();
    assert_eq!(violated, expected, "{violations:?}");
}

#[test]
fn sound_code_violates_no_invariant() {
    check(
        selected(
            "b0: mov v0,DWORD PTR [argument 0]; cmp v0,9; jl b2; jmp b1; b1: jmp b3(v0); \
                 b2: mov v1,v0; inc v1; jmp b3(v1); b3(v2): mov eax,v2; ret",
        ),
        &[],
    );
    check(
        allocated(
            "b0: push ebx; mov ebx,DWORD PTR [esp+8]; jmp b2; b1@1: inc ebx; \
                 b2@1: cmp ebx,9; jl b1; b3: mov eax,ebx; pop ebx; ret",
        ),
        &[],
    );
    check(selected("b0: jmp b1; b1@1: jmp b1"), &[]);
}

#[test]
fn every_instruction_is_in_a_block_and_jump_targets_are_blocks() {
    let code = || selected("b0: mov v0,1; jmp b1; b1: mov eax,v0; ret");
    for firsts in [[1, 2], [0, 0], [0, 4], [2, 1]] {
        let mut code = code();
        for (id, first) in code.blocks.ids().zip(firsts) {
            code.blocks[id].first = first;
        }
        check(code, &["blocks-fit"]);
    }
    check(Code { blocks: Default::default(), ..code() }, &["blocks-fit"]);
    check(selected("b0: jmp b2; b1: jmp b1"), &["blocks-fit"]);
}

#[test]
fn blocks_end_with_terminators() {
    check(selected("b0: mov eax,1; b1: ret"), &["terminator-last"]);
    check(allocated("b0: mov eax,1; b1: ret"), &[]);
    check(allocated("b0: jmp b1; b1: mov eax,1"), &["terminator-last"]);
    check(allocated("b0: mov eax,1; cmp eax,2; jl b1; b1: ret"), &[]);
    check(selected("b0: mov eax,1; cmp eax,2; jl b1; b1: ret"), &["terminator-last"]);
    let twice = "b0: mov eax,1; cmp eax,2; jl b0; jl b1; jmp b1; b1: ret";
    check(allocated(twice), &["terminator-last"]);
    check(allocated("b0: mov eax,1; jmp b1; inc eax; b1: ret"), &["terminator-last"]);
    check(allocated("b0: mov eax,1; ret; jmp b1; b1: ret"), &["terminator-last"]);
}

#[test]
fn arguments_are_passed_to_one_successor() {
    let with = |jump: &str, head: &str| {
        selected(&format!(
            "b0: mov v0,1; test v0,v0; jl b2; jmp b1; b1: jmp b3(v0,v0); \
                 b2: {jump}; {head}: mov v9,v0; mov eax,v9; ret"
        ))
    };
    check(with("jmp b3(v0,v0)", "b3(v1,v2)"), &[]);
    check(with("jmp b3", "b3(v1,v2)"), &["block-arguments"]);
    check(with("jmp b3(v0,v0)", "b3"), &["block-arguments"]);
    check(with("test v0,v0; jl b3; jmp b3", "b3(v1,v2)"), &["block-arguments", "critical"]);
    check(with("jmp b3(v0,v0)", "b3(v1,ebx)"), &["block-arguments"]);
    let code = allocated("b0: mov eax,1; jmp b1(eax); b1(ebx): ret");
    check(code, &["block-arguments"]);
}

#[test]
fn parameters_are_at_joins_without_critical_edges() {
    let single = "b0: mov v0,1; jmp b1(v0); b1(v1): mov eax,v1; ret";
    check(selected(single), &["parameters"]);
    check(selected("b0(v0): mov eax,v0; ret"), &["parameters"]);
    let past = "b0: mov v0,1; test v0,v0; jl b2; jmp b1; b1: jmp b2; b2: mov eax,v0; ret";
    check(selected(past), &["critical"]);
    let same = "b0: mov v0,1; test v0,v0; jl b1; jmp b1; b1: mov eax,v0; ret";
    check(selected(same), &["critical"]);
    let back = "b0: mov v0,1; jmp b1; b1@1: test v0,v0; jl b1; jmp b2; b2: mov eax,v0; ret";
    check(selected(back), &["critical"]);
}

#[test]
fn virtual_registers_are_written_in_one_block() {
    let loops = |body: &str| {
        selected(&format!(
            "b0: mov v0,1; jmp b1(v0); b1@1(v1): cmp v1,9; jl b2; jmp b3; \
                 b2@1: {body}; b3: mov eax,v1; ret"
        ))
    };
    check(loops("mov v2,v1; inc v2; jmp b1(v2)"), &[]);
    check(loops("inc v1; jmp b1(v1)"), &["single-definition"]);
    check(loops("mov v0,2; jmp b1(v0)"), &["single-definition"]);
    let twice = "b0: mov v0,1; jmp b1(v0,v0); b1(v1,v1): mov eax,v1; ret";
    check(selected(twice), &["parameters", "single-definition"]);
}

#[test]
fn definitions_dominate_uses() {
    let diamond = |left: &str, join: &str| {
        selected(&format!(
            "b0: mov v0,1; test v0,v0; jl b2; jmp b1; b1: {left}; jmp b3; b2: jmp b3; \
                 b3: mov eax,{join}; ret"
        ))
    };
    check(diamond("mov v1,2", "v0"), &[]);
    check(diamond("mov v1,2", "v1"), &["dominated"]);
    let passed = "b0: mov v0,1; test v0,v0; jl b2; jmp b1; b1: mov v1,2; jmp b3(v1); \
                      b2: jmp b3(v1); b3(v2): mov eax,v2; ret";
    check(selected(passed), &["dominated"]);
}

#[test]
fn blocks_are_after_their_predecessors() {
    check(selected("b0: jmp b2; b1: jmp b3; b2: jmp b1; b3: mov eax,1; ret"), &["ordered"]);
    check(selected("b0: mov eax,1; ret; b1: jmp b1"), &["ordered"]);
    check(selected("b0: mov eax,1; jmp b0"), &["ordered"]);
    let middle = "b0: mov v0,1; test v0,v0; jl b1; jmp b2; b1: jmp b3; b2: jmp b4; \
                      b3: jmp b4; b4: jmp b3";
    check(selected(middle), &["ordered"]);
}

#[test]
fn loops_are_contiguous() {
    // b1 jumps past a loop from b3 to b8, or into it.
    let code = |target: &str, middle: &str| {
        selected(&format!(
            "b0: mov v0,1; test v0,v0; jl b1; jmp b2; b1: jmp {target}; b2: jmp b3; \
                 b3@1: test v0,v0; jl b4; jmp b6; b4@1: jmp b5; b5: jmp {middle}; \
                 b6@1: jmp b7; b7@1: test v0,v0; jl b8; jmp b9; b8@1: jmp b3; b9: jmp b10; \
                 b10: mov eax,v0; ret"
        ))
    };
    check(code("b10", "b7"), &[]);
    check(code("b10", "b10"), &[]);
    check(code("b5", "b10"), &["contiguous-loops"]);
}

#[test]
fn real_registers_and_flags_are_not_live_across_blocks() {
    check(selected("b0: mov eax,1; jmp b1; b1: ret"), &["definite-assignment"]);
    let flags = "b0: mov v0,1; cmp v0,1; jmp b1; b1: setl v1; mov eax,v0; ret";
    check(selected(flags), &["flags-defined"]);
}

#[test]
fn allocated_code_is_checked_on_every_path() {
    let diamond = |left: &str, right: &str, join: &str| {
        allocated(&format!(
            "b0: mov eax,1; cmp eax,2; jl b2; b1: {left}; jmp b3; b2: {right}; \
                 b3: {join}; ret"
        ))
    };
    let both = |text: &str, join: &str| diamond(text, text, join);
    check(both("mov ecx,1", "mov eax,ecx"), &[]);
    check(diamond("mov ecx,1", "mov edx,1", "mov eax,ecx"), &["definite-assignment"]);
    check(both("cdq", "setl al"), &[]);
    check(diamond("cdq", "add eax,1", "setl al"), &["flags-defined"]);
    check(diamond("cdq", "add eax,1", "sete al"), &[]);
    check(diamond("cdq", "imul eax", "sete al"), &["flags-defined"]);
    check(both("push ebx; mov ebx,1", "pop ebx"), &[]);
    check(diamond("push ebx; mov ebx,1", "push ebx", "pop ebx"), &[]);
    check(diamond("push ebx; mov ebx,1", "cdq", "mov eax,1"), &["stack-balanced"]);
    check(diamond("push ebx; mov ebx,1; pop ebx", "mov ebx,1", "cdq"), &["callee-saved"]);
    check(diamond("push ebx; push esi", "push esi; push ebx", "pop ebx; pop esi"), {
        &["callee-saved"]
    });
    let slot = "sub esp,0x100; mov DWORD PTR [esp+0xf0],eax";
    check(both(slot, "mov eax,DWORD PTR [esp+0xf0]; add esp,0x100"), &[]);
    check(diamond(slot, "sub esp,0x100", "mov eax,DWORD PTR [esp+0xf0]; add esp,0x100"), {
        &["stack-written"]
    });
}

#[test]
fn the_state_at_a_header_includes_the_back_edge() {
    let counts = |body: &str| {
        allocated(&format!(
            "b0: mov eax,1; mov ecx,2; jmp b1; b1@1: inc eax; cmp eax,ecx; jge b3; \
                 b2@1: {body}; jmp b1; b3: ret"
        ))
    };
    check(counts("cdq"), &[]);
    check(counts("push eax"), &["stack-balanced"]);
    check(counts("sub esp,4; mov DWORD PTR [esp],eax; add esp,4"), &[]);
    check(counts("mov eax,DWORD PTR [esp-4]"), &["stack-written"]);
    check(counts("mov ebx,1"), &["callee-saved"]);
}

/// Nested branches, then as many blocks for their other arms, then as many loops.
fn large(count: usize, compare: &str, other: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 1..count {
        text += &format!("b{at}: {compare}; jl b{}; jmp b{}; ", 3 * count - 2 * at, at + 1);
    }
    for at in (count..3 * count).step_by(2) {
        text += &format!("b{at}: jmp b{}; b{}: {}; ", at + 1, at + 1, other(at));
        text += &format!("jmp b{}; ", (at + 3).min(3 * count));
    }
    for at in (3 * count..6 * count).step_by(3) {
        text += &format!("b{at}@1: {compare}; jl b{}; jmp b{}; ", at + 1, at + 2);
        text += &format!("b{}@1: jmp b{at}; b{}: jmp b{}; ", at + 1, at + 2, at + 3);
    }
    text + &format!("b{}: ", 6 * count)
}

#[test]
fn a_hundred_thousand_blocks_are_verified() {
    let text = large(25_000, "test v0,v0", |at| format!("mov v{at},v0"));
    check(selected(&format!("b0: mov v0,1; jmp b1; {text} mov eax,v0; ret")), &[]);
    let text = large(25_000, "cmp ecx,ebx", |at| format!("mov DWORD PTR [esp+{}],ecx", at * 4));
    let entry = "push ebx; mov ebx,1; mov ecx,1; sub esp,0x100000; jmp b1";
    let end = "mov eax,ebx; add esp,0x100000; pop ebx; ret";
    check(allocated(&format!("b0: {entry}; {text} {end}")), &[]);
}

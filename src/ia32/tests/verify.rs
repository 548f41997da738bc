//! Tests of `verify.rs`.
use super::*;
use crate::ia32::parse_assembly::{allocated, selected};
use crate::target::RegisterKind;

#[track_caller]
fn check(code: Code, expected: &[&str]) {
    let mut violated = verify(&code).iter().map(|found| found.invariant).collect::<Vec<_>>();
    violated.dedup();
    assert_eq!(violated, expected);
}

#[test]
fn sound_code_violates_no_invariant() {
    check(selected("mov v0,DWORD PTR [argument 0]; cmp v0,1; setl v1; mov eax,v0; ret"), &[]);
    check(
        allocated(
            "push ebx; sub esp,0x8; mov ebx,DWORD PTR [esp+0x10]; mov DWORD PTR [esp+4],ebx; \
                 mov eax,DWORD PTR [esp+4]; add esp,0x8; pop ebx; ret",
        ),
        &[],
    );
}

#[test]
fn operands_fit_their_slots() {
    let mut code = selected("mov eax,1; ret");
    code.instructions[0].operands[1] = Operand::Register(Register::EAX);
    check(code.clone(), &["operands-fit"]);
    code.instructions[0].operands[1] = Operand::None;
    check(code, &["operands-fit"]);
    let mut code = selected("mov eax,1; ret");
    code.instructions[1].operands[0] = Operand::Immediate(4);
    check(code, &["operands-fit"]);
    check(selected("mov esi,1; movzx eax,esi; ret"), &["operands-fit"]);
    check(selected("mov eax,1; cmp eax,1; setl esi; ret"), &["operands-fit"]);
}

#[cfg(feature = "ch19")]
#[test]
fn addresses_exist() {
    let with =
        |address: &str| selected(&format!("mov eax,1; mov v0,eax; lea eax,[{address}]; ret"));
    check(with("v0+v0*8-0x4"), &[]);
    check(with("v0+v0*3"), &["addresses-exist"]);
    let code = allocated("mov eax,1; lea eax,[eax+esp*1]; ret");
    check(code, &["addresses-exist"]);
}

#[test]
fn registers_are_written_before_they_are_read() {
    check(selected("mov eax,v0; ret"), &["definite-assignment"]);
    check(selected("mov v0,1; add v0,v1; ret"), &["definite-assignment"]);
    check(selected("mov eax,1; mov v0,ebx; ret"), &["definite-assignment"]);
    check(allocated("mov eax,1; add eax,edx; ret"), &["definite-assignment"]);
    check(allocated("mov eax,1; add eax,ebx; ret"), &["definite-assignment"]);
}

#[test]
fn flags_come_from_a_comparison() {
    let after = |text: &str| allocated(&format!("mov eax,1; {text}; setl al; ret"));
    check(after("cmp eax,1"), &[]);
    check(after("cmp eax,1; lea eax,[eax+1]; not eax"), &[]);
    check(after("mov ecx,1"), &["flags-defined"]);
    check(after("cmp eax,1; add eax,1"), &["flags-defined"]);
}

#[test]
fn blocks_end_with_terminators() {
    assert!(!verify(&selected("")).is_empty());
    check(selected("mov eax,1"), &["terminator-last"]);
    check(selected("mov eax,1; ret; ret"), &["terminator-last"]);
}

#[test]
fn a_register_contains_the_part_that_is_accessed() {
    let code = selected("mov v0,1; movzx v1,v0; mov eax,v1; ret");
    let halves = vec![RegisterKind { bytes: 2, ..RegisterKind::WORD }; 2];
    check(Code { virtual_registers: halves, ..code.clone() }, &["operands-fit"]);
    check(code, &[]);
}

#[test]
fn selected_code_counts_its_registers() {
    check(
        Code { virtual_registers: Vec::new(), ..selected("mov v0,1; mov eax,v0; ret") },
        &["numbered"],
    );
}

#[cfg(feature = "ch19")]
#[test]
fn selected_code_does_not_use_the_stack() {
    check(selected("mov eax,1; push eax; ret"), &["stack-untouched"]);
    check(selected("mov esp,1; mov eax,1; ret"), &["stack-untouched"]);
    check(selected("mov eax,DWORD PTR [slot 0]; ret"), &["stack-untouched"]);
    let argument = "mov eax,1; mov v0,eax; mov DWORD PTR [argument 0],v0; ret";
    check(selected(argument), &["stack-untouched"]);
}

#[cfg(feature = "ch19")]
#[test]
fn enough_registers_are_left_for_virtual_ones() {
    let reals = ["eax", "ecx", "edx", "ebx", "esi", "edi", "ebp"];
    let with_live = |held: usize, inside: &str| {
        let set = reals[..held].iter().map(|name| format!("mov {name},1; "));
        let add = reals[1..held].iter().map(|name| format!("add eax,{name}; "));
        let (set, add) = (set.collect::<String>(), add.collect::<String>());
        selected(&format!("mov v0,1; mov v1,2; {set}{inside}; {add}ret"))
    };
    check(with_live(6, "inc v0"), &[]);
    check(with_live(7, "inc v0"), &["registers-left"]);
    check(with_live(5, "lea v2,[v0+v1*2]"), &[]);
    check(with_live(6, "lea v2,[v0+v1*2]"), &["registers-left"]);
    check(with_live(6, "lea v2,[v0+v0*2]"), &[]);
    check(with_live(3, "movzx v2,v0"), &[]);
    check(with_live(4, "movzx v2,v0"), &["registers-left"]);
    check(with_live(4, "movzx eax,v0"), &[]);
    check(with_live(3, "movzx v2,v0; lea v2,[v0+v1*1]"), &["registers-left"]);
}

#[test]
fn allocated_code_has_real_registers_and_addresses_only() {
    check(allocated("mov v0,1; mov eax,1; ret"), &["real-only"]);
    check(allocated("mov eax,DWORD PTR [slot 0]; ret"), &["laid-out"]);
    check(allocated("mov eax,DWORD PTR [argument 0]; ret"), &["laid-out"]);
}

#[test]
fn words_of_the_stack_are_written_before_they_are_read() {
    let code = "sub esp,0x8; mov DWORD PTR [esp],eax; mov eax,DWORD PTR [esp+4]; \
                    add esp,0x8; ret";
    check(allocated(&format!("mov eax,1; {code}")), &["stack-written"]);
    check(allocated("mov eax,DWORD PTR [esp-4]; ret"), &["stack-written"]);
    check(allocated("mov eax,DWORD PTR [esp]; ret"), &["stack-written"]);
    check(allocated("sub esp,4; pop eax; ret"), &["stack-written"]);
}

#[test]
fn the_stack_is_balanced() {
    check(allocated("mov eax,1; sub esp,4; ret"), &["stack-balanced"]);
    check(allocated("mov eax,1; push eax; ret"), &["stack-balanced"]);
    check(allocated("mov eax,1; pop ecx; ret"), &["stack-balanced"]);
    check(allocated("mov eax,1; mov esp,eax; ret"), &["stack-balanced"]);
    check(allocated("mov eax,1; mov DWORD PTR [esp],eax; ret"), &["stack-balanced"]);
}

#[test]
fn the_callers_registers_are_restored() {
    check(allocated("mov eax,1; mov ebx,1; ret"), &["callee-saved"]);
    let swapped = "push ebx; push esi; mov esi,1; mov eax,esi; pop ebx; pop esi; ret";
    check(allocated(swapped), &["callee-saved"]);
    check(allocated("push ebx; mov eax,1; mov ebx,eax; pop ebx; ret"), &[]);
}

#[test]
fn flags_are_defined_for_zero_or_for_order() {
    let after = |text: &str| allocated(&format!("mov eax,1; {text} al; ret"));
    check(after("sub eax,1; sete"), &[]);
    check(after("dec eax; setne"), &[]);
    check(after("sub eax,1; setl"), &["flags-defined"]);
    check(after("and eax,7; setl"), &[]);
    check(after("cmp eax,1; shl eax,32; setl"), &[]);
    check(after("cmp eax,1; shl eax,31; setl"), &["flags-defined"]);
    check(after("imul eax,eax,7; sete"), &["flags-defined"]);
}

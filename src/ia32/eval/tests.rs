//! Tests of `eval`.
use super::*;
use crate::ia32::parse_assembly::{allocated, selected};
use crate::stage::Termination;

#[track_caller]
fn returns(code: &str, argument: i64, value: i64) {
    for code in [selected(code), allocated(code)] {
        assert_eq!(eval(&code, argument), Outcome::value(value));
    }
}

#[track_caller]
fn faults(code: &str, expected: &str) {
    let Termination::Fault { place, reason } = eval(&selected(code), 0).end else {
        panic!("no fault")
    };
    assert_eq!(format!("{place}: {reason}"), expected);
}

#[test]
fn instructions_compute_as_the_manual_says() {
    returns("mov eax,7; sub eax,9; ret", 0, -2);
    returns("mov eax,7; imul eax,eax,-3; ret", 0, -21);
    returns("mov eax,1; mov ecx,3; lea eax,[eax+ecx*4-0x2]; ret", 0, 11);
    returns("mov eax,-1; shr eax,33; ret", 0, i64::from(i32::MAX));
    returns("mov eax,-8; sar eax,1; ret", 0, -4);
    returns("mov eax,3; shl eax,31; ret", 0, i64::from(i32::MIN));
    returns("zero eax; dec eax; not eax; neg eax; inc eax; ret", 0, 1);
    returns("mov eax,12; and eax,10; or eax,1; xor eax,3; ret", 0, 10);
    returns("mov v0,DWORD PTR [argument 0]; mov eax,v0; ret", -5, -5);
    returns("mov eax,DWORD PTR [esp+4]; ret", -5, -5);
}

#[test]
fn products_and_quotients_take_two_registers() {
    let wide = "mov eax,0x40000000; mov ecx,-8; imul ecx; ";
    returns(&format!("{wide} ret"), 0, 0);
    returns(&format!("{wide} mov eax,edx; ret"), 0, -2);
    let divide = "mov eax,-7; mov ecx,2; cdq; idiv ecx; ";
    returns(&format!("{divide} ret"), 0, -3);
    returns(&format!("{divide} mov eax,edx; ret"), 0, -1);
}

#[cfg(feature = "ch14")]
#[test]
fn parts_of_words_are_extended() {
    for (number, byte, half) in [(127, 127, 127), (128, -128, 128), (-129, 127, -129)] {
        returns(&format!("mov ecx,{number}; movsx eax,cl; ret"), 0, byte);
        returns(&format!("mov esi,{number}; movsxh eax,si; ret"), 0, half);
    }
    returns("mov ecx,40000; movsxh eax,cx; ret", 0, 40000 - 65536);
    returns("mov ecx,-1; movzxh eax,cx; ret", 0, 65535);
}

#[test]
fn relations_are_signed() {
    let truth = |a: i32, suffix: &str, b: i32| {
        let code = format!("mov eax,{a}; cmp eax,{b}; set{suffix} al; movzx eax,al; ret");
        eval(&selected(&code), 0) == Outcome::value(1)
    };
    for (a, b) in [(i32::MIN, i32::MAX), (-1, 0), (0, 0), (5, 4), (i32::MAX, i32::MIN)] {
        assert_eq!(truth(a, "l", b), a < b);
        assert_eq!(truth(a, "le", b), a <= b);
        assert_eq!(truth(a, "e", b), a == b);
        assert_eq!(truth(a, "ne", b), a != b);
        assert_eq!(truth(a, "g", b), a > b);
        assert_eq!(truth(a, "ge", b), a >= b);
    }
    returns("mov eax,6; test eax,eax; setg al; movzx eax,al; ret", 0, 1);
}

#[test]
fn a_truth_value_is_a_byte_only() {
    let code = selected("mov eax,1; cmp eax,1; sete al; ret");
    assert_ne!(eval(&code, 0), Outcome::value(1));
}

#[test]
fn reading_an_unwritten_location_is_a_fault() {
    faults("mov eax,v3; ret", "0: mov eax,v3 (node 0): v3 was never written");
    faults("mov eax,1; add eax,ecx; ret", "1: add eax,ecx (node 1): ecx was never written");
    let word = "read of 4 bytes at 0x7fffeff8 that were never written";
    faults("sub esp,4; pop eax; ret", "1: pop eax (node 1): the stack holds no value for eax");
    faults(
        "sub esp,4; mov eax,DWORD PTR [esp]; ret",
        &format!("1: mov eax,DWORD PTR [esp] (node 1): {word}"),
    );
    faults(
        "mov eax,1; cmp eax,1; imul eax; sete al; ret",
        "3: sete al (node 3): the flags are undefined",
    );
    faults("mov eax,1", "the end of the code: there is no ret");
}

#[test]
fn the_stack_has_ends_and_must_be_balanced() {
    for (place, expected) in [
        ("esp-0x4", "read of 4 bytes at 0x7fffeff8 that were never written"),
        ("esp+0x8", "read of 4 bytes at 0x7ffff004 outside any segment"),
        ("esp+0x1", "read of 4 bytes at 0x7fffeffd that were never written"),
        ("argument 1", "read of 4 bytes at 0x7ffff004 outside any segment"),
        ("ecx*2+0x0", "read of 4 bytes at 0x00000000 outside any segment"),
    ] {
        let code = format!("mov ecx,0; mov eax,DWORD PTR [{place}]; ret");
        let Termination::Fault { reason, .. } = eval(&selected(&code), 0).end else {
            panic!("{place}")
        };
        assert_eq!(reason, expected, "{place}");
    }
    faults("mov eax,1; push eax; ret", "2: ret (node 2): the stack is not balanced");
    faults("mov esp,0; ret", "0: mov esp,0x0 (node 0): esp cannot be 0x0");
    returns("push ebx; mov ebx,3; mov eax,ebx; pop ebx; ret", 0, 3);
}

#[test]
fn a_division_faults_where_the_machine_does() {
    let divide = |high: i32, low: i32, by: i32| {
        format!("mov edx,{high}; mov eax,{low}; mov ecx,{by}; idiv ecx; ret")
    };
    let at = "3: idiv ecx (node 3)";
    faults(&divide(0, 1, 0), &format!("{at}: division by zero"));
    faults(&divide(-1, i32::MIN, -1), &format!("{at}: the quotient does not fit"));
    faults(&divide(i32::MIN, 0, -1), &format!("{at}: the quotient does not fit"));
    faults(&divide(1, 0, 1), &format!("{at}: the quotient does not fit"));
}

#[test]
fn flags_are_those_of_the_last_instruction_that_sets_them() {
    returns("mov eax,-3; and eax,-1; setl al; movzx eax,al; ret", 0, 1);
    returns("mov eax,-3; zero ecx; setle cl; movzx eax,cl; ret", 0, 1);
    returns("mov eax,1; dec eax; sete al; movzx eax,al; ret", 0, 1);
    returns("mov eax,1; cmp eax,1; shl eax,32; sete al; movzx eax,al; ret", 0, 1);
    faults(
        "mov eax,1; neg eax; setl al; ret",
        "2: setl al (node 2): the flags are defined for zero only",
    );
    faults(
        "mov eax,1; cmp eax,1; imul eax,eax,3; sete al; ret",
        "3: sete al (node 3): the flags are undefined",
    );
}

#[cfg(feature = "ch05")]
#[test]
fn control_follows_jumps() {
    let minimum = "b0: mov v0,DWORD PTR [argument 0]; mov v1,3; cmp v0,v1; jl b2; jmp b1; \
                       b1: jmp b3(v1); b2: jmp b3(v0); b3(v2): mov eax,v2; ret";
    for argument in [2, 3, 4] {
        let value = Outcome::value(argument.min(3));
        assert_eq!(eval(&selected(minimum), argument), value);
    }
    let through = "b0: mov eax,1; b1: cmp eax,1; je b3; b2: mov eax,2; b3: ret";
    assert_eq!(eval(&allocated(through), 0), Outcome::value(1));
}

#[cfg(feature = "ch05")]
#[test]
fn block_arguments_are_passed_in_parallel() {
    // Fibonacci's numbers; v2 and v3 are passed as (v3, v2 + v3).
    let code = "b0: mov v0,DWORD PTR [argument 0]; mov v1,0; mov v6,1; jmp b1(v0,v1,v6); \
                    b1@1(v5,v2,v3): test v5,v5; jg b2; jmp b3; \
                    b2@1: mov v4,v2; add v4,v3; mov v7,v5; dec v7; jmp b1(v7,v3,v4); \
                    b3: mov eax,v2; ret";
    assert_eq!(eval(&selected(code), 30), Outcome::value(832_040));
    let code = "b0: mov v0,1; mov v1,2; jmp b1(v0,v1); b1(v2,v3): jmp b2(v3,v2); \
                    b2(v4,v5): sub v4,v5; mov eax,v4; ret";
    assert_eq!(eval(&selected(code), 0), Outcome::value(1));
}

#[cfg(feature = "ch05")]
#[test]
fn a_jump_with_too_few_arguments_is_a_fault() {
    let code = "b0: mov v0,1; jmp b1(v0); b1(v1,v2): mov eax,v1; ret";
    faults(code, "1: jmp b1 (node 1): 1 of 2 values are passed");
    let code = "b0: jmp b1(v0); b1(v1): mov eax,v1; ret";
    faults(code, "0: jmp b1 (node 0): v0 was never written");
}

#[cfg(feature = "ch05")]
#[test]
fn code_that_never_ends_runs_out_of_steps() {
    assert_eq!(eval(&selected("b0: jmp b1; b1@1: jmp b1"), 0), Outcome::out_of_steps());
}

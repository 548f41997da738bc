//! Tests of signs.
use crate::post_allocation::tests::check;

/// A division by 2ᵏ of a number that a test has shown to be at least 0, or not.
fn divided(relation: &str, quotient: &str) -> String {
    format!(
        "b0: mov ecx,DWORD PTR [esp+4]; mov eax,7; test ecx,ecx; j{relation} b1; jmp b2; \
         b1: {quotient}; mov eax,ecx; jmp b2; b2: ret"
    )
}

const BEGIN: &str = "b0:\n    mov ecx,DWORD PTR [esp+0x4]\n    mov eax,0x7\n    test ecx,ecx\n    ";
const TWO: &str = "mov edx,ecx; shr edx,31; add ecx,edx; sar ecx,1";
const EIGHT: &str = "mov edx,ecx; sar edx,31; shr edx,29; add ecx,edx; sar ecx,3";

#[test]
fn a_quotient_of_a_number_that_is_not_negative_is_not_corrected() {
    for (quotient, shift) in [(TWO, "ecx,1"), (EIGHT, "ecx,0x3")] {
        for (relation, other) in [("g", "jle"), ("ge", "jl")] {
            let body = format!("b1:\n    sar {shift}\n    mov eax,ecx\n    ret\nb2:\n    ret\n");
            check(&divided(relation, quotient), &format!("{BEGIN}{other} b2\n{body}"));
        }
        // An equality rarely holds, so its block is out of line.
        let body = "b1:\n    ret\nb2:\n    mov eax,ecx\n    ret\n";
        check(&divided("e", quotient), &format!("{BEGIN}je b2\n{body}"));
    }
}

#[test]
fn a_quotient_of_a_number_that_may_be_negative_is_corrected() {
    let body = "b1:\n    mov edx,ecx\n    shr edx,0x1f\n    add ecx,edx\n    sar ecx,1\n    \
                mov eax,ecx\n    ret\nb2:\n    ret\n";
    check(&divided("l", TWO), &format!("{BEGIN}jge b2\n{body}"));
    check(&divided("ne", TWO), &format!("{BEGIN}je b2\n{body}"));
}

//! Tests of the passes: the code keeps its results and has the expected form.
use super::finish;
use super::random::Writer;
use crate::ia32::parse_assembly::allocated;
use crate::ia32::{Code, Op, encode};
use crate::stage::{Artifact, Termination};

const ARGUMENTS: [i64; 7] = [0, 1, -1, 5, 100, i32::MAX as i64, i32::MIN as i64];

/// The finished code, after checks that it is sound, no larger, and computes the same results.
fn checked(code: &Code) -> Code {
    assert_eq!(code.verify(), [], "\n{}", code.print());
    let finished = finish(code.clone());
    let both = || format!("\n{}\n{}", code.print(), finished.print());
    assert_eq!(finished.verify(), [], "{}", both());
    assert!(finished.instructions.len() <= code.instructions.len(), "{}", both());
    assert!(encode(&finished).bytes.len() <= encode(code).bytes.len(), "{}", both());
    for argument in ARGUMENTS {
        let outcome = code.eval(argument).expect("code is executable");
        assert!(!matches!(outcome.end, Termination::Fault { .. }), "{outcome:?}{}", both());
        assert_eq!(finished.eval(argument), Some(outcome), "{}", both());
    }
    finished
}

#[track_caller]
pub fn check(before: &str, after: &str) {
    assert_eq!(checked(&allocated(before)).print(), after);
}

#[test]
fn the_test_of_a_loop_is_at_its_bottom() {
    check(
        "b0: mov eax,DWORD PTR [esp+4]; jmp b1; b1@1: cmp eax,0xa; jl b2; jmp b3; \
         b2@1: inc eax; jmp b1; b3: ret",
        "b0:\n    mov eax,DWORD PTR [esp+0x4]\n    jmp b2\nb1:\n    inc eax\nb2:\n    \
         cmp eax,0xa\n    jl b1\nb3:\n    ret\n",
    );
}

#[test]
fn a_loop_that_counts_down_compares_before_its_first_iteration_only() {
    let counts = |relation: &str| {
        format!(
            "b0: mov eax,DWORD PTR [esp+4]; mov ecx,eax; jmp b1; b1@1: test ecx,ecx; \
             j{relation} b2; \
             jmp b3; b2@1: imul eax,eax,5; dec ecx; jmp b1; b3: ret"
        )
    };
    let begin = "b0:\n    mov eax,DWORD PTR [esp+0x4]\n    mov ecx,eax\n";
    let body = "    imul eax,eax,0x5\n    dec ecx\n";
    let (test, end) = ("    test ecx,ecx\n", "b3:\n    ret\n");
    let once = |relation: &str| {
        format!("{begin}{test}    jmp b2\nb1:\n{body}b2:\n    j{relation} b1\n{end}")
    };
    let always = |relation: &str| {
        format!("{begin}    jmp b2\nb1:\n{body}b2:\n{test}    j{relation} b1\n{end}")
    };
    check(&counts("ne"), &once("ne"));
    // `dec` of the least number overflows, so its flags do not show an order.
    check(&counts("l"), &always("l"));
    // A number above zero does not overflow, and the test before the loop is a copy.
    #[cfg(feature = "ch29")]
    check(&counts("g"), &format!("{begin}{test}    jle b2\nb1:\n{body}    jne b1\nb2:\n    ret\n"));
}

#[cfg(feature = "ch29")]
#[test]
fn a_number_above_zero_is_not_compared_after_a_decrement() {
    let compares = |relation: &str, middle: &str| {
        let code = format!(
            "b0: mov eax,1; mov ecx,DWORD PTR [esp+4]; test ecx,ecx; {relation} b1; jmp b3; \
             b1: {middle}; test ecx,ecx; jg b2; jmp b3; b2: mov eax,7; jmp b3; b3: ret"
        );
        let finished = checked(&allocated(&code));
        finished.instructions.iter().filter(|it| it.op == Op::Test).count()
    };
    assert_eq!(compares("jg", "dec ecx"), 1);
    for (relation, middle) in [
        ("jge", "dec ecx"),
        ("jl", "dec ecx"),
        ("jne", "dec ecx"),
        ("jg", "sub ecx,-5"),
        ("jg", "inc ecx; dec ecx"),
        ("jg", "dec ecx; dec ecx"),
    ] {
        assert_eq!(compares(relation, middle), 2, "{relation}: {middle}");
    }
}

#[cfg(feature = "ch29")]
#[test]
fn nested_loops_have_their_tests_at_the_bottom() {
    check(
        "b0: mov eax,0; mov ecx,3; jmp b1; b1@1: test ecx,ecx; jg b2; jmp b6; \
         b2@1: mov edx,4; jmp b3; b3@2: test edx,edx; jg b4; jmp b5; \
         b4@2: inc eax; dec edx; jmp b3; b5@1: dec ecx; jmp b1; b6: ret",
        "b0:\n    xor eax,eax\n    mov ecx,0x3\nb1:\n    mov edx,0x4\nb2:\n    inc eax\n    \
         dec edx\n    jne b2\nb3:\n    dec ecx\n    jne b1\nb4:\n    ret\n",
    );
}

#[cfg(feature = "ch29")]
#[test]
fn the_test_of_an_inner_loop_is_copied_before_it() {
    check(
        "b0: mov eax,0; mov ecx,DWORD PTR [esp+4]; jmp b1; b1@1: test ecx,ecx; jg b2; jmp b6; \
         b2@1: mov edx,ecx; jmp b3; b3@2: cmp edx,9; jl b4; jmp b5; \
         b4@2: inc eax; inc edx; jmp b3; b5@1: dec ecx; jmp b1; b6: ret",
        "b0:\n    xor eax,eax\n    mov ecx,DWORD PTR [esp+0x4]\n    test ecx,ecx\n    \
         jle b4\nb1:\n    mov edx,ecx\n    cmp edx,0x9\n    jge b3\nb2:\n    inc eax\n    \
         inc edx\n    cmp edx,0x9\n    jl b2\nb3:\n    dec ecx\n    jne b1\nb4:\n    ret\n",
    );
}

#[cfg(feature = "ch27")]
#[test]
fn a_jump_to_a_test_with_a_certain_result_goes_on_to_the_target() {
    // One predecessor of the test sets the register to 1, through a copy, and jumps to a jump.
    check(
        "b0: mov eax,DWORD PTR [esp+4]; mov edx,eax; cmp eax,5; jl b1; jmp b2; \
         b1: mov ecx,1; mov edx,ecx; jmp b6; b2: imul eax,edx; jmp b3; \
         b3: cmp edx,1; je b4; jmp b5; b4: neg eax; ret; b5: inc eax; ret; b6: jmp b3",
        "b0:\n    mov eax,DWORD PTR [esp+0x4]\n    mov edx,eax\n    cmp eax,0x5\n    jl b3\n\
         b1:\n    imul eax,edx\n    cmp edx,0x1\n    je b3\nb2:\n    inc eax\n    ret\n\
         b3:\n    neg eax\n    ret\n",
    );
}

#[test]
fn control_falls_through_where_it_can() {
    check(
        "b0: mov eax,DWORD PTR [esp+4]; test eax,eax; jl b1; jmp b2; b1: neg eax; jmp b3; \
         b2: inc eax; jmp b3; b3: imul eax,eax,7; ret",
        "b0:\n    mov eax,DWORD PTR [esp+0x4]\n    test eax,eax\n    jge b2\nb1:\n    neg eax\n    \
         jmp b3\nb2:\n    inc eax\nb3:\n    imul eax,eax,0x7\n    ret\n",
    );
    check(
        "b0: mov eax,DWORD PTR [esp+4]; test eax,eax; jl b1; jmp b2; b1: neg eax; jmp b3; \
         b2: jmp b3; b3: imul eax,eax,7; ret",
        "b0:\n    mov eax,DWORD PTR [esp+0x4]\n    test eax,eax\n    jge b2\nb1:\n    neg eax\n\
         b2:\n    imul eax,eax,0x7\n    ret\n",
    );
}

#[test]
fn a_jump_to_a_return_becomes_a_return() {
    check(
        "b0: mov eax,DWORD PTR [esp+4]; test eax,eax; jl b1; jmp b2; b1: neg eax; jmp b3; \
         b2: inc eax; jmp b3; b3: ret",
        "b0:\n    mov eax,DWORD PTR [esp+0x4]\n    test eax,eax\n    jge b2\nb1:\n    neg eax\n    \
         ret\nb2:\n    inc eax\n    ret\n",
    );
}

#[test]
fn empty_blocks_are_skipped() {
    check("b0: mov eax,1; jmp b1; b1: jmp b2; b2: jmp b3; b3: ret", "mov eax,0x1\nret\n");
    check("b0: jmp b1; b1@1: jmp b2; b2@1: jmp b1", "b0:\n    jmp b0\n");
    check(
        "b0: mov eax,DWORD PTR [esp+4]; test eax,eax; jl b1; jmp b2; b1: jmp b3; b2: jmp b3; \
         b3: inc eax; ret",
        "mov eax,DWORD PTR [esp+0x4]\ninc eax\nret\n",
    );
    check(
        "b0: mov eax,1; jmp b1; b1@1: test eax,eax; jl b2; jmp b3; b2@1: jmp b1; b3@1: jmp b1",
        "b0:\n    mov eax,0x1\nb1:\n    jmp b1\n",
    );
}

#[test]
fn redundant_compares_are_removed() {
    let block = |body: &str, condition: &str| {
        format!(
            "mov eax,DWORD PTR [esp+0x4]\nmov ecx,0x9\n{body}set{condition} dl\n\
             movzx edx,dl\nadd eax,edx\nimul eax,ecx\nret\n"
        )
    };
    let test = "test eax,eax\n";
    let drops = |body: &str, condition: &str| {
        check(&block(&format!("{body}{test}"), condition), &block(body, condition));
        check(&block(&format!("{body}cmp eax,0\n"), condition), &block(body, condition));
    };
    let keeps = |body: &str, condition: &str| {
        let code = block(&format!("{body}{test}"), condition);
        check(&code, &code);
    };
    drops("sub eax,ecx\n", "e");
    drops("dec eax\n", "ne");
    drops("and eax,ecx\n", "l");
    drops("sar eax,1\n", "e");
    drops("dec eax\nnot ecx\n", "e");
    drops("test eax,eax\n", "g");
    keeps("sub eax,ecx\n", "g");
    // The sign of a result is that of the wrapped one.
    #[cfg(feature = "ch29")]
    for (condition, of_sign) in [("l", "s"), ("ge", "ns")] {
        check(&block(&format!("sub eax,ecx\n{test}"), condition), &block("sub eax,ecx\n", of_sign));
    }
    keeps("dec eax\nmov eax,ecx\n", "e");
    keeps("imul eax,ecx\n", "e");
    keeps("dec ecx\n", "e");
    keeps("dec eax\nneg ecx\nadd ecx,eax\n", "e");
    #[cfg(feature = "ch29")]
    check(&block(&format!("dec eax\nneg ecx\n{test}"), "e"), &block("neg ecx\ndec eax\n", "e"));
    keeps("sub eax,ecx\nneg ecx\n", "e");
    keeps("dec eax\nadd ecx,eax\nneg ecx\n", "e");
    #[cfg(feature = "ch10")]
    keeps("sub eax,DWORD PTR [esp+0x4]\nneg ecx\n", "e");
}

#[test]
fn a_compare_is_not_repeated_after_a_jump() {
    check(
        "b0: mov eax,DWORD PTR [esp+4]; mov ecx,5; cmp eax,ecx; jl b1; jmp b2; b1: neg eax; ret; \
         b2: cmp eax,ecx; je b3; jmp b4; b3: neg ecx; mov eax,ecx; ret; b4: ret",
        "b0:\n    mov eax,DWORD PTR [esp+0x4]\n    mov ecx,0x5\n    cmp eax,ecx\n    jge b2\n\
         b1:\n    neg eax\n    ret\nb2:\n    je b4\nb3:\n    ret\n\
         b4:\n    neg ecx\n    mov eax,ecx\n    ret\n",
    );
}

#[test]
fn a_compare_with_exchanged_operands_is_not_repeated() {
    check(
        "b0: mov eax,DWORD PTR [esp+4]; mov ecx,5; cmp eax,ecx; je b1; jmp b2; b1: ret; \
         b2: cmp ecx,eax; setle dl; movzx edx,dl; jl b3; jmp b4; b3: sub eax,ecx; ret; \
         b4: mov eax,edx; ret",
        "b0:\n    mov eax,DWORD PTR [esp+0x4]\n    mov ecx,0x5\n    cmp eax,ecx\n    je b3\n\
         b1:\n    setge dl\n    movzx edx,dl\n    jg b4\nb2:\n    mov eax,edx\n    ret\n\
         b3:\n    ret\nb4:\n    sub eax,ecx\n    ret\n",
    );
}

#[test]
fn random_code_keeps_its_results() {
    for seed in 0..3000 {
        checked(&Writer::new(seed).function(2 + (seed % 12) as usize));
    }
}

#[test]
fn a_hundred_thousand_blocks_are_finished() {
    let blocks = 100_000;
    let mut text = "b0: mov eax,DWORD PTR [esp+4]; jmp b1; ".to_string();
    for at in 1..blocks {
        let (target, next) = ((at + 1 + at % 7).min(blocks), at + 1);
        text += &format!("b{at}@{}: dec eax; test eax,eax; je b{target}; jmp b{next}; ", at % 3);
    }
    checked(&allocated(&format!("{text} b{blocks}: ret")));
}

#[test]
fn the_block_that_is_executed_most_often_falls_through() {
    // The last block of a ladder of equalities is the likeliest one.
    check(
        "b0: mov eax,DWORD PTR [esp+4]; cmp eax,5; je b1; jmp b2; b1: neg eax; jmp b5; \
         b2: cmp eax,7; je b3; jmp b4; b3: inc eax; jmp b5; b4: dec eax; jmp b5; \
         b5: imul eax,eax; ret",
        "b0:\n    mov eax,DWORD PTR [esp+0x4]\n    cmp eax,0x5\n    je b4\n\
         b1:\n    cmp eax,0x7\n    je b5\nb2:\n    dec eax\n\
         b3:\n    imul eax,eax\n    ret\n\
         b4:\n    neg eax\n    jmp b3\nb5:\n    inc eax\n    jmp b3\n",
    );
}

//! The results of code.
use super::super::eval::eval;
use super::super::parse_assembly::code;
use crate::stage::{Outcome, Termination};

#[track_caller]
fn returns(text: &str, argument: i64, value: i64) {
    assert_eq!(eval(&code(text), argument), Outcome::value(value));
}

#[track_caller]
fn faults(text: &str, expected: &str) {
    let Termination::Fault { place, reason } = eval(&code(text), 7).end else { panic!("no fault") };
    assert_eq!(format!("{place}: {reason}"), expected);
}

#[test]
fn instructions_compute_words() {
    let of = |op: &str| format!("b0: argument v0,0; const v1,-3; {op}; return v2");
    for (op, value) in [
        ("add v2,v0,v1", 4),
        ("addi v2,v0,2147483647", i64::from(i32::MIN) + 6),
        ("sub v2,v0,v1", 10),
        ("subi v2,v0,9", -2),
        ("mul v2,v0,v1", -21),
        ("muli v2,v0,-2", -14),
        ("div v2,v0,v1", -2),
        ("divi v2,v0,-2", -3),
        ("cmp.lt v2,v0,v1", 0),
        ("cmp.gt v2,v0,v1", 1),
        ("cmpi.le v2,v0,7", 1),
        ("copy v2,v1", -3),
        #[cfg(feature = "ch25")]
        ("mod v2,v1,v0", -3),
        #[cfg(feature = "ch25")]
        ("andi v2,v1,6", 4),
        #[cfg(feature = "ch25")]
        ("or v2,v0,v1", -1),
        #[cfg(feature = "ch25")]
        ("eori v2,v0,-1", -8),
        #[cfg(feature = "ch25")]
        ("shli v2,v0,33", 14),
        #[cfg(feature = "ch25")]
        ("shri v2,v1,1", i64::from(i32::MAX) - 1),
        #[cfg(feature = "ch25")]
        ("shrsi v2,v1,1", -2),
        #[cfg(feature = "ch25")]
        ("not v2,v0", -8),
    ] {
        returns(&of(op), 7, value);
    }
}

#[cfg(feature = "ch25")]
#[test]
fn memory_holds_what_was_written_and_the_trace_says_what_others_see() {
    let text = "s0 = global; s1 = array; b0: argument v0,0; symconst v1,s1; addi v2,v1,4; \
                storei s0,v0; store v2,v0; volatile loadi v3,s0; load v4,v2; add v5,v3,v4; \
                return v5";
    let [global, array] = [0, 1].map(|number| code(text).symbols.address(number));
    let trace = format!("store {global} 7\nstore {} 7\nload {global}\n", array + 4);
    let expected = Outcome { output: trace, ..Outcome::value(14) };
    assert_eq!(eval(&code(text), 7), expected);
    assert_eq!(eval(&code(&crate::ttc::tr::print::listing(&code(text))), 7), expected);
}

#[test]
fn control_goes_from_block_to_block() {
    let choice = "b0: argument v0,0; cmpi.lt v1,v0,0; cond v1,b1,b2; b1: const v2,1; \
                  return v2; b2: return v0";
    returns(choice, -5, 1);
    returns(choice, 5, 5);
    // Fibonacci's numbers; the arguments of b1 are v3 and v2 + v3.
    let numbers = "b0: argument v0,0; const v1,0; const v2,1; jmp b1(v0,v1,v2); \
                   b1(v3,v4,v5): cmpi.gt v6,v3,0; cond v6,b2,b3; \
                   b2: add v7,v4,v5; subi v8,v3,1; jmp b1(v8,v5,v7); b3: return v4";
    returns(numbers, 30, 832_040);
}

#[test]
fn what_cannot_be_executed_is_a_fault() {
    faults("b0: return v0", "0: return v0 (node 0): v0 was never written");
    faults("b0: const v0,1", "the end of the code: nothing returns");
    faults("b0: argument v0,1", "0: argument v0,1 (node 0): there is no such argument");
    let divided = "b0: argument v0,0; divi v1,v0,0; return v1";
    faults(divided, "1: divi v1,v0,0 (node 1): division of 7 by 0");
    let divided = "b0: const v0,-2147483648; divi v1,v0,-1; return v1";
    faults(divided, "1: divi v1,v0,-1 (node 1): division of -2147483648 by -1");
    let branch = "b0: argument v0,0; cond v0,b1,b1; b1: return v0";
    faults(branch, "1: cond v0,b1,b1 (node 1): 7 is neither true nor false");
    let handed = "b0: argument v0,0; jmp b1(v0); b1(v1,v2): return v1";
    faults(handed, "1: jmp b1 (node 1): 1 of 2 arguments are passed");
}

#[test]
fn code_that_never_ends_runs_out_of_steps() {
    assert_eq!(eval(&code("b0: jmp b1; b1: jmp b1"), 0), Outcome::out_of_steps());
}

//! The terms of instructions that are functions of their operands.
use super::smt::constant;
use crate::arith::WORD;
use crate::ia32::instruction::Op;

/// The term of an instruction that is a function of its operands.
pub fn function(op: Op, operands: &[String]) -> Option<String> {
    let a = &operands[0];
    let binary = |name: &str| Some(format!("({name} {a} {})", operands[1]));
    let shift = |name: &str| Some(format!("({name} {a} (bvand {} {}))", operands[1], word(31)));
    match op {
        Op::Add | Op::AddImmediate => binary("bvadd"),
        Op::Sub | Op::SubImmediate => binary("bvsub"),
        Op::Imul | Op::ImulImmediate => binary("bvmul"),
        Op::And | Op::AndImmediate => binary("bvand"),
        Op::Or | Op::OrImmediate => binary("bvor"),
        Op::Xor | Op::XorImmediate => binary("bvxor"),
        Op::Neg => Some(format!("(bvneg {a})")),
        Op::Not => Some(format!("(bvnot {a})")),
        Op::Inc => Some(format!("(bvadd {a} {})", word(1))),
        Op::Dec => Some(format!("(bvsub {a} {})", word(1))),
        Op::Shl => shift("bvshl"),
        Op::Shr => shift("bvlshr"),
        Op::Sar => shift("bvashr"),
        Op::Movzx => Some(extended("zero_extend", 8, a)),
        Op::MovsxByte => Some(extended("sign_extend", 8, a)),
        Op::MovzxHalf => Some(extended("zero_extend", 16, a)),
        Op::MovsxHalf => Some(extended("sign_extend", 16, a)),
        Op::ShlCount => shift("bvshl"),
        Op::ShrCount => shift("bvlshr"),
        Op::SarCount => shift("bvashr"),
        Op::Rol => {
            let [left, right] = [operands[1].clone(), format!("(bvneg {})", operands[1])]
                .map(|count| format!("(bvand {count} {})", word(31)));
            Some(format!("(bvor (bvshl {a} {left}) (bvlshr {a} {right}))"))
        }
        _ => None,
    }
}

/// The lowest bits of a word, extended to a word again.
fn extended(extend: &str, bits: u32, word: &str) -> String {
    format!("((_ {extend} {}) ((_ extract {} 0) {word}))", 32 - bits, bits - 1)
}

pub fn quotient(a: &str, b: &str) -> String {
    format!("(bvsdiv {a} {b})")
}

/// `a - a / b * b`. Solvers do not find in time that bvsrem is the same.
pub fn remainder(a: &str, b: &str) -> String {
    format!("(bvsub {a} (bvmul {} {b}))", quotient(a, b))
}

pub fn word(number: i32) -> String {
    constant(WORD, i64::from(number))
}

/// The sign of a word, in all bits.
pub fn sign(term: &str) -> String {
    format!("(bvashr {term} {})", word(31))
}

/// The condition that a term is less than another one, without signs.
pub fn below(a: &str, b: &str) -> String {
    format!("(bvult {a} {b})")
}

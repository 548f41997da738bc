//! Tests of the whole module.
#[cfg(feature = "ch05")]
mod shapes;
#[cfg(feature = "ch04")]
mod straight;

use super::allocate;
use crate::effort::programs;
#[cfg(feature = "ch05")]
use crate::ia32::random::graphs::ControlFlowGraph;
use crate::ia32::random::{EAX, Writer, check_allocation};
use crate::ia32::{Code, Op, Operand};
use crate::stage::Artifact;

/// The allocated code, after checks that it is sound and computes the same results.
fn checked(code: Code, arguments: &[i64]) -> Code {
    assert_eq!(code.verify(), [], "\n{}", code.print());
    let allocated = allocate(code.clone());
    check_allocation(&code, &allocated, arguments);
    allocated
}

#[test]
fn random_code_keeps_its_results() {
    for seed in 0..programs(4000) {
        let live = 1 + (seed % 41) as usize;
        let code = Writer::new(seed, live).program(10 + (seed % 200) as usize);
        checked(code, &[0, 1, -77, i64::from(i32::MIN)]);
    }
}

#[cfg(feature = "ch05")]
#[test]
fn random_blocks_keep_their_results() {
    for seed in 0..programs(4000) {
        let live = 1 + (seed % 31) as usize;
        let shape = ControlFlowGraph::new(seed, 2 + (seed % 23) as usize);
        checked(shape.code(seed, live, 1 + (seed % 17) as usize), &[0, 1, -77]);
    }
}

/// Values that are live in many blocks have one long range.
#[cfg(feature = "ch05")]
#[test]
fn many_random_blocks_keep_their_results() {
    for seed in 0..programs(40) {
        let shape = ControlFlowGraph::new(seed, 300 + 20 * seed as usize);
        checked(shape.code(seed, 1 + (seed % 31) as usize, 1 + (seed % 9) as usize), &[0, 1, -77]);
    }
}

#[cfg(feature = "ch05")]
#[test]
fn many_values_in_many_blocks_take_no_quadratic_time() {
    checked(Writer::many_values_in_many_blocks(), &[3]);
}

#[test]
fn long_code_with_many_values_is_allocated() {
    let code = Writer::new(1, 2000).program(100_000);
    checked(code, &[3]);
}

#[test]
fn the_operands_of_a_division_may_be_in_any_register() {
    for (dividend, divisor, ended) in (0..9 * 9 * 9).map(|n| (n % 9, n / 9 % 9, n / 81)) {
        let mut writer = Writer::new(7, 100);
        writer.pool.clear();
        for number in [2, 3, 5, 7, 11, 13, 17, 19, 23] {
            writer.number(number);
        }
        let [a, b] = [dividend, divisor].map(|at| Operand::Register(writer.pool[at]));
        writer.push(Op::Mov, &[EAX, a]);
        writer.push(Op::Cdq, &[]);
        writer.push(Op::Idiv, &[b]);
        writer.pool.drain(..ended);
        writer.results();
        checked(writer.program(0), &[0]);
    }
}

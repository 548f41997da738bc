//! Random functions with all that is difficult at once: loops that are left anywhere, many values,
//! instructions that need certain registers, calls that destroy some. `PROGRAMS=100000`
//! tests so many. (No cycle has two entries: the invariant `ordered` of machine code forbids it.)
use super::checked;
use crate::colour::{Statistics, allocate};
use crate::effort::programs;
use crate::firm::Signature;
use crate::heap::ResultFormat;
use crate::ia32::random::graphs::ControlFlowGraph;
use crate::ia32::{Code, Op, Operand, Program, Register};
use crate::stage::{Artifact, Termination};

const ARGUMENTS: [i64; 4] = [0, 1, -77, i32::MIN as i64];

#[test]
fn random_functions_keep_their_results() {
    let mut all = Statistics::default();
    for seed in 0..programs(400) {
        let shape = ControlFlowGraph::new(seed, 2 + (seed % 23) as usize);
        let one = checked_function(seed, shape);
        all.problems += one.problems;
        all.optimal += one.optimal;
        (all.before, all.after) = (all.before + one.before, all.after + one.after);
    }
    println!("{all:?}");
    assert!(10 * all.optimal >= 9 * all.problems, "{all:?}");
    assert!(10 * all.after < 7 * all.before, "{all:?}");
}

fn checked_function(seed: u64, shape: ControlFlowGraph) -> Statistics {
    let [live, length] = [61, 19].map(|most| 1 + (seed % most) as usize);
    if seed.is_multiple_of(2) {
        let mut shape = shape;
        shape.has_calls = true;
        return checked_calls(shape.code(seed, live, length));
    }
    let code: Code = shape.code(seed, live, length);
    assert_eq!(code.verify(), [], "\n{}", code.print());
    checked(code, &ARGUMENTS).1
}

fn program(functions: Vec<Code>) -> Program {
    Program { functions, result: ResultFormat::default(), file: String::new() }
}

/// As `checked`, for a function that calls another one.
fn checked_calls(code: Code) -> Statistics {
    let mut other = Code::new("other");
    other.signature = Signature::new(0, 1);
    other.begin_block();
    other.push(Op::MovImmediate, &[Operand::Register(Register::EAX), Operand::Immediate(5)], 0);
    other.push(Op::Ret, &[], 0);
    let (allocated, statistics) = allocate(code.clone()).expect("there are enough colours");
    let before = program(vec![code, other.clone()]);
    let after = program(vec![allocated, allocate(other).expect("it is small").0]);
    assert_eq!(before.verify(), [], "\n{}", before.print());
    assert_eq!(after.verify(), [], "\n{}\n{}", before.print(), after.print());
    for argument in ARGUMENTS {
        let outcome = before.eval(argument).expect("selected code is executable");
        assert!(matches!(outcome.end, Termination::Value(_)), "{outcome:?}\n{}", before.print());
        assert_eq!(after.eval(argument), Some(outcome), "\n{}\n{}", before.print(), after.print());
    }
    statistics
}

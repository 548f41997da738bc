//! Tests of `code.rs`.
use super::*;
use Operand::{Immediate, Register as R};

fn v(number: u32) -> Register {
    Register::new_virtual(number)
}

#[track_caller]
fn check(op: Op, operands: &[Operand], reads: &[Register], writes: &[Register]) {
    let instruction = Instruction::new(op, operands, 0);
    assert_eq!(instruction.reads().collect::<Vec<_>>(), reads, "reads");
    assert_eq!(instruction.writes().collect::<Vec<_>>(), writes, "writes");
}

#[test]
fn reads_and_writes_are_those_of_the_instruction() {
    let [eax, edx] = [Register::EAX, Register::from_index(2)];
    let address = Address::new(Base::Register(v(1)), 8).with_index(v(2), 4);
    check(Op::Mov, &[R(v(0)), R(v(1))], &[v(1)], &[v(0)]);
    check(Op::Add, &[R(v(0)), R(v(1))], &[v(0), v(1)], &[v(0)]);
    check(Op::ImulImmediate, &[R(v(0)), R(v(1)), Immediate(3)], &[v(1)], &[v(0)]);
    check(Op::Lea, &[R(v(0)), Operand::Address(address)], &[v(1), v(2)], &[v(0)]);
    check(Op::Store, &[Operand::Address(address), R(v(3))], &[v(1), v(2), v(3)], &[]);
    check(Op::Zero, &[R(v(0))], &[], &[v(0)]);
    check(Op::Idiv, &[R(v(2))], &[v(2), eax, edx], &[eax, edx]);
    check(Op::Ret, &[], &[eax], &[]);
}

#[test]
fn an_instruction_stays_small() {
    assert!(size_of::<Instruction>() <= 80, "{}", size_of::<Instruction>());
}

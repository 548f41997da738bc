//! Tests of `one_page.rs`.
use super::*;
use crate::ia32::instruction::Op;
use crate::ia32::{Operand, encode};
use crate::stage::{Artifact, Outcome};
use crate::target::RegisterKind;

#[test]
fn a_constant_is_returned_in_eax() {
    let mut code = Code::new("simple");
    code.virtual_registers.push(RegisterKind::WORD);
    let value = Operand::Register(Register::new_virtual(0));
    code.push(Op::MovImmediate, &[value, Operand::Immediate(42)], 1);
    code.push(Op::Mov, &[Operand::Register(Register::EAX), value], 2);
    code.push(Op::Ret, &[], 2);
    assert_eq!((code.verify(), code.eval(0)), (vec![], Some(Outcome::value(42))));
    let code = allocate(code);
    assert_eq!(code.print(), "mov eax,0x2a\nret\n");
    assert_eq!(encode(&code).bytes, [0xb8, 0x2a, 0, 0, 0, 0xc3]);
    assert_eq!((code.verify(), code.eval(0)), (vec![], Some(Outcome::value(42))));
}

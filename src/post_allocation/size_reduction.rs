//! Size reduction: replaces instructions by shorter ones that also write the flags, where the flags
//! are dead.
use super::control_flow::ControlFlow;
use crate::ia32::code::{Address, Base, Instruction};
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand, Register};
use crate::target::Flags;

pub fn reduce_size(flow: &mut ControlFlow) {
    for id in flow.blocks.ids() {
        let block = &mut flow.blocks[id];
        // Flags are read by the jump at the end of their block, if at all.
        let mut read = matches!(block.terminator, Terminator::Branch(..));
        for instruction in block.body.iter_mut().rev() {
            let flags = instruction.flags();
            if flags == Flags::Untouched
                && !read
                && let Some(shorter) = FORMS.iter().find_map(|form| form(instruction))
            {
                *instruction = shorter.into();
            }
            read = flags.reads() || read && !flags.writes();
        }
    }
}

/// The replacements; the first that applies is used.
const FORMS: &[fn(&Instruction) -> Option<Instruction>] =
    &[zero, one_more_or_less, constant, sum, double];

/// `mov a,0` → `xor a,a`: 2 bytes for 5.
fn zero(instruction: &Instruction) -> Option<Instruction> {
    let [target, number, _] = instruction.operands;
    let empties = instruction.op == Op::MovImmediate && number == Operand::Immediate(0);
    empties.then(|| Instruction::new(Op::Zero, &[target], instruction.origin))
}

/// `lea a,[a+1]` → `inc a` and `lea a,[a-1]` → `dec a`: 1 byte for 3.
fn one_more_or_less(instruction: &Instruction) -> Option<Instruction> {
    let (target, address) = lea(instruction)?;
    let op = match (is(address.base(), target), address.index(), address.displacement) {
        (true, None, 1) => Op::Inc,
        (true, None, -1) => Op::Dec,
        _ => return None,
    };
    Some(Instruction::new(op, &[Operand::Register(target)], instruction.origin))
}

/// `lea a,[a+n]` → `add a,n`: shorter in eax only, but it sets flags that a later `test` may need.
/// -128 fits a byte, and 128 does not.
fn constant(instruction: &Instruction) -> Option<Instruction> {
    let (target, address) = lea(instruction)?;
    if !is(address.base(), target) || address.index().is_some() {
        return None;
    }
    let (op, number) = match address.displacement {
        0 => return None,
        128 => (Op::SubImmediate, -128),
        number => (Op::AddImmediate, number),
    };
    let operands = [Operand::Register(target), Operand::Immediate(number)];
    Some(Instruction::new(op, &operands, instruction.origin))
}

/// `lea a,[a+b]` and `lea a,[b+a]` → `add a,b`: 2 bytes for 3.
fn sum(instruction: &Instruction) -> Option<Instruction> {
    let (target, address) = lea(instruction)?;
    let (Base::Register(base), Some((index, 1)), 0) =
        (address.base(), address.index(), address.displacement)
    else {
        return None;
    };
    let added = match (base == target, index == target) {
        (true, _) => index,
        (false, true) => base,
        (false, false) => return None,
    };
    let operands = [target, added].map(Operand::Register);
    Some(Instruction::new(Op::Add, &operands, instruction.origin))
}

/// `lea a,[a*2+0]` → `add a,a`: 2 bytes for 7.
fn double(instruction: &Instruction) -> Option<Instruction> {
    let (target, address) = lea(instruction)?;
    let doubles = address == Address::new(Base::None, 0).with_index(target, 2);
    let operands = [Operand::Register(target); 2];
    doubles.then(|| Instruction::new(Op::Add, &operands, instruction.origin))
}

fn lea(instruction: &Instruction) -> Option<(Register, Address)> {
    match (instruction.op, instruction.operands) {
        (Op::Lea, [Operand::Register(target), Operand::Address(address), _]) => {
            Some((target, address))
        }
        _ => None,
    }
}

/// Instructions that move esp are not changed, since the frame code consists of them.
fn is(base: Base, register: Register) -> bool {
    base == Base::Register(register) && register != Register::ESP
}

#[cfg(test)]
#[path = "tests/size_reduction.rs"]
mod tests;

//! Tail calls as jumps: a call after which only the frame is left and the function returns.
//!
//! The called function finds what it would find after a call: its arguments above the address to
//! which it returns, and the registers of the caller restored. Only, that address is the one to
//! which this function would return. So the arguments are copied to the words of this function's
//! own arguments, the frame is left, and a jump takes the place of the call. That needs no more
//! words than the caller has passed.
use super::control_flow::ControlFlow;
use super::decoded::Decoded;
use crate::firm::Signature;
use crate::ia32::code::{Address, Base, BlockId, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand, Register};

/// The most instructions that leave a frame, and the most blocks on the way to the return.
const MAX_LENGTH: usize = 8;

/// Replaces the tail calls of a function.
pub fn replace_tail_calls(flow: &mut ControlFlow) {
    for id in flow.blocks.ids() {
        let Some(leaving) = after_last_call(flow, id) else { continue };
        let body = &mut flow.blocks[id].body;
        let at = body.iter().rposition(|it| it.is_call()).expect("there is a call");
        let call = body[at];
        let Some(signature) = call.signature().filter(|it| fits(*it, flow.signature)) else {
            continue;
        };
        body.truncate(at);
        let distance = WORD + leaving.iter().map(|it| freed(it)).sum::<i32>();
        pass_arguments(body, signature.on_stack(), distance, call.origin);
        body.extend(leaving);
        body.push(Instruction { op: Op::JmpFunction, ..*call }.into());
        flow.blocks[id].terminator = Terminator::Return;
    }
}

const WORD: i32 = 4;
const ESP: Operand = Operand::Register(Register::ESP);
const EAX: Operand = Operand::Register(Register::EAX);

/// Whether the words of the caller are enough. Other results than the first are on its stack, too:
/// this function may have written some of its own before the call.
fn fits(called: Signature, own: Signature) -> bool {
    called.on_stack() <= own.on_stack() && called.results == 1 && own.results == 1
}

/// The instructions that leave the frame after the last call of a block, if nothing else follows
/// but the return. The call is of a known function.
fn after_last_call(flow: &ControlFlow, id: BlockId) -> Option<Vec<Decoded>> {
    let body = &flow.blocks[id].body;
    let at = body.iter().rposition(|it| it.is_call())?;
    if body[at].op != Op::Call {
        return None;
    }
    let mut leaving = body[at + 1..].to_vec();
    let mut block = id;
    for _ in 0..MAX_LENGTH {
        let Terminator::Goto(next) = flow.blocks[block].terminator else { break };
        leaving.extend(flow.blocks[next].body.iter().take(MAX_LENGTH + 1));
        block = next;
    }
    let is_end = flow.blocks[block].terminator == Terminator::Return
        && leaving.len() <= MAX_LENGTH
        && keeps_result(&leaving);
    leaving.retain(|it| freed(it) > 0);
    is_end.then_some(leaving)
}

/// Whether instructions only leave the frame and copy the result, which is in eax in the end.
fn keeps_result(leaving: &[Decoded]) -> bool {
    let mut holders = RegisterSet::EMPTY;
    holders.insert(Register::EAX);
    leaving.iter().all(|it| match it.operands {
        [Operand::Register(to), Operand::Register(from), _] if it.op == Op::Mov => {
            holders.insert(to);
            holders.contains(from)
        }
        _ => {
            holders = holders.without(it.real_writes());
            freed(it) > 0
        }
    })
}

/// The bytes of the frame that an instruction leaves; 0 if it does something else.
fn freed(instruction: &Instruction) -> i32 {
    match (instruction.op, instruction.operands) {
        (Op::AddImmediate, [ESP, Operand::Immediate(bytes), _]) => bytes,
        (Op::Pop, _) => WORD,
        _ => 0,
    }
}

/// Passes the arguments of the call at the end of a body in words that are `distance` bytes above.
/// The last instructions before the call write them there, as long as nothing after them reads the
/// stack; others are copied.
fn pass_arguments(body: &mut Vec<Decoded>, count: u32, distance: i32, origin: u32) {
    let mut passed = vec![false; count as usize];
    for instruction in body.iter_mut().rev() {
        let written = outgoing(instruction, count);
        let on_stack = instruction.operands.iter().any(is_on_stack);
        match (written, instruction.op) {
            (Some(word), Op::Store) if !passed[word] => {
                let mut moved = **instruction;
                moved.operands[0] = at(WORD * word as i32 + distance);
                *instruction = moved.into();
                passed[word] = true;
            }
            _ if on_stack || instruction.is_call() => break,
            _ if matches!(instruction.op, Op::Push | Op::Pop) => break,
            _ => {}
        }
    }
    for word in (0..count as usize).filter(|&word| !passed[word]) {
        let from = WORD * word as i32;
        let load = Instruction::new(Op::Load, &[EAX, at(from)], origin);
        let store = Instruction::new(Op::Store, &[at(from + distance), EAX], origin);
        body.extend([load, store].map(Decoded::from));
    }
}

/// The number of the argument that an instruction writes.
fn outgoing(instruction: &Instruction, count: u32) -> Option<usize> {
    let Operand::Address(address) = instruction.operands[0] else { return None };
    let word = usize::try_from(address.displacement / WORD).ok()?;
    let is_word = address.index().is_none() && address.displacement % WORD == 0;
    (is_on_stack(&instruction.operands[0]) && is_word && word < count as usize).then_some(word)
}

fn is_on_stack(operand: &Operand) -> bool {
    let Operand::Address(address) = operand else { return false };
    address.base() == Base::Register(Register::ESP)
}

/// The word of the stack at a distance from esp.
fn at(distance: i32) -> Operand {
    Operand::Address(Address::new(Base::Register(Register::ESP), distance))
}

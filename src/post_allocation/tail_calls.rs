//! Tail calls as jumps: a call after which only the frame is left and the function returns.
//!
//! The called function finds what it would find after a call: its arguments above the address to
//! which it returns, and the registers of the caller restored. Only, that address is the one to
//! which this function would return. So the arguments are copied to the words of this function's
//! own arguments, the frame is left, and a jump takes the place of the call. That needs no more
//! words than the caller has passed.
use super::control_flow::ControlFlow;
use super::decoded::Decoded;
use crate::firm::{Signature, WordSet};
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
        let stores = last_stores(&body[..at], signature.on_stack());
        if signature.in_registers != WordSet::EMPTY && stores.iter().any(Option::is_none) {
            continue; // No register is left for copies.
        }
        body.truncate(at);
        let target = target(body, call.operands[0], call.origin);
        let distance = WORD + leaving.iter().map(|it| freed(it)).sum::<i32>();
        pass_arguments(body, &stores, distance, call.origin);
        body.extend(leaving);
        let mut jump = *call;
        jump.operands[0] = target;
        jump.op = match target {
            Operand::Register(_) => Op::JmpValue,
            _ => Op::JmpFunction,
        };
        body.push(jump.into());
        flow.blocks[id].terminator = Terminator::Return;
    }
}

/// The function that a jump in place of the call at the end of `body` goes to. Its address is moved
/// to a register that is not restored before the jump, and in which nothing is passed: arguments of
/// a function that is a value are on the stack.
fn target(body: &mut Vec<Decoded>, callee: Operand, origin: u32) -> Operand {
    let Operand::Register(address) = callee else { return callee };
    if address != Register::ECX {
        body.push(Instruction::new(Op::Mov, &[ECX, Operand::Register(address)], origin).into());
    }
    ECX
}

const WORD: i32 = 4;
const ESP: Operand = Operand::Register(Register::ESP);
const EAX: Operand = Operand::Register(Register::EAX);
const ECX: Operand = Operand::Register(Register::ECX);

/// Whether the words of the caller are enough. Other results than the first are on its stack, too:
/// this function may have written some of its own before the call.
fn fits(called: Signature, own: Signature) -> bool {
    called.on_stack() <= own.on_stack()
        && called.results_on_stack() == 0
        && own.results_on_stack() == 0
}

/// The instructions that leave the frame after the last call of a block, if nothing else follows
/// but the return.
fn after_last_call(flow: &ControlFlow, id: BlockId) -> Option<Vec<Decoded>> {
    let body = &flow.blocks[id].body;
    let at = body.iter().rposition(|it| it.is_call())?;
    let results = RegisterSet::of_numbers(body[at].op.row().instruction.writes);
    if results != RegisterSet::of_numbers(flow.returns.row().instruction.reads) {
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
        && keeps_results(&leaving, results);
    leaving.retain(|it| freed(it) > 0);
    is_end.then_some(leaving)
}

/// Whether instructions only leave the frame and copy the results, each of which is in its register
/// in the end.
fn keeps_results(leaving: &[Decoded], results: RegisterSet) -> bool {
    // The result in each register.
    let mut held: Vec<(Register, Register)> = results.iter().map(|it| (it, it)).collect();
    for instruction in leaving {
        let copied = match instruction.operands {
            [Operand::Register(to), Operand::Register(from), _] if is_copy(instruction.op) => {
                let Some(&(_, result)) = held.iter().find(|it| it.0 == from) else { return false };
                Some((to, result))
            }
            _ if freed(instruction) == 0 => return false,
            _ => None,
        };
        held.retain(|it| !instruction.real_writes().contains(it.0));
        held.extend(copied);
    }
    results.iter().all(|it| held.contains(&(it, it)))
}

fn is_copy(op: Op) -> bool {
    matches!(op, Op::Mov | Op::FloatMove)
}

/// The bytes of the frame that an instruction leaves; 0 if it does something else.
fn freed(instruction: &Instruction) -> i32 {
    match (instruction.op, instruction.operands) {
        (Op::AddImmediate, [ESP, Operand::Immediate(bytes), _]) => bytes,
        (Op::Pop, _) => WORD,
        _ => 0,
    }
}

/// For each argument on the stack of the call after `body` the last instruction that writes it, if
/// nothing after it reads the stack.
fn last_stores(body: &[Decoded], count: u32) -> Vec<Option<usize>> {
    let mut stores = vec![None; count as usize];
    for (at, instruction) in body.iter().enumerate().rev() {
        let is_on_stack = instruction.operands.iter().any(is_on_stack);
        match (outgoing(instruction, count), instruction.op) {
            (Some(word), Op::Store) if stores[word].is_none() => stores[word] = Some(at),
            _ if is_on_stack || instruction.is_call() => break,
            (_, Op::Push | Op::Pop) => break,
            _ => {}
        }
    }
    stores
}

/// Passes the arguments of the call at the end of a body in words that are `distance` bytes above.
/// Their stores write them there; those without one are copied.
fn pass_arguments(body: &mut Vec<Decoded>, stores: &[Option<usize>], distance: i32, origin: u32) {
    for (word, store) in stores.iter().enumerate() {
        let from = WORD * word as i32;
        match *store {
            Some(store) => {
                let mut moved = *body[store];
                moved.operands[0] = at(from + distance);
                body[store] = moved.into();
            }
            None => {
                let load = Instruction::new(Op::Load, &[EAX, at(from)], origin);
                let store = Instruction::new(Op::Store, &[at(from + distance), EAX], origin);
                body.extend([load, store].map(Decoded::from));
            }
        }
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

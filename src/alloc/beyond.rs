//! What lies ahead of values beyond the block in which they are read.
use crate::alloc::lives::{NEVER, Walk, copy};
use crate::ia32::{Op, Operand, Register};
use arena::Id;
use std::iter::zip;

/// What is seen for the first time in this block, going backwards, is read next beyond it.
pub fn look_beyond(walk: &mut Walk, at: usize) {
    let flow = &walk.found.ahead.flow;
    let block = flow.block(at as u32);
    let begin = at.saturating_sub(1).max(flow.first(block) as usize);
    let inst = &walk.code.instructions[at];
    let both = walk.code.instructions[begin..=at].iter();
    let named = both.flat_map(|inst| inst.named().map(|(_, name)| name));
    let handed = if inst.op == Op::Jmp { &walk.code.blocks[block].arguments[..] } else { &[] };
    for name in named.chain(handed.iter().copied()).filter(|name| !name.is_real()) {
        let number = block.index() as u32 + 1;
        if std::mem::replace(&mut walk.seen[name], number) != number {
            walk.ahead[name.index()] = walk.found.ahead.next(name, block, flow.end(block));
        }
    }
}

/// An argument that ends where it is handed over would like to be where the parameter is.
pub fn hand_over(walk: &mut Walk, at: usize) {
    let inst = walk.code.instructions[at];
    let (Op::Jmp, Operand::Block(target)) = (inst.op, inst.operands[0]) else { return };
    let block = walk.found.ahead.flow.block(at as u32);
    let parameters = &walk.code.blocks[target].parameters;
    for (&parameter, &argument) in zip(parameters, &walk.code.blocks[block].arguments) {
        let next = std::mem::replace(&mut walk.ahead[argument.index()], at as u32);
        if next == NEVER && parameter != argument {
            let life = &mut walk.found.lives[argument];
            (life.wish, life.heir) = (Some(parameter), Some(parameter));
        }
    }
    for number in 0..walk.code.blocks[block].arguments.len() {
        stretch(walk, walk.code.blocks[block].arguments[number], at);
    }
}

/// What ends in a copy goes on as the copy.
pub fn inherit(walk: &mut Walk, at: usize) {
    let Some((target, source)) = copy(&walk.code.instructions[at]) else { return };
    if !target.is_real() && walk.ahead[source.index()] == NEVER {
        walk.found.lives[source].heir = Some(target);
    }
}

/// What comes into a loop from outside must be kept to its end.
pub fn keep(walk: &mut Walk, at: usize) {
    for name in walk.code.instructions[at].reads().filter(|name| !name.is_real()) {
        stretch(walk, name, at);
    }
}

fn stretch(walk: &mut Walk, name: Register, at: usize) {
    let until = walk.found.ahead.kept_until(name, at as u32);
    let life = &mut walk.found.lives[name];
    life.end = life.end.max(until);
}

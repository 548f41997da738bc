//! What happens between blocks: each way brings values to where the next block wants them.
use crate::alloc::bank::Bank;
use crate::alloc::copies::{Copy, Location, sequence};
use crate::alloc::seats::Seats;
use crate::ia32::code::{Block, BlockId, Code, Inst};
use crate::ia32::{Op, Operand, Register};
use arena::Id;
use std::iter::{once, zip};

/// Puts stores at the begins and ends of blocks, and copies before the jumps, between what is
/// done.
pub fn connect(code: &mut Code, bank: &mut Bank) {
    let done = std::mem::take(&mut bank.done);
    let mut connected = Vec::with_capacity(done.len());
    let stores = bank.blocks.stores.all();
    let mut stores = &stores[..];
    for block in code.blocks.ids() {
        let (start, tail) = (bank.blocks.starts[block.index()], bank.blocks.tails[block.index()]);
        let end = bank.blocks.starts.get(block.index() + 1).map_or(done.len(), |&end| end);
        let mine = stores.partition_point(|(place, _)| *place == block);
        let (mine, others) = stores.split_at(mine);
        stores = others;
        connected.extend(mine.iter().filter_map(|&store| first(bank, store, &done[tail])));
        connected.extend_from_slice(&done[start..tail]);
        connected.extend(mine.iter().filter_map(|&store| last(bank, store, &done[tail])));
        connected.extend(copies(code, bank, block, &done[tail]));
        connected.extend_from_slice(&done[tail..end]);
    }
    bank.done = connected;
}

/// The store of a value with which it enters a block.
fn first(bank: &Bank, (block, value): (BlockId, Register), jump: &Inst) -> Option<Inst> {
    let comes_in = bank.blocks.ahead.written(value) != block;
    comes_in.then(|| store(bank, value, bank.blocks.entered[block], jump))
}

/// The store of a value that the block has written.
fn last(bank: &Bank, (block, value): (BlockId, Register), jump: &Inst) -> Option<Inst> {
    let writes = bank.blocks.ahead.written(value) == block;
    writes.then(|| store(bank, value, bank.blocks.left[block], jump))
}

fn store(bank: &Bank, value: Register, seats: Seats, jump: &Inst) -> Inst {
    let register = seats.of(value).expect("a value that is not in memory yet is in a register");
    let home = bank.places[value].home.expect("what is stored has a home");
    Inst::new(Op::Store, &[Operand::Address(home), Operand::Register(register)], jump.origin)
}

/// What makes of the end of a block the begin of the only one it leads to.
fn copies(code: &Code, bank: &mut Bank, block: BlockId, jump: &Inst) -> Vec<Inst> {
    let (Op::Jmp, Operand::Block(target)) = (jump.op, jump.operands[0]) else { return Vec::new() };
    let (entered, left) = (bank.blocks.entered[target], bank.blocks.left[block]);
    let handed = || zip(&code.blocks[target].parameters, &code.blocks[block].arguments);
    let mut copies = Vec::new();
    for (register, value) in entered.taken() {
        let argument = handed().find(|(parameter, _)| **parameter == value);
        let value = argument.map_or(value, |(_, argument)| *argument);
        copies.push(Copy { to: Location::Register(register), from: place(bank, left, value) });
    }
    for (&parameter, &argument) in handed() {
        let in_memory = entered.of(parameter).is_none() && !bank.blocks.stores.contains(parameter);
        if let Some(home) = bank.places[parameter].home.filter(|_| in_memory) {
            let from = place(bank, left, argument);
            copies.push(Copy { to: Location::Memory(home), from });
        }
    }
    let at = bank.blocks.ahead.flow.end(block) - 1;
    let homes = &mut bank.frame.homes;
    let copies = sequence(&copies, jump.origin, &mut || homes.open(at, at));
    copies.iter().flat_map(Inst::writes).for_each(|name| bank.frame.written.insert(name));
    copies
}

/// Where a value is when a block is left.
fn place(bank: &Bank, left: Seats, value: Register) -> Location {
    let home = || bank.places[value].home.expect("a value is in a register or in memory");
    left.of(value).map_or_else(|| Location::Memory(home()), Location::Register)
}

/// Each block ends in its only `jmp` or `ret`.
pub fn note_blocks(code: &mut Code, _: &mut Bank) {
    let ends = code.instructions.iter().enumerate();
    let ends = ends.filter(|(_, inst)| matches!(inst.op, Op::Jmp | Op::Ret));
    let firsts = once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect::<Vec<_>>();
    for (block, first) in zip(code.blocks.ids(), firsts) {
        let depth = code.blocks[block].depth;
        code.blocks[block] = Block { first, depth, ..Block::default() };
    }
}

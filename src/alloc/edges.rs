//! What happens between blocks: each way brings values where the next block wants them.
use crate::alloc::bank::Bank;
use crate::alloc::blocks::{Seats, taken};
use crate::alloc::copies::{Copy, Location, sequence};
use crate::base::ids::Id;
use crate::ia32::code::{BlockId, Code, Inst};
use crate::ia32::{Op, Operand, Register};
use std::iter::zip;

/// Puts the stores of values that leave their registers later, and the copies of each way,
/// between the instructions that are done.
pub fn connect(code: &mut Code, bank: &mut Bank) {
    if code.blocks.len() == 0 {
        return;
    }
    let done = std::mem::take(&mut bank.done);
    let mut connected = Vec::with_capacity(done.len());
    let planned = planned(bank);
    let mut planned = planned.iter().peekable();
    for block in code.blocks.ids() {
        let (start, tail) = (bank.blocks.starts[block.index()], bank.blocks.tails[block.index()]);
        let end = bank.blocks.starts.get(block.index() + 1).map_or(done.len(), |&end| end);
        let origin = done[tail].origin;
        let (mut first, mut last) = (Vec::new(), Vec::new());
        while let Some(&(_, value)) = planned.next_if(|(place, _)| *place == block) {
            let is_last = bank.blocks.beyond.written(value) == block;
            let seats = if is_last { &bank.blocks.left } else { &bank.blocks.entered };
            let store = store(bank, value, &seats[block], origin);
            if is_last { last.push(store) } else { first.push(store) }
        }
        connected.extend(first);
        connected.extend_from_slice(&done[start..tail]);
        connected.extend(last);
        if let (Op::Jmp, Operand::Block(target)) = (done[tail].op, done[tail].operands[0]) {
            connected.extend(way(code, bank, block, target, origin));
        }
        connected.extend_from_slice(&done[tail..end]);
    }
    bank.done = connected;
}

/// The values that are stored at the begin of a block, or at the end of their own.
fn planned(bank: &Bank) -> Vec<(BlockId, Register)> {
    let stored = bank.blocks.stored.iter();
    let mut planned = stored
        .map(|&value| (bank.blocks.stores[value].expect("it is stored somewhere"), value))
        .collect::<Vec<_>>();
    planned.sort_unstable();
    planned
}

fn store(bank: &Bank, value: Register, seats: &Seats, origin: u32) -> Inst {
    let seat = taken(seats).find(|(_, seated)| *seated == value);
    let (register, _) = seat.expect("a value that is not in memory yet is in a register");
    let home = bank.places[value].home.expect("what is stored has a home");
    Inst::new(Op::Store, &[Operand::Address(home), Operand::Register(register)], origin)
}

fn way(code: &Code, bank: &mut Bank, block: BlockId, target: BlockId, origin: u32) -> Vec<Inst> {
    let (entered, left) = (bank.blocks.entered[target], bank.blocks.left[block]);
    let arguments = &code.blocks[block].arguments;
    let mut copies = Vec::new();
    for (register, value) in taken(&entered) {
        let parameters = &mut zip(&code.blocks[target].parameters, arguments);
        let argument = parameters.find(|(parameter, _)| **parameter == value);
        let value = argument.map_or(value, |(_, argument)| *argument);
        copies.push(Copy { to: Location::Register(register), from: place(bank, &left, value) });
    }
    for (&parameter, &argument) in zip(&code.blocks[target].parameters, arguments) {
        let arrives =
            bank.blocks.stores[parameter].is_none() && !entered.contains(&Some(parameter));
        if let Some(home) = bank.places[parameter].home.filter(|_| arrives) {
            let from = place(bank, &left, argument);
            copies.push(Copy { to: Location::Memory(home), from });
        }
    }
    let at = bank.blocks.beyond.flow.end(block) - 1;
    let homes = &mut bank.frame.homes;
    let way = sequence(&copies, origin, &mut || homes.open(at, at));
    way.iter().flat_map(Inst::writes).for_each(|name| bank.frame.written.insert(name));
    way
}

/// Where a value is when a block is left.
fn place(bank: &Bank, left: &Seats, value: Register) -> Location {
    let seat = taken(left).find(|(_, seated)| *seated == value);
    let home = || bank.places[value].home.expect("a value is in a register or in memory");
    seat.map_or_else(|| Location::Memory(home()), |(register, _)| Location::Register(register))
}

/// Each block ends in its only `jmp` or `ret`.
pub fn note_blocks(code: &mut Code) {
    let ends = code.instructions.iter().enumerate();
    let ends = ends.filter(|(_, inst)| matches!(inst.op, Op::Jmp | Op::Ret));
    let firsts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1));
    for (block, first) in zip(code.blocks.ids(), firsts.collect::<Vec<_>>()) {
        let depth = code.blocks[block].depth;
        code.blocks[block] = crate::ia32::code::Block { first, depth, ..Default::default() };
    }
}

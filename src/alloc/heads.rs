//! What a loop finds in registers when it begins, before it is known how a round ends.
//!
//! Values that the loop reads soonest are brought into registers before it, even from memory.
//! Values that it does not touch stay in registers only where the loop leaves room: else they
//! would be loaded in each round to no purpose. The room is estimated from how many values of its
//! own are alive at once somewhere in the loop.
use crate::alloc::ahead::{Ahead, FAR};
use crate::alloc::bank::Bank;
use crate::alloc::joins::Candidate;
use crate::alloc::loops::LoopId;
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Code};
use crate::ia32::reg::RegisterSet;
use arena::SideTable;

/// How many instructions of a loop are looked at.
const LOOKED_AT: u32 = 128;

/// What happens before the first instruction.
pub fn measure(code: &mut Code, bank: &mut Bank) {
    bank.blocks.room = Room::new(bank, code);
}

/// What is different where a block is the head of a loop.
pub fn change(bank: &Bank, code: &Code, block: BlockId, candidates: &mut Vec<Candidate>) {
    let loops = &bank.blocks.ahead.flow.loops;
    let Some(inner) = loops.around[block].filter(|&inner| loops.all[inner].head == block) else {
        return;
    };
    candidates.sort_by_key(|candidate| (candidate.next, candidate.value));
    let touched = candidates.iter().filter(|candidate| candidate.next < FAR).count();
    let untouched = bank.blocks.room.0[inner] as usize;
    candidates.truncate(touched + untouched);
    add_soonest(bank, code, inner, candidates);
}

/// Values from before the loop that it reads soon.
fn add_soonest(bank: &Bank, code: &Code, inner: LoopId, candidates: &mut Vec<Candidate>) {
    let flow = &bank.blocks.ahead.flow;
    let inner = flow.loops.all[inner];
    let first = flow.first(inner.head);
    let end = flow.end(inner.last).min(first + LOOKED_AT);
    for at in first..end {
        for value in code.instructions[at as usize].reads().filter(|name| !name.is_real()) {
            let known = candidates.iter().any(|candidate| candidate.value == value);
            if !known && bank.blocks.ahead.written(value) < inner.head {
                let held = RegisterSet::EMPTY;
                candidates.push(Candidate { value, next: at, held, is_parameter: false });
            }
        }
    }
}

/// How many registers each loop leaves to values that it does not touch.
pub struct Room(SideTable<LoopId, u32>);

impl Default for Room {
    fn default() -> Room {
        Room(SideTable::new(0))
    }
}

impl Room {
    pub fn new(bank: &Bank, code: &Code) -> Room {
        let needed = needed(bank, code);
        let mut room = SideTable::new(0);
        let registers = RegisterSet::ALLOCATABLE.iter().count() as u32;
        for inner in bank.blocks.ahead.flow.loops.all.ids() {
            room[inner] = registers.saturating_sub(needed[inner]);
        }
        Room(room)
    }
}

/// How many registers each loop needs itself: for what it reads from outside, and for as many
/// values as are alive at once that were made inside.
fn needed(bank: &Bank, code: &Code) -> SideTable<LoopId, u32> {
    let ahead = &bank.blocks.ahead;
    let loops = &ahead.flow.loops;
    let mut needed = read_from_outside(ahead, code);
    let alive = alive(bank, code);
    let mut most = SideTable::<LoopId, u32>::new(0);
    for (at, &(_, count)) in alive.iter().enumerate() {
        if let Some(inner) = loops.around[ahead.flow.block(at as u32)] {
            most[inner] = most[inner].max(count);
        }
    }
    for inner in loops.all.ids().rev() {
        let Some(outer) = loops.all[inner].outer else { continue };
        most[outer] = most[outer].max(most[inner]);
    }
    for inner in loops.all.ids() {
        let first = ahead.flow.first(loops.all[inner].head);
        needed[inner] += most[inner] - alive[first as usize].0;
    }
    needed
}

fn read_from_outside(ahead: &Ahead, code: &Code) -> SideTable<LoopId, u32> {
    let mut counts = SideTable::<LoopId, u32>::new(0);
    let mut counted = SideTable::<LoopId, Option<Register>>::new(0);
    for value in (0..code.virtuals).map(Register::new_virtual) {
        let written = ahead.written(value);
        for at in ahead.reads(value) {
            for inner in ahead.flow.loops.between(written, ahead.flow.block(at)) {
                if counted[inner].replace(value) == Some(value) {
                    break;
                }
                counts[inner] += 1;
            }
        }
    }
    counts
}

/// For each instruction how many values are alive from before it, and how many with its own.
fn alive(bank: &Bank, code: &Code) -> Vec<(u32, u32)> {
    let mut begin = vec![0; code.instructions.len()];
    let mut end = vec![0; code.instructions.len() + 1];
    let mut seen = SideTable::<Register, bool>::new(0);
    let mut count = |value: Register, at: usize| {
        if !value.is_real() && !std::mem::replace(&mut seen[value], true) {
            begin[at] += 1;
            end[at.max(bank.lives[value].end as usize) + 1] += 1;
        }
    };
    for block in code.blocks.ids() {
        let first = code.blocks[block].first as usize;
        code.blocks[block].parameters.iter().for_each(|&value| count(value, first));
    }
    for (at, inst) in code.instructions.iter().enumerate() {
        inst.writes().for_each(|value| count(value, at));
    }
    for claim in RegisterSet::ALLOCATABLE.iter().flat_map(|name| bank.claims(name)) {
        begin[claim.start as usize] += 1;
        end[claim.end as usize + 1] += 1;
    }
    let mut now = 0;
    let mut found = Vec::with_capacity(begin.len());
    for (begun, ended) in begin.iter().zip(&end) {
        now -= ended;
        found.push((now, now + begun));
        now += begun;
    }
    found
}

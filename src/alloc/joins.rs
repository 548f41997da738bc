//! Which values a block finds in registers, and in which.
//!
//! A block that only one leads to goes on with what that has left. Where ways meet, those values
//! get registers that are read soonest, and the registers in which they arrive.
use crate::alloc::ahead::FAR;
use crate::alloc::bank::Bank;
#[cfg(feature = "ch07")]
use crate::alloc::heads;
use crate::alloc::lives::NEVER;
use crate::alloc::seats::Seats;
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Code};
use crate::ia32::reg::RegisterSet;
use std::iter::zip;

/// A value that would like a register.
pub struct Candidate {
    pub value: Register,
    /// Where it is read next.
    pub next: u32,
    /// The registers in which it arrives.
    pub held: RegisterSet,
    pub is_parameter: bool,
}

pub fn seats(bank: &Bank, code: &Code, block: BlockId) -> Seats {
    let ahead = &bank.blocks.ahead;
    match ahead.flow.entries[block][..] {
        [] => Seats::default(),
        [way] if way < block && code.blocks[block].parameters.is_empty() => {
            bank.blocks.left[way].filter(|value| ahead.enters(value, block))
        }
        _ => {
            let mut candidates = arriving(bank, block);
            candidates.extend(parameters(bank, code, block));
            CHANGES.iter().for_each(|change| change(bank, code, block, &mut candidates));
            candidates.sort_by_key(|candidate| (candidate.next, candidate.value));
            candidates.truncate(RegisterSet::ALLOCATABLE.iter().count());
            assign(bank, &candidates)
        }
    }
}

/// What is special about some blocks.
const CHANGES: &[fn(&Bank, &Code, BlockId, &mut Vec<Candidate>)] = &[
    #[cfg(feature = "ch07")]
    heads::change,
];

/// The blocks that lead to a block from before it.
fn ways(bank: &Bank, block: BlockId) -> impl Iterator<Item = BlockId> {
    bank.blocks.ahead.flow.entries[block].iter().copied().filter(move |&way| way < block)
}

/// What arrives in a register: on all ways, or else if it is read before control goes far away.
fn arriving(bank: &Bank, block: BlockId) -> Vec<Candidate> {
    let ahead = &bank.blocks.ahead;
    let mut brought = Vec::new();
    for way in ways(bank, block) {
        let taken = bank.blocks.left[way].taken();
        brought.extend(taken.map(|(register, value)| (value, register)));
    }
    brought.sort_unstable();
    let mut candidates = Vec::new();
    for same in brought.chunk_by(|(a, _), (b, _)| a == b) {
        let value = same[0].0;
        if ahead.arrives(value, block) {
            let mut held = RegisterSet::EMPTY;
            same.iter().for_each(|(_, register)| held.insert(*register));
            let next = ahead.next(value, block, ahead.flow.first(block));
            if same.len() == ways(bank, block).count() || next < FAR {
                candidates.push(Candidate { value, next, held, is_parameter: false });
            }
        }
    }
    candidates
}

/// The parameters that are read, which would best arrive where their arguments are.
fn parameters(bank: &Bank, code: &Code, block: BlockId) -> Vec<Candidate> {
    let ahead = &bank.blocks.ahead;
    let mut candidates = Vec::new();
    for (number, &value) in code.blocks[block].parameters.iter().enumerate() {
        let next = ahead.next(value, block, ahead.flow.first(block));
        if next != NEVER {
            let mut held = RegisterSet::EMPTY;
            let seat = |way| bank.blocks.left[way].of(code.blocks[way].arguments[number]);
            ways(bank, block).filter_map(seat).for_each(|register| held.insert(register));
            candidates.push(Candidate { value, next, held, is_parameter: true });
        }
    }
    candidates
}

/// Who gets a register, in which order: what lives on where it is, then parameters where their
/// arguments are, then all others anywhere.
const TURNS: [fn(&Candidate) -> Option<RegisterSet>; 3] = [
    |candidate| (!candidate.is_parameter).then_some(candidate.held),
    |candidate| candidate.is_parameter.then_some(candidate.held),
    |_| Some(RegisterSet::ALLOCATABLE),
];

fn assign(bank: &Bank, candidates: &[Candidate]) -> Seats {
    let mut seats = Seats::default();
    let mut free = RegisterSet::ALLOCATABLE;
    let mut seated = vec![false; candidates.len()];
    for (turn, wanted) in TURNS.iter().enumerate() {
        let is_last = turn + 1 == TURNS.len();
        for (candidate, seated) in zip(candidates, &mut seated).filter(|(_, seated)| !**seated) {
            let Some(among) = wanted(candidate) else { continue };
            let allowed = among.intersect(free).intersect(bank.lives[candidate.value].allowed);
            let best = allowed.iter().min_by_key(|&name| bank.cost(name, candidate.value, None));
            // Where the code will need the register itself, another one is better from here on.
            let lasts = |name: &Register| is_last || bank.claimed(*name, candidate.value).is_none();
            if let Some(register) = best.filter(lasts) {
                seats.seat(register, candidate.value);
                free.remove(register);
                *seated = true;
            }
        }
    }
    seats
}

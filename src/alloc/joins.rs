//! Which values a block finds in registers, and in which.
//!
//! A block with one way to it goes on with what it left there. Where ways meet, those values are
//! taken that are needed soonest, in the registers in which most ways bring them.
use crate::alloc::ahead::FAR;
use crate::alloc::bank::Bank;
use crate::alloc::blocks::{Seats, taken};
use crate::alloc::heads;
use crate::alloc::lives::NEVER;
use crate::base::ids::Id;
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
    let parameters = &code.blocks[block].parameters;
    match bank.blocks.beyond.flow.entries[block][..] {
        [] => Seats::default(),
        [way] if parameters.is_empty() && way < block => inherited(bank, way, block),
        _ => {
            let mut candidates = arriving(bank, code, block);
            CHANGES.iter().for_each(|change| change(bank, code, block, &mut candidates));
            candidates.sort_by_key(|candidate| (candidate.next, candidate.value));
            candidates.truncate(RegisterSet::ALLOCATABLE.iter().count());
            assign(bank, &candidates)
        }
    }
}

/// What is special about some blocks.
const CHANGES: &[fn(&Bank, &Code, BlockId, &mut Vec<Candidate>)] = &[heads::change];

fn inherited(bank: &Bank, way: BlockId, block: BlockId) -> Seats {
    let alive = |value: &Register| bank.blocks.beyond.enters(*value, block);
    bank.blocks.left[way].map(|seat| seat.filter(alive))
}

/// What arrives in registers, and the parameters.
fn arriving(bank: &Bank, code: &Code, block: BlockId) -> Vec<Candidate> {
    let flow = &bank.blocks.beyond.flow;
    let ways = || flow.entries[block].iter().copied().filter(|&way| way < block);
    let mut brought = Vec::new();
    for way in ways() {
        brought.extend(taken(&bank.blocks.left[way]).map(|(register, value)| (value, register)));
    }
    brought.sort_unstable();
    let mut candidates = Vec::new();
    for group in brought.chunk_by(|(a, _), (b, _)| a == b) {
        let value = group[0].0;
        if bank.arrives(value, block) {
            let mut held = RegisterSet::EMPTY;
            group.iter().for_each(|(_, register)| held.insert(*register));
            let next = bank.blocks.beyond.next(value, block, flow.first(block));
            let everywhere = group.len() == ways().count();
            if everywhere || next < FAR {
                candidates.push(Candidate { value, next, held, is_parameter: false });
            }
        }
    }
    for (number, &value) in code.blocks[block].parameters.iter().enumerate() {
        let next = bank.blocks.beyond.next(value, block, flow.first(block));
        if next != NEVER {
            let arguments = ways().map(|way| (way, code.blocks[way].arguments[number]));
            let mut held = RegisterSet::EMPTY;
            for (way, argument) in arguments {
                let seats = taken(&bank.blocks.left[way]);
                for (register, _) in seats.filter(|(_, value)| *value == argument) {
                    held.insert(register);
                }
            }
            candidates.push(Candidate { value, next, held, is_parameter: true });
        }
    }
    candidates
}

/// What lives on stays where it is, if possible; then parameters take the registers of their
/// arguments; the rest take what is left.
fn assign(bank: &Bank, candidates: &[Candidate]) -> Seats {
    let mut seats = Seats::default();
    let mut free = RegisterSet::ALLOCATABLE;
    let mut seated = vec![false; candidates.len()];
    for turn in [Some(false), Some(true), None] {
        for (candidate, seated) in zip(candidates, &mut seated) {
            let in_place = turn.is_some();
            if *seated || turn.is_some_and(|turn| turn != candidate.is_parameter) {
                continue;
            }
            let among = if in_place { free.intersect(candidate.held) } else { free };
            let among = among.intersect(bank.lives[candidate.value].allowed);
            let best = among.iter().min_by_key(|&name| bank.cost(name, candidate.value, None));
            let claimed = |name: Register| bank.claimed(name, candidate.value).is_some();
            if let Some(register) = best.filter(|&name| !in_place || !claimed(name)) {
                seats[register.index()] = Some(candidate.value);
                free.remove(register);
                *seated = true;
            }
        }
    }
    seats
}

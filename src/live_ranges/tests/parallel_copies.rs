//! Tests of parallel copies.
use crate::ia32::code::{Address, Base, Instruction};
#[cfg(feature = "ch12")]
use crate::ia32::register::FIRST_FLOAT;
use crate::ia32::register::RegisterSet;
use crate::ia32::{Operand, Register};
use crate::live_ranges::parallel_copy::{Copy, Location, sequentialize};
use crate::random::Random;
use crate::target::RegisterKind;
use arena::Id;
use std::collections::BTreeMap;

/// Locations of all kinds, by number.
fn location(number: usize) -> Location {
    match number {
        0..4 => Location::Register(Register::from_index(number)),
        4..7 => Location::Register(Register::from_index(number + 1)),
        7..12 => Location::Memory(Address::new(Base::Slot(number as u32), 0)),
        _ => Location::Memory(Address::new(Base::Argument(0), 0)),
    }
}

fn operand(operand: Operand) -> Location {
    match operand {
        Operand::Register(register) => Location::Register(register),
        Operand::Address(address) => Location::Memory(address),
        _ => panic!("copies have no other operands"),
    }
}

/// Executes the copies one by one; returns the content of each location.
fn execute(instructions: &[Instruction]) -> BTreeMap<Location, Location> {
    let mut contents = BTreeMap::new();
    for instruction in instructions {
        let [to, from, _] = instruction.operands;
        let (to, from) = (operand(to), operand(from));
        let memory = |location| matches!(location, Location::Memory(_));
        assert!(!memory(to) || !memory(from), "{instruction}");
        let value = contents.get(&from).copied().unwrap_or(from);
        contents.insert(to, value);
    }
    contents
}

#[track_caller]
fn check(copies: &[Copy]) -> usize {
    let mut spare = 100;
    let scratch = &mut |_| {
        spare += 1;
        Address::new(Base::Slot(spare), 0)
    };
    let mut instructions = Vec::new();
    sequentialize(copies, RegisterSet::EMPTY, scratch, 0, &mut instructions);
    let contents = execute(&instructions);
    for copy in copies {
        let found = contents.get(&copy.to).copied().unwrap_or(copy.to);
        assert_eq!(found, copy.from, "{copies:?} {instructions:?}");
    }
    instructions.len()
}

fn copies(pairs: &[(usize, usize)]) -> Vec<Copy> {
    let copy =
        |&(to, from)| Copy { to: location(to), from: location(from), kind: RegisterKind::WORD };
    pairs.iter().map(copy).collect()
}

#[test]
fn no_source_is_overwritten_before_it_is_read() {
    assert_eq!(check(&copies(&[(0, 0), (1, 1)])), 0);
    assert_eq!(check(&copies(&[(0, 1), (1, 2), (2, 3)])), 3);
    assert_eq!(check(&copies(&[(0, 1), (1, 0)])), 3);
    assert_eq!(check(&copies(&[(0, 1), (1, 0), (2, 1)])), 4);
    assert_eq!(check(&copies(&[(0, 1), (1, 2), (2, 0), (3, 4), (4, 3)])), 7);
    assert_eq!(check(&copies(&[(7, 8), (8, 7)])), 4);
}

#[test]
fn without_a_free_register_a_slot_is_used() {
    let ring = (0..7).map(|n| (n, (n + 1) % 7)).collect::<Vec<_>>();
    assert_eq!(check(&copies(&ring)), 8);
    let all = (0..7).map(|n| (n, n)).chain([(7, 8)]).collect::<Vec<_>>();
    assert_eq!(check(&copies(&all)), 4);
}

/// Copies between registers for floats, by number.
#[cfg(feature = "ch12")]
fn float_copies(pairs: &[(usize, usize)]) -> Vec<Copy> {
    let location = |number| Location::Register(Register::from_index(FIRST_FLOAT + number));
    let copy = |&(to, from): &(usize, usize)| Copy {
        to: location(to),
        from: location(from),
        kind: RegisterKind::FLOAT,
    };
    pairs.iter().map(copy).collect()
}

#[cfg(feature = "ch12")]
#[test]
fn floats_are_exchanged_through_a_register_of_their_class() {
    assert_eq!(check(&float_copies(&[(0, 1), (1, 0)])), 3);
    let ring = (0..8).map(|n| (n, (n + 1) % 8)).collect::<Vec<_>>();
    assert_eq!(check(&float_copies(&ring)), 9);
    let both = [copies(&[(0, 1), (1, 0)]), float_copies(&ring)].concat();
    assert_eq!(check(&both), 12);
}

#[test]
fn random_copies_are_correct() {
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let mut targets = (0..12).collect::<Vec<_>>();
        let mut pairs = Vec::new();
        for _ in 0..random.below(12) {
            let to = targets.swap_remove(random.below(targets.len()));
            pairs.push((to, random.below(13)));
        }
        check(&copies(&pairs));
    }
}

//! Linear scan: the intervals get registers in the order of their starts.
//!
//! An interval gets a register that is free until its end. If there is none, it is *split*: its
//! first part gets the register that is free longest, the rest is handled later. If no register is
//! free, the interval with the furthest next use is spilled to memory until that use. Intervals are
//! split before loops where possible. (M. Poletto, V. Sarkar: Linear Scan Register Allocation,
//! 1999; C. Wimmer, H. Mössenböck: Optimized Interval Splitting in a Linear Scan Register
//! Allocator, 2005; the choice by next use: L. A. Belady, 1966.)
use crate::ia32::Register;
use crate::ia32::register::{CALLEE_SAVED, NAMES, RegisterSet};
use crate::live_ranges::Position;
use crate::live_ranges::hints::Copies;
use crate::live_ranges::intervals::{Intervals, NEVER};
use arena::{Id, SideTable};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A part of an interval, from one position to another, that has a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    pub value: Register,
    pub from: Position,
    pub to: Position,
    pub register: Register,
}

/// A part of an interval that has no register yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Unhandled {
    from: Position,
    value: Register,
    to: Position,
}

pub struct LinearScan<'i> {
    intervals: &'i Intervals,
    copies: Copies,
    /// Parts without a register, the one with the first start on top.
    unhandled: BinaryHeap<Reverse<Unhandled>>,
    /// Parts with a register that have started and not ended. Some may be in a lifetime hole.
    active: Vec<Part>,
    handled: Vec<Part>,
    spilled: SideTable<Register, bool>,
    /// The preferred register of each value.
    hints: SideTable<Register, Option<Register>>,
    used: RegisterSet,
}

impl<'i> LinearScan<'i> {
    pub fn new(intervals: &'i Intervals, copies: Copies) -> LinearScan<'i> {
        LinearScan {
            intervals,
            copies,
            unhandled: BinaryHeap::new(),
            active: Vec::new(),
            handled: Vec::new(),
            spilled: SideTable::new(0),
            hints: SideTable::new(0),
            used: RegisterSet::EMPTY,
        }
    }

    /// All parts, in the order of their starts, and the spilled values.
    pub fn run(mut self, values: u32) -> (Vec<Part>, SideTable<Register, bool>) {
        for value in (0..values).map(Register::new_virtual) {
            let interval = self.intervals.of(value);
            if interval.start() < interval.end() {
                self.add_unhandled(value, interval.start(), interval.end());
            }
        }
        while let Some(Reverse(part)) = self.unhandled.pop() {
            let (active, handled) = (&mut self.active, &mut self.handled);
            handled.extend(active.extract_if(.., |it| it.to <= part.from));
            if !self.take_free_register(part) && !self.take_occupied_register(part) {
                self.spill(part);
            }
        }
        self.handled.append(&mut self.active);
        self.handled.sort_unstable_by_key(|part| (part.from, part.value));
        (self.handled, self.spilled)
    }

    /// Assigns a register that is free, for the whole part or until the interval is split.
    fn take_free_register(&mut self, part: Unhandled) -> bool {
        let interval = self.intervals.of(part.value);
        let mut free = self.free_until_fixed(part);
        for other in self.overlapping_parts(part) {
            let free = &mut free[other.0.register.index()];
            *free = other.1.min(*free);
        }
        let hints = self.hints(part.value);
        let rank = |it: &Register| {
            let until = free[it.index()].min(part.to);
            let saves_copy = hints.map(|hint| hint == Some(*it));
            let lasts = until == part.to && !self.is_fixed_during(*it, part.value);
            (until, saves_copy, lasts, Reverse(self.cost(*it)))
        };
        let best = self.intervals[part.value].registers.iter().max_by_key(rank);
        let best = best.expect("every class has registers");
        let until = free[best.index()];
        let split = until - until % 2;
        let is_used = interval.next_use(part.from) < split;
        let is_useful = until >= part.to || is_used;
        if is_useful {
            self.assign(part, best, until);
        }
        is_useful
    }

    /// Assigns the register whose occupants have the furthest next use, if that is after the next
    /// use of the part.
    fn take_occupied_register(&mut self, part: Unhandled) -> bool {
        let interval = self.intervals.of(part.value);
        let fixed = self.free_until_fixed(part);
        let mut next = fixed.map(|until| if until >= part.to { NEVER } else { until - until % 2 });
        for (other, _) in self.overlapping_parts(part) {
            let next = &mut next[other.register.index()];
            *next = self.intervals.of(other.value).next_use(part.from).min(*next);
        }
        let rank = |it: &Register| (next[it.index()], Reverse(self.cost(*it)));
        let best = self.intervals[part.value].registers.iter().max_by_key(rank);
        let best = best.expect("every class has registers");
        let first = interval.next_use(part.from);
        if next[best.index()] <= first.max(part.from) {
            return false;
        }
        let evicted = self.overlapping_parts(part).map(|(other, _)| other);
        let evicted = evicted.filter(|other| other.register == best).collect::<Vec<_>>();
        evicted.into_iter().for_each(|other| self.evict(other, part.from));
        self.assign(part, best, fixed[best.index()]);
        true
    }

    /// For each register, the start of the next fixed interval.
    fn free_until_fixed(&self, part: Unhandled) -> [Position; NAMES.len()] {
        let interval = self.intervals.of(part.value);
        let mut free = [0; NAMES.len()];
        for register in self.intervals[part.value].registers.iter() {
            let needed = interval.overlap(self.intervals.of(register), part.from);
            free[register.index()] = needed.unwrap_or(NEVER);
        }
        free
    }

    /// The active parts that overlap with this one, and the first position of the overlap.
    fn overlapping_parts(&self, part: Unhandled) -> impl Iterator<Item = (Part, Position)> {
        let interval = self.intervals.of(part.value);
        self.active.iter().filter_map(move |other| {
            let at = interval.overlap(self.intervals.of(other.value), part.from)?;
            (at < other.to.min(part.to)).then_some((*other, at))
        })
    }

    /// The registers that save a copy: that of the value from which this one is copied, and that of
    /// the value to which it is copied.
    fn hints(&self, value: Register) -> [Option<Register>; 2] {
        let hint = |it: Register| if it.is_real() { Some(it) } else { self.hints[it] };
        let source = self.copies.from[value].and_then(hint);
        [self.hints[value].or(source), self.copies(value).find_map(hint)]
    }

    /// The values to which a value is copied, in a chain.
    fn copies(&self, value: Register) -> impl Iterator<Item = Register> {
        let copies = std::iter::successors(Some(value), |&it| self.copies.to[it]);
        copies.skip(1).take(MAX_HOPS)
    }

    /// Whether the fixed interval of a register overlaps with a copy of a value.
    fn is_fixed_during(&self, register: Register, value: Register) -> bool {
        let fixed = self.intervals.of(register);
        let mut copies = self.copies(value).filter(|it| !it.is_real());
        copies.any(|it| self.intervals.of(it).overlap(fixed, 0).is_some())
    }

    /// Caller-saved registers are cheap; others must be saved on their first use.
    fn cost(&self, register: Register) -> u32 {
        let saved = CALLEE_SAVED.contains(&register) && !self.used.contains(register);
        ALLOCATION_ORDER[register.index() % ALLOCATION_ORDER.len()]
            + if saved { NAMES.len() as u32 } else { 0 }
    }

    fn assign(&mut self, part: Unhandled, register: Register, until: Position) {
        let Unhandled { from, value, to } = part;
        let end = if until < to { until - until % 2 } else { to };
        #[cfg(feature = "ch07")]
        let end = if until < to { self.before_loops(value, from, end) } else { end };
        self.active.push(Part { value, from, to: end, register });
        self.used.insert(register);
        self.hints[value] = Some(register);
        let target = self.copies.to[value].filter(|target| !target.is_real());
        if let Some(target) = target {
            self.hints[target].get_or_insert(register);
        }
        if end < to {
            self.add_unhandled(value, end, to);
        }
    }

    /// The best position to split an interval, between its last use and `at`.
    #[cfg(feature = "ch07")]
    fn before_loops(&self, value: Register, from: Position, at: Position) -> Position {
        let used = self.intervals.of(value).last_use(at).map_or(from, |used| from.max(used + 1));
        self.intervals.flow.before_loops(used, at)
    }

    /// Takes the register from a part. The rest gets another register later, or is spilled.
    fn evict(&mut self, part: Part, at: Position) {
        self.active.retain(|other| *other != part);
        let end = at;
        #[cfg(feature = "ch07")]
        let end = self.before_loops(part.value, part.from, end);
        if part.from < end {
            self.handled.push(Part { to: end, ..part });
        }
        let rest = Unhandled { from: at, value: part.value, to: part.to };
        #[cfg(feature = "ch07")]
        if end < at {
            return self.spill(rest);
        }
        // At an odd position, no move to another register is possible.
        if at.is_multiple_of(2) {
            self.add_unhandled(part.value, at, part.to)
        } else {
            self.spill(rest)
        }
    }

    /// Keeps a value in memory until its next use that requires a register.
    fn spill(&mut self, part: Unhandled) {
        self.spilled[part.value] = true;
        let next = self.intervals.of(part.value).next_in_register(part.from);
        if let Some(next) = next.filter(|&next| next < part.to) {
            debug_assert!(part.from < next, "no instruction needs all registers at once");
            #[cfg(feature = "ch07")]
            let next = self.intervals.flow.before_loops(part.from, next);
            self.add_unhandled(part.value, next, part.to);
        }
    }

    fn add_unhandled(&mut self, value: Register, from: Position, to: Position) {
        let live = self.intervals.of(value).range_after(from);
        if let Some(live) = live.filter(|live| live.start < to) {
            self.unhandled.push(Reverse(Unhandled { from: from.max(live.start), value, to }));
        }
    }
}

/// A lower number is preferred. The result is returned in eax, so late values should get it; ebp
/// makes addresses longer. Each class has eight registers.
const ALLOCATION_ORDER: [u32; 8] = [2, 0, 1, 5, 7, 6, 3, 4];

/// The maximal length of a chain of copies in the search for a hint.
const MAX_HOPS: usize = 4;

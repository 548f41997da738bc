//! Coalescing by recolouring: two registers are exchanged in a part of the interference graph.
//!
//! The live ranges that have one of two registers fall into connected parts, the *chains* of A. B.
//! Kempe (1879). If a chain exchanges its registers, the result is a colouring again. A copy
//! disappears if a chain of one of its ranges, or one of each, gives both ends one register. Where
//! this makes another copy necessary, the chain at its other end is exchanged, too, and so on; the
//! cheapest of these states is kept if it saves copies. (B. W. Kernighan, S. Lin, 1970, search in
//! this way; recolouring for copies: S. Hack, G. Goos: Copy Coalescing by Graph Recoloring, 2008.)
use crate::colour::color::Colours;
use crate::colour::interference::Graph;
use crate::ia32::Register;
use crate::ia32::register::{NAMES, RegisterSet};
use arena::Id;

/// The number of live ranges in the longest chain that is exchanged.
const MAX_CHAIN: usize = 32;

/// The number of chains that are exchanged for one end of a copy.
const MAX_CHAINS: usize = 8;

pub struct Recolouring<'g> {
    graph: &'g Graph,
    colours: Colours,
    available: RegisterSet,
    /// The registers that a range may get; none if it keeps its own.
    permitted: Vec<RegisterSet>,
    /// For both ends of a copy, what has been exchanged, and the best exchanges so far.
    exchanges: [Exchange; 2],
    best: [Exchange; 2],
    /// The copies that the chains of one end have made necessary: their weights and other ends.
    separated: Vec<(u64, Register)>,
    /// The number of the last chain that reached a range.
    reached: Vec<u32>,
    chains: u32,
}

/// Live ranges that exchange two registers.
struct Exchange {
    ranges: Vec<Register>,
    registers: [Register; 2],
}

impl Recolouring<'_> {
    pub fn new(graph: &Graph, colours: Colours, available: RegisterSet) -> Recolouring<'_> {
        let none = || Exchange { ranges: Vec::new(), registers: [Register::EAX; 2] };
        let reached = vec![0; NAMES.len() + graph.groups.len()];
        let permitted = |range| {
            if graph.is_movable(range) { graph.allowed[range] } else { RegisterSet::EMPTY }
        };
        let permitted = (0..reached.len()).map(Register::from_index).map(permitted).collect();
        Recolouring {
            graph,
            colours,
            available,
            permitted,
            exchanges: [none(), none()],
            best: [none(), none()],
            separated: Vec::new(),
            reached,
            chains: 0,
        }
    }

    pub fn finish(self) -> Colours {
        self.colours
    }

    pub fn colour(&self, register: Register) -> Register {
        self.colours.of(register)
    }

    /// Gives both ends of a copy one register, if that saves copies: the register of one of them,
    /// or else a third one.
    pub fn join(&mut self, a: Register, b: Register) {
        let own = [self.colour(a), self.colour(b)];
        let allowed = self.graph.allowed[a].intersect(self.graph.allowed[b]);
        let common = own.into_iter().filter(|it| allowed.contains(*it));
        if !self.join_in(a, b, common, MAX_CHAINS) {
            let others = self.available.intersect(allowed);
            self.join_in(a, b, others.iter().filter(|it| !own.contains(it)), 1);
        }
    }

    /// Gives both ends the best of some registers. Returns whether one saves copies.
    fn join_in(
        &mut self,
        a: Register,
        b: Register,
        registers: impl Iterator<Item = Register>,
        chains: usize,
    ) -> bool {
        let mut least = 0;
        for register in registers {
            let cost = self.seat(a, b, register, chains);
            self.exchanges.iter().rev().for_each(|it| it.apply(&mut self.colours));
            if let Some(cost) = cost.filter(|it| *it < least) {
                least = cost;
                std::mem::swap(&mut self.exchanges, &mut self.best);
            }
        }
        if least < 0 {
            self.best.iter().for_each(|it| it.apply(&mut self.colours));
        }
        least < 0
    }

    /// Gives both ends of a copy a register. Returns the change of the cost; none if only some of
    /// the exchanges were possible.
    fn seat(&mut self, a: Register, b: Register, register: Register, chains: usize) -> Option<i64> {
        self.exchanges.iter_mut().for_each(|it| it.ranges.clear());
        let cost = self.seat_one(0, [a, b], register, chains)?;
        let cost = cost + self.seat_one(1, [b, a], register, chains)?;
        (self.colour(a) == register).then_some(cost)
    }

    /// Gives one end of a copy a register.
    fn seat_one(
        &mut self,
        end: usize,
        [range, other]: [Register; 2],
        register: Register,
        chains: usize,
    ) -> Option<i64> {
        if self.colour(range) == register {
            return Some(0);
        }
        let registers = [self.colour(range), register];
        let ranges = std::mem::take(&mut self.exchanges[end].ranges);
        let mut exchange = Exchange { ranges, registers };
        let cost = self.search(&mut exchange, range, other, chains);
        exchange.apply(&mut self.colours);
        self.exchanges[end] = exchange;
        cost
    }

    /// Exchanges the chain of a range and those after it, as long as that is possible; then keeps
    /// the first chains, those with the least cost. Returns the change of the cost. If both ends of
    /// the copy are in one chain, they cannot get one register.
    fn search(
        &mut self,
        found: &mut Exchange,
        range: Register,
        other: Register,
        chains: usize,
    ) -> Option<i64> {
        let before = self.chains;
        let (mut cost, mut best) = (0, None);
        let mut kept = 0;
        self.separated.clear();
        let mut next = Some(range);
        while let Some(first) = next {
            let start = found.ranges.len();
            if !self.add_chain(found, first, (start == 0).then_some(other)) {
                break;
            }
            cost += self.cost(found, start, before);
            if best.is_none_or(|least| cost < least) {
                (best, kept) = (Some(cost), found.ranges.len());
            }
            let is_last = (self.chains - before) as usize == chains;
            next = if is_last { None } else { self.most_frequent_separated(before) };
        }
        found.ranges.truncate(kept);
        best
    }

    /// The other end of the most frequent copy that the exchange has made necessary.
    fn most_frequent_separated(&self, before: u32) -> Option<Register> {
        let mut most = (0, None);
        for &(weight, copied) in &self.separated {
            if weight > most.0 && self.reached[copied.index()] <= before {
                most = (weight, Some(copied));
            }
        }
        most.1
    }

    /// Adds the chain of a live range. It stops, and returns false, at the first range that may not
    /// have the other register, or that makes the chain too long, or that must not be in it.
    fn add_chain(
        &mut self,
        found: &mut Exchange,
        first: Register,
        excluded: Option<Register>,
    ) -> bool {
        self.chains += 1;
        self.reached[first.index()] = self.chains;
        let mut at = found.ranges.len();
        let most = at + MAX_CHAIN;
        found.ranges.push(first);
        if !self.permitted[first.index()].contains(found.other(self.colours.of(first))) {
            return false;
        }
        while let Some(&range) = found.ranges.get(at) {
            at += 1;
            let old = self.colours.of(range);
            let new = found.other(old);
            for &near in &self.graph.neighbours[range] {
                if self.colours.of(near) == new && self.reached[near.index()] != self.chains {
                    let is_permitted = self.permitted[near.index()].contains(old);
                    if !is_permitted || found.ranges.len() == most || Some(near) == excluded {
                        return false;
                    }
                    self.reached[near.index()] = self.chains;
                    found.ranges.push(near);
                }
            }
        }
        true
    }

    /// The change of the cost by the last chain, whose ranges begin at `start`. Its copies from and
    /// to the chains before it are as they were.
    fn cost(&mut self, found: &Exchange, start: usize, before: u32) -> i64 {
        let mut cost = 0;
        for &range in &found.ranges[start..] {
            let old = self.colours.of(range);
            let new = found.other(old);
            for &(copied, weight) in &self.graph.affinities[range] {
                let (colour, reached) = (self.colours.of(copied), self.reached[copied.index()]);
                if reached == self.chains || colour != old && colour != new {
                    continue;
                }
                let (was_equal, is_first) = (colour == old, reached <= before);
                cost += if was_equal == is_first { weight as i64 } else { -(weight as i64) };
                if was_equal && is_first && !copied.is_real() {
                    self.separated.push((weight, copied));
                }
            }
        }
        cost
    }
}

impl Exchange {
    fn other(&self, register: Register) -> Register {
        self.registers[usize::from(self.registers[0] == register)]
    }

    /// A second time, this restores what was before.
    fn apply(&self, colours: &mut Colours) {
        for &range in &self.ranges {
            colours.set(range, self.other(colours.of(range)));
        }
    }
}

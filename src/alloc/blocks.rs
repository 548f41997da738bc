//! From block to block: what is in registers where a block is entered and where it is left.
//!
//! At most seven values are in registers at once, and only those are written down. All others
//! have homes in memory. A value gets its home once, at a place all others come after: where it
//! is first needed in memory, or at a common dominator of such places, but outside of the loops
//! that the value comes from outside of (after M. Braun and S. Hack, Register spilling and
//! live-range splitting for SSA-form programs, 2009).
use crate::alloc::ahead::Ahead;
use crate::alloc::bank::{Bank, Holder};
use crate::alloc::lives::{NEVER, Walk};
use crate::alloc::{heads, joins};
use crate::base::ids::{Id, SideTable};
use crate::ia32::code::{BlockId, Code};
use crate::ia32::reg::{NAMES, RegisterSet};
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::Effect;
use std::iter::{successors, zip};

/// The value in each real register.
pub type Seats = [Option<Register>; NAMES.len()];

pub struct Blocks {
    pub beyond: Ahead,
    pub entered: SideTable<BlockId, Seats>,
    pub left: SideTable<BlockId, Seats>,
    /// Where each block begins and where its jumps begin, in what is done.
    pub starts: Vec<usize>,
    pub tails: Vec<usize>,
    /// The block after which values that come from before it are stored.
    pub stores: SideTable<Register, Option<BlockId>>,
    /// The values that are stored somewhere by that.
    pub stored: Vec<Register>,
    /// The register in which each parameter arrives, or is expected to.
    expected: SideTable<Register, Option<Register>>,
    /// How many registers each loop leaves to values that it does not touch.
    pub room: heads::Room,
}

impl Blocks {
    pub fn new(beyond: Ahead) -> Blocks {
        Blocks {
            beyond,
            entered: SideTable::new(0),
            left: SideTable::new(0),
            starts: Vec::new(),
            tails: Vec::new(),
            stores: SideTable::new(0),
            stored: Vec::new(),
            expected: SideTable::new(0),
            room: heads::Room::default(),
        }
    }

    pub fn is_alive(&self, value: Register, at: u32) -> bool {
        let block = self.beyond.flow.block(at);
        self.beyond.next(value, block, at) != NEVER
    }
}

impl Bank {
    pub fn enter_block(&mut self, code: &Code, at: u32) {
        let block = self.blocks.beyond.flow.block(at);
        if code.blocks.len() == 0 || self.blocks.beyond.flow.first(block) != at {
            return;
        }
        if at == 0 {
            self.blocks.room = heads::Room::new(self, code);
        }
        let seats = joins::seats(self, code, block);
        self.leave_out(code, block, &seats);
        self.blocks.entered[block] = seats;
        self.blocks.starts.push(self.done.len());
        for (register, value) in taken(&seats) {
            self.occupy(register, value);
            self.places[value].next = self.blocks.beyond.next(value, block, at);
        }
    }

    /// Sees to it that values are in memory that arrive in registers but not in all ways.
    fn leave_out(&mut self, code: &Code, block: BlockId, seats: &Seats) {
        let ways = self.blocks.beyond.flow.entries[block].clone();
        if ways.len() > 1 {
            let above = self.blocks.beyond.flow.above(block);
            for way in ways.into_iter().filter(|&way| way < block) {
                for (_, value) in taken(&self.blocks.left[way].clone()) {
                    if !seats.contains(&Some(value)) && self.arrives(value, block) {
                        self.cover(value, above);
                    }
                }
            }
        }
        for &parameter in &code.blocks[block].parameters {
            let seat = taken(seats).find(|(_, value)| *value == parameter);
            self.blocks.expected[parameter] = seat.map(|(register, _)| register);
            if seat.is_none() && self.blocks.beyond.enters(parameter, block) {
                self.home_of_parameter(parameter, block);
            }
        }
    }

    /// A parameter that arrives in memory, where all that jump here store it.
    fn home_of_parameter(&mut self, parameter: Register, block: BlockId) {
        let flow = &self.blocks.beyond.flow;
        let jumps = || flow.entries[block].iter().map(|&way| flow.end(way) - 1);
        let from = jumps().min().unwrap_or(self.at).min(flow.first(block));
        let to = jumps().max().unwrap_or(self.at).max(self.lives[parameter].end);
        self.places[parameter].home = Some(self.frame.homes.open(from, to));
    }

    /// Whether a value from before it is alive in a block.
    pub fn arrives(&self, value: Register, block: BlockId) -> bool {
        let beyond = &self.blocks.beyond;
        let written = beyond.written(value);
        written != block
            && beyond.flow.dominators.dominates(written, block)
            && beyond.enters(value, block)
    }

    pub fn leave_block(&mut self, code: &Code, at: u32) {
        let inst = &code.instructions[at as usize];
        let effect = inst.op.row().instruction.effect;
        if !matches!(effect, Effect::Jumps | Effect::Leaves)
            || self.blocks.tails.len() == self.blocks.starts.len()
        {
            return;
        }
        self.blocks.tails.push(self.done.len());
        if effect == Effect::Leaves {
            return;
        }
        let block = self.blocks.beyond.flow.block(at);
        let mut seats = Seats::default();
        for (seat, holder) in zip(&mut seats, self.holders) {
            if let Holder::Value(value) = holder {
                *seat = Some(value);
                self.places[value].register = None;
            }
        }
        self.holders = [Holder::Nothing; NAMES.len()];
        self.blocks.left[block] = seats;
        if let (Op::Jmp, Operand::Block(target)) = (inst.op, inst.operands[0]) {
            self.expect(code, block, target);
        }
    }

    /// Where the first argument that is seen is, the others would best be too.
    fn expect(&mut self, code: &Code, block: BlockId, target: BlockId) {
        let seats = self.blocks.left[block];
        let arguments = &code.blocks[block].arguments;
        for (&parameter, argument) in zip(&code.blocks[target].parameters, arguments) {
            let seat = taken(&seats).find(|(_, value)| value == argument);
            let expected = &mut self.blocks.expected[parameter];
            *expected = expected.or(seat.map(|(register, _)| register));
        }
    }

    /// The register in which a value goes on, under whatever name.
    pub fn expected(&self, value: Register) -> Option<Register> {
        let mut names = successors(self.lives[value].wish, |&name| self.lives[name].wish);
        names
            .by_ref()
            .take(HOPS)
            .find_map(|name| if name.is_real() { Some(name) } else { self.blocks.expected[name] })
    }

    /// What happens to a value that leaves its register in a later block than its own.
    pub fn store_before(&mut self, value: Register) -> bool {
        let block = self.blocks.beyond.flow.block(self.at);
        let elsewhere = self.blocks.beyond.written(value) != block;
        if elsewhere {
            self.cover(value, block);
        }
        elsewhere
    }

    /// Plans a store of the value that all ways to a block pass, and that as seldom as possible.
    fn cover(&mut self, value: Register, block: BlockId) {
        let planned = self.blocks.stores[value];
        if planned.is_none() && self.places[value].home.is_some() {
            return;
        }
        let flow = &self.blocks.beyond.flow;
        let place = planned.map_or(block, |planned| flow.dominators.common(planned, block));
        if planned == Some(place) {
            return;
        }
        let written = self.blocks.beyond.written(value);
        let outermost = flow.loops.between(written, place).last();
        let before = |outermost| flow.above(flow.loops.all[outermost].head);
        let place = outermost.map_or(place, before);
        let from = if place == written { flow.end(place) - 1 } else { flow.first(place) };
        if planned.is_none() {
            self.blocks.stored.push(value);
            let home = self.frame.homes.open(from, self.lives[value].end);
            self.places[value].home = Some(home);
        }
        self.blocks.stores[value] = Some(place);
        let home = self.places[value].home.expect("what is stored has a home");
        self.frame.homes.begin(home, from);
    }
}

/// How many names a value may go through until it is where it is wanted.
const HOPS: usize = 4;

/// The registers that hold values.
pub fn taken(seats: &Seats) -> impl Iterator<Item = (Register, Register)> + use<> {
    let seats = *seats;
    let value = move |name: Register| seats[name.index()].map(|value| (name, value));
    RegisterSet::ALLOCATABLE.iter().filter_map(value)
}

impl Walk<'_> {
    /// What is seen for the first time in this block, going backwards, is read next beyond it.
    pub fn look_beyond(&mut self, at: usize) {
        let flow = &self.found.beyond.flow;
        let block = flow.block_of[at];
        let from = (at as u32).saturating_sub(1).max(flow.first(block));
        let end = flow.end(block);
        let insts = &self.code.instructions[from as usize..=at];
        let named = insts.iter().flat_map(|inst| inst.named().map(|(_, name)| name));
        let handed = match insts.last() {
            Some(inst) if inst.op == Op::Jmp => &self.code.blocks[block].arguments[..],
            _ => &[],
        };
        for name in named.chain(handed.iter().copied()).filter(|name| !name.is_real()) {
            let number = flow.block_of[at].index() as u32 + 1;
            if std::mem::replace(&mut self.seen[name], number) != number {
                self.ahead[name.index()] = self.found.beyond.next(name, block, end);
            }
        }
    }

    /// An argument that ends where it is handed over would like to be where the parameter is.
    pub fn hand_over(&mut self, at: usize) {
        let inst = self.code.instructions[at];
        let (Op::Jmp, Operand::Block(target)) = (inst.op, inst.operands[0]) else { return };
        let block = self.found.beyond.flow.block_of[at];
        let parameters = &self.code.blocks[target].parameters;
        for (&parameter, &argument) in zip(parameters, &self.code.blocks[block].arguments) {
            let ends = std::mem::replace(&mut self.ahead[argument.index()], at as u32) == NEVER;
            let life = &mut self.found.lives[argument];
            if ends && parameter != argument {
                life.wish = Some(parameter);
            }
        }
        for &argument in &self.code.blocks[block].arguments {
            let until = self.found.beyond.kept_until(argument, at as u32);
            let life = &mut self.found.lives[argument];
            life.end = life.end.max(until);
        }
    }

    /// What comes into a loop from outside must be kept to its end.
    pub fn keep(&mut self, at: usize) {
        for name in self.code.instructions[at].reads().filter(|name| !name.is_real()) {
            let until = self.found.beyond.kept_until(name, at as u32);
            let life = &mut self.found.lives[name];
            life.end = life.end.max(until);
        }
    }
}

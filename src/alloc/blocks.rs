//! From block to block: what is in registers where a block is entered and where it is left.
//!
//! At most seven values are in registers at once, and only those are written down. All others
//! have homes in memory that are good wherever they are alive. So the walk goes from block to
//! block in the order in which they stand, and what each way has to do to bring values where the
//! next block wants them is settled afterwards (after M. Braun and S. Hack, Register spilling and
//! live-range splitting for SSA-form programs, 2009).
use crate::alloc::ahead::Ahead;
use crate::alloc::bank::{Bank, Holder};
#[cfg(feature = "ch07")]
use crate::alloc::heads::Room;
use crate::alloc::joins;
use crate::alloc::lives::NEVER;
use crate::alloc::seats::Seats;
use crate::alloc::sharing::Sharing;
use crate::alloc::stores::Stores;
use crate::ia32::code::{BlockId, Code};
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::Effect;
use arena::{Id, SideTable};
use std::iter::{successors, zip};

pub struct Blocks {
    pub ahead: Ahead,
    pub entered: SideTable<BlockId, Seats>,
    pub left: SideTable<BlockId, Seats>,
    /// Where each block begins, and where what leaves it begins, in what is done.
    pub starts: Vec<usize>,
    pub tails: Vec<usize>,
    pub stores: Stores,
    pub sharing: Sharing,
    /// The register in which each parameter arrives, or is expected to.
    expected: SideTable<Register, Option<Register>>,
    #[cfg(feature = "ch07")]
    pub room: Room,
}

impl Blocks {
    pub fn new(ahead: Ahead) -> Blocks {
        Blocks {
            ahead,
            entered: SideTable::new(0),
            left: SideTable::new(0),
            starts: Vec::new(),
            tails: Vec::new(),
            stores: Stores::default(),
            sharing: Sharing::default(),
            expected: SideTable::new(0),
            #[cfg(feature = "ch07")]
            room: Room::default(),
        }
    }
}

impl Bank {
    /// What happens before the first instruction of a block.
    pub fn enter_block(&mut self, code: &Code, at: u32) {
        let block = self.blocks.ahead.flow.block(at);
        if self.blocks.ahead.flow.first(block) != at {
            return;
        }
        self.at = at;
        // Behind a block that returns, registers still hold what might have gone on.
        self.rise();
        let seats = joins::seats(self, code, block);
        self.leave_out(block, seats);
        self.seat_parameters(code, block, seats);
        self.blocks.entered[block] = seats;
        self.blocks.starts.push(self.done.len());
        for (register, value) in seats.taken() {
            self.occupy(register, value);
            self.places[value].next = self.blocks.ahead.next(value, block, at);
        }
    }

    /// Values that do not go on in registers go on in memory.
    fn leave_out(&mut self, block: BlockId, seats: Seats) {
        for at in 0..self.blocks.ahead.flow.entries[block].len() {
            let way = self.blocks.ahead.flow.entries[block][at];
            let held = if way < block { self.blocks.left[way] } else { Seats::default() };
            for (_, value) in held.taken() {
                if seats.of(value).is_none() && self.blocks.ahead.arrives(value, block) {
                    self.store_above(value, self.blocks.ahead.flow.above(block));
                }
            }
        }
    }

    fn seat_parameters(&mut self, code: &Code, block: BlockId, seats: Seats) {
        for (number, &parameter) in code.blocks[block].parameters.iter().enumerate() {
            let seat = seats.of(parameter);
            self.blocks.expected[parameter] = seat;
            if seat.is_none() && self.blocks.ahead.enters(parameter, block) {
                self.open_parameter(code, block, number);
            }
        }
    }

    /// What happens before the first instruction that leaves a block.
    pub fn leave_block(&mut self, code: &Code, at: u32) {
        let inst = &code.instructions[at as usize];
        let effect = inst.op.row().instruction.effect;
        let leaves = matches!(effect, Effect::Jumps | Effect::Leaves);
        if !leaves || self.blocks.tails.len() == self.blocks.starts.len() {
            return;
        }
        self.blocks.tails.push(self.done.len());
        if effect == Effect::Leaves {
            return;
        }
        let block = self.blocks.ahead.flow.block(at);
        self.blocks.left[block] = self.rise();
        if let (Op::Jmp, Operand::Block(target)) = (inst.op, inst.operands[0]) {
            self.expect(code, block, target);
        }
    }

    /// All values leave their registers.
    fn rise(&mut self) -> Seats {
        let mut seats = Seats::default();
        for (register, holder) in self.holders.iter_mut().enumerate() {
            if let Holder::Value(value) = std::mem::replace(holder, Holder::Nothing) {
                seats.seat(Register::from_index(register), value);
                self.places[value].register = None;
            }
        }
        seats
    }

    /// Where the first argument is that is handed over, the others would best be too.
    fn expect(&mut self, code: &Code, block: BlockId, target: BlockId) {
        let arguments = &code.blocks[block].arguments;
        for (&parameter, &argument) in zip(&code.blocks[target].parameters, arguments) {
            let seat = self.blocks.left[block].of(argument);
            let expected = &mut self.blocks.expected[parameter];
            *expected = expected.or(seat);
        }
    }

    /// The register in which a value goes on under other names.
    pub fn expected(&self, value: Register) -> Option<Register> {
        let names = successors(self.lives[value].wish, |&name| self.lives[name].wish);
        names
            .take(HOPS)
            .find_map(|name| if name.is_real() { Some(name) } else { self.blocks.expected[name] })
    }

    /// Whether a value is alive behind an instruction, or goes on as one that is.
    pub fn is_alive(&self, value: Register, at: u32) -> bool {
        let block = self.blocks.ahead.flow.block(at);
        let mut names = successors(Some(value), |&name| self.lives[name].heir).take(HOPS);
        names.any(|name| {
            at < self.lives[name].end
                && self.blocks.ahead.is_behind(name, block)
                && self.blocks.ahead.next(name, block, at + 1) != NEVER
        })
    }
}

/// How many names a value may go through until it is where it is wanted.
const HOPS: usize = 4;

//! Spilling: one pass over the blocks, with the set of values that are in registers.
//!
//! A value that is used and not in a register is reloaded before the use. If too few registers
//! remain, the values with the furthest next use leave theirs. (L. A. Belady, A Study of
//! Replacement Algorithms, 1966; Braun & Hack, algorithm 1.)
use crate::colour::fixed_regions::{self, Region, real_writes};
use crate::colour::spiller::{Held, Spiller};
use crate::colour::split_code::{Action, Copy, LiveRange, Part, Source, SplitCode, Step, number};
use crate::ia32::code::{Code, Instruction, Named};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use crate::live_ranges::Position;
use crate::live_ranges::intervals::Intervals;
use crate::live_ranges::stack_slots::StackSlots;
use crate::target::{OperandConstraint, RegisterClass, RegisterConstraint};
use std::ops::Range;

/// The code with split live ranges, and the slots of spilled values.
pub fn spill(code: &Code, intervals: &Intervals) -> (SplitCode, StackSlots) {
    let mut spiller = Spiller::new(code, intervals);
    for block in code.blocks.ids() {
        spiller.enter(block);
        spiller.block();
    }
    spiller.connect_blocks();
    spiller.place_stores();
    let (split, spilled, updated) = spiller.finish();
    let mut slots = StackSlots::new(intervals, &spilled);
    updated.iter().for_each(|&(value, result)| slots.share(value, result));
    slots.coalesce(code);
    (split, slots)
}

impl Spiller<'_> {
    fn block(&mut self) {
        let range = self.code.range(self.block);
        let first = self.out.steps.len();
        let mut at = range.start;
        let has_regions = self.has_regions[self.block];
        let regions = has_regions.then(|| fixed_regions::find(self.code, range.clone()));
        for region in regions.into_iter().flatten() {
            self.instructions(at..region.all.start);
            self.region(&region);
            at = region.all.end;
        }
        self.instructions(at..range.end);
        self.out.blocks[self.block].steps = Part::since(first, &self.out.steps);
    }

    /// The instructions outside of regions.
    fn instructions(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            if let Some(length) = self.update_in_memory(at..range.end) {
                at += length;
            } else {
                self.instruction(at, RegisterSet::EMPTY);
                at += 1;
            }
        }
    }

    /// Copies all values in parallel, then the core, then the results.
    fn region(&mut self, region: &Region) {
        let copies = self.out.copies.len();
        for at in region.all.start..region.core.start {
            let [to, from, _] = self.code.instructions[at].operands;
            if let (Operand::Register(to), Operand::Register(value)) = (to, from) {
                let from = self.source(value);
                self.out.copies.push(Copy::to_register(to, from));
            }
        }
        let at = 2 * region.core.start as Position;
        self.drop_dead(at);
        self.fixed = region.fixed;
        for class in RegisterClass::ALL {
            self.make_room(class, 0, at, &[]);
        }
        self.split_all();
        self.out.end_copies(copies, region.fixed, region.all.start);
        for at in region.core.clone() {
            let is_last = at + 1 == region.all.end;
            let fixed = if is_last { RegisterSet::EMPTY } else { region.fixed };
            self.instruction(at, fixed.union(real_writes(&self.code.instructions[at])));
        }
        self.fixed = RegisterSet::EMPTY;
        self.results(region);
    }

    /// The copies at the end of a region.
    fn results(&mut self, region: &Region) {
        let exit = region.core.end..region.all.end;
        let copies = self.out.copies.len();
        let mut results = Vec::new();
        self.out.begin_group();
        for at in exit.clone() {
            let [to, from, _] = self.code.instructions[at].operands;
            let (Operand::Register(value), Operand::Register(real)) = (to, from) else { continue };
            if self.intervals.of(value).covers(2 * exit.end as Position) {
                results.push(value);
                self.make_room(self.class(value), 1, 2 * exit.end as Position, &results);
                let name = self.hold(value, 2 * exit.end as Position).name;
                self.out.copies.push(Copy::to_register(name, Source::Register(real)));
            }
        }
        self.out.end_copies(copies, RegisterSet::EMPTY, exit.start);
        results.into_iter().for_each(|value| self.note_definition(value));
    }

    /// An instruction; no range that is live after it may have a `fixed` register.
    fn instruction(&mut self, at: usize, fixed: RegisterSet) {
        let position = 2 * at as Position;
        let code = self.code;
        let instruction = &code.instructions[at];
        if instruction.op == Op::Jmp {
            self.exits[self.block] = self.save();
        }
        let first = self.out.operands.len();
        instruction.for_each_named(|it| self.out.operands.push(it));
        let mut operands = Part::since(first, &self.out.operands);
        let mut written = self.out.operands[first..].iter().filter(|it| it.slot.writes());
        let written = written.find(|it| !it.register.is_real()).copied();
        let (mut memory, mut copied) = (None, None);
        // Most instructions find all that they read in registers.
        let mut read = self.out.operands[first..].iter().filter(|it| reads_value(it));
        if !read.all(|it| self.is_held(it.register)) {
            memory = self.memory_operand(instruction, position);
            copied = self.copied_from_memory(instruction);
            let in_registers = self.out.operands.split_off(first).into_iter();
            self.out.operands.extend(in_registers.filter(|it| Some(it.register) != memory));
            operands = Part::since(first, &self.out.operands);
            if copied.is_none() {
                self.reload(operands, position, at);
            }
        }
        if copied.is_none() {
            self.split_for_bytes(operands, at);
            self.name_operands(operands);
        }
        self.drop_dead(position + 1);
        if let Some(it) = written.filter(|it| !it.is_read()) {
            self.define(it.register, operands, position + 1);
        }
        if let (Some(from), Some(held)) = (copied, self.held.last()) {
            let copies = self.out.copies.len();
            self.out.operands.truncate(first);
            self.out.copies.push(Copy::to_register(held.name, from));
            self.out.end_copies(copies, fixed, at);
        } else {
            let action = Action::Instruction { operands, memory };
            self.out.steps.push(Step { action, fixed, at: at as u32 });
        }
        written.into_iter().for_each(|it| self.note_definition(it.register));
        self.drop_dead(position + 2);
    }

    /// Replaces the values that an instruction reads by their live ranges.
    pub fn name_operands(&mut self, operands: Part) {
        for at in operands.range() {
            let operand = self.out.operands[at];
            if reads_value(&operand) {
                let name = self.held(operand.register).expect("it is in a register").name;
                name_operand(&mut self.out.operands[at], name, &mut self.out.ranges);
            }
        }
    }

    /// For a copy whose source is in memory, the source: it needs no register of its own.
    fn copied_from_memory(&mut self, instruction: &Instruction) -> Option<Source> {
        let [Operand::Register(to), Operand::Register(value), _] = instruction.operands else {
            return None;
        };
        let is_copy = instruction.op.is_copy() && !to.is_real() && !value.is_real();
        (is_copy && !self.is_held(value)).then(|| self.source(value))
    }

    /// Reloads the values that an instruction reads and that are not in registers.
    pub fn reload(&mut self, operands: Part, position: Position, at: usize) {
        let read = self.out.operands[operands.range()].iter().filter(|it| reads_value(it));
        let values = read.map(|it| it.register).collect::<Vec<_>>();
        let copies = self.out.copies.len();
        for &value in &values {
            if !self.is_held(value) {
                self.make_room(self.class(value), 1, position, &values);
                let from = self.source(value);
                self.out.begin_group();
                let held = self.hold(value, position);
                held.is_stored = true;
                let name = held.name;
                self.out.copies.push(Copy::to_register(name, from));
            }
        }
        self.out.end_copies(copies, self.fixed, at);
    }

    /// Gives each value a new live range, by a copy.
    fn split_all(&mut self) {
        self.out.begin_group();
        for held in &mut self.held {
            let name = self.out.new_range(RegisterSet::allocatable(held.class));
            let from = Source::Register(std::mem::replace(&mut held.name, name));
            self.out.copies.push(Copy::to_register(name, from));
        }
    }

    /// A register with a low byte must be free for an operand that is a byte: all values get new
    /// live ranges, unless the operand's range has such a register.
    fn split_for_bytes(&mut self, operands: Part, at: usize) {
        let bytes = RegisterSet::of(RegisterConstraint::Byte);
        let is_byte = |it: &Held| self.out.ranges[number(it.name)].allowed.is_subset_of(bytes);
        let is_constrained =
            |it: &Named| needs_byte(it.slot) && !self.held(it.register).is_some_and(is_byte);
        if self.out.operands[operands.range()].iter().any(is_constrained) {
            // The result gets its register with the others, so one must be free for it.
            let results = usize::from(self.is_byte_definition(operands));
            self.make_room(RegisterClass::General, results, 2 * at as Position, &[]);
            let copies = self.out.copies.len();
            self.split_all();
            self.out.end_copies(copies, self.fixed, at);
        }
    }

    fn is_byte_definition(&self, operands: Part) -> bool {
        let operands = &self.out.operands[operands.range()];
        operands.iter().any(|it| needs_byte(it.slot) && it.slot.writes())
    }

    /// Begins the live range of the value that an instruction defines.
    fn define(&mut self, value: Register, operands: Part, at: Position) {
        self.make_room(self.class(value), 1, at, &[]);
        if !self.is_byte_definition(operands) {
            self.out.begin_group();
        }
        let name = self.hold(value, at).name;
        // Those that are read have their names.
        let is_defined = |it: &Named| it.register == value && !it.is_read();
        let defined = self.out.operands[operands.range()].iter_mut().find(|it| is_defined(it));
        name_operand(defined.expect("the instruction defines it"), name, &mut self.out.ranges);
    }
}

/// Names the live range of an operand, and applies the operand's constraint to it.
fn name_operand(operand: &mut Named, name: Register, ranges: &mut [LiveRange]) {
    operand.register = name;
    if let OperandConstraint::Register(_, constraint) = operand.slot {
        let allowed = &mut ranges[number(name)].allowed;
        *allowed = allowed.intersect(RegisterSet::of(constraint));
    }
}

fn reads_value(operand: &Named) -> bool {
    operand.is_read() && !operand.register.is_real()
}

fn needs_byte(slot: OperandConstraint) -> bool {
    matches!(slot, OperandConstraint::Register(_, constraint) if constraint.part().bytes == 1)
}

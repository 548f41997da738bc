//! Spilling: one pass over the blocks, with the set of values that are in registers.
//!
//! A value that is used and not in a register is reloaded before the use. If too few registers
//! remain, the values with the furthest next use leave theirs. (L. A. Belady, A Study of
//! Replacement Algorithms, 1966; Braun & Hack, algorithm 1.)
use crate::allocate::Position;
use crate::allocate::intervals::Intervals;
use crate::allocate::stack_slots::StackSlots;
use crate::colour::fixed_regions::{self, Region, set};
use crate::colour::memory_operand::memory_form;
use crate::colour::next_use::LOOP_EXIT_DISTANCE;
use crate::colour::single_assignment::updated;
use crate::colour::spiller::{Held, Spiller};
use crate::colour::split_code::{Action, Copy, Source, SplitCode, number};
use crate::ia32::code::{Code, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::{OperandConstraint, RegisterClass, RegisterConstraint};

/// The code with split live ranges, and the slots of spilled values.
pub fn spill(code: &Code, intervals: &Intervals) -> (SplitCode, StackSlots) {
    let mut spiller = Spiller::new(code, intervals);
    for block in code.blocks.ids() {
        spiller.enter(block);
        spiller.block();
    }
    spiller.connect_blocks();
    spiller.place_stores();
    let mut slots = StackSlots::new(intervals, &spiller.spilled);
    slots.coalesce(code);
    (spiller.out, slots)
}

impl Spiller<'_> {
    fn block(&mut self) {
        let range = self.code.range(self.block);
        let regions = fixed_regions::find(self.code, range.clone());
        let mut regions = regions.iter().peekable();
        let mut at = range.start;
        self.out.blocks[self.block].steps.reserve(range.len());
        while at < range.end {
            match regions.next_if(|region| region.all.start == at) {
                Some(region) => {
                    self.region(region);
                    at = region.all.end;
                }
                None => {
                    self.instruction(at, RegisterSet::EMPTY);
                    at += 1;
                }
            }
        }
    }

    /// Copies all values in parallel, then the core, then the results.
    fn region(&mut self, region: &Region) {
        let entry = region.all.start..region.core.start;
        let sources = entry.clone().map(|at| self.code.instructions[at].operands);
        let operands = sources.filter_map(|operands| match operands {
            [Operand::Register(to), Operand::Register(from), _] => Some((to, from)),
            _ => None,
        });
        let operands = operands.collect::<Vec<_>>();
        let at = 2 * region.core.start as Position;
        let moved = operands.into_iter().map(|(to, value)| {
            let from = self.source(value);
            Copy::to_register(to, from)
        });
        let mut copies = moved.collect::<Vec<_>>();
        self.drop_dead(at);
        self.fixed = region.fixed;
        for class in RegisterClass::ALL {
            self.make_room(*class, 0, at, &[]);
        }
        copies.extend(self.split_all());
        self.copies(copies, region.fixed, region.all.start);
        for at in region.core.clone() {
            let is_last = at + 1 == region.all.end;
            self.instruction(at, if is_last { RegisterSet::EMPTY } else { region.fixed });
        }
        self.fixed = RegisterSet::EMPTY;
        self.results(region);
    }

    /// The copies at the end of a region.
    fn results(&mut self, region: &Region) {
        let exit = region.core.end..region.all.end;
        let mut copies = Vec::new();
        let mut results = Vec::new();
        self.out.begin_group();
        for at in exit.clone() {
            let [to, from, _] = self.code.instructions[at].operands;
            let (Operand::Register(value), Operand::Register(real)) = (to, from) else { continue };
            if self.intervals.of(value).covers(2 * exit.end as Position) {
                results.push(value);
                self.make_room(self.class(value), 1, 2 * exit.end as Position, &results);
                let held = self.hold(value);
                copies.push(Copy::to_register(held.name, Source::Register(real)));
            }
        }
        self.copies(copies, RegisterSet::EMPTY, exit.start);
        self.note_definitions(exit.flat_map(|at| self.code.instructions[at].writes()));
    }

    fn instruction(&mut self, at: usize, fixed: RegisterSet) {
        let position = 2 * at as Position;
        let (instruction, memory) = self.with_memory_operand(self.code.instructions[at], position);
        let instruction = &instruction;
        if instruction.op == Op::Jmp {
            self.exits[self.block] = self.held.clone();
        }
        let copied = self.copied_from_memory(instruction);
        if copied.is_none() {
            self.reload(instruction, position, at);
        }
        self.split_for_bytes(instruction, at);
        let mut names = std::mem::take(&mut self.read);
        names.clone_from(&self.held);
        self.drop_dead(position + 1);
        let own = updated(instruction);
        let written = instruction.writes().find(|it| !it.is_real() && own != Some(*it));
        if let Some(value) = written {
            self.make_room(self.class(value), 1, position + 1, &[]);
            if !self.is_byte_definition(instruction) {
                self.out.begin_group();
            }
            self.hold(value);
        }
        let fixed = fixed_after(instruction, fixed);
        if let (Some(from), Some(held)) = (copied, self.held.last()) {
            self.copies(vec![Copy::to_register(held.name, from)], fixed, at);
        } else {
            let renamed = self.renamed(instruction, &names);
            self.step(Action::Instruction(renamed), fixed, memory, at);
            self.restrict(&renamed);
        }
        self.read = names;
        self.note_definitions(instruction.writes());
        self.drop_dead(position + 2);
    }

    /// An instruction with live ranges as operands; `read` were in registers before it.
    fn renamed(&self, instruction: &Instruction, read: &[Held]) -> Instruction {
        let mut renamed = *instruction;
        renamed.rename(|_, value| {
            let held = self.held.iter().chain(read).find(|it| it.value == value);
            if value.is_real() { value } else { held.expect("it is in a register").name }
        });
        renamed
    }

    /// An instruction whose second operand stays in memory, if that is possible and the value's
    /// next use is too far away for a register.
    fn with_memory_operand(
        &mut self,
        mut instruction: Instruction,
        at: Position,
    ) -> (Instruction, Option<Register>) {
        let in_memory = memory_form(&instruction)
            .filter(|(_, value)| !self.is_held(*value) && self.computed[*value].is_none())
            .filter(|(_, value)| !self.is_worth_a_register(*value, at));
        let Some((op, value)) = in_memory else { return (instruction, None) };
        self.spilled.insert(value);
        (instruction.op, instruction.operands[1]) = (op, Operand::None);
        (instruction, Some(value))
    }

    /// Whether a value is read again, before another one that is in a register.
    fn is_worth_a_register(&self, value: Register, at: Position) -> bool {
        let distance = |value| self.distance(at + 2, value);
        let again = distance(value);
        let class = self.class(value);
        let is_full = self.held_count(class) >= self.available(class).len();
        let others = self.held.iter().filter(|it| self.class(it.value) == class);
        let mut others = others.map(|it| distance(it.value));
        again < LOOP_EXIT_DISTANCE && (!is_full || others.any(|other| again < other))
    }

    /// For a copy whose source is in memory, the source: it needs no register of its own.
    fn copied_from_memory(&mut self, instruction: &Instruction) -> Option<Source> {
        let [_, Operand::Register(value), _] = instruction.operands else { return None };
        let is_copy = instruction.op.is_copy() && !value.is_real() && !self.is_held(value);
        let real = instruction.writes().any(|it| it.is_real());
        (is_copy && !real).then(|| self.source(value))
    }

    /// Reloads the values that an instruction reads and that are not in registers.
    fn reload(&mut self, instruction: &Instruction, position: Position, at: usize) {
        let reads = || instruction.reads().filter(|it| !it.is_real());
        if reads().all(|it| self.is_held(it)) {
            return;
        }
        let values = &reads().collect::<Vec<_>>()[..];
        let mut copies = Vec::new();
        for &value in values {
            if !self.is_held(value) {
                self.make_room(self.class(value), 1, position, values);
                let from = self.source(value);
                self.out.begin_group();
                let name = self.hold(value).name;
                self.held.last_mut().expect("it is held").is_stored = true;
                copies.push(Copy::to_register(name, from));
            }
        }
        self.copies(copies, self.fixed, at);
    }

    /// Gives each value a new live range.
    fn split_all(&mut self) -> Vec<Copy> {
        self.out.begin_group();
        let old = std::mem::take(&mut self.held);
        let split = old.into_iter().map(|it| {
            let name = self.hold(it.value).name;
            self.held.last_mut().expect("it is held").is_stored = it.is_stored;
            Copy::to_register(name, Source::Register(it.name))
        });
        split.collect()
    }

    /// A register with a low byte must be free for an operand that is a byte: all values get new
    /// live ranges, unless the operand's range has such a register.
    fn split_for_bytes(&mut self, instruction: &Instruction, at: usize) {
        let bytes = RegisterSet::of(RegisterConstraint::Byte);
        let constrained = instruction.slots().filter_map(|(slot, operand)| {
            let (true, Operand::Register(value)) = (is_byte(slot), operand) else { return None };
            let held = self.held(value);
            let byte = |it: &Held| self.out.ranges[number(it.name)].allowed.is_subset_of(bytes);
            (!held.is_some_and(byte)).then_some(value)
        });
        if constrained.count() > 0 {
            // The result gets its register with the others, so one must be free for it.
            let results = usize::from(self.is_byte_definition(instruction));
            self.make_room(RegisterClass::General, results, 2 * at as Position, &[]);
            let copies = self.split_all();
            self.copies(copies, self.fixed, at);
        }
    }

    fn is_byte_definition(&self, instruction: &Instruction) -> bool {
        instruction.slots().any(|(slot, _)| is_byte(slot) && slot.writes())
    }

    /// Applies the constraints of an instruction to the live ranges of its operands.
    fn restrict(&mut self, renamed: &Instruction) {
        for (slot, operand) in renamed.slots() {
            if let (OperandConstraint::Register(_, constraint), Operand::Register(name)) =
                (slot, operand)
                && !name.is_real()
            {
                let allowed = &mut self.out.range(name).allowed;
                *allowed = allowed.intersect(RegisterSet::of(constraint));
            }
        }
    }
}

/// The registers that no value may have after an instruction.
fn fixed_after(instruction: &Instruction, fixed: RegisterSet) -> RegisterSet {
    fixed.union(set(instruction.writes()))
}

fn is_byte(slot: OperandConstraint) -> bool {
    matches!(slot, OperandConstraint::Register(_, constraint) if constraint.part().bytes == 1)
}

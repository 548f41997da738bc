//! Spilling: one pass over the blocks, with the set of values that are in registers.
//!
//! A value that is used and not in a register is reloaded before the use. If too few registers
//! remain, the values with the furthest next use leave theirs. (L. A. Belady, A Study of
//! Replacement Algorithms, 1966; Braun & Hack, algorithm 1.)
use crate::allocate::Position;
use crate::allocate::intervals::Intervals;
use crate::allocate::stack_slots::StackSlots;
use crate::colour::block_entry::is_live_in;
use crate::colour::fixed_regions::{self, Region, reals};
use crate::colour::next_use::{LOOP_EXIT_DISTANCE, NextUses, pressures};
use crate::colour::single_assignment::updated;
use crate::colour::split_code::{Action, Copy, Source, SplitCode, Step, Target, number};
use crate::colour::stores::Eviction;
use crate::ia32::code::{BlockId, Code, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::{OperandConstraint, RegisterClass, RegisterConstraint};
use arena::{ListTable, SideTable};
use std::collections::BTreeSet;

/// A value in a register.
#[derive(Clone, Copy)]
pub struct Held {
    pub value: Register,
    /// Its live range.
    pub name: Register,
    /// Whether its slot holds it, too.
    pub is_stored: bool,
}

pub struct Spiller<'c> {
    pub code: &'c Code,
    pub intervals: &'c Intervals,
    pub predecessors: ListTable<BlockId, BlockId>,
    pub next: NextUses,
    pub pressures: SideTable<BlockId, u32>,
    pub out: SplitCode,
    pub block: BlockId,
    /// The values in registers, at most as many as there are registers.
    pub held: Vec<Held>,
    /// The same, at the start of each join and at the end of each block.
    pub entries: SideTable<BlockId, Vec<Held>>,
    pub exits: SideTable<BlockId, Vec<Held>>,
    /// The definition of each value: its block, the number of steps up to it, and the live range.
    pub definitions: SideTable<Register, Option<(BlockId, usize, Register)>>,
    pub evictions: Vec<Eviction>,
    /// The values that are read in memory.
    pub spilled: BTreeSet<Register>,
    /// The instructions that compute values from constants.
    computed: SideTable<Register, Option<Instruction>>,
    /// The real registers of the current region.
    fixed: RegisterSet,
}

/// The code with split live ranges, and the slots of spilled values.
pub fn spill(code: &Code, intervals: &Intervals) -> (SplitCode, StackSlots) {
    let mut spiller = Spiller {
        code,
        intervals,
        predecessors: code.predecessors(),
        next: NextUses::new(code, intervals),
        pressures: pressures(code, intervals),
        out: SplitCode::default(),
        block: BlockId::ENTRY,
        held: Vec::new(),
        entries: SideTable::new(code.blocks.len()),
        exits: SideTable::new(code.blocks.len()),
        definitions: SideTable::new(0),
        evictions: Vec::new(),
        spilled: BTreeSet::new(),
        computed: computed(code),
        fixed: RegisterSet::EMPTY,
    };
    for block in code.blocks.ids() {
        spiller.block = block;
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
        self.make_room(0, at, &[]);
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
            if self.intervals[value].covers(2 * exit.end as Position) {
                results.push(value);
                self.make_room(1, 2 * exit.end as Position, &results);
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
        let mut reads = instruction.reads().filter(|it| !it.is_real()).collect::<Vec<_>>();
        let copied = self.copied_from_memory(instruction);
        if copied.is_some() {
            reads.clear();
        }
        self.reload(&reads, position, at);
        self.split_for_bytes(instruction, at);
        let names = self.held.clone();
        self.drop_dead(position + 1);
        let own = updated(instruction);
        let written = instruction.writes().find(|it| !it.is_real() && own != Some(*it));
        if let Some(value) = written {
            self.make_room(1, position + 1, &[]);
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
        let [first, Operand::Register(value), _] = instruction.operands else {
            return (instruction, None);
        };
        let op = match instruction.op {
            Op::Add => Op::AddMemory,
            Op::Sub => Op::SubMemory,
            Op::Imul => Op::ImulMemory,
            Op::Cmp => Op::CmpMemory,
            _ => return (instruction, None),
        };
        let is_in_memory = !value.is_real() && !self.is_held(value);
        let is_possible = is_in_memory && first != Operand::Register(value);
        if !is_possible || self.computed[value].is_some() || self.is_worth_a_register(value, at) {
            return (instruction, None);
        }
        self.spilled.insert(value);
        (instruction.op, instruction.operands[1]) = (op, Operand::None);
        (instruction, Some(value))
    }

    /// Whether a value is read again, before another one that is in a register.
    fn is_worth_a_register(&self, value: Register, at: Position) -> bool {
        let distance = |value| self.next.distance(self.intervals, self.block, at + 2, value);
        let again = distance(value);
        let is_full = self.held.len() >= self.available().iter().count();
        let mut others = self.held.iter().map(|it| distance(it.value));
        again < LOOP_EXIT_DISTANCE && (!is_full || others.any(|other| again < other))
    }

    /// The registers that are not fixed.
    fn available(&self) -> RegisterSet {
        let mut available = self.registers();
        self.fixed.iter().for_each(|it| available.remove(it));
        available
    }

    /// For a copy whose source is in memory, the source: it needs no register of its own.
    fn copied_from_memory(&mut self, instruction: &Instruction) -> Option<Source> {
        let [_, Operand::Register(value), _] = instruction.operands else { return None };
        let is_copy = instruction.op == Op::Mov && !value.is_real() && !self.is_held(value);
        let real = instruction.writes().any(|it| it.is_real());
        (is_copy && !real).then(|| self.source(value))
    }

    /// Reloads the values that are not in registers.
    fn reload(&mut self, values: &[Register], position: Position, at: usize) {
        let mut copies = Vec::new();
        for &value in values {
            if !self.is_held(value) {
                self.make_room(1, position, values);
                let from = self.source(value);
                self.out.begin_group();
                let name = self.hold(value).name;
                self.held.last_mut().expect("it is held").is_stored = true;
                copies.push(Copy::to_register(name, from));
            }
        }
        self.copies(copies, self.fixed, at);
    }

    /// Evicts values until `count` registers are free. Values in `kept` stay.
    fn make_room(&mut self, count: usize, at: Position, kept: &[Register]) {
        let registers = self.available().iter().count();
        while self.held.len() + count > registers {
            let distance = |held: &Held| {
                let distance = self.next.distance(self.intervals, self.block, at, held.value);
                // A value that needs no store is cheaper.
                let is_cheap = held.is_stored || self.needs_no_store(held.value);
                distance.saturating_mul(if is_cheap { 2 } else { 1 })
            };
            let free = (0..self.held.len()).filter(|&it| !kept.contains(&self.held[it].value));
            let furthest = free.max_by_key(|&it| (distance(&self.held[it]), self.held[it].name));
            let Some(furthest) = furthest else { return };
            let held = self.held.remove(furthest);
            let steps = self.out.blocks[self.block].steps.len();
            self.evictions.push(Eviction { held, block: self.block, steps });
        }
    }

    /// Forgets values that are not live at a position.
    fn drop_dead(&mut self, at: Position) {
        let intervals = self.intervals;
        self.held.retain(|it| intervals[it.value].covers(at));
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
            let held = self.held.iter().find(|it| it.value == value);
            let byte = |it: &Held| self.out.ranges[number(it.name)].allowed.is_subset_of(bytes);
            (!held.is_some_and(byte)).then_some(value)
        });
        if constrained.count() > 0 {
            // The result gets its register with the others, so one must be free for it.
            let results = usize::from(self.is_byte_definition(instruction));
            self.make_room(results, 2 * at as Position, &[]);
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

    /// The register of a value, or its slot, or the instruction that computes it again.
    fn source(&mut self, value: Register) -> Source {
        if let Some(held) = self.held.iter().find(|it| it.value == value) {
            return Source::Register(held.name);
        }
        if let Some(instruction) = self.computed[value] {
            return Source::Computed(instruction);
        }
        self.spilled.insert(value);
        Source::Memory(value)
    }

    /// Whether a value can be evicted without a store.
    fn needs_no_store(&self, value: Register) -> bool {
        self.computed[value].is_some() || self.intervals[value].argument.is_some()
    }

    pub fn is_held(&self, value: Register) -> bool {
        self.held.iter().any(|it| it.value == value)
    }

    pub fn registers(&self) -> RegisterSet {
        RegisterSet::allocatable(RegisterClass::General)
    }

    fn note_definitions(&mut self, written: impl Iterator<Item = Register>) {
        let steps = self.out.blocks[self.block].steps.len();
        for value in written.filter(|it| !it.is_real()) {
            let held = self.held.iter().find(|it| it.value == value);
            self.definitions[value] = held.map(|it| (self.block, steps, it.name));
        }
    }

    fn copies(&mut self, copies: Vec<Copy>, fixed: RegisterSet, at: usize) {
        if !copies.is_empty() {
            self.step(Action::Copies(copies, Vec::new()), fixed, None, at);
        }
    }

    fn step(&mut self, action: Action, fixed: RegisterSet, memory: Option<Register>, at: usize) {
        self.out.blocks[self.block].steps.push(Step { action, fixed, memory, at });
    }

    /// The copies at the ends of blocks whose successor is a join.
    fn connect_blocks(&mut self) {
        for from in self.code.blocks.ids() {
            for to in self.code.successors(from).collect::<Vec<_>>() {
                if self.only_predecessor(to).is_none() {
                    self.held = self.exits[from].clone();
                    self.connect(from, to);
                }
            }
        }
    }

    fn connect(&mut self, from: BlockId, to: BlockId) {
        let mut exit = Vec::new();
        for held in self.entries[to].clone() {
            let argument = self.argument(from, to, held.value);
            let source = self.source(argument);
            exit.push(Copy::to_register(held.name, source));
        }
        for (at, &parameter) in self.code.blocks[to].parameters.iter().enumerate() {
            if self.spilled.contains(&parameter)
                && !self.entries[to].iter().any(|it| it.value == parameter)
            {
                let argument = self.code.blocks[from].arguments[at];
                let held = self.held.iter().find(|it| it.value == argument);
                let source = held.map_or_else(
                    || {
                        self.spilled.insert(argument);
                        Source::Memory(argument)
                    },
                    |held| Source::Register(held.name),
                );
                exit.push(Copy { to: Target::Memory(parameter), from: source });
            }
        }
        let entry = &self.entries[to];
        let left = self.held.iter().filter(|it| {
            !entry.iter().any(|other| other.value == it.value)
                && is_live_in(self.intervals, it.value, to)
        });
        let steps = self.out.blocks[from].steps.len().saturating_sub(1);
        let evicted = left.map(|&held| Eviction { held, block: from, steps });
        self.evictions.extend(evicted);
        self.out.blocks[from].exit = exit;
    }
}

/// The instructions that compute values without reading registers. They do not change the flags.
fn computed(code: &Code) -> SideTable<Register, Option<Instruction>> {
    let mut computed = SideTable::new(0);
    for (at, instruction) in code.instructions.iter().enumerate() {
        let target = instruction.writes().next().filter(|it| !it.is_real());
        let updates = code.instructions.get(at + 1).and_then(updated) == target;
        let Some(target) = target.filter(|_| !updates) else { continue };
        computed[target] = match instruction.op {
            Op::MovImmediate => Some(*instruction),
            Op::Zero => {
                let operands = [Operand::Register(target), Operand::Immediate(0)];
                Some(Instruction::new(Op::MovImmediate, &operands, instruction.origin))
            }
            _ => None,
        };
    }
    computed
}

/// The registers that no value may have after an instruction.
fn fixed_after(instruction: &Instruction, mut fixed: RegisterSet) -> RegisterSet {
    reals(instruction.writes()).for_each(|it| fixed.insert(it));
    fixed
}

fn is_byte(slot: OperandConstraint) -> bool {
    matches!(slot, OperandConstraint::Register(_, constraint) if constraint.part().bytes == 1)
}

//! The values that are in registers at the current point, and the live ranges that they have there.
use crate::colour::next_use::{FAR, LOOP_EXIT_DISTANCE, NextUses, Pressures};
use crate::colour::single_assignment::updated;
use crate::colour::split_code::{Part, Source, SplitCode};
use crate::ia32::code::{BlockId, Code};
use crate::ia32::register::{NAMES, RegisterSet};
use crate::ia32::{Op, Operand, Register};
use crate::live_ranges::Position;
use crate::live_ranges::intervals::Intervals;
use crate::target::RegisterClass;
use arena::{Id, ListTable, SideTable, SparseTable};

/// A value in a register.
#[derive(Clone, Copy)]
pub struct Held {
    pub value: Register,
    /// Its live range.
    pub name: Register,
    /// Whether its slot holds it, too, if all values are stored where they leave their registers.
    pub is_stored: bool,
    pub class: RegisterClass,
    /// It is live up to here at least.
    live_until: Position,
}

/// A value leaves its register, before the step with this number.
#[derive(Clone, Copy)]
pub struct Eviction {
    pub held: Held,
    pub block: BlockId,
    pub steps: u32,
}

/// The definition of a value.
#[derive(Clone, Copy)]
pub struct Definition {
    pub block: BlockId,
    /// The number of steps up to it.
    pub steps: u32,
    /// The live range that it begins.
    pub name: Register,
}

/// A loop around the current block.
struct Loop {
    last: BlockId,
    /// The entries of `expected_in` that it replaced.
    replaced: Vec<(Register, Option<Expected>)>,
}

/// The innermost loop whose header expects a value in a register at its end.
#[derive(Clone, Copy)]
struct Expected {
    last: BlockId,
    /// The number of loops around it.
    depth: u32,
}

pub struct Spiller<'c> {
    pub code: &'c Code,
    pub intervals: &'c Intervals,
    pub predecessors: &'c ListTable<BlockId, BlockId>,
    pub next: NextUses,
    pub pressures: Pressures,
    pub out: SplitCode,
    pub block: BlockId,
    /// The values in registers, at most as many as there are registers.
    pub held: Vec<Held>,
    /// Until here, all of them are live.
    live_until: Position,
    /// Those at the start of each join and at the end of each block: parts of one list.
    pub saved: Vec<Held>,
    pub entries: SideTable<BlockId, Part>,
    pub exits: SideTable<BlockId, Part>,
    pub definitions: SideTable<Register, Option<Definition>>,
    pub evictions: Vec<Eviction>,
    /// The values that are read in memory.
    pub spilled: SideTable<Register, bool>,
    /// The values that are updated in memory, with their results.
    pub updated: Vec<(Register, Register)>,
    /// The numbers of the instructions that compute values from constants.
    pub computed: SparseTable<Register, Option<u32>>,
    /// Whether a block has regions in which instructions name real registers.
    pub has_regions: SideTable<BlockId, bool>,
    /// The real registers of the current region.
    pub fixed: RegisterSet,
    /// For each parameter of a block, its place among them.
    pub places: SparseTable<Register, Option<u32>>,
    /// The loops around the current block, the outermost first.
    loops: Vec<Loop>,
    /// For each value, the loop that expects it or a parameter that it is passed for.
    expected_in: SparseTable<Register, Option<Expected>>,
}

impl<'c> Spiller<'c> {
    pub fn new(code: &'c Code, intervals: &'c Intervals) -> Spiller<'c> {
        let mut has_regions = SideTable::new(code.blocks.len());
        let reals = (0..NAMES.len()).map(Register::from_index).filter(|it| *it != Register::ESP);
        for range in reals.flat_map(|it| intervals.of(it).ranges()) {
            has_regions[intervals.flow.block(range.start)] = true;
        }
        let count = NAMES.len() + code.virtual_registers.len();
        let mut places = SparseTable::new(count);
        for block in code.blocks.ids() {
            let parameters = code.blocks[block].parameters.iter();
            parameters.zip(0..).for_each(|(&value, at)| places[value] = Some(at));
        }
        Spiller {
            code,
            intervals,
            predecessors: &intervals.flow.predecessors,
            next: NextUses::new(code, intervals),
            pressures: Pressures::new(code, intervals),
            out: SplitCode {
                blocks: SideTable::new(code.blocks.len()),
                frequencies: code.frequencies(),
                steps: Vec::with_capacity(5 * code.instructions.len() / 4),
                operands: Vec::with_capacity(2 * code.instructions.len()),
                copies: Vec::with_capacity(code.instructions.len()),
                ranges: Vec::with_capacity(2 * count),
                ..SplitCode::default()
            },
            block: BlockId::ENTRY,
            held: Vec::new(),
            live_until: 0,
            saved: Vec::with_capacity(16 * code.blocks.len()),
            entries: SideTable::new(code.blocks.len()),
            exits: SideTable::new(code.blocks.len()),
            definitions: SideTable::new(count),
            evictions: Vec::new(),
            spilled: SideTable::new(count),
            updated: Vec::new(),
            computed: computed(code),
            has_regions,
            fixed: RegisterSet::EMPTY,
            places,
            loops: Vec::new(),
            expected_in: SparseTable::new(count),
        }
    }

    /// The split code, the values in memory, and those that are updated there. The rest is freed.
    pub fn finish(self) -> (SplitCode, SideTable<Register, bool>, Vec<(Register, Register)>) {
        (self.out, self.spilled, self.updated)
    }

    /// Adds a value with a new live range at a position.
    pub fn hold(&mut self, value: Register, at: Position) -> &mut Held {
        let class = self.class(value);
        let name = self.out.new_range(RegisterSet::allocatable(class));
        let live_until = self.live_until(value, at);
        self.live_until = self.live_until.min(live_until);
        self.held.push(Held { value, name, is_stored: false, class, live_until });
        self.held.last_mut().expect("it is held")
    }

    /// The end of the range in which a value is live at a position.
    fn live_until(&self, value: Register, at: Position) -> Position {
        let range = self.intervals.of(value).range_after(at).filter(|range| range.start <= at);
        range.map_or(0, |range| range.end)
    }

    pub fn held(&self, value: Register) -> Option<&Held> {
        // Later ones are used more often.
        self.held.iter().rev().find(|it| it.value == value)
    }

    pub fn is_held(&self, value: Register) -> bool {
        self.held(value).is_some()
    }

    /// Whether a value has no register and is not computed again where it is used.
    pub fn is_in_memory(&self, value: Register) -> bool {
        !self.is_held(value) && self.computed[value].is_none()
    }

    /// Forgets values that are not live at a position.
    pub fn drop_dead(&mut self, at: Position) {
        if at < self.live_until {
            return;
        }
        let mut held = std::mem::take(&mut self.held);
        self.live_until = Position::MAX;
        held.retain_mut(|it| {
            if it.live_until <= at {
                it.live_until = self.live_until(it.value, at);
            }
            let is_live = at < it.live_until;
            if is_live {
                self.live_until = self.live_until.min(it.live_until);
            }
            is_live
        });
        self.held = held;
    }

    /// The number of values in registers of a class.
    pub fn held_count(&self, class: RegisterClass) -> usize {
        self.held.iter().filter(|it| it.class == class).count()
    }

    pub fn class(&self, value: Register) -> RegisterClass {
        self.intervals[value].kind.class
    }

    /// Evicts values until `count` registers of a class are free. Values in `kept` stay.
    pub fn make_room(
        &mut self,
        class: RegisterClass,
        count: usize,
        at: Position,
        kept: &[Register],
    ) {
        let registers = self.available(class).len();
        let is_full = |held: &Spiller| held.held_count(class) + count > registers;
        while self.held.len() + count > registers && is_full(self) {
            self.next.enter(self.code, self.intervals, self.block);
            let distance = |held: &Held| {
                let distance = self.distance(at, held.value);
                // A value that needs no store is cheaper.
                let is_cheap = held.is_stored || self.needs_no_store(held.value);
                distance.saturating_mul(if is_cheap { 2 } else { 1 })
            };
            let in_class = (0..self.held.len()).filter(|&it| self.held[it].class == class);
            let free = in_class.filter(|&it| !kept.contains(&self.held[it].value));
            let furthest = free.max_by_key(|&it| (distance(&self.held[it]), self.held[it].name));
            let Some(furthest) = furthest else { return };
            let held = self.held.remove(furthest);
            let steps = self.out.steps.len() as u32;
            self.evictions.push(Eviction { held, block: self.block, steps });
        }
    }

    /// The distance from a position in the current block to the next use of a value in a register.
    /// The end of a loop is a use if the header expects the value.
    pub fn distance(&self, at: Position, value: Register) -> u32 {
        let forward = self.next.distance(self.intervals, self.block, at, value);
        self.expected_distance(at, value).min(forward)
    }

    /// The distance from a position in the current block to the end of a loop that expects a value
    /// in a register there.
    pub fn expected_distance(&self, at: Position, value: Register) -> u32 {
        // Of two loops that overlap, the outer one may end first.
        let expected = self.expected_in[value].filter(|it| it.last >= self.block);
        expected.map_or(FAR, |it| {
            let left = self.loops.len() as u32 - 1 - it.depth;
            let end = (self.intervals.flow.end(it.last) - at) / 2;
            end.saturating_add(LOOP_EXIT_DISTANCE.saturating_mul(left))
        })
    }

    /// Begins a loop whose header is the current block, with the values in registers there.
    pub fn begin_loop(&mut self) {
        let header = self.block;
        let back = self.predecessors[header].iter().copied().filter(|from| *from >= header);
        let back = back.collect::<Vec<_>>();
        let Some(&last) = back.iter().max() else { return };
        let depth = self.loops.len() as u32;
        let expected = Expected { last, depth };
        self.loops.push(Loop { last, replaced: Vec::new() });
        for held in self.held.clone() {
            back.iter().for_each(|from| {
                self.expect(self.argument(*from, header, held.value), expected);
            });
        }
        // Arguments are expected where their parameters are.
        for block in (header.index() + 1..=last.index()).rev().map(BlockId::from_index) {
            for place in 0..self.code.blocks[block].parameters.len() {
                let parameter = self.code.blocks[block].parameters[place];
                if self.expected_in[parameter].is_some_and(|it| it.depth == depth) {
                    let from = self.predecessors[block].iter().filter(|from| **from < block);
                    let arguments = from.map(|it| self.code.blocks[*it].arguments[place]);
                    let arguments = arguments.collect::<Vec<_>>();
                    arguments.into_iter().for_each(|value| self.expect(value, expected));
                }
            }
        }
    }

    fn expect(&mut self, value: Register, expected: Expected) {
        let old = self.expected_in[value].replace(expected);
        let innermost = self.loops.last_mut().expect("a loop has begun");
        innermost.replaced.push((value, old));
    }

    /// Ends the loops whose last block is before the current one.
    pub fn end_loops(&mut self) {
        while let Some(ended) = self.loops.pop_if(|it| it.last < self.block) {
            for (value, old) in ended.replaced.into_iter().rev() {
                self.expected_in[value] = old;
            }
        }
    }

    /// The value that a predecessor passes for a parameter; any other value is its own.
    pub fn argument(&self, from: BlockId, block: BlockId, value: Register) -> Register {
        let is_own = self.intervals[value].block == block;
        let place = self.places[value].filter(|_| is_own);
        place.map_or(value, |at| self.code.blocks[from].arguments[at as usize])
    }

    /// The register of a value, or its slot, or the instruction that computes it again.
    pub fn source(&mut self, value: Register) -> Source {
        if let Some(held) = self.held(value) {
            return Source::Register(held.name);
        }
        if let Some(at) = self.computed[value] {
            return Source::Computed(at);
        }
        self.spilled[value] = true;
        Source::Memory(value)
    }

    /// Whether a value can be evicted without a store.
    pub fn needs_no_store(&self, value: Register) -> bool {
        self.computed[value].is_some() || self.intervals[value].argument.is_some()
    }

    /// The registers of a class that are not fixed.
    pub fn available(&self, class: RegisterClass) -> RegisterSet {
        RegisterSet::allocatable(class).without(self.fixed)
    }

    /// Notes that the last step defined a value that is in a register.
    pub fn note_definition(&mut self, value: Register) {
        let (block, steps) = (self.block, self.out.steps.len() as u32);
        let held = self.held(value).map(|it| it.name);
        self.definitions[value] = held.map(|name| Definition { block, steps, name });
    }

    /// Saves the values that are in registers.
    pub fn save(&mut self) -> Part {
        let first = self.saved.len();
        self.saved.extend_from_slice(&self.held);
        Part::since(first, &self.saved)
    }

    /// Replaces the values in registers by saved ones.
    pub fn restore(&mut self, part: Part) {
        self.live_until = 0;
        self.held.clear();
        self.held.extend_from_slice(&self.saved[part.range()]);
    }

    /// Whether a value is live at the start of a block. A long interval may have fewer holes than
    /// possible, but a value is not live where its definition does not dominate.
    pub fn is_live_in(&self, value: Register, block: BlockId) -> bool {
        let Intervals { flow, .. } = self.intervals;
        flow.dominators.dominates(self.intervals[value].block, block)
            && self.intervals.of(value).covers(flow.start(block))
    }
}

/// The numbers of the instructions that compute values without reading registers.
fn computed(code: &Code) -> SparseTable<Register, Option<u32>> {
    let mut computed = SparseTable::new(NAMES.len() + code.virtual_registers.len());
    for (at, instruction) in code.instructions.iter().enumerate() {
        let is_computed = match instruction.op {
            Op::MovImmediate | Op::FloatZero | Op::Zero => true,
            Op::FloatLoad => instruction.constant().is_some(),
            _ => false,
        };
        if let (true, Operand::Register(target)) = (is_computed, instruction.operands[0]) {
            let is_whole = code.instructions.get(at + 1).and_then(updated) != Some(target);
            computed[target] = is_whole.then_some(at as u32);
        }
    }
    computed
}

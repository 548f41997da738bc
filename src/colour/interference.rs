//! The interference graph of the live ranges, and their affinities.
//!
//! Two ranges interfere if one begins while the other is live. Since each has one definition that
//! dominates its uses, its blocks are a subtree of the dominator tree, and the intersection graph
//! of subtrees is chordal. (F. Gavril, 1974.)
use crate::colour::split_code::{Action, Copy, Part, SplitBlock, SplitCode, Step, ranges};
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Code};
use crate::ia32::register::{NAMES, RegisterSet};
use arena::{Id, ListTable, SideTable};
use std::cmp::Reverse;

pub struct Graph {
    /// The registers that each live range may have. A real register may have itself alone.
    pub allowed: SideTable<Register, RegisterSet>,
    /// The group of each live range, in ascending order.
    pub groups: Vec<u32>,
    pub neighbours: ListTable<Register, Register>,
    /// The live ranges and real registers that a range is copied from or to, with the estimated
    /// number of executions of the copies.
    pub affinities: ListTable<Register, (Register, u64)>,
    /// Each of them once, the most frequent first: the number of executions and both ends.
    pub copies: Vec<(u64, Register, Register)>,
    /// The largest number of ranges that are live at once.
    pub pressure: usize,
}

/// A live range with more neighbours and affinities than this keeps its first register. Otherwise
/// each of its copies would look at all others, which takes quadratic time.
const MAX_DEGREE: usize = 1000;

impl Graph {
    /// Whether another register is tried for a live range.
    pub fn is_movable(&self, range: Register) -> bool {
        self.neighbours[range].len() + self.affinities[range].len() <= MAX_DEGREE
    }

    /// Whether two live ranges interfere.
    pub fn interfere(&self, a: Register, b: Register) -> bool {
        let (of_a, of_b) = (&self.neighbours[a], &self.neighbours[b]);
        if of_a.len() < of_b.len() { of_a.contains(&b) } else { of_b.contains(&a) }
    }
}

/// Builds the graph. Each parallel copy is completed by the ranges that are live across it.
pub fn build(code: &Code, split: &mut SplitCode) -> Graph {
    let reals = (0..NAMES.len()).map(|it| RegisterSet::EMPTY.with(Register::from_index(it)));
    let mut builder = Builder {
        allowed: SideTable::of(reals.chain(split.ranges.iter().map(|it| it.allowed)).collect()),
        edges: Vec::with_capacity(4 * split.ranges.len()),
        copies: Vec::with_capacity(5 * split.ranges.len() / 4),
        pressure: 0,
        live: Vec::new(),
        is_live: SideTable::new(NAMES.len() + split.ranges.len()),
        frequency: 0,
    };
    let mut all_live_in = Vec::with_capacity(8 * code.blocks.len());
    let mut live_in = SideTable::<BlockId, Part>::new(code.blocks.len());
    for block in code.blocks.ids().rev() {
        builder.frequency = split.frequencies[block];
        builder.live.drain(..).for_each(|it| builder.is_live[it] = false);
        let SplitBlock { parameters, steps, exit } = split.blocks[block];
        for copy in &split.copies[exit.range()] {
            builder.affinity(copy);
            copy.source().into_iter().for_each(|it| builder.begin_before(it));
        }
        // The parameters of a join are defined by these copies; nothing else is live there.
        for next in code.successors(block).filter(|&next| next > block) {
            all_live_in[live_in[next].range()].iter().for_each(|&it| builder.begin_before(it));
        }
        for step in steps.range().rev() {
            builder.step(code, split, step);
        }
        builder.define(ranges(parameters.range()));
        let first = all_live_in.len();
        all_live_in.extend_from_slice(&builder.live);
        live_in[block] = Part::since(first, &all_live_in);
    }
    drop((all_live_in, live_in));
    builder.finish(split)
}

struct Builder {
    allowed: SideTable<Register, RegisterSet>,
    /// The ranges that interfere: each with those that are live at its definition.
    edges: Vec<(Register, Register)>,
    /// The copies between two registers: the number of executions, and the later register first.
    copies: Vec<(u64, Register, Register)>,
    pressure: usize,
    /// The live ranges that are live at the current point. The scan runs backwards.
    live: Vec<Register>,
    is_live: SideTable<Register, bool>,
    /// The number of executions of the current block.
    frequency: u64,
}

impl Builder {
    fn step(&mut self, code: &Code, split: &mut SplitCode, number: usize) {
        let Step { action, fixed, at } = &mut split.steps[number];
        match action {
            Action::Instruction { operands, .. } => {
                let operands = &split.operands[operands.range()];
                let virtuals = operands.iter().filter(|it| !it.register.is_real());
                let written = virtuals.clone().filter(|it| it.slot.writes());
                self.exclude(*fixed, written.clone().map(|it| it.register));
                if let ([to, from], true) = (operands, code.instructions[*at as usize].op.is_copy())
                {
                    self.attract(to.register, from.register);
                }
                // A range that is updated was live before, with all that is live after.
                self.define(written.filter(|it| !it.is_read()).map(|it| it.register));
                virtuals.filter(|it| it.is_read()).for_each(|it| self.begin_before(it.register));
            }
            Action::Copies { copies, across } => {
                let copies = &split.copies[copies.range()];
                let targets = copies.iter().filter_map(Copy::target).filter(|it| !it.is_real());
                self.exclude(*fixed, targets.clone());
                copies.iter().for_each(|copy| self.affinity(copy));
                self.define(targets);
                let first = split.across.len();
                split.across.extend_from_slice(&self.live);
                *across = Part::since(first, &split.across);
                let sources = copies.iter().filter_map(Copy::source);
                sources.for_each(|it| self.begin_before(it));
            }
        }
        self.pressure = self.pressure.max(self.live.len());
    }

    /// A use: the range is live before it.
    fn begin_before(&mut self, range: Register) {
        if !range.is_real() && !std::mem::replace(&mut self.is_live[range], true) {
            self.live.push(range);
        }
    }

    /// Definitions at one point interfere with each other and with all that is live after them.
    fn define(&mut self, defined: impl Iterator<Item = Register> + Clone) {
        defined.clone().for_each(|it| self.begin_before(it));
        self.pressure = self.pressure.max(self.live.len());
        for range in defined {
            self.live.retain(|&it| it != range);
            self.is_live[range] = false;
            self.edges.extend(self.live.iter().map(|&it| (range, it)));
        }
    }

    /// No range that is live after a step may have these registers.
    fn exclude(&mut self, fixed: RegisterSet, defined: impl Iterator<Item = Register>) {
        if fixed != RegisterSet::EMPTY {
            for range in self.live.iter().copied().chain(defined) {
                self.allowed[range] = self.allowed[range].without(fixed);
            }
        }
    }

    fn affinity(&mut self, copy: &Copy) {
        if let (Some(to), Some(from)) = (copy.target(), copy.source()) {
            self.attract(to, from);
        }
    }

    fn attract(&mut self, a: Register, b: Register) {
        let (earlier, later) = (a.min(b), a.max(b));
        if earlier != later && !later.is_real() {
            self.copies.push((self.frequency, later, earlier));
        }
    }

    /// The graph replaces the list of ranges.
    fn finish(self, split: &mut SplitCode) -> Graph {
        let Builder { allowed, edges, mut copies, pressure, .. } = self;
        let ranges = std::mem::take(&mut split.ranges);
        let count = NAMES.len() + ranges.len();
        // The scan runs backwards, so a range has been live at other definitions before its own.
        let both = edges.iter().map(|&(a, b)| (b, a)).chain(edges.iter().copied());
        let neighbours = ListTable::group(count, both);
        drop(edges);
        merge(&mut copies, count);
        let earlier = copies.iter().map(|&(weight, a, b)| (a, (b, weight)));
        let later = copies.iter().map(|&(weight, a, b)| (b, (a, weight)));
        let both = earlier.chain(later.filter(|it| !it.0.is_real()));
        let affinities = ListTable::group(count, both);
        copies.sort_by_key(|it| Reverse(it.0));
        let groups = ranges.iter().map(|it| it.group).collect();
        Graph { allowed, groups, neighbours, affinities, copies, pressure }
    }
}

/// Sorts copies by their ends. Several copies between two ranges count as one.
fn merge(copies: &mut Vec<(u64, Register, Register)>, count: usize) {
    let by_later = copies.iter().map(|&(weight, later, earlier)| (later, (earlier, weight)));
    let mut by_later = ListTable::<Register, _>::group(count, by_later);
    copies.clear();
    for later in (0..count).map(Register::from_index) {
        let list = &mut by_later[later];
        list.sort_unstable_by_key(|it| it.0);
        for same in list.chunk_by(|a, b| a.0 == b.0) {
            copies.push((same.iter().map(|it| it.1).sum(), later, same[0].0));
        }
    }
}

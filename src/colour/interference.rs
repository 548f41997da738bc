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
        block: BlockId::ENTRY,
    };
    let mut all_live_in = Vec::with_capacity(8 * code.blocks.len());
    let mut live_in = SideTable::<BlockId, Part>::new(code.blocks.len());
    for block in code.blocks.ids().rev() {
        builder.block = block;
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
    /// The copies between two registers, and their blocks.
    copies: Vec<(Register, Register, BlockId)>,
    pressure: usize,
    /// The live ranges that are live at the current point. The scan runs backwards.
    live: Vec<Register>,
    is_live: SideTable<Register, bool>,
    block: BlockId,
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
        if a != b {
            self.copies.push((a, b, self.block));
        }
    }

    /// The graph replaces the list of ranges.
    fn finish(self, split: &mut SplitCode) -> Graph {
        let Builder { allowed, edges, copies, pressure, .. } = self;
        let ranges = std::mem::take(&mut split.ranges);
        let count = NAMES.len() + ranges.len();
        // The scan runs backwards, so a range has been live at other definitions before its own.
        let both = edges.iter().map(|&(a, b)| (b, a)).chain(edges.iter().copied());
        let neighbours = ListTable::group(count, both);
        drop(edges);
        let weight = |block: BlockId| split.frequencies[block];
        let forward = copies.iter().map(|&(to, from, block)| (to, (from, weight(block))));
        let backward = copies.iter().map(|&(to, from, block)| (from, (to, weight(block))));
        let both = forward.chain(backward).filter(|it| !it.0.is_real());
        let mut affinities = ListTable::group(count, both);
        let count = copies.len();
        drop(copies);
        merge(&mut affinities);
        let copies = sorted(&affinities, count);
        let groups = ranges.iter().map(|it| it.group).collect();
        Graph { allowed, groups, neighbours, affinities, copies, pressure }
    }
}

/// Several copies between two ranges count as one.
fn merge(affinities: &mut ListTable<Register, (Register, u64)>) {
    affinities.shorten(|list| {
        if list.is_sorted_by(|a, b| a.0 < b.0) {
            return list.len();
        }
        list.sort_unstable_by_key(|it| it.0);
        let mut last = 0;
        for at in 1..list.len() {
            if list[at].0 == list[last].0 {
                list[last].1 += list[at].1;
            } else {
                last += 1;
                list[last] = list[at];
            }
        }
        last + 1
    });
}

/// Each copy once, the most frequent first; there are `most` at most.
fn sorted(
    affinities: &ListTable<Register, (Register, u64)>,
    most: usize,
) -> Vec<(u64, Register, Register)> {
    let mut copies = Vec::with_capacity(most);
    for range in (NAMES.len()..affinities.len()).map(Register::from_index) {
        let once = affinities[range].iter().take_while(|it| it.0 < range);
        copies.extend(once.map(|&(other, weight)| (weight, range, other)));
    }
    copies.sort_by_key(|it| Reverse(it.0));
    copies
}

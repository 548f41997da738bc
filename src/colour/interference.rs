//! The interference graph of the live ranges, and their affinities.
//!
//! Two ranges interfere if one begins while the other is live. Since each has one definition that
//! dominates its uses, its blocks are a subtree of the dominator tree, and the intersection graph
//! of subtrees is chordal. (F. Gavril, 1974.)
use crate::colour::split_code::{Action, Copy, SplitCode, Step, number, ranges};
use crate::ia32::code::{BlockId, Code, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use arena::SideTable;

pub struct Graph {
    /// For each live range, the registers that it may have, and its group.
    pub allowed: Vec<RegisterSet>,
    pub groups: Vec<u32>,
    /// In ascending order.
    pub neighbours: Vec<Vec<Register>>,
    /// The live ranges and real registers that a range is copied from or to, with the estimated
    /// number of executions of the copies.
    pub affinities: Vec<Vec<(Register, u64)>>,
    /// The largest number of ranges that are live at once.
    pub pressure: usize,
}

/// Builds the graph. Each parallel copy is completed by the ranges that are live across it.
pub fn build(code: &Code, split: &mut SplitCode) -> Graph {
    let count = split.ranges.len();
    let mut builder = Builder {
        graph: Graph {
            allowed: split.ranges.iter().map(|it| it.allowed).collect(),
            groups: split.ranges.iter().map(|it| it.group).collect(),
            neighbours: vec![Vec::new(); count],
            affinities: vec![Vec::new(); count],
            pressure: 0,
        },
        live: Vec::new(),
        weight: 1,
    };
    let mut live_in = SideTable::<BlockId, Vec<Register>>::new(code.blocks.len());
    for block in code.blocks.ids().rev() {
        builder.weight = split.frequencies[block];
        builder.live.clear();
        let split = &mut split.blocks[block];
        for copy in &split.exit {
            builder.affinity(copy);
            copy.source().into_iter().for_each(|it| builder.begin_before(it));
        }
        // The parameters of a join are defined by these copies; nothing else is live there.
        for next in code.successors(block).filter(|&next| next > block) {
            live_in[next].iter().for_each(|&it| builder.begin_before(it));
        }
        for step in split.steps.iter_mut().rev() {
            builder.step(step);
        }
        builder.define(&split.parameters);
        live_in[block] = builder.live.clone();
    }
    builder.finish()
}

struct Builder {
    graph: Graph,
    /// The live ranges that are live at the current point. The scan runs backwards.
    live: Vec<Register>,
    weight: u64,
}

impl Builder {
    fn step(&mut self, step: &mut Step) {
        let Step { action, fixed, .. } = step;
        match action {
            Action::Instruction(instruction) => {
                let written = instruction.writes().filter(|it| !it.is_real());
                let written = written.collect::<Vec<_>>();
                self.exclude(*fixed, &written);
                self.copied(instruction);
                self.define(&written);
                let reads = instruction.reads().filter(|it| !it.is_real());
                reads.for_each(|it| self.begin_before(it));
            }
            Action::Copies(copies, across) => {
                let targets = copies.iter().filter_map(Copy::target).filter(|it| !it.is_real());
                let targets = targets.collect::<Vec<_>>();
                self.exclude(*fixed, &targets);
                copies.iter().for_each(|copy| self.affinity(copy));
                self.define(&targets);
                across.clone_from(&self.live);
                copies
                    .iter()
                    .filter_map(Copy::source)
                    .filter(|it| !it.is_real())
                    .for_each(|it| self.begin_before(it));
            }
        }
        self.graph.pressure = self.graph.pressure.max(self.live.len());
    }

    /// A use: the range is live before it.
    fn begin_before(&mut self, range: Register) {
        if !range.is_real() && !self.live.contains(&range) {
            self.live.push(range);
        }
    }

    /// Definitions at one point interfere with each other and with all that is live after them.
    fn define(&mut self, defined: &[Register]) {
        defined.iter().for_each(|&it| self.begin_before(it));
        self.graph.pressure = self.graph.pressure.max(self.live.len());
        for &range in defined {
            for &other in self.live.iter().filter(|&&other| other != range) {
                self.graph.neighbours[number(range)].push(other);
                self.graph.neighbours[number(other)].push(range);
            }
        }
        self.live.retain(|it| !defined.contains(it));
    }

    /// No range that is live after a step may have these registers.
    fn exclude(&mut self, fixed: RegisterSet, defined: &[Register]) {
        for &range in self.live.iter().chain(defined) {
            let allowed = &mut self.graph.allowed[number(range)];
            fixed.iter().for_each(|it| allowed.remove(it));
        }
    }

    /// The affinity of a copy instruction.
    fn copied(&mut self, instruction: &Instruction) {
        if let (Op::Mov, [Operand::Register(to), Operand::Register(from), _]) =
            (instruction.op, instruction.operands)
        {
            self.attract(to, from);
        }
    }

    fn affinity(&mut self, copy: &Copy) {
        if let (Some(to), Some(from)) = (copy.target(), copy.source()) {
            self.attract(to, from);
        }
    }

    fn attract(&mut self, a: Register, b: Register) {
        for (range, other) in [(a, b), (b, a)].into_iter().filter(|it| it.0 != it.1) {
            if !range.is_real() {
                self.graph.affinities[number(range)].push((other, self.weight));
            }
        }
    }

    fn finish(mut self) -> Graph {
        for range in ranges(self.graph.neighbours.len()) {
            let neighbours = &mut self.graph.neighbours[number(range)];
            neighbours.sort_unstable();
            neighbours.dedup();
            let affinities = &mut self.graph.affinities[number(range)];
            affinities.sort_unstable();
            affinities.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 += if same { next.1 } else { 0 };
                same
            });
        }
        self.graph
    }
}

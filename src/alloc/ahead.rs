//! Where values are read, and what that means at any place of the code.
//!
//! A value is alive where a reader can be reached without passing its definition. Definitions
//! dominate readers, so only jumps back to loops that the definition is not in need care: a place
//! inside such loops reaches whatever the head of the outermost one reaches, and all else by
//! ways forward (after B. Boissinot et al., Fast liveness checking for SSA-form programs, 2008).
//! Nothing is written down per block and value: that would be quadratic.
use crate::alloc::flow::Flow;
use crate::alloc::lives::NEVER;
use crate::ia32::code::{BlockId, Code};
use crate::ia32::reg::NAMES;
use crate::ia32::{Op, Register};
use arena::{Id, SideTable};
use std::ops::Range;

pub struct Ahead {
    pub flow: Flow,
    written: SideTable<Register, Written>,
    /// For each value the range of its readers in `readers`.
    ranges: Vec<u32>,
    readers: Vec<Reader>,
}

/// Where a value begins.
#[derive(Clone, Copy, Default)]
struct Written {
    /// The number of the block.
    block: u32,
    /// The first instruction that may read it, or 0.
    from: u32,
}

#[derive(Clone, Copy, Default)]
struct Reader {
    at: u32,
    /// Of this reader and the later ones of the same value, the last place in the mirrored order.
    reach: u32,
}

/// What comes after leaving a loop is further away than all that stands in it.
pub const FAR: u32 = 1 << 26;

/// How many readers are looked at to find the nearest one.
const LOOKED_AT: usize = 8;

impl Ahead {
    pub fn new(code: &Code) -> Ahead {
        let flow = Flow::new(code);
        let written = written(code, &flow);
        let mut ahead = Ahead { flow, written, ranges: Vec::new(), readers: Vec::new() };
        ahead.collect(code);
        ahead
    }

    /// Sorts all readers by what they read.
    fn collect(&mut self, code: &Code) {
        let mut counts = vec![0; NAMES.len() + code.virtuals as usize + 1];
        each_read(code, &self.flow, |name, _| counts[name.index() + 1] += 1);
        for at in 1..counts.len() {
            counts[at] += counts[at - 1];
        }
        self.readers = vec![Reader::default(); counts[counts.len() - 1] as usize];
        self.ranges = counts.clone();
        each_read(code, &self.flow, |name, at| {
            self.readers[counts[name.index()] as usize].at = at;
            counts[name.index()] += 1;
        });
        for value in (NAMES.len()..counts.len() - 1).map(Register::from_index) {
            let mut reach = 0;
            for reader in self.range(value).rev() {
                let block = self.flow.block(self.readers[reader].at);
                reach = reach.max(self.flow.mirrored(block));
                self.readers[reader].reach = reach;
            }
        }
    }

    fn range(&self, value: Register) -> Range<usize> {
        self.ranges[value.index()] as usize..self.ranges[value.index() + 1] as usize
    }

    fn readers(&self, value: Register) -> &[Reader] {
        &self.readers[self.range(value)]
    }

    /// Where a value is read.
    #[cfg(feature = "ch07")]
    pub fn reads(&self, value: Register) -> impl Iterator<Item = u32> {
        self.readers(value).iter().map(|reader| reader.at)
    }

    /// The block that writes a value.
    pub fn written(&self, value: Register) -> BlockId {
        BlockId::from_index(self.written[value].block as usize)
    }

    /// Where a value is read next, from the place `from` of a block on that its definition
    /// dominates. Readers in later rounds of a loop count as if the rounds stood one after the
    /// other, readers outside of it as far away.
    pub fn next(&self, value: Register, block: BlockId, from: u32) -> u32 {
        let readers = self.readers(value);
        let later = readers.partition_point(|reader| reader.at < from);
        if let Some(reader) = readers.get(later).filter(|r| r.at < self.flow.end(block)) {
            return reader.at;
        }
        let outermost = self.flow.loops.between(self.written(value), block).last();
        let base = outermost.map_or(block, |outermost| self.flow.loops.all[outermost].head);
        let first = outermost.map_or(from, |_| self.flow.first(base));
        let reachable = readers.partition_point(|reader| reader.at < first);
        let limit = self.flow.mirrored(base);
        if readers.get(reachable).is_none_or(|reader| reader.reach < limit) {
            return NEVER;
        }
        let forward = self.forward(&readers[later..], block, limit);
        forward.min(self.around(value, block, from)).min(NEVER - 1)
    }

    /// The nearest of some readers that can be reached by ways forward.
    fn forward(&self, readers: &[Reader], block: BlockId, limit: u32) -> u32 {
        let near = readers.iter().take(LOOKED_AT);
        let mut near = near.map(|reader| (reader.at, self.flow.block(reader.at)));
        let found = near.find(|&(_, place)| self.flow.mirrored(place) >= limit);
        found.map_or(NEVER, |(at, place)| {
            at.saturating_add(FAR.saturating_mul(self.flow.loops.left(block, place)))
        })
    }

    /// The first reader in the next round of the innermost loop that has one.
    fn around(&self, value: Register, block: BlockId, from: u32) -> u32 {
        let readers = self.readers(value);
        let loops = self.flow.loops.between(self.written(value), block);
        for (left, inner) in loops.enumerate() {
            let inner = self.flow.loops.all[inner];
            let (first, end) = (self.flow.first(inner.head), self.flow.end(inner.last));
            let reader = readers.partition_point(|reader| reader.at < first);
            if let Some(reader) = readers.get(reader).filter(|reader| reader.at < from) {
                let distance = end + (reader.at - first);
                return distance.saturating_add(FAR.saturating_mul(left as u32));
            }
        }
        NEVER
    }

    /// Whether two values are alive at once somewhere.
    pub fn meet(&self, a: Register, b: Register) -> bool {
        let b_first = self.written[b].from < self.written[a].from;
        let (first, second) = if b_first { (b, a) } else { (a, b) };
        let Written { from, .. } = self.written[second];
        let block = self.written(second);
        self.is_behind(first, block) && self.next(first, block, from) != NEVER
    }

    /// Whether a value is written on all ways to a block, or in it.
    pub fn is_behind(&self, value: Register, block: BlockId) -> bool {
        self.flow.dominators.dominates(self.written(value), block)
    }

    /// Whether a value from before it is alive in a block.
    pub fn arrives(&self, value: Register, block: BlockId) -> bool {
        self.written(value) != block && self.is_behind(value, block) && self.enters(value, block)
    }

    /// Whether a value is alive where a block begins that its definition dominates.
    pub fn enters(&self, value: Register, block: BlockId) -> bool {
        self.next(value, block, self.flow.first(block)) != NEVER
    }

    /// The last place where a value that is read at `at` must be kept: the end of the outermost
    /// loop around it that does not define it anew.
    pub fn kept_until(&self, value: Register, at: u32) -> u32 {
        let block = self.flow.block(at);
        let outermost = self.flow.loops.between(self.written(value), block).last();
        outermost.map_or(at, |outermost| self.flow.end(self.flow.loops.all[outermost].last) - 1)
    }
}

fn written(code: &Code, flow: &Flow) -> SideTable<Register, Written> {
    let mut written = SideTable::<Register, Written>::new(0);
    for id in code.blocks.ids() {
        let block = id.index() as u32;
        for &name in &code.blocks[id].parameters {
            written[name] = Written { block, from: flow.first(id) };
        }
        for at in flow.first(id)..flow.end(id) {
            for name in code.instructions[at as usize].writes() {
                if written[name].from == 0 {
                    written[name] = Written { block, from: at + 1 };
                }
            }
        }
    }
    written
}

/// All that is read of virtual registers, in the order of the code. A jump reads its arguments.
fn each_read(code: &Code, flow: &Flow, mut found: impl FnMut(Register, u32)) {
    for (at, inst) in code.instructions.iter().enumerate() {
        let named = inst.reads().filter(|name| !name.is_real());
        named.for_each(|name| found(name, at as u32));
        if inst.op == Op::Jmp {
            let arguments = &code.blocks[flow.block(at as u32)].arguments;
            arguments.iter().for_each(|&name| found(name, at as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alloc::graphs::Shape;

    /// What is alive where each block begins, found by going backwards until nothing changes.
    fn alive(code: &Code) -> Vec<Vec<bool>> {
        let count = NAMES.len() + code.virtuals as usize;
        let mut alive = vec![vec![false; count]; code.blocks.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for id in code.blocks.ids().rev() {
                let mut now = vec![false; count];
                for next in code.successors(id) {
                    let behind = &alive[next.index()];
                    now.iter_mut().zip(behind).for_each(|(now, behind)| *now |= behind);
                }
                code.blocks[id].arguments.iter().for_each(|name| now[name.index()] = true);
                for inst in code.instructions[code.range(id)].iter().rev() {
                    inst.writes().for_each(|name| now[name.index()] = false);
                    inst.reads().for_each(|name| now[name.index()] = true);
                }
                code.blocks[id].parameters.iter().for_each(|name| now[name.index()] = false);
                changed |= alive[id.index()] != now;
                alive[id.index()] = now;
            }
        }
        alive
    }

    #[test]
    fn whoever_is_alive_is_known_to_be_and_few_others_are_believed_to_be() {
        let (mut believed, mut all) = (0, 0);
        for seed in 0..500 {
            let shape = Shape::new(seed, 2 + (seed % 23) as usize);
            let code = shape.code(seed, 20, 1 + (seed % 17) as usize);
            let (ahead, alive) = (Ahead::new(&code), alive(&code));
            for id in code.blocks.ids().filter(|id| id.index() > 0) {
                for value in (0..code.virtuals).map(Register::new_virtual) {
                    let known = ahead.arrives(value, id);
                    let is_alive = alive[id.index()][value.index()];
                    assert!(known || !is_alive, "seed {seed}: {value} in {id:?}");
                    all += u32::from(is_alive);
                    believed += u32::from(known && !is_alive);
                }
            }
        }
        assert!(believed * 20 < all, "{believed} of {all}");
    }
}

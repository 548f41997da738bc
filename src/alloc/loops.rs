//! The loops of a function, each inside the next larger one.
//!
//! The blocks of a loop stand together: from its head to the last block that jumps back there.
use crate::ia32::code::BlockId;
use arena::{Arena, Id, ListTable, SideTable, id};

id! {
    /// A loop of the function.
    LoopId
}

#[derive(Clone, Copy)]
pub struct Loop {
    pub head: BlockId,
    pub last: BlockId,
    pub outer: Option<LoopId>,
    pub depth: u32,
}

pub struct Loops {
    pub all: Arena<LoopId, Loop>,
    /// The innermost loop that each block is in.
    pub around: SideTable<BlockId, Option<LoopId>>,
}

impl Loops {
    /// Finds them, given the ways to each block.
    pub fn new(entries: &ListTable<BlockId, BlockId>, count: usize) -> Loops {
        let mut loops = Loops { all: Arena::default(), around: SideTable::new(count) };
        let mut current = None;
        for block in (0..count).map(BlockId::from_index) {
            while let Some(inner) = current
                && loops.all[inner].last < block
            {
                current = loops.all[inner].outer;
            }
            if let Some(&last) = entries[block].iter().max().filter(|&&way| way >= block) {
                let outer = current;
                let depth = 1 + outer.map_or(0, |outer| loops.all[outer].depth);
                current = Some(loops.all.push(Loop { head: block, last, outer, depth }));
            }
            loops.around[block] = current;
        }
        loops
    }

    /// The loops around a block, the innermost first.
    pub fn of(&self, block: BlockId) -> impl Iterator<Item = LoopId> {
        std::iter::successors(self.around[block], |&inner| self.all[inner].outer)
    }

    /// The loops around `inside` that `outside`, which dominates it, is not in.
    pub fn between(&self, outside: BlockId, inside: BlockId) -> impl Iterator<Item = LoopId> {
        self.of(inside).take_while(move |&inner| self.all[inner].head > outside)
    }

    /// How many loops control leaves on its way from one block to another.
    pub fn left(&self, from: BlockId, to: BlockId) -> u32 {
        let outside = |inner: &LoopId| to < self.all[*inner].head || self.all[*inner].last < to;
        self.of(from).take_while(outside).count() as u32
    }
}

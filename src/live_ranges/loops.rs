//! The loops of a function and their nesting.
//!
//! Here a loop is a range of positions: from its header to the source of its last back edge. It may
//! contain blocks that leave it, which the flow library does not count: the values that they read
//! are live in the whole range, because the next iteration may leave there.
use crate::ia32::code::BlockId;
use arena::{Arena, Id, ListTable, SideTable, id};

id! {
    /// A loop of the function.
    LoopId
}

#[derive(Clone, Copy)]
pub struct Loop {
    pub header: BlockId,
    pub last: BlockId,
    outer: Option<LoopId>,
}

pub struct Loops {
    all: Arena<LoopId, Loop>,
    /// The innermost loop that each block is in.
    innermost: SideTable<BlockId, Option<LoopId>>,
}

impl Loops {
    /// Finds the loops, given the predecessors of each block.
    pub fn new(predecessors: &ListTable<BlockId, BlockId>, count: usize) -> Loops {
        let mut loops = Loops { all: Arena::default(), innermost: SideTable::new(count) };
        let mut current = None;
        for block in (0..count).map(BlockId::from_index) {
            while let Some(inner) = current
                && loops.all[inner].last < block
            {
                current = loops.all[inner].outer;
            }
            if let Some(&last) = predecessors[block].iter().max().filter(|&&from| from >= block) {
                current = Some(loops.all.push(Loop { header: block, last, outer: current }));
            }
            loops.innermost[block] = current;
        }
        loops
    }

    /// The loops that a path from one block to another enters, the innermost first.
    pub fn entered(&self, outside: BlockId, inside: BlockId) -> impl Iterator<Item = Loop> {
        let outer = |inner: &LoopId| self.all[*inner].outer;
        let enclosing = std::iter::successors(self.innermost[inside], outer);
        enclosing.map(|inner| self.all[inner]).take_while(move |inner| inner.header > outside)
    }
}

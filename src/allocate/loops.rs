//! The loops of a function, each inside the next larger one.
//!
//! The blocks of a loop stand together: from its header to the last block that jumps back there.
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
    /// Finds them, given the predecessors of each block.
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

    /// The loops around a block that begin behind another, the innermost first.
    pub fn between(&self, outside: BlockId, inside: BlockId) -> impl Iterator<Item = Loop> {
        let outer = |inner: &LoopId| self.all[*inner].outer;
        let around = std::iter::successors(self.innermost[inside], outer);
        around.map(|inner| self.all[inner]).take_while(move |inner| inner.header > outside)
    }
}

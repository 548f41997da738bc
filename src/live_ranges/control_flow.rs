//! Control flow, by position: the blocks, their predecessors, their dominators and their loops.
use crate::ia32::code::{BlockId, Code};
use crate::live_ranges::Position;
#[cfg(feature = "ch07")]
use crate::live_ranges::loops::Loops;
use arena::{Id, ListTable};
use flow::Dominators;
use std::iter::repeat_n;

pub struct ControlFlow {
    /// The block of each instruction.
    block_of: Vec<BlockId>,
    /// The start of each block, and the end of the last one.
    starts: Vec<Position>,
    pub successors: ListTable<BlockId, BlockId>,
    pub predecessors: ListTable<BlockId, BlockId>,
    pub dominators: Dominators<BlockId>,
    #[cfg(feature = "ch07")]
    pub loops: Loops,
}

impl ControlFlow {
    pub fn new(code: &Code) -> ControlFlow {
        let mut starts =
            code.blocks.ids().map(|id| 2 * code.blocks[id].first).collect::<Vec<Position>>();
        starts.push(2 * code.instructions.len() as Position);
        let successors = code.all_successors();
        let predecessors = successors.inverted();
        let mut block_of = Vec::with_capacity(code.instructions.len());
        code.blocks.ids().for_each(|id| block_of.extend(repeat_n(id, code.range(id).len())));
        ControlFlow {
            block_of,
            starts,
            dominators: Dominators::of(&predecessors),
            #[cfg(feature = "ch07")]
            loops: Loops::new(&predecessors, code.blocks.len()),
            successors,
            predecessors,
        }
    }

    /// The block of a position.
    pub fn block(&self, at: Position) -> BlockId {
        self.block_of[at as usize / 2]
    }

    pub fn start(&self, block: BlockId) -> Position {
        self.starts[block.index()]
    }

    pub fn end(&self, block: BlockId) -> Position {
        self.starts[block.index() + 1]
    }

    /// The position of the jump or return at the end of a block.
    pub fn last(&self, block: BlockId) -> Position {
        self.end(block) - 2
    }

    pub fn is_start(&self, at: Position) -> bool {
        self.start(self.block(at)) == at
    }

    /// The start of the outermost loop that contains `at` and starts after `before`; `at` if there
    /// is none. Code there is executed less often.
    #[cfg(feature = "ch07")]
    pub fn before_loops(&self, before: Position, at: Position) -> Position {
        if before >= at {
            return at;
        }
        let starts = self.loops.entered(self.block(before), self.block(at));
        starts.last().map_or(at, |outermost| self.start(outermost.header))
    }
}

//! The order of blocks, their dominators, and their loop depths.
use super::control_flow::{BlockExtent, ControlFlow};
#[cfg(feature = "ch07")]
use super::loops;
use super::{Block, BlockId};
use crate::sea::{Graph, NodeId};
use arena::{Arena, Id, ListTable, SideTable};
use flow::Dominators;

/// Blocks in layout order, without nodes yet.
pub struct Layout {
    pub blocks: Arena<BlockId, Block>,
    pub predecessors: ListTable<BlockId, BlockId>,
    /// The block of every reachable control node.
    pub block_of: SideTable<NodeId, Option<BlockId>>,
    pub dominators: Dominators<BlockId>,
}

/// An order of the blocks, and their loops.
pub struct Order {
    pub blocks: Vec<BlockId>,
    pub depths: SideTable<BlockId, u32>,
    /// The header of the innermost loop of each block.
    pub headers: SideTable<BlockId, Option<BlockId>>,
}

/// Every block after all that jump to it.
fn forwards(flow: &ControlFlow) -> Order {
    let blocks = reverse_postorder(flow, |_| &[]);
    Order { blocks, depths: SideTable::new(0), headers: SideTable::new(0) }
}

/// Orders the blocks, and renumbers them.
pub fn lay_out(graph: &Graph, flow: ControlFlow) -> Layout {
    let order = forwards(&flow);
    #[cfg(feature = "ch07")]
    let order = loops::contiguous_loops(&flow, &order.blocks);
    let mut numbers: SideTable<BlockId, Option<BlockId>> = SideTable::new(flow.blocks.len());
    for (at, &block) in order.blocks.iter().enumerate() {
        numbers[block] = Some(Id::from_index(at));
    }
    let number = |block: BlockId| numbers[block].expect("every block is reachable");
    let (mut blocks, mut predecessors) = (Arena::default(), ListTable::default());
    for &old in &order.blocks {
        let BlockExtent { head, end } = flow.blocks[old];
        let (depth, loop_header) = (order.depths[old], order.headers[old].map(number));
        blocks.push(Block { head, end, depth, loop_header, first: 0, last: 0 });
        predecessors.push(flow.predecessors[old].iter().map(|&it| number(it)));
    }
    let mut block_of = flow.block_of;
    for id in graph.ids() {
        block_of[id] = block_of[id].map(number);
    }
    let dominators = dominators(&predecessors, blocks.len());
    Layout { blocks, predecessors, block_of, dominators }
}

/// The dominators of all blocks.
pub fn dominators(predecessors: &ListTable<BlockId, BlockId>, count: usize) -> Dominators<BlockId> {
    let mut blocks = (0..count).map(BlockId::from_index);
    let entry = blocks.next().expect("there is an entry block");
    Dominators::build(entry, blocks, |block| predecessors[block].iter().copied())
}

/// The blocks in reverse postorder: each is after all its predecessors, except for back edges. The
/// blocks in `later` are placed after everything that is reachable from the block without them.
pub fn reverse_postorder<'l>(
    flow: &ControlFlow,
    later: impl Fn(BlockId) -> &'l [BlockId],
) -> Vec<BlockId> {
    let entry = BlockId::from_index(0);
    flow::reverse_postorder(entry, flow.blocks.len(), |block, visited| {
        // The last visited successor is finished last, and so comes first.
        let successors = flow.successors[block].iter().rev();
        later(block).iter().chain(successors).nth(visited).copied()
    })
}

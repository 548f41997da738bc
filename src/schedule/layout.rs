//! The order in which blocks stand, the dominators of each, and how many loops are around it.
use super::control_flow::{BlockExtent, ControlFlow};
#[cfg(feature = "ch07")]
use super::loops;
use super::{Block, BlockId};
use crate::sea::{Graph, NodeId};
use arena::{Arena, Id, ListTable, SideTable};
use flow::Dominators;

/// Blocks in their order, without nodes yet.
pub struct Layout {
    pub blocks: Arena<BlockId, Block>,
    pub predecessors: ListTable<BlockId, BlockId>,
    /// The block of every control that is reached.
    pub block_of: SideTable<NodeId, Option<BlockId>>,
    pub dominators: Dominators<BlockId>,
}

/// An order for blocks, and the loops around each.
pub struct Order {
    pub blocks: Vec<BlockId>,
    pub depths: SideTable<BlockId, u32>,
    /// The head of the innermost loop that each stands in.
    pub heads: SideTable<BlockId, Option<BlockId>>,
}

/// Every block after all that jump to it.
fn forwards(flow: &ControlFlow) -> Order {
    let blocks = reverse_postorder(flow, |_| &[]);
    Order { blocks, depths: SideTable::new(0), heads: SideTable::new(0) }
}

/// Gives the blocks their order, and numbers them accordingly.
pub fn lay_out(graph: &Graph, flow: ControlFlow) -> Layout {
    let order = forwards(&flow);
    #[cfg(feature = "ch07")]
    let order = loops::inside_first(&flow, &order.blocks);
    let mut numbers: SideTable<BlockId, Option<BlockId>> = SideTable::new(flow.blocks.len());
    for (at, &block) in order.blocks.iter().enumerate() {
        numbers[block] = Some(Id::from_index(at));
    }
    let number = |block: BlockId| numbers[block].expect("every block is reached");
    let (mut blocks, mut predecessors) = (Arena::default(), ListTable::default());
    for &old in &order.blocks {
        let BlockExtent { head, end } = flow.blocks[old];
        let (depth, loop_head) = (order.depths[old], order.heads[old].map(number));
        blocks.push(Block { head, end, depth, loop_head, first: 0, last: 0 });
        predecessors.push(flow.predecessors[old].iter().map(|&it| number(it)));
    }
    let mut block_of = flow.block_of;
    for id in graph.ids() {
        block_of[id] = block_of[id].map(number);
    }
    let dominators = dominators(&predecessors, blocks.len());
    Layout { blocks, predecessors, block_of, dominators }
}

/// Which blocks control must pass on its way to each.
pub fn dominators(predecessors: &ListTable<BlockId, BlockId>, count: usize) -> Dominators<BlockId> {
    let mut blocks = (0..count).map(BlockId::from_index);
    let entry = blocks.next().expect("the program begins somewhere");
    Dominators::build(entry, blocks, |block| predecessors[block].iter().copied())
}

/// The blocks in an order in which each stands behind all that lead to it from before. What
/// `later` names stands behind everything that is reached from the block, as long as it can.
pub fn reverse_postorder<'l>(
    flow: &ControlFlow,
    later: impl Fn(BlockId) -> &'l [BlockId],
) -> Vec<BlockId> {
    let entry = BlockId::from_index(0);
    flow::reverse_postorder(entry, flow.blocks.len(), |block, visited| {
        // What is visited last is left last, and stands first in the end.
        let successors = flow.successors[block].iter().rev();
        later(block).iter().chain(successors).nth(visited).copied()
    })
}

//! The order of blocks, their dominators, and their loop depths.
use super::control_flow::{BlockExtent, ControlFlow};
use super::{Block, BlockId};
#[cfg(feature = "ch15")]
use crate::sea::Op;
use crate::sea::{Graph, NodeId};
use arena::{Arena, Id, ListTable, SideTable};
use flow::{Dominators, order_with_loops};

/// Blocks in layout order, without nodes yet.
pub struct Layout {
    pub blocks: Arena<BlockId, Block>,
    pub predecessors: ListTable<BlockId, BlockId>,
    /// The block of every reachable control node.
    pub block_of: SideTable<NodeId, Option<BlockId>>,
    pub dominators: Dominators<BlockId>,
}

/// Orders the blocks, and renumbers them.
pub fn lay_out(graph: &Graph, flow: ControlFlow) -> Layout {
    let (order, loops) = order_with_loops(&flow.predecessors, &flow.successors, flow.blocks.len());
    #[cfg(feature = "ch15")]
    let order = with_traps_last(graph, &flow, order);
    let mut numbers: SideTable<BlockId, Option<BlockId>> = SideTable::new(flow.blocks.len());
    for (at, &block) in order.iter().enumerate() {
        numbers[block] = Some(Id::from_index(at));
    }
    let number = |block: BlockId| numbers[block].expect("every block is reachable");
    let (mut blocks, mut predecessors) = (Arena::default(), ListTable::default());
    for &old in &order {
        let BlockExtent { head, end } = flow.blocks[old];
        blocks.push(Block {
            head,
            end,
            depth: loops.depth(old),
            #[cfg(feature = "ch11")]
            loop_header: loops.innermost(old).map(number),
            first: 0,
            last: 0,
        });
        predecessors.push(flow.predecessors[old].iter().map(|&it| number(it)));
    }
    let mut block_of = flow.block_of;
    for id in graph.ids() {
        block_of[id] = block_of[id].map(number);
    }
    let dominators = Dominators::of(&predecessors);
    Layout { blocks, predecessors, block_of, dominators }
}

/// The order with the blocks that end in a Trap at its end: they are rarely executed.
/// @ch18 The first block stays the first one, and a block stays behind the call before it.
#[cfg(feature = "ch15")]
fn with_traps_last(graph: &Graph, flow: &ControlFlow, order: Vec<BlockId>) -> Vec<BlockId> {
    let is_trap = |block: &BlockId| matches!(graph.op(flow.blocks[*block].end), Op::Trap(_));
    #[cfg(feature = "ch18")]
    let is_trap =
        |block: &BlockId| is_trap(block) && graph.op(flow.blocks[*block].head) != Op::Projection(0);
    let (traps, others): (Vec<_>, Vec<_>) = order.into_iter().partition(is_trap);
    [others, traps].concat()
}

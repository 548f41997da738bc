//! Loops: which blocks stand in them, and an order in which a loop's blocks stand together.
//!
//! A loop has one head, through which every way into it leads, so its blocks are those from which
//! the jumps back to the head can be reached without passing the head. Heads are taken from the
//! inside out, and what has been found to be a loop is one thing from then on. Source: P. Havlak,
//! "Nesting of Reducible and Irreducible Loops", TOPLAS 1997.
use super::BlockId;
use super::control_flow::ControlFlow;
use super::layout::{Order, reverse_postorder};
use arena::{ListTable, SideTable};

/// As far as blocks may stand in any order, those of a loop stand together, and what follows a
/// loop stands behind it.
///
/// `forwards` is the reverse postorder of the blocks.
pub fn inside_first(flow: &ControlFlow, forwards: &[BlockId]) -> Order {
    let loops = Loops::find(flow, forwards);
    let exits = loops.exits(flow, forwards);
    let blocks = reverse_postorder(flow, |block| &exits[block]);
    let mut heads = loops.around;
    for &head in blocks.iter().filter(|&&block| loops.is_head[block]) {
        heads[head] = Some(head);
    }
    Order { blocks, depths: loops.depths, heads }
}

struct Loops {
    /// Where each block stands in the order that loops are found in.
    positions: SideTable<BlockId, usize>,
    is_head: SideTable<BlockId, bool>,
    /// The head of the innermost loop around a block; around a head, that of the loop around its
    /// own.
    around: SideTable<BlockId, Option<BlockId>>,
    depths: SideTable<BlockId, u32>,
}

impl Loops {
    /// `order` is one in which blocks stand behind all that lead to them from before.
    fn find(flow: &ControlFlow, order: &[BlockId]) -> Loops {
        let count = flow.blocks.len();
        let (is_head, around) = (SideTable::new(count), SideTable::new(count));
        let (positions, depths) = (SideTable::new(count), SideTable::new(count));
        let mut loops = Loops { positions, is_head, around, depths };
        for (at, &block) in order.iter().enumerate() {
            loops.positions[block] = at;
        }
        let mut parts = UnionFind { whole: SideTable::new(count) };
        for &head in order.iter().rev() {
            loops.collect(flow, head, &mut parts);
        }
        for &block in order {
            let outside = loops.around[block].map_or(0, |head| loops.depths[head]);
            loops.depths[block] = outside + u32::from(loops.is_head[block]);
        }
        loops
    }

    /// The blocks of the loop whose head is `head`, if it has one.
    fn collect(&mut self, flow: &ControlFlow, head: BlockId, parts: &mut UnionFind) {
        let back = |&&it: &&BlockId| self.positions[it] >= self.positions[head];
        let mut open: Vec<_> = flow.predecessors[head].iter().filter(back).copied().collect();
        self.is_head[head] = !open.is_empty();
        while let Some(block) = open.pop() {
            let block = parts.whole_of(block);
            if block != head {
                self.around[block] = Some(head);
                parts.whole[block] = Some(head);
                open.extend(&flow.predecessors[block]);
            }
        }
    }

    /// For the head of every loop, the blocks outside that are entered from inside. Where control
    /// leaves several loops at once, the outermost of them is asked.
    fn exits(&self, flow: &ControlFlow, order: &[BlockId]) -> ListTable<BlockId, BlockId> {
        let ways = order
            .iter()
            .flat_map(|&block| flow.successors[block].iter().map(move |&next| (block, next)));
        let left = |(block, next)| self.left(block, next).map(|head| (head, next));
        ListTable::group(flow.blocks.len(), ways.filter_map(left))
    }

    /// The outermost loop that control leaves on its way from a block to the next.
    fn left(&self, block: BlockId, next: BlockId) -> Option<BlockId> {
        let is_back = self.positions[next] <= self.positions[block];
        let stays = if is_back { Some(next) } else { self.around[next] };
        let innermost = if self.is_head[block] { Some(block) } else { self.around[block] };
        let outwards = std::iter::successors(innermost, |&head| self.around[head]);
        outwards.take_while(|&head| Some(head) != stays).last()
    }
}

/// Blocks that have become parts of larger things.
struct UnionFind {
    whole: SideTable<BlockId, Option<BlockId>>,
}

impl UnionFind {
    /// The head of the largest loop found so far that the block is in; itself, if in none.
    fn whole_of(&mut self, mut block: BlockId) -> BlockId {
        while let Some(whole) = self.whole[block] {
            // Whoever asks next has half as far to go.
            self.whole[block] = self.whole[whole].or(Some(whole));
            block = whole;
        }
        block
    }
}

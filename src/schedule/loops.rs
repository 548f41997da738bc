//! Loops: the blocks of each loop, and an order in which they are contiguous.
//!
//! A loop has one header, which dominates it. Its blocks are those that reach its back edges
//! without passing through the header. Headers are processed from the innermost out, and a loop
//! that has been found is collapsed into one node (union-find). Source: P. Havlak, "Nesting of
//! Reducible and Irreducible Loops", TOPLAS 1997.
use super::BlockId;
use super::control_flow::ControlFlow;
use super::layout::{Order, reverse_postorder};
use arena::{ListTable, SideTable};

/// A topological order, up to back edges, in which the blocks of a loop are contiguous and the code
/// after a loop follows it.
///
/// `forwards` is the reverse postorder of the blocks.
pub fn contiguous_loops(flow: &ControlFlow, forwards: &[BlockId]) -> Order {
    let loops = Loops::build(flow, forwards);
    let exits = loops.exits(flow, forwards);
    let blocks = reverse_postorder(flow, |block| &exits[block]);
    let mut headers = loops.innermost_header;
    for &header in blocks.iter().filter(|&&block| loops.is_header[block]) {
        headers[header] = Some(header);
    }
    Order { blocks, depths: loops.depths, headers }
}

struct Loops {
    /// The index of each block in the reverse postorder.
    positions: SideTable<BlockId, usize>,
    is_header: SideTable<BlockId, bool>,
    /// The header of the innermost loop around a block; for a header, that of the enclosing loop.
    innermost_header: SideTable<BlockId, Option<BlockId>>,
    depths: SideTable<BlockId, u32>,
}

impl Loops {
    /// `order` is a reverse postorder.
    fn build(flow: &ControlFlow, order: &[BlockId]) -> Loops {
        let count = flow.blocks.len();
        let (is_header, innermost_header) = (SideTable::new(count), SideTable::new(count));
        let (positions, depths) = (SideTable::new(count), SideTable::new(count));
        let mut loops = Loops { positions, is_header, innermost_header, depths };
        for (at, &block) in order.iter().enumerate() {
            loops.positions[block] = at;
        }
        let mut sets = UnionFind { parent: SideTable::new(count) };
        for &header in order.iter().rev() {
            loops.collect(flow, header, &mut sets);
        }
        for &block in order {
            let outside = loops.innermost_header[block].map_or(0, |header| loops.depths[header]);
            loops.depths[block] = outside + u32::from(loops.is_header[block]);
        }
        loops
    }

    /// Finds the blocks of the loop with this header, if it has a back edge.
    fn collect(&mut self, flow: &ControlFlow, header: BlockId, sets: &mut UnionFind) {
        let back = |&&it: &&BlockId| self.positions[it] >= self.positions[header];
        let mut open: Vec<_> = flow.predecessors[header].iter().filter(back).copied().collect();
        self.is_header[header] = !open.is_empty();
        while let Some(block) = open.pop() {
            let block = sets.find(block);
            if block != header {
                self.innermost_header[block] = Some(header);
                sets.parent[block] = Some(header);
                open.extend(&flow.predecessors[block]);
            }
        }
    }

    /// For each loop header, the exits of the loop: the blocks outside that are entered from
    /// inside. An edge that leaves several loops belongs to the outermost one.
    fn exits(&self, flow: &ControlFlow, order: &[BlockId]) -> ListTable<BlockId, BlockId> {
        let edges = order
            .iter()
            .flat_map(|&block| flow.successors[block].iter().map(move |&next| (block, next)));
        let exit = |(block, next)| self.exited_loop(block, next).map(|header| (header, next));
        ListTable::group(flow.blocks.len(), edges.filter_map(exit))
    }

    /// The outermost loop that this edge leaves.
    fn exited_loop(&self, block: BlockId, next: BlockId) -> Option<BlockId> {
        let is_back = self.positions[next] <= self.positions[block];
        let target = if is_back { Some(next) } else { self.innermost_header[next] };
        let innermost =
            if self.is_header[block] { Some(block) } else { self.innermost_header[block] };
        let outwards = std::iter::successors(innermost, |&header| self.innermost_header[header]);
        outwards.take_while(|&header| Some(header) != target).last()
    }
}

/// Union-find: each found loop is one set.
struct UnionFind {
    parent: SideTable<BlockId, Option<BlockId>>,
}

impl UnionFind {
    /// The header of the outermost loop found so far that contains the block; the block itself if
    /// there is none.
    fn find(&mut self, mut block: BlockId) -> BlockId {
        while let Some(parent) = self.parent[block] {
            // Path halving makes later searches shorter.
            self.parent[block] = self.parent[parent].or(Some(parent));
            block = parent;
        }
        block
    }
}

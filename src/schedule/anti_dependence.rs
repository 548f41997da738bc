//! Anti-dependences: a load must be executed before its memory is overwritten.
//!
//! In the sea a state of memory is a value, and a load may be far away from the states that come
//! after its own. The machine has one memory. So a load of *m* cannot be placed in a block that
//! control may reach after a write to *m*. The writes to *m* are the Stores and Clears that take
//! it; a Phi that takes it begins a new state at the end of the predecessor. They are users of *m*,
//! so they are found along the chain of memory, without a comparison of all loads and all stores.
//!
//! A write that is below a block *b* in the dominator tree, but not below its child *c*, can reach
//! *c* only if control enters *c* from elsewhere than *b*: if *c* is a join. Source: C. Click,
//! "Global Code Motion / Global Value Numbering", PLDI 1995.
//!
//! In preorder of the dominator tree, the blocks below *b* are a range, so the writes below *b* are
//! a range of the sorted writes, and the first and the last of them tell where the paths to all of
//! them part.
use super::BlockId;
use super::early::Placement;
use crate::sea::NodeId;
#[cfg(feature = "ch18")]
use crate::sea::Op;
use arena::{FxHashMap, SideTable};
use std::ops::Range;

/// For each state of memory that is loaded, its writes.
pub struct AntiDependences {
    /// The position of each block in preorder, and the first one behind the blocks below it.
    positions: SideTable<BlockId, Range<u32>>,
    /// The block at each position.
    blocks: Vec<BlockId>,
    /// The positions of the blocks that write to a state, in ascending order.
    writes: FxHashMap<NodeId, Vec<u32>>,
    /// The memory that a Phi with one live predecessor stands for, if it is known.
    same: SideTable<NodeId, Option<NodeId>>,
}

/// A load with this number of branches between its blocks and writes stays above the others. The
/// limit makes its time constant.
const MAX_BRANCHES: usize = 64;

impl AntiDependences {
    pub fn new(placement: &Placement) -> AntiDependences {
        let positions = preorder(placement);
        let mut blocks: Vec<_> = placement.schedule.blocks.ids().collect();
        blocks.sort_unstable_by_key(|&block| positions[block].start);
        let (writes, same) = (FxHashMap::default(), SideTable::new(placement.graph.len()));
        AntiDependences { positions, blocks, writes, same }
    }

    /// The last block, from `first` to `latest` in the dominator tree, in which a load can be
    /// placed.
    pub fn last_block(
        &mut self,
        placement: &Placement,
        load: NodeId,
        first: BlockId,
        latest: BlockId,
    ) -> BlockId {
        let memory = self.find_writes(placement, load);
        let (dominators, mut writes) = (&placement.dominators, &self.writes[&memory][..]);
        let mut block = first;
        for _ in 0..MAX_BRANCHES {
            let Range { start, end } = self.positions[block];
            let before = |position| writes.partition_point(|&write| write < position);
            writes = &writes[before(start)..before(end)];
            let (Some(&one), Some(&other)) = (writes.first(), writes.last()) else {
                return latest;
            };
            // The paths to the writes and the load part here.
            let common = [one, other].map(|it| self.blocks[it as usize]).into_iter();
            block = common.fold(latest, |a, b| dominators.nearest_common_dominator(a, b));
            let is_here = self.positions[block].start == one;
            if is_here || block == latest {
                return block;
            }
            let child = dominators.ancestor(latest, dominators.depth(block) + 1);
            if is_join(placement, block, child) {
                return block;
            }
            block = child;
        }
        block
    }

    /// Finds all writes to the memory that a load takes, and returns this memory. A Phi with one
    /// live predecessor is the memory of that one.
    fn find_writes(&mut self, placement: &Placement, load: NodeId) -> NodeId {
        let (graph, schedule) = (placement.graph, &placement.schedule);
        let memory = self.memory(placement, graph.input(load, 0));
        if self.writes.contains_key(&memory) {
            return memory;
        }
        let (mut states, mut writes) = (vec![memory], Vec::new());
        while let Some(state) = states.pop() {
            for user in graph.users(state) {
                let Some(block) = schedule.block_of[user] else { continue };
                #[cfg(feature = "ch18")]
                if let Op::Call(_) = graph.op(user) {
                    writes.push(block);
                    continue;
                }
                if graph.op(user).writes_memory() && graph.input(user, 1) == state {
                    writes.push(block);
                } else if schedule.is_merge(graph, user) {
                    let edges = schedule.values(graph, user).zip(&schedule.predecessors[block]);
                    writes
                        .extend(edges.filter(|(value, _)| *value == state).map(|(_, from)| *from));
                } else if same_memory(placement, user) == Some(state) {
                    states.push(user);
                }
            }
        }
        let mut writes: Vec<_> = writes.iter().map(|&it| self.positions[it].start).collect();
        writes.sort_unstable();
        self.writes.insert(memory, writes);
        memory
    }

    /// The memory that a state stands for: the path to it is followed once.
    fn memory(&mut self, placement: &Placement, state: NodeId) -> NodeId {
        let (mut memory, mut path) = (state, Vec::new());
        while let Some(same) = self.same[memory].or_else(|| same_memory(placement, memory)) {
            path.push(memory);
            memory = same;
        }
        path.into_iter().for_each(|it| self.same[it] = Some(memory));
        memory
    }
}

/// The range of each block in preorder of the dominator tree. A block is after its immediate
/// dominator, so the sizes are known from the last block to the first, and the positions then from
/// the first to the last.
fn preorder(placement: &Placement) -> SideTable<BlockId, Range<u32>> {
    let (blocks, dominators) = (&placement.schedule.blocks, &placement.dominators);
    let is_below = |block: &BlockId| dominators.depth(*block) > 0;
    let mut sizes: SideTable<BlockId, u32> = SideTable::of(vec![1; blocks.len()]);
    for block in blocks.ids().rev().filter(is_below) {
        let size = sizes[block];
        sizes[dominators.immediate_dominator(block)] += size;
    }
    // For each block, the position of its next child.
    let mut next: SideTable<BlockId, u32> = SideTable::of(vec![1; blocks.len()]);
    let mut positions = SideTable::of(vec![0..blocks.len() as u32; blocks.len()]);
    for block in blocks.ids().filter(is_below) {
        let start = &mut next[dominators.immediate_dominator(block)];
        positions[block] = *start..*start + sizes[block];
        *start += sizes[block];
        next[block] = positions[block].start + 1;
    }
    positions
}

/// The memory that a Phi with one live predecessor stands for. It may also use itself, at a back
/// edge that is not live.
fn same_memory(placement: &Placement, memory: NodeId) -> Option<NodeId> {
    let (graph, schedule) = (placement.graph, &placement.schedule);
    let is_same = graph.op(memory).is_phi() && !schedule.is_merge(graph, memory);
    is_same.then(|| schedule.values(graph, memory).next()).flatten()
}

/// Whether control enters a block from elsewhere than from `above` and from blocks below itself.
fn is_join(placement: &Placement, above: BlockId, block: BlockId) -> bool {
    let is_other = |&from: &BlockId| from != above && !placement.dominators.dominates(block, from);
    placement.schedule.predecessors[block].iter().any(is_other)
}

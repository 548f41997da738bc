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
use super::BlockId;
use super::early::Placement;
use crate::sea::NodeId;
use arena::{FxHashMap, SideTable};

/// For each state of memory that is loaded, its writes in the dominator tree.
#[derive(Default)]
pub struct AntiDependences {
    is_known: SideTable<NodeId, bool>,
    writes: FxHashMap<(NodeId, BlockId), Writes>,
}

/// The writes to a state of memory in a block and in those below it in the dominator tree.
#[derive(Clone, Copy)]
enum Writes {
    /// One is in the block itself.
    Here,
    /// All are below one child.
    Below(BlockId),
    /// They are below several children.
    BelowSeveral,
}

impl AntiDependences {
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
        let (mut last, mut block, mut below) = (latest, latest, None);
        loop {
            let reaches = match self.writes.get(&(memory, block)) {
                Some(Writes::Here) => true,
                Some(Writes::Below(child)) => {
                    below.is_some_and(|it| it != *child && is_join(placement, block, it))
                }
                Some(Writes::BelowSeveral) => below.is_some_and(|it| is_join(placement, block, it)),
                None => false,
            };
            if reaches {
                last = block;
            }
            if block == first {
                return last;
            }
            below = Some(block);
            block = placement.dominators.immediate_dominator(block);
        }
    }

    /// Finds all writes to the memory that a load takes, and returns this memory. A Phi with one
    /// live predecessor is the memory of that one.
    fn find_writes(&mut self, placement: &Placement, load: NodeId) -> NodeId {
        let (graph, schedule) = (placement.graph, &placement.schedule);
        let mut memory = graph.input(load, 0);
        while let Some(same) = same_memory(placement, memory) {
            memory = same;
        }
        if std::mem::replace(&mut self.is_known[memory], true) {
            return memory;
        }
        let mut states = vec![memory];
        while let Some(state) = states.pop() {
            for user in graph.users(state) {
                let Some(block) = schedule.block_of[user] else { continue };
                if graph.op(user).writes_memory() && graph.input(user, 1) == state {
                    self.add(placement, memory, block);
                } else if schedule.is_merge(graph, user) {
                    let edges = schedule.values(graph, user).zip(&schedule.predecessors[block]);
                    for (_, &from) in edges.filter(|(value, _)| *value == state) {
                        self.add(placement, memory, from);
                    }
                } else if same_memory(placement, user) == Some(state) {
                    states.push(user);
                }
            }
        }
        memory
    }

    /// Adds a write to `memory` in this block.
    fn add(&mut self, placement: &Placement, memory: NodeId, block: BlockId) {
        let top = placement.schedule.block_of[memory].expect("every node is placed");
        let is_new = self.writes.insert((memory, block), Writes::Here).is_none();
        let (mut block, mut goes_on) = (block, is_new);
        while goes_on && block != top {
            let child = block;
            block = placement.dominators.immediate_dominator(child);
            let known = self.writes.get(&(memory, block)).copied();
            goes_on = known.is_none();
            let writes = match known {
                None => Writes::Below(child),
                Some(Writes::Below(other)) if other != child => Writes::BelowSeveral,
                Some(same) => same,
            };
            self.writes.insert((memory, block), writes);
        }
    }
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

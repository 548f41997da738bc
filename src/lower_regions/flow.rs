//! The control flow of a function of regions: blocks of nodes, and arcs that assign variables.
//!
//! An output of a switch is assigned by the arcs at the ends of its cases, a variable of a loop by
//! the arcs to its beginning. Every other value is computed by one step. An argument of a region
//! that is not assigned is another name of the value outside.
use crate::region::{NodeId, Value};
use arena::{Arena, FxHashMap, FxHashSet, Id, ListTable, id};

id! {
    /// A block.
    BlockId
}
id! {
    /// An arc from a block to a block.
    ArcId
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Number(i64),
    Value(Value),
}

/// The computation of a node from its operands that are words.
#[derive(Clone, Debug)]
pub struct Step {
    pub node: NodeId,
    pub operands: Vec<Source>,
}

#[derive(Clone, Debug)]
pub enum End {
    Goto(ArcId),
    /// Takes the arc with the number of the source, or the last one if there is none.
    Switch(Source, Vec<ArcId>),
    Return(Vec<Source>),
}

#[derive(Clone, Debug)]
pub struct Block {
    pub steps: Vec<Step>,
    pub end: End,
    /// The number of loops around it.
    pub depth: u32,
    /// Whether a loop begins here: control enters loops in no other block.
    #[cfg(feature = "ch27")]
    pub is_header: bool,
}

/// Control that takes the arc assigns its variables, all at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arc {
    pub to: BlockId,
    pub copies: FxHashMap<Value, Source>,
}

/// The first block is the entry, to which no arc leads.
#[derive(Default)]
pub struct Flow {
    pub blocks: Arena<BlockId, Block>,
    pub arcs: Arena<ArcId, Arc>,
    /// The values that arcs assign.
    pub variables: FxHashSet<Value>,
}

impl Flow {
    pub fn arcs_of(&self, block: BlockId) -> &[ArcId] {
        match &self.blocks[block].end {
            End::Goto(arc) => std::slice::from_ref(arc),
            End::Switch(_, arcs) => arcs,
            End::Return(_) => &[],
        }
    }

    /// The blocks that control can reach, in the order in which they were added: each is after its
    /// predecessors, back arcs excepted, and the blocks of a loop are contiguous.
    pub fn reachable(&self) -> Vec<BlockId> {
        let target = |block, at| self.arcs_of(block).get(at).map(|&arc| self.arcs[arc].to);
        let entry = BlockId::from_index(0);
        let mut blocks = flow::reverse_postorder(entry, self.blocks.len(), target);
        blocks.sort_unstable();
        blocks
    }

    /// The blocks and the arcs from which control enters each block.
    pub fn incoming(&self, order: &[BlockId]) -> ListTable<BlockId, (BlockId, ArcId)> {
        let arcs =
            order.iter().flat_map(|&from| self.arcs_of(from).iter().map(move |&it| (from, it)));
        ListTable::group(
            self.blocks.len(),
            arcs.map(|(from, arc)| (self.arcs[arc].to, (from, arc))),
        )
    }

    /// The operands of a block's steps and of its end.
    pub fn operands(&self, block: BlockId) -> impl Iterator<Item = Source> {
        let Block { steps, end, .. } = &self.blocks[block];
        let end: &[Source] = match end {
            End::Goto(_) => &[],
            End::Switch(on, _) => std::slice::from_ref(on),
            End::Return(values) => values,
        };
        steps.iter().flat_map(|step| &step.operands).chain(end).copied()
    }
}

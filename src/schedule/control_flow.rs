//! Blocks: control is followed from Start through everything it can reach.
//!
//! A block begins at Start, behind an If, or where two ways meet, and ends before the next such
//! place. Control that does not come from Start is never met, so dead code is left out here; and
//! of a Region one of whose ways is dead nothing is left but a step on the other.
use super::BlockId;
use crate::sea::{Graph, NodeId, Op};
use arena::{Arena, Id, ListTable, SideTable};

/// The blocks of a graph, in the order in which they are found, and how control flows.
pub struct ControlFlow {
    pub blocks: Arena<BlockId, BlockExtent>,
    /// The block of every control that is reached.
    pub block_of: SideTable<NodeId, Option<BlockId>>,
    /// The blocks that lead to each, in the order of its head's inputs.
    pub predecessors: ListTable<BlockId, BlockId>,
    /// The blocks that each leads to; of an If, first where it is true.
    pub successors: ListTable<BlockId, BlockId>,
}

/// From the head of a block to its end.
pub struct BlockExtent {
    pub head: NodeId,
    pub end: NodeId,
}

/// For every control that is reached, where it goes: to a Return, an If, a Region or a Loop.
type SuccessorRule = SideTable<NodeId, Option<NodeId>>;

/// Everything that control reaches.
pub fn build(graph: &Graph) -> ControlFlow {
    let entry = entry(graph);
    let nexts = nexts(graph, entry);
    let mut block_of: SideTable<NodeId, Option<BlockId>> = SideTable::new(graph.len());
    let mut blocks = Arena::default();
    let mut heads = vec![entry];
    while let Some(head) = heads.pop() {
        if block_of[head].is_none() {
            let end = follow(graph, &nexts, head, Id::from_index(blocks.len()), &mut block_of);
            blocks.push(BlockExtent { head, end });
            heads.extend(successor_headers(graph, end));
        }
    }
    let predecessors = predecessors(graph, &blocks, &block_of);
    let successors = successors(graph, &blocks, &predecessors);
    ControlFlow { blocks, block_of, predecessors, successors }
}

/// Makes `block` of what begins at `head`, and hands back its end.
fn follow(
    graph: &Graph,
    nexts: &SuccessorRule,
    head: NodeId,
    block: BlockId,
    block_of: &mut SideTable<NodeId, Option<BlockId>>,
) -> NodeId {
    let mut control = head;
    loop {
        block_of[control] = Some(block);
        let next = nexts[control].expect("it is reached");
        if !joins(graph.op(next)) {
            block_of[next] = Some(block);
            return next;
        }
        if ways(graph, nexts, next) > 1 {
            return next;
        }
        control = next;
    }
}

fn predecessors(
    graph: &Graph,
    blocks: &Arena<BlockId, BlockExtent>,
    block_of: &SideTable<NodeId, Option<BlockId>>,
) -> ListTable<BlockId, BlockId> {
    let mut predecessors = ListTable::default();
    for block in blocks.ids() {
        let from = controls(graph, blocks[block].head);
        predecessors.push(from.filter_map(|control| block_of[control]));
    }
    predecessors
}

fn successors(
    graph: &Graph,
    blocks: &Arena<BlockId, BlockExtent>,
    predecessors: &ListTable<BlockId, BlockId>,
) -> ListTable<BlockId, BlockId> {
    let is_false = |block: &BlockId| graph.op(blocks[*block].head) == Op::ControlProjection(false);
    let last = blocks.ids().filter(is_false);
    let ordered = blocks.ids().filter(|block| !is_false(block)).chain(last);
    let ways = ordered.flat_map(|to| predecessors[to].iter().map(move |&from| (from, to)));
    ListTable::group(blocks.len(), ways)
}

/// The control that Start yields.
fn entry(graph: &Graph) -> NodeId {
    let control = |user: &NodeId| graph.op(*user) == Op::Projection(0);
    graph.users(graph.start).find(control).expect("Start yields control")
}

fn nexts(graph: &Graph, entry: NodeId) -> SuccessorRule {
    let mut nexts = SuccessorRule::new(graph.len());
    let mut open = vec![entry];
    while let Some(control) = open.pop() {
        if nexts[control].is_none() {
            let next = next(graph, control);
            nexts[control] = Some(next);
            open.extend(successor_headers(graph, next));
        }
    }
    nexts
}

/// Where control goes from `control`: to a Return, an If, a Region or a Loop.
fn next(graph: &Graph, control: NodeId) -> NodeId {
    let takes = |user: &NodeId| joins(graph.op(*user)) || ends(graph.op(*user));
    let mut takers = graph.users(control).filter(takes);
    takers.find(|&user| graph.takes_control(user)).expect("control goes on")
}

fn ends(op: Op) -> bool {
    matches!(op, Op::Return | Op::If)
}

/// Whether ways meet here.
fn joins(op: Op) -> bool {
    match op {
        Op::Region => true,
        #[cfg(feature = "ch07")]
        Op::Loop => true,
        _ => false,
    }
}

/// How many ways lead to a Region or Loop.
fn ways(graph: &Graph, nexts: &SuccessorRule, id: NodeId) -> usize {
    graph.inputs(id).filter(|&way| nexts[way].is_some()).count()
}

/// The heads of the blocks behind the end of a block.
fn successor_headers(graph: &Graph, end: NodeId) -> impl Iterator<Item = NodeId> {
    let choice = (graph.op(end) == Op::If).then_some(end);
    let join = joins(graph.op(end)).then_some(end);
    join.into_iter().chain(choice.into_iter().flat_map(|it| graph.branches(it)))
}

/// What hands control to a head.
fn controls(graph: &Graph, head: NodeId) -> impl Iterator<Item = NodeId> {
    graph.inputs(head).filter(move |_| graph.op(head) != Op::Projection(0))
}

#[cfg(test)]
#[cfg(feature = "ch09")]
#[path = "tests/control_flow.rs"]
mod tests;

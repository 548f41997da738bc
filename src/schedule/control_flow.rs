//! Basic blocks: follows control from Start to everything it reaches.
//!
//! A block begins at Start, after an If, or at a join, and ends before the next one.
//! @ch18 It also begins at a function and after a call. The first block is the predecessor of all
//! @ch18 functions, so it dominates them, and constants may be in it.
//! Control that
//! is not reachable from Start is not visited, so dead code is left out; a Region with only one
//! live predecessor is part of the predecessor's block.
use super::BlockId;
use crate::sea::{Graph, NodeId, Op};
#[cfg(feature = "ch18")]
use crate::types::FunctionId;
use arena::{Arena, Id, ListTable, SideTable};

/// The blocks of a graph, in the order of discovery, and their edges.
pub struct ControlFlow {
    pub blocks: Arena<BlockId, BlockExtent>,
    /// The block of every reachable control node.
    pub block_of: SideTable<NodeId, Option<BlockId>>,
    /// The predecessors of each block, in the order of its head's inputs.
    pub predecessors: ListTable<BlockId, BlockId>,
    /// The successors of each block; of an If, the true branch first.
    pub successors: ListTable<BlockId, BlockId>,
}

/// The first control node of a block, and its end.
pub struct BlockExtent {
    pub head: NodeId,
    pub end: NodeId,
}

/// For every reachable control node, its successor: a Return, an If, a Region or a Loop.
type NextControl = SideTable<NodeId, Option<NodeId>>;

/// Builds the blocks of all reachable control.
pub fn build(graph: &Graph) -> ControlFlow {
    let mut heads = vec![entry(graph)];
    #[cfg(feature = "ch18")]
    heads.splice(0..0, functions(graph));
    let next_controls = next_controls(graph, heads.clone());
    let mut block_of: SideTable<NodeId, Option<BlockId>> = SideTable::new(graph.len());
    let mut blocks = Arena::default();
    while let Some(head) = heads.pop() {
        if block_of[head].is_none() {
            let end =
                follow(graph, &next_controls, head, Id::from_index(blocks.len()), &mut block_of);
            blocks.push(BlockExtent { head, end });
            heads.extend(successor_headers(graph, end));
        }
    }
    let predecessors = predecessors(graph, &blocks, &block_of);
    let successors = successors(graph, &blocks, &predecessors);
    ControlFlow { blocks, block_of, predecessors, successors }
}

/// Assigns the control nodes from `head` on to `block`, and returns the block's end.
fn follow(
    graph: &Graph,
    next_controls: &NextControl,
    head: NodeId,
    block: BlockId,
    block_of: &mut SideTable<NodeId, Option<BlockId>>,
) -> NodeId {
    let mut control = head;
    loop {
        block_of[control] = Some(block);
        let next_control = next_controls[control].expect("it is reachable");
        if !graph.op(next_control).is_join() {
            block_of[next_control] = Some(block);
            return next_control;
        }
        if predecessor_count(graph, next_controls, next_control) > 1 {
            return next_control;
        }
        control = next_control;
    }
}

fn predecessors(
    graph: &Graph,
    blocks: &Arena<BlockId, BlockExtent>,
    block_of: &SideTable<NodeId, Option<BlockId>>,
) -> ListTable<BlockId, BlockId> {
    let mut predecessors = ListTable::default();
    for block in blocks.ids() {
        let from = control_inputs(graph, blocks[block].head);
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
    let edges = ordered.flat_map(|to| predecessors[to].iter().map(move |&from| (from, to)));
    ListTable::group(blocks.len(), edges)
}

/// The control that Start yields.
fn entry(graph: &Graph) -> NodeId {
    let control = |user: &NodeId| graph.op(*user) == Op::Projection(0);
    graph.users(graph.start).find(control).expect("Start yields control")
}

/// The entries of the functions, the last one first.
#[cfg(feature = "ch18")]
fn functions(graph: &Graph) -> Vec<NodeId> {
    let functions = (0..graph.types.functions.len()).rev().map(FunctionId::from_index);
    functions.filter_map(|it| graph.entry(it)).filter(|&it| graph.uses(it) > 0).collect()
}

fn next_controls(graph: &Graph, mut open: Vec<NodeId>) -> NextControl {
    let mut next_controls = NextControl::new(graph.len());
    while let Some(control) = open.pop() {
        if next_controls[control].is_none() {
            let next_control = next_control(graph, control);
            next_controls[control] = Some(next_control);
            open.extend(successor_headers(graph, next_control));
        }
    }
    next_controls
}

/// The successor of `control`: a Return, an If, a Region or a Loop.
fn next_control(graph: &Graph, control: NodeId) -> NodeId {
    let is_successor = |user: &NodeId| graph.op(*user).is_join() || is_end(graph.op(*user));
    let mut successors = graph.users(control).filter(is_successor);
    successors.find(|&user| graph.takes_control(user)).expect("control has a successor")
}

/// Whether the last node of a block is no join: the program ends there, or branches.
/// @ch18 Or calls a function.
pub fn is_end(op: Op) -> bool {
    #[cfg(feature = "ch18")]
    if let Op::Call(_) = op {
        return true;
    }
    op == Op::If || op.ends_program()
}

/// The number of reachable predecessors of a Region or Loop.
fn predecessor_count(graph: &Graph, next_controls: &NextControl, id: NodeId) -> usize {
    graph.inputs(id).filter(|&control| next_controls[control].is_some()).count()
}

/// The heads of the successors of a block's end.
fn successor_headers(graph: &Graph, end: NodeId) -> impl Iterator<Item = NodeId> {
    let branch = (graph.op(end) == Op::If).then_some(end);
    let join = graph.op(end).is_join().then_some(end);
    #[cfg(feature = "ch18")]
    let join = join.or_else(|| control_after(graph, end));
    join.into_iter().chain(branch.into_iter().flat_map(|it| graph.branches(it)))
}

/// The control inputs of a head.
fn control_inputs(graph: &Graph, head: NodeId) -> impl Iterator<Item = NodeId> {
    #[cfg(feature = "ch18")]
    let function = matches!(graph.op(head), Op::Function(_)).then(|| entry(graph));
    #[cfg(feature = "ch18")]
    return graph.inputs(head).filter(|&it| graph.op(it) != Op::Start).chain(function);
    #[cfg(not(feature = "ch18"))]
    graph.inputs(head).filter(move |_| graph.op(head) != Op::Projection(0))
}

/// The control after a call.
#[cfg(feature = "ch18")]
fn control_after(graph: &Graph, call: NodeId) -> Option<NodeId> {
    let is_call = matches!(graph.op(call), Op::Call(_));
    graph.users(call).find(|&user| is_call && graph.op(user) == Op::Projection(0))
}

#[cfg(test)]
#[cfg(feature = "ch09")]
#[path = "tests/control_flow.rs"]
mod tests;

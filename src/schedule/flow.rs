//! Blocks: control is followed from Start through everything it can reach.
//!
//! A block begins at Start, behind an If, or where two ways meet, and ends before the next such
//! place. Control that does not come from Start is never met, so dead code is left out here; and
//! of a Region one of whose ways is dead nothing is left but a step on the other.
use super::BlockId;
use crate::base::ids::{Arena, SideTable};
use crate::sea::{Graph, NodeId, Op};

/// The blocks of a graph, in the order in which they are found, and how control flows.
pub struct Flow {
    pub blocks: Arena<BlockId, Stretch>,
    /// The block of every control that is reached.
    pub block_of: SideTable<NodeId, Option<BlockId>>,
}

/// From the head of a block to its end.
pub struct Stretch {
    pub head: NodeId,
    pub end: NodeId,
    pub successors: Vec<BlockId>,
    /// In the order of the head's inputs.
    pub predecessors: Vec<BlockId>,
}

/// Everything that control reaches.
pub fn find(graph: &Graph) -> Flow {
    let entry = entry(graph);
    let reached = reached(graph, entry);
    let mut flow = Flow { blocks: Arena::default(), block_of: SideTable::new(graph.len()) };
    let mut heads = vec![entry];
    while let Some(head) = heads.pop() {
        if flow.block_of[head].is_none() {
            flow.follow(graph, &reached, head);
            let last = flow.blocks.ids().next_back().map(|it| flow.blocks[it].end);
            heads.extend(last.into_iter().flat_map(|end| behind(graph, end)));
        }
    }
    flow.connect(graph);
    flow
}

impl Flow {
    /// Makes the block that begins at `head`.
    fn follow(&mut self, graph: &Graph, reached: &SideTable<NodeId, bool>, head: NodeId) {
        let (successors, predecessors) = (Vec::new(), Vec::new());
        let block = self.blocks.push(Stretch { head, end: head, successors, predecessors });
        let mut control = head;
        loop {
            self.block_of[control] = Some(block);
            let next = next(graph, control);
            if !joins(graph.op(next)) || ways(graph, reached, next) > 1 {
                self.blocks[block].end = next;
                break;
            }
            control = next;
        }
        let end = self.blocks[block].end;
        if !joins(graph.op(end)) {
            self.block_of[end] = Some(block);
        }
    }

    /// Finds out which block leads to which.
    fn connect(&mut self, graph: &Graph) {
        for block in self.blocks.ids() {
            let head = self.blocks[block].head;
            let from = |control| self.block_of[control];
            let predecessors: Vec<_> = controls(graph, head).filter_map(from).collect();
            for &predecessor in &predecessors {
                self.blocks[predecessor].successors.push(block);
            }
            self.blocks[block].predecessors = predecessors;
        }
        for block in self.blocks.ids() {
            let mut successors = std::mem::take(&mut self.blocks[block].successors);
            successors.sort_by_key(|&it| graph.op(self.blocks[it].head) == Op::Branch(false));
            self.blocks[block].successors = successors;
        }
    }
}

/// The control that Start yields.
fn entry(graph: &Graph) -> NodeId {
    let control = |user: &NodeId| graph.op(*user) == Op::Projection(0);
    graph.users(graph.start).find(control).expect("Start yields control")
}

fn reached(graph: &Graph, entry: NodeId) -> SideTable<NodeId, bool> {
    let mut reached = SideTable::new(graph.len());
    let mut open = vec![entry];
    while let Some(control) = open.pop() {
        if !std::mem::replace(&mut reached[control], true) {
            let next = next(graph, control);
            let joined = joins(graph.op(next)).then_some(next);
            open.extend(joined.into_iter().chain(behind(graph, next)));
        }
    }
    reached
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
fn ways(graph: &Graph, reached: &SideTable<NodeId, bool>, id: NodeId) -> usize {
    graph.inputs(id).filter(|&way| reached[way]).count()
}

/// The heads of the blocks behind the end of a block.
fn behind(graph: &Graph, end: NodeId) -> Vec<NodeId> {
    let branches = |user: &NodeId| matches!(graph.op(*user), Op::Branch(_));
    match graph.op(end) {
        Op::If => graph.users(end).filter(branches).collect(),
        op if joins(op) => vec![end],
        _ => Vec::new(),
    }
}

/// What hands control to a head.
fn controls(graph: &Graph, head: NodeId) -> impl Iterator<Item = NodeId> {
    graph.inputs(head).filter(move |_| graph.op(head) != Op::Projection(0))
}

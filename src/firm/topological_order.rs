//! Sorts the nodes of a graph into an order of execution.
//!
//! In a block the Phis come first, then every node after its operands, and the jump is the last
//! node. Nodes that do not depend on each other keep their order.
use super::control_flow::{ControlFlow, blocks};
use super::graph::{Graph, NodeId};
use super::op::Op;
use super::renumber::renumber;
use arena::SideTable;

/// The same graph with the nodes of each block in order, and the old id of each node; none, if
/// there is a cycle without a Phi. The blocks keep their order, so the blocks of a loop stay
/// together.
pub fn sort(graph: &Graph) -> Option<(Graph, Vec<NodeId>)> {
    sort_blocks(graph, &ControlFlow::new(graph), blocks(graph))
}

/// The same for a graph from a file: the blocks are in reverse postorder, then come unreachable
/// blocks and the EndBlock. Every node must be in a block.
#[cfg(feature = "ch25")]
pub fn sort_all(graph: &Graph) -> Option<(Graph, Vec<NodeId>)> {
    let flow = ControlFlow::new(graph);
    let mut first = flow.reverse_postorder(graph);
    first.retain(|&block| graph.op(block) != Op::EndBlock);
    let mut placed: SideTable<NodeId, bool> = SideTable::new(graph.len());
    first.iter().for_each(|&block| placed[block] = true);
    let is_end = |block: &NodeId| graph.op(*block) == Op::EndBlock;
    let rest = blocks(graph).filter(|&block| !placed[block]);
    let (end, unreachable): (Vec<_>, Vec<_>) = rest.partition(is_end);
    sort_blocks(graph, &flow, first.into_iter().chain(unreachable).chain(end))
}

/// The same graph with its blocks in this order.
fn sort_blocks(
    graph: &Graph,
    flow: &ControlFlow,
    blocks: impl Iterator<Item = NodeId>,
) -> Option<(Graph, Vec<NodeId>)> {
    let mut order = Order {
        graph,
        state: SideTable::new(graph.len()),
        nodes: Vec::with_capacity(graph.len()),
        open: Vec::new(),
    };
    for block in blocks {
        order.nodes.push(block);
        let is_phi = |id: NodeId| matches!(graph.op(id), Op::Phi);
        let phis = flow.nodes(block).iter().copied().filter(|&id| is_phi(id));
        phis.for_each(|phi| order.place(phi));
        let mut others = flow.nodes(block).iter().copied().filter(|&id| !is_phi(id));
        others.try_for_each(|id| order.visit(id))?;
    }
    Some((renumber(graph, &order.nodes), order.nodes))
}

struct Order<'g> {
    graph: &'g Graph,
    state: SideTable<NodeId, State>,
    nodes: Vec<NodeId>,
    /// The nodes whose operands are being placed, each with the position of the next operand.
    open: Vec<(NodeId, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Unvisited,
    /// Its operands are being placed.
    Open,
    Placed,
}

impl Order<'_> {
    fn place(&mut self, id: NodeId) {
        self.state[id] = State::Placed;
        self.nodes.push(id);
    }

    /// Places a node after its operands in the same block; none, if it depends on itself.
    fn visit(&mut self, id: NodeId) -> Option<()> {
        if self.state[id] == State::Placed {
            return Some(());
        }
        if self.graph.operands(id).iter().all(|&it| self.state[it] == State::Placed) {
            self.place(id);
            return Some(());
        }
        self.state[id] = State::Open;
        self.open.push((id, 0));
        while let Some((id, next)) = self.open.last_mut() {
            let id = *id;
            let operand = self.graph.operands(id).get(*next).copied();
            *next += 1;
            let Some(operand) = operand else {
                self.place(id);
                self.open.pop();
                continue;
            };
            // Operands in other blocks are placed before, or the graph is wrong.
            let is_here = || self.graph.node(operand).block == self.graph.node(id).block;
            match self.state[operand] {
                State::Placed => {}
                State::Unvisited if is_here() && self.graph.op(operand).is_in_block() => {
                    self.state[operand] = State::Open;
                    self.open.push((operand, 0));
                }
                State::Open if is_here() => return None,
                State::Unvisited | State::Open => {}
            }
        }
        Some(())
    }
}

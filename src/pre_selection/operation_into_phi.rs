//! Operations on Phis of constants: computed before the Phi, in each of its predecessors.
//!
//! In x + φ(3, 5), each predecessor loads a constant into a register, and the sum follows. In
//! φ(x + 3, x + 5), each of them adds its constant, which is a part of the instruction. Peepholes
//! of the sea prefer the first form, since it has one sum, and more laws apply to it. They make
//! φ(x, y) + φ(3, 5) of two sums, too, so the other operand may be a Phi, or an operation on one.
use super::patterns::binary;
use crate::arith::Binary;
use crate::firm::{Graph, Mode, NodeId, Op, by_blocks, renumber, sort};
use arena::SideTable;

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "operation-into-phi";

pub const LAW: &str = "x ∘ φ(c₁, c₂) → φ(x ∘ c₁, x ∘ c₂), and the same with φ(x₁, x₂) for x";

/// The most operations of a tree that is moved.
const MAX_OPERATIONS: usize = 4;

/// Moves trees of sums and products before the Phis that they begin with, if one of these has
/// constants, and nothing else uses them.
pub fn move_operations(mut graph: Graph) -> Graph {
    let uses = graph.use_counts();
    let (mut is_changed, mut left) = (false, Vec::new());
    let mut tree = Tree::default();
    for id in graph.ids() {
        if tree.find(&graph, id, &uses) {
            left.extend(tree.move_before_phis(&mut graph));
            is_changed = true;
        }
    }
    if !is_changed {
        return graph;
    }
    if !left.is_empty() {
        let mut is_left: SideTable<NodeId, bool> = SideTable::new(graph.len());
        left.into_iter().for_each(|id| is_left[id] = true);
        let order: Vec<_> = graph.ids().filter(|&id| !is_left[id]).collect();
        graph = renumber(&graph, &by_blocks(&graph, &order));
    }
    sort(&graph).expect("an operation is after its operands").0
}

/// Sums and products of Phis and of values from before.
#[derive(Default)]
struct Tree {
    /// The number of its operations, also of those that are not added yet.
    size: usize,
    /// The operations, each after its operands.
    operations: Vec<NodeId>,
    phis: Vec<NodeId>,
}

impl Tree {
    /// Becomes the tree of an operation. Returns whether it can be moved.
    fn find(&mut self, graph: &Graph, root: NodeId, uses: &SideTable<NodeId, u32>) -> bool {
        self.size = 0;
        self.operations.clear();
        self.phis.clear();
        let is_constant = |it: &NodeId| matches!(graph.op(*it), Op::Const(_));
        let is_choice = |phi: &NodeId| graph.operands(*phi).iter().all(is_constant);
        is_operation(graph, root)
            && self.add_operation(graph, root, uses).is_some()
            && self.phis.iter().any(is_choice)
    }

    /// Adds an operation and all below it; none if they cannot be moved.
    fn add_operation(
        &mut self,
        graph: &Graph,
        id: NodeId,
        uses: &SideTable<NodeId, u32>,
    ) -> Option<()> {
        self.size += 1;
        for &operand in graph.operands(id) {
            if graph.node(operand).block != graph.node(id).block {
                // The predecessors know the value, too.
            } else if uses[operand] != 1 {
                return None;
            } else if graph.op(operand) == Op::Phi && graph.operands(operand).len() == 2 {
                self.phis.push(operand);
            } else if is_operation(graph, operand) && self.size < MAX_OPERATIONS {
                self.add_operation(graph, operand, uses)?;
            } else {
                return None;
            }
        }
        self.operations.push(id);
        Some(())
    }

    /// The last operation becomes a Phi of two copies of the tree, which use the other nodes again.
    /// Returns the nodes that are left.
    fn move_before_phis(&self, graph: &mut Graph) -> Vec<NodeId> {
        let Tree { operations, phis, .. } = self;
        let (&root, inner) = operations.split_last().expect("a tree has an operation");
        let jumps = graph.operands(graph.node(root).block);
        let blocks = [0, 1].map(|at| graph.node(jumps[at]).block);
        let read = |id: &NodeId| (*id, graph.op(*id), [0, 1].map(|at| graph.operands(*id)[at]));
        let (moved, chosen): (Vec<_>, Vec<_>) =
            (operations.iter().map(read).collect(), phis.iter().map(read).collect());
        let mut free: Vec<_> = inner.iter().chain(phis).copied().collect();
        let results = [0, 1].map(|at| {
            // The values of the Phis and of the operations at the end of this predecessor.
            let mut values: Vec<_> = chosen.iter().map(|&(phi, _, of)| (phi, of[at])).collect();
            for &(id, op, operands) in &moved {
                let value = |id| values.iter().find(|it| it.0 == id).map_or(id, |it| it.1);
                let operands = operands.map(value);
                values.push((id, compute(graph, op, operands, blocks[at], &mut free)));
            }
            values.last().expect("a tree has an operation").1
        });
        graph.replace(root, Op::Phi, Mode::Is, &results);
        free
    }
}

fn is_operation(graph: &Graph, id: NodeId) -> bool {
    matches!(binary(graph, id), Some((Binary::Add | Binary::Sub | Binary::Mul, _)))
}

/// The result of an operation in a block. An operation with its neutral element is the other
/// operand.
fn compute(
    graph: &mut Graph,
    op: Op,
    operands: [NodeId; 2],
    block: NodeId,
    free: &mut Vec<NodeId>,
) -> NodeId {
    let (first_neutral, neutral) = match op {
        Op::Binary(Binary::Sub) => (1, 0),
        Op::Binary(Binary::Mul) => (0, 1),
        _ => (0, 0),
    };
    let is_neutral = |&at: &usize| graph.op(operands[at]) == Op::Const(neutral);
    if let Some(at) = (first_neutral..2).find(is_neutral) {
        return operands[1 - at];
    }
    let Some(id) = free.pop() else { return graph.add(op, Mode::Is, block, &operands) };
    graph.replace(id, op, Mode::Is, &operands);
    graph.set_block(id, block);
    id
}

//! Operations on a Phi of constants: computed before the Phi, in each of its predecessors.
//!
//! In x + φ(3, 5), each predecessor loads a constant into a register, and the sum follows. In
//! φ(x + 3, x + 5), each of them adds its constant, which is a part of the instruction. Peepholes
//! of the sea prefer the first form, since it has one sum, and more laws apply to it.
use super::graph::{Graph, NodeId};
use super::op::Op;
use super::topological_order::sort;
use crate::arith::Binary;
use arena::SideTable;

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "operation-into-phi";

pub const LAW: &str = "x ∘ φ(c₁, c₂) → φ(x ∘ c₁, x ∘ c₂)";

/// Moves sums and products before Phis of constants that nothing else uses.
pub fn move_operations(mut graph: Graph) -> Graph {
    let mut uses: SideTable<NodeId, u32> = SideTable::new(graph.len());
    for id in graph.ids() {
        graph.operands(id).iter().for_each(|&operand| uses[operand] += 1);
    }
    let mut is_changed = false;
    for id in graph.ids() {
        if let Some(operation) = Operation::find(&graph, id, &uses) {
            operation.move_before_phi(&mut graph);
            is_changed = true;
        }
    }
    if !is_changed {
        return graph;
    }
    sort(&graph).expect("an operation is after its operands").0
}

/// A sum or a product of a value and a Phi of two constants.
struct Operation {
    id: NodeId,
    value: NodeId,
    phi: NodeId,
}

impl Operation {
    fn find(graph: &Graph, id: NodeId, uses: &SideTable<NodeId, u32>) -> Option<Operation> {
        let Op::Binary(Binary::Add | Binary::Mul) = graph.op(id) else { return None };
        let block = graph.node(id).block;
        let is_phi = |it: &NodeId| graph.op(*it) == Op::Phi && graph.node(*it).block == block;
        let [left, right] = [0, 1].map(|at| graph.operands(id)[at]);
        let (phi, value) = if is_phi(&left) { (left, right) } else { (right, left) };
        let is_constant = |it: &NodeId| matches!(graph.op(*it), Op::Const(_));
        let constants = graph.operands(phi);
        let fits = is_phi(&phi)
            && uses[phi] == 1
            && constants.len() == 2
            && constants.iter().all(is_constant)
            // The predecessors know the value, too.
            && graph.node(value).block != block;
        fits.then_some(Operation { id, value, phi })
    }

    /// The operation becomes the Phi, and the Phi one of the operations before it. A sum with 0 is
    /// the value itself.
    fn move_before_phi(self, graph: &mut Graph) {
        let (op, mode) = (graph.op(self.id), graph.node(self.id).mode);
        let jumps = graph.operands(graph.node(self.phi).block);
        let blocks = [0, 1].map(|at| graph.node(jumps[at]).block);
        let constants = [0, 1].map(|at| graph.operands(self.phi)[at]);
        let mut free = Some(self.phi);
        for (at, (block, constant)) in blocks.into_iter().zip(constants).enumerate() {
            let is_sum = op == Op::Binary(Binary::Add);
            let operation = if is_sum && graph.op(constant) == Op::Const(0) {
                self.value
            } else if let Some(phi) = free.take() {
                graph.rewrite(phi, op, mode, 2);
                graph.set_operand(phi, 0, self.value);
                graph.set_operand(phi, 1, constant);
                graph.set_block(phi, block);
                phi
            } else {
                graph.add(op, mode, block, &[self.value, constant])
            };
            graph.set_operand(self.id, at, operation);
        }
        graph.rewrite(self.id, Op::Phi, mode, 2);
    }
}

//! If-conversion: a branch that only chooses between values becomes a Mux for each of them.
//!
//! Source: J. R. Allen, K. Kennedy, C. Porterfield, J. Warren, "Conversion of Control Dependence to
//! Data Dependence", POPL 1983. A processor predicts the target of a conditional jump, and a wrong
//! prediction costs more than a dozen cycles. With Muxes, both arms are executed instead.
use crate::arith::{Relation, Traps};
use crate::firm::{
    ControlFlow, EdgeKind, Graph, Mode, Node, NodeId, Op, blocks, by_blocks, renumber,
};
use arena::SideTable;

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "if-conversion";

pub const LAW: &str = "a branch that only chooses between values → a Mux for each of them";

/// The cycles of a conditional jump: its own, and those of a wrong prediction times their rate. The
/// programs of `benches/quality` are fastest with this number, of 2 to 5.
const JUMP: u32 = 3;

/// The same, if the condition is an equality. Most numbers differ, so most predictions are right.
/// Source: Y. Wu, J. R. Larus, "Static Branch Frequency and Program Profile Analysis", MICRO 1994,
/// for equality with a constant.
const JUMP_IF_EQUAL: u32 = 2;

/// Replaces branches by Muxes where this takes fewer cycles. `cycles` is the latency of an
/// operation on values in registers; none if the machine has no instruction for it.
pub fn convert(graph: Graph, cycles: impl Fn(Op, Mode) -> Option<u32>) -> Graph {
    let Some(mux) = cycles(Op::Mux, Mode::Is) else { return graph };
    let flow = ControlFlow::new(&graph);
    let mut costs: SideTable<NodeId, Option<u32>> = SideTable::new(graph.len());
    for block in blocks(&graph) {
        let nodes = flow.nodes(block);
        let condition = nodes.last().and_then(|&jump| graph.operands(jump).first());
        // The rules for Muxes include the comparison, like those for jumps.
        let counted = nodes.iter().filter(|&id| Some(id) != condition);
        costs[block] = counted.map(|&id| cost(&graph, id, &cycles)).sum();
    }
    let merged = SideTable::new(graph.len());
    let mut conversion = Conversion { graph, flow, costs, merged, mux, removed: Vec::new() };
    // A join is after those inside of its arms.
    for join in blocks(&conversion.graph).collect::<Vec<_>>() {
        if let Some(diamond) = conversion.diamond(join) {
            conversion.replace(join, diamond);
        }
    }
    conversion.finish()
}

/// The cycles of a node; none if it must not be executed more often.
fn cost(graph: &Graph, id: NodeId, cycles: impl Fn(Op, Mode) -> Option<u32>) -> Option<u32> {
    let Node { op, mode, .. } = graph.node(id);
    match op {
        Op::Binary(binary) if binary.row().traps != Traps::Never => None,
        Op::Binary(_) | Op::Cmp(_) if mode == Mode::Is => cycles(op, mode),
        // Muxes are counted with their diamond.
        Op::Phi | Op::Jmp | Op::Cond => Some(0),
        _ => None,
    }
}

struct Conversion {
    graph: Graph,
    /// The control flow before the first conversion.
    flow: ControlFlow,
    /// The cycles of each block, if it may be executed more often.
    costs: SideTable<NodeId, Option<u32>>,
    /// The block that a block has become a part of.
    merged: SideTable<NodeId, Option<NodeId>>,
    /// The cycles of a Mux.
    mux: u32,
    /// The jumps that are gone.
    removed: Vec<NodeId>,
}

/// A branch and its two arms, which meet at a join.
struct Diamond {
    branch: NodeId,
    /// The arms for the conditions 0 and 1.
    arms: [NodeId; 2],
    /// The numbers of their edges at the join.
    edges: [usize; 2],
    /// The cycles of both arms and of the Muxes.
    cost: u32,
}

impl Conversion {
    /// The diamond that ends at a block, if Muxes are cheaper than its branch.
    fn diamond(&self, join: NodeId) -> Option<Diamond> {
        let &[first, second] = self.graph.operands(join) else { return None };
        let [(branch, kind, arm), (other, _, other_arm)] = [self.arm(first)?, self.arm(second)?];
        let is_diamond = branch == other && self.graph.op(join) == Op::Block;
        let constants = self.constants(join)?;
        let arms = self.costs[arm]? + self.costs[other_arm]? + constants;
        let cost = arms + self.mux * self.phis(join).count() as u32;
        let (blocks, edges) = match kind {
            EdgeKind::True => ([other_arm, arm], [1, 0]),
            EdgeKind::Always | EdgeKind::False => ([arm, other_arm], [0, 1]),
        };
        // A branch executes one of the arms, which set half of the constants.
        let is_cheaper = is_diamond && cost <= self.jump(branch) + arms / 2;
        is_cheaper.then_some(Diamond { branch, arms: blocks, edges, cost })
    }

    /// The cycles of a branch.
    fn jump(&self, branch: NodeId) -> u32 {
        let Node { op, mode, .. } = self.graph.node(self.graph.operands(branch)[0]);
        match op {
            Op::Cmp(Relation::Equal | Relation::NotEqual) if mode == Mode::Is => JUMP_IF_EQUAL,
            _ => JUMP,
        }
    }

    /// The Cond before the block of a jump, the kind of the edge from it, and the block.
    fn arm(&self, jump: NodeId) -> Option<(NodeId, EdgeKind, NodeId)> {
        let block = self.block(jump);
        let &[branch] = self.graph.operands(block) else { return None };
        let is_branch = self.graph.op(branch) == Op::Cond;
        is_branch.then(|| (branch, self.graph.edge_kind(block, 0), block))
    }

    /// The block of a node.
    fn block(&self, id: NodeId) -> NodeId {
        let mut block = self.graph.node(id).block;
        while let Some(with) = self.merged[block] {
            block = with;
        }
        block
    }

    fn phis(&self, join: NodeId) -> impl Iterator<Item = NodeId> {
        let nodes = self.flow.nodes(join).iter().copied();
        nodes.take_while(|&id| self.graph.op(id) == Op::Phi)
    }

    /// The number of constants that the Phis of a block choose from; none if one of them is no
    /// integer.
    fn constants(&self, join: NodeId) -> Option<u32> {
        let constants = self.phis(join).map(|phi| {
            let operands = self.graph.operands(phi).iter();
            let constants = operands.filter(|&&it| matches!(self.graph.op(it), Op::Const(_)));
            let is_integer = self.graph.node(phi).mode == Mode::Is;
            is_integer.then(|| constants.count() as u32)
        });
        constants.sum()
    }

    /// Makes the arms and the join parts of the block with the branch.
    fn replace(&mut self, join: NodeId, diamond: Diamond) {
        let Diamond { branch, arms, edges, cost } = diamond;
        let (block, condition) = (self.block(branch), self.graph.operands(branch)[0]);
        for phi in self.phis(join).collect::<Vec<_>>() {
            let [otherwise, chosen] = edges.map(|edge| self.graph.operands(phi)[edge]);
            self.graph.add_operands(phi, &[otherwise]);
            let operands = [condition, otherwise, chosen];
            self.graph.replace(phi, Op::Mux, Mode::Is, &operands);
        }
        let rest = self.costs[join];
        self.costs[block] = rest.and_then(|rest| Some(self.costs[block]? + cost + rest));
        for id in [arms[0], arms[1], join] {
            self.merged[id] = Some(block);
        }
        self.removed.extend([branch, self.graph.operands(join)[0], self.graph.operands(join)[1]]);
    }

    /// The graph without the arms, the joins and their jumps.
    fn finish(mut self) -> Graph {
        if self.removed.is_empty() {
            return self.graph;
        }
        let mut is_removed: SideTable<NodeId, bool> = SideTable::new(self.graph.len());
        self.removed.iter().for_each(|&jump| is_removed[jump] = true);
        let mut order = Vec::with_capacity(self.graph.len());
        for id in self.graph.ids().filter(|&id| !is_removed[id] && self.merged[id].is_none()) {
            order.push(id);
            self.graph.set_block(id, self.block(id));
        }
        renumber(&self.graph, &by_blocks(&self.graph, &order))
    }
}

//! Placement: a loop computes no upper halves that only code after it reads.
//!
//! The sea computes equal values once, also one of which the loop reads the lower half alone and
//! code after the loop the upper half, too. Such a value is computed twice: in the loop a word, and
//! after it both halves. The upper half of an extended word is its sign; it, too, is computed in
//! the last block before its uses, unless one above is in fewer loops.
//! Source: C. Click, "Global Code Motion / Global Value Numbering", PLDI 1995.
use super::narrow::Narrowing;
use crate::arith::Binary;
use crate::firm::{ControlFlow, Graph, Mode, NodeId, Op, reducible_dominators};
use arena::SideTable;
use flow::Dominators;

/// So many blocks above the uses of a value are considered for it.
const MAX_BLOCKS: usize = 64;

/// An operand of a node.
#[derive(Clone, Copy)]
struct Use {
    user: NodeId,
    at: usize,
}

/// The uses of some values.
struct Placement<'g> {
    graph: &'g mut Graph,
    dominators: Dominators<NodeId>,
    uses: SideTable<NodeId, Vec<Use>>,
}

/// Computes the values again outside of loops that read their lower halves alone; returns whether
/// there are any.
pub fn separate(graph: &mut Graph, narrowing: &mut Narrowing) -> bool {
    let is_separable =
        |&id: &NodeId| is_separable(graph, id) && is_in_loop(graph, id) && narrowing.needs_high(id);
    let values: Vec<_> = graph.ids().filter(is_separable).collect();
    let Some(mut placement) = Placement::new(graph, &values) else { return false };
    // Each value after its users, so that these have their final blocks.
    let copies = values.iter().rev().filter(|&&id| placement.separate(narrowing, id));
    copies.count() > 0
}

/// Moves the signs of words to the blocks before their uses.
pub fn sink(graph: &mut Graph, mut signs: Vec<NodeId>) {
    signs.retain(|&id| is_in_loop(graph, id));
    let Some(mut placement) = Placement::new(graph, &signs) else { return };
    signs.into_iter().for_each(|id| placement.sink(id));
}

fn is_in_loop(graph: &Graph, id: NodeId) -> bool {
    graph.depth(graph.node(id).block) > 0
}

fn is_separable(graph: &Graph, id: NodeId) -> bool {
    const OPERATORS: [Binary; 6] =
        [Binary::Add, Binary::Sub, Binary::Mul, Binary::And, Binary::Or, Binary::Eor];
    let node = graph.node(id);
    node.mode == Mode::Ls && OPERATORS.iter().any(|&it| node.op == Op::Binary(it))
}

impl<'g> Placement<'g> {
    /// The uses of these values; none if there are no values, or if control enters a loop at
    /// several blocks.
    fn new(graph: &'g mut Graph, values: &[NodeId]) -> Option<Placement<'g>> {
        if values.is_empty() {
            return None;
        }
        let dominators = reducible_dominators(graph, &ControlFlow::new(graph))?;
        let mut is_value: SideTable<NodeId, bool> = SideTable::new(graph.len());
        values.iter().for_each(|&id| is_value[id] = true);
        let mut uses: SideTable<NodeId, Vec<Use>> = SideTable::new(graph.len());
        for user in graph.ids() {
            for (at, &operand) in graph.operands(user).iter().enumerate() {
                if is_value[operand] {
                    uses[operand].push(Use { user, at });
                }
            }
        }
        Some(Placement { graph, dominators, uses })
    }

    /// Makes a copy of a value for the uses of its upper half, if these are in fewer loops.
    fn separate(&mut self, narrowing: &mut Narrowing, id: NodeId) -> bool {
        let (wide, low): (Vec<_>, Vec<_>) = std::mem::take(&mut self.uses[id])
            .into_iter()
            .partition(|it| narrowing.reads_high(self.graph, it.user, id));
        let node = self.graph.node(id);
        let block = self.latest(id, &wide);
        if self.graph.depth(block) == self.graph.depth(node.block) {
            self.uses[id] = [wide, low].concat();
            return false;
        }
        let operands = self.graph.operands(id).to_vec();
        self.graph.set_origin(self.graph.origin(id));
        let copy = self.graph.add(node.op, node.mode, block, &operands);
        self.graph.set_origin(None);
        for (at, operand) in operands.into_iter().enumerate() {
            self.uses[operand].push(Use { user: copy, at });
        }
        wide.into_iter().for_each(|it| self.graph.set_operand(it.user, it.at, copy));
        narrowing.move_high(id, copy);
        self.uses[id] = low;
        self.sink(id);
        true
    }

    fn sink(&mut self, id: NodeId) {
        let block = self.latest(id, &self.uses[id]);
        self.graph.set_block(id, block);
    }

    /// The block for a value with these uses: of those in the fewest loops the last one before all
    /// uses.
    fn latest(&self, id: NodeId, uses: &[Use]) -> NodeId {
        let own = self.graph.node(id).block;
        let blocks = uses.iter().map(|&it| self.block_of(it));
        let join = |a, b| self.dominators.nearest_common_dominator(a, b);
        let last = blocks.reduce(join).unwrap_or(own);
        let above = |block: &NodeId| Some(self.dominators.immediate_dominator(*block));
        let path = std::iter::successors(Some(last), above).take(MAX_BLOCKS);
        let path = path.take_while(|&block| block != own).chain([own]);
        path.min_by_key(|&block| self.graph.depth(block)).expect("its own block is on the path")
    }

    /// The block at whose end a value must be known.
    fn block_of(&self, Use { user, at }: Use) -> NodeId {
        let block = self.graph.node(user).block;
        match self.graph.op(user) {
            Op::Phi => self.graph.node(self.graph.operands(block)[at]).block,
            _ => block,
        }
    }
}

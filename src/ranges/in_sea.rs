//! The ranges of the sea's nodes, after they were scheduled.
use super::{Condition, Definition, Program, Ranges, Tests, ranges, tests_of_branch, truths};
use crate::arith::{Binary, Interval, Traps, Unary};
use crate::schedule::{BlockId, Schedule, ScheduledGraph};
use crate::sea::{Graph, NodeId, Op};
use flow::Dominators;

pub type SeaRanges = Ranges<NodeId, BlockId>;

/// The ranges of the operands of all divisions by unknown values.
pub fn ranges_in_sea(graph: &Graph, schedule: &Schedule) -> SeaRanges {
    let is_guarded = |&&id: &&NodeId| match graph.op(id) {
        Op::Binary(binary) if binary.row().traps != Traps::Never => {
            graph.value(graph.input(id, 1)).is_none()
        }
        _ => false,
    };
    let divisions = schedule.order.iter().filter(is_guarded);
    ranges_of_sea(graph, schedule, divisions.flat_map(|&id| graph.inputs(id)).collect())
}

/// The ranges of some values.
pub fn ranges_of_sea(graph: &Graph, schedule: &Schedule, values: Vec<NodeId>) -> SeaRanges {
    let dominators = Dominators::of(&schedule.predecessors);
    let tests =
        schedule.blocks.ids().flat_map(|block| tests(graph, block, schedule.blocks[block].head));
    let tests = tests.collect();
    let program = ScheduledGraph { graph, schedule };
    ranges(program, dominators, tests, schedule.order.iter().copied(), values)
}

/// The tests at the beginning of a block.
fn tests(graph: &Graph, block: BlockId, head: NodeId) -> Tests<NodeId, BlockId> {
    let Op::ControlProjection(truth) = graph.op(head) else { return Vec::new() };
    let predicate = graph.input(graph.input(head, 0), 1);
    let known = truths(predicate, truth, |id, truth| following(graph, id, truth)).into_iter();
    let tests = known.flat_map(|(value, truth)| {
        let comparison = match graph.op(value) {
            Op::Compare(relation) => Some((relation, graph.operands(value))),
            _ => None,
        };
        tests_of_branch(block, truth, Condition { value, comparison })
    });
    tests.flatten().collect()
}

/// The truths that follow at once from that of a node.
fn following(graph: &Graph, id: NodeId, truth: bool) -> [Option<(NodeId, bool)>; 2] {
    match (graph.op(id), truth) {
        (Op::Unary(Unary::Not), _) => [Some((graph.input(id, 0), !truth)), None],
        (Op::Binary(Binary::And), true) | (Op::Binary(Binary::Or), false) => {
            graph.operands(id).map(|it| Some((it, truth)))
        }
        _ => [None; 2],
    }
}

impl Program for ScheduledGraph<'_> {
    type Value = NodeId;
    type Block = BlockId;

    fn len(&self) -> usize {
        self.graph.len()
    }

    fn definition(&self, id: NodeId) -> Definition<NodeId> {
        let graph = self.graph;
        match graph.op(id) {
            Op::Constant(ty) if let Some(value) = graph.types.value(ty) => {
                Definition::Constant(value)
            }
            Op::Phi(_) => Definition::Choice,
            Op::Binary(binary) => Definition::Binary(binary, graph.types.int, graph.operands(id)),
            Op::Unary(Unary::Minus) => Definition::Minus(graph.types.int, graph.input(id, 0)),
            Op::Unary(Unary::Not) | Op::Compare(_) => Definition::Other(Interval::truth()),
            _ => {
                let known = graph.types.interval_of(graph.ty(id));
                Definition::Other(known.unwrap_or(Interval::all(graph.types.int)))
            }
        }
    }

    fn block_of(&self, id: NodeId) -> BlockId {
        self.schedule.block_of[id].expect("every node is placed")
    }

    fn inputs(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.schedule.values(self.graph, id)
    }

    /// A Phi whose join has one live edge is the value of this edge.
    fn choices(&self, phi: NodeId) -> impl Iterator<Item = (NodeId, BlockId)> {
        let block = self.block_of(phi);
        let is_merge = self.schedule.is_merge(self.graph, phi);
        let predecessors: &[BlockId] =
            if is_merge { &self.schedule.predecessors[block] } else { &[] };
        let from = predecessors.iter().copied().chain((!is_merge).then_some(block));
        self.schedule.values(self.graph, phi).zip(from)
    }
}

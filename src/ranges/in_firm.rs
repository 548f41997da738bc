//! The ranges of the nodes of a Firm graph.
use super::{ALL, Condition, Definition, Program, Ranges, Tests, ranges, tests_of_branch, truths};
use crate::arith::{Binary, Interval, Relation};
use crate::firm::{
    ControlFlow, EdgeKind, Graph, Mode, NodeId, Op, Values, blocks, reducible_dominators,
};

pub type FirmRanges = Ranges<NodeId, NodeId>;

/// The ranges of all dividends that are divided by positive constants. None if there are none, or
/// if control enters a loop at several blocks: then the dominators are unknown.
pub fn ranges_in_firm(graph: &Graph, flow: &ControlFlow) -> Option<FirmRanges> {
    let is_division = |&id: &NodeId| {
        (graph.op(id), graph.node(id).mode) == (Op::Binary(Binary::Div), Mode::Is)
            && matches!(graph.op(graph.operands(id)[1]), Op::Const(divisor) if 0 < divisor)
    };
    let divisions = graph.ids().filter(is_division);
    let dividends: Vec<_> = divisions.map(|id| graph.operands(id)[0]).collect();
    if dividends.is_empty() {
        return None;
    }
    ranges_of(graph, flow, dividends)
}

/// The ranges of these values. None if control enters a loop at several blocks.
pub fn ranges_of(graph: &Graph, flow: &ControlFlow, values: Vec<NodeId>) -> Option<FirmRanges> {
    let dominators = reducible_dominators(graph, flow)?;
    let tests = blocks(graph).flat_map(|block| tests(graph, block)).collect();
    Some(ranges(graph, dominators, tests, graph.ids(), values))
}

/// The tests at the beginning of a block.
fn tests(graph: &Graph, block: NodeId) -> Tests<NodeId, NodeId> {
    let &[branch] = graph.operands(block) else { return Vec::new() };
    let Op::Cond = graph.op(branch) else { return Vec::new() };
    let truth = graph.edge_kind(block, 0) == EdgeKind::True;
    let selector = graph.operands(branch)[0];
    let known = truths(selector, truth, |id, truth| following(graph, id, truth)).into_iter();
    let tests = known.flat_map(|(id, truth)| tests_of_branch(block, truth, condition(graph, id)));
    tests.flatten().collect()
}

/// The truths that follow at once from that of a node.
fn following(graph: &Graph, id: NodeId, truth: bool) -> [Option<(NodeId, bool)>; 2] {
    let is_integer = matches!(graph.node(id).mode, Mode::Is | Mode::Ls);
    match (graph.op(id), graph.operands(id)) {
        (Op::Cmp(relation @ (Relation::Equal | Relation::NotEqual)), &[value, zero])
            if is_integer && graph.op(zero) == Op::Const(0) =>
        {
            [Some((value, truth == (relation == Relation::NotEqual))), None]
        }
        (Op::Conv(Mode::Ls), &[word]) if is_integer => [Some((word, truth)), None],
        (Op::Binary(Binary::And), &[x, y]) if truth => [x, y].map(|it| Some((it, true))),
        (Op::Binary(Binary::Or), &[x, y]) if !truth => [x, y].map(|it| Some((it, false))),
        _ => [None; 2],
    }
}

fn condition(graph: &Graph, value: NodeId) -> Condition<NodeId> {
    let comparison = match (graph.op(value), graph.node(value).mode, graph.operands(value)) {
        (Op::Cmp(relation), Mode::Is | Mode::Ls, &[left, right]) => Some((relation, [left, right])),
        _ => None,
    };
    Condition { value, comparison }
}

impl Program for &Graph {
    type Value = NodeId;
    type Block = NodeId;

    fn len(&self) -> usize {
        Graph::len(self)
    }

    fn definition(&self, id: NodeId) -> Definition<NodeId> {
        let Values::Integers(width) = self.value_mode(id).values() else {
            return Definition::Other(ALL);
        };
        match (self.op(id), self.operands(id)) {
            (Op::Const(value), _) => Definition::Constant(value),
            (Op::Binary(binary), &[x, y]) => Definition::Binary(binary, width, [x, y]),
            (Op::Conv(_), &[x]) => Definition::Converted(width, x),
            (Op::Load(_), _) => Definition::Other(self.node(id).mode.numbers()),
            (Op::Cmp(_), _) => Definition::Other(Interval::truth()),
            (Op::Phi, _) => Definition::Choice,
            #[cfg(feature = "ch29")]
            (Op::Mux, &[selector, no, yes]) => {
                Definition::Select(condition(self, selector), [no, yes])
            }
            _ => Definition::Other(Interval::all(width)),
        }
    }

    fn block_of(&self, id: NodeId) -> NodeId {
        self.node(id).block
    }

    fn inputs(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let inputs = self.operands(id).iter();
        // The operands of its condition restrict the values of a Mux.
        #[cfg(feature = "ch29")]
        let inputs = inputs.chain(match self.op(id) {
            Op::Mux => self.operands(self.operands(id)[0]),
            _ => &[],
        });
        inputs.copied()
    }

    fn choices(&self, id: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> {
        let block = self.block_of(id);
        let values = self.operands(id).iter().zip(self.operands(block));
        values.map(|(&value, &jump)| (value, self.node(jump).block))
    }
}

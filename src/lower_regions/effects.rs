//! Which nodes have effects: they change the state of memory, or may trap.
use crate::arith::{Binary, Traps};
use crate::region::{Graph, NodeId, Op, Operator, RegionId};
use arena::SideTable;

/// Whether a region contains a node with an effect.
pub fn effects(graph: &Graph) -> SideTable<RegionId, bool> {
    let mut effects: SideTable<RegionId, bool> = SideTable::default();
    for region in graph.inside_out() {
        let has_effect = graph.region(region).nodes.iter().any(|&id| match graph.op(id) {
            Op::Use | Op::Call => true,
            Op::Operator(_) => quotient(graph, id).is_some(),
            Op::Loop | Op::Switch => graph.inner(id).iter().any(|&inner| effects[inner]),
            Op::Arguments | Op::Number(_) | Op::Force | Op::Function => false,
        });
        effects[region] = has_effect;
    }
    effects
}

/// The operation of a node that may trap.
pub fn quotient(graph: &Graph, id: NodeId) -> Option<Binary> {
    let Op::Operator(Operator::Binary(binary)) = graph.op(id) else { return None };
    let divisor = graph.operands(id)[1].node;
    let may_trap = match graph.op(divisor) {
        Op::Number(number) => number == 0 || number == -1,
        _ => true,
    };
    (binary.row().traps != Traps::Never && may_trap).then_some(binary)
}

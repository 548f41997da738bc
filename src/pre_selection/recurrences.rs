//! Recurrences: values that each iteration of a loop computes from results of the one before.
//!
//! They are the strongly connected components of the values. The latency of a recurrence bounds the
//! time of an iteration. (B. R. Rau, "Iterative Modulo Scheduling", MICRO 1994.)
use crate::firm::{Graph, Mode, Node, NodeId, Op};
use arena::SideTable;
use flow::components;

/// Values that follow from each other, over the iterations of a loop.
pub struct Recurrences {
    /// The component of each value; all values of a recurrence are in one.
    component: SideTable<NodeId, u32>,
    /// The cycles from the results of the iteration before, of the same recurrence, to each value.
    arrival: SideTable<NodeId, u32>,
}

impl Recurrences {
    /// `cycles` is the latency of an operation.
    pub fn find(graph: &Graph, cycles: impl Fn(Op, Mode) -> Option<u32>) -> Recurrences {
        // Outside of loops, no value follows from itself.
        let operands = |id| if is_in_loop(graph, id) { graph.operands(id) } else { &[] };
        let component = components(graph.len(), |id, at| operands(id).get(at).copied());
        let mut arrival: SideTable<NodeId, u32> = SideTable::new(graph.len());
        for id in graph.ids().filter(|&id| is_in_loop(graph, id)) {
            // An operand over a back edge has no time yet.
            let is_inside = |operand: &&NodeId| component[**operand] == component[id];
            let latest = graph.operands(id).iter().filter(is_inside).map(|&it| arrival[it]).max();
            let Node { op, mode, .. } = graph.node(id);
            let own = if op == Op::Phi { 0 } else { cycles(op, mode).unwrap_or(1) };
            arrival[id] = latest.map_or(0, |latest| latest + own);
        }
        Recurrences { component, arrival }
    }

    /// The cycles after which a value is known, if it is of the same recurrence as another one.
    pub fn arrival(&self, value: NodeId, of: NodeId) -> Option<u32> {
        (self.component[value] == self.component[of]).then_some(self.arrival[value])
    }
}

pub fn is_in_loop(graph: &Graph, id: NodeId) -> bool {
    graph.depth(graph.node(id).block) > 0
}

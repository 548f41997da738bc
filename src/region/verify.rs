//! The invariants of regions.
//!
//! - `scope`: an operand or result is an output of an earlier node of the same region.
//! - `operands`: a node has the operands and the regions of its operation.
//! - `arity`: a region has the arguments and results of its node.
//! - `types`: every value has the type that its users expect.
use super::eval::name;
use super::graph::{Graph, NodeId, RegionId, Value};
use super::op::Op;
use super::types::{self, Use};
use crate::stage::Violation;
use arena::{Id, SideTable};

/// Every broken invariant; types rely on the others.
pub fn verify(graph: &Graph) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut position: SideTable<NodeId, u32> = SideTable::new(graph.len());
    for region in graph.region_ids() {
        for (at, &id) in graph.region(region).nodes.iter().enumerate() {
            position[id] = at as u32;
        }
    }
    for region in graph.inside_out() {
        let last = graph.region(region).nodes.len() as u32;
        let results = &graph.region(region).results;
        if !results.iter().all(|&it| is_in_scope(graph, &position, region, last, it)) {
            let detail = format!("the results of region {}", region.index());
            violations.push(Violation { invariant: "scope", detail });
        }
        for &id in &graph.region(region).nodes {
            let operands = graph.operands(id);
            let at = position[id];
            if !operands.iter().all(|&it| is_in_scope(graph, &position, region, at, it)) {
                violations.push(violation("scope", graph, id));
            }
            if !has_operands(graph, id) {
                violations.push(violation("operands", graph, id));
            } else if !has_arity(graph, id) {
                violations.push(violation("arity", graph, id));
            }
        }
    }
    if violations.is_empty() {
        let mismatches = types::infer(graph).err().unwrap_or_default();
        violations.extend(mismatches.into_iter().map(|it| {
            let place = match it.at {
                Use::Operand(node, at) => format!("operand {at} of {}", name(graph, node)),
                Use::Result(region, at) => format!("result {at} of region {}", region.index()),
            };
            Violation { invariant: "types", detail: format!("{place}: {}", it.message) }
        }));
    }
    violations
}

fn violation(invariant: &'static str, graph: &Graph, id: NodeId) -> Violation {
    Violation { invariant, detail: name(graph, id) }
}

/// Whether a value is available in `region` before the position `at`.
fn is_in_scope(
    graph: &Graph,
    position: &SideTable<NodeId, u32>,
    region: RegionId,
    at: u32,
    value: Value,
) -> bool {
    let node = graph.node(value.node);
    node.region == region && position[value.node] < at && value.output < node.outputs
}

fn has_operands(graph: &Graph, id: NodeId) -> bool {
    let (operands, inner) = (graph.operands(id).len(), graph.inner(id).len());
    match graph.op(id) {
        Op::Arguments | Op::Number(_) => operands == 0 && inner == 0,
        Op::Operator(_) => operands == 2 && inner == 0,
        Op::Use => inner == 0,
        Op::Force => operands > 0 && inner == 0,
        Op::Loop | Op::Function => inner == 1,
        Op::Switch => operands > 0 && inner > 0,
        Op::Call => operands > 0 && inner == 0,
    }
}

fn has_arity(graph: &Graph, id: NodeId) -> bool {
    let (operands, inner) = (graph.operands(id).len() as u32, graph.inner(id));
    let outputs = graph.node(id).outputs;
    let results = |region: RegionId| graph.region(region).results.len() as u32;
    match graph.op(id) {
        Op::Arguments | Op::Call => true,
        Op::Number(_) | Op::Operator(_) | Op::Use => outputs == 1,
        Op::Force => outputs == operands,
        Op::Function => outputs == 1 && graph.arity(inner[0]) >= operands,
        Op::Loop => {
            let fits = |region| graph.arity(region) == operands && results(region) == operands + 1;
            outputs == operands && inner.iter().all(|&it| fits(it))
        }
        Op::Switch => {
            let fits = |region| graph.arity(region) == operands - 1 && results(region) == outputs;
            inner.iter().all(|&it| fits(it))
        }
    }
}

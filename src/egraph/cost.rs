//! The cost of a node: the latency on IA-32, in quarters of a cycle.
//!
//! Source: A. Fog, "Instruction Tables", for the latencies. A loop executes its region several
//! times: the cost of the nodes inside is multiplied.
use super::node::{EGraph, Node};
use crate::arith::Binary;
use crate::region::{Head, Operator};

/// How often a loop executes its region, for want of better knowledge.
pub const LOOP_WEIGHT: u64 = 8;

/// The cost of a node without its operands.
pub fn own(graph: &EGraph, node: &Node) -> u64 {
    match node.head {
        Head::Number(_) | Head::Argument(_) | Head::Component(_) | Head::Force => 1,
        Head::Operator(Operator::Binary(Binary::Mul)) => {
            let constants = node.operands.iter().filter_map(|it| graph[*it].data.constant());
            let is_shift = constants.into_iter().any(|it| it > 0 && it & (it - 1) == 0);
            if is_shift { 4 } else { 12 }
        }
        Head::Operator(Operator::Binary(Binary::Div | Binary::Mod)) => 100,
        Head::Operator(Operator::Binary(_)) => 4,
        Head::Operator(Operator::Compare(_)) => 8,
        Head::Switch { cases, outputs } => 16 + 8 * u64::from(cases) + 4 * u64::from(outputs),
        Head::Loop => 16 + 4 * (node.operands.len() as u64 / 2),
        Head::Use => 40,
        Head::Call => 60,
        Head::Function { .. } => 4,
    }
}

/// The cost of a node and its operands, each of which has this cost.
pub fn whole(graph: &EGraph, node: &Node, operands: &[u64]) -> u64 {
    let inside = node.head.inside(operands.len());
    let (outside, inside) = operands.split_at(operands.len() - inside);
    let weight = if node.head == Head::Loop { LOOP_WEIGHT } else { 1 };
    let sum = |costs: &[u64]| costs.iter().fold(0_u64, |sum, cost| sum.saturating_add(*cost));
    let operands = sum(outside).saturating_add(sum(inside).saturating_mul(weight));
    own(graph, node).saturating_add(operands)
}

//! Comparisons.
use super::{Component, On, Rule};
use crate::sea::Op;

pub const RULES: &[Rule] = &[Rule {
    name: "compare-same",
    law: "x = x → 1, x ≤ x → 1, x < x → 0",
    shows: ("arg <= arg", "1"),
    on: On::Compare,
    shrinks: Component::Nodes,
    apply: |engine, graph, id| {
        let Op::Compare(relation) = graph.op(id) else { return None };
        if graph.input(id, 0) != graph.input(id, 1) {
            return None;
        }
        let truth = graph.types.constant(i64::from(relation.holds(0, 0)));
        Some(engine.node(graph, Op::Constant(truth), &[]))
    },
}];

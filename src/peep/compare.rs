//! Comparisons.
#[cfg(feature = "ch06")]
use super::phi::over_constants;
use super::{Component, On, Rule};
use crate::sea::Op;

pub const RULES: &[Rule] = &[
    Rule {
        name: "compare-same",
        law: "x = x → 1, x ≤ x → 1, x < x → 0",
        shows: ("arg <= arg", "1"),
        on: On::Compare,
        shrinks: Component::Weight,
        apply: |engine, graph, id| {
            let Op::Compare(relation) = graph.op(id) else { return None };
            if graph.input(id, 0) != graph.input(id, 1) {
                return None;
            }
            let truth = graph.types.constant(i64::from(relation.holds(0, 0)));
            Some(engine.node(graph, Op::Constant(truth), &[]))
        },
    },
    #[cfg(feature = "ch06")]
    Rule {
        name: "compare-phi",
        law: "φ(c₁, c₂) < c → φ(c₁ < c, c₂ < c), and so for the others",
        shows: ("int x = 1; if (arg) x = 2; return x < 2;", "int x = 1; if (arg) x = 0; return x;"),
        on: On::Compare,
        shrinks: Component::Weight,
        apply: |engine, graph, id| {
            let (op, operands) = (graph.op(id), [0, 1].map(|at| graph.input(id, at)));
            over_constants(engine, graph, op, operands)
        },
    },
];

//! Value numbering: what is computed already is not computed again.
use super::{Component, Rule};
use crate::sea::Op;
use picture::Kind;

pub const RULES: &[Rule] = &[Rule {
    name: "value-numbering",
    law: "x ∘ y … x ∘ y → the first of the two, twice",
    example: ("arg * 5 == arg * 5", "int x = arg * 5; return x == x;"),
    root: &|graph, id| {
        // Two new objects are different.
        #[cfg(feature = "ch10")]
        if graph.op(id).is_new() {
            return false;
        }
        graph.op(id).row().kind == Kind::Data || graph.op(id) == Op::DeadControl
    },
    decreases: Component::Nodes,
    apply: &|_, graph, id| {
        let known = graph.value_number(id);
        (known != id).then_some(known)
    },
}];

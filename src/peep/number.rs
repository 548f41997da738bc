//! Value numbering: what is computed already is not computed again.
use super::{Component, On, Rule};

pub const RULES: &[Rule] = &[Rule {
    name: "same-operation",
    law: "x ∘ y … x ∘ y → the first of the two, twice",
    shows: ("arg * 5 == arg * 5", "int x = arg * 5; return x == x;"),
    on: On::Shared,
    shrinks: Component::Nodes,
    apply: |_, graph, id| {
        let known = graph.value_number(id);
        (known != id).then_some(known)
    },
}];

//! Constant folding: what is known while compiling is computed while compiling.
use super::{Component, On, Rule};
use crate::sea::Op;

pub const RULES: &[Rule] = &[Rule {
    name: "fold-constants",
    law: "op(c₁, c₂) → c",
    shows: ("2 * 3 + 1", "7"),
    on: On::Value,
    shrinks: Component::Weight,
    apply: |_, graph, id| {
        let ty = graph.ty(id);
        graph.types.value(ty)?;
        let constant = graph.create(Op::Constant(ty), &[]);
        graph.set_type(constant, ty);
        Some(constant)
    },
}];

//! Constant folding: what is known while compiling is computed while compiling.
use super::{Component, Rule};
use crate::sea::Op;
use picture::Kind;

pub const RULES: &[Rule] = &[Rule {
    name: "fold-constants",
    law: "op(c₁, c₂) → c",
    example: ("2 * 3 + 1", "7"),
    root: &|graph, id| {
        let is_known = graph.value(id).is_some();
        is_known
            && graph.op(id).row().kind == Kind::Data
            && !matches!(graph.op(id), Op::Constant(_))
    },
    decreases: Component::Weight,
    apply: &|_, graph, id| {
        let ty = graph.ty(id);
        let constant = graph.create(Op::Constant(ty), &[]);
        graph.set_type(constant, ty);
        Some(constant)
    },
}];

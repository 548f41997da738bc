//! The algebra of integers: the laws of `peepholes.rules` as rules of the engine.
use super::law::Law;
use super::resolve::read;
use super::{Apply, IsRoot, Rule};
use std::sync::LazyLock;

/// The laws, read when they are first needed.
pub static LAWS: LazyLock<Vec<Law>> = LazyLock::new(|| {
    let laws = read(include_str!("peepholes.rules"));
    laws.unwrap_or_else(|errors| panic!("peepholes.rules: {errors:?}"))
});

/// A rule for each law.
pub static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| LAWS.iter().map(rule).collect());

fn rule(law: &'static Law) -> Rule {
    let root: Box<IsRoot> = Box::new(|graph, id| law.is_root(graph, id));
    let apply: Box<Apply> = Box::new(|engine, graph, id| law.apply(engine, graph, id));
    Rule {
        name: &law.name,
        law: &law.text,
        example: (&law.example.0, &law.example.1),
        root: Box::leak(root),
        decreases: law.decreases,
        apply: Box::leak(apply),
    }
}

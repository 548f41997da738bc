//! Peepholes: small rewrites, each a named rule, tried on every node that is made.
//!
//! The parser passes each new node to `Engine::peephole` before the node is used. The engine infers
//! the node's type, tries the rules for its kind in the order of the tables, and begins again
//! with the node that took its place. That ends, because every rule makes a measure
//! smaller (see `termination_measure`), whichever of the others are switched off.
//! Source: C. Click, "From Quads to Graphs: An Intermediate Representation's Journey", 1993.
#[cfg(feature = "ch04")]
mod algebra;
#[cfg(feature = "ch06")]
mod control;
mod fold;
#[cfg(feature = "ch09")]
mod inspection;
#[cfg(feature = "ch04")]
mod law;
#[cfg(feature = "ch05")]
mod phi;
#[cfg(feature = "ch04")]
mod reader;
mod termination_measure;
#[cfg(feature = "ch09")]
mod value_numbering;
#[cfg(feature = "ch09")]
mod worklist;

use crate::sea::{Graph, NodeId, Op, excerpt, infer};
pub use crate::stage::Step;
use termination_measure::Before;
pub use termination_measure::Component;
#[cfg(feature = "ch09")]
pub use worklist::{Optimized, optimize};

/// A peephole: registration, documentation and test in one row.
pub struct Rule {
    pub name: &'static str,
    /// The rewrite as mathematics.
    pub law: &'static str,
    /// An expression or a program it fires on, and what remains of it.
    pub example: (&'static str, &'static str),
    /// The nodes it is tried on.
    pub root: &'static IsRoot,
    /// The component of the measure that every firing makes smaller, unless it makes one before
    /// it smaller.
    pub decreases: Component,
    pub apply: &'static Apply,
}

pub type IsRoot = dyn Fn(Op) -> bool + Sync;

/// Returns the node that takes the place of this one: another node, or the node itself if it was
/// changed in place. None if the rule does not fit.
pub type Apply = dyn Fn(&mut Engine, &mut Graph, NodeId) -> Option<NodeId> + Sync;

/// Every rule, in the order in which they are tried.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let tables: [&[Rule]; _] = [
        fold::RULES,
        #[cfg(feature = "ch04")]
        &algebra::RULES,
        #[cfg(feature = "ch05")]
        phi::RULES,
        #[cfg(feature = "ch06")]
        control::RULES,
        #[cfg(feature = "ch09")]
        value_numbering::RULES,
    ];
    tables.into_iter().flatten()
}

/// An example as a program: an expression is returned.
#[cfg(test)]
pub fn program(example: &str) -> String {
    if example.ends_with(';') { example.into() } else { format!("return {example};") }
}

/// Applies the rules that are switched on.
pub struct Engine {
    rules: Vec<&'static Rule>,
    /// For each kind of node the rules with such a root, once they are needed.
    tried: Vec<Option<Vec<&'static Rule>>>,
    /// The rewrites, if they are traced.
    pub steps: Option<Vec<Step>>,
}

impl Engine {
    /// An engine with these rules; `trace` makes it write down every firing.
    pub fn new(rules: Vec<&'static Rule>, trace: bool) -> Engine {
        Engine { rules, tried: Vec::new(), steps: trace.then(Vec::new) }
    }

    /// Makes a node and returns the best there is in its place.
    pub fn node(&mut self, graph: &mut Graph, op: Op, inputs: &[NodeId]) -> NodeId {
        let new = graph.create(op, inputs);
        self.peephole(graph, new)
    }

    /// The best there is in place of `id`. Users that `id` has already keep it.
    pub fn peephole(&mut self, graph: &mut Graph, mut id: NodeId) -> NodeId {
        loop {
            let ty = infer(graph, id);
            graph.set_type(id, ty);
            let Some(better) = self.rewrite(graph, id) else { return id };
            if better != id {
                graph.kill_unless_used(id, better);
            }
            id = better;
        }
    }

    /// Puts the best there is in the place of `id`, whose users are known already.
    #[cfg(feature = "ch05")]
    pub fn improve(&mut self, graph: &mut Graph, id: NodeId) -> NodeId {
        let better = self.peephole(graph, id);
        if better != id {
            graph.replace(id, better);
        }
        better
    }

    /// Applies the first rule that fits.
    fn rewrite(&mut self, graph: &mut Graph, id: NodeId) -> Option<NodeId> {
        let kind = self.find_rules(graph.op(id));
        let measured = cfg!(debug_assertions).then(|| Before::new(graph, id));
        let before = self.steps.is_some().then(|| excerpt(graph, id));
        for at in 0.. {
            let Some(&rule) = self.tried[kind].as_ref()?.get(at) else { break };
            let Some(better) = (rule.apply)(self, graph, id) else { continue };
            let decreases = |before: Before| before.decreases(graph, better, rule.decreases);
            debug_assert!(measured.is_none_or(decreases), "{}", rule.name);
            if let Some(steps) = &mut self.steps {
                let (before, after) = (before.unwrap_or_default(), excerpt(graph, better));
                steps.push(Step { rule: rule.name, before, after });
            }
            return Some(better);
        }
        None
    }

    /// Finds the rules for the kind of node, at the first node of this kind. Returns its number.
    fn find_rules(&mut self, op: Op) -> usize {
        let kind = op.kind();
        if self.tried.len() <= kind {
            self.tried.resize(kind + 1, None);
        }
        let fitting = || self.rules.iter().copied().filter(|rule| (rule.root)(op)).collect();
        self.tried[kind].get_or_insert_with(fitting);
        kind
    }
}

//! Peepholes: small rewrites, each a named row of a table, tried on every node that is made.
//!
//! The parser hands each new node to `Engine::peephole` before anyone uses it. The engine infers
//! the node's type, tries the rules for its kind in the order of the tables, and begins again
//! with what a rule put in the node's place. That ends, because every rule makes a measure
//! smaller (see `measure`), whichever of the others are switched off.
//! Source: C. Click, "From Quads to Graphs: An Intermediate Representation's Journey", 1993.
#[cfg(feature = "ch04")]
mod algebra;
#[cfg(feature = "ch04")]
mod compare;
#[cfg(feature = "ch06")]
mod control;
mod fold;
mod measure;
#[cfg(feature = "ch09")]
mod number;
#[cfg(feature = "ch05")]
mod phi;
#[cfg(feature = "ch09")]
mod worklist;

#[cfg(feature = "ch04")]
use crate::arith::Binary;
use crate::sea::{Graph, NodeId, Op, excerpt, infer};
pub use crate::stage::Rewrite;
use measure::Before;
pub use measure::Component;
use picture::Kind;
#[cfg(feature = "ch09")]
pub use worklist::{Optimum, optimize};

/// A peephole: registration, documentation and test in one row.
pub struct Rule {
    pub name: &'static str,
    /// What it does, as mathematics.
    pub law: &'static str,
    /// An expression or a program it fires on, and what remains of it.
    pub shows: (&'static str, &'static str),
    pub on: On,
    /// The component of the measure that every firing makes smaller, unless it makes one before
    /// it smaller.
    pub shrinks: Component,
    /// Hands back what to put in the node's place: another node, or the node itself if it was
    /// changed where it stands.
    pub apply: fn(&mut Engine, &mut Graph, NodeId) -> Option<NodeId>,
}

/// The nodes a rule is tried on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum On {
    /// All that yield a value.
    Value,
    #[cfg(feature = "ch04")]
    Binary(Binary),
    #[cfg(feature = "ch04")]
    Compare,
    #[cfg(feature = "ch05")]
    Phi,
    /// What control may come through: a way out of an If, a Region, a Loop.
    #[cfg(feature = "ch06")]
    Way,
    #[cfg(feature = "ch06")]
    If,
    #[cfg(feature = "ch09")]
    Stop,
    /// All that do the same whenever their inputs are the same.
    #[cfg(feature = "ch09")]
    Shared,
}

/// Every rule, in the order in which they are tried.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let tables = [
        fold::RULES,
        #[cfg(feature = "ch04")]
        algebra::RULES,
        #[cfg(feature = "ch04")]
        compare::RULES,
        #[cfg(feature = "ch05")]
        phi::RULES,
        #[cfg(feature = "ch06")]
        control::RULES,
        #[cfg(feature = "ch09")]
        number::RULES,
    ];
    tables.into_iter().flatten()
}

/// What a rule shows as a program: an expression is returned.
#[cfg(test)]
pub fn program(shown: &str) -> String {
    if shown.ends_with(';') { shown.into() } else { format!("return {shown};") }
}

/// Applies the rules that are switched on.
pub struct Engine {
    rules: Vec<&'static Rule>,
    /// For each kind of node the rules that are tried on it, once somebody has asked.
    tried: Vec<Option<Vec<&'static Rule>>>,
    /// What fired, if somebody wants to know.
    pub steps: Option<Vec<Rewrite>>,
}

impl Engine {
    /// An engine with these rules; `trace` makes it write down every firing.
    pub fn new(rules: Vec<&'static Rule>, trace: bool) -> Engine {
        Engine { rules, tried: Vec::new(), steps: trace.then(Vec::new) }
    }

    /// Makes a node and hands back the best there is in its place.
    pub fn node(&mut self, graph: &mut Graph, op: Op, inputs: &[NodeId]) -> NodeId {
        let new = graph.create(op, inputs);
        self.peephole(graph, new)
    }

    /// The best there is in place of `id`. Whoever uses `id` already goes on using it.
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
            let shrinks = |before: Before| before.shrinks(graph, better, rule.shrinks);
            debug_assert!(measured.is_none_or(shrinks), "{}", rule.name);
            if let Some(steps) = &mut self.steps {
                let (before, after) = (before.unwrap_or_default(), excerpt(graph, better));
                steps.push(Rewrite { rule: rule.name, before, after });
            }
            return Some(better);
        }
        None
    }

    /// Sees to it that the rules for such a node are found; they are those for its kind.
    fn find_rules(&mut self, op: Op) -> usize {
        let kind = op.kind();
        if self.tried.len() <= kind {
            self.tried.resize(kind + 1, None);
        }
        let fitting = || self.rules.iter().copied().filter(|rule| rule.on.fits(op)).collect();
        self.tried[kind].get_or_insert_with(fitting);
        kind
    }
}

/// Control that is no way: it begins, ends, or goes two ways.
#[cfg(feature = "ch06")]
const NO_WAYS: [Op; 5] = [Op::Start, Op::If, Op::Return, Op::Stop, Op::DeadControl];

impl On {
    fn fits(self, op: Op) -> bool {
        match self {
            On::Value => op.row().kind == Kind::Data && !matches!(op, Op::Constant(_)),
            #[cfg(feature = "ch04")]
            On::Binary(binary) => op == Op::Binary(binary),
            #[cfg(feature = "ch04")]
            On::Compare => matches!(op, Op::Compare(_)),
            #[cfg(feature = "ch05")]
            On::Phi => op.is_phi(),
            #[cfg(feature = "ch06")]
            On::If => op == Op::If,
            #[cfg(feature = "ch09")]
            On::Shared => op.row().kind == Kind::Data || op == Op::DeadControl,
            #[cfg(feature = "ch06")]
            On::Way => op.row().kind == Kind::Control && !NO_WAYS.contains(&op),
            #[cfg(feature = "ch09")]
            On::Stop => op == Op::Stop,
        }
    }
}

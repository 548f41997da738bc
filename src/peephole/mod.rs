//! Peepholes: small rewrites, each a named rule, tried on every node that is made.
//!
//! The parser passes each new node to `Engine::peephole` before the node is used. The engine infers
//! the node's type, tries the rules for its kind in the order of the tables, and begins again
//! with the node that took its place. That ends, because every rule makes a measure
//! smaller (see `termination_measure`), whichever of the others are switched off.
//! Source: C. Click, "From Quads to Graphs: An Intermediate Representation's Journey", 1993.
#[cfg(feature = "ch04")]
mod algebra;
#[cfg(feature = "ch14")]
mod bits;
#[cfg(feature = "ch04")]
mod canonical_order;
#[cfg(feature = "ch11")]
mod congruent_phis;
#[cfg(feature = "ch06")]
mod control;
#[cfg(feature = "ch14")]
mod demanded_bits;
#[cfg(feature = "ch09")]
mod dependents;
mod fold;
#[cfg(feature = "ch09")]
mod inspection;
#[cfg(feature = "ch04")]
mod law;
#[cfg(feature = "ch09")]
mod like_terms;
#[cfg(feature = "ch10")]
mod memory;
#[cfg(feature = "ch05")]
mod phi;
#[cfg(feature = "ch10")]
mod reader;
#[cfg(feature = "ch04")]
mod resolve;
mod termination_measure;
#[cfg(test)]
#[cfg(feature = "ch04")]
mod tests;
#[cfg(feature = "ch09")]
mod value_numbering;
#[cfg(feature = "ch09")]
mod worklist;

#[cfg(feature = "ch09")]
use crate::sea::dot::{Bindings, name_in_steps, picture_of_step};
use crate::sea::{Graph, NodeId, Op, excerpt, infer};
pub use crate::stage::Rewrite;
#[cfg(feature = "ch19")]
pub use algebra::LAWS;
use arena::FxHashMap;
#[cfg(feature = "ch09")]
use dependents::Noted;
#[cfg(feature = "ch09")]
use inspection::{Inspection, inspections_of};
#[cfg(feature = "ch19")]
pub use law::{Law, Operation, Slot, Term};
use picture::Kind;
#[cfg(feature = "ch28")]
pub use resolve::read as read_laws;
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
    /// Whether it is tried on a node. That depends only on the shape of the node, see `shape`.
    pub root: &'static IsRoot,
    /// The component of the measure that every firing makes smaller, unless it makes one before
    /// it smaller.
    pub decreases: Component,
    pub apply: &'static Apply,
}

pub type IsRoot = dyn Fn(&Graph, NodeId) -> bool + Sync;

/// Returns the node that takes the place of this one: another node, or the node itself if it was
/// changed in place. None if the rule does not fit.
pub type Apply = dyn Fn(&mut Engine, &mut Graph, NodeId) -> Option<NodeId> + Sync;

/// Every rule, in the order in which they are tried.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let tables: [&[Rule]; _] = [
        fold::RULES,
        #[cfg(feature = "ch04")]
        &algebra::RULES,
        #[cfg(feature = "ch14")]
        bits::RULES,
        #[cfg(feature = "ch14")]
        demanded_bits::RULES,
        #[cfg(feature = "ch09")]
        like_terms::RULES,
        #[cfg(feature = "ch11")]
        congruent_phis::RULES,
        #[cfg(feature = "ch05")]
        phi::RULES,
        #[cfg(feature = "ch06")]
        control::RULES,
        #[cfg(feature = "ch10")]
        memory::RULES,
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

/// A node that a rule has replaced by another one.
#[cfg(feature = "ch28")]
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    pub rule: &'static str,
    pub old: NodeId,
    pub new: NodeId,
}

/// Applies the rules that are switched on.
pub struct Engine {
    rules: Vec<&'static Rule>,
    /// For each shape of nodes that has occurred, the number of its lists.
    shapes: FxHashMap<u32, usize>,
    /// The rules that are tried on nodes of a shape.
    tried: Vec<Vec<&'static Rule>>,
    /// The nodes below such nodes that the laws among these rules inspect.
    #[cfg(feature = "ch09")]
    inspected: Vec<Vec<&'static Inspection>>,
    /// The rewrites, if they are traced.
    pub steps: Option<Vec<Rewrite>>,
    /// The replaced nodes, if they are noted.
    #[cfg(feature = "ch28")]
    pub replacements: Option<Vec<Replacement>>,
    /// The nodes that the rules inspected the last time they were tried.
    #[cfg(feature = "ch09")]
    noted: Noted,
    /// Phis that are congruent to others, which are to replace them.
    #[cfg(feature = "ch11")]
    congruent: FxHashMap<NodeId, NodeId>,
    /// The variables that pictures of steps show, while the program is parsed.
    #[cfg(feature = "ch09")]
    pub bindings: Option<Bindings>,
}

impl Engine {
    /// An engine with these rules; `trace` makes it write down every firing.
    pub fn new(rules: Vec<&'static Rule>, trace: bool) -> Engine {
        let (shapes, tried) = (FxHashMap::default(), Vec::new());
        Engine {
            rules,
            shapes,
            tried,
            #[cfg(feature = "ch09")]
            inspected: Vec::new(),
            steps: trace.then(Vec::new),
            #[cfg(feature = "ch28")]
            replacements: None,
            #[cfg(feature = "ch09")]
            noted: Noted::new(),
            #[cfg(feature = "ch11")]
            congruent: FxHashMap::default(),
            #[cfg(feature = "ch09")]
            bindings: None,
        }
    }

    /// Makes a node and returns the best there is in its place.
    pub fn node(&mut self, graph: &mut Graph, op: Op, inputs: &[NodeId]) -> NodeId {
        #[cfg(feature = "ch09")]
        if let Some(known) = self.known(graph, op, inputs) {
            return known;
        }
        let new = graph.create(op, inputs);
        self.peephole(graph, new)
    }

    /// The congruent node, so that it is not made again. If the rewrites are traced, it is: they
    /// show that it is replaced.
    #[cfg(feature = "ch09")]
    pub fn known(&self, graph: &Graph, op: Op, inputs: &[NodeId]) -> Option<NodeId> {
        if self.steps.is_some() {
            return None;
        }
        #[cfg(feature = "ch28")]
        if self.replacements.is_some() {
            return None;
        }
        graph.congruent(op, inputs)
    }

    /// The best there is in place of `id`. Users that `id` has already keep it.
    pub fn peephole(&mut self, graph: &mut Graph, mut id: NodeId) -> NodeId {
        loop {
            let ty = infer(graph, id);
            graph.set_type(id, ty);
            let list = self.find_rules(graph, id);
            let Some(better) = self.rewrite(graph, id, list) else { return id };
            if better != id {
                #[cfg(feature = "ch10")]
                move_pinned(graph, id, better);
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

    /// Applies the first rule that fits, of the list for the shape of `id`.
    fn rewrite(&mut self, graph: &mut Graph, id: NodeId, list: usize) -> Option<NodeId> {
        #[cfg(feature = "ch09")]
        self.noted.clear();
        let measured = cfg!(debug_assertions).then(|| Before::new(graph, id));
        let before = self.steps.is_some().then(|| excerpt(graph, id));
        for at in 0..self.tried[list].len() {
            let rule = self.tried[list][at];
            let Some(better) = (rule.apply)(self, graph, id) else { continue };
            let decreases = |before: Before| before.decreases(graph, better, rule.decreases);
            debug_assert!(measured.is_none_or(decreases), "{}", rule.name);
            #[cfg(feature = "ch28")]
            self.note_replacement(rule.name, id, better);
            if let Some(steps) = &mut self.steps {
                let (before, after) = (before.unwrap_or_default(), excerpt(graph, better));
                steps.push(Rewrite {
                    rule: rule.name,
                    before,
                    after,
                    #[cfg(feature = "ch09")]
                    node: name_in_steps(better),
                    #[cfg(feature = "ch09")]
                    origin: graph.origin(id),
                    #[cfg(feature = "ch09")]
                    picture: picture_of_step(graph, better, self.bindings.as_ref()),
                });
            }
            return Some(better);
        }
        None
    }

    /// The number of the lists for the shape of this node.
    fn find_rules(&mut self, graph: &Graph, id: NodeId) -> usize {
        *self.shapes.entry(shape(graph, id)).or_insert_with(|| {
            let rules = self.rules.iter().copied();
            let tried: Vec<_> = rules.filter(|rule| (rule.root)(graph, id)).collect();
            #[cfg(feature = "ch09")]
            self.inspected.push(inspections_of(&tried));
            self.tried.push(tried);
            self.tried.len() - 1
        })
    }
}

/// Replacements.
#[cfg(feature = "ch28")]
impl Engine {
    /// Notes the replaced nodes from now on.
    pub fn note_replacements(&mut self) {
        self.replacements = Some(Vec::new());
    }

    fn note_replacement(&mut self, rule: &'static str, old: NodeId, new: NodeId) {
        if let Some(replacements) = self.replacements.as_mut().filter(|_| old != new) {
            replacements.push(Replacement { rule, old, new });
        }
    }
}

/// Objects are made, and memory is written, where control passes: if it passes elsewhere, they move
/// along. A loop whose body is being parsed stays.
#[cfg(feature = "ch10")]
fn move_pinned(graph: &mut Graph, control: NodeId, better: NodeId) {
    let is_open = graph.op(control) == Op::Loop && graph.inputs(control).len() < 2;
    if graph.op(control).row().kind == Kind::Control && !is_open {
        graph.replace(control, better);
    }
}

/// The kind of a node and the class of its value; of an operation, the same for its operands, and
/// whether they are the same node. The number is the key of an index: of many rules, few fit a
/// shape.
fn shape(graph: &Graph, id: NodeId) -> u32 {
    let part = |node: NodeId| u32::from(graph.class(node));
    let pair =
        |[left, right]: [NodeId; 2]| part(left) << 9 | part(right) << 1 | u32::from(left == right);
    let operands = match graph.op(id) {
        Op::Unary(_) => part(graph.input(id, 0)),
        Op::Binary(_) => pair(graph.operands(id)),
        #[cfg(feature = "ch04")]
        Op::Compare(_) => pair(graph.operands(id)),
        _ => 0,
    };
    part(id) << 17 | operands
}

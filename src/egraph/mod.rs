//! Equality saturation: rules add equal forms, and none is lost; at the end the cheapest is taken.
//!
//! An *e-graph* is a set of classes of equal nodes. The operands of a node are classes, so a few
//! nodes stand for many expressions. Rules make classes equal until no rule finds anything new, or
//! a budget is exhausted.
//! Source: R. Tate, M. Stepp, Z. Tatlock, S. Lerner, "Equality Saturation: A New Approach to
//! Optimization", POPL 2009.
mod budget;
mod calls;
mod classes;
mod cost;
mod extraction;
mod fact;
mod factors;
mod forms;
mod interval;
mod laws;
mod loop_node;
mod loops;
mod node;
mod operands;
mod polynomial;
mod ranges;
mod rules;
mod saturation;
mod sums;
mod switches;
#[cfg(test)]
mod tests;
mod trip_count;

pub use laws::REGION_LAWS;
pub use rules::{Rule, rules};

use crate::region::{self, Graph, Head};
use crate::stage::{Artifact, Outcome, Rewrite, Violation};
use classes::Classes;
use forms::Forms;
use node::{Id, Node};
use picture::Picture;
use saturation::{MAX_ITERATIONS, Saturation};
use std::collections::BTreeMap;

/// A program after saturation and extraction.
pub struct Saturated {
    pub graph: Graph,
    /// The budgets that were exhausted.
    pub limits: Vec<&'static str>,
    /// How often each rule has made classes equal.
    pub fired: BTreeMap<&'static str, usize>,
    pub iterations: u64,
    /// The number of nodes that the e-graph had at last.
    pub nodes: usize,
    /// The classes that the result may need.
    pub classes: Classes,
    /// The unions, if they are traced.
    pub steps: Vec<Rewrite>,
}

/// The cheapest program that the rules find; those that are named in `without` are switched off.
/// `trace` notes every union.
pub fn saturate(graph: &Graph, without: &[String], trace: bool) -> Saturated {
    let (terms, root) = region::terms_with_passes(graph);
    let (mut saturation, root) = Saturation::new(&terms, root);
    saturation.without = without.iter().cloned().collect();
    saturation.traced = trace.then(Vec::new);
    loop {
        saturation.forms = Forms::new(&saturation.graph, &saturation.retired_classes());
        let before = saturation.unions;
        if saturation.iteration == MAX_ITERATIONS || !saturation.take_visits() {
            saturation.limit("iterations");
            break;
        }
        iterate(&mut saturation, root);
        saturation.iteration += 1;
        saturation.without_calls.clear();
        saturation.graph.rebuild();
        if saturation.unions == before || saturation.is_exhausted() {
            break;
        }
    }
    saturation.forms = Forms::new(&saturation.graph, &saturation.retired_classes());
    let (extracted, classes) = extraction::extract(&mut saturation, root);
    Saturated {
        graph: extracted.unwrap_or_else(|| graph.clone()),
        limits: saturation.limits,
        fired: saturation.fired,
        iterations: saturation.iteration,
        nodes: saturation.graph.nodes().len(),
        classes,
        steps: saturation.traced.unwrap_or_default(),
    }
}

/// Applies all rules once.
fn iterate(saturation: &mut Saturation, root: Id) {
    // Both read the graph as it was.
    let matches = laws::search(saturation);
    let (polynomials, equal) = sums::search(saturation);
    laws::apply(saturation, &matches);
    ranges::apply_to_all(saturation);
    equal.into_iter().for_each(|(a, b)| saturation.union(sums::RULE, a, b));
    for (tuple, node) in tuples(saturation, root) {
        if saturation.is_exhausted() {
            return;
        }
        let is_retired = saturation.form(tuple).is_none();
        if is_retired {
            continue;
        }
        match node.head {
            Head::Call => calls::apply(saturation, tuple, &node),
            Head::Loop if is_new(saturation, &node) => {
                loops::apply(saturation, &polynomials, tuple, &node);
            }
            Head::Switch { .. } if is_new(saturation, &node) => {
                switches::apply(saturation, &polynomials, tuple, &node);
            }
            _ => {}
        }
    }
}

/// The nodes with several outputs that the program may contain, in the order of their classes.
/// Rules try substitutions whose results are not used; those are left out.
fn tuples(saturation: &Saturation, root: Id) -> Vec<(Id, Node)> {
    let graph = &saturation.graph;
    let mut is_needed = vec![false; graph.nodes().len()];
    let mut open = vec![graph.find(root)];
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut is_needed[usize::from(id)], true) {
            let operands = graph[id].nodes.iter().flat_map(|it| &it.operands);
            open.extend(operands.map(|it| graph.find(*it)));
        }
    }
    let classes = (0..is_needed.len()).filter(|it| is_needed[*it]).map(Id::from);
    let nodes = classes.flat_map(|id| graph[id].nodes.iter().map(move |it| (id, it)));
    let has_rules =
        |node: &Node| matches!(node.head, Head::Call | Head::Loop | Head::Switch { .. });
    nodes.filter(|it| has_rules(it.1)).map(|(id, node)| (id, node.clone())).collect()
}

/// Whether the rules have not seen the node, or an operand has a cheaper form since then.
fn is_new(saturation: &mut Saturation, node: &Node) -> bool {
    let costs = node.operands.iter().filter_map(|it| saturation.form(*it)).map(|it| it.cost);
    let costs = costs.fold(0_u64, |sum, cost| sum.wrapping_mul(31).wrapping_add(cost));
    saturation.seen.insert(node.clone(), costs) != Some(costs)
}

impl Artifact for Saturated {
    fn print(&self) -> String {
        let limit = |name: &&str| format!("# limit: {name}\n");
        self.limits.iter().map(limit).collect::<String>() + &self.graph.print()
    }

    /// The size of the e-graph and the firings of rules, and then the program.
    fn listing(&self) -> String {
        let mut text = format!("# {} iterations, {} nodes\n", self.iterations, self.nodes);
        for (rule, count) in &self.fired {
            text += &format!("# {rule}: {count}\n");
        }
        text + &self.print()
    }

    fn picture(&self) -> Option<Picture> {
        self.graph.picture()
    }

    fn verify(&self) -> Vec<Violation> {
        self.graph.verify()
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        self.graph.eval(argument)
    }

    fn eval_all(&self, arguments: &[i64]) -> Option<Outcome> {
        self.graph.eval_all(arguments)
    }
}

//! From the e-graph back to regions: the cheapest shared expression of the program's class.
//!
//! A class is one node in each scope that needs it, with the cost of that scope: inside of a loop,
//! everything costs more. So the classes of the problem are pairs of a scope and a class. A form
//! with regions inside opens scopes of its own.
use super::classes::{self, Class, Classes};
use super::cost::{self, LOOP_WEIGHT};
use super::node::{Id, Node, needed_arguments};
use super::saturation::Saturation;
use crate::extract::{self, Extraction, Form, Problem};
use crate::region::{self, Graph, Head, TermId, Terms};
use arena::{FxHashMap, FxHashSet};

/// The limit for the classes of a problem; a larger program takes the cheapest form of each class.
const MAX_CLASSES: usize = 20_000;
/// The cost of deeper loops is not larger.
const MAX_WEIGHT: u64 = LOOP_WEIGHT.pow(4);

/// The program of the cheapest forms, none if its parts do not fit together; and the classes, none
/// if the problem is too large.
pub fn extract(saturation: &mut Saturation, root: Id) -> (Option<Graph>, Classes) {
    let root = saturation.graph.find(root);
    let Some(builder) = ProblemBuilder::build(saturation, root) else {
        saturation.limit("classes of the extraction");
        return (cheapest_forms(saturation, root), Classes::default());
    };
    let Ok(extraction) = extract::extract(&builder.problem) else {
        return (None, Classes::default());
    };
    let program = builder.program(&extraction.choices);
    let classes = builder.into_classes(&extraction);
    if !extraction.is_optimal() {
        saturation.limit("optimality of the extraction");
    }
    (program, classes)
}

/// The number of a scope.
type Scope = u32;

struct ScopeData {
    /// The factor of all costs in it.
    weight: u64,
    /// The number of its arguments.
    arguments: u32,
    region: classes::Scope,
}

struct ProblemBuilder<'s> {
    saturation: &'s Saturation,
    problem: Problem,
    /// The node of each form.
    nodes: Vec<Vec<Node>>,
    classes: Vec<(Scope, Id)>,
    numbers: FxHashMap<(Scope, Id), u32>,
    scopes: Vec<ScopeData>,
    /// The scopes of functions, which do not depend on the scopes of their nodes.
    functions: FxHashMap<Node, Scope>,
}

impl ProblemBuilder<'_> {
    /// The problem of a program; none if it is too large.
    fn build(saturation: &Saturation, root: Id) -> Option<ProblemBuilder<'_>> {
        let mut builder = ProblemBuilder {
            saturation,
            problem: Problem::default(),
            nodes: Vec::new(),
            classes: Vec::new(),
            numbers: FxHashMap::default(),
            scopes: vec![ScopeData {
                weight: 1,
                arguments: 0,
                region: classes::Scope { title: "program", parent: None },
            }],
            functions: FxHashMap::default(),
        };
        let root = builder.class(0, root);
        builder.problem.roots.push(root);
        while builder.nodes.len() < builder.classes.len() {
            let (scope, id) = builder.classes[builder.nodes.len()];
            let nodes = builder.worthwhile_nodes(scope, id);
            let forms = nodes.iter().map(|node| builder.form(scope, node)).collect();
            builder.problem.classes.push(forms);
            builder.nodes.push(nodes);
            if builder.classes.len() > MAX_CLASSES {
                return None;
            }
        }
        Some(builder)
    }

    fn class(&mut self, scope: Scope, id: Id) -> u32 {
        let id = self.saturation.graph.find(id);
        let next = self.classes.len() as u32;
        let number = *self.numbers.entry((scope, id)).or_insert(next);
        if number == next {
            self.classes.push((scope, id));
        }
        number
    }

    /// The nodes of a class that need only the arguments of the scope, without those that cost far
    /// more than the cheapest, even if all that is shared costs nothing.
    fn worthwhile_nodes(&self, scope: Scope, id: Id) -> Vec<Node> {
        let graph = &self.saturation.graph;
        let cost = |node: &Node| {
            let operands = node.operands.iter();
            let costs = operands.map(|it| self.saturation.form(*it).map(|form| form.cost));
            Some(cost::whole(graph, node, &costs.collect::<Option<Vec<_>>>()?))
        };
        let arguments = self.scopes[scope as usize].arguments;
        let nodes = graph[id].nodes.iter().filter(|it| needed_arguments(graph, it) <= arguments);
        let nodes = nodes.filter_map(|node| Some((node, cost(node)?)));
        let nodes: Vec<(&Node, u64)> = nodes.collect();
        let least = nodes.iter().map(|it| it.1).min().unwrap_or(0);
        let most = least.saturating_mul(2).saturating_add(32);
        nodes.into_iter().filter(|it| it.1 <= most).map(|it| it.0.clone()).collect()
    }

    fn form(&mut self, scope: Scope, node: &Node) -> Form {
        let weight = self.scopes[scope as usize].weight;
        let cost = cost::own(&self.saturation.graph, node).saturating_mul(weight);
        let (outside, inside) = node.split();
        let mut children: Vec<u32> = outside.iter().map(|it| self.class(scope, *it)).collect();
        let regions = match node.head {
            Head::Switch { cases, .. } => cases as usize,
            _ => usize::from(!inside.is_empty()),
        };
        for at in 0..regions {
            let results = inside.len() / regions;
            let scope = self.inner_scope(scope, node);
            let results = &inside[at * results..][..results];
            children.extend(results.iter().map(|it| self.class(scope, *it)).collect::<Vec<_>>());
        }
        Form { cost: u32::try_from(cost).unwrap_or(u32::MAX), children }
    }

    fn inner_scope(&mut self, scope: Scope, node: &Node) -> Scope {
        let next = self.scopes.len() as Scope;
        if let Head::Function { .. } = node.head {
            let known = *self.functions.entry(node.clone()).or_insert(next);
            if known != next {
                return known;
            }
        }
        let around = self.scopes[scope as usize].weight;
        let outside = node.split().0.len() as u32;
        let (weight, arguments, title) = match node.head {
            Head::Function { inputs, .. } => (1, inputs + outside, "function"),
            Head::Loop => ((around * LOOP_WEIGHT).min(MAX_WEIGHT), outside, "loop"),
            Head::Switch { .. } => (around, outside - 1, "case"),
            _ => (around, outside, "region"),
        };
        // A function may be used in any scope.
        let parent = (title != "function").then_some(scope as usize);
        let region = classes::Scope { title, parent };
        self.scopes.push(ScopeData { weight, arguments, region });
        next
    }

    fn into_classes(self, extraction: &Extraction) -> Classes {
        let parts = self.classes.into_iter().zip(self.nodes).zip(self.problem.classes);
        let classes =
            parts.zip(&extraction.choices).map(|((((scope, _), nodes), forms), &chosen)| {
                Class::new(scope as usize, &nodes, forms, chosen)
            });
        Classes {
            scopes: self.scopes.into_iter().map(|it| it.region).collect(),
            classes: classes.collect(),
            cost: extraction.cost,
            bound: extraction.bound,
        }
    }

    /// The program of the chosen forms, which have no cycle.
    fn program(&self, choices: &[Option<u32>]) -> Option<Graph> {
        let mut terms = Terms::default();
        let places = self.saturation.places();
        let mut made: Vec<Option<TermId>> = vec![None; choices.len()];
        let root = *self.problem.roots.first()?;
        let mut open = vec![root];
        while let Some(&class) = open.last() {
            let at = class as usize;
            if made[at].is_some() {
                open.pop();
                continue;
            }
            let choice = choices[at]? as usize;
            let children = &self.problem.classes[at][choice].children;
            let before = open.len();
            open.extend(children.iter().rev().filter(|it| made[**it as usize].is_none()));
            if open.len() > before {
                continue;
            }
            let operands: Vec<TermId> =
                children.iter().filter_map(|it| made[*it as usize]).collect();
            let term = term(&mut terms, self.nodes[at][choice].head, operands);
            if let Some(&place) = places.get(&self.classes[at].1) {
                terms.note_place(term, place);
            }
            made[at] = Some(term);
        }
        region::graph(&terms, made[root as usize]?).ok()
    }
}

/// The program of the cheapest form of each class, if nothing is shared.
fn cheapest_forms(saturation: &Saturation, root: Id) -> Option<Graph> {
    let mut terms = Terms::default();
    let mut made: FxHashMap<Id, TermId> = FxHashMap::default();
    let mut entered: FxHashSet<Id> = FxHashSet::default();
    let mut open = vec![root];
    while let Some(&id) = open.last() {
        if made.contains_key(&id) {
            open.pop();
            continue;
        }
        let node = &saturation.form(id)?.node;
        let before = open.len();
        open.extend(node.operands.iter().rev().filter(|it| !made.contains_key(it)));
        if open.len() > before {
            if !entered.insert(id) {
                return None;
            }
            continue;
        }
        let operands: Vec<TermId> = node.operands.iter().map(|it| made[it]).collect();
        made.insert(id, term(&mut terms, node.head, operands));
    }
    region::graph(&terms, made[&root]).ok()
}

/// A term. In the text, a constant predicate must be the number of a case; others mean the last. A
/// state that a force without values passes is the state itself.
fn term(terms: &mut Terms, head: Head, mut operands: Vec<TermId>) -> TermId {
    if let Head::Switch { cases, .. } = head
        && let Head::Number(number) = terms.head(operands[0])
        && !(0..i64::from(cases)).contains(&number)
    {
        operands[0] = terms.intern(Head::Number(i64::from(cases) - 1), &[]);
    }
    if head == Head::Component(0)
        && terms.head(operands[0]) == Head::Force
        && let &[state] = terms.operands(operands[0])
    {
        return state;
    }
    terms.intern(head, &operands)
}

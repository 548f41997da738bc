//! The e-graph while it grows: unions, substitution, budgets, and the firings of rules.
use super::budget::Budget;
use super::fact::Fact;
use super::forms::Forms;
use super::node::{EGraph, Facts, Id, Node, writes_inside};
use crate::arith::Binary;
use crate::region::{Head, Operator, Terms};
use crate::stage::Rewrite;
use arena::{FxHashMap, FxHashSet, Id as _};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The limit for iterations.
pub const MAX_ITERATIONS: u64 = 64;
/// The limit for the nodes of an e-graph, besides `GROWTH` for each node of the program.
const MAX_NODES: usize = 60_000;
const GROWTH: usize = 12;
/// The limit for the nodes that all iterations visit, besides `REVISITS` for each node of the
/// program.
const MAX_VISITS: usize = 500_000;
const REVISITS: usize = 4;
/// The limit for the nodes that one substitution makes.
const MAX_COPIES: usize = 20_000;
/// The limit for the steps of all loops that are executed at compile time.
const MAX_STEPS: u64 = 2_000_000;

/// An e-graph and its budgets.
pub struct Saturation {
    pub graph: EGraph,
    pub forms: Forms,
    /// For loops and switches, a summary of the forms when the rules were last applied to the node;
    /// for calls, the iteration.
    pub seen: FxHashMap<Node, u64>,
    /// The calls that copies of functions contain, and the depth of copies.
    pub depths: FxHashMap<Node, u32>,
    pub depth: u32,
    /// The classes whose forms contain no call that will be inlined, found in this iteration.
    pub without_calls: FxHashSet<Id>,
    pub iteration: u64,
    /// The number of nodes of the program.
    pub program_nodes: usize,
    pub max_nodes: usize,
    /// The budget of the forms of sums.
    pub sums: Budget,
    pub visits: usize,
    pub steps: u64,
    /// The budgets that were exhausted.
    pub limits: Vec<&'static str>,
    /// The rules that are switched off.
    pub without: BTreeSet<String>,
    /// How often each rule has made classes equal.
    pub fired: BTreeMap<&'static str, usize>,
    pub unions: usize,
    /// The places in the source text that nodes were made for.
    places: FxHashMap<Id, Span>,
    /// The tuples that are not used any more, and those that replace them.
    retired: Vec<(Id, Option<Id>)>,
    /// The unions, if they are traced.
    pub traced: Option<Vec<Rewrite>>,
}

impl Saturation {
    /// The e-graph of a program, and the class of the program.
    pub fn new(terms: &Terms, root: crate::region::TermId) -> (Saturation, Id) {
        let mut graph = EGraph::new(Facts);
        let mut ids: Vec<Id> = Vec::with_capacity(terms.len());
        let mut places = FxHashMap::default();
        for term in terms.ids() {
            let operands: Vec<_> = terms.operands(term).iter().map(|it| ids[it.index()]).collect();
            let id = graph.add(Node::new(terms.head(term), &operands));
            ids.push(id);
            // A number or an argument is one node in all places.
            let span = terms.term(term).span;
            if !operands.is_empty() && span != Span::default() {
                places.entry(id).or_insert(span);
            }
        }
        graph.rebuild();
        let saturation = Saturation {
            forms: Forms::default(),
            seen: FxHashMap::default(),
            depths: FxHashMap::default(),
            depth: 0,
            without_calls: FxHashSet::default(),
            iteration: 0,
            program_nodes: graph.nodes().len(),
            max_nodes: MAX_NODES + GROWTH * graph.nodes().len(),
            sums: Budget::default(),
            visits: MAX_VISITS + REVISITS * graph.nodes().len(),
            steps: MAX_STEPS,
            limits: Vec::new(),
            without: BTreeSet::new(),
            fired: BTreeMap::new(),
            unions: 0,
            places,
            retired: Vec::new(),
            traced: None,
            graph,
        };
        (saturation, ids[root.index()])
    }

    pub fn fact(&self, id: Id) -> Fact {
        self.graph[id].data
    }

    pub fn constant(&self, id: Id) -> Option<i64> {
        self.fact(id).constant()
    }

    pub fn is_same(&self, a: Id, b: Id) -> bool {
        self.graph.find(a) == self.graph.find(b)
    }

    /// The class of a node, and its form.
    pub fn add(&mut self, node: Node) -> Id {
        let before = self.graph.nodes().len();
        let id = self.graph.add(node.clone());
        self.forms.add(&self.graph, id, &node);
        for at in before..self.graph.nodes().len() {
            // The constant of a class is a class of its own at first.
            let new = self.graph.nodes()[at].clone();
            self.forms.add(&self.graph, Id::from(at), &new);
        }
        let id = self.graph.find(id);
        if let Some(value) = self.constant(id) {
            self.forms.replace(&self.graph, id, &Node::number(value));
        }
        if node.head == Head::Call && self.depth > 0 && self.graph.nodes().len() > before {
            self.depths.insert(node, self.depth);
        }
        id
    }

    pub fn number(&mut self, value: i64) -> Id {
        self.add(Node::number(value))
    }

    pub fn argument(&mut self, at: usize) -> Id {
        self.add(Node::new(Head::Argument(at as u32), &[]))
    }

    pub fn binary(&mut self, op: Binary, left: Id, right: Id) -> Id {
        self.operator(Operator::Binary(op), left, right)
    }

    pub fn operator(&mut self, operator: Operator, left: Id, right: Id) -> Id {
        self.add(Node::new(Head::Operator(operator), &[left, right]))
    }

    /// The class of an output, if anything uses it.
    pub fn used_output(&self, tuple: Id, at: usize) -> Option<Id> {
        self.graph.lookup(Node::new(Head::Component(at as u32), &[self.graph.find(tuple)]))
    }

    pub fn output(&mut self, tuple: Id, at: usize) -> Id {
        self.add(Node::new(Head::Component(at as u32), &[tuple]))
    }

    /// The first place in the source text of each class that has one.
    pub fn places(&self) -> FxHashMap<Id, Span> {
        let mut places = FxHashMap::<Id, Span>::default();
        for (&id, &place) in &self.places {
            let first = places.entry(self.graph.find(id)).or_insert(place);
            if (place.start, place.end) < (first.start, first.end) {
                *first = place;
            }
        }
        places
    }

    /// Whether a rule is not switched off.
    pub fn is_on(&self, rule: &str) -> bool {
        !self.without.contains(rule)
    }

    /// Makes two classes equal because of a rule.
    pub fn union(&mut self, rule: &'static str, a: Id, b: Id) {
        self.union_by(&[rule], a, b);
    }

    /// Makes two classes equal because of several rules together.
    pub fn union_by(&mut self, rules: &[&'static str], a: Id, b: Id) {
        let classes = [a, b].map(|id| self.graph.find(id));
        if classes[0] == classes[1] {
            return;
        }
        self.note(rules, classes);
        self.graph.union(a, b);
        self.forms.merge(classes, self.graph.find(a));
        rules.iter().for_each(|rule| *self.fired.entry(rule).or_default() += 1);
        self.unions += 1;
    }

    /// Retires a tuple that writes lines after its outputs got other forms: those of a new tuple,
    /// or forms without one. If one output were computed by this tuple and another by the new one,
    /// the lines would be written twice.
    pub fn retire(&mut self, tuple: Id, node: &Node, new: Option<Id>) {
        let is_same = new.is_some_and(|it| self.is_same(it, tuple));
        if !is_same && writes_inside(&self.graph, node) {
            self.retired.push((tuple, new));
            self.forms.retire(&self.graph, tuple);
        }
    }

    /// The classes of retired tuples. If tuples replace one another, the first one stays.
    pub fn retired_classes(&self) -> FxHashSet<Id> {
        let find = |id: Id| self.graph.find(id);
        let retired = self.retired.iter().map(|&(old, new)| (find(old), new.map(find)));
        let next: FxHashMap<Id, Option<Id>> = retired.collect();
        let mut classes: FxHashSet<Id> = next.keys().copied().collect();
        // Each tuple has one replacement, so a path along them ends, or it meets itself or another.
        let mut path_of: FxHashMap<Id, Id> = FxHashMap::default();
        for &start in next.keys() {
            let mut id = start;
            while !path_of.contains_key(&id) {
                path_of.insert(id, start);
                let Some(Some(to)) = next.get(&id).copied() else { break };
                id = to;
            }
            let is_cycle = next.get(&id).is_some_and(Option::is_some) && path_of[&id] == start;
            if is_cycle {
                let cycle = std::iter::successors(Some(id), |it| next[it].filter(|it| *it != id));
                classes.remove(&cycle.min().expect("it contains its first class"));
            }
        }
        classes
    }

    /// Notes a union as a step of each rule.
    fn note(&mut self, rules: &[&'static str], [before, after]: [Id; 2]) {
        let Some(mut steps) = self.traced.take() else { return };
        let [before, after] = [before, after].map(|id| self.forms.excerpt(&self.graph, id));
        steps.extend(rules.iter().map(|rule| Rewrite {
            rule,
            before: before.clone(),
            after: after.clone(),
            node: String::new(),
            origin: None,
            picture: None,
        }));
        self.traced = Some(steps);
    }

    pub fn is_exhausted(&mut self) -> bool {
        let is_exhausted = self.graph.nodes().len() > self.max_nodes;
        if is_exhausted {
            self.limit("nodes of the e-graph");
        }
        is_exhausted
    }

    /// Takes the nodes that an iteration visits from the budget; false if it is exhausted.
    pub fn take_visits(&mut self) -> bool {
        let rest = self.visits.checked_sub(self.graph.nodes().len());
        self.visits = rest.unwrap_or(0);
        rest.is_some()
    }

    /// Takes steps from the budget of loops that are executed; false if it is exhausted.
    pub fn take_steps(&mut self, count: u64) -> bool {
        let rest = self.steps.checked_sub(count);
        self.steps = rest.unwrap_or(0);
        if rest.is_none() {
            self.limit("steps of loops");
        }
        rest.is_some()
    }

    pub fn limit(&mut self, name: &'static str) {
        if !self.limits.contains(&name) {
            self.limits.push(name);
        }
    }

    /// The form of a class, which exists for all classes of finite expressions.
    pub fn form(&self, id: Id) -> Option<&super::forms::Form> {
        self.forms.of_class(&self.graph, id)
    }

    /// The classes after the arguments of their scope are replaced by those of `arguments`; none if
    /// a budget is exhausted. `made` contains the classes that are replaced already.
    pub fn substitute(
        &mut self,
        roots: &[Id],
        arguments: &[Id],
        made: &mut FxHashMap<Id, Id>,
    ) -> Option<Vec<Id>> {
        let end = self.graph.nodes().len() + MAX_COPIES;
        let mut entered: FxHashSet<Id> = FxHashSet::default();
        for &root in roots {
            let mut open = vec![root];
            while let Some(&id) = open.last() {
                if made.contains_key(&id) {
                    open.pop();
                    continue;
                }
                let form = self.form(id)?;
                if form.is_closed {
                    made.insert(id, id);
                    continue;
                }
                let node = form.node.clone();
                if let Head::Argument(at) = node.head {
                    made.insert(id, *arguments.get(at as usize)?);
                    continue;
                }
                let outside = node.split().0;
                let before = open.len();
                open.extend(outside.iter().rev().filter(|it| !made.contains_key(it)));
                if open.len() > before {
                    // Forms whose costs are the largest number may be a cycle.
                    if !entered.insert(id) {
                        return None;
                    }
                    continue;
                }
                let mut operands = node.operands.clone();
                let count = outside.len();
                operands[..count].iter_mut().for_each(|it| *it = made[it]);
                let new = self.add(Node { head: node.head, operands });
                if let Some(&place) = self.places.get(&id) {
                    self.places.entry(new).or_insert(place);
                }
                made.insert(id, new);
                if self.graph.nodes().len() > end {
                    self.limit("copies of one substitution");
                    return None;
                }
            }
        }
        Some(roots.iter().map(|it| made[it]).collect())
    }

    /// Visits the forms of classes in the scope of `roots`, operands first.
    pub fn visit(&self, roots: &[Id]) -> Vec<Id> {
        let mut states: FxHashMap<Id, bool> = FxHashMap::default();
        let mut order = Vec::new();
        let mut open: Vec<Id> = roots.to_vec();
        while let Some(&id) = open.last() {
            match states.get(&id) {
                Some(true) => {
                    open.pop();
                }
                Some(false) => {
                    states.insert(id, true);
                    order.push(id);
                    open.pop();
                }
                None => {
                    states.insert(id, false);
                    if let Some(form) = self.form(id) {
                        let outside = form.node.split().0.iter();
                        open.extend(outside.filter(|it| !states.contains_key(it)));
                    }
                }
            }
        }
        order
    }

    /// The arguments that the forms use.
    pub fn used_arguments(&self, roots: &[Id]) -> Vec<usize> {
        let heads = self.visit(roots).into_iter().filter_map(|id| self.form(id));
        let arguments = heads.filter_map(|form| match form.node.head {
            Head::Argument(at) => Some(at as usize),
            _ => None,
        });
        let mut arguments: Vec<_> = arguments.collect();
        arguments.sort_unstable();
        arguments.dedup();
        arguments
    }

    /// Whether the computation of `kept` includes all that may trap in that of `dropped`.
    pub fn keeps_traps(&self, kept: &[Id], dropped: &[Id]) -> bool {
        if dropped.iter().all(|it| !self.fact(*it).may_trap) {
            return true;
        }
        let kept: BTreeSet<_> =
            self.visit(kept).into_iter().map(|it| self.graph.find(it)).collect();
        self.visit(dropped).into_iter().all(|id| {
            let may_trap = self.form(id).is_none_or(|form| self.node_may_trap(&form.node));
            !may_trap || kept.contains(&self.graph.find(id))
        })
    }

    /// Whether the computation of all of `kept` includes all effects of that of `dropped`, and that
    /// of each all traps: another scope may need one output only, even where this one needs all. A
    /// state is needed in all scopes.
    pub fn each_keeps_traps(&self, kept: &[Id], dropped: &[Id]) -> bool {
        let is_lost = |kept: &Id| {
            let trapping: Vec<Id> =
                dropped.iter().copied().filter(|it| self.fact(*it).traps).collect();
            let kept: BTreeSet<_> =
                self.visit(&[*kept]).into_iter().map(|it| self.graph.find(it)).collect();
            self.visit(&trapping).into_iter().any(|id| {
                let traps = self.form(id).is_none_or(|form| self.node_traps(&form.node));
                traps && !kept.contains(&self.graph.find(id))
            })
        };
        self.keeps_traps(kept, dropped) && (kept.len() < 2 || !kept.iter().any(is_lost))
    }

    /// Whether the operation itself may trap, apart from its operands.
    fn node_traps(&self, node: &Node) -> bool {
        match node.head {
            Head::Use | Head::Force => false,
            Head::Loop | Head::Switch { .. } => {
                node.split().1.iter().any(|it| self.fact(*it).traps)
            }
            _ => self.node_may_trap(node),
        }
    }

    /// Whether the operation itself may trap or has an effect, apart from its operands.
    fn node_may_trap(&self, node: &Node) -> bool {
        match node.head {
            Head::Operator(operator) => {
                let [left, right] = [self.fact(node.operands[0]), self.fact(node.operands[1])];
                super::node::traps(operator, left, right)
            }
            Head::Use | Head::Force | Head::Call => !node.is_pass(),
            Head::Loop | Head::Switch { .. } => {
                node.split().1.iter().any(|it| self.fact(*it).may_trap)
            }
            Head::Number(_) | Head::Argument(_) | Head::Component(_) | Head::Function { .. } => {
                false
            }
        }
    }
}

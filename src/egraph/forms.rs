//! The cheapest form of each class, if nothing is shared: substitution copies this one form only,
//! so it takes linear time, and it ends for classes that contain themselves.
//!
//! The forms have no cycle: a form is chosen when those of its operands are, and replaced by
//! cheaper ones only. A class may be in scopes of few arguments, so its form needs no argument that
//! another node of the class does not need.
use super::cost;
use super::node::{EGraph, Id, Node, needed_arguments};
use crate::region::{Head, word};
use arena::FxHashSet;
use std::collections::VecDeque;

/// The limit for the letters of an excerpt.
const MAX_EXCERPT: usize = 120;

/// A form of a class.
#[derive(Clone, Debug)]
pub struct Form {
    pub node: Node,
    /// The cost of the whole expression.
    pub cost: u64,
    /// Whether it uses no argument of its scope.
    pub is_closed: bool,
}

/// The forms of the classes, by the numbers of the classes.
#[derive(Default)]
pub struct Forms {
    forms: Vec<Option<Form>>,
}

impl Forms {
    /// The cheapest form of each class of a rebuilt graph; retired classes have none.
    pub fn new(graph: &EGraph, retired: &FxHashSet<Id>) -> Forms {
        let mut forms = Forms { forms: vec![None; graph.nodes().len()] };
        let ids = (0..graph.nodes().len()).map(Id::from);
        let has_form = |it: &Id| graph.find(*it) == *it && !retired.contains(it);
        let mut open: VecDeque<Id> = ids.filter(has_form).collect();
        let mut is_open: Vec<bool> = vec![false; graph.nodes().len()];
        // Neither open nor retired classes are added to the queue.
        let skipped = open.iter().chain(retired);
        skipped.for_each(|&it| is_open[usize::from(it)] = true);
        while let Some(id) = open.pop_front() {
            is_open[usize::from(id)] = false;
            if !forms.improve(graph, id) {
                continue;
            }
            for parent in graph[id].parents() {
                let parent = graph.find(parent);
                if !std::mem::replace(&mut is_open[usize::from(parent)], true) {
                    open.push_back(parent);
                }
            }
        }
        forms
    }

    /// Replaces the form of a class by a cheaper one, if there is any.
    fn improve(&mut self, graph: &EGraph, id: Id) -> bool {
        let mut is_better = false;
        for node in &graph[id].nodes {
            let Some(cost) = self.cost(graph, node) else { continue };
            let is_cheaper = self.get(id).is_none_or(|old| cost < old.cost);
            if is_cheaper && needed_arguments(graph, node) <= graph[id].data.arguments {
                self.forms[usize::from(id)] = self.form(graph, node);
                is_better = true;
            }
        }
        is_better
    }

    /// The cost of a node and its operands, if they have forms.
    fn cost(&self, graph: &EGraph, node: &Node) -> Option<u64> {
        let costs = node.operands.iter().map(|it| Some(self.get(*it)?.cost));
        Some(cost::whole(graph, node, &costs.collect::<Option<Vec<_>>>()?))
    }

    /// The form of a node, if its operands have forms.
    fn form(&self, graph: &EGraph, node: &Node) -> Option<Form> {
        let cost = self.cost(graph, node)?;
        let outside = node.split().0;
        let is_closed = !matches!(node.head, Head::Argument(_))
            && outside.iter().all(|it| self.get(*it).is_some_and(|form| form.is_closed));
        Some(Form { node: node.clone(), cost, is_closed })
    }

    /// The form that was chosen for this class before unions since then.
    fn get(&self, id: Id) -> Option<&Form> {
        self.forms.get(usize::from(id))?.as_ref()
    }

    /// The form of a class, which may have another number by now.
    pub fn of_class(&self, graph: &EGraph, id: Id) -> Option<&Form> {
        self.get(id).or_else(|| self.get(graph.find(id)))
    }

    /// The form of a class as text, its first words if it is long.
    pub fn excerpt(&self, graph: &EGraph, id: Id) -> String {
        let (mut text, mut open) = (String::new(), vec![Some(id)]);
        while let Some(next) = open.pop() {
            let Some(id) = next else {
                text.push(')');
                continue;
            };
            if text.len() > MAX_EXCERPT {
                return text + " …";
            }
            let Some(Form { node, .. }) = self.of_class(graph, id) else { continue };
            text += if text.is_empty() { "" } else { " " };
            if node.operands.is_empty() {
                text += &word(node.head);
            } else {
                text += &format!("({}", word(node.head));
                open.push(None);
                open.extend(node.operands.iter().rev().map(|it| Some(*it)));
            }
        }
        text
    }

    /// The union of two classes is the class `whole`: its form is the cheaper one.
    pub fn merge(&mut self, classes: [Id; 2], whole: Id) {
        let [a, b] = classes.map(|id| self.get(id));
        // Of equal ones its own.
        let cheaper = match (a, b) {
            (Some(a), Some(b)) if b.cost < a.cost => Some(b),
            (Some(a), Some(b)) if b.cost == a.cost => self.get(whole),
            (a, b) => a.or(b),
        };
        if let Some(cheaper) = cheaper.cloned() {
            self.forms[usize::from(whole)] = Some(cheaper);
        }
    }

    /// Takes its form from a class, and finds another one for each of its users.
    pub fn retire(&mut self, graph: &EGraph, id: Id) {
        self.forms[usize::from(id)] = None;
        self.forms[usize::from(graph.find(id))] = None;
        for parent in graph[id].parents() {
            let parent = graph.find(parent);
            self.forms[usize::from(parent)] = None;
            self.improve(graph, parent);
        }
    }

    /// Makes a node, the cheapest of a class, its form.
    pub fn replace(&mut self, graph: &EGraph, id: Id, node: &Node) {
        self.forms[usize::from(id)] = self.form(graph, node);
    }

    /// Adds the form of a new class.
    pub fn add(&mut self, graph: &EGraph, id: Id, node: &Node) {
        let at = usize::from(id);
        if self.forms.len() <= at {
            self.forms.resize(at + 1, None);
        }
        if self.forms[at].is_none() {
            self.replace(graph, id, node);
        }
    }
}

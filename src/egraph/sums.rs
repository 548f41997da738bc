//! Sums of products in a normal form, instead of rules for commutativity and associativity.
//!
//! With these rules, a sum of n terms is in an e-graph with all its 2^n partial sums. The normal
//! form is one: a polynomial over classes that are neither sums nor products. Classes with equal
//! polynomials are equal, and a polynomial that is smaller than its parts is added as a form.
use super::factors::{emit, has_common_factors};
use super::node::{Id, Node};
use super::polynomial::Polynomial;
use super::saturation::Saturation;
use crate::arith::Binary;
use crate::region::{Head, Operator};
use arena::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The limit for the users of a class that are looked at.
const MAX_PARENTS: usize = 8;

/// The polynomials of classes.
#[derive(Default)]
pub struct Polynomials {
    of: FxHashMap<Id, Polynomial>,
    /// Whether the polynomial of a class has less operands than a node of the class.
    is_smaller: FxHashMap<Id, bool>,
    /// The classes with a polynomial, operands before their users.
    order: Vec<Id>,
}

impl Polynomials {
    pub fn of(&self, saturation: &Saturation, id: Id) -> Polynomial {
        let id = saturation.graph.find(id);
        match (saturation.constant(id), self.of.get(&id)) {
            (Some(value), _) => Polynomial::number(value),
            (None, Some(polynomial)) => polynomial.clone(),
            (None, None) => Polynomial::unit(id),
        }
    }

    /// The polynomial of a node, if it is a sum, a difference or a product, and no operand that may
    /// trap is lost.
    pub fn of_node(&self, saturation: &Saturation, node: &Node) -> Option<Polynomial> {
        let Head::Operator(Operator::Binary(op)) = node.head else { return None };
        if !matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Shl) {
            return None;
        }
        let [left, right] = [0, 1].map(|at| self.of(saturation, node.operands[at]));
        let found = match op {
            Binary::Add => left.plus(&right, 1),
            Binary::Sub => left.minus(&right),
            Binary::Mul => left.times(&right)?,
            _ => left.times(&Polynomial::number(1 << right.constant()?.rem_euclid(32)))?,
        };
        let is_kept = |id: Id| !saturation.fact(id).may_trap || found.units().any(|it| it == id);
        let keeps_traps = left.units().chain(right.units()).all(is_kept);
        (found.fits() && keeps_traps).then_some(found)
    }

    /// Whether the polynomial of a node has less operands than the node with all below it.
    fn is_smaller(&self, saturation: &Saturation, found: &Polynomial, node: &Node) -> bool {
        let operands = node.operands.iter().map(|it| self.of(saturation, *it).size());
        let is_smaller = |it: &Id| self.is_smaller.get(it) == Some(&true);
        found.size() < operands.sum() || absorbed(saturation, node).iter().any(is_smaller)
    }

    /// Makes this the polynomial of a class with these nodes. Operands that nothing else needs have
    /// none any more.
    fn insert(&mut self, saturation: &Saturation, id: Id, nodes: &[Node], found: Polynomial) {
        let is_smaller = nodes.iter().any(|it| self.is_smaller(saturation, &found, it));
        self.is_smaller.insert(id, is_smaller);
        for operand in nodes.iter().flat_map(|it| absorbed(saturation, it)) {
            self.of.remove(&operand);
        }
        self.order.push(id);
        self.of.insert(id, found);
    }

    /// Whether only one sum needs the class, and has a polynomial itself.
    fn is_absorbed(&self, saturation: &Saturation, id: Id) -> bool {
        let mut parents = saturation.graph[id].parents();
        let (Some(parent), None) = (parents.next(), parents.next()) else { return false };
        let is_sum = !absorbed(saturation, saturation.graph.id_to_node(parent)).is_empty();
        is_sum && self.is_smaller.contains_key(&saturation.graph.find(parent))
    }

    /// Adds the forms of polynomials that are smaller than their nodes, or have common factors.
    fn add_forms(&self, saturation: &mut Saturation) {
        for &id in &self.order {
            let Some(found) = self.of.get(&id) else { continue };
            if self.is_absorbed(saturation, id) {
                continue;
            }
            let is_useful = self.is_smaller[&id]
                || (has_common_factors(found) && !is_partial_sum(saturation, id));
            if is_useful && !saturation.is_exhausted() {
                let form = emit(saturation, found);
                saturation.union(RULE, id, form);
            }
        }
    }
}

/// The operands of a sum that nothing else needs.
fn absorbed(saturation: &Saturation, node: &Node) -> Vec<Id> {
    let Head::Operator(Operator::Binary(Binary::Add | Binary::Sub)) = node.head else {
        return Vec::new();
    };
    let operands = node.operands.iter().map(|it| saturation.graph.find(*it));
    operands.filter(|it| saturation.graph[*it].parents().take(2).count() == 1).collect()
}

pub const RULE: &str = "sum";

/// Makes classes with equal polynomials equal, and adds the forms of smaller polynomials.
pub fn apply(saturation: &mut Saturation) -> Polynomials {
    let mut polynomials = Polynomials::default();
    let mut classes: FxHashMap<u64, Id> = FxHashMap::default();
    let is_on = saturation.is_on(RULE);
    for id in in_order(saturation) {
        if saturation.graph.find(id) != id || saturation.is_exhausted() {
            continue;
        }
        let nodes = saturation.graph[id].nodes.iter();
        let nodes = nodes.filter_map(|it| Some((polynomials.of_node(saturation, it)?, it)));
        let (found, nodes): (Vec<Polynomial>, Vec<Node>) =
            nodes.map(|(found, node)| (found, node.clone())).unzip();
        let smallest = found.into_iter().min_by(|a, b| (a.size(), a).cmp(&(b.size(), b)));
        let Some(found) = smallest else { continue };
        if found.units().any(|it| it == id) {
            continue;
        }
        let mut hasher = FxHasher::default();
        found.hash(&mut hasher);
        let other = classes.insert(hasher.finish(), id);
        let equal = other.filter(|it| polynomials.of.get(it) == Some(&found));
        polynomials.insert(saturation, id, &nodes, found);
        if let (Some(other), true) = (equal, is_on) {
            saturation.union(RULE, id, other);
        }
    }
    if is_on {
        polynomials.add_forms(saturation);
    }
    polynomials
}

/// The classes, operands before their users: a form costs more than each of its operands.
fn in_order(saturation: &Saturation) -> Vec<Id> {
    let ids = (0..saturation.graph.nodes().len()).map(Id::from);
    let mut classes: Vec<Id> = ids.filter(|it| saturation.graph.find(*it) == *it).collect();
    classes.sort_by_key(|it| saturation.form(*it).map(|form| form.cost));
    classes
}

/// Whether only sums use the class: their common factors are more.
fn is_partial_sum(saturation: &Saturation, id: Id) -> bool {
    let mut parents = saturation.graph[id].parents().take(MAX_PARENTS).peekable();
    let is_sum = |it: Id| {
        let head = saturation.graph.id_to_node(it).head;
        matches!(head, Head::Operator(Operator::Binary(Binary::Add | Binary::Sub)))
    };
    parents.peek().is_some() && parents.all(is_sum)
}

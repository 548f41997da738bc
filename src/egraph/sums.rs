//! Sums of products in a normal form, instead of rules for commutativity and associativity.
//!
//! With these rules, a sum of n terms is in an e-graph with all its 2^n partial sums. The normal
//! form is one: a polynomial over classes that are neither sums nor products. Classes with equal
//! polynomials are equal, and a polynomial that is smaller than its parts is added as a form.
use super::budget::Budget;
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
    /// The polynomials with products of sums multiplied out, of classes that depend on some.
    expanded: FxHashMap<Id, Polynomial>,
    /// Whether the polynomial of a class has less operands than a node of the class.
    is_smaller: FxHashMap<Id, bool>,
    /// The classes with a polynomial, operands before their users.
    order: Vec<Id>,
}

/// Whether the product of two sums is multiplied out, or a variable itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Products {
    Expanded,
    Variables,
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

    fn operand(&self, saturation: &Saturation, id: Id, products: Products) -> Polynomial {
        let expanded = self.expanded.get(&saturation.graph.find(id));
        match (expanded, products, saturation.constant(id)) {
            (Some(expanded), Products::Expanded, None) => expanded.clone(),
            _ => self.of(saturation, id),
        }
    }

    /// The polynomial of a node, if it is a sum, a difference or a product, and no operand that may
    /// trap is lost.
    pub fn of_node(
        &self,
        saturation: &Saturation,
        node: &Node,
        products: Products,
    ) -> Option<Polynomial> {
        let Head::Operator(Operator::Binary(op)) = node.head else { return None };
        if !matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Shl) {
            return None;
        }
        let [left, right] = [0, 1].map(|at| self.operand(saturation, node.operands[at], products));
        let whole = match op {
            Binary::Add => left.plus(&right, 1),
            Binary::Sub => left.minus(&right),
            Binary::Mul if products == Products::Variables && left.is_sum() && right.is_sum() => {
                return None;
            }
            Binary::Mul => left.times(&right)?,
            _ => left.times(&Polynomial::number(1 << right.constant()?.rem_euclid(32)))?,
        };
        let is_kept = |id: Id| !saturation.fact(id).may_trap || whole.units().any(|it| it == id);
        let keeps_traps = left.units().chain(right.units()).all(is_kept);
        (whole.fits() && keeps_traps).then_some(whole)
    }

    /// The polynomials of nodes that have one.
    fn of_nodes<'n>(
        &self,
        saturation: &Saturation,
        nodes: impl Iterator<Item = &'n Node>,
        products: Products,
    ) -> Vec<(Polynomial, &'n Node)> {
        nodes.filter_map(|it| Some((self.of_node(saturation, it, products)?, it))).collect()
    }

    /// Whether a class has this polynomial.
    fn has(&self, id: Id, polynomial: &Polynomial) -> bool {
        [&self.of, &self.expanded].iter().any(|it| it.get(&id) == Some(polynomial))
    }

    /// Whether a node is the product of two sums, or depends on one.
    fn has_products(&self, saturation: &Saturation, node: &Node) -> bool {
        let operands = || node.operands.iter().map(|it| saturation.graph.find(*it));
        let is_sum = |id: Id| self.of.get(&id).is_some_and(Polynomial::is_sum);
        operands().any(|it| self.expanded.contains_key(&it))
            || (node.head == Head::Operator(Operator::Binary(Binary::Mul))
                && operands().all(is_sum))
    }

    /// Whether the polynomial of a node has less operands than the node with all below it.
    fn is_smaller(&self, saturation: &Saturation, polynomial: &Polynomial, node: &Node) -> bool {
        let operands = node.operands.iter().map(|it| self.of(saturation, *it).size());
        let is_smaller = |it: &Id| self.is_smaller.get(it) == Some(&true);
        polynomial.size() < operands.sum() || absorbed(saturation, node).iter().any(is_smaller)
    }

    /// Makes this the polynomial of a class with these nodes. Operands that nothing else needs have
    /// none any more.
    fn insert(&mut self, saturation: &Saturation, id: Id, nodes: &[&Node], polynomial: Polynomial) {
        let is_smaller = nodes.iter().any(|it| self.is_smaller(saturation, &polynomial, it));
        self.is_smaller.insert(id, is_smaller);
        for operand in nodes.iter().flat_map(|it| absorbed(saturation, it)) {
            self.of.remove(&operand);
            self.expanded.remove(&operand);
        }
        self.order.push(id);
        self.of.insert(id, polynomial);
    }

    /// Whether only one sum needs the class, and has a polynomial itself.
    fn is_absorbed(&self, saturation: &Saturation, id: Id) -> bool {
        let mut parents = saturation.graph[id].parents();
        let (Some(parent), None) = (parents.next(), parents.next()) else { return false };
        let is_sum = !absorbed(saturation, saturation.graph.id_to_node(parent)).is_empty();
        is_sum && self.is_smaller.contains_key(&saturation.graph.find(parent))
    }

    /// The forms of polynomials that are smaller than their nodes, or have common factors, within
    /// the budget.
    fn forms(&self, saturation: &mut Saturation) -> Vec<(Id, Id)> {
        let mut forms = Vec::new();
        let mut budget = std::mem::take(&mut saturation.sums);
        budget.begin_round(saturation.program_nodes, |id| saturation.graph.find(id));
        for &id in &self.order {
            let Some(polynomial) = self.of.get(&id) else { continue };
            if self.is_absorbed(saturation, id) {
                continue;
            }
            let is_useful = self.is_smaller[&id]
                || (has_common_factors(polynomial) && !is_partial_sum(saturation, id));
            if is_useful && !saturation.is_exhausted() {
                let form = form(saturation, &mut budget, id, polynomial);
                forms.extend(form.map(|it| (id, it)));
            }
        }
        saturation.sums = budget;
        forms
    }
}

/// The form of the polynomial of a class, if few of its nodes are new.
fn form(
    saturation: &mut Saturation,
    budget: &mut Budget,
    id: Id,
    polynomial: &Polynomial,
) -> Option<Id> {
    let first = saturation.graph.nodes().len();
    let form = emit(saturation, polynomial, budget.of(id));
    budget.spend(id, first..saturation.graph.nodes().len());
    if form.is_none() {
        saturation.limit("forms of sums");
    }
    form
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

/// The polynomials of all classes of a rebuilt graph, and the classes that are equal: those with
/// equal polynomials, and those of the forms of smaller polynomials.
pub fn search(saturation: &mut Saturation) -> (Polynomials, Vec<(Id, Id)>) {
    let mut polynomials = Polynomials::default();
    let mut classes: FxHashMap<u64, Id> = FxHashMap::default();
    let mut equal: Vec<(Id, Id)> = Vec::new();
    for id in in_order(saturation) {
        let nodes: Vec<&Node> = saturation.graph[id].nodes.iter().collect();
        let products = nodes.iter().copied().filter(|it| polynomials.has_products(saturation, it));
        let expanded = polynomials.of_nodes(saturation, products, Products::Expanded);
        let sums = polynomials.of_nodes(saturation, nodes.into_iter(), Products::Variables);
        let [smallest, expanded_smallest] = [&sums, &expanded].map(|it| smallest(it, id));
        for key in [smallest, expanded_smallest].into_iter().flatten() {
            let mut hasher = FxHasher::default();
            key.hash(&mut hasher);
            let other = classes.insert(hasher.finish(), id).filter(|it| *it != id);
            equal.extend(other.filter(|it| polynomials.has(*it, key)).map(|it| (id, it)));
        }
        // The product of two sums is a variable, unless it is a number or another variable.
        let most = smallest.map_or(2, Polynomial::size);
        let is_smaller = expanded_smallest.is_some_and(|it| it.size() < most);
        let chosen = if is_smaller { expanded_smallest } else { smallest };
        if let (Some(expanded), false) = (expanded_smallest, is_smaller) {
            polynomials.expanded.insert(id, expanded.clone());
        }
        if let Some(chosen) = chosen {
            let nodes: Vec<&Node> = sums.iter().chain(&expanded).map(|it| it.1).collect();
            polynomials.insert(saturation, id, &nodes, chosen.clone());
        }
    }
    match saturation.is_on(RULE) {
        true => equal.extend(polynomials.forms(saturation)),
        false => equal.clear(),
    }
    (polynomials, equal)
}

/// The smallest of the polynomials of a class, if it does not contain the class itself.
fn smallest<'p>(polynomials: &'p [(Polynomial, &Node)], id: Id) -> Option<&'p Polynomial> {
    let all = polynomials.iter().map(|it| &it.0);
    let smallest = all.min_by(|a, b| (a.size(), a).cmp(&(b.size(), b)));
    smallest.filter(|it| it.units().all(|unit| unit != id))
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

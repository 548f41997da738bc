//! Sums of products in a normal form, instead of rules for commutativity and associativity.
//!
//! With these rules, a sum of n terms is in an e-graph with all its 2^n partial sums. The normal
//! form is one: a polynomial over classes that are neither sums nor products. Classes with equal
//! polynomials are equal, and a polynomial that is smaller than its parts is added as a form.
use super::node::{Id, Node};
use super::saturation::Saturation;
use crate::arith::{Binary, INT};
use crate::region::{Head, Operator};
use arena::{FxHashMap, FxHasher};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// The limits of a polynomial; beyond them a class is a unit without parts.
const MAX_TERMS: usize = 128;
const MAX_DEGREE: usize = 4;
/// The limit for the users of a class that are looked at.
const MAX_PARENTS: usize = 8;

/// Sorted factors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Product {
    count: usize,
    /// All after the first `count` are 0.
    ids: [u32; MAX_DEGREE],
}

impl Product {
    const ONE: Product = Product { count: 0, ids: [0; MAX_DEGREE] };

    /// The product of these factors, if they are few.
    fn new(factors: impl Iterator<Item = Id>) -> Option<Product> {
        let mut product = Product::ONE;
        for factor in factors {
            *product.ids.get_mut(product.count)? = usize::from(factor) as u32;
            product.count += 1;
        }
        product.ids[..product.count].sort_unstable();
        Some(product)
    }

    fn factors(&self) -> impl DoubleEndedIterator<Item = Id> + '_ {
        self.ids[..self.count].iter().map(|&it| Id::from(it as usize))
    }

    fn contains(&self, factor: Id) -> bool {
        self.factors().any(|it| it == factor)
    }

    fn times(&self, other: &Product) -> Option<Product> {
        Product::new(self.factors().chain(other.factors()))
    }

    /// The product without one of its factors.
    fn without(&self, factor: Id) -> Product {
        let at = self.factors().position(|it| it == factor);
        let others = self.factors().enumerate().filter(|it| Some(it.0) != at);
        Product::new(others.map(|it| it.1)).expect("it has less factors")
    }
}

impl Ord for Product {
    fn cmp(&self, other: &Product) -> Ordering {
        self.ids[..self.count].cmp(&other.ids[..other.count])
    }
}

impl PartialOrd for Product {
    fn partial_cmp(&self, other: &Product) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A product and its coefficient.
type Term = (Product, i64);

/// A sum of products. The product without factors is the constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Polynomial {
    /// Sorted by factors; no coefficient is 0.
    terms: Vec<Term>,
}

impl Polynomial {
    fn unit(id: Id) -> Polynomial {
        let product = Product::new([id].into_iter()).expect("it has one factor");
        Polynomial { terms: vec![(product, 1)] }
    }

    fn number(value: i64) -> Polynomial {
        Polynomial::new(vec![(Product::ONE, value)])
    }

    /// The normal form of a sum.
    fn new(mut terms: Vec<Term>) -> Polynomial {
        terms.sort();
        let mut sum: Vec<Term> = Vec::with_capacity(terms.len());
        for (factors, coefficient) in terms {
            match sum.last_mut() {
                Some(last) if last.0 == factors => last.1 = INT.wrap(last.1 + coefficient),
                _ => sum.push((factors, INT.wrap(coefficient))),
            }
        }
        sum.retain(|it| it.1 != 0);
        Polynomial { terms: sum }
    }

    /// The sum of this and a multiple of the other: both are sorted, so they are merged.
    fn plus(&self, other: &Polynomial, by: i64) -> Polynomial {
        let mut terms: Vec<Term> = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut left = self.terms.iter().peekable();
        for (factors, coefficient) in &other.terms {
            while let Some(before) = left.next_if(|it| it.0 < *factors) {
                terms.push(*before);
            }
            let equal = left.next_if(|it| it.0 == *factors).map_or(0, |it| it.1);
            let sum = INT.wrap(equal + INT.wrap(coefficient * by));
            if sum != 0 {
                terms.push((*factors, sum));
            }
        }
        terms.extend(left);
        Polynomial { terms }
    }

    /// The number of operands of the expression; it begins with 0 if all is subtracted.
    fn size(&self) -> usize {
        if self.constant().is_some() {
            return 1;
        }
        let size = |(product, coefficient): &Term| match product.count {
            0 => 1,
            count => count + usize::from(coefficient.abs() != 1),
        };
        let begins_with_zero = self.terms.iter().all(|it| it.1 <= 0);
        self.terms.iter().map(size).sum::<usize>() + usize::from(begins_with_zero)
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        // The product of two sums is larger than both.
        if self.terms.len() > 1 && other.terms.len() > 1 {
            return None;
        }
        let mut terms = Vec::new();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                terms.push((left.times(right)?, INT.wrap(a * b)));
            }
        }
        Some(Polynomial::new(terms))
    }

    fn fits(&self) -> bool {
        self.terms.len() <= MAX_TERMS
    }

    pub fn constant(&self) -> Option<i64> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(Product::ONE, value)] => Some(*value),
            _ => None,
        }
    }

    /// The coefficient of a factor, and the rest; none if it is in a product, too.
    pub fn without(&self, factor: Id) -> Option<(i64, Polynomial)> {
        let (own, rest): (Vec<_>, Vec<_>) =
            self.terms.iter().copied().partition(|it| it.0.factors().eq([factor]));
        let is_free = rest.iter().all(|it| !it.0.contains(factor));
        is_free.then(|| (own.first().map_or(0, |it| it.1), Polynomial { terms: rest }))
    }

    pub fn units(&self) -> impl Iterator<Item = Id> + '_ {
        self.terms.iter().flat_map(|it| it.0.factors())
    }

    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        self.plus(other, -1)
    }
}

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

/// Whether two terms have a factor or a divisor in common.
fn has_common_factors(polynomial: &Polynomial) -> bool {
    common_factor(&polynomial.terms).is_some() || divisor(&polynomial.terms) > 1
}

/// The factor of most terms, if it is in two.
fn common_factor(terms: &[Term]) -> Option<Id> {
    let mut counts: FxHashMap<Id, usize> = FxHashMap::default();
    for (product, _) in terms {
        let mut factors: Vec<Id> = product.factors().collect();
        factors.dedup();
        factors.into_iter().for_each(|it| *counts.entry(it).or_default() += 1);
    }
    let most = counts.into_iter().max_by_key(|(id, count)| (*count, std::cmp::Reverse(*id)))?;
    (most.1 > 1).then_some(most.0)
}

/// The greatest common divisor of the coefficients of at least two terms with factors.
fn divisor(terms: &[Term]) -> i64 {
    let coefficients = terms.iter().filter(|it| it.0 != Product::ONE).map(|it| it.1.abs());
    let coefficients: Vec<_> = coefficients.collect();
    if coefficients.len() < 2 { 1 } else { coefficients.into_iter().fold(0, gcd) }
}

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A class for a polynomial, its common factors taken out. The depth of the recursion is at most
/// the number of terms times the degree.
pub fn emit(saturation: &mut Saturation, polynomial: &Polynomial) -> Id {
    let divisor = divisor(&polynomial.terms);
    if divisor > 1 {
        let (parts, constant): (Vec<_>, Vec<_>) =
            polynomial.terms.iter().copied().partition(|it| it.0 != Product::ONE);
        let parts = parts.into_iter().map(|(factors, it)| (factors, it / divisor)).collect();
        let parts = emit(saturation, &Polynomial { terms: parts });
        let by = saturation.number(INT.wrap(divisor));
        let product = saturation.binary(Binary::Mul, parts, by);
        return constant.first().map_or(product, |it| plus(saturation, product, it.1));
    }
    if let Some(factor) = common_factor(&polynomial.terms) {
        let (with, rest): (Vec<_>, Vec<_>) =
            polynomial.terms.iter().copied().partition(|it| it.0.contains(factor));
        let quotient = with.into_iter().map(|(product, it)| (product.without(factor), it));
        let quotient = emit(saturation, &Polynomial::new(quotient.collect()));
        let product = saturation.binary(Binary::Mul, factor, quotient);
        if rest.is_empty() {
            return product;
        }
        return match rest.as_slice() {
            [(Product::ONE, value)] => plus(saturation, product, *value),
            _ => {
                let rest = emit(saturation, &Polynomial { terms: rest });
                saturation.binary(Binary::Add, product, rest)
            }
        };
    }
    sum(saturation, polynomial)
}

/// A sum without common factors: first what is added, then what is subtracted, then the constant.
fn sum(saturation: &mut Saturation, polynomial: &Polynomial) -> Id {
    let (parts, constant): (Vec<_>, Vec<_>) =
        polynomial.terms.iter().copied().partition(|it| it.0 != Product::ONE);
    let (added, subtracted): (Vec<Term>, Vec<Term>) = parts.into_iter().partition(|it| it.1 > 0);
    let mut constant = constant.first().map_or(0, |it| it.1);
    let mut whole: Option<Id> = None;
    for (factors, coefficient) in added {
        let part = product(saturation, factors, coefficient);
        whole = Some(whole.map_or(part, |it| saturation.binary(Binary::Add, it, part)));
    }
    for (factors, coefficient) in subtracted {
        let part = match whole {
            None if constant == 0 => {
                whole = Some(product(saturation, factors, coefficient));
                continue;
            }
            _ => product(saturation, factors, INT.wrap(-coefficient)),
        };
        let left = whole.unwrap_or_else(|| saturation.number(std::mem::take(&mut constant)));
        whole = Some(saturation.binary(Binary::Sub, left, part));
    }
    match whole {
        Some(whole) => plus(saturation, whole, constant),
        None => saturation.number(constant),
    }
}

fn plus(saturation: &mut Saturation, left: Id, value: i64) -> Id {
    if value == 0 {
        return left;
    }
    let value = saturation.number(value);
    saturation.binary(Binary::Add, left, value)
}

fn product(saturation: &mut Saturation, product: Product, coefficient: i64) -> Id {
    let whole = product.factors().reduce(|a, b| saturation.binary(Binary::Mul, a, b));
    let whole = whole.expect("constants are no products");
    if coefficient == 1 {
        return whole;
    }
    if coefficient == -1 {
        let zero = saturation.number(0);
        return saturation.binary(Binary::Sub, zero, whole);
    }
    let coefficient = saturation.number(coefficient);
    saturation.binary(Binary::Mul, whole, coefficient)
}

//! Sums of products in a normal form, instead of rules for commutativity and associativity.
//!
//! With these rules, a sum of n terms is in an e-graph with all its 2^n partial sums. The normal
//! form is one: a polynomial over classes that are neither sums nor products. Classes with equal
//! polynomials are equal, and a polynomial that is smaller than its parts is added as a form.
use super::node::{Id, Node};
use super::saturation::Saturation;
use crate::arith::{Binary, INT};
use crate::region::{Head, Operator};
use arena::FxHashMap;

/// The limits of a polynomial; beyond them a class is a unit without parts.
const MAX_TERMS: usize = 128;
const MAX_DEGREE: usize = 4;
/// The limit for the users of a class that are looked at.
const MAX_PARENTS: usize = 8;

/// Factors, sorted, and their coefficient.
type Term = (Vec<Id>, i64);

/// A sum of products. The product without factors is the constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Polynomial {
    /// Sorted by factors; no coefficient is 0.
    terms: Vec<Term>,
}

impl Polynomial {
    fn unit(id: Id) -> Polynomial {
        Polynomial { terms: vec![(vec![id], 1)] }
    }

    fn number(value: i64) -> Polynomial {
        Polynomial::new(vec![(Vec::new(), value)])
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

    fn scaled(&self, by: i64) -> Vec<Term> {
        self.terms.iter().map(|(factors, it)| (factors.clone(), INT.wrap(it * by))).collect()
    }

    fn plus(&self, other: &Polynomial, by: i64) -> Polynomial {
        Polynomial::new([self.terms.clone(), other.scaled(by)].concat())
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        // The product of two sums is larger than both.
        if self.terms.len() > 1 && other.terms.len() > 1 {
            return None;
        }
        let mut terms = Vec::new();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut factors = [left.as_slice(), right].concat();
                factors.sort_unstable();
                terms.push((factors, INT.wrap(a * b)));
            }
        }
        Some(Polynomial::new(terms))
    }

    fn fits(&self) -> bool {
        self.terms.len() <= MAX_TERMS && self.terms.iter().all(|it| it.0.len() <= MAX_DEGREE)
    }

    pub fn constant(&self) -> Option<i64> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(factors, value)] if factors.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The coefficient of a factor, and the rest; none if it is in a product, too.
    pub fn without(&self, factor: Id) -> Option<(i64, Polynomial)> {
        let (own, rest): (Vec<_>, Vec<_>) =
            self.terms.iter().cloned().partition(|it| it.0 == [factor]);
        let is_free = rest.iter().all(|it| !it.0.contains(&factor));
        is_free.then(|| (own.first().map_or(0, |it| it.1), Polynomial { terms: rest }))
    }

    pub fn units(&self) -> impl Iterator<Item = Id> + '_ {
        self.terms.iter().flat_map(|it| &it.0).copied()
    }

    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        self.plus(other, -1)
    }
}

/// The polynomials of classes.
#[derive(Default)]
pub struct Polynomials {
    of: FxHashMap<Id, Polynomial>,
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
}

const RULE: &str = "sum";

/// Makes classes with equal polynomials equal, and adds the forms of smaller polynomials.
pub fn apply(saturation: &mut Saturation) -> Polynomials {
    let mut polynomials = Polynomials::default();
    let mut classes: FxHashMap<Polynomial, Id> = FxHashMap::default();
    let is_on = saturation.is_on(RULE);
    for id in in_order(saturation) {
        if saturation.graph.find(id) != id || saturation.is_exhausted() {
            continue;
        }
        let mut smallest: Option<(usize, Polynomial, bool)> = None;
        for at in 0..saturation.graph[id].nodes.len() {
            let node = &saturation.graph[id].nodes[at];
            let Some(found) = polynomials.of_node(saturation, node) else { continue };
            let operands = node.operands.iter().map(|it| polynomials.of(saturation, *it));
            let size = operands.map(|it| it.terms.len().max(1)).sum::<usize>();
            let is_useful = found.terms.len() < size
                || (!is_partial_sum(saturation, id) && has_common_factors(&found));
            if smallest.as_ref().is_none_or(|it| (it.0, &it.1) > (found.terms.len(), &found)) {
                smallest = Some((found.terms.len(), found, is_useful));
            }
        }
        let Some((_, found, is_useful)) = smallest else { continue };
        if found.units().any(|it| it == id) {
            continue;
        }
        if let (Some(&other), true) = (classes.get(&found), is_on) {
            saturation.union(RULE, id, other);
        }
        if is_useful && is_on {
            let form = emit(saturation, &found);
            saturation.union(RULE, id, form);
        }
        classes.insert(found.clone(), id);
        let canonical = saturation.graph.find(id);
        polynomials.of.insert(id, found.clone());
        polynomials.of.insert(canonical, found);
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
    for (factors, _) in terms {
        let mut factors = factors.clone();
        factors.dedup();
        factors.into_iter().for_each(|it| *counts.entry(it).or_default() += 1);
    }
    let most = counts.into_iter().max_by_key(|(id, count)| (*count, std::cmp::Reverse(*id)))?;
    (most.1 > 1).then_some(most.0)
}

/// The greatest common divisor of the coefficients of at least two terms with factors.
fn divisor(terms: &[Term]) -> i64 {
    let coefficients = terms.iter().filter(|it| !it.0.is_empty()).map(|it| it.1.abs());
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
            polynomial.terms.iter().cloned().partition(|it| !it.0.is_empty());
        let parts = parts.into_iter().map(|(factors, it)| (factors, it / divisor)).collect();
        let parts = emit(saturation, &Polynomial { terms: parts });
        let by = saturation.number(INT.wrap(divisor));
        let product = saturation.binary(Binary::Mul, parts, by);
        return constant.first().map_or(product, |it| plus(saturation, product, it.1));
    }
    if let Some(factor) = common_factor(&polynomial.terms) {
        let (with, rest): (Vec<_>, Vec<_>) =
            polynomial.terms.iter().cloned().partition(|it| it.0.contains(&factor));
        let mut quotient = with;
        for (factors, _) in &mut quotient {
            let at = factors.iter().position(|it| *it == factor).expect("it contains the factor");
            factors.remove(at);
        }
        let quotient = emit(saturation, &Polynomial::new(quotient));
        let product = saturation.binary(Binary::Mul, factor, quotient);
        if rest.is_empty() {
            return product;
        }
        return match rest.as_slice() {
            [(factors, value)] if factors.is_empty() => plus(saturation, product, *value),
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
        polynomial.terms.iter().partition(|it| !it.0.is_empty());
    let (added, subtracted): (Vec<&Term>, Vec<&Term>) = parts.into_iter().partition(|it| it.1 > 0);
    let mut constant = constant.first().map_or(0, |it| it.1);
    let mut whole: Option<Id> = None;
    for (factors, coefficient) in added {
        let part = product(saturation, factors, *coefficient);
        whole = Some(whole.map_or(part, |it| saturation.binary(Binary::Add, it, part)));
    }
    for (factors, coefficient) in subtracted {
        let part = match whole {
            None if constant == 0 => {
                whole = Some(product(saturation, factors, *coefficient));
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

fn product(saturation: &mut Saturation, factors: &[Id], coefficient: i64) -> Id {
    let mut whole = factors[0];
    for factor in &factors[1..] {
        whole = saturation.binary(Binary::Mul, whole, *factor);
    }
    if coefficient == 1 {
        return whole;
    }
    let coefficient = saturation.number(coefficient);
    saturation.binary(Binary::Mul, whole, coefficient)
}

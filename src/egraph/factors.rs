//! Polynomials as expressions: common factors are taken out.
use super::node::{Id, Node};
use super::polynomial::{Polynomial, Product, Term};
use super::saturation::Saturation;
use crate::arith::{Binary, WORD};
use crate::region::{Head, Operator};
use arena::FxHashMap;

/// Whether two terms have a factor or a divisor in common.
pub fn has_common_factors(polynomial: &Polynomial) -> bool {
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

/// A class for a polynomial, its common factors taken out; none if it needs more than `new_nodes`
/// new nodes.
pub fn emit(saturation: &mut Saturation, polynomial: &Polynomial, new_nodes: usize) -> Option<Id> {
    Emission { saturation, new_nodes }.polynomial(polynomial)
}

struct Emission<'s> {
    saturation: &'s mut Saturation,
    /// The new nodes that the form may still need.
    new_nodes: usize,
}

impl Emission<'_> {
    /// The depth of the recursion is at most the number of terms times the degree.
    fn polynomial(&mut self, polynomial: &Polynomial) -> Option<Id> {
        let divisor = divisor(&polynomial.terms);
        if divisor > 1 {
            let (parts, constant): (Vec<_>, Vec<_>) =
                polynomial.terms.iter().copied().partition(|it| it.0 != Product::ONE);
            let parts = parts.into_iter().map(|(factors, it)| (factors, it / divisor)).collect();
            let parts = self.polynomial(&Polynomial { terms: parts })?;
            let by = self.number(WORD.wrap(divisor))?;
            let product = self.binary(Binary::Mul, parts, by)?;
            return self.plus(product, constant.first().map_or(0, |it| it.1));
        }
        let Some(factor) = common_factor(&polynomial.terms) else { return self.sum(polynomial) };
        let (with, rest): (Vec<_>, Vec<_>) =
            polynomial.terms.iter().copied().partition(|it| it.0.contains(factor));
        let quotient = with.into_iter().map(|(product, it)| (product.without(factor), it));
        let quotient = self.polynomial(&Polynomial::new(quotient.collect()))?;
        let product = self.binary(Binary::Mul, factor, quotient)?;
        match rest.as_slice() {
            [] => Some(product),
            [(Product::ONE, value)] => self.plus(product, *value),
            _ => {
                let rest = self.polynomial(&Polynomial { terms: rest })?;
                self.binary(Binary::Add, product, rest)
            }
        }
    }

    /// A sum without common factors: first what is added, then what is subtracted, then the
    /// constant.
    fn sum(&mut self, polynomial: &Polynomial) -> Option<Id> {
        let (parts, constant): (Vec<_>, Vec<_>) =
            polynomial.terms.iter().copied().partition(|it| it.0 != Product::ONE);
        let (added, subtracted): (Vec<Term>, Vec<Term>) =
            parts.into_iter().partition(|it| it.1 > 0);
        let mut constant = constant.first().map_or(0, |it| it.1);
        let mut whole: Option<Id> = None;
        for (factors, coefficient) in added {
            let part = self.product(factors, coefficient)?;
            whole = Some(match whole {
                Some(whole) => self.binary(Binary::Add, whole, part)?,
                None => part,
            });
        }
        for (factors, coefficient) in subtracted {
            if whole.is_none() && constant == 0 {
                whole = Some(self.product(factors, coefficient)?);
                continue;
            }
            let part = self.product(factors, WORD.wrap(-coefficient))?;
            let left = match whole {
                Some(whole) => whole,
                None => self.number(std::mem::take(&mut constant))?,
            };
            whole = Some(self.binary(Binary::Sub, left, part)?);
        }
        match whole {
            Some(whole) => self.plus(whole, constant),
            None => self.number(constant),
        }
    }

    fn product(&mut self, product: Product, coefficient: i64) -> Option<Id> {
        let mut factors = product.factors();
        let first = factors.next().expect("constants are no products");
        let whole = factors.try_fold(first, |a, b| self.binary(Binary::Mul, a, b))?;
        match coefficient {
            1 => Some(whole),
            -1 => {
                let zero = self.number(0)?;
                self.binary(Binary::Sub, zero, whole)
            }
            _ => {
                let coefficient = self.number(coefficient)?;
                self.binary(Binary::Mul, whole, coefficient)
            }
        }
    }

    fn plus(&mut self, left: Id, value: i64) -> Option<Id> {
        if value == 0 {
            return Some(left);
        }
        let value = self.number(value)?;
        self.binary(Binary::Add, left, value)
    }

    fn number(&mut self, value: i64) -> Option<Id> {
        self.node(Node::number(value))
    }

    fn binary(&mut self, op: Binary, left: Id, right: Id) -> Option<Id> {
        self.node(Node::new(Head::Operator(Operator::Binary(op)), &[left, right]))
    }

    fn node(&mut self, node: Node) -> Option<Id> {
        let known = self.saturation.graph.lookup(node.clone());
        if known.is_none() {
            self.new_nodes = self.new_nodes.checked_sub(1)?;
        }
        Some(known.unwrap_or_else(|| self.saturation.add(node)))
    }
}

//! Polynomials as expressions: common factors are taken out.
use super::node::Id;
use super::polynomial::{Polynomial, Product, Term};
use super::saturation::Saturation;
use crate::arith::{Binary, INT};
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

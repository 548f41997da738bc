//! Polynomials over classes: sums of products in a normal form.
use super::node::Id;
use crate::arith::WORD;
use std::cmp::Ordering;

/// The limits of a polynomial; beyond them a class is a unit without parts.
const MAX_TERMS: usize = 128;
const MAX_DEGREE: usize = 4;

/// Sorted factors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Product {
    count: usize,
    /// All after the first `count` are 0.
    ids: [u32; MAX_DEGREE],
}

impl Product {
    /// The product without factors.
    pub const ONE: Product = Product { count: 0, ids: [0; MAX_DEGREE] };

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

    pub fn factors(&self) -> impl DoubleEndedIterator<Item = Id> + '_ {
        self.ids[..self.count].iter().map(|&it| Id::from(it as usize))
    }

    pub fn contains(&self, factor: Id) -> bool {
        self.factors().any(|it| it == factor)
    }

    fn times(&self, other: &Product) -> Option<Product> {
        Product::new(self.factors().chain(other.factors()))
    }

    /// The product without one of its factors.
    pub fn without(&self, factor: Id) -> Product {
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
pub type Term = (Product, i64);

/// A sum of products. The product without factors is the constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Polynomial {
    /// Sorted by factors; no coefficient is 0.
    pub terms: Vec<Term>,
}

impl Polynomial {
    pub fn unit(id: Id) -> Polynomial {
        let product = Product::new([id].into_iter()).expect("it has one factor");
        Polynomial { terms: vec![(product, 1)] }
    }

    pub fn number(value: i64) -> Polynomial {
        Polynomial::new(vec![(Product::ONE, value)])
    }

    /// The normal form of a sum.
    pub fn new(mut terms: Vec<Term>) -> Polynomial {
        terms.sort();
        let mut sum: Vec<Term> = Vec::with_capacity(terms.len());
        for (factors, coefficient) in terms {
            match sum.last_mut() {
                Some(last) if last.0 == factors => last.1 = WORD.wrap(last.1 + coefficient),
                _ => sum.push((factors, WORD.wrap(coefficient))),
            }
        }
        sum.retain(|it| it.1 != 0);
        Polynomial { terms: sum }
    }

    /// The sum of this and a multiple of the other: both are sorted, so they are merged.
    pub fn plus(&self, other: &Polynomial, by: i64) -> Polynomial {
        let mut terms: Vec<Term> = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut left = self.terms.iter().peekable();
        for (factors, coefficient) in &other.terms {
            while let Some(before) = left.next_if(|it| it.0 < *factors) {
                terms.push(*before);
            }
            let equal = left.next_if(|it| it.0 == *factors).map_or(0, |it| it.1);
            let sum = WORD.wrap(equal + WORD.wrap(coefficient * by));
            if sum != 0 {
                terms.push((*factors, sum));
            }
        }
        terms.extend(left);
        Polynomial { terms }
    }

    /// The number of operands of the expression; it begins with 0 if all is subtracted, unless it
    /// begins with its constant.
    pub fn size(&self) -> usize {
        if self.constant().is_some() {
            return 1;
        }
        let size = |(product, coefficient): &Term| match product.count {
            0 => 1,
            count => count + usize::from(coefficient.abs() != 1),
        };
        let begins_with_zero = self.terms.iter().all(|it| it.1 < 0 && it.0 != Product::ONE);
        self.terms.iter().map(size).sum::<usize>() + usize::from(begins_with_zero)
    }

    /// The product, if it is small.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.terms.len() * other.terms.len() > MAX_TERMS {
            return None;
        }
        let mut terms = Vec::new();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                terms.push((left.times(right)?, WORD.wrap(a * b)));
            }
        }
        Some(Polynomial::new(terms))
    }

    pub fn is_sum(&self) -> bool {
        self.terms.len() > 1
    }

    pub fn fits(&self) -> bool {
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

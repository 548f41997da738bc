//! Congruence classes: live ranges that are connected by copies and do not interfere.
//!
//! If all ranges of a class get one register, no copy between them remains. The classes are only
//! hints for the colouring. (Z. Budimlić et al., Fast Copy Coalescing and Live-Range
//! Identification, 2002.)
use crate::colour::interference::Graph;
use crate::colour::split_code::{number, ranges};
use crate::ia32::Register;
use crate::ia32::register::RegisterSet;

/// A class with more neighbours than this is not joined with one that has even more. Otherwise long
/// chains of copies would take quadratic time.
const MAX_DEGREE: usize = 1000;

pub struct Classes {
    /// The class of each live range.
    pub of: Vec<usize>,
    pub all: Vec<Class>,
    /// For each live range, another member of its class. They form a ring, so two classes are
    /// joined by an exchange of two entries.
    next: Vec<Register>,
}

pub struct Class {
    /// One of its members.
    member: Register,
    /// The number of neighbours of all members.
    degree: usize,
    /// The registers that all members may have.
    pub allowed: RegisterSet,
    /// The real registers that members are copied from or to, each with the number of executions.
    pub real: Vec<(Register, u64)>,
}

impl Classes {
    /// Joins the ranges of the most frequent copies first.
    pub fn new(graph: &Graph) -> Classes {
        let count = graph.groups.len();
        let class = |range: Register| {
            let degree = graph.neighbours[range].len();
            Class { member: range, degree, allowed: graph.allowed[range], real: Vec::new() }
        };
        let all = ranges(0..count).map(class).collect();
        let mut classes =
            Classes { of: (0..count).collect(), all, next: ranges(0..count).collect() };
        for &(weight, a, b) in &graph.copies {
            let class = classes.of[number(a)];
            match b.is_real() {
                true => classes.all[class].add_real(b, weight),
                false => classes.join(graph, class, classes.of[number(b)]),
            }
        }
        classes
    }

    /// Joins two classes, unless they interfere, are too large, or have no register in common.
    fn join(&mut self, graph: &Graph, a: usize, b: usize) {
        let degree = |class: usize| self.all[class].degree;
        let (small, large) = if degree(a) < degree(b) { (a, b) } else { (b, a) };
        let common = self.all[a].allowed.intersect(self.all[b].allowed);
        if a == b || degree(small) > MAX_DEGREE || common == RegisterSet::EMPTY {
            return;
        }
        let is_large = |it: &Register| self.of[number(*it)] == large;
        if self.members(small).any(|it| graph.neighbours[it].iter().any(is_large)) {
            return;
        }
        let mut moved = self.all[small].member;
        while self.of[number(moved)] == small {
            self.of[number(moved)] = large;
            moved = self.next[number(moved)];
        }
        self.next.swap(number(moved), number(self.all[large].member));
        let real = std::mem::take(&mut self.all[small].real);
        self.all[large].degree += self.all[small].degree;
        self.all[large].allowed = common;
        real.into_iter().for_each(|it| self.all[large].add_real(it.0, it.1));
    }

    fn members(&self, class: usize) -> impl Iterator<Item = Register> {
        let first = self.all[class].member;
        let next = move |it: &Register| Some(self.next[number(*it)]).filter(|it| *it != first);
        std::iter::successors(Some(first), next)
    }
}

impl Class {
    /// Adds a real register that a member is copied from or to.
    fn add_real(&mut self, register: Register, weight: u64) {
        match self.real.iter_mut().find(|it| it.0 == register) {
            Some(known) => known.1 += weight,
            None => self.real.push((register, weight)),
        }
    }
}

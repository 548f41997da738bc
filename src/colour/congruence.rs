//! Congruence classes: live ranges that are connected by copies and do not interfere.
//!
//! If all ranges of a class get one register, no copy between them remains. The classes are only
//! hints for the colouring. (Z. Budimlić et al., Fast Copy Coalescing and Live-Range
//! Identification, 2002.)
use crate::colour::interference::Graph;
use crate::colour::split_code::{number, ranges};
use crate::ia32::Register;
use crate::ia32::register::RegisterSet;
use arena::{Arena, SparseTable, id};

/// A class with more neighbours than this is not joined with one that has even more. Otherwise long
/// chains of copies would take quadratic time.
const MAX_DEGREE: u32 = 1000;

id! {
    /// A congruence class.
    ClassId
}

pub struct Classes {
    /// The class of each live range.
    pub of: Vec<ClassId>,
    pub all: Arena<ClassId, Class>,
    /// The real registers that the members of a class are copied from or to, each with the number
    /// of executions. Few classes have any.
    pub real: SparseTable<ClassId, Vec<(Register, u64)>>,
    /// For each live range, another member of its class. They form a ring, so two classes are
    /// joined by an exchange of two entries.
    next: Vec<Register>,
}

pub struct Class {
    /// One of its members.
    member: Register,
    /// The number of neighbours of all members.
    degree: u32,
    /// The registers that all members may have.
    pub allowed: RegisterSet,
}

impl Classes {
    /// Joins the ranges of the most frequent copies first.
    pub fn new(graph: &Graph) -> Classes {
        let count = graph.groups.len();
        let mut classes = Classes {
            of: Vec::with_capacity(count),
            all: Arena::with_capacity(count),
            real: SparseTable::new(count),
            next: ranges(0..count).collect(),
        };
        for member in ranges(0..count) {
            let degree = graph.neighbours[member].len() as u32;
            let class = Class { member, degree, allowed: graph.allowed[member] };
            classes.of.push(classes.all.push(class));
        }
        for &(weight, a, b) in &graph.copies {
            let class = classes.of[number(a)];
            match b.is_real() {
                true => add(&mut classes.real[class], b, weight),
                false => classes.join(graph, class, classes.of[number(b)]),
            }
        }
        classes
    }

    /// Joins two classes, unless they interfere, are too large, or have no register in common.
    fn join(&mut self, graph: &Graph, a: ClassId, b: ClassId) {
        let degree = |class: ClassId| self.all[class].degree;
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
        self.all[large].degree += self.all[small].degree;
        self.all[large].allowed = common;
        if !self.real[small].is_empty() {
            let real = std::mem::take(&mut self.real[small]);
            real.into_iter().for_each(|it| add(&mut self.real[large], it.0, it.1));
        }
    }

    fn members(&self, class: ClassId) -> impl Iterator<Item = Register> {
        let first = self.all[class].member;
        let next = move |it: &Register| Some(self.next[number(*it)]).filter(|it| *it != first);
        std::iter::successors(Some(first), next)
    }
}

/// Adds a real register that a member is copied from or to.
fn add(real: &mut Vec<(Register, u64)>, register: Register, weight: u64) {
    match real.iter_mut().find(|it| it.0 == register) {
        Some(known) => known.1 += weight,
        None => real.push((register, weight)),
    }
}

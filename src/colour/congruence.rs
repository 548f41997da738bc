//! Congruence classes: live ranges that are connected by copies and do not interfere.
//!
//! If all ranges of a class get one register, no copy between them remains. The classes are only
//! hints for the colouring. (Z. Budimlić et al., Fast Copy Coalescing and Live-Range
//! Identification, 2002.)
use crate::colour::interference::Graph;
use crate::colour::split_code::{number, ranges};
use crate::ia32::Register;
use crate::ia32::register::RegisterSet;
use arena::{Arena, Id, SparseTable, id};

/// A class with more neighbours than this is not joined with one that has even more. Otherwise long
/// chains of copies would take quadratic time.
const MAX_DEGREE: u32 = 1000;

id! {
    /// A congruence class.
    ClassId
}

pub struct Classes {
    /// A class of each live range: its own, or one that has been joined with others.
    of: Vec<ClassId>,
    all: Arena<ClassId, Class>,
    /// The real registers that the members of a class are copied from or to, each with the number
    /// of executions. Few classes have any.
    pub real: SparseTable<ClassId, Vec<(Register, u64)>>,
    /// For each live range with neighbours, another one of its class. They form a ring, so two
    /// classes are joined by an exchange of two entries.
    next: Vec<Register>,
}

struct Class {
    /// The class that it is part of, or itself.
    parent: ClassId,
    /// One of its members; one with neighbours, if there is any.
    member: Register,
    /// The number of neighbours of all members.
    degree: u32,
    /// The registers that all members may have.
    allowed: RegisterSet,
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
            let parent = ClassId::from_index(classes.all.len());
            let degree = graph.neighbours[member].len() as u32;
            let class = Class { parent, member, degree, allowed: graph.allowed[member] };
            classes.of.push(classes.all.push(class));
        }
        for &(weight, a, b) in &graph.copies {
            let class = classes.of(a);
            if b.is_real() {
                add(&mut classes.real[class], b, weight);
            } else {
                let other = classes.of(b);
                classes.join(graph, class, other);
            }
        }
        classes
    }

    /// The class of a live range. The path to it is halved, so that all paths stay short.
    pub fn of(&mut self, range: Register) -> ClassId {
        let mut class = self.of[number(range)];
        while self.all[class].parent != class {
            let parent = self.all[class].parent;
            self.all[class].parent = self.all[parent].parent;
            class = self.all[class].parent;
        }
        self.of[number(range)] = class;
        class
    }

    /// The registers that all members of a class may have.
    pub fn allowed(&self, class: ClassId) -> RegisterSet {
        self.all[class].allowed
    }

    /// Joins two classes, unless they interfere, are too large, or have no register in common.
    fn join(&mut self, graph: &Graph, a: ClassId, b: ClassId) {
        let [of_a, of_b] = [a, b].map(|it| self.all[it].degree);
        let (small, large) = if of_a < of_b { (a, b) } else { (b, a) };
        let degree = of_a.min(of_b);
        let common = self.all[a].allowed.intersect(self.all[b].allowed);
        if a == b
            || degree > MAX_DEGREE
            || common == RegisterSet::EMPTY
            || self.interfere(graph, small, large)
        {
            return;
        }
        if degree > 0 {
            let members = [small, large].map(|it| number(self.all[it].member));
            self.next.swap(members[0], members[1]);
        }
        self.all[small].parent = large;
        self.all[large].degree = of_a + of_b;
        self.all[large].allowed = common;
        if !self.real[small].is_empty() {
            let real = std::mem::take(&mut self.real[small]);
            real.into_iter().for_each(|it| add(&mut self.real[large], it.0, it.1));
        }
    }

    /// Whether members of two classes interfere. Members without neighbours are skipped: a chain of
    /// copies may have any number of them.
    fn interfere(&mut self, graph: &Graph, small: ClassId, large: ClassId) -> bool {
        if self.all[small].degree == 0 {
            return false;
        }
        let first = self.all[small].member;
        let mut member = first;
        loop {
            if graph.neighbours[member].iter().any(|it| self.of(*it) == large) {
                return true;
            }
            member = self.next[number(member)];
            if member == first {
                return false;
            }
        }
    }
}

/// Adds a real register that a member is copied from or to.
fn add(real: &mut Vec<(Register, u64)>, register: Register, weight: u64) {
    match real.iter_mut().find(|it| it.0 == register) {
        Some(known) => known.1 += weight,
        None => real.push((register, weight)),
    }
}

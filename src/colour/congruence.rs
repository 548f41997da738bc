//! Congruence classes: live ranges that are connected by copies and do not interfere.
//!
//! If all ranges of a class get one register, no copy between them remains. The classes are only
//! hints for the colouring. (Z. Budimlić et al., Fast Copy Coalescing and Live-Range
//! Identification, 2002.)
use crate::colour::interference::Graph;
use crate::colour::split_code::{number, ranges};
use crate::ia32::Register;
use crate::ia32::register::RegisterSet;
use std::cmp::Reverse;

/// A class with more neighbours than this is not joined with one that has even more. Otherwise long
/// chains of copies would take quadratic time.
const MAX_DEGREE: usize = 1000;

pub struct Classes {
    /// The class of each live range.
    pub of: Vec<usize>,
    pub all: Vec<Class>,
}

pub struct Class {
    members: Vec<Register>,
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
        let count = graph.allowed.len();
        let class = |range: Register| {
            let real = graph.affinities[range].iter().filter(|it| it.0.is_real());
            let real = real.copied().collect();
            let degree = graph.neighbours[range].len();
            Class { members: vec![range], degree, allowed: graph.allowed[number(range)], real }
        };
        let all = ranges(count).map(class).collect();
        let mut classes = Classes { of: (0..count).collect(), all };
        let copies = ranges(count).flat_map(|range| {
            let affinities = graph.affinities[range].iter();
            let once = affinities.filter(move |it| !it.0.is_real() && it.0 < range);
            once.map(move |it| (Reverse(it.1), range, it.0))
        });
        let mut copies = copies.collect::<Vec<_>>();
        copies.sort_unstable();
        for (_, a, b) in copies {
            classes.join(graph, classes.of[number(a)], classes.of[number(b)]);
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
        let mut near = self.all[small].members.iter().flat_map(|it| &graph.neighbours[*it]);
        if near.any(|it| self.of[number(*it)] == large) {
            return;
        }
        let moved = std::mem::take(&mut self.all[small].members);
        let real = std::mem::take(&mut self.all[small].real);
        moved.iter().for_each(|it| self.of[number(*it)] = large);
        self.all[large].degree += self.all[small].degree;
        self.all[large].allowed = common;
        self.all[large].members.extend(moved);
        let all = &mut self.all[large].real;
        for (register, weight) in real {
            match all.iter_mut().find(|it| it.0 == register) {
                Some(known) => known.1 += weight,
                None => all.push((register, weight)),
            }
        }
    }
}

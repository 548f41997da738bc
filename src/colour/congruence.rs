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

pub struct Classes {
    /// The class of each live range.
    pub of: Vec<usize>,
    pub all: Vec<Class>,
}

pub struct Class {
    members: Vec<Register>,
    /// The registers that all members may have.
    pub allowed: RegisterSet,
    /// The copies between members and real registers.
    pub real: Vec<(Register, u64)>,
}

impl Classes {
    /// Joins the ranges of the most frequent copies first.
    pub fn new(graph: &Graph) -> Classes {
        let count = graph.allowed.len();
        let class = |range: Register| {
            let real = graph.affinities[range].iter().filter(|it| it.0.is_real());
            let real = real.copied().collect();
            Class { members: vec![range], allowed: graph.allowed[number(range)], real }
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

    /// Joins two classes, unless they interfere or have no register in common.
    fn join(&mut self, graph: &Graph, a: usize, b: usize) {
        let size = |class: usize| self.all[class].members.len();
        let (small, large) = if size(a) < size(b) { (a, b) } else { (b, a) };
        let mut near = self.all[small].members.iter().flat_map(|it| &graph.neighbours[*it]);
        let interferes = near.any(|it| self.of[number(*it)] == large);
        let common = self.all[a].allowed.intersect(self.all[b].allowed);
        if a == b || interferes || common == RegisterSet::EMPTY {
            return;
        }
        let moved = std::mem::take(&mut self.all[small].members);
        let real = std::mem::take(&mut self.all[small].real);
        moved.iter().for_each(|it| self.of[number(*it)] = large);
        self.all[large].allowed = common;
        self.all[large].members.extend(moved);
        self.all[large].real.extend(real);
    }
}

//! Colouring in the order of dominance.
//!
//! When a live range is coloured, those of its neighbours that have a colour are live at its
//! definition, so they are fewer than the registers. Ranges that begin at once are coloured by the
//! number of registers that they may have. (Hack et al., 2006.)
use crate::colour::congruence::{ClassId, Classes};
use crate::colour::interference::Graph;
use crate::colour::split_code::{number, ranges};
use crate::ia32::Register;
use crate::ia32::register::{CALLEE_SAVED, NAMES, RegisterSet};
use arena::{Id, SideTable};
use std::cmp::Reverse;

/// The register of each live range, by its number; that of a real register is itself.
pub struct Colours(Vec<u8>);

impl Colours {
    /// The register of a live range.
    pub fn of(&self, range: Register) -> Register {
        Register::from_index(usize::from(self.0[range.index()]))
    }

    pub fn set(&mut self, range: Register, register: Register) {
        self.0[range.index()] = register.index() as u8;
    }

    /// The registers of all live ranges.
    pub fn used(&self) -> RegisterSet {
        RegisterSet::of_numbers(&self.0[NAMES.len()..])
    }
}

/// A register for each live range; `None` if there are not enough.
pub fn color(graph: &Graph) -> Option<Colours> {
    debug_assert!(graph.pressure < NAMES.len(), "the other values are in memory");
    let mut classes = Classes::new(graph);
    // Of ranges and classes without a register, these sets are empty.
    let mut preferred = SideTable::<ClassId, RegisterSet>::new(graph.groups.len());
    let reals = (0..NAMES.len()).map(|it| RegisterSet::EMPTY.with(Register::from_index(it)));
    let mut colours = reals.collect::<Vec<_>>();
    colours.resize(NAMES.len() + graph.groups.len(), RegisterSet::EMPTY);
    let mut order = ranges(0..graph.groups.len()).collect::<Vec<_>>();
    let in_group =
        |a: &Register, b: &Register| graph.groups[number(*a)] == graph.groups[number(*b)];
    for group in order.chunk_by_mut(in_group) {
        group.sort_by_key(|it| graph.allowed[*it].len());
    }
    let mut used = RegisterSet::EMPTY;
    for range in order {
        let mut free = graph.allowed[range];
        for &other in &graph.neighbours[range] {
            free = free.without(colours[other.index()]);
        }
        let class = classes.of(range);
        let hint = preferred[class].intersect(free).first();
        let best = hint.or_else(|| {
            let mut saved = [0; NAMES.len()];
            let copied = graph.affinities[range].iter().filter(|it| !it.0.is_real());
            let copied = copied.filter_map(|it| Some((colours[it.0.index()].first()?, it.1)));
            let copied = copied.chain(classes.real[class].iter().copied());
            copied.for_each(|(register, weight)| saved[register.index()] += weight);
            let common = free.intersect(classes.allowed(class));
            let choice = if common == RegisterSet::EMPTY { free } else { common };
            best(choice, &saved, used)
        })?;
        if preferred[class].is_empty() {
            preferred[class].insert(best);
        }
        used.insert(best);
        colours[range.index()].insert(best);
    }
    let numbers = colours.into_iter().map(|it| Some(it.first()?.index() as u8));
    numbers.collect::<Option<_>>().map(Colours)
}

/// The register that saves the most copies, then the cheapest one.
fn best(choice: RegisterSet, saved: &[u64; NAMES.len()], used: RegisterSet) -> Option<Register> {
    let cost = |register: Register| {
        let is_new = CALLEE_SAVED.contains(&register) && !used.contains(register);
        COST[register.index() % COST.len()] + if is_new { NAMES.len() as u32 } else { 0 }
    };
    choice.iter().max_by_key(|&it| (saved[it.index()], Reverse(cost(it))))
}

/// A lower number is preferred. The result is returned in eax, so late values should get it; ebp
/// makes addresses longer. Each class has eight registers.
const COST: [u32; 8] = [2, 0, 1, 5, 7, 6, 3, 4];

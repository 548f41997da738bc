//! Colouring in the order of dominance.
//!
//! When a live range is coloured, those of its neighbours that have a colour are live at its
//! definition, so they are fewer than the registers. Ranges that begin at once are coloured by the
//! number of registers that they may have. (Hack et al., 2006.)
use crate::colour::congruence::Classes;
use crate::colour::interference::Graph;
use crate::colour::split_code::{number, ranges};
use crate::ia32::Register;
use crate::ia32::register::{CALLEE_SAVED, NAMES, RegisterSet};
use arena::Id;
use std::cmp::Reverse;

/// The register of each live range.
pub type Colours = Vec<Register>;

/// A register for each live range; `None` if there are not enough.
pub fn color(graph: &Graph) -> Option<Colours> {
    debug_assert!(graph.pressure < NAMES.len(), "the other values are in memory");
    let classes = Classes::new(graph);
    let mut preferred: Vec<Option<Register>> = vec![None; classes.all.len()];
    let mut colours: Vec<Option<Register>> = vec![None; graph.allowed.len()];
    let mut order = ranges(graph.allowed.len()).collect::<Vec<_>>();
    order.sort_by_key(|&it| (graph.groups[number(it)], graph.allowed[number(it)].iter().count()));
    let mut used = RegisterSet::EMPTY;
    for range in order {
        let mut free = graph.allowed[number(range)];
        for &other in &graph.neighbours[range] {
            colours[number(other)].into_iter().for_each(|it| free.remove(it));
        }
        let class = classes.of[number(range)];
        let hint = preferred[class].filter(|it| free.contains(*it));
        let copied = graph.affinities[range].iter().filter(|it| !it.0.is_real());
        let copied = copied.filter_map(|it| Some((colours[number(it.0)]?, it.1)));
        let copied = copied.chain(classes.all[class].real.iter().copied()).collect::<Vec<_>>();
        let common = free.intersect(classes.all[class].allowed);
        let choice = if common == RegisterSet::EMPTY { free } else { common };
        let best = hint.or_else(|| best(choice, &copied, used))?;
        preferred[class].get_or_insert(best);
        used.insert(best);
        colours[number(range)] = Some(best);
    }
    colours.into_iter().collect()
}

/// The register that saves the most copies, then the cheapest one.
fn best(choice: RegisterSet, copied: &[(Register, u64)], used: RegisterSet) -> Option<Register> {
    let saved = |register: Register| -> u64 {
        copied.iter().filter(|it| it.0 == register).map(|it| it.1).sum()
    };
    let cost = |register: Register| {
        let is_new = CALLEE_SAVED.contains(&register) && !used.contains(register);
        COST[register.index() % COST.len()] + if is_new { NAMES.len() as u32 } else { 0 }
    };
    choice.iter().max_by_key(|&it| (saved(it), Reverse(cost(it))))
}

/// A lower number is preferred. The result is returned in eax, so late values should get it; ebp
/// makes addresses longer. Each class has eight registers.
const COST: [u32; 8] = [2, 0, 1, 5, 7, 6, 3, 4];

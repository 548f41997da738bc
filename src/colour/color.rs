//! Colouring in the order of dominance.
//!
//! When a live range is coloured, those of its neighbours that have a colour are live at its
//! definition, so they are fewer than the registers. Ranges that begin at once are coloured by the
//! number of registers that they may have. (Hack et al., 2006.)
use crate::colour::interference::Graph;
use crate::colour::split_code::{number, ranges};
use crate::ia32::Register;
use crate::ia32::register::{CALLEE_SAVED, NAMES, RegisterSet};
use arena::Id;

/// The register of each live range.
pub type Colours = Vec<Register>;

/// A register for each live range; `None` if there are not enough.
pub fn color(graph: &Graph) -> Option<Colours> {
    let mut colours: Vec<Option<Register>> = vec![None; graph.allowed.len()];
    let mut order = ranges(graph.allowed.len()).collect::<Vec<_>>();
    order.sort_by_key(|&it| (graph.groups[number(it)], graph.allowed[number(it)].iter().count()));
    let mut used = RegisterSet::EMPTY;
    for range in order {
        let mut free = graph.allowed[number(range)];
        for &other in &graph.neighbours[number(range)] {
            colours[number(other)].into_iter().for_each(|it| free.remove(it));
        }
        let saved = |register: Register| -> u64 {
            let same = graph.affinities[number(range)].iter().filter(|(other, _)| {
                let colour = if other.is_real() { Some(*other) } else { colours[number(*other)] };
                colour == Some(register)
            });
            same.map(|(_, weight)| weight).sum()
        };
        let cost = |register: Register| {
            let is_new = CALLEE_SAVED.contains(&register) && !used.contains(register);
            COST[register.index()] + if is_new { NAMES.len() as u32 } else { 0 }
        };
        let best = free.iter().max_by_key(|&it| (saved(it), std::cmp::Reverse(cost(it))))?;
        used.insert(best);
        colours[number(range)] = Some(best);
    }
    colours.into_iter().collect()
}

/// A lower number is preferred. The result is returned in eax, so late values should get it; ebp
/// makes addresses longer.
const COST: [u32; NAMES.len()] = [2, 0, 1, 5, 7, 6, 3, 4];

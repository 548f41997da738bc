//! Sinking: a match whose results only other blocks read is executed in the last block before them.
//!
//! Source: C. Click, "Global Code Motion / Global Value Numbering", PLDI 1995, here for matches.
//! The schedule of the sea counts each use of an operation. Once patterns have covered some of
//! them, the others may all be in later blocks.
use crate::firm::{NodeId, Op, dominators};
use crate::rules::{Match, MatchKey, ProgramGraph, ProgramId, RuleSet};
use arena::SideTable;
use flow::Dominators;

/// Moves the chosen matches, which are in order of execution, and the nodes of their results.
pub fn sink(program: &mut ProgramGraph, rules: &RuleSet, chosen: &mut Vec<MatchKey>) {
    let order = program.flow.reverse_postorder(program.graph);
    let mut sinking = Sinking {
        dominators: dominators(program.graph, &order),
        uses: SideTable::new(program.len()),
        ends: SideTable::new(program.graph.len()),
    };
    let mut places: Vec<u32> = (0..chosen.len() as u32).collect();
    let mut is_changed = false;
    for (at, key) in chosen.iter().enumerate().rev() {
        let found = key.matched(rules, program);
        let own = program.block(found.root);
        sinking.ends[own].get_or_insert(at as u32);
        if let Some((block, place)) = sinking.target(program, &found) {
            found.roots().for_each(|root| program.set_block(root, block));
            places[at] = place;
            is_changed = true;
        }
        sinking.note_uses(program, &found, places[at]);
    }
    if is_changed {
        let mut sorted: Vec<_> = places.into_iter().zip(chosen.iter().copied()).collect();
        sorted.sort_by_key(|&(place, _)| place);
        *chosen = sorted.into_iter().map(|(_, key)| key).collect();
    }
}

/// The uses of a value that have been found: the last block before all of them, and the number of
/// the match in that block that reads it first, if one does.
#[derive(Clone, Copy)]
struct Uses {
    block: NodeId,
    first: Option<u32>,
}

struct Sinking {
    dominators: Dominators<NodeId>,
    uses: SideTable<ProgramId, Option<Uses>>,
    /// The number of the last match of each block: its jump.
    ends: SideTable<NodeId, Option<u32>>,
}

impl Sinking {
    /// The block that a match moves to, and the number of the match that it is executed before.
    fn target(&self, program: &ProgramGraph, found: &Match) -> Option<(NodeId, u32)> {
        let own = program.block(found.root);
        let uses = found.roots().filter_map(|root| self.uses[root]);
        let all = uses.reduce(|a, b| self.join(a, b))?;
        if all.block == own || !is_movable(program, found) || !self.dominators.contains(own) {
            return None;
        }
        // The last of the blocks in the fewest loops.
        let depth = |block: &NodeId| program.graph.depth(*block);
        let up = |block: &NodeId| Some(self.dominators.immediate_dominator(*block));
        let path = std::iter::successors(Some(all.block), up).take_while(|&block| block != own);
        let block = path.min_by_key(depth).filter(|block| depth(block) <= depth(&own))?;
        let first = all.first.filter(|_| block == all.block);
        Some((block, first.or(self.ends[block])?))
    }

    /// The uses of a value by several others.
    fn join(&self, a: Uses, b: Uses) -> Uses {
        let block = self.dominators.nearest_common_dominator(a.block, b.block);
        let inside = [a, b].into_iter().filter(|it| it.block == block);
        Uses { block, first: inside.filter_map(|it| it.first).min() }
    }

    fn note_uses(&mut self, program: &ProgramGraph, found: &Match, place: u32) {
        let block = program.block(found.root);
        if !self.dominators.contains(block) {
            return;
        }
        let here = Uses { block, first: Some(place) };
        for value in found.values().chain(program.block_arguments(found.root)) {
            self.uses[value] = Some(self.uses[value].map_or(here, |it| self.join(it, here)));
        }
    }
}

/// Whether a match may be executed later: it does not depend on memory, and it reads one value at
/// most, so that it does not keep more values in registers than before.
fn is_movable(program: &ProgramGraph, found: &Match) -> bool {
    let is_pure = |id: ProgramId| {
        let op = program.op(id);
        !program.has_side_effect(id) && !op.accesses_memory() && !matches!(op, Op::Argument(_))
    };
    let is_constant = |id: &ProgramId| matches!(program.op(*id), Op::Const(_));
    found.roots().chain(found.inner().iter().copied()).all(is_pure)
        && found.values().filter(|id| !is_constant(id)).count() <= 1
}

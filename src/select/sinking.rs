//! Sinking: a match whose results only other blocks read is executed in the last block before them.
//! The next value of a variable of a loop is computed after all reads of the value before, so that
//! one register holds both.
//!
//! Source: C. Click, "Global Code Motion / Global Value Numbering", PLDI 1995, here for matches.
//! The schedule of the sea counts each use of an operation. Once patterns have covered some of
//! them, the others may all be in later blocks.
use super::{Program, Selection};
use crate::firm::{NodeId, Op, dominators};
use crate::rules::{Match, MatchKey, ProgramGraph, ProgramId, RuleSet};
use arena::{SideTable, SparseTable};
use flow::Dominators;

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "sinking";

pub const LAW: &str = "an instruction is executed in the last block before all uses of its result, \
                       and the next value of a variable is computed after all reads of it";

/// The blocks above its uses that are considered for a match, so that it is placed in constant
/// time.
const FAR: usize = 64;

impl Program<'_> {
    /// The same covers, with matches that have moved to later blocks.
    pub fn sunk(self) -> Self {
        let functions = self.functions.into_iter().map(Selection::sunk).collect();
        Program { functions, ..self }
    }
}

impl Selection<'_> {
    pub fn sunk(self) -> Self {
        let (chosen, moved) = sink(&self.chosen, &self.program, self.rules);
        Selection { chosen, moved, ..self }
    }
}

/// The matches in the order in which they are executed, and the blocks that some have moved to.
fn sink(
    chosen: &[MatchKey],
    program: &ProgramGraph,
    rules: &RuleSet,
) -> (Vec<MatchKey>, SparseTable<ProgramId, Option<NodeId>>) {
    let order = program.flow.reverse_postorder(program.graph);
    let mut sinking = Sinking {
        program,
        dominators: dominators(program.graph, &order),
        blocks: SparseTable::new(program.len()),
        uses: SideTable::new(program.len()),
        last_reads: SideTable::new(program.len()),
        ends: SideTable::new(program.graph.len()),
    };
    let mut placed = Vec::with_capacity(chosen.len());
    for (at, key) in chosen.iter().enumerate().rev() {
        let (at, found) = (at as u32, key.matched(rules, program));
        sinking.ends[program.block(found.root)].get_or_insert(at);
        let place = sinking.place(&found, at);
        sinking.note_uses(&found, place);
        placed.push((place, *key));
    }
    placed.reverse();
    // A match that moves is executed right before the one with the number of its place.
    placed.sort_by_key(|&(place, _)| place);
    let chosen = placed.into_iter().map(|(_, key)| key).collect();
    (chosen, sinking.blocks)
}

/// The uses of a value that have been found: the last block before all of them, and the number of
/// the match in that block that reads it first, if one does.
#[derive(Clone, Copy)]
struct Uses {
    block: NodeId,
    first: Option<u32>,
}

struct Sinking<'s> {
    program: &'s ProgramGraph<'s>,
    dominators: Dominators<NodeId>,
    /// The blocks that matches have moved to.
    blocks: SparseTable<ProgramId, Option<NodeId>>,
    uses: SideTable<ProgramId, Option<Uses>>,
    /// The number of the match that reads a value last.
    last_reads: SideTable<ProgramId, u32>,
    /// The number of the last match of each block: its jump.
    ends: SideTable<NodeId, Option<u32>>,
}

impl Sinking<'_> {
    /// The place of the match with this number. It moves if it can.
    fn place(&mut self, found: &Match, at: u32) -> u32 {
        let own = self.program.block(found.root);
        let Some((block, place)) = self.target(found, at) else { return at };
        if block != own {
            found.roots().for_each(|root| self.blocks[root] = Some(block));
        }
        place
    }

    /// The block that a match moves to, and the number of the match that it is executed before.
    fn target(&self, found: &Match, at: u32) -> Option<(NodeId, u32)> {
        let own = self.program.block(found.root);
        let uses = found.roots().filter_map(|root| self.uses[root]);
        let all = uses.reduce(|a, b| self.join(a, b))?;
        if !is_pure(self.program, found) || !self.dominators.contains(own) {
            return None;
        }
        if all.block == own {
            return Some((own, self.after_last_read(found, at, all.first?)?));
        }
        if read_values(self.program, found).count() > 1 {
            return None;
        }
        let above = |block: &NodeId| Some(self.dominators.immediate_dominator(*block));
        let path = std::iter::successors(Some(all.block), above).take(FAR);
        let path = path.take_while(|&block| block != own);
        // The last of the blocks in the fewest loops.
        let depth = |block: &NodeId| self.program.graph.depth(*block);
        let block = path.min_by_key(depth).filter(|block| depth(block) <= depth(&own))?;
        let first = all.first.filter(|_| block == all.block);
        Some((block, first.or(self.ends[block])?))
    }

    /// The place after all matches that read a variable, if the result is its next value and has
    /// no use before. No value is live longer then: one from outside of a loop that is read in the
    /// loop is live in all of it.
    fn after_last_read(&self, found: &Match, at: u32, first_use: u32) -> Option<u32> {
        let graph = self.program.graph;
        let next = self.program.firm(found.root);
        let is_variable = |id: &ProgramId| {
            let id = self.program.firm(*id);
            graph.op(id) == Op::Phi && graph.operands(id).contains(&next)
        };
        let variable = found.values().find(is_variable)?;
        let depth = |id| graph.depth(self.program.block(id));
        let is_live = |it: ProgramId| it == variable || depth(it) < depth(variable);
        if !read_values(self.program, found).all(is_live) {
            return None;
        }
        let last = self.last_reads[variable];
        (at < last && last < first_use).then_some(last + 1)
    }

    /// The uses of a value by several others.
    fn join(&self, a: Uses, b: Uses) -> Uses {
        let block = self.dominators.nearest_common_dominator(a.block, b.block);
        let inside = [a, b].into_iter().filter(|it| it.block == block);
        Uses { block, first: inside.filter_map(|it| it.first).min() }
    }

    fn note_uses(&mut self, found: &Match, place: u32) {
        let own = self.program.block(found.root);
        let block = self.blocks[found.root].unwrap_or(own);
        if !self.dominators.contains(block) {
            return;
        }
        let here = Uses { block, first: Some(place) };
        for value in found.values().chain(self.program.block_arguments(found.root)) {
            self.last_reads[value] = self.last_reads[value].max(place);
            match self.uses[value] {
                // The value's own block is before all blocks.
                Some(known) if known.block == self.program.block(value) && known.block != block => {
                }
                known => self.uses[value] = Some(known.map_or(here, |it| self.join(it, here))),
            }
        }
    }
}

/// Whether a match does not depend on memory, so that it may be executed later.
fn is_pure(program: &ProgramGraph, found: &Match) -> bool {
    let is_pure = |id: ProgramId| {
        let op = program.op(id);
        !program.has_side_effect(id) && !op.accesses_memory() && !matches!(op, Op::Argument(_))
    };
    found.roots().chain(found.inner().iter().copied()).all(is_pure)
}

/// The values that a match reads from registers. Moved to another block, one with a single value
/// does not keep more values in registers than before.
fn read_values(program: &ProgramGraph, found: &Match) -> impl Iterator<Item = ProgramId> {
    found.values().filter(|id| !matches!(program.op(*id), Op::Const(_)))
}

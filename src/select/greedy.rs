//! Greedy selection, "maximal munch": at each node the rule that covers most and costs least.
//!
//! From the end to the start: what a chosen rule reads is needed in a register and gets a rule of
//! its own. An operation may disappear inside its user's instruction if it has no other user.
use super::{Objective, uncovered};
use crate::diagnostics::Diagnostic;
use crate::rules::{Match, ProgramGraph, ProgramId, RuleSet, matches};
use arena::SideTable;
use std::cmp::Reverse;

/// The chosen matches, in the order of the program.
pub fn choose(
    program: &ProgramGraph,
    rules: &RuleSet,
    cost: Objective,
) -> Result<Vec<Match>, Vec<Diagnostic>> {
    choose_with(program, |id| best(program, rules, cost, id))
}

/// The matches that `choose` chooses, for every operation whose value is needed.
pub fn choose_with(
    program: &ProgramGraph,
    choose: impl Fn(ProgramId) -> Option<Match>,
) -> Result<Vec<Match>, Vec<Diagnostic>> {
    let mut needed: SideTable<ProgramId, bool> = SideTable::new(program.len());
    let mut made: SideTable<ProgramId, bool> = SideTable::new(program.len());
    let mut chosen = Vec::new();
    for id in program.ids().rev() {
        let wanted = needed[id] || program.has_side_effect(id);
        if !wanted || made[id] || !program.op(id).is_selected() {
            continue;
        }
        let Some(best) = choose(id) else { return Err(uncovered(program, id)) };
        best.values().for_each(|operand| needed[operand] = true);
        program.block_arguments(id).for_each(|operand| needed[operand] = true);
        best.roots().for_each(|root| made[root] = true);
        chosen.push(best);
    }
    chosen.reverse();
    Ok(chosen)
}

/// The largest match at `id`; of these the cheapest; of these the first of the file. It makes one
/// value: whether another one is wanted too is not seen from here.
pub fn best(
    program: &ProgramGraph,
    rules: &RuleSet,
    cost: Objective,
    id: ProgramId,
) -> Option<Match> {
    let alone = |found: &Match| {
        found.roots().count() == 1 && found.inner().iter().all(|&inner| program.uses(inner) == 1)
    };
    let rank = |found: &Match| (Reverse(rules.size(found)), cost.of(found, rules, program));
    matches(rules, program, id).filter(alone).min_by_key(rank)
}

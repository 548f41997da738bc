//! Greedy selection, "maximal munch": at each node the rule that covers most and costs least.
//!
//! Nodes are visited from the last to the first: each value that a chosen rule reads needs a rule
//! of its own. An operation may be covered by the match of its user if it has no other user.
use super::{Objective, no_rule_covers};
use crate::diagnostics::Diagnostic;
use crate::rules::{Match, MatchKey, ProgramGraph, ProgramId, RuleSet, matches};
use arena::SideTable;
use std::cmp::Reverse;

/// The chosen matches, in the order of the program: those that `choose` returns for every operation
/// whose value is needed.
pub fn cover(
    program: &ProgramGraph,
    choose: impl Fn(ProgramId) -> Option<Match>,
) -> Result<Vec<MatchKey>, Vec<Diagnostic>> {
    let mut needed: SideTable<ProgramId, bool> = SideTable::new(program.len());
    let mut made: SideTable<ProgramId, bool> = SideTable::new(program.len());
    let mut chosen = Vec::new();
    for id in program.ids().rev() {
        let is_needed = needed[id] || program.has_side_effect(id);
        if !is_needed || made[id] || !program.op(id).is_selected() {
            continue;
        }
        let Some(best) = choose(id) else {
            return Err(no_rule_covers(program.op(id), program.own_mode(id)));
        };
        best.values().for_each(|operand| needed[operand] = true);
        program.block_arguments(id).for_each(|operand| needed[operand] = true);
        best.roots().for_each(|root| made[root] = true);
        // A load inside the match is executed there.
        #[cfg(feature = "ch10")]
        best.inner().iter().for_each(|&inner| made[inner] |= program.has_side_effect(inner));
        chosen.push(best.key());
    }
    chosen.reverse();
    Ok(chosen)
}

/// The largest match at `id`; of these the cheapest; of these the first of the file. It has one
/// result: whether another result is needed is not known here.
pub fn best(
    program: &ProgramGraph,
    rules: &RuleSet,
    objective: Objective,
    id: ProgramId,
) -> Option<Match> {
    let rank = |found: &Match| program.cost(found, rules, objective);
    let rank = |found: &Match| (Reverse(rules.size(found)), rank(found));
    let candidates = matches(rules, program, id);
    let candidates = candidates.filter(|found| is_unshared(program, found));
    candidates.min_by_key(rank)
}

fn is_unshared(program: &ProgramGraph, found: &Match) -> bool {
    found.roots().count() == 1 && found.inner().iter().all(|&inner| program.uses(inner) == 1)
}

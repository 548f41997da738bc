//! Covers that a test wishes for, not those that cost least.
use super::options::Objective;
use super::{Selection, greedy};
use crate::firm;
use crate::rules::{Match, ProgramGraph, ProgramId, RuleSet, matches};

/// Covers `graph` with the rule `name` at the root `wanted`, and greedily elsewhere; nothing if
/// the rule does not fit there.
pub fn force<'g>(
    graph: &'g firm::Graph,
    rules: &'g RuleSet,
    name: &str,
    wanted: firm::NodeId,
) -> Option<Selection<'g>> {
    let program = ProgramGraph::new(graph);
    let fits = |found: &Match| rules.rule(found.variant).name == name;
    let stands = |id: &ProgramId| program.firm(*id) == wanted;
    let mut fit = Vec::new();
    program.ids().filter(stands).for_each(|id| {
        fit.extend(matches(rules, &program, id).filter(fits));
    });
    let forced = fit.into_iter().next()?;
    let chosen = greedy::choose_with(&program, |id| {
        if id == forced.root {
            Some(forced)
        } else {
            greedy::best(&program, rules, Objective::Size, id)
        }
    });
    Some(Selection {
        program,
        rules,
        chosen: chosen.ok()?,
        #[cfg(feature = "ch04")]
        solved: None,
    })
}

#[cfg(feature = "ch04")]
impl Selection<'_> {
    /// What the chosen matches cost together.
    pub fn cost(&self, cost: Objective) -> u64 {
        self.chosen.iter().map(|found| cost.of(found, self.rules, &self.program)).sum()
    }

    /// The instance, if there is one.
    pub fn problem(&self) -> Option<&pbqp::Problem> {
        self.solved.as_ref().map(|(instance, _)| &instance.problem)
    }
}

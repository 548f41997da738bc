//! Covers with a given rule, for tests.
use super::options::Objective;
#[cfg(feature = "ch04")]
use super::options::{Method, SelectionOptions};
use super::{Selection, greedy};
use crate::firm;
use crate::rules::{Match, ProgramGraph, ProgramId, RuleSet, matches};
use arena::SparseTable;
use std::cell::OnceCell;

/// Covers `graph` with the rule `name` at the root `node`, and greedily elsewhere; nothing if the
/// rule does not match there.
pub fn force<'g>(
    graph: &'g firm::Graph,
    rules: &'g RuleSet,
    name: &str,
    node: firm::NodeId,
) -> Option<Selection<'g>> {
    let program = ProgramGraph::new(graph);
    let has_name = |found: &Match| rules.rule(found.variant).name == name;
    let is_node = |id: &ProgramId| program.firm(*id) == node;
    let mut fit = Vec::new();
    program.ids().filter(is_node).for_each(|id| {
        fit.extend(matches(rules, &program, id).filter(has_name));
    });
    let forced = fit.into_iter().next()?;
    let chosen = greedy::cover(&program, |id| {
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
        #[cfg(feature = "ch29")]
        moved: SparseTable::new(0),
        #[cfg(feature = "ch04")]
        options: SelectionOptions { method: Method::Greedy, ..SelectionOptions::default() },
        #[cfg(feature = "ch04")]
        solved: OnceCell::new(),
    })
}

#[cfg(feature = "ch04")]
impl Selection<'_> {
    /// The cost of all chosen matches.
    pub fn cost(&self, objective: Objective) -> u64 {
        self.matches().map(|found| self.program.cost(&found, self.rules, objective)).sum()
    }

    /// The instance, if there is one.
    pub fn problem(&self) -> Option<&pbqp::Problem> {
        self.solved().map(|(instance, _)| &instance.problem)
    }
}

//! Matches with several roots: all roots are selected or none, and they are executed at one point.
//!
//! Each root of such a match has the match as one of its alternatives. Edges between the roots have
//! infinite cost if one root chooses the match and another does not. The match is executed after
//! all its operands and before all uses of its results, and there may be no such point. Then the
//! match is forbidden and the instance is solved again. Each iteration forbids one match
//! permanently.
use super::group_order::{self, Group};
use super::pbqp_instance::{Choice, Instance, Role};
use crate::diagnostics::Diagnostic;
use crate::rules::{Match, ProgramGraph, ProgramId, RuleSet};
use arena::{Id, SideTable};

/// Adds the edges between the roots of matches.
pub fn tie_extra_roots(
    mut instance: Instance,
    program: &ProgramGraph,
    rules: &RuleSet,
) -> Instance {
    let mut ties: Vec<[ProgramId; 2]> = Vec::new();
    let keys = instance.candidates.iter().map(|it| it.key);
    for key in keys.filter(|it| rules.has_extra_roots(it.variant)) {
        let found = key.matched(rules, program);
        ties.extend(found.extra_roots().iter().map(|&extra_root| [key.root, extra_root]));
    }
    ties.sort_unstable();
    ties.dedup();
    for [root, extra_root] in ties {
        let common = |id: ProgramId, other: ProgramId| -> Vec<Option<u32>> {
            let of_other: Vec<_> =
                instance.alternatives[other.index()].iter().map(|it| it.role).collect();
            let common = |role| match role {
                Role::Root(candidate) if of_other.contains(&role) => Some(candidate),
                Role::Root(_) | Role::Inner | Role::InRegister => None,
            };
            instance.alternatives[id.index()].iter().map(|it| common(it.role)).collect()
        };
        let (rows, columns) = (common(root, extra_root), common(extra_root, root));
        let [root, extra_root] = [root, extra_root].map(|id| Id::from_index(id.index()));
        instance.problem.add_edge_with(root, extra_root, |i, j| {
            if rows[i] == columns[j] { pbqp::Cost::ZERO } else { pbqp::Cost::INFINITY }
        });
    }
    instance
}

/// Puts the chosen matches in order. Solves the instance again until they have one.
pub fn choose_in_order(
    mut instance: Instance,
    program: &ProgramGraph,
    rules: &RuleSet,
    (mut solution, mut chosen): Choice,
) -> Result<(Instance, Choice), Vec<Diagnostic>> {
    while chosen.iter().any(|it| rules.has_extra_roots(it.variant)) {
        let matches: Vec<_> = chosen.iter().map(|it| it.matched(rules, program)).collect();
        match in_order(program, &matches) {
            Ok(order) => {
                let ordered = order.into_iter().map(|group| chosen[group.index()]).collect();
                return Ok((instance, (solution, ordered)));
            }
            Err(impossible) => {
                let root = chosen[impossible.index()].root;
                instance.forbid(root, solution.choice[root.index()]);
                (solution, chosen) = instance.choose(program)?;
            }
        }
    }
    Ok((instance, (solution, chosen)))
}

impl Instance {
    /// Forbids an alternative of an operation.
    fn forbid(&mut self, id: ProgramId, alternative: u32) {
        let node = Id::from_index(id.index());
        self.problem.add_cost(node, alternative, pbqp::Cost::INFINITY);
    }
}

/// The order of the matches, each after those whose values it reads; or a match with several roots
/// that has no valid position.
fn in_order(program: &ProgramGraph, chosen: &[Match]) -> Result<Vec<Group>, Group> {
    let mut maker: SideTable<ProgramId, Option<Group>> = SideTable::new(program.len());
    for (at, found) in chosen.iter().enumerate() {
        found.roots().for_each(|root| maker[root] = Some(Group::from_index(at)));
    }
    #[cfg(feature = "ch14")]
    note_results(program, &mut maker);
    let (mut waits, mut first_of_block) = (Vec::new(), 0);
    #[cfg(feature = "ch10")]
    let mut last_access = None;
    for (at, found) in chosen.iter().enumerate() {
        let group = Group::from_index(at);
        let makers =
            found.values().chain(program.block_arguments(found.root)).filter_map(|id| maker[id]);
        waits.extend(makers.filter(|&it| it != group).map(|it| (it, group)));
        // Accesses to memory keep the order of the program.
        #[cfg(feature = "ch10")]
        if found.accesses(program).next().is_some() {
            waits.extend(last_access.replace(group).map(|before| (before, group)));
        }
        // A jump is last in its block, and the order of blocks is fixed.
        if program.is_root(found.root) {
            waits.extend((first_of_block..at).map(|it| (Group::from_index(it), group)));
            first_of_block = at;
        } else if first_of_block > 0 {
            waits.push((Group::from_index(first_of_block), group));
        }
    }
    group_order::order(chosen.len(), &waits).map_err(|cyclic| {
        let mut cyclic = cyclic.into_iter();
        let several = cyclic.find(|it| !chosen[it.index()].extra_roots().is_empty());
        several.expect("only matches with several results form cycles")
    })
}

#[cfg(feature = "ch14")]
type Makers = SideTable<ProgramId, Option<Group>>;

/// The match of a Call makes its Results.
#[cfg(feature = "ch14")]
fn note_results(program: &ProgramGraph, makers: &mut Makers) {
    let results = program.results();
    for call in program.ids() {
        for &result in &results[call] {
            makers[result] = makers[call];
        }
    }
}

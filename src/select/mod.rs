//! Instruction selection: covers a program with patterns of rules and emits the code of the cover.
#[cfg(feature = "ch04")]
mod print;
#[cfg(feature = "ch10")]
mod group_order;
mod emit;
#[cfg(test)]
pub mod forced;
mod greedy;
#[cfg(feature = "ch04")]
mod pbqp_instance;
#[cfg(feature = "ch10")]
mod multi_output;
pub mod options;
#[cfg(feature = "ch25")]
mod print_problem;
#[cfg(feature = "ch19")]
mod print_reductions;
#[cfg(feature = "ch29")]
pub mod sinking;

pub use emit::emit;
/// The work on graphs in files.
#[cfg(feature = "ch25")]
pub use {greedy::best, print_problem::print_problem};

use crate::diagnostics::{Code, Diagnostic};
use crate::firm;
#[cfg(feature = "ch07")]
use crate::frequency::ENTRY;
#[cfg(feature = "ch10")]
use crate::heap::ResultFormat;
use crate::rules::{Binding, Match, MatchKey, NameId, ProgramGraph, ProgramId, Rule, RuleSet};
use arena::SparseTable;
#[cfg(feature = "ch10")]
use multi_output::{choose_in_order, tie_extra_roots};
#[cfg(feature = "ch04")]
use options::Method;
use options::{Objective, SelectionOptions};
#[cfg(feature = "ch04")]
use pbqp::Solution;
#[cfg(feature = "ch04")]
use pbqp_instance::{Choice, Instance};
use source::Span;
use std::cell::OnceCell;

impl ProgramGraph<'_> {
    /// The cost of a match: its bytes, or mostly its cycles times its frequency. Code that is
    /// seldom executed counts as executed once, or its bytes would count more than its time.
    fn cost(&self, found: &Match, rules: &RuleSet, objective: Objective) -> u64 {
        let rule = rules.rule(found.variant);
        let bytes = u64::from(rules.bytes(found));
        let bytes = bytes + if self.needs_copy(found, rule) { COPY } else { 0 };
        match objective {
            Objective::Size => bytes,
            Objective::Speed => {
                let cycles = 4 * u64::from(rule.cycles);
                #[cfg(feature = "ch07")]
                let cycles = cycles * self.frequency(found.root).max(ENTRY) / ENTRY;
                cycles + bytes
            }
        }
    }

    /// Whether a match overwrites an operand with further uses.
    fn needs_copy(&self, found: &Match, rule: &Rule) -> bool {
        let has_further_uses = |name: &NameId| match found.bindings[*name as usize] {
            Binding::Value(id) => self.uses(id) > 1,
            _ => false,
        };
        !rule.tied.is_empty() && rule.tied.iter().all(has_further_uses)
    }
}

/// The bytes of a move between registers. Its time is neglected.
const COPY: u64 = 2;

/// A covered program.
pub struct Selection<'g> {
    pub program: ProgramGraph<'g>,
    pub rules: &'g RuleSet,
    /// The matches that cover it, in the order of execution.
    pub chosen: Vec<MatchKey>,
    /// The blocks that matches have moved to, by their roots.
    #[cfg(feature = "ch29")]
    moved: SparseTable<ProgramId, Option<firm::NodeId>>,
    #[cfg(feature = "ch04")]
    options: SelectionOptions,
    /// The instance with all edges and its solution, once something shows them.
    #[cfg(feature = "ch04")]
    solved: OnceCell<(Instance, Solution)>,
}

#[cfg(feature = "ch04")]
impl Selection<'_> {
    /// The chosen matches.
    pub fn matches(&self) -> impl Iterator<Item = Match> {
        self.chosen.iter().map(|it| it.matched(self.rules, &self.program))
    }

    /// The instance and its solution; none for a greedy cover. It is large and few programs are
    /// shown, so it is not kept but solved again, in the same steps.
    fn solved(&self) -> Option<&(Instance, Solution)> {
        let solve = || {
            let solved = solve(&self.program, self.rules, self.options, true);
            let (instance, (solution, _)) = solved.expect("it was solved before");
            (instance, solution)
        };
        (self.options.method != Method::Greedy).then(|| self.solved.get_or_init(solve))
    }
}

/// The covered functions of a program.
pub struct Program<'g> {
    pub functions: Vec<Selection<'g>>,
    /// How the result is printed.
    #[cfg(feature = "ch10")]
    pub result: ResultFormat,
}

/// Covers all functions of a program.
///
/// # Errors
/// An operation that no rule covers.
pub fn select_all<'g>(
    firm: &'g firm::Program,
    rules: &'g RuleSet,
    options: SelectionOptions,
) -> Result<Program<'g>, Vec<Diagnostic>> {
    let functions = firm.functions.iter().map(|graph| select(graph, rules, options));
    Ok(Program {
        functions: functions.collect::<Result<_, _>>()?,
        #[cfg(feature = "ch10")]
        result: firm.result.clone(),
    })
}

/// Covers `graph`.
///
/// # Errors
/// An operation that no rule covers.
pub fn select<'g>(
    graph: &'g firm::Graph,
    rules: &'g RuleSet,
    options: SelectionOptions,
) -> Result<Selection<'g>, Vec<Diagnostic>> {
    let program = ProgramGraph::new(graph);
    Ok(Selection {
        chosen: choose(&program, rules, options)?,
        program,
        rules,
        #[cfg(feature = "ch29")]
        moved: SparseTable::new(0),
        #[cfg(feature = "ch04")]
        options,
        #[cfg(feature = "ch04")]
        solved: OnceCell::new(),
    })
}

/// The matches of a cover, in the order of execution.
fn choose(
    program: &ProgramGraph,
    rules: &RuleSet,
    options: SelectionOptions,
) -> Result<Vec<MatchKey>, Vec<Diagnostic>> {
    #[cfg(feature = "ch04")]
    if options.method != Method::Greedy {
        let (_, (_, chosen)) = solve(program, rules, options, false)?;
        return Ok(chosen);
    }
    greedy::cover(program, |id| greedy::best(program, rules, options.objective, id))
}

/// Covers every value and every effect of a program by a PBQP. The variant of each match and the
/// Firm node of its root, in any order.
///
/// # Errors
/// An operation that no rule covers.
#[cfg(feature = "ch25")]
pub fn solve_all(
    graph: &firm::Graph,
    rules: &RuleSet,
    options: SelectionOptions,
) -> Result<Vec<(u32, firm::NodeId)>, Vec<Diagnostic>> {
    let program = ProgramGraph::of_all(graph);
    let (_, (_, chosen)) = solve(&program, rules, options, false)?;
    Ok(chosen.into_iter().map(|it| (it.variant, program.firm(it.root))).collect())
}

/// Solves the instance of a program. If it is shown, it has all edges, also those without
/// influence.
#[cfg(feature = "ch04")]
fn solve(
    program: &ProgramGraph,
    rules: &RuleSet,
    options: SelectionOptions,
    is_shown: bool,
) -> Result<(Instance, Choice), Vec<Diagnostic>> {
    let mut instance = Instance::new(program, rules, options);
    instance.add_edges(program, rules, is_shown);
    #[cfg(feature = "ch10")]
    let instance = tie_extra_roots(instance, program, rules);
    let choice = instance.choose(program)?;
    #[cfg(feature = "ch10")]
    let (instance, choice) = choose_in_order(instance, program, rules, choice)?;
    Ok((instance, choice))
}

/// No rule covers an operation.
pub fn no_rule_covers(op: firm::Op, mode: firm::Mode) -> Vec<Diagnostic> {
    let row = op.row();
    let leaves: Vec<_> = ["x", "y", "z"].into_iter().take(row.operands.len()).collect();
    let operands =
        if leaves.is_empty() { String::new() } else { format!("({})", leaves.join(", ")) };
    let missing = format!("{}:{}{operands}", row.name, mode.name());
    let message = format!("no rule covers {missing} here");
    let label = "some operation of this program";
    let help = format!("the set of rules needs one whose pattern is {missing}");
    #[cfg(feature = "ch19")]
    let help = help + "; if it has one, `sonc rules check` reports what else is missing";
    vec![Diagnostic::new(Code::Cover, Span::default(), message, label).with_help(help)]
}

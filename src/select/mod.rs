//! Instruction selection: covers a program with patterns of rules, and makes code of the cover.
#[cfg(feature = "ch04")]
mod artifact;
#[cfg(feature = "ch10")]
mod contract;
mod emit;
#[cfg(test)]
pub mod forced;
mod greedy;
#[cfg(feature = "ch04")]
mod instance;
#[cfg(feature = "ch10")]
mod partners;
pub mod preference;

pub use emit::emit;
#[cfg(feature = "ch25")]
pub use greedy::best;

use crate::diag::{Code, Diag};
use crate::firm;
use crate::rules::{Bound, Match, Program, ProgramId, RuleSet, Slot};
#[cfg(feature = "ch04")]
use instance::Instance;
#[cfg(feature = "ch04")]
use pbqp::Solution;
#[cfg(feature = "ch04")]
use preference::Method;
use preference::{Cost, Preference};
use source::Span;

impl Cost {
    /// What a match costs: its bytes, or mostly the cycles it takes altogether. One that
    /// overwrites an operand which somebody else wants too costs the copy besides.
    fn of(self, found: &Match, rules: &RuleSet, program: &Program) -> u64 {
        let rule = rules.rule(found.variant);
        let wanted = |slot: &Slot| match found.bound[*slot as usize] {
            Bound::Value(id) => program.uses(id) > 1,
            _ => false,
        };
        let copied = !rule.tied.is_empty() && rule.tied.iter().all(wanted);
        let bytes = u64::from(rule.bytes) + if copied { COPY } else { 0 };
        match self {
            Cost::Size => bytes,
            Cost::Speed => 4 * u64::from(rule.cycles) * program.frequency(found.root) + bytes,
        }
    }
}

/// The bytes of a move between registers. It takes next to no time.
const COPY: u64 = 2;

/// A program, covered.
pub struct Selection<'g> {
    pub program: Program<'g>,
    pub rules: &'g RuleSet,
    /// The matches that cover it, in the order in which they are to be executed.
    pub chosen: Vec<Match>,
    /// The instance and its solution; none if the cover was found without them.
    #[cfg(feature = "ch04")]
    solved: Option<(Instance, Solution)>,
}

/// Covers `graph`.
///
/// # Errors
/// An operation that no rule covers.
pub fn select<'g>(
    graph: &'g firm::Graph,
    rules: &'g RuleSet,
    preference: Preference,
) -> Result<Selection<'g>, Vec<Diag>> {
    let program = Program::new(graph);
    let chosen = match preference {
        #[cfg(feature = "ch04")]
        Preference { method: Method::Pbqp, .. } => {
            return instance::solve(program, rules, preference);
        }
        #[cfg(feature = "ch19")]
        Preference { method: Method::Guess, .. } => {
            return instance::solve(program, rules, preference);
        }
        Preference { cost, .. } => greedy::choose(&program, rules, cost)?,
    };
    Ok(Selection {
        program,
        rules,
        chosen,
        #[cfg(feature = "ch04")]
        solved: None,
    })
}

/// Covers every value and every effect of `graph`, in whichever order they stand, by a PBQP.
///
/// # Errors
/// An operation that no rule covers.
#[cfg(feature = "ch25")]
pub fn solve_all<'g>(
    graph: &'g firm::Graph,
    rules: &'g RuleSet,
    preference: Preference,
) -> Result<Selection<'g>, Vec<Diag>> {
    instance::solve(Program::of_all(graph), rules, preference)
}

/// No rule covers `id`.
fn uncovered(program: &Program, id: ProgramId) -> Vec<Diag> {
    no_rule_covers(program.op(id))
}

/// No rule covers an operation.
pub fn no_rule_covers(op: firm::Op) -> Vec<Diag> {
    let row = op.row();
    let leaves: Vec<_> = ["x", "y", "z"].into_iter().take(row.operands.len()).collect();
    let operands =
        if leaves.is_empty() { String::new() } else { format!("({})", leaves.join(", ")) };
    let missing = format!("{}:{}{operands}", row.name, row.mode.name());
    let message = format!("no rule covers {missing} here");
    let label = "some operation of this program";
    let advice = ADVICE[ADVICE.len() - 1];
    let help = format!("the set of rules needs one whose pattern is {missing}{advice}");
    vec![Diag::new(Code::Cover, Span::default(), message, label).with_help(help)]
}

/// The last one counts.
const ADVICE: &[&str] = &[
    "",
    #[cfg(feature = "ch19")]
    "; if it has one, `sonc rules check` says what else is missing",
];

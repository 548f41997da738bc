//! Problems in text form: reads and solves them, and prints the solution.
use crate::budget::{Budget, Progress};
use crate::exact::solve_exactly;
use crate::problem::Problem;
use crate::report::Reduction;
use crate::solution::{Infeasible, Solution};
use crate::solve::{Settings, solve_with};
use crate::text::{TextError, parse};
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Write};

/// A problem in text form, and the options of the solver.
pub struct Instance<'i> {
    /// The problem, as [`parse`] reads it.
    pub text: &'i str,
    /// The step limit of each search for the optimum; `None` if any good solution will do.
    pub exact: Option<u64>,
    /// Receives every reduction, one per line, even if no solution is found.
    pub trace: Option<&'i mut String>,
    /// Whether to propagate pruned alternatives; can be switched off for comparison.
    pub propagate: bool,
    /// Whether to search; otherwise irreducible nodes are decided heuristically.
    pub search: bool,
    /// Called with the name of each finished phase.
    pub done: &'i mut dyn FnMut(&'static str),
    /// Called with the progress of a long search.
    pub progress: &'i mut dyn FnMut(&str),
}

/// The solution of a problem in text form.
#[non_exhaustive]
pub struct Solved {
    /// `cost N`, then `node choice` for each node.
    pub text: String,
    /// How the instance was solved.
    pub statistics: String,
    /// If the optimum was requested and not proven: the reason.
    pub doubt: Option<String>,
    /// The problem.
    pub problem: Problem,
    /// The alternative of each node.
    pub choice: Vec<u32>,
}

/// Why a problem in text form has no printed solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// The text is malformed.
    Malformed(TextError),
    /// There is no solution; the reason.
    Infeasible(String),
    /// A heuristic choice may be the reason; a search could find a solution.
    Heuristic(Infeasible),
    /// The search ended after this number of steps, without a solution and without a proof that
    /// there is none.
    OutOfSteps(u64),
}

impl Unsolved {
    /// The reason in one line, without the place in the text.
    pub fn reason(&self) -> String {
        match self {
            Unsolved::Malformed(error) => error.message.clone(),
            Unsolved::Infeasible(reason) => reason.clone(),
            Unsolved::Heuristic(error) => error.to_string(),
            Unsolved::OutOfSteps(steps) => {
                let reason = exhausted(*steps);
                format!("no solution found, and no proof that there is none: {reason}")
            }
        }
    }
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unsolved::Malformed(error) => error.fmt(f),
            Unsolved::Infeasible(_) | Unsolved::Heuristic(_) | Unsolved::OutOfSteps(_) => {
                f.write_str(&self.reason())
            }
        }
    }
}

impl Error for Unsolved {}

/// The steps between two progress reports: some seconds.
const STEPS_PER_REPORT: u64 = 4_000_000;

/// Solves a problem in text form.
///
/// # Errors
/// The text is malformed, or the problem has no solution.
pub fn solve_text(mut instance: Instance) -> Result<Solved, Unsolved> {
    let problem = parse(instance.text).map_err(Unsolved::Malformed)?;
    (instance.done)("read");
    let solved = solve(&problem, &mut instance);
    let solution = match (solved, instance.exact) {
        (Ok(solution), None) => solution,
        (Ok(solution), Some(_)) if solution.is_optimal() => solution,
        (Err(error), None) => return Err(no_solution(&problem, error)),
        (Err(error), Some(_)) if error.proven => return Err(no_solution(&problem, error)),
        (solved, Some(steps)) => search_on(&problem, solved.ok(), steps, &mut instance)?,
    };
    (instance.done)("solve");
    let mut text = format!("cost {}\n", solution.cost);
    for (node, alternative) in solution.choice.iter().enumerate() {
        writeln!(text, "{node} {alternative}").expect("a string takes all text");
    }
    let doubt = instance.exact.filter(|_| !solution.is_optimal()).map(|steps| {
        let bound = solution.lower_bound();
        format!("not proven optimal, but at least {bound}: {}", exhausted(steps))
    });
    let statistics = solution.report();
    Ok(Solved { text, statistics, doubt, problem, choice: solution.choice })
}

/// Solves the problem by reductions and a search.
fn solve(problem: &Problem, instance: &mut Instance) -> Result<Solution, Infeasible> {
    let mut report = reporter(instance.progress);
    let trace = instance.trace.as_deref_mut();
    let mut record =
        trace.map(|trace| move |reduction: Reduction| *trace += &format!("{reduction}\n"));
    let defaults = Settings::default();
    solve_with(
        problem,
        Settings {
            propagate: instance.propagate,
            search: instance.search,
            budget: match instance.exact {
                Some(steps) => Budget::with_progress(steps, STEPS_PER_REPORT, &mut report),
                None => defaults.budget,
            },
            trace: record.as_mut().map(|it| it as &mut dyn FnMut(Reduction)),
        },
    )
}

/// Prints each progress report as a line.
fn reporter(progress: &mut dyn FnMut(&str)) -> impl FnMut(Progress) {
    |it| progress(&format!("searching: {it}\n"))
}

/// Searches for a better solution than the known one, or for a proof that it is optimal.
fn search_on(
    problem: &Problem,
    known: Option<Solution>,
    steps: u64,
    instance: &mut Instance,
) -> Result<Solution, Unsolved> {
    let mut report = reporter(instance.progress);
    let mut budget = Budget::with_progress(steps, STEPS_PER_REPORT, &mut report);
    solve_exactly(problem, known, &mut budget).map_err(|error| match error.proven {
        true => no_solution(problem, error),
        false => Unsolved::OutOfSteps(steps),
    })
}

fn exhausted(steps: u64) -> String {
    format!("{steps} steps of search were not enough")
}

fn no_solution(problem: &Problem, error: Infeasible) -> Unsolved {
    if !error.proven {
        return Unsolved::Heuristic(error);
    }
    let reason = match problem.is_summable() {
        true => "the instance is infeasible",
        false => "every selection is forbidden, or its costs add up to 2^63 - 1 or more",
    };
    Unsolved::Infeasible(reason.to_string())
}

//! Instances of PBQP as texts: read, solved, and told about.
use crate::diagnostics::{Code, Diagnostic};
use arena::Id;
use pbqp::{Budget, Infeasible, Problem, Progress, Settings, Solution};
use source::Span;
use std::fmt::Write;

/// An instance of PBQP in text form, and what is to be known about it.
pub struct Instance<'i> {
    pub text: &'i str,
    /// How many steps each search for the best solution may take; none, if any good one will do.
    pub exact: Option<u64>,
    /// Takes every reduction, one a line, even if no solution is found.
    pub trace: Option<&'i mut String>,
    /// Whether dead alternatives spread; to see what becomes of it if they do not.
    pub propagate: bool,
    /// Whether to do more than to guess what cannot be reduced.
    pub search: bool,
    /// Whether to draw it.
    pub draw: bool,
    /// Hears the name of each part of the work when it is done.
    pub done: &'i mut dyn FnMut(&'static str),
    /// Hears from time to time how far a long search is.
    pub news: &'i mut dyn FnMut(&str),
}

/// What is to be said about an instance of PBQP.
pub struct Solved {
    /// `cost N`, then `node choice` for each node.
    pub text: String,
    /// How it was solved.
    pub statistics: String,
    /// What was wanted and is not known, if there is such a thing.
    pub doubt: Option<String>,
    /// The instance with the choice marked, for Graphviz, if it is wanted.
    pub picture: String,
}

/// How many steps a search takes, if nothing else is said.
pub const STEPS: u64 = 50_000_000;

/// There is news after so many of them: some seconds.
const NEWS: u64 = 4_000_000;

/// Solves an instance of PBQP in text form.
///
/// # Errors
/// The text is no instance, or the instance has no solution.
pub fn solve_text(mut instance: Instance) -> Result<Solved, Diagnostic> {
    let problem = pbqp::parse(instance.text);
    let problem = problem.map_err(|error| diagnostic(error.span, error.message))?;
    (instance.done)("read");
    let solved = solve(&problem, &mut instance);
    let solution = match (solved, instance.exact) {
        (Ok(solution), None) => solution,
        (Ok(solution), Some(_)) if solution.is_optimal() => solution,
        (Err(error), None) => return Err(no_solution(&problem, &error)),
        (Err(error), Some(_)) if error.proven => return Err(no_solution(&problem, &error)),
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
    let picture = if instance.draw { draw(&problem, &solution.choice) } else { String::new() };
    Ok(Solved { text, statistics: solution.report(), doubt, picture })
}

fn diagnostic(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(Code::Instance, span, message, "in this instance of PBQP")
}

/// Solves the problem by reductions and a search.
fn solve(problem: &Problem, instance: &mut Instance) -> Result<Solution, Infeasible> {
    let mut report = reporter(instance.news);
    let trace = instance.trace.as_deref_mut();
    let mut record =
        trace.map(|trace| move |reduction: pbqp::Reduction| *trace += &format!("{reduction}\n"));
    let defaults = Settings::default();
    pbqp::solve_with(
        problem,
        Settings {
            propagate: instance.propagate,
            search: instance.search,
            budget: match instance.exact {
                Some(steps) => Budget::with_progress(steps, NEWS, &mut report),
                None => defaults.budget,
            },
            trace: record.as_mut().map(|it| it as &mut dyn FnMut(pbqp::Reduction)),
        },
    )
}

/// Makes a line of each report.
fn reporter(news: &mut dyn FnMut(&str)) -> impl FnMut(Progress) {
    |progress| news(&format!("searching: {progress}\n"))
}

/// Searches for a better solution than the known one, or for the proof that there is none.
fn search_on(
    problem: &Problem,
    known: Option<Solution>,
    steps: u64,
    instance: &mut Instance,
) -> Result<Solution, Diagnostic> {
    let mut report = reporter(instance.news);
    let mut budget = Budget::with_progress(steps, NEWS, &mut report);
    pbqp::solve_exactly(problem, known, &mut budget).map_err(|error| match error.proven {
        true => no_solution(problem, &error),
        false => {
            let exhausted = exhausted(steps);
            let message =
                format!("no solution found, and no proof that there is none: {exhausted}");
            diagnostic(Span::default(), message).with_help("`--budget` allows more")
        }
    })
}

fn exhausted(steps: u64) -> String {
    format!("{steps} steps of search were not enough")
}

fn no_solution(problem: &Problem, error: &Infeasible) -> Diagnostic {
    if !error.proven {
        let help = "a heuristic choice may be wrong; `--exact` searches on";
        return diagnostic(Span::default(), error.to_string()).with_help(help);
    }
    let message = match problem.is_summable() {
        true => "the instance is infeasible",
        false => "every selection is forbidden, or its costs add up to 2^63 - 1 or more",
    };
    diagnostic(Span::default(), message.to_string())
}

/// The instance as a picture; nodes and alternatives are named by their numbers.
fn draw(problem: &Problem, choice: &[u32]) -> String {
    let name = |node: pbqp::NodeId| node.index().to_string();
    pbqp::picture(problem, Some(choice), &name, &|_, at| at.to_string()).dot()
}

//! Instances of PBQP in text form: reads and solves them, and prints the solution.
use crate::diagnostics::{Code, Diagnostic};
use arena::Id;
use pbqp::{Budget, Infeasible, Problem, Progress, Settings, Solution};
use picture::Picture;
use source::Span;
use std::fmt::Write;

/// An instance of PBQP in text form, and the options of the solver.
pub struct Instance<'i> {
    pub text: &'i str,
    /// The step limit of each search for the optimum; `None` if any good solution will do.
    pub exact: Option<u64>,
    /// Receives every reduction, one per line, even if no solution is found.
    pub trace: Option<&'i mut String>,
    /// Whether to propagate pruned alternatives; can be switched off for comparison.
    pub propagate: bool,
    /// Whether to search; otherwise irreducible nodes are decided heuristically.
    pub search: bool,
    /// Whether to draw the instance.
    pub draw: bool,
    /// Called with the name of each finished phase.
    pub done: &'i mut dyn FnMut(&'static str),
    /// Called with the progress of a long search.
    pub progress: &'i mut dyn FnMut(&str),
}

/// The solution of an instance of PBQP.
pub struct Solved {
    /// `cost N`, then `node choice` for each node.
    pub text: String,
    /// How the instance was solved.
    pub statistics: String,
    /// If the optimum was requested and not proven: the reason.
    pub doubt: Option<String>,
    /// The instance with the solution highlighted, if it is drawn.
    pub picture: Option<Picture>,
}

/// The default step limit of a search.
pub const DEFAULT_BUDGET: u64 = 50_000_000;

/// The steps between two progress reports: some seconds.
const STEPS_PER_REPORT: u64 = 4_000_000;

/// Solves an instance of PBQP in text form.
///
/// # Errors
/// The text is malformed, or the instance has no solution.
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
    let picture = instance.draw.then(|| draw(&problem, &solution.choice));
    Ok(Solved { text, statistics: solution.report(), doubt, picture })
}

fn diagnostic(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(Code::Instance, span, message, "in this instance of PBQP")
}

/// Solves the problem by reductions and a search.
fn solve(problem: &Problem, instance: &mut Instance) -> Result<Solution, Infeasible> {
    let mut report = reporter(instance.progress);
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
                Some(steps) => Budget::with_progress(steps, STEPS_PER_REPORT, &mut report),
                None => defaults.budget,
            },
            trace: record.as_mut().map(|it| it as &mut dyn FnMut(pbqp::Reduction)),
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
) -> Result<Solution, Diagnostic> {
    let mut report = reporter(instance.progress);
    let mut budget = Budget::with_progress(steps, STEPS_PER_REPORT, &mut report);
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

/// The instance as a picture; nodes and alternatives are labelled by their numbers.
fn draw(problem: &Problem, choice: &[u32]) -> Picture {
    let name = |node: pbqp::NodeId| node.index().to_string();
    pbqp::picture(problem, Some(choice), &name, &|_, at| at.to_string())
}

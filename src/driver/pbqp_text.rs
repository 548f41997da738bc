//! Instances of PBQP as texts: read, solved, and told about.
use crate::diagnostics::{Code, Diagnostic};
use crate::pbqp::{self, Budget, Progress, Solution};
use arena::Id;
use source::Span;
use std::fmt::Write;

/// An instance of PBQP in text form, and what is to be known about it.
pub struct Instance<'i> {
    pub text: &'i str,
    /// How many steps each search for the best solution may take; none, if any good one will do.
    pub exact: Option<u64>,
    /// Whether to tell every reduction.
    pub trace: bool,
    /// Whether dead alternatives spread; to see what becomes of it if they do not.
    #[cfg(feature = "ch19")]
    pub propagate: bool,
    /// Whether to do more than to guess what cannot be reduced.
    #[cfg(feature = "ch19")]
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
    /// Every reduction, one a line, if they are wanted.
    pub trace: String,
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
/// What is wrong with the text, or that the instance has no solution.
pub fn solve_text(mut instance: Instance) -> Result<Solved, Diagnostic> {
    let problem = pbqp::parse(instance.text);
    let problem = problem.map_err(|wrong| complain(wrong.span, wrong.message))?;
    (instance.done)("read");
    let mut trace = String::new();
    let tells = instance.trace;
    let solved = solve_observed(&problem, &mut instance, &mut |step| {
        if tells {
            trace += &format!("{step}\n");
        }
    });
    let Answer { choice, cost, statistics, doubt } = conclude(&problem, solved, &mut instance)?;
    (instance.done)("solve");
    let mut text = format!("cost {cost}\n");
    for (node, at) in choice.iter().enumerate() {
        writeln!(text, "{node} {at}").expect("a string takes all text");
    }
    let picture = if instance.draw { draw(&problem, &choice) } else { String::new() };
    Ok(Solved { trace, text, statistics, doubt, picture })
}

fn complain(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(Code::Instance, span, message, "in this instance of PBQP")
}

fn solve_observed(
    problem: &pbqp::Problem,
    instance: &mut Instance,
    observe: pbqp::Observer,
) -> Result<Solution, pbqp::Infeasible> {
    let solve = SOLVERS[SOLVERS.len() - 1];
    solve(problem, instance, observe)
}

type SolveInstance =
    fn(&pbqp::Problem, &mut Instance, pbqp::Observer) -> Result<Solution, pbqp::Infeasible>;

/// How to solve; the last row counts.
const SOLVERS: &[SolveInstance] = &[
    |problem, _, observe| pbqp::solve_observed(problem, observe),
    #[cfg(feature = "ch19")]
    |problem, instance, observe| {
        let Instance { propagate, search, exact, .. } = *instance;
        let mut tell = teller(instance.news);
        let budget = match exact {
            Some(steps) => Budget::told(steps, NEWS, &mut tell),
            None => Budget::new(pbqp::USUAL_STEPS),
        };
        pbqp::solve_with(problem, pbqp::Settings { propagate, search }, budget, observe)
    },
];

/// Makes a line of each piece of news.
fn teller(news: &mut dyn FnMut(&str)) -> impl FnMut(Progress) {
    |progress| news(&format!("searching: {progress}\n"))
}

/// A choice, its cost, and what is known of them.
struct Answer {
    choice: Vec<u32>,
    cost: pbqp::Cost,
    statistics: String,
    doubt: Option<String>,
}

/// What came of it. Searches on if the best is wanted and not known.
fn conclude(
    problem: &pbqp::Problem,
    solved: Result<Solution, pbqp::Infeasible>,
    instance: &mut Instance,
) -> Result<Answer, Diagnostic> {
    match (solved, instance.exact) {
        (Err(wrong), _) if wrong.proven => Err(infeasible(problem)),
        (Ok(solution), None) => Ok(accept(solution)),
        (Ok(solution), Some(_)) if solution.is_optimal() => Ok(accept(solution)),
        (Err(wrong), None) => {
            let node = wrong.node.index();
            let message = format!("no solution found: nothing is left for node {node}");
            let help = "a guess may be to blame; `--exact` searches on";
            Err(complain(Span::default(), message).with_help(help))
        }
        (solved, Some(steps)) => search_on(problem, solved.ok(), steps, instance),
    }
}

fn accept(solution: Solution) -> Answer {
    let statistics = solution.report();
    Answer { choice: solution.choice, cost: solution.cost, statistics, doubt: None }
}

fn infeasible(problem: &pbqp::Problem) -> Diagnostic {
    let message = match problem.is_summable() {
        true => "the instance is infeasible",
        false => "every selection is forbidden, or its costs add up to 2^63 - 1 or more",
    };
    complain(Span::default(), message.to_string())
}

/// Searches for something better than what is known.
fn search_on(
    problem: &pbqp::Problem,
    known: Option<Solution>,
    steps: u64,
    instance: &mut Instance,
) -> Result<Answer, Diagnostic> {
    let mut tell = teller(instance.news);
    let mut budget = Budget::told(steps, NEWS, &mut tell);
    let choice = known.as_ref().map(|it| &it.choice[..]);
    let optimal = |choice, cost| {
        Ok(Answer { choice, cost, statistics: "optimal\n".to_string(), doubt: None })
    };
    let (best, lower) = match pbqp::solve_exactly(problem, choice, &mut budget) {
        pbqp::Exact::Optimal { choice, cost } => return optimal(choice, cost),
        pbqp::Exact::Infeasible => return Err(infeasible(problem)),
        pbqp::Exact::GaveUp { best, lower } => (best, lower),
    };
    let lower = known.map_or(lower, |it| it.lower().max(lower));
    let doubt = format!("{steps} steps of search were not enough");
    match best {
        Some((choice, cost)) if cost == lower => optimal(choice, cost),
        Some((choice, cost)) => {
            let statistics = format!("not proven optimal\nat least {lower}\n");
            let doubt = format!("not proven optimal, but at least {lower}: {doubt}");
            Ok(Answer { choice, cost, statistics, doubt: Some(doubt) })
        }
        None => {
            let message = format!("no solution found, and no proof that there is none: {doubt}");
            let help = "`--budget` allows more";
            Err(complain(Span::default(), message).with_help(help))
        }
    }
}

/// The instance as a picture; nodes and alternatives have no names but their numbers.
fn draw(problem: &pbqp::Problem, choice: &[u32]) -> String {
    let name = |node: pbqp::NodeId| node.index().to_string();
    pbqp::picture(problem, Some(choice), &name, &|_, at| at.to_string()).dot()
}

//! Instances of PBQP as texts: read, solved, and told about.
use crate::diag::{Code, Diag};
use crate::pbqp;
use arena::Id;
use source::Span;
use std::fmt::Write;

/// An instance of PBQP in text form, and what is to be known about it.
pub struct Instance<'i> {
    pub text: &'i str,
    /// Whether to search until the best solution is known.
    pub exact: bool,
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
}

/// What is to be said about an instance of PBQP.
pub struct Solved {
    /// Every reduction, one a line, if they are wanted.
    pub trace: String,
    /// `cost N`, then `node choice` for each node.
    pub text: String,
    /// How it was solved.
    pub statistics: String,
    /// The instance with the choice marked, for Graphviz, if it is wanted.
    pub picture: String,
}

/// Solves an instance of PBQP in text form.
///
/// # Errors
/// What is wrong with the text, or that the instance has no solution.
pub fn solve_text(instance: Instance) -> Result<Solved, Diag> {
    let problem = pbqp::parse(instance.text);
    let problem = problem.map_err(|wrong| complain(wrong.span, wrong.message))?;
    (instance.done)("read");
    let mut trace = String::new();
    let solved = solve_observed(&problem, &instance, &mut |step| {
        if instance.trace {
            trace += &format!("{step}\n");
        }
    });
    let (choice, cost, statistics) = conclude(&problem, solved, instance.exact)?;
    (instance.done)("solve");
    let mut text = format!("cost {cost}\n");
    for (node, at) in choice.iter().enumerate() {
        writeln!(text, "{node} {at}").expect("a string takes all text");
    }
    Ok(Solved {
        trace,
        text,
        statistics,
        picture: if instance.draw { draw(&problem, &choice) } else { String::new() },
    })
}

fn complain(span: Span, message: String) -> Diag {
    Diag::new(Code::Instance, span, message, "in this instance of PBQP")
}

fn solve_observed(
    problem: &pbqp::Problem,
    instance: &Instance,
    observe: pbqp::Observer,
) -> Result<pbqp::Solution, pbqp::Infeasible> {
    let solve = SOLVERS[SOLVERS.len() - 1];
    solve(problem, instance, observe)
}

type SolveInstance =
    fn(&pbqp::Problem, &Instance, pbqp::Observer) -> Result<pbqp::Solution, pbqp::Infeasible>;

/// How to solve; the last row counts.
const SOLVERS: &[SolveInstance] = &[
    |problem, _, observe| pbqp::solve_observed(problem, observe),
    #[cfg(feature = "ch19")]
    |problem, instance, observe| {
        let usual = pbqp::Settings::default();
        let work = if instance.exact { SEARCHED } else { usual.work };
        let Instance { propagate, search, .. } = *instance;
        let settings = pbqp::Settings { propagate, search, work };
        pbqp::solve_with(problem, settings, observe)
    },
];

/// The choice, its cost, and how it was found. Searches on if the best is wanted and not known.
fn conclude(
    problem: &pbqp::Problem,
    solved: Result<pbqp::Solution, pbqp::Infeasible>,
    exact: bool,
) -> Result<(Vec<u32>, pbqp::Cost, String), Diag> {
    let infeasible = || complain(Span::default(), "the instance is infeasible".to_string());
    match (solved, exact) {
        (Ok(solution), _) if !exact || solution.is_optimal() => {
            let statistics = solution.report();
            Ok((solution.choice, solution.cost, statistics))
        }
        (Err(wrong), false) if !wrong.proven => {
            let node = wrong.node.index();
            let message = format!("no solution found: nothing is left for node {node}");
            let help = "a guess may be to blame; `--exact` searches on";
            Err(complain(Span::default(), message).with_help(help))
        }
        (Err(wrong), _) if wrong.proven => Err(infeasible()),
        (_, _) => match pbqp::solve_exactly(problem, SEARCHED) {
            pbqp::Exact::Optimal { choice, cost } => Ok((choice, cost, "optimal\n".to_string())),
            pbqp::Exact::Infeasible => Err(infeasible()),
            pbqp::Exact::GaveUp => {
                let message = format!("no best solution found within {SEARCHED} decisions");
                Err(complain(Span::default(), message))
            }
        },
    }
}

/// The instance as a picture; nodes and alternatives have no names but their numbers.
fn draw(problem: &pbqp::Problem, choice: &[u32]) -> String {
    let name = |node: pbqp::NodeId| node.index().to_string();
    pbqp::picture(problem, Some(choice), &name, &|_, at| at.to_string()).dot()
}

/// How many decisions the exact search tries.
const SEARCHED: u64 = 50_000_000;

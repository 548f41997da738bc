//! The whole way, two lines a stage: the table of contents of this compiler.
#[cfg(feature = "ch04")]
use crate::base::ids::Id;
use crate::base::span::Source;
#[cfg(feature = "ch04")]
use crate::base::span::Span;
#[cfg(feature = "ch04")]
use crate::diag::Code;
use crate::diag::Diag;
use crate::elf::Executable;
use crate::emulate::MachineCode;
#[cfg(feature = "ch05")]
use crate::finish;
#[cfg(feature = "ch04")]
use crate::pbqp;
use crate::rules::{self, RuleSet};
use crate::select::preference::Preference;
use crate::stage::{Halt, Stage, Watch};
use crate::{alloc, elf, ia32, lower, parse, schedule, select, start};
#[cfg(feature = "ch02")]
use crate::{peep, stage::Step};
#[cfg(feature = "ch04")]
use std::fmt::Write;

/// How a program is to be compiled.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// Whether peepholes rewrite the program.
    #[cfg(feature = "ch02")]
    pub optimize: bool,
    /// Names of peepholes that are switched off.
    #[cfg(feature = "ch02")]
    pub without: &'o [String],
    /// Whether the watch is told of every rewrite.
    #[cfg(feature = "ch02")]
    pub trace: bool,
    /// The argument, if it is known while compiling.
    #[cfg(feature = "ch04")]
    pub argument: Option<i64>,
    /// The rules that instructions are selected by.
    pub rules: &'o RuleSet,
    pub preference: Preference,
}

/// Compiles a program; the watch sees what every stage hands to the next.
///
/// # Errors
/// The program's faults, a broken invariant the watch has found, or its wish to stop.
pub fn compile(
    source: &Source,
    options: Options,
    watch: &mut dyn Watch,
) -> Result<Executable, Halt> {
    watch.see(Stage::Tokens, &parse::Tokens { source })?;

    let input = parse::Input {
        text: &source.text,
        #[cfg(feature = "ch02")]
        engine: engine(options),
        #[cfg(feature = "ch04")]
        argument: options.argument,
    };
    let parsed = parse::parse(input).map_err(Halt::Errors)?;
    #[cfg(feature = "ch02")]
    parsed.steps.iter().for_each(|step: &Step| watch.step(step));
    #[cfg(feature = "ch03")]
    parsed.pictures.iter().for_each(|picture| watch.show(&picture.dot()));
    let sea = parsed.graph;
    watch.see(Stage::Parsed, &sea)?;
    #[cfg(feature = "ch09")]
    let sea = peep::optimize(sea, engine(options));
    #[cfg(feature = "ch09")]
    sea.steps().for_each(|step| watch.step(step));
    watch.see(Stage::Sea, &sea)?;

    let schedule = schedule::schedule(&sea);
    #[cfg(feature = "ch05")]
    watch.see(Stage::Blocks, &schedule::Blocks { graph: &sea, schedule: &schedule })?;
    let firm = lower::lower(&sea, &schedule);
    watch.see(Stage::Firm, &firm)?;

    let selection = select::select(&firm, options.rules, options.preference);
    let selection = selection.map_err(Halt::Errors)?;
    #[cfg(feature = "ch04")]
    watch.see(Stage::Pbqp, &selection)?;

    let selected = select::emit(&selection);
    watch.see(Stage::Selected, &selected)?;

    let allocated = alloc::allocate(selected);
    #[cfg(feature = "ch05")]
    let allocated = finish::finish(allocated);
    watch.see(Stage::Allocated, &allocated)?;

    let encoded = ia32::encode(&allocated);
    watch.see(Stage::Bytes, &MachineCode { code: &allocated, encoded: &encoded })?;

    let executable = link(&encoded.bytes);
    watch.see(Stage::Elf, &executable)?;
    Ok(executable)
}

/// The start stub and the compiled function behind it, as a file.
fn link(function: &[u8]) -> Executable {
    let (stub, listing) = (start::code(), start::listing());
    elf::executable(&[
        elf::Part { name: "_start", code: &stub, listing: &listing },
        elf::Part { name: "simple", code: function, listing: "" },
    ])
}

/// The rules that come with the compiler.
pub fn built_in_rules() -> Source {
    let text = include_str!("ia32/ia32.rules").to_string();
    Source { name: "ia32.rules".to_string(), text }
}

/// Reads a file of rules for IA-32.
///
/// # Errors
/// Everything that is wrong with the file.
pub fn machine_rules(source: &Source) -> Result<RuleSet, Vec<Diag>> {
    rules::parse(source, &ia32::TARGET)
}

/// An instance of PBQP in text form, and what is to be known about it.
#[cfg(feature = "ch04")]
pub struct Instance<'i> {
    pub text: &'i str,
    /// Whether to search until the best solution is known.
    pub exact: bool,
    /// Whether to tell every reduction.
    pub trace: bool,
    /// Whether dead alternatives spread; to see what becomes of it if they do not.
    #[cfg(feature = "ch19")]
    pub propagate: bool,
    /// Whether to draw it.
    pub draw: bool,
    /// Hears the name of each part of the work when it is done.
    pub done: &'i mut dyn FnMut(&'static str),
}

/// What is to be said about an instance of PBQP.
#[cfg(feature = "ch04")]
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
#[cfg(feature = "ch04")]
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

#[cfg(feature = "ch04")]
fn complain(span: Span, message: String) -> Diag {
    Diag::new(Code::Instance, span, message, "in this instance of PBQP")
}

#[cfg(feature = "ch04")]
fn solve_observed(
    problem: &pbqp::Problem,
    instance: &Instance,
    observe: pbqp::Observer,
) -> Result<pbqp::Solution, pbqp::Infeasible> {
    let solve = SOLVERS[SOLVERS.len() - 1];
    solve(problem, instance, observe)
}

#[cfg(feature = "ch04")]
type SolveInstance =
    fn(&pbqp::Problem, &Instance, pbqp::Observer) -> Result<pbqp::Solution, pbqp::Infeasible>;

/// How to solve; the last row counts.
#[cfg(feature = "ch04")]
const SOLVERS: &[SolveInstance] = &[
    |problem, _, observe| pbqp::solve_observed(problem, observe),
    #[cfg(feature = "ch19")]
    |problem, instance, observe| {
        let usual = pbqp::Settings::default();
        let work = if instance.exact { SEARCHED } else { usual.work };
        let settings = pbqp::Settings { propagate: instance.propagate, work };
        pbqp::solve_with(problem, settings, observe)
    },
];

/// The choice, its cost, and how it was found. Searches on if the best is wanted and not known.
#[cfg(feature = "ch04")]
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
#[cfg(feature = "ch04")]
fn draw(problem: &pbqp::Problem, choice: &[u32]) -> String {
    let name = |node: pbqp::NodeId| node.index().to_string();
    pbqp::picture(problem, Some(choice), &name, &|_, at| at.to_string()).dot()
}

/// How many decisions the exact search tries.
#[cfg(feature = "ch04")]
const SEARCHED: u64 = 50_000_000;

#[cfg(feature = "ch02")]
fn engine(options: Options) -> peep::Engine {
    let without = |name: &str| options.without.iter().any(|other| other == name);
    let wanted = peep::rules().filter(|rule| options.optimize && !without(rule.name));
    peep::Engine::new(wanted.collect(), options.trace)
}

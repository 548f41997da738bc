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
#[cfg(feature = "ch19")]
use crate::prove::{Tried, prove};
#[cfg(feature = "ch19")]
use crate::rules::target::Target;
use crate::rules::{self, RuleSet};
use crate::select::preference::Preference;
use crate::stage::{Halt, Stage, Watch};
#[cfg(feature = "ch19")]
use crate::ttc;
use crate::{alloc, elf, ia32, lower, parse, schedule, select, start};
#[cfg(feature = "ch02")]
use crate::{peep, stage::Step};

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
    drop((sea, schedule)); // What has been left behind makes room for what comes.

    let selection = select::select(&firm, options.rules, options.preference);
    let selection = selection.map_err(Halt::Errors)?;
    #[cfg(feature = "ch04")]
    watch.see(Stage::Pbqp, &selection)?;

    #[cfg(feature = "ch19")]
    if options.rules.target.name == ttc::TARGET.name {
        return Err(end_on_paper(&selection, watch));
    }
    let mut selected = ia32::Code::new();
    select::emit(&selection, &mut selected);
    watch.see(Stage::Selected, &selected)?;
    drop(selection);
    drop(firm);

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

/// Of a machine on paper there is nothing behind its instructions.
#[cfg(feature = "ch19")]
fn end_on_paper(selection: &select::Selection, watch: &mut dyn Watch) -> Halt {
    let mut selected = ttc::Code::default();
    select::emit(selection, &mut selected);
    let seen = watch.see(Stage::Selected, &selected);
    seen.err().unwrap_or(Halt::Stopped(Stage::Selected))
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

/// A machine that instructions can be selected for.
#[cfg(feature = "ch19")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Machine {
    /// IA-32.
    #[default]
    Ia32,
    /// TR, which is on paper only: its last stage is `selected`.
    Tr,
}

#[cfg(feature = "ch19")]
impl Machine {
    /// The rules for it that come with the compiler.
    pub fn built_in_rules(self) -> Source {
        match self {
            Machine::Ia32 => built_in_rules(),
            Machine::Tr => {
                let text = include_str!("ttc/ttc.rules").to_string();
                Source { name: "ttc.rules".to_string(), text }
            }
        }
    }

    /// Reads a file of rules for it.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub fn rules(self, source: &Source) -> Result<RuleSet, Vec<Diag>> {
        rules::parse(source, self.target())
    }

    fn target(self) -> &'static Target {
        match self {
            Machine::Ia32 => &ia32::TARGET,
            Machine::Tr => &ttc::TARGET,
        }
    }

    /// The last stage of a program that is compiled for it.
    pub fn last_stage(self) -> Stage {
        match self {
            Machine::Ia32 => Stage::Elf,
            Machine::Tr => Stage::Selected,
        }
    }
}

/// What is to be said about a set of rules.
#[cfg(feature = "ch19")]
pub struct Verdict {
    /// What is wrong with it; nothing, if selection cannot fail with it.
    pub complaints: Vec<Diag>,
    /// What was proved, one line.
    pub summary: String,
    /// The patterns that are missing, drawn for Graphviz.
    pub dot: String,
}

/// Proves that a file of rules is complete and composable; and of rules for IA-32, that each
/// computes what it says.
///
/// # Errors
/// Everything that is wrong with single rules.
#[cfg(feature = "ch19")]
pub fn check_rules(source: &Source, machine: Machine) -> Result<Verdict, Vec<Diag>> {
    let checked = rules::check(source, machine.target())?;
    let [rules, patterns, shapes] = checked.counts();
    let mut summary =
        format!("complete and composable: {rules} rules, {patterns} patterns, {shapes} shapes");
    let mut complaints = Vec::new();
    if machine == Machine::Ia32 {
        let (Tried { narrow, wide }, refuted) = prove(&checked.rules);
        summary += &format!(
            "; {wide} rules compute what they say, {narrow} of them for all values of few bits"
        );
        complaints.extend(refuted.into_iter().map(|it| checked.refuted(it.rule, it.proof)));
    }
    complaints.extend(checked.complaints());
    Ok(Verdict { complaints, summary: summary + "\n", dot: checked.picture().dot() })
}

/// The text of a file of rules, and behind it what makes it composable.
///
/// # Errors
/// Everything that is wrong with single rules, or patterns for which there can be no rule.
#[cfg(feature = "ch19")]
pub fn complete_rules(source: &Source, machine: Machine) -> Result<String, Vec<Diag>> {
    rules::check(source, machine.target())?.completed()
}

/// What is to be said about an instance of PBQP.
#[cfg(feature = "ch04")]
pub struct Solved {
    /// Every reduction, one a line.
    pub trace: String,
    /// `cost N`, then `node choice` for each node.
    pub text: String,
    /// How it was solved.
    pub statistics: String,
}

/// Solves an instance of PBQP in text form; `exact` searches until the best solution is known.
///
/// # Errors
/// What is wrong with the text, or that the instance has no solution.
#[cfg(feature = "ch04")]
pub fn solve_text(text: &str, exact: bool) -> Result<Solved, Diag> {
    let complain = |span, message: String| {
        Diag::new(Code::Instance, span, message, "in this instance of PBQP")
    };
    let problem = pbqp::parse(text).map_err(|wrong| complain(wrong.span, wrong.message))?;
    let (mut trace, mut statistics) = (String::new(), String::new());
    let reduced = pbqp::solve_observed(&problem, &mut |step| trace += &format!("{step}\n"));
    let infeasible = || complain(Span::default(), "the instance is infeasible".to_string());
    let (choice, cost, proven) = match (reduced, exact) {
        (Ok(solution), _) if !exact || solution.statistics.is_optimal() => {
            for rule in pbqp::Rule::ALL {
                let count = solution.statistics.count(rule);
                statistics += &format!("{} {count}\n", rule.name());
            }
            let proven = solution.statistics.is_optimal();
            (solution.choice, solution.cost, proven)
        }
        (Err(wrong), false) if !wrong.proven => {
            let node = wrong.node.index();
            let message = format!("no solution found: nothing is left for node {node}");
            let help = "a guess may be to blame; `--exact` searches on";
            return Err(complain(Span::default(), message).with_help(help));
        }
        (Err(_), false) => return Err(infeasible()),
        (_, _) => match pbqp::solve_exactly(&problem, SEARCHED) {
            pbqp::Exact::Optimal { choice, cost } => (choice, cost, true),
            pbqp::Exact::Infeasible => return Err(infeasible()),
            pbqp::Exact::GaveUp => {
                let message = format!("no best solution found within {SEARCHED} decisions");
                return Err(complain(Span::default(), message));
            }
        },
    };
    statistics += if proven { "optimal\n" } else { "not proven optimal\n" };
    let rows = choice.iter().enumerate().map(|(node, at)| format!("{node} {at}\n"));
    Ok(Solved { trace, text: format!("cost {cost}\n{}", rows.collect::<String>()), statistics })
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

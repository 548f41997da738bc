//! The pipeline: each stage is a call and a report to the observer.
#[cfg(feature = "ch28")]
mod analysis;
#[cfg(feature = "ch25")]
mod firm_files;
mod linking;
#[cfg(feature = "ch19")]
mod machine;
#[cfg(feature = "ch09")]
mod optimization;
mod rewrites;
#[cfg(feature = "ch29")]
mod widths;
pub use crate::arith::operators;
#[cfg(feature = "ch14")]
pub use crate::arith::{INT, Width};
#[cfg(feature = "ch28")]
pub use crate::egraph::{Rule as RegionRule, rules as region_rules};
#[cfg(feature = "ch28")]
pub use crate::parse::{Declaration, Symbol, SymbolId, SymbolKind, is_name};
#[cfg(feature = "ch11")]
pub use crate::schedule::PlacementMethod;
#[cfg(feature = "ch28")]
pub use analysis::{Analysis, KnownValue};
#[cfg(feature = "ch25")]
pub use firm_files::*;
#[cfg(feature = "ch19")]
pub use machine::{TargetMachine, Verdict, check_rules, complete_rules, smt_questions};
pub use rewrites::*;
#[cfg(feature = "ch29")]
pub use widths::single_values;

use crate::diagnostics::Diagnostic;
#[cfg(feature = "ch27")]
use crate::flow_graph;
#[cfg(feature = "ch14")]
use crate::legalize::legalize;
use crate::linear_scan::allocate;
#[cfg(feature = "ch26")]
use crate::lower_regions;
#[cfg(feature = "ch05")]
use crate::post_allocation;
#[cfg(feature = "ch25")]
use crate::pre_selection;
#[cfg(feature = "ch26")]
use crate::region;
use crate::rules::{self, RuleSet};
use crate::schedule::Schedule;
#[cfg(feature = "ch05")]
use crate::schedule::ScheduledGraph;
use crate::sea::Graph;
use crate::select::options::{Objective, SelectionOptions};
#[cfg(feature = "ch29")]
use crate::select::sinking;
use crate::stage::{Artifact, Halt, Stage, StageObserver};
#[cfg(feature = "ch19")]
use crate::ttc;
#[cfg(feature = "ch20")]
use crate::{allocation_validation, colour};
#[cfg(feature = "ch18")]
use crate::{argument_registers, register_usage};
use crate::{firm, ia32, lower, parse, schedule, select};
use crate::{live_ranges, peephole, stage::Rewrite};
#[cfg(feature = "ch27")]
use crate::{raise, restructure};
use elf::Executable;
#[cfg(feature = "ch26")]
use linking::link;
pub(crate) use linking::link_for_each_word;
#[cfg(feature = "ch09")]
use optimization::optimized;
#[cfg(feature = "ch28")]
use optimization::saturated;
use source::Source;

/// The options of a compilation.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// Whether the peepholes are used.
    pub optimize: bool,
    /// The peepholes that are switched off.
    pub without: &'o [String],
    /// Whether the observer receives every rewrite.
    pub trace: bool,
    /// The argument, if it is known at compile time.
    #[cfg(feature = "ch04")]
    pub argument: Option<i64>,
    /// The width of `int`: 32 or 64 bits.
    #[cfg(feature = "ch14")]
    pub int: Width,
    /// The rules for instruction selection.
    pub rules: &'o RuleSet,
    pub selection: SelectionOptions,
    #[cfg(feature = "ch11")]
    pub placement: PlacementMethod,
    #[cfg(feature = "ch20")]
    pub registers: RegisterAllocator,
    /// Whether a program of Simple goes through regions.
    #[cfg(feature = "ch27")]
    pub via_regions: bool,
}

/// The method of register allocation.
#[cfg(feature = "ch20")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RegisterAllocator {
    /// A linear scan over live intervals.
    Scan,
    /// Spilling, colouring and coalescing on SSA form.
    #[default]
    Colour,
}

/// Compiles a program; the observer receives the artifact of every stage.
///
/// # Errors
/// Errors in the program, a violated invariant, or a stop by the observer.
pub fn compile(
    source: &Source,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Result<Executable, Halt> {
    #[cfg(feature = "ch26")]
    if Language::of(source) == Language::Regions {
        let regions = region::parse(&source.text).map_err(Halt::Errors)?;
        return compile_once(&regions, options, observer);
    }
    #[cfg(feature = "ch27")]
    if Language::of(source) == Language::FlowGraph {
        return compile_once(&restructured(source, observer)?, options, observer);
    }
    observer.stage_done(Stage::Tokens, &parse::Tokens { source })?;

    let input = parse::Input {
        text: &source.text,
        engine: engine(options),
        #[cfg(feature = "ch03")]
        show: Box::new(|draw| observer.show(draw)),
        #[cfg(feature = "ch04")]
        argument: options.argument,
        #[cfg(feature = "ch14")]
        int: options.int,
    };
    let parsed = parse::parse(input).map_err(Halt::Errors)?;
    #[cfg(feature = "ch16")]
    observer.warn(&parsed.warnings)?;
    parsed.steps.iter().for_each(|step: &Rewrite| observer.rewrite(step));
    let sea = parsed.graph;
    observer.stage_done(Stage::Parsed, &sea)?;
    #[cfg(feature = "ch09")]
    let sea = optimized(sea, options, observer);
    observer.stage_done(Stage::Sea, &sea)?;
    #[cfg(feature = "ch09")]
    let sea = sea.frozen();
    let schedule = schedule::schedule(&sea);
    #[cfg(feature = "ch11")]
    let schedule = match options.placement {
        PlacementMethod::Best => schedule,
        PlacementMethod::Early => schedule::schedule_early(&sea),
        PlacementMethod::Late => schedule::schedule_late(&sea),
    };
    #[cfg(feature = "ch05")]
    observer.stage_done(Stage::Blocks, &ScheduledGraph { graph: &sea, schedule: &schedule })?;
    let firm = lowered(&sea, &schedule);
    #[cfg(feature = "ch27")]
    if options.via_regions {
        return compile_via_regions(&firm, options, observer);
    }
    observer.stage_done(Stage::Firm, &firm)?;
    drop((sea, schedule)); // Frees them before selection allocates.
    let code = compile_firm(firm, options, observer)?;
    #[cfg(feature = "ch15")]
    let code = ia32::Program { file: source.name.clone(), ..code };
    link_for_each_word(&code, observer)
}

fn lowered(sea: &Graph, schedule: &Schedule) -> firm::Program {
    firm::Program {
        functions: lower::lower_all(sea, schedule),
        #[cfg(feature = "ch10")]
        result: sea.types.result_format(sea.result),
    }
}

/// The language of a program.
#[cfg(feature = "ch26")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Simple,
    Regions,
    /// Control-flow graphs.
    #[cfg(feature = "ch27")]
    FlowGraph,
}

#[cfg(feature = "ch26")]
impl Language {
    /// The extension of the file decides.
    pub fn of(source: &Source) -> Language {
        match source.name.rsplit('.').next() {
            Some("rv") => Language::Regions,
            #[cfg(feature = "ch27")]
            Some("cfg") => Language::FlowGraph,
            _ => Language::Simple,
        }
    }
}

/// The regions of a control-flow graph.
#[cfg(feature = "ch27")]
fn restructured(source: &Source, observer: &mut dyn StageObserver) -> Result<region::Graph, Halt> {
    let flow = flow_graph::parse(&source.text).map_err(Halt::Errors)?;
    observer.stage_done(Stage::Flow, &flow)?;
    restructure::restructure(&flow).map_err(Halt::Errors)
}

/// The regions of a program of Simple, by way of a control-flow graph.
#[cfg(feature = "ch27")]
fn via_regions(
    firm: &firm::Program,
    observer: &mut dyn StageObserver,
) -> Result<region::Graph, Halt> {
    let flow = raise::raise(firm).map_err(Halt::Errors)?;
    observer.stage_done(Stage::Flow, &flow)?;
    restructure::restructure(&flow).map_err(Halt::Errors)
}

/// Compiles a program of Simple by way of regions.
#[cfg(feature = "ch27")]
fn compile_via_regions(
    firm: &firm::Program,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Result<Executable, Halt> {
    let code = compile_regions(&via_regions(firm, observer)?, options, observer)?;
    link_for_each_word(&code, observer)
}

/// An executable that runs a program of regions once, with all words of the command line.
#[cfg(feature = "ch26")]
fn compile_once(
    regions: &region::Graph,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Result<Executable, Halt> {
    let code = compile_regions(regions, options, observer)?;
    let firm::Signature { parameters, results, .. } = code.functions[0].signature;
    link(&code, &[start_stub::once(parameters, results)], observer)
}

/// Compiles a program of regions.
#[cfg(feature = "ch26")]
fn compile_regions(
    regions: &region::Graph,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Result<ia32::Program, Halt> {
    observer.stage_done(Stage::Region, regions)?;
    #[cfg(feature = "ch28")]
    let regions = &saturated(regions, options, observer)?;
    let firm = lower_regions::lower(regions).map_err(Halt::Errors)?;
    observer.stage_done(Stage::Firm, &firm)?;
    compile_firm(firm, options, observer)
}

/// Compiles the functions of a program; the observer receives the artifacts of the stages after
/// `firm`.
///
/// # Errors
/// As `compile`.
pub(crate) fn compile_firm(
    firm: firm::Program,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Result<ia32::Program, Halt> {
    #[cfg(feature = "ch14")]
    let firm = legalize(firm);
    #[cfg(feature = "ch25")]
    let firm = improved(firm, options, observer)?;
    let selection = select::select_all(&firm, options.rules, options.selection);
    let selection = selection.map_err(Halt::Errors)?;
    #[cfg(feature = "ch04")]
    observer.stage_done(Stage::Pbqp, &selection)?;
    #[cfg(feature = "ch29")]
    let selection = if options.optimize && is_on(sinking::NAME, options.without) {
        selection.sunk()
    } else {
        selection
    };

    #[cfg(feature = "ch19")]
    stop_after_selection(&selection, observer)?;
    let code = selected(&selection);
    #[cfg(feature = "ch18")]
    let code = if options.optimize { argument_registers::pass_in_registers(code) } else { code };
    let mut code = shown(code, observer)?;
    drop(selection);
    drop(firm);

    let allocate: Allocate = scanned;
    #[cfg(feature = "ch20")]
    let allocate = match options.registers {
        RegisterAllocator::Scan => allocate,
        RegisterAllocator::Colour => coloured,
    };
    let order = 0..code.functions.len();
    #[cfg(feature = "ch18")]
    let order = register_usage::callees_first(&code.functions, order);
    for number in order {
        #[cfg(feature = "ch18")]
        register_usage::note_in_calls(&mut code.functions, number);
        let selected = std::mem::replace(&mut code.functions[number], ia32::Code::new(""));
        code.functions[number] = finished(allocate(selected)?);
    }
    verify(Stage::Allocated, &code)?;
    observer.stage_done(Stage::Allocated, &code)?;
    Ok(code)
}

/// An allocator of registers.
type Allocate = fn(ia32::Code) -> Result<ia32::Code, Halt>;

/// The program after the passes on Firm.
#[cfg(feature = "ch25")]
fn improved(
    firm: firm::Program,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Result<firm::Program, Halt> {
    let Options { optimize, without, trace, .. } = options;
    #[cfg(feature = "ch29")]
    let cycles = |op, mode| match options.selection.objective {
        Objective::Size => None,
        Objective::Speed => options.rules.cycles(op, mode),
    };
    let passes = pre_selection::Options {
        without,
        trace,
        #[cfg(feature = "ch29")]
        cycles: &cycles,
    };
    let firm = if optimize { pre_selection::improve(firm, passes, observer) } else { firm };
    observer.stage_done(Stage::Lowered, &firm)?;
    Ok(firm)
}

/// The code after the passes that improve allocated code.
fn finished(allocated: ia32::Code) -> ia32::Code {
    #[cfg(feature = "ch05")]
    let allocated = post_allocation::finish(allocated);
    #[cfg(feature = "ch18")]
    let allocated =
        ia32::Code { preserved: register_usage::preserved(&allocated.instructions), ..allocated };
    allocated
}

/// The instructions of a selection, with virtual registers.
fn selected(selection: &select::Program) -> ia32::Program {
    ia32::Program {
        functions: selection.functions.iter().map(code).collect(),
        #[cfg(feature = "ch10")]
        result: selection.result.clone(),
        #[cfg(feature = "ch15")]
        file: String::new(),
    }
}

/// The selected code, after the observer has seen it.
fn shown(code: ia32::Program, observer: &mut dyn StageObserver) -> Result<ia32::Program, Halt> {
    let code = live_ranges::Charted(code);
    observer.stage_done(Stage::Selected, &code)?;
    let live_ranges::Charted(code) = code;
    Ok(code)
}

fn code(selection: &select::Selection) -> ia32::Code {
    let mut code = ia32::Code::new(&selection.program.graph.name);
    #[cfg(feature = "ch14")]
    {
        code.signature = selection.program.graph.signature;
    }
    code.instructions.reserve(3 * selection.program.len() / 2);
    select::emit(selection, &mut code);
    code
}

/// The code with real registers, by a linear scan.
fn scanned(selected: ia32::Code) -> Result<ia32::Code, Halt> {
    #[cfg(feature = "ch20")]
    let original = original(&selected);
    let allocated = allocate(selected);
    #[cfg(feature = "ch20")]
    validate(original, &allocated)?;
    Ok(allocated)
}

/// The code with real registers, by colouring.
#[cfg(feature = "ch20")]
fn coloured(selected: ia32::Code) -> Result<ia32::Code, Halt> {
    let original = original(&selected);
    let (allocated, _) = colour::allocate(selected).map_err(|it| Halt::Errors(vec![it]))?;
    validate(original, &allocated)?;
    Ok(allocated)
}

/// The code before an allocation, which debug builds validate.
#[cfg(feature = "ch20")]
fn original(selected: &ia32::Code) -> Option<ia32::Code> {
    cfg!(debug_assertions).then(|| selected.clone())
}

/// Checks that allocated code has the values of the original.
#[cfg(feature = "ch20")]
fn validate(original: Option<ia32::Code>, allocated: &ia32::Code) -> Result<(), Halt> {
    let violations = original.map(|it| allocation_validation::validate(&it, allocated));
    match violations.filter(|it| !it.is_empty()) {
        Some(violations) => Err(Halt::InvariantViolated(Stage::Allocated, violations)),
        None => Ok(()),
    }
}

/// An abstract machine has no stages after selection.
#[cfg(feature = "ch19")]
fn stop_after_selection(
    selection: &select::Program,
    observer: &mut dyn StageObserver,
) -> Result<(), Halt> {
    let is_abstract = |it: &&select::Selection| it.rules.target.name == ttc::TARGET.name;
    let Some(entry) = selection.functions.first().filter(is_abstract) else { return Ok(()) };
    let mut selected = ttc::Code {
        #[cfg(feature = "ch25")]
        has_heap: true,
        ..ttc::Code::default()
    };
    select::emit(entry, &mut selected);
    observer.stage_done(Stage::Selected, &selected)?;
    Err(Halt::Stopped(Stage::Selected))
}

/// A compiler that finds a bug in its result must not write it to a file.
fn verify(stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
    let violations = artifact.verify();
    if violations.is_empty() { Ok(()) } else { Err(Halt::InvariantViolated(stage, violations)) }
}

/// The built-in rules.
pub fn built_in_rules() -> Source {
    let text = include_str!("ia32/ia32.rules").to_string();
    Source { name: "ia32.rules".to_string(), text }
}

/// Reads a file of rules for IA-32.
///
/// # Errors
/// All errors in the file.
pub fn machine_rules(source: &Source) -> Result<RuleSet, Vec<Diagnostic>> {
    rules::parse(source, &ia32::TARGET)
}
fn engine(options: Options) -> peephole::Engine {
    peephole::Engine::new(peepholes(options.optimize, options.without), options.trace)
}

/// The peepholes that are switched on.
fn peepholes(optimize: bool, without: &[String]) -> Vec<&'static peephole::Rule> {
    peephole::rules().filter(|rule| optimize && is_on(rule.name, without)).collect()
}
fn is_on(name: &str, without: &[String]) -> bool {
    without.iter().all(|other| other != name)
}

#[cfg(test)]
mod tests;

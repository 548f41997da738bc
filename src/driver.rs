//! The whole way, two lines a stage: the table of contents of this compiler.
use crate::base::span::Source;
use crate::elf::Executable;
use crate::rules::RuleSet;
use crate::select::Preference;
use crate::stage::{Halt, Stage, Watch};
#[cfg(feature = "ch02")]
use crate::{peep, stage::Step};
use crate::{alloc, elf, ia32, lower, parse, schedule, select, start};

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

    let parsed = parse::parse(input(source, options)).map_err(Halt::Errors)?;
    #[cfg(feature = "ch02")]
    parsed.steps.iter().for_each(|step: &Step| watch.step(step));
    #[cfg(feature = "ch03")]
    parsed.pictures.iter().for_each(|picture| watch.show(picture));
    let sea = parsed.graph;
    watch.see(Stage::Parsed, &sea)?;
    watch.see(Stage::Sea, &sea)?;

    let schedule = schedule::schedule(&sea);
    let firm = lower::lower(&sea, &schedule);
    watch.see(Stage::Firm, &firm)?;

    let selection = select::select(&firm, options.rules, options.preference);
    let selection = selection.map_err(Halt::Errors)?;
    #[cfg(feature = "ch04")]
    watch.see(Stage::Pbqp, &selection)?;

    let selected = select::emit(&firm, options.rules, &selection);
    watch.see(Stage::Selected, &selected)?;

    let allocated = alloc::allocate(selected);
    watch.see(Stage::Allocated, &allocated)?;

    let encoded = ia32::encode(allocated);
    watch.see(Stage::Bytes, &encoded)?;

    let executable = elf::build(start::STUB, &encoded.bytes);
    watch.see(Stage::Elf, &executable)?;
    Ok(executable)
}

fn input<'s>(source: &'s Source, options: Options) -> parse::Input<'s> {
    parse::Input {
        text: &source.text,
        #[cfg(feature = "ch02")]
        engine: engine(options),
        #[cfg(feature = "ch04")]
        argument: options.argument,
    }
}

#[cfg(feature = "ch02")]
fn engine(options: Options) -> peep::Engine {
    let without = |name: &str| options.without.iter().any(|other| other == name);
    let wanted = peep::rules().filter(|rule| options.optimize && !without(rule.name));
    peep::Engine::new(wanted.collect(), options.trace)
}

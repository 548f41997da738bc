//! The command line, parsed by clap.
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use sonc::Stage;
#[cfg(feature = "ch14")]
use sonc::Width;
use std::path::{Path, PathBuf};

/// A teaching compiler, from a sea of nodes to firm ground
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Compile a program, run it and print its result
    Run(Run),
    /// Compile a program to an executable
    Build(Build),
    /// Print a stage as text
    Ir(Ir),
    /// Report the errors of a program, and nothing else
    #[cfg(feature = "ch28")]
    Check(Check),
    /// Compile and run a program with several configurations, and print their numbers side by side
    #[cfg(feature = "ch28")]
    Compare(crate::compare::Compare),
    /// Draw a stage, or all of them: as SVG, or for Graphviz
    Dot(Dot),
    /// Write all stages as one page for a browser: graphs, texts, every rewrite
    #[cfg(feature = "ch09")]
    Explore(Explore),
    /// Do so again whenever the program is saved, and print what has changed in each stage
    #[cfg(feature = "ch10")]
    Watch(Watch),
    /// List the rules: peepholes, and those for instruction selection
    #[cfg(feature = "ch02")]
    Rules(Rules),
    /// Solve a PBQP in text form
    #[cfg(feature = "ch04")]
    Pbqp(Pbqp),
    /// Work on Firm graphs in files of GXL
    #[cfg(feature = "ch25")]
    Firm(crate::firm_arguments::Firm),
    /// Write files for the installation
    #[cfg(feature = "ch28")]
    #[command(subcommand, hide = true)]
    Generate(crate::generate::Generate),
    /// Serve an editor: a language server over standard input and output
    #[cfg(feature = "ch28")]
    Lsp(crate::lsp::Lsp),
}

/// The options of a compilation.
#[derive(Args)]
pub struct Compile {
    /// The program; `-` is standard input
    #[arg(required_unless_present = "text")]
    pub file: Option<PathBuf>,
    /// The program itself, instead of a file
    #[arg(short = 'e', value_name = "TEXT", conflicts_with = "file")]
    pub text: Option<String>,
    /// Switch off all rewrites
    #[cfg(feature = "ch02")]
    #[arg(long)]
    pub no_opt: bool,
    /// Switch off the peephole of this name
    #[cfg(feature = "ch02")]
    #[arg(long, value_name = "RULE")]
    pub without: Vec<String>,
    /// The target machine
    #[cfg(feature = "ch19")]
    #[arg(long, value_enum, default_value = "ia32")]
    pub target: TargetName,
    /// Select by the rules in this file
    #[cfg(feature = "ch19")]
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// The cost to minimize
    #[cfg(feature = "ch02")]
    #[arg(long, value_enum, default_value = "speed")]
    pub cost: CostName,
    /// The method of instruction selection
    #[cfg(feature = "ch04")]
    #[arg(long, value_enum, default_value = "pbqp")]
    pub select: MethodName,
    /// The choice among the blocks that a value can be computed in
    #[cfg(feature = "ch11")]
    #[arg(long, value_enum, default_value = "best")]
    pub place: PlacementName,
    /// The number of bits of an `int`
    #[cfg(feature = "ch14")]
    #[arg(long, value_name = "BITS", value_parser = width(), default_value = "32")]
    pub int: Width,
    /// Take these reports for errors
    #[cfg(feature = "ch16")]
    #[arg(long, value_enum, value_name = "REPORTS")]
    pub deny: Option<Denied>,
    /// The method of register allocation
    #[cfg(feature = "ch20")]
    #[arg(long, value_enum, default_value = "colour")]
    pub registers: AllocatorName,
    /// Take a program of Simple to another form before its instructions are selected, and back
    #[cfg(feature = "ch27")]
    #[arg(long, value_enum, value_name = "FORM")]
    pub via: Option<FormName>,
}

impl Compile {
    /// A file with the program's name and another extension.
    pub fn beside(&self, extension: &str) -> PathBuf {
        let name = match &self.file {
            Some(file) if host::is_stream(file) => Path::new("stdin"),
            Some(file) => file,
            None => Path::new("program"),
        };
        name.with_extension(extension)
    }

    /// The input files.
    pub fn inputs(&self) -> Vec<&Path> {
        let files = self.file.iter();
        #[cfg(feature = "ch19")]
        let files = files.chain(&self.rules);
        files.map(PathBuf::as_path).collect()
    }
}

#[cfg(feature = "ch19")]
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TargetName {
    Ia32,
    /// An abstract machine: the last stage is `selected`
    Tr,
}

#[cfg(feature = "ch02")]
#[derive(Clone, Copy, ValueEnum)]
pub enum CostName {
    Size,
    Speed,
}

#[cfg(feature = "ch04")]
#[derive(Clone, Copy, ValueEnum)]
pub enum MethodName {
    Greedy,
    Pbqp,
    #[cfg(feature = "ch19")]
    Heuristic,
}

#[cfg(feature = "ch11")]
#[derive(Clone, Copy, ValueEnum)]
pub enum PlacementName {
    /// The first one
    Early,
    /// The last one, also if it is in more loops
    Late,
    /// The last one that is in as few loops as possible
    Best,
}

#[cfg(feature = "ch16")]
#[derive(Clone, Copy, ValueEnum)]
pub enum Denied {
    Warnings,
}

#[cfg(feature = "ch20")]
#[derive(Clone, Copy, ValueEnum)]
pub enum AllocatorName {
    /// A linear scan over live intervals
    Scan,
    /// Spilling, colouring and coalescing on SSA form
    Colour,
}

#[cfg(feature = "ch27")]
#[derive(Clone, Copy, ValueEnum)]
pub enum FormName {
    /// Control flow becomes nested regions, and these become control flow again
    Regions,
}

#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    pub compile: Compile,
    /// The program's argument; 0 without it
    #[arg(long = "arg", value_name = "N", allow_negative_numbers = true, value_parser = argument)]
    pub arguments: Vec<i64>,
    /// Run this stage instead of the executable
    #[arg(long, value_parser = stage())]
    pub stage: Option<Stage>,
    /// Run the executable in the emulator, not on this machine
    #[arg(long)]
    pub emulate: bool,
    /// The number of instructions after which the emulator ends
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub limit: u64,
    /// Print how long each stage took
    #[arg(long)]
    pub time: bool,
    /// Run the executable in the emulator, and print how many instructions each line took
    #[cfg(feature = "ch28")]
    #[arg(long, conflicts_with_all = ["stage", "time", "pictures"])]
    pub count: bool,
    /// With `--count`: print the instructions of the same program in C, too, compiled by `gcc -O2`;
    /// it is a file with the function `int simple(int arg)`
    #[cfg(feature = "ch28")]
    #[arg(long, value_name = "FILE.c", requires = "count")]
    pub beside: Option<PathBuf>,
    /// Draw every stage into this folder
    #[cfg(feature = "ch10")]
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,
}

#[derive(Args)]
pub struct Build {
    #[command(flatten)]
    pub compile: Compile,
    /// Where to write it; `-` is standard output
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What to write
    #[cfg(feature = "ch10")]
    #[arg(long, value_enum, default_value = "exe")]
    pub emit: Emit,
}

#[cfg(feature = "ch10")]
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Emit {
    Exe,
    Asm,
}

#[derive(Args)]
pub struct Ir {
    #[command(flatten)]
    pub compile: Compile,
    /// The stage; without it, the last one before the program is in blocks
    #[arg(long, value_parser = stage())]
    pub stage: Option<Stage>,
    /// Assume this value for the program's argument
    #[cfg(feature = "ch04")]
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = argument)]
    pub arg: Option<i64>,
    /// Print one item per line
    #[arg(long)]
    pub long: bool,
    /// Print the part of this function only
    #[cfg(feature = "ch18")]
    #[arg(long, value_name = "NAME", requires = "stage", conflicts_with = "long")]
    pub function: Option<String>,
    /// Print every rewrite first
    #[cfg(feature = "ch02")]
    #[arg(long)]
    pub trace: bool,
    /// As text, or as JSON with the graph: the stage, or without `--stage` all of them
    #[cfg(feature = "ch28")]
    #[arg(long, value_enum, default_value = "text", conflicts_with = "function")]
    pub format: OutputFormat,
}

#[cfg(feature = "ch28")]
#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    pub compile: Compile,
    /// As text on standard error, or on standard output as JSON, one object a line
    #[arg(long = "message-format", value_enum, default_value = "text")]
    pub format: OutputFormat,
}

#[cfg(feature = "ch28")]
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    Text,
    Json,
}

#[derive(Args)]
pub struct Dot {
    #[command(flatten)]
    pub compile: Compile,
    /// The stage, or `all`, or `shown` for the pictures that the program requests
    #[arg(long, value_parser = stage_or_all())]
    pub stage: AnyStage,
    /// Draw it as SVG, for any browser, as for a file `….svg`; without it, for Graphviz
    #[arg(long)]
    pub svg: bool,
    /// Where to write it: a file, or a folder for all stages
    #[arg(short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

#[cfg(feature = "ch09")]
#[derive(Args)]
pub struct Explore {
    #[command(flatten)]
    pub compile: Compile,
    /// The program's argument; 0 without it
    #[arg(long = "arg", value_name = "N", allow_negative_numbers = true, value_parser = argument)]
    pub arguments: Vec<i64>,
    /// Where to write it; without it, beside the program
    #[arg(short, value_name = "PAGE")]
    pub output: Option<PathBuf>,
}

#[cfg(feature = "ch10")]
#[derive(Args)]
pub struct Watch {
    #[command(flatten)]
    pub explore: Explore,
}

#[derive(Clone, Copy)]
pub enum AnyStage {
    #[cfg(feature = "ch10")]
    All,
    One(Stage),
    /// Not a stage: the pictures of `#showGraph`.
    #[cfg(feature = "ch03")]
    Shown,
}

#[cfg(feature = "ch02")]
#[derive(Args)]
pub struct Rules {
    /// What to do with them
    #[arg(value_enum, default_value = "list")]
    pub action: RulesAction,
    /// A file of rules instead of the built-in ones
    #[cfg(feature = "ch19")]
    pub file: Option<PathBuf>,
    /// The machine that the rules are for
    #[cfg(feature = "ch19")]
    #[arg(long, value_enum, default_value = "ia32")]
    pub target: TargetName,
    /// With `check`: draw the missing patterns for Graphviz
    #[cfg(feature = "ch19")]
    #[arg(long, value_name = "PATH")]
    pub dot: Option<PathBuf>,
    /// With `complete`: where to write the rules; `-`, as without it, is standard output
    #[cfg(feature = "ch19")]
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[cfg(feature = "ch02")]
#[derive(Clone, Copy, ValueEnum)]
pub enum RulesAction {
    /// Print them
    List,
    /// Check that selection cannot fail with them, or print what is missing
    #[cfg(feature = "ch19")]
    Check,
    /// Add composed rules until selection cannot fail
    #[cfg(feature = "ch19")]
    Complete,
    /// Print the laws of the peepholes as questions to an SMT solver: all answers are `unsat`
    #[cfg(feature = "ch19")]
    Smt,
}

#[cfg(feature = "ch04")]
#[derive(Args)]
pub struct Pbqp {
    /// The instance
    pub file: PathBuf,
    /// Print every reduction
    #[arg(long)]
    pub trace: bool,
    /// Search until the solution is proven optimal, or the budget is used up
    #[arg(long)]
    pub exact: bool,
    /// With `--exact`: the step limit of each search; a step visits a node or an edge
    #[arg(long, value_name = "STEPS", requires = "exact")]
    pub budget: Option<u64>,
    /// Print how the instance was solved
    #[arg(long)]
    pub stats: bool,
    /// Print how long reading and solving took
    #[arg(long)]
    pub time: bool,
    /// Draw the instance and the choice for Graphviz, instead of printing the choice
    #[arg(long)]
    pub dot: bool,
    /// With `--dot`: draw it as SVG
    #[arg(long, requires = "dot")]
    pub svg: bool,
    /// For demonstration: do not propagate infinite costs
    #[arg(long)]
    pub no_propagation: bool,
    /// For demonstration: decide all nodes that R1 and R2 leave heuristically
    #[arg(long)]
    pub no_search: bool,
}

/// The parser of an argument of a program.
pub fn argument(text: &str) -> Result<i64, String> {
    #[cfg(feature = "ch14")]
    if let Ok(wide) = text.parse() {
        return Ok(wide);
    }
    integer(text).map(i64::from)
}

/// The parser of the width of an `int`.
#[cfg(feature = "ch14")]
fn width() -> impl TypedValueParser<Value = Width> {
    PossibleValuesParser::new(["32", "64"])
        .map(|bits| Width(bits.parse().expect("clap has compared it with both numbers")))
}

/// The parser of an integer of 32 bits.
pub fn integer(text: &str) -> Result<i32, String> {
    let (least, greatest) = (i32::MIN, i32::MAX);
    text.parse().map_err(|_| format!("it is no integer from {least} to {greatest}"))
}

/// The parser of a stage's name.
pub fn stage() -> impl TypedValueParser<Value = Stage> {
    PossibleValuesParser::new(Stage::NAMES.iter().map(|it| it.1)).map(|name| stage_named(&name))
}

fn stage_named(name: &str) -> Stage {
    let found = Stage::NAMES.iter().find(|(_, own)| *own == name);
    found.expect("clap has compared it with all names").0
}

fn stage_or_all() -> impl TypedValueParser<Value = AnyStage> {
    let names = Stage::NAMES.iter().map(|it| it.1);
    #[cfg(feature = "ch10")]
    let names = names.chain(["all"]);
    #[cfg(feature = "ch03")]
    let names = names.chain(["shown"]);
    PossibleValuesParser::new(names).map(|name| any_stage(&name))
}

fn any_stage(name: &str) -> AnyStage {
    #[cfg(feature = "ch10")]
    if name == "all" {
        return AnyStage::All;
    }
    #[cfg(feature = "ch03")]
    if name == "shown" {
        return AnyStage::Shown;
    }
    AnyStage::One(stage_named(name))
}

//! The command line of `sonc firm`.
use crate::arguments::integer;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
pub struct Firm {
    #[command(subcommand)]
    pub action: FirmAction,
}

#[derive(Subcommand)]
pub enum FirmAction {
    /// Check a graph
    Verify(FirmVerify),
    /// Read a graph, check it and write it in canonical form
    Copy(FirmPass),
    /// Fold constants until no rule matches
    Fold(FirmFold),
    /// Select instructions of the case's target
    Select(FirmSelect),
    /// Print the PBQP of the selection, for `sonc pbqp`
    Pbqp(FirmPbqp),
    /// Run a graph: print its memory operations and its result
    Run(FirmRun),
    /// Write a program's graph
    Export(FirmExport),
    /// Write a generated graph, for measurements and tests
    #[command(subcommand)]
    Generate(FirmGenerate),
    /// Print a graph as text
    Ir(FirmShow),
    /// Draw a graph: as SVG, or for Graphviz
    Dot(FirmDot),
}

#[derive(Args)]
pub struct FirmVerify {
    /// The graph; `-` is standard input
    pub file: PathBuf,
    /// Require the properties of a program, not only those of the case
    #[arg(long)]
    pub strict: bool,
    /// Use this number of threads
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Print how long reading and checking took
    #[arg(long)]
    pub time: bool,
}

/// A pass from a graph to a graph.
#[derive(Args)]
pub struct FirmPass {
    #[command(flatten)]
    pub verify: FirmVerify,
    /// Where to write it; `-`, as without it, is standard output
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct FirmFold {
    #[command(flatten)]
    pub pass: FirmPass,
    /// Visit the whole graph in the order of the paper's wavefront
    #[arg(long)]
    pub literal: bool,
    /// Switch off the rule of this name
    #[arg(long, value_name = "RULE")]
    pub without: Vec<String>,
    /// Print every rewrite instead of the graph
    #[arg(long)]
    pub trace: bool,
    /// Print how often each rule was applied instead of the graph
    #[arg(long)]
    pub stats: bool,
    /// Write a picture of the graph after every rewrite to this folder
    #[arg(long, value_name = "FOLDER")]
    pub dot_steps: Option<PathBuf>,
}

#[derive(Args)]
pub struct FirmSelect {
    #[command(flatten)]
    pub pass: FirmPass,
    /// Choose the best instruction for each node by itself
    #[arg(long)]
    pub greedy: bool,
    /// Select by the rules in this file
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Print how many instructions were selected instead of the graph
    #[arg(long)]
    pub stats: bool,
}

#[derive(Args)]
pub struct FirmPbqp {
    /// The graph; `-` is standard input
    pub file: PathBuf,
    /// Select by the rules in this file
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Where to write it; `-`, as without it, is standard output
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct FirmRun {
    /// The graph; `-` is standard input
    pub file: PathBuf,
    /// The next argument
    #[arg(long = "arg", value_name = "N", allow_negative_numbers = true, value_parser = integer)]
    pub arguments: Vec<i32>,
}

/// The limit for the size of generated graphs.
#[cfg(feature = "ch25")]
const MAX_NODES: i64 = 100_000_000;

/// Generated graphs; equal parameters yield equal graphs.
#[derive(Subcommand)]
pub enum FirmGenerate {
    /// A tree of operations on constants
    Exprtree {
        depth: u32,
        seed: u64,
        #[command(flatten)]
        to: FirmOutput,
    },
    /// One block of arithmetic, loads and stores
    Straight {
        #[arg(value_parser = clap::value_parser!(u32).range(..=MAX_NODES))]
        nodes: u32,
        seed: u64,
        /// The numbers of constants, complements and stores; without them, they follow from `nodes`
        #[arg(num_args = 3)]
        counts: Vec<u32>,
        #[command(flatten)]
        to: FirmOutput,
    },
    /// A sequence of diamonds
    Minplus {
        #[arg(value_parser = clap::value_parser!(u32).range(..=MAX_NODES / 11))]
        count: u32,
        /// 1 if the two values are constants, 0 if they are arguments
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=1))]
        constant: u8,
        /// 1 if each compares the result of the one before
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=1))]
        chained: u8,
        #[command(flatten)]
        to: FirmOutput,
    },
    /// A program of assignments, ifs, loops, loads and stores
    Structured {
        seed: u64,
        #[arg(value_parser = clap::value_parser!(u32).range(..=MAX_NODES / 100))]
        statements: u32,
        #[command(flatten)]
        to: FirmOutput,
    },
}

#[derive(Args)]
pub struct FirmOutput {
    /// Where to write it; `-`, as without it, is standard output
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct FirmExport {
    /// The program; `-` is standard input
    pub file: PathBuf,
    /// Switch off all rewrites
    #[arg(long)]
    pub no_opt: bool,
    /// Switch off the peephole of this name
    #[arg(long, value_name = "RULE")]
    pub without: Vec<String>,
    /// Where to write it; `-`, as without it, is standard output
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct FirmShow {
    /// The graph; `-` is standard input
    pub file: PathBuf,
    /// Show it after constant folding
    #[arg(long)]
    pub fold: bool,
    /// Show it after instruction selection
    #[arg(long)]
    pub select: bool,
    /// Where to write it; `-`, as without it, is standard output
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct FirmDot {
    #[command(flatten)]
    pub show: FirmShow,
    /// Draw it as SVG, as for a file `….svg`; without it, for Graphviz
    #[arg(long)]
    pub svg: bool,
}

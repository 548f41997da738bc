//! Firm graphs in files: read, checked, shown and written; and what a program becomes as one.
use super::peepholes;
use crate::diagnostics::{Code, Diagnostic};
use crate::firm::fold::fold;
use crate::firm::gxl::{self, Fault, Imported};
use crate::firm::{Graph, case, eval, generate, label, name, ordered};
use crate::retype::retype;
use crate::rules::RuleSet;
use crate::select::options::Method;
use crate::stage::{Artifact, Outcome};
use crate::{lower, parse, peephole, schedule};
use arena::Id;
use source::{Source, Span};
use std::io::{BufRead, Write};

pub use crate::firm::case::Strictness;
pub use crate::firm::fold::{Folded, Options as FoldOptions};
pub use crate::firm::generate::{Diamonds, Straight};
pub use crate::firm::gxl::{Place, places};
pub use crate::retype::Counts as RetypeCounts;

/// A Firm graph, and where its nodes stand in the file it comes from.
#[derive(Clone)]
pub struct FirmFile {
    graph: Graph,
    /// Nothing, if it comes from no file.
    places: Vec<u64>,
}

/// A graph to measure or to test with.
pub enum Generated {
    /// A tree of constants.
    Tree {
        depth: u32,
        seed: u64,
    },
    Straight {
        wanted: Straight,
        seed: u64,
    },
    Diamonds(Diamonds),
    Structured {
        seed: u64,
        statements: usize,
    },
}

/// Why a file is not a Firm graph.
pub struct FirmFault {
    /// How many bytes of the file stand before the place.
    pub at: u64,
    /// The complaint; `Place` says what its span is.
    pub complaint: Diagnostic,
}

/// A broken rule of the case, or of programs.
pub struct FirmFinding {
    /// The name of the check.
    pub check: &'static str,
    /// What the node is.
    pub node: String,
    /// Where the node stands in the file: how many bytes are before it.
    pub at: Option<u64>,
}

impl FirmFile {
    /// Reads a file of GXL.
    ///
    /// # Errors
    /// What is wrong with the file, if it cannot be read, or the graph is none of ours.
    pub fn read(input: &mut dyn BufRead) -> Result<FirmFile, FirmFault> {
        let Imported { graph, places } = gxl::read(input).map_err(refuse)?;
        Ok(FirmFile { graph, places })
    }

    /// How many nodes and edges the graph has.
    pub fn counts(&self) -> [usize; 2] {
        gxl::counts(&self.graph)
    }

    /// A number made of all that is in the graph, in one pass over it: nothing that looks at
    /// everything takes less time.
    pub fn checksum(&self) -> u64 {
        let of = |id| {
            let operands = self.graph.operands(id).iter().map(|it| it.index() as u64);
            operands.fold(self.graph.node(id).block.index() as u64, |sum, it| sum ^ it)
        };
        self.graph.ids().fold(0, |sum: u64, id| sum.rotate_left(1) ^ of(id))
    }

    /// The graph as what can be printed and drawn.
    pub fn artifact(&self) -> &dyn Artifact {
        &self.graph
    }

    /// Everything that is wrong with the graph; so many threads look for it.
    pub fn verify(&self, strictness: Strictness, threads: usize) -> Vec<FirmFinding> {
        let findings = case::verify(&self.graph, strictness, threads);
        findings.into_iter().map(|it| self.finding(it)).collect()
    }

    fn finding(&self, case::Finding { check, node }: case::Finding) -> FirmFinding {
        let at = node.and_then(|id| self.places.get(id.index()).copied());
        let node = match (node, at) {
            (Some(id), Some(_)) => label(&self.graph, id),
            (Some(id), None) => format!("{} {}", name(id), label(&self.graph, id)),
            (None, _) => "it is not there".to_string(),
        };
        FirmFinding { check, node, at }
    }

    /// A graph that is made up; none, if there is no such graph.
    pub fn generate(kind: Generated) -> Option<FirmFile> {
        let graph = match kind {
            Generated::Tree { depth, seed } => generate::tree(depth, seed),
            Generated::Straight { wanted, seed } => generate::straight(&wanted, seed),
            Generated::Diamonds(wanted) => Some(generate::diamonds(&wanted)),
            Generated::Structured { seed, statements } => {
                Some(generate::structured(seed, statements))
            }
        };
        graph.map(|graph| FirmFile { graph, places: Vec::new() })
    }

    /// Folds constants until no rule fits any more; the graph must have been verified.
    ///
    /// # Errors
    /// A value that needs itself: it would be folded for ever.
    pub fn fold(&mut self, options: FoldOptions) -> Result<Folded, FirmFinding> {
        if let Some(finding) = case::cycle(&self.graph).pop() {
            return Err(self.finding(finding));
        }
        let graph = std::mem::replace(&mut self.graph, Graph::new());
        let (folded, counts) = fold(graph, options);
        (self.graph, self.places) = (folded, Vec::new());
        Ok(counts)
    }

    /// Selects the instructions of the case's target; the graph must have been verified.
    ///
    /// # Errors
    /// What no rule covers, or a rule that the method cannot use.
    pub fn select(
        &mut self,
        rules: &RuleSet,
        method: Method,
        threads: usize,
    ) -> Result<RetypeCounts, Vec<Diagnostic>> {
        retype(&mut self.graph, rules, method, threads)
    }

    /// What the graph does for these arguments; none, if its values have no order.
    pub fn run(&self, arguments: &[i64]) -> Option<Outcome> {
        ordered(&self.graph).map(|graph| eval(&graph, arguments))
    }

    /// Writes the graph as a file of GXL.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        gxl::write(&self.graph, out)
    }
}

fn refuse(Fault { at, message, label }: Fault) -> FirmFault {
    let complaint = Diagnostic::new(Code::Graph, Span::default(), message, label);
    FirmFault { at, complaint }
}

/// The Firm graph of a program, in the shape of the case; with or without peepholes, of which
/// those with these names are switched off.
///
/// # Errors
/// The program's faults.
pub fn export_firm(
    source: &Source,
    optimize: bool,
    without: &[String],
) -> Result<FirmFile, Vec<Diagnostic>> {
    let engine = || peephole::Engine::new(peepholes(optimize, without), false);
    let show = Box::new(|_: &dyn Fn() -> String| ());
    let input = parse::Input { text: &source.text, engine: engine(), show, argument: None };
    let sea = peephole::optimize(parse::parse(input)?.graph, engine());
    let schedule = schedule::schedule(&sea);
    let graph = gxl::export(lower::lower(&sea, &schedule));
    Ok(FirmFile { graph, places: Vec::new() })
}

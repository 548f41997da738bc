//! Firm graphs in files: read, checked, folded, printed and written; and the export of programs.
use super::peepholes;
use crate::diagnostics::{Code, Diagnostic};
use crate::firm::fold::fold;
use crate::firm::gxl::{self, Fault, Imported};
use crate::firm::{Graph, case, eval, generate, label, name, ordered};
use crate::retype::retype;
use crate::rules::RuleSet;
use crate::select::options::Method;
use crate::stage::{Artifact, Outcome};
use crate::{lower, parse, peep, schedule};
use arena::Id;
use source::{Source, Span};
use std::io::{BufRead, Write};

pub use crate::firm::case::Strictness;
pub use crate::firm::fold::{Folded, Options as FoldOptions};
pub use crate::firm::generate::{Diamonds, Straight};
pub use crate::firm::gxl::{Place, places};
pub use crate::retype::Counts as RetypeCounts;

/// A Firm graph, and the offset of each node in its file.
#[derive(Clone)]
pub struct FirmFile {
    graph: Graph,
    /// Empty, if the graph is from no file.
    places: Vec<u64>,
}

/// A generated graph, for measurements and tests.
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

/// An error in a file of a Firm graph.
pub struct FirmFault {
    /// Its offset in bytes.
    pub at: u64,
    /// Its span is empty: `Place` contains the position.
    pub diagnostic: Diagnostic,
}

/// A failed check of the case, or of programs.
pub struct FirmFinding {
    /// The name of the check.
    pub check: &'static str,
    /// A description of the node.
    pub node: String,
    /// The offset of the node in its file, in bytes.
    pub at: Option<u64>,
}

impl FirmFile {
    /// Reads a file of GXL.
    ///
    /// # Errors
    /// The file cannot be read, or contains no valid graph.
    pub fn read(input: &mut dyn BufRead) -> Result<FirmFile, FirmFault> {
        let Imported { graph, places } = gxl::read(input).map_err(refuse)?;
        Ok(FirmFile { graph, places })
    }

    /// The numbers of nodes and edges.
    pub fn counts(&self) -> [usize; 2] {
        gxl::counts(&self.graph)
    }

    /// A checksum of the whole graph in one pass: a lower bound for the time of any pass over it.
    pub fn checksum(&self) -> u64 {
        let of = |id| {
            let operands = self.graph.operands(id).iter().map(|it| it.index() as u64);
            operands.fold(self.graph.node(id).block.index() as u64, |sum, it| sum ^ it)
        };
        self.graph.ids().fold(0, |sum: u64, id| sum.rotate_left(1) ^ of(id))
    }

    /// The graph as an artifact, to be printed or drawn.
    pub fn artifact(&self) -> &dyn Artifact {
        &self.graph
    }

    /// All failed checks, computed by this number of threads.
    pub fn verify(&self, strictness: Strictness, threads: usize) -> Vec<FirmFinding> {
        let findings = case::verify(&self.graph, strictness, threads);
        findings.into_iter().map(|it| self.finding(it)).collect()
    }

    fn finding(&self, case::Finding { check, node }: case::Finding) -> FirmFinding {
        let at = node.and_then(|id| self.places.get(id.index()).copied());
        let node = match (node, at) {
            (Some(id), Some(_)) => label(&self.graph, id),
            (Some(id), None) => format!("{} {}", name(id), label(&self.graph, id)),
            (None, _) => "missing".to_string(),
        };
        FirmFinding { check, node, at }
    }

    /// A generated graph; `None` if the parameters are invalid.
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

    /// Folds constants until no rule matches; the graph must have been verified.
    ///
    /// # Errors
    /// A value that depends on itself: folding would not end.
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
    /// An operation that no rule covers, or a rule that the method does not support.
    pub fn select(
        &mut self,
        rules: &RuleSet,
        method: Method,
        threads: usize,
    ) -> Result<RetypeCounts, Vec<Diagnostic>> {
        retype(&mut self.graph, rules, method, threads)
    }

    /// The result of the graph for these arguments; `None` if its values have no topological order.
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
    let diagnostic = Diagnostic::new(Code::Graph, Span::default(), message, label);
    FirmFault { at, diagnostic }
}

/// The Firm graph of a program, in the form of the case; `without` lists peepholes to switch off.
///
/// # Errors
/// Errors in the program.
pub fn export_firm(
    source: &Source,
    optimize: bool,
    without: &[String],
) -> Result<FirmFile, Vec<Diagnostic>> {
    let engine = || peep::Engine::new(peepholes(optimize, without), false);
    let show = Box::new(|_: &dyn Fn() -> String| ());
    let input = parse::Input { text: &source.text, engine: engine(), show, argument: None };
    let sea = peep::optimize(parse::parse(input)?.graph, engine());
    let schedule = schedule::schedule(&sea);
    let graph = gxl::export(lower::lower(&sea, &schedule));
    Ok(FirmFile { graph, places: Vec::new() })
}

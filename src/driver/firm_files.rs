//! Firm graphs in files: read, checked, folded, printed and written; and the export of programs.
use super::{INT, peepholes};
use crate::diagnostics::{Code, Diagnostic};
use crate::firm::{self, name};
use crate::rules::RuleSet;
use crate::select::options::Method;
use crate::stage::{Artifact, Outcome};
use crate::ttc::gxl::{self, Imported, ReadError};
use crate::ttc::{self, CheckFailure, Graph, Uncovered, generate};
use crate::{lower, parse, peephole, schedule};
use arena::Id;
use source::{Source, Span};
use std::io::{BufRead, Write};

pub use crate::ttc::generate::{Diamonds, StraightLine};
pub use crate::ttc::gxl::{SourcePosition, positions};
pub use crate::ttc::{Counts as SelectCounts, FoldOptions, Folded, Strictness};

/// A Firm graph, and the places of its nodes in a file.
#[derive(Clone)]
pub struct FirmFile {
    graph: Graph,
    /// The number of bytes before each node; none, if there is no file.
    offsets: Vec<u64>,
}

/// A generated graph, for measurements and tests.
pub enum Generated {
    /// A tree of constants.
    Tree {
        depth: u32,
        seed: u64,
    },
    Straight {
        counts: StraightLine,
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
    /// The number of bytes before the place.
    pub offset: u64,
    /// The diagnostic; its span is that of a `SourcePosition`.
    pub diagnostic: Diagnostic,
}

/// A check of the case or of programs that fails.
pub struct FirmFinding {
    /// The name of the check.
    pub check: &'static str,
    /// The node in words.
    pub node: String,
    /// The number of bytes before the node in the file.
    pub offset: Option<u64>,
}

impl FirmFile {
    /// Reads a file of GXL.
    ///
    /// # Errors
    /// Errors of the input, or a text that is not a graph of the case.
    pub fn read(input: &mut dyn BufRead) -> Result<FirmFile, FirmFault> {
        let Imported { graph, offsets } = gxl::read(input).map_err(refuse)?;
        Ok(FirmFile { graph, offsets })
    }

    /// The numbers of nodes and edges.
    pub fn counts(&self) -> [usize; 2] {
        gxl::counts(&self.graph)
    }

    /// A number made of all nodes and operands in one pass: a lower bound for the time of any pass.
    pub fn checksum(&self) -> u64 {
        let graph = &self.graph.firm;
        let of = |id| {
            let operands = graph.operands(id).iter().map(|it| it.index() as u64);
            operands.fold(graph.node(id).block.index() as u64, |sum, it| sum ^ it)
        };
        graph.ids().fold(0, |sum: u64, id| sum.rotate_left(1) ^ of(id))
    }

    /// The graph, to be printed and drawn.
    pub fn artifact(&self) -> &dyn Artifact {
        &self.graph
    }

    /// Every check that fails.
    pub fn verify(&self, strictness: Strictness, threads: usize) -> Vec<FirmFinding> {
        let failures = ttc::verify(&self.graph, strictness, threads);
        failures.into_iter().map(|it| self.finding(it)).collect()
    }

    fn finding(&self, CheckFailure { check, node }: CheckFailure) -> FirmFinding {
        let offset = node.and_then(|id| self.offsets.get(id.index()).copied());
        let node = match (node, offset) {
            (Some(id), Some(_)) => self.graph.label(id),
            (Some(id), None) => format!("{} {}", name(id), self.graph.label(id)),
            (None, _) => "it is not there".to_string(),
        };
        FirmFinding { check, node, offset }
    }

    /// A generated graph; none, if there is no such graph.
    pub fn generate(kind: Generated) -> Option<FirmFile> {
        let graph = match kind {
            Generated::Tree { depth, seed } => generate::expression_tree(depth, seed),
            Generated::Straight { counts, seed } => generate::straight_line(&counts, seed),
            Generated::Diamonds(diamonds) => Some(generate::diamonds(&diamonds)),
            Generated::Structured { seed, statements } => {
                Some(generate::structured(seed, statements))
            }
        };
        graph.map(|graph| FirmFile { graph, offsets: Vec::new() })
    }

    /// Folds constants until no rule matches; the graph must have been verified.
    ///
    /// # Errors
    /// A cycle of values without a Phi: folding would not end.
    pub fn fold(&mut self, options: FoldOptions) -> Result<Folded, FirmFinding> {
        if let Some(finding) = ttc::cycle(&self.graph.firm).pop() {
            return Err(self.finding(finding));
        }
        let graph = std::mem::replace(&mut self.graph, firm::Graph::new().into());
        let (folded, counts) = ttc::fold(graph, options);
        (self.graph, self.offsets) = (folded, Vec::new());
        Ok(counts)
    }

    /// Selects the instructions of the case's target; the graph must have been verified.
    ///
    /// # Errors
    /// An operation that no rule covers, or a rule that the method cannot use.
    pub fn select(
        &mut self,
        rules: &RuleSet,
        method: Method,
        threads: usize,
    ) -> Result<SelectCounts, Vec<Diagnostic>> {
        ttc::select_in_place(&mut self.graph, rules, method, threads)
    }

    /// The PBQP of the selection in text form, with the names of nodes and rules in comments; the
    /// graph must have been verified.
    ///
    /// # Errors
    /// The first node that cannot be covered.
    pub fn selection_problem(&self, rules: &RuleSet) -> Result<String, FirmFault> {
        ttc::selection_problem(&self.graph, rules).map_err(|Uncovered { node, diagnostic }| {
            let offset = self.offsets.get(node.index()).copied().unwrap_or_default();
            FirmFault { offset, diagnostic }
        })
    }

    /// The result for these arguments; none, if a cycle of values has no Phi.
    pub fn run(&self, arguments: &[i64]) -> Option<Outcome> {
        self.graph.run(arguments)
    }

    /// Writes the graph as a file of GXL.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        gxl::write(&self.graph, out)
    }
}

fn refuse(ReadError { offset, message, label }: ReadError) -> FirmFault {
    let diagnostic = Diagnostic::new(Code::Graph, Span::default(), message, label);
    FirmFault { offset, diagnostic }
}

/// The Firm graph of a program, in the form of the case; `without` lists peepholes to switch off.
///
/// # Errors
/// Errors in the program. Files have no floating-point numbers, no calls, and no bytes or half
/// words.
pub fn export_firm(
    source: &Source,
    optimize: bool,
    without: &[String],
) -> Result<FirmFile, Vec<Diagnostic>> {
    let engine = || peephole::Engine::new(peepholes(optimize, without), false);
    let show = Box::new(|_: &dyn Fn() -> picture::Picture| ());
    let input =
        parse::Input { text: &source.text, engine: engine(), show, argument: None, int: INT };
    let sea = peephole::optimize(parse::parse(input)?.graph, engine());
    let schedule = schedule::schedule(&sea);
    let firm = lower::lower(&sea, &schedule);
    if let Some((missing, label)) = without_form(&firm) {
        let message = format!("the graph cannot be written to a file: files have no {missing}");
        return Err(vec![Diagnostic::new(Code::Type, Span::default(), message, label)]);
    }
    let graph = gxl::export(firm);
    Ok(FirmFile { graph: graph.into(), offsets: Vec::new() })
}

/// What files cannot express, and its cause in the program.
fn without_form(firm: &firm::Graph) -> Option<(&'static str, &'static str)> {
    firm.ids().find_map(|id| match firm.op(id) {
        firm::Op::Call(_) => Some(("calls", "a check of an array calls a function if it fails")),
        _ if firm.value_mode(id).is_float() => Some(("floats", "the program computes with floats")),
        _ if firm.node(id).mode.in_register() != firm.node(id).mode => {
            Some(("bytes and half words", "a field or an element is narrower than a word"))
        }
        _ => None,
    })
}

//! Regions: programs as nested regions of pure operations, without basic blocks.
//!
//! Source: N. Reissmann, J. C. Meyer, H. Bahmann, M. Själander, "RVSDG: An Intermediate
//! Representation for Optimizing Compilers", ACM TECS 19, 2020. A loop (theta), a switch (gamma)
//! and a function (lambda) are nodes with regions inside. The order of effects is a value, too: a
//! state.
mod build;
mod dot;
mod eval;
mod graph;
mod listing;
mod op;
mod parser;
mod print;
mod read;
mod term;
#[cfg(test)]
mod tests;
mod types;
mod verify;

pub use eval::eval;
pub use graph::{Graph, NodeId, RegionId, Value};
pub use op::{Op, Operator};
#[cfg(feature = "ch28")]
pub use print::{terms_with_passes, word};
#[cfg(feature = "ch27")]
pub use term::{Head, TermId, Terms};
pub use types::{Kind, Types, infer};

use crate::diagnostics::{Code, Diagnostic};
use crate::stage::{Artifact, Outcome, STEP_LIMIT, Violation};
use picture::Picture;
use types::Use;

/// The program in `text`.
pub fn parse(text: &str) -> Result<Graph, Vec<Diagnostic>> {
    let (terms, root) = read::read(text)?;
    graph(&terms, root)
}

/// The program of a term, with types that fit.
pub fn graph(terms: &term::Terms, root: term::TermId) -> Result<Graph, Vec<Diagnostic>> {
    let built = build::build(terms, root)?;
    let (mut graph, places) = (built.graph, built.places);
    let types = types::infer(&graph).map_err(|mismatches| {
        let diagnostic = |it: types::Mismatch| {
            let span = match it.at {
                Use::Operand(node, at) => places.operands[node].get(at),
                Use::Result(region, at) => places.results[region].get(at),
            };
            Diagnostic::new(Code::Type, span.copied().unwrap_or_default(), it.message, it.label)
        };
        mismatches.into_iter().map(diagnostic).collect::<Vec<_>>()
    })?;
    for id in graph.ids() {
        if graph.op(id) == Op::Call {
            graph.set_outputs(id, types.results(graph.operands(id)[0]) as u32);
        }
    }
    Ok(graph)
}

impl Artifact for Graph {
    fn print(&self) -> String {
        print::print(self)
    }

    fn listing(&self) -> String {
        listing::listing(self)
    }

    fn picture(&self) -> Option<Picture> {
        Some(dot::picture(self))
    }

    fn verify(&self) -> Vec<Violation> {
        verify::verify(self)
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        self.eval_all(&[argument])
    }

    fn eval_all(&self, arguments: &[i64]) -> Option<Outcome> {
        Some(eval(self, arguments, STEP_LIMIT))
    }
}

//! Firm: a graph of operations in static single assignment form, each in a basic block.
//!
//! Source: M. Braun, S. Buchwald, A. Zwinkau, "Firm — A Graph-Based Intermediate Representation",
//! KIT 2011. There are no Proj nodes: a node that accesses memory is both its value and the state
//! of memory after it. Each node has a mode, which is given when the node is made.
#[cfg(feature = "ch14")]
mod call_builder;
#[cfg(feature = "ch14")]
mod calls;
#[cfg(feature = "ch05")]
mod control_flow;
#[cfg(feature = "ch03")]
mod dot;
mod eval;
#[cfg(feature = "ch14")]
mod external;
#[cfg(feature = "ch25")]
pub mod fold;
mod graph;
#[cfg(feature = "ch10")]
mod memory;
mod mode;
mod op;
mod print;
#[cfg(feature = "ch14")]
mod renumber;
#[cfg(test)]
#[cfg(feature = "ch05")]
pub mod tests;
#[cfg(feature = "ch14")]
mod topological_order;
mod verify;
#[cfg(feature = "ch14")]
mod verify_calls;
#[cfg(feature = "ch05")]
mod verify_flow;

#[cfg(feature = "ch05")]
pub use control_flow::ControlFlow;
#[cfg(feature = "ch25")]
pub use control_flow::dominators;
#[cfg(feature = "ch15")]
pub use control_flow::is_unreachable;
#[cfg(feature = "ch14")]
pub use control_flow::{blocks, reducible_dominators};
#[cfg(feature = "ch14")]
pub use external::External;
#[cfg(feature = "ch05")]
pub use graph::EdgeKind;
#[cfg(feature = "ch02")]
pub use graph::Node;
#[cfg(feature = "ch14")]
pub use graph::Signature;
#[cfg(feature = "ch18")]
pub use graph::WordSet;
pub use graph::{Graph, NodeId};
pub use mode::Mode;
#[cfg(feature = "ch14")]
pub use mode::Values;
#[cfg(feature = "ch10")]
pub use op::Access;
#[cfg(feature = "ch25")]
pub use op::RowMode;
pub use op::{AllowedBlock, Op};
#[cfg(feature = "ch04")]
pub use print::name;
#[cfg(feature = "ch29")]
pub use renumber::by_blocks;
#[cfg(feature = "ch14")]
pub use {renumber::renumber, topological_order::sort};

/// For graphs from files.
#[cfg(feature = "ch25")]
pub use {
    dot::{picture, picture_of_step},
    eval::eval,
    memory::Memory,
    print::{Label, label, print},
    topological_order::sort_all,
    verify::{mode, operands, place, range, verify},
    verify_flow::{has_targets, is_dominated, outgoing_edges, reached},
};

#[cfg(test)]
#[cfg(feature = "ch25")]
pub use verify_flow::reaches_end;

#[cfg(feature = "ch10")]
use crate::heap::ResultFormat;
#[cfg(feature = "ch14")]
use crate::stage::FirmNode;
use crate::stage::{Artifact, Outcome, Violation};
use eval::Interpreter;
use picture::Picture;

/// The graphs of the functions of a program, which calls the first one.
#[derive(Clone, Debug)]
pub struct Program {
    pub functions: Vec<Graph>,
    /// How the result is printed.
    #[cfg(feature = "ch10")]
    pub result: ResultFormat,
}

impl Artifact for Program {
    fn print(&self) -> String {
        #[cfg(feature = "ch14")]
        if self.functions.len() > 1 {
            return self.print_functions();
        }
        self.functions.iter().map(|graph| print::print(graph, &print::label)).collect()
    }

    #[cfg(feature = "ch18")]
    fn functions(&self) -> Vec<(String, String)> {
        self.functions.iter().map(|it| (it.name.clone(), self.print_function(it))).collect()
    }

    /// One function has lines that begin with the names of nodes in the picture.
    #[cfg(feature = "ch14")]
    fn line_nodes(&self) -> Vec<Option<FirmNode>> {
        if self.functions.len() > 1 { print::line_nodes(&self.print()) } else { Vec::new() }
    }

    #[cfg(feature = "ch03")]
    fn picture(&self) -> Option<Picture> {
        #[cfg(feature = "ch14")]
        if self.functions.len() > 1 {
            return Some(self.draw_functions());
        }
        self.functions.first().map(|graph| dot::picture(graph, &print::label))
    }

    fn verify(&self) -> Vec<Violation> {
        let violations: Vec<_> = self.functions.iter().flat_map(verify::verify).collect();
        #[cfg(feature = "ch14")]
        let violations =
            if violations.is_empty() { verify_calls::verify(self) } else { violations };
        violations
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        #[cfg(feature = "ch14")]
        if self.functions.len() > 1 || self.has_calls() || self.result == ResultFormat::Wide {
            return self.eval_all(&self.functions.first()?.signature.words_of(argument));
        }
        let words = [argument];
        #[cfg(feature = "ch14")]
        let words = self.functions.first()?.signature.words_of(words[0]);
        let mut interpreter = Interpreter::new(self.functions.first()?, &words);
        let outcome = interpreter.run();
        #[cfg(feature = "ch10")]
        let outcome = outcome
            .with_format(&self.result, |address| interpreter.memory.load(Mode::Is, address.into()));
        Some(outcome)
    }

    #[cfg(feature = "ch14")]
    fn eval_all(&self, arguments: &[i64]) -> Option<Outcome> {
        let entry = self.functions.first()?;
        Some(calls::eval(self, &entry.signature.parameters(arguments)))
    }
}

#[cfg(test)]
impl Artifact for Graph {
    fn print(&self) -> String {
        print::print(self, &print::label)
    }

    fn verify(&self) -> Vec<Violation> {
        verify::verify(self)
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        let mut interpreter = Interpreter::new(self, &[argument]);
        #[cfg(feature = "ch25")]
        {
            interpreter.memory = Memory::unknown();
        }
        Some(interpreter.run())
    }
}

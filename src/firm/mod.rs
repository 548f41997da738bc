//! Firm: a graph of operations in static single assignment form, each in a basic block.
//!
//! Source: M. Braun, S. Buchwald, A. Zwinkau, "Firm — A Graph-Based Intermediate Representation",
//! KIT 2011. There are no Proj nodes: a node that accesses memory is both its value and the state
//! of memory after it. Each node has a mode, which is given when the node is made.
#[cfg(feature = "ch05")]
mod control_flow;
mod dot;
mod eval;
#[cfg(feature = "ch25")]
pub mod fold;
mod graph;
mod mode;
mod op;
mod print;
#[cfg(feature = "ch25")]
mod renumber;
#[cfg(test)]
#[cfg(feature = "ch05")]
mod tests;
#[cfg(feature = "ch25")]
mod topological_order;
mod verify;
#[cfg(feature = "ch05")]
mod verify_flow;

#[cfg(feature = "ch05")]
pub use control_flow::ControlFlow;
pub use eval::eval;
#[cfg(feature = "ch05")]
pub use graph::EdgeKind;
pub use graph::{Graph, Node, NodeId};
pub use mode::Mode;
pub use op::{AllowedBlock, Op};
#[cfg(feature = "ch04")]
pub use print::name;

/// For graphs from files.
#[cfg(feature = "ch25")]
pub use {
    control_flow::blocks,
    dot::picture,
    eval::Memory,
    op::Access,
    print::{Label, label, print},
    topological_order::sort,
    verify::{mode, operands, place, range},
    verify_flow::{dominators, has_targets, is_dominated, outgoing_edges, reached},
};

#[cfg(test)]
#[cfg(feature = "ch25")]
pub use verify_flow::reaches_end;

use crate::stage::{Artifact, Outcome, Violation};
use picture::Picture;

impl Artifact for Graph {
    fn print(&self) -> String {
        print::print(self, &print::label)
    }

    fn picture(&self) -> Option<Picture> {
        Some(dot::picture(self, &print::label))
    }

    fn verify(&self) -> Vec<Violation> {
        verify::verify(self)
    }

    fn eval(&self, arg: i64) -> Option<Outcome> {
        Some(eval(self, &[arg]))
    }
}

//! The sea of nodes: a graph that orders nodes only by their dependences.
//!
//! Source: C. Click, M. Paleczny, "A Simple Graph-Based Intermediate Representation", IR 1995.
#[cfg(feature = "ch18")]
mod activations;
mod control;
#[cfg(feature = "ch06")]
mod dominators;
pub mod dot;
mod eval;
#[cfg(feature = "ch14")]
mod extension;
#[cfg(feature = "ch18")]
mod functions;
mod graph;
#[cfg(feature = "ch02")]
mod infer;
#[cfg(feature = "ch09")]
mod gvn_table;
#[cfg(feature = "ch05")]
mod labels;
mod op;
mod print;
mod verify;
pub mod walk;

#[cfg(feature = "ch18")]
pub use activations::Values;
#[cfg(feature = "ch06")]
pub use dominators::dominating_test;
#[cfg(feature = "ch09")]
pub use dominators::test_dependencies;
#[cfg(feature = "ch10")]
pub use dominators::{dominates, dominator_dependencies};
#[cfg(feature = "ch15")]
pub use eval::element_address;
#[cfg(test)]
#[cfg(feature = "ch02")]
pub use eval::eval_at;
#[cfg(feature = "ch18")]
pub use eval::{function_address, function_at};
#[cfg(feature = "ch14")]
pub use extension::extension;
pub use graph::Graph;
#[cfg(feature = "ch02")]
pub use infer::infer;
#[cfg(feature = "ch05")]
pub use op::Label;
pub use op::{NodeId, Op};
#[cfg(feature = "ch02")]
pub use print::excerpt;
#[cfg(feature = "ch05")]
pub use print::{label, names};
pub use print::{line, listing};

use crate::stage::{Artifact, Outcome, Violation};
use picture::Picture;

/// The values of nodes.
#[cfg(not(feature = "ch18"))]
pub type Values<T> = arena::SideTable<NodeId, T>;

impl Artifact for Graph {
    fn print(&self) -> String {
        line(self, self.end)
    }

    fn listing(&self) -> String {
        listing(self)
    }

    fn picture(&self) -> Option<Picture> {
        Some(dot::picture(self))
    }

    fn verify(&self) -> Vec<Violation> {
        verify::verify(self)
    }

    fn eval(&self, arg: i64) -> Option<Outcome> {
        Some(eval::eval(self, arg))
    }
}

//! Firm: a graph of operations in static single assignment form, each in a basic block.
//!
//! Source: M. Braun, S. Buchwald, A. Zwinkau, "Firm — A Graph-Based Intermediate Representation",
//! KIT 2011. As in the compiler-optimization case of TTC 2011 there are no Proj nodes: a node
//! that touches memory is both its value and its new state of memory.
#[cfg(feature = "ch25")]
pub mod case;
mod dot;
mod eval;
#[cfg(feature = "ch05")]
mod flow;
#[cfg(feature = "ch25")]
pub mod fold;
#[cfg(feature = "ch25")]
pub mod generate;
mod graph;
#[cfg(feature = "ch25")]
pub mod gxl;
mod mode;
mod op;
#[cfg(feature = "ch25")]
mod order;
mod print;
#[cfg(feature = "ch25")]
mod renumber;
#[cfg(feature = "ch25")]
mod symbols;
mod verify;
#[cfg(feature = "ch05")]
mod verify_flow;

pub use eval::eval;
#[cfg(feature = "ch25")]
pub use eval::{Memory, address};
#[cfg(feature = "ch05")]
pub use flow::Flow;
#[cfg(feature = "ch25")]
pub use graph::Form;
#[cfg(feature = "ch05")]
pub use graph::Way;
pub use graph::{Graph, NodeId};
pub use mode::Mode;
#[cfg(feature = "ch25")]
pub use op::Access;
pub use op::{Op, Place};
#[cfg(feature = "ch25")]
pub use order::ordered;
#[cfg(feature = "ch25")]
pub use print::label;
#[cfg(feature = "ch04")]
pub use print::name;
#[cfg(feature = "ch25")]
pub use symbols::Symbols;

use crate::stage::{Artifact, Outcome, Violation};
use picture::Picture;

impl Artifact for Graph {
    fn print(&self) -> String {
        print::print(self)
    }

    fn picture(&self) -> Option<Picture> {
        Some(dot::picture(self))
    }

    fn verify(&self) -> Vec<Violation> {
        verify::verify(self)
    }

    fn eval(&self, arg: i64) -> Option<Outcome> {
        Some(eval(self, &[arg]))
    }
}

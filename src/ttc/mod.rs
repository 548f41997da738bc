//! TR, a machine on paper: what the case "Compiler Optimization" of the Transformation Tool
//! Contest 2011 selects instructions for.
//!
//! Instructions read their operands, the right one of which may be a constant, and write to a
//! register of their own. There are registers without end and no flags; nothing is encoded.
mod code;
mod dot;
mod eval;
pub mod inst;
mod print;
#[cfg(test)]
mod read;
mod verify;

pub use code::Code;
pub use inst::TARGET;
#[cfg(feature = "ch25")]
pub use inst::is_version;

use crate::stage::{Artifact, Outcome, Violation};
use picture::Picture;

impl Artifact for Code {
    fn print(&self) -> String {
        print::listing(self)
    }

    fn picture(&self) -> Option<Picture> {
        Some(dot::picture(self))
    }

    fn verify(&self) -> Vec<Violation> {
        verify::verify(self)
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        Some(eval::eval(self, argument))
    }
}

//! TR, an abstract machine: the target of the case.
//!
//! An instruction reads its operands, of which the right one may be a constant, and writes a
//! register of its own. There are infinitely many registers and no flags, and nothing is encoded.
mod code;
mod dot;
mod eval;
pub mod instruction_table;
mod print;
#[cfg(test)]
mod parse_assembly;
#[cfg(test)]
mod tests;
mod verify;

pub use code::Code;
pub use instruction_table::TARGET;
#[cfg(feature = "ch25")]
pub use instruction_table::implements;

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

//! GXL: Firm graphs as XML, the way the case "Compiler Optimization" (TTC 2011) exchanges them.
//!
//! Source: A. Winter, B. Kullbach, V. Riediger, "An Overview of the GXL Graph Exchange Language",
//! LNCS 2269, 2002. A file holds nodes and edges in any order, each with an id, a type and
//! attributes. Edges lead from what needs to what is needed; their attribute `position` says as
//! which operand, and -1 that the node stands in that block. The names Shr and Shrs mean each
//! other's operation there: the case's Shr fills with the sign.
mod build;
mod element;
mod events;
mod export;
mod ids;
mod place;
mod read;
mod types;
mod usual;
mod write;
#[cfg(test)]
mod tests;

pub use export::export;
pub use place::{Place, places};
pub use read::{Imported, read};
pub use write::{counts, write};

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// How many bytes stand before the place.
    pub at: u64,
    pub message: String,
    /// The same in terms of what stands there.
    pub label: String,
}

impl Fault {
    fn new(at: u64, message: impl Into<String>, label: impl Into<String>) -> Fault {
        Fault { at, message: message.into(), label: label.into() }
    }
}

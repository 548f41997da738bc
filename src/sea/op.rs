//! What a node of the sea can be, and everything about a kind of node that is data.
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch02")]
use crate::arith::{Binary, Unary};
use crate::base::picture::Kind;
use crate::types::Type;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Where the program begins.
    Start,
    /// Ends the program: control, value.
    Return,
    /// A value known while compiling; its type says which.
    Constant(Type),
    #[cfg(feature = "ch02")]
    Binary(Binary),
    #[cfg(feature = "ch02")]
    Unary(Unary),
    /// The names of the program: one input for each visible variable.
    #[cfg(feature = "ch03")]
    Scope,
    /// The element with this number of a node that yields several values.
    #[cfg(feature = "ch04")]
    Projection(u32),
    /// 1 where the relation holds between left and right, 0 elsewhere.
    #[cfg(feature = "ch04")]
    Compare(Relation),
}

/// Everything about a kind of node that is data.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    pub kind: Kind,
    /// How many inputs it has; `None` where any number will do.
    pub inputs: Option<usize>,
}

impl Op {
    pub fn row(self) -> Row {
        let row = |name, kind, inputs| Row { name, kind, inputs: Some(inputs) };
        match self {
            Op::Start => row("Start", Kind::Control, 0),
            Op::Return => row("Return", Kind::Control, 2),
            Op::Constant(_) => row("Constant", Kind::Data, 0),
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => row(binary.row().name, Kind::Data, 2),
            #[cfg(feature = "ch02")]
            Op::Unary(unary) => row(unary.row().name, Kind::Data, 1),
            #[cfg(feature = "ch03")]
            Op::Scope => Row { name: "Scope", kind: Kind::Scope, inputs: None },
            #[cfg(feature = "ch04")]
            Op::Projection(index) => {
                row("Proj", if index == 0 { Kind::Control } else { Kind::Data }, 1)
            }
            #[cfg(feature = "ch04")]
            Op::Compare(relation) => row(relation.row().name, Kind::Data, 2),
        }
    }
}

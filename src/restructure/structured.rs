//! Structured programs: sequences of items that contain sequences.
use crate::flow_graph::{BlockId, Operand};
use arena::{Arena, id};

id! {
    /// A sequence of items.
    SequenceId
}
id! {
    /// A variable of the control-flow graph, one of its results, its state, or one that the
    /// restructuring adds.
    Variable
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// The instructions of a block; a Return assigns the results.
    Block(BlockId),
    Assign(Variable, i64),
    Switch(Predicate, Vec<SequenceId>),
    /// Executes its body while the variable is not 0 after it.
    Loop(SequenceId, Variable),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predicate {
    Operand(Operand),
    Variable(Variable),
    /// 1 if the variable has this value, else 0.
    Equals(Variable, i64),
}

pub type Sequences = Arena<SequenceId, Vec<Item>>;

impl Item {
    pub fn inner(&self) -> &[SequenceId] {
        match self {
            Item::Block(_) | Item::Assign(..) => &[],
            Item::Switch(_, cases) => cases,
            Item::Loop(body, _) => std::slice::from_ref(body),
        }
    }
}

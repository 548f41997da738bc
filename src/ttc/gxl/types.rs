//! The types of nodes, edges and attributes in files of the case, and their meaning in Firm.
use crate::arith::{Binary, Relation};
use crate::firm::{AllowedBlock, EdgeKind, Op};
use crate::ttc::SelectedForm;

/// The type of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeType {
    /// To an operand that is a value, or to the block of the node.
    Data,
    /// To an operand that is a state of memory.
    Memory,
    /// From a block to a jump to it.
    Control(EdgeKind),
    /// From End to a node that it keeps.
    Keep,
}

impl EdgeType {
    const ROWS: &[(EdgeType, &str)] = &[
        (EdgeType::Data, "Dataflow"),
        (EdgeType::Memory, "Memory"),
        (EdgeType::Control(EdgeKind::Always), "Controlflow"),
        (EdgeType::Control(EdgeKind::True), "True"),
        (EdgeType::Control(EdgeKind::False), "False"),
        (EdgeType::Keep, "Keep"),
    ];

    pub fn named(name: &[u8]) -> Option<EdgeType> {
        Self::ROWS.iter().find(|row| row.1.as_bytes() == name).map(|row| row.0)
    }

    pub fn name(self) -> &'static str {
        let row = Self::ROWS.iter().find(|row| row.0 == self);
        row.expect("a row for each kind of edge").1
    }
}

/// An attribute of a node or an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    Associative,
    Commutative,
    Relation,
    Value,
    Symbol,
    Volatile,
    Position,
}

impl Property {
    pub const ROWS: &[(Property, &str, &str)] = &[
        (Property::Associative, "associative", "bool"),
        (Property::Commutative, "commutative", "bool"),
        (Property::Relation, "relation", "enum"),
        (Property::Value, "value", "int"),
        (Property::Symbol, "symbol", "string"),
        (Property::Volatile, "volatile", "bool"),
        (Property::Position, "position", "int"),
    ];

    pub fn named(name: &[u8]) -> Option<Property> {
        Self::ROWS.iter().find(|row| row.1.as_bytes() == name).map(|row| row.0)
    }

    pub fn name(self) -> &'static str {
        Self::ROWS[self as usize].1
    }

    /// The element with its value.
    pub fn element(self) -> &'static str {
        Self::ROWS[self as usize].2
    }
}

/// The properties of a kind of node, in the order in which they are written.
pub fn properties(op: Op, form: SelectedForm) -> &'static [Property] {
    use Property::*;
    match (op, form) {
        (Op::Binary(_), SelectedForm::Number(_)) => &[Associative, Commutative, Value],
        (Op::Binary(_), _) => &[Associative, Commutative],
        (Op::Cmp(_), SelectedForm::Number(_)) => &[Associative, Commutative, Relation, Value],
        (Op::Cmp(_), _) => &[Associative, Commutative, Relation],
        (Op::Const(_), _) => &[Value],
        (Op::SymConst(_), _) => &[Symbol],
        (Op::Argument(_), _) => &[Position],
        (Op::Load(_) | Op::Store(_), SelectedForm::Symbol(_)) => &[Volatile, Symbol],
        (Op::Load(_) | Op::Store(_), _) => &[Volatile],
        (_, _) => &[],
    }
}

/// A type of nodes, with any attribute.
#[derive(Clone, Debug)]
pub struct Type {
    pub name: String,
    pub op: Op,
    pub form: SelectedForm,
}

/// All types of nodes; names of instructions are made of those of the operations.
pub fn types() -> Vec<Type> {
    let ops = Op::kinds().filter(|op| op.row().block != AllowedBlock::None);
    let all = ops.flat_map(|op| forms(op).iter().map(move |&form| (op, form)));
    all.map(|(op, form)| Type { name: type_name(op, form), op, form }).collect()
}

/// The name of a node's type in a file.
pub fn type_name(op: Op, form: SelectedForm) -> String {
    type_words(op, form).concat()
}

/// The parts of the name of a node's type.
pub fn type_words(op: Op, form: SelectedForm) -> [&'static str; 3] {
    let name = match op {
        Op::Binary(Binary::Shr) => "Shrs",
        Op::Binary(Binary::Shrs) => "Shr",
        _ => op.row().name,
    };
    match form {
        SelectedForm::Source => [name, "", ""],
        SelectedForm::Plain => ["Target", name, ""],
        SelectedForm::Number(_) | SelectedForm::Symbol(_) => ["Target", name, "I"],
    }
}

/// The instructions for an operation, with any attribute.
fn forms(op: Op) -> &'static [SelectedForm] {
    match op {
        Op::Binary(_) | Op::Cmp(_) => {
            &[SelectedForm::Source, SelectedForm::Plain, SelectedForm::Number(0)]
        }
        Op::Load(_) | Op::Store(_) => {
            &[SelectedForm::Source, SelectedForm::Plain, SelectedForm::Symbol(0)]
        }
        Op::Jmp | Op::Cond | Op::Const(_) | Op::SymConst(_) | Op::Not => {
            &[SelectedForm::Source, SelectedForm::Plain]
        }
        Op::StartBlock | Op::EndBlock | Op::Block | Op::Start | Op::End => &[SelectedForm::Source],
        Op::Argument(_) | Op::Phi | Op::Return | Op::Sync | Op::Bad => &[SelectedForm::Source],
        // A file has integers only.
        Op::Conv(_) => &[],
        // The case has no choices.
        #[cfg(feature = "ch29")]
        Op::Mux => &[],
        // A file has one function.
        Op::Call(_) | Op::Result(_) => &[],
    }
}

/// The relations of a Cmp; their numbers are ours.
pub const RELATIONS: [(&str, Relation); 8] = [
    ("FALSE", Relation::Never),
    ("GREATER", Relation::Greater),
    ("EQUAL", Relation::Equal),
    ("GREATER_EQUAL", Relation::GreaterEqual),
    ("LESS", Relation::Less),
    ("NOT_EQUAL", Relation::NotEqual),
    ("LESS_EQUAL", Relation::LessEqual),
    ("TRUE", Relation::Always),
];

/// The type of the edge from a node to its operand at `at`.
pub fn edge_type(op: Op, at: usize, is_memory: bool) -> EdgeType {
    let memory = match op {
        Op::Load(_) | Op::Store(_) | Op::Return => at == 0,
        Op::Sync => true,
        Op::Phi => is_memory,
        Op::End => return EdgeType::Keep,
        _ => false,
    };
    if memory { EdgeType::Memory } else { EdgeType::Data }
}

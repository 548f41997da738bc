//! The types of nodes, edges and attributes in files of the case, and what they are in Firm.
use crate::arith::{Binary, Relation};
use crate::firm::{Form, Op, Place, Way};

/// What an edge is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// To an operand that is a value, or to the block of the node.
    Data,
    /// To an operand that is a state of memory.
    Memory,
    /// From a block to a jump that leads to it.
    Control(Way),
    /// From End to what it keeps.
    Keep,
}

impl Link {
    const ROWS: &[(Link, &str)] = &[
        (Link::Data, "Dataflow"),
        (Link::Memory, "Memory"),
        (Link::Control(Way::Always), "Controlflow"),
        (Link::Control(Way::True), "True"),
        (Link::Control(Way::False), "False"),
        (Link::Keep, "Keep"),
    ];

    pub fn named(name: &[u8]) -> Option<Link> {
        Self::ROWS.iter().find(|row| row.1.as_bytes() == name).map(|row| row.0)
    }

    pub fn name(self) -> &'static str {
        let row = Self::ROWS.iter().find(|row| row.0 == self);
        row.expect("a row for each kind of edge").1
    }
}

/// What a file says of a node or an edge besides its type.
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
    const ROWS: &[(Property, &str, &str)] = &[
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

    /// The element that its value stands in.
    pub fn element(self) -> &'static str {
        Self::ROWS[self as usize].2
    }
}

/// The properties of a kind of node, in the order in which they are written.
pub fn properties(op: Op, form: Form) -> &'static [Property] {
    use Property::*;
    match (op, form) {
        (Op::Binary(_), Form::Number(_)) => &[Associative, Commutative, Value],
        (Op::Binary(_), _) => &[Associative, Commutative],
        (Op::Cmp(_), Form::Number(_)) => &[Associative, Commutative, Relation, Value],
        (Op::Cmp(_), _) => &[Associative, Commutative, Relation],
        (Op::Const(_), _) => &[Value],
        (Op::SymConst(_), _) => &[Symbol],
        (Op::Argument(_), _) => &[Position],
        (Op::Load(_) | Op::Store(_), Form::Symbol(_)) => &[Volatile, Symbol],
        (Op::Load(_) | Op::Store(_), _) => &[Volatile],
        (_, _) => &[],
    }
}

/// A type of node: what it is, with any attribute, and how it is called.
#[derive(Clone, Debug)]
pub struct Type {
    pub name: String,
    pub op: Op,
    pub form: Form,
}

/// All types of nodes; names of instructions are made of those of the operations.
pub fn types() -> Vec<Type> {
    let ops = Op::KINDS.iter().copied().filter(|op| op.row().place != Place::Nowhere);
    let all = ops.flat_map(|op| forms(op).iter().map(move |&form| (op, form)));
    all.map(|(op, form)| Type { name: type_name(op, form), op, form }).collect()
}

/// How a node's type is called in a file.
pub fn type_name(op: Op, form: Form) -> String {
    type_words(op, form).concat()
}

/// The words that the name of a node's type is made of.
pub fn type_words(op: Op, form: Form) -> [&'static str; 3] {
    let name = match op {
        Op::Binary(Binary::Shr) => "Shrs",
        Op::Binary(Binary::Shrs) => "Shr",
        _ => op.row().name,
    };
    match form {
        Form::Source => [name, "", ""],
        Form::Plain => ["Target", name, ""],
        Form::Number(_) | Form::Symbol(_) => ["Target", name, "I"],
    }
}

/// The instructions there are for an operation, with any attribute.
fn forms(op: Op) -> &'static [Form] {
    match op {
        Op::Binary(_) | Op::Cmp(_) => &[Form::Source, Form::Plain, Form::Number(0)],
        Op::Load(_) | Op::Store(_) => &[Form::Source, Form::Plain, Form::Symbol(0)],
        Op::Jmp | Op::Cond | Op::Const(_) | Op::SymConst(_) | Op::Not => {
            &[Form::Source, Form::Plain]
        }
        Op::StartBlock | Op::EndBlock | Op::Block | Op::Start | Op::End => &[Form::Source],
        Op::Argument(_) | Op::Phi | Op::Return | Op::Sync | Op::Bad => &[Form::Source],
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

/// Which edge leads from a node to its operand at `at`; for a Phi, either of two will do.
pub fn wanted(op: Op, at: usize, is_memory: bool) -> Link {
    let memory = match op {
        Op::Load(_) | Op::Store(_) | Op::Return => at == 0,
        Op::Sync => true,
        Op::Phi => is_memory,
        Op::End => return Link::Keep,
        _ => false,
    };
    if memory { Link::Memory } else { Link::Data }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn types_are_those_of_the_case() {
        let types = types();
        let names: BTreeSet<&str> = types.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names.len(), types.len());
        // 17 operations besides arithmetic; 8 of them are instructions, too, and 3 of these hold
        // something.
        assert_eq!(types.len(), 17 + 8 + 3 + 3 * Binary::COUNT);
        for name in ["Shr", "Eor", "Sync", "TargetCmpI", "TargetLoadI", "TargetSymConst"] {
            assert!(names.contains(name), "{name}");
        }
        assert!(!names.contains("Bad") && !names.contains("TargetPhi"));
    }

    #[test]
    fn rows_stand_in_the_order_of_what_they_describe() {
        for (at, (name, relation)) in RELATIONS.into_iter().enumerate() {
            assert_eq!(relation as usize, at, "{name}");
        }
        for (at, row) in Property::ROWS.iter().enumerate() {
            assert_eq!(row.0 as usize, at, "{}", row.1);
        }
    }
}

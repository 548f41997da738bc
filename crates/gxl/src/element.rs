//! Nodes, edges and their attributes, as a file holds them; and what can be wrong.

/// Whether an element is a node or an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A node.
    Node,
    /// An edge.
    Edge,
}

impl Kind {
    /// The name of such elements: `node`, `edge`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Node => "node",
            Kind::Edge => "edge",
        }
    }
}

/// A node or an edge; all entities in its texts are replaced.
#[derive(Clone, Copy, Debug)]
pub struct Element<'e> {
    /// Node or edge.
    pub kind: Kind,
    /// Its id; edges need none.
    pub id: Option<&'e [u8]>,
    /// The id of the node where an edge begins.
    pub from: Option<&'e [u8]>,
    /// The id of the node where an edge ends.
    pub to: Option<&'e [u8]>,
    /// The reference to its type: `#Add`.
    pub type_: &'e [u8],
    /// All attributes, in the order of the file.
    pub attributes: &'e [Attribute<'e>],
    /// The number of bytes before it in the file.
    pub offset: u64,
}

/// One attribute: `<attr name="NAME"><ELEMENT>TEXT</ELEMENT></attr>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Attribute<'e> {
    /// The name of the attribute.
    pub name: &'e [u8],
    /// The name of the element with the value, which is the type of the value: `int`.
    pub element: &'e [u8],
    /// The value.
    pub text: &'e [u8],
}

/// Whether a text of XML 1.0 may contain a character.
pub fn is_xml(letter: char) -> bool {
    match letter {
        '\t' | '\n' | '\r' => true,
        _ => letter >= ' ' && !matches!(letter, '\u{fffe}' | '\u{ffff}'),
    }
}

/// The name after the last `#` of a reference.
pub fn referred(reference: &[u8]) -> Option<&[u8]> {
    let mark = reference.iter().rposition(|&letter| letter == b'#')?;
    Some(&reference[mark + 1..])
}

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The number of bytes before the place.
    pub offset: u64,
    /// What is wrong, in one line.
    pub message: String,
    /// The same, in terms of the text at that place.
    pub label: String,
}

impl ReadError {
    /// An error after `offset` bytes.
    pub fn new(offset: u64, message: impl Into<String>, label: impl Into<String>) -> ReadError {
        ReadError { offset, message: message.into(), label: label.into() }
    }
}

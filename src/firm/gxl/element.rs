//! What a file says of one node or edge.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Node,
    Edge,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Node => "node",
            Kind::Edge => "edge",
        }
    }
}

/// A node or an edge; the words are those of the file, with nothing to be replaced in them.
#[derive(Clone, Copy, Debug)]
pub struct Element<'e> {
    pub kind: Kind,
    /// An edge need not have one.
    pub id: Option<&'e [u8]>,
    pub from: Option<&'e [u8]>,
    pub to: Option<&'e [u8]>,
    /// What it refers to as its type: `#Add`.
    pub type_: &'e [u8],
    pub attributes: &'e [Attribute<'e>],
}

/// One attribute: `<attr name="NAME"><ELEMENT>TEXT</ELEMENT></attr>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Attribute<'e> {
    pub name: &'e [u8],
    pub element: &'e [u8],
    pub text: &'e [u8],
}

/// The name behind the last `#` of a reference.
pub fn referred(reference: &[u8]) -> Option<&[u8]> {
    let mark = reference.iter().rposition(|&letter| letter == b'#')?;
    Some(&reference[mark + 1..])
}

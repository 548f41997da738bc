//! Patterns as a picture: each in a box of its own, its root at the bottom.
use super::pattern::{NameId, Operand, Pattern};
use super::print::{head, names};
use super::required_patterns::GuardedPattern;
use crate::firm::Mode;
use picture::{Cell, Endpoint, Kind, Label, Node, Picture};

/// Draws patterns, each with its guards and a caption.
pub fn picture<'g>(
    title: &str,
    all: impl Iterator<Item = (&'g GuardedPattern, String)>,
) -> Picture {
    let mut picture = Picture::new(title).with_highlight("computed");
    for (number, (guarded, words)) in all.enumerate() {
        picture.cluster(format!("{words}\n{}", guarded.guards_text().trim()), None);
        let names = names(&guarded.pattern);
        let (count, drawn) = (0, Vec::new());
        let mut drawing = Drawing { picture: &mut picture, cluster: number, names, count, drawn };
        drawing.pattern(&guarded.pattern);
    }
    picture
}

struct Drawing<'p> {
    picture: &'p mut Picture,
    cluster: usize,
    names: Vec<String>,
    count: usize,
    /// The nodes of the operations that have names.
    drawn: Vec<(NameId, String)>,
}

impl Drawing<'_> {
    /// Draws an operation and its operands; returns the name of its node.
    fn pattern(&mut self, pattern: &Pattern) -> String {
        let kind = match pattern.op.value_mode(pattern.mode) {
            Mode::X => Kind::Control,
            Mode::M => Kind::Memory,
            _ => Kind::Data,
        };
        let name = self.node(head(pattern, &self.names), kind, true);
        self.drawn.extend(pattern.name.map(|name_id| (name_id, name.clone())));
        for (at, operand) in pattern.operands.iter().enumerate() {
            let (operand_node, kind) = match operand {
                Operand::Memory => (self.node("m".into(), Kind::Memory, false), Kind::Memory),
                Operand::Value(name_id) | Operand::Repeated(name_id) => {
                    let known = self.drawn.iter().find(|(known, _)| known == name_id);
                    let known = known.map(|(_, name)| name.clone());
                    let value = self.names[usize::from(*name_id)].clone();
                    (known.unwrap_or_else(|| self.node(value, Kind::Data, false)), Kind::Data)
                }
                Operand::Node(inner) => (self.pattern(inner), Kind::Data),
            };
            let label = Label::Tail(at.to_string());
            self.picture.edge(Endpoint::node(&name), Endpoint::node(operand_node), kind, label);
        }
        name
    }

    /// Adds a node. Computed operations are highlighted, values that are only read are not.
    fn node(&mut self, text: String, kind: Kind, highlighted: bool) -> String {
        let name = format!("p{}_{}", self.cluster, self.count);
        self.count += 1;
        let rows = vec![vec![Cell { highlighted, ..Cell::new(text, kind) }]];
        self.picture.nodes.push(Node {
            name: name.clone(),
            kind,
            rows,
            cluster: Some(self.cluster),
        });
        name
    }
}

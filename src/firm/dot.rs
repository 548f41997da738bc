//! A Firm graph as a picture: blocks are boxes with their nodes inside.
use super::Program;
use super::graph::{Graph, NodeId};
use super::mode::Mode;
use super::op::Op;
use super::op::RowMode;
#[cfg(feature = "ch05")]
use super::print::edge;
#[cfg(feature = "ch25")]
use super::print::label;
use super::print::{Label, name, title};
use arena::SideTable;
use picture::{Cell, Endpoint, Kind, Node, Picture};
use std::collections::HashSet;

pub fn picture(graph: &Graph, label: &Label) -> Picture {
    let mut picture = Picture::new("firm");
    let mut clusters: SideTable<NodeId, usize> = SideTable::new(graph.len());
    for block in graph.ids().filter(|&id| graph.op(id).is_block()) {
        clusters[block] = picture.cluster(title(graph, block, label), None);
    }
    for id in graph.ids() {
        let node = graph.node(id);
        let mode = graph.value_mode(id);
        let text = format!("{} {}\n{}", name(id), label(graph, id), mode.name());
        let rows = vec![vec![Cell::new(text, kind(mode))]];
        let cluster = Some(clusters[node.block]);
        #[cfg(feature = "ch09")]
        picture.origins.extend(graph.origin(id).map(|it| (name(id), it.range())));
        picture.nodes.push(Node { name: name(id), kind: kind(mode), rows, cluster });
        edges(graph, id, &mut picture);
    }
    picture
}

/// A picture of a graph that is being rewritten: without the removed nodes. Its title is the name
/// of the function.
#[cfg(feature = "ch25")]
pub fn picture_of_step(graph: &Graph) -> Picture {
    let mut picture = picture(graph, &label);
    picture.title = graph.name.clone();
    let is_removed = |id: &NodeId| graph.op(*id) == Op::Bad;
    let removed: HashSet<String> = graph.ids().filter(is_removed).map(name).collect();
    let is_drawn = |name: &String| !removed.contains(name);
    picture.nodes.retain(|node| is_drawn(&node.name));
    picture.edges.retain(|edge| is_drawn(&edge.from.node) && is_drawn(&edge.to.node));
    picture
}

/// The edges to the operands of a node.
fn edges(graph: &Graph, id: NodeId, picture: &mut Picture) {
    for (at, &operand) in graph.operands(id).iter().enumerate() {
        let (from, to) = (Endpoint::node(name(id)), Endpoint::node(name(operand)));
        let text = at.to_string();
        #[cfg(feature = "ch05")]
        let text = text + edge(graph, id, at);
        picture.edge(from, to, edge_kind(graph, id, at), picture::Label::Tail(text));
    }
}

/// The kind of the value that an operand is used as: the predecessor of a block is a jump, also if
/// it is Start, and a Load is a state of memory, too.
fn edge_kind(graph: &Graph, id: NodeId, at: usize) -> Kind {
    let row = graph.op(id).row();
    match row.operands.get(at).copied().or(row.more) {
        Some(RowMode::Fixed(mode @ (Mode::M | Mode::X | Mode::BB))) => kind(mode),
        _ => kind(graph.value_mode(graph.operands(id)[at])),
    }
}

fn kind(mode: Mode) -> Kind {
    match mode {
        Mode::M => Kind::Memory,
        Mode::X | Mode::BB => Kind::Control,
        _ => Kind::Data,
    }
}

/// Several functions.
#[cfg(feature = "ch14")]
impl Program {
    pub fn draw_functions(&self) -> Picture {
        let parts = self
            .functions
            .iter()
            .map(|graph| (graph.name.clone(), picture(graph, &|graph, id| self.label(graph, id))));
        Picture::of_parts("firm", parts)
    }
}

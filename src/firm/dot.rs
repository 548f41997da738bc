//! A Firm graph as a picture: blocks are boxes, and their nodes stand in them.
use super::graph::{Graph, NodeId};
use super::mode::Mode;
use super::op::Place;
use super::print::{SIDES, label, name, title};
use arena::SideTable;
use picture::{Cell, Endpoint, Kind, Label, Node, Picture};

pub fn picture(graph: &Graph) -> Picture {
    let mut picture = Picture::new("firm");
    let mut clusters: SideTable<NodeId, usize> = SideTable::new(graph.len());
    for block in graph.ids().filter(|&id| graph.op(id).row().place == Place::Block) {
        clusters[block] = picture.clusters.len();
        picture.clusters.push(title(graph, block));
    }
    for id in graph.ids() {
        draw(graph, id, clusters[graph.node(id).block], &mut picture);
    }
    picture
}

fn draw(graph: &Graph, id: NodeId, cluster: usize, picture: &mut Picture) {
    let node = graph.node(id);
    let (name_of, kind) = (name(id), kind(node.mode));
    let text = format!("{}\n{}", label(graph, id), node.mode.name());
    let rows = vec![vec![Cell::new(text, kind)]];
    picture.nodes.push(Node { name: name_of.clone(), kind, rows, cluster: Some(cluster) });
    for (at, &operand) in graph.operands(id).iter().enumerate() {
        let (from, to) = (Endpoint::node(name_of.clone()), Endpoint::node(name(operand)));
        let label = Label::Tail(format!("{at}{}", SIDES[SIDES.len() - 1](graph, id, at)));
        picture.edge(from, to, self::kind(graph.node(operand).mode), label);
    }
}

fn kind(mode: Mode) -> Kind {
    match mode {
        Mode::Is => Kind::Data,
        Mode::M => Kind::Memory,
        Mode::X | Mode::BB => Kind::Control,
    }
}

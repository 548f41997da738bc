//! A Firm graph as a picture: blocks are boxes, and their nodes stand in them.
use super::graph::{Graph, NodeId};
use super::mode::Mode;
use super::op::Place;
use super::print::{label, name};
use crate::base::picture::{Cell, End, Kind, Label, Node, Picture};

pub fn picture(graph: &Graph) -> Picture {
    let mut picture = Picture::new("firm");
    let blocks: Vec<_> =
        graph.ids().filter(|&id| graph.op(id).row().place == Place::Block).collect();
    picture.groups = blocks.iter().map(|&block| label(graph, block)).collect();
    for id in graph.ids() {
        draw(graph, id, &blocks, &mut picture);
    }
    picture
}

fn draw(graph: &Graph, id: NodeId, blocks: &[NodeId], picture: &mut Picture) {
    let node = graph.node(id);
    let (name_of, kind) = (name(id), kind(node.mode));
    let text = format!("{}\n{}", label(graph, id), node.mode.name());
    let rows = vec![vec![Cell::new(text, kind)]];
    let group = blocks.iter().position(|&block| block == node.block);
    picture.nodes.push(Node { name: name_of.clone(), kind, rows, group });
    for (at, &operand) in graph.operands(id).iter().enumerate() {
        let (from, to) = (End::node(name_of.clone()), End::node(name(operand)));
        picture.edge(from, to, self::kind(graph.node(operand).mode), Label::Tail(at.to_string()));
    }
}

fn kind(mode: Mode) -> Kind {
    match mode {
        Mode::Is => Kind::Data,
        Mode::M => Kind::Memory,
        Mode::X | Mode::BB => Kind::Control,
    }
}

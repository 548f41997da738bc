//! Code as a picture: a table for each block, and an edge for each jump.
use crate::target::blocks::BlockId;
use crate::ttc::tr::code::Code;
use crate::ttc::tr::print::instruction;
use arena::Id;
use picture::{Cell, Endpoint, Kind, Node, Picture};

/// The number of instructions that fit on a page.
const ROWS: usize = 200;

/// The blocks whose first instructions fit on a page.
pub fn picture(code: &Code) -> Picture {
    let mut picture = Picture::new("selected");
    let fits = |id: &BlockId| code.range(*id).start < ROWS;
    for id in code.blocks.ids().filter(fits) {
        let rows = rows(code, id);
        picture.nodes.push(Node { name: id.to_string(), kind: Kind::Control, rows, cluster: None });
    }
    let drawn = picture.nodes.len();
    if drawn < code.blocks.len() {
        let more = format!("… {} more blocks", code.blocks.len() - drawn);
        picture.node("more", more, Kind::Control);
    }
    for id in code.blocks.ids().take(drawn) {
        for next in code.successors(id).filter(|next| next.index() < drawn) {
            let port = shown(code, id) == code.range(id).len();
            let port = port.then(|| port_of(code.range(id).end - 1));
            let from = Endpoint { node: id.to_string(), port };
            picture.control_edge(from, Endpoint::node(next.to_string()), next <= id);
        }
    }
    picture
}

/// The number of instructions of a block that are drawn.
fn shown(code: &Code, id: BlockId) -> usize {
    code.range(id).len().min(ROWS)
}

/// The name of the block, and its instructions one below the other.
fn rows(code: &Code, id: BlockId) -> Vec<Vec<Cell>> {
    let head = Cell::new(code.blocks[id].head(id), Kind::Control);
    let mut rows = vec![vec![Cell { highlighted: true, ..head }]];
    let range = code.range(id);
    for at in range.clone().take(ROWS) {
        let port = Some(port_of(at));
        rows.push(vec![Cell { port, ..Cell::new(instruction(code, id, at), Kind::Data) }]);
    }
    if shown(code, id) < range.len() {
        let more = format!("… {} more instructions", range.len() - ROWS);
        rows.push(vec![Cell::new(more, Kind::Control)]);
    }
    rows
}

fn port_of(at: usize) -> String {
    format!("i{at}")
}

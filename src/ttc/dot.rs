//! Code as a picture: a table for each block, and an edge for each jump.
use crate::rules::code_builder::BlockId;
use crate::ttc::code::Code;
use crate::ttc::print::{head, instruction};
use arena::Id;
use picture::{Cell, Endpoint, Kind, Node, Picture};

/// How many instructions still fit on a page.
const ROWS: usize = 200;

/// So many blocks are drawn that their instructions fit on a page.
pub fn picture(code: &Code) -> Picture {
    let mut picture = Picture::new("selected");
    let fits = |id: &BlockId| code.range(*id).start < ROWS;
    for id in code.blocks.ids().filter(fits) {
        let rows = rows(code, id);
        picture.nodes.push(Node { name: name(id), kind: Kind::Control, rows, cluster: None });
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
            let from = Endpoint { node: name(id), port };
            picture.control_edge(from, Endpoint::node(name(next)), next <= id);
        }
    }
    picture
}

/// How many instructions of a block are drawn.
fn shown(code: &Code, id: BlockId) -> usize {
    code.range(id).len().min(ROWS)
}

/// The name of the block, and its instructions one below the other.
fn rows(code: &Code, id: BlockId) -> Vec<Vec<Cell>> {
    let mut rows =
        vec![vec![Cell { highlighted: true, ..Cell::new(head(code, id), Kind::Control) }]];
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

fn name(block: BlockId) -> String {
    format!("b{}", block.index())
}

fn port_of(at: usize) -> String {
    format!("i{at}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ttc::read::code;

    fn end(end: &Endpoint) -> String {
        let port = end.port.iter().map(|port| format!(":{port}"));
        end.node.clone() + &port.collect::<String>()
    }

    #[test]
    fn each_block_is_a_table_with_edges_from_the_jumps_that_lead_to_it() {
        let picture = picture(&code(
            "b0: const v0,1; jmp b1(v0); b1(v1): cmpi.lt v2,v1,9; cond v2,b2,b3; \
             b2: addi v3,v1,1; jmp b1(v3); b3: return v1",
        ));
        let table = |at: usize| picture.nodes[at].rows.iter().map(|row| row[0].text.as_str());
        assert!(table(0).eq(["b0", "const v0,1", "jmp b1(v0)"]));
        assert!(table(1).eq(["b1(v1)", "cmpi.lt v2,v1,9", "cond v2,b2,b3"]));
        let edges = picture.edges.iter().map(|edge| (end(&edge.from), end(&edge.to)));
        let expected = [("b1", "b0:i1"), ("b2", "b1:i3"), ("b3", "b1:i3"), ("b2:i5", "b1")];
        assert!(edges.eq(expected.map(|(from, to)| (from.to_string(), to.to_string()))));
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let sums = (0..1000).map(|at| format!("const v{at},1; ")).collect::<String>();
        let blocks = "jmp b1; b1: jmp b2; b2: return v0";
        let picture = picture(&code(&format!("b0: {sums}{blocks}")));
        assert_eq!(picture.nodes[0].rows.len(), 202);
        assert_eq!(picture.nodes[0].rows[201][0].text, "… 801 more instructions");
        assert_eq!(picture.nodes[1].rows[0][0].text, "… 2 more blocks");
    }
}

//! The graph as a picture: a table for each block that control can reach, with a row for each
//! instruction.
use super::graph::{BlockId, End, Graph};
use super::print::{self, block_name};
use arena::SideTable;
use picture::{Cell, Endpoint, Kind, Node, Picture};
use source::Span;

pub fn picture(graph: &Graph) -> Picture {
    let mut picture = Picture::new("flow");
    let order = graph.reachable();
    let mut position: SideTable<BlockId, usize> = SideTable::new(graph.blocks.len());
    for (at, &block) in order.iter().enumerate() {
        position[block] = at;
    }
    for &id in &order {
        let block = &graph.blocks[id];
        let mut rows = vec![vec![Cell::new(&block.label, Kind::Control)]];
        for (at, it) in block.instructions.iter().enumerate() {
            let text = print::instruction(graph, it);
            rows.push(vec![linked(&mut picture, id, print::instruction_port(at), text, it.origin)]);
        }
        rows.extend(end(graph, id, &mut picture));
        picture.nodes.push(Node { name: block_name(id), kind: Kind::Control, rows, cluster: None });
        for (at, &target) in block.end.targets().iter().enumerate() {
            let port = matches!(block.end, End::Switch(..)).then(|| format!("p{at}"));
            let from = Endpoint { node: block_name(id), port };
            let is_back = position[target] <= position[id];
            picture.control_edge(from, Endpoint::node(block_name(target)), is_back);
        }
    }
    picture
}

/// The cell of an instruction, which has a place in the text.
fn linked(picture: &mut Picture, block: BlockId, port: String, text: String, at: Span) -> Cell {
    if at != Span::default() {
        picture.origins.push((format!("{}:{port}", block_name(block)), at.range()));
    }
    Cell { port: Some(port), ..Cell::new(text, Kind::Data) }
}

/// The rows for the end of a block: a switch has a row of cells, one for each target.
fn end(graph: &Graph, id: BlockId, picture: &mut Picture) -> Vec<Vec<Cell>> {
    let block = &graph.blocks[id];
    let mut jump = |text| linked(picture, id, print::END_PORT.to_string(), text, block.end_origin);
    match &block.end {
        End::Goto(_) => Vec::new(),
        End::Switch(on, targets) => {
            let cell = |number: usize| {
                let port = Some(format!("p{number}"));
                Cell { port, ..Cell::new(number.to_string(), Kind::Control) }
            };
            let text = format!("switch {}", print::operand(graph, *on));
            vec![vec![jump(text)], (0..targets.len()).map(cell).collect()]
        }
        End::Return(_) => {
            let cell = jump(print::end(graph, &block.end));
            vec![vec![Cell { kind: Kind::Control, ..cell }]]
        }
    }
}

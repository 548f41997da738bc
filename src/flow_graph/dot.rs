//! The graph as a picture: a table for each block that control can reach, with a row for each
//! instruction.
use super::graph::{BlockId, End, Graph};
use super::print;
use arena::{Id, SideTable};
use picture::{Cell, Endpoint, Kind, Node, Picture};

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
        let instructions = block.instructions.iter();
        rows.extend(
            instructions.map(|it| vec![Cell::new(print::instruction(graph, it), Kind::Data)]),
        );
        rows.extend(end(graph, &block.end));
        picture.nodes.push(Node { name: name(id), kind: Kind::Control, rows, cluster: None });
        for (at, &target) in block.end.targets().iter().enumerate() {
            let port = matches!(block.end, End::Switch(..)).then(|| format!("p{at}"));
            let from = Endpoint { node: name(id), port };
            let is_back = position[target] <= position[id];
            picture.control_edge(from, Endpoint::node(name(target)), is_back);
        }
    }
    picture
}

/// The rows for the end of a block: a switch has a row of cells, one for each target.
fn end(graph: &Graph, end: &End) -> Vec<Vec<Cell>> {
    match end {
        End::Goto(_) => Vec::new(),
        End::Switch(on, targets) => {
            let cell = |number: usize| {
                let port = Some(format!("p{number}"));
                Cell { port, ..Cell::new(number.to_string(), Kind::Control) }
            };
            let text = format!("switch {}", print::operand(graph, *on));
            vec![vec![Cell::new(text, Kind::Data)], (0..targets.len()).map(cell).collect()]
        }
        End::Return(_) => vec![vec![Cell::new(print::end(graph, end), Kind::Control)]],
    }
}

fn name(id: BlockId) -> String {
    format!("b{}", id.index())
}

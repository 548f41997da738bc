//! A problem as a picture: nodes with their vectors, edges with their matrices.
use crate::cost::Cost;
use crate::problem::{NodeId, Problem};
#[cfg(feature = "text")]
use crate::solve_text::Solved;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use picture::{Cell, Endpoint, Kind, Label, Node, Picture};

/// Draws `problem`. A node is a table: its name, its alternatives, their costs. An edge has its
/// matrix, and points from the node of the columns to the node of the rows, which is placed above.
/// The alternatives of `choice`, one per node, and the costs they have are highlighted.
pub fn picture(
    problem: &Problem,
    choice: Option<&[u32]>,
    name: &dyn Fn(NodeId) -> String,
    alternative: &dyn Fn(NodeId, u32) -> String,
) -> Picture {
    let chosen = |node: NodeId| choice.map(|choice| choice[node.index()] as usize);
    let mut picture = Picture::new("pbqp").with_highlight("chosen");
    for node in problem.nodes() {
        let costs = problem.vector(node);
        let names = (0..costs.len()).map(|i| alternative(node, i as u32));
        let mut rows = vec![
            row([name(node)].into_iter(), None),
            row(names, chosen(node)),
            row(costs.iter().map(|&cost| text(cost)), chosen(node)),
        ];
        rows.retain(|row| !row.is_empty());
        picture.nodes.push(Node { name: id(node), kind: Kind::Data, rows, cluster: None });
    }
    for (u, v, matrix) in problem.edges() {
        let columns = problem.vector(v).len();
        let lines = matrix.chunks(columns.max(1)).enumerate().map(|(i, line)| {
            let column = chosen(v).filter(|_| chosen(u) == Some(i));
            row(line.iter().map(|&cost| text(cost)), column)
        });
        let label = Label::Table(lines.collect());
        picture.edge(Endpoint::node(id(v)), Endpoint::node(id(u)), Kind::Data, label);
    }
    picture
}

#[cfg(feature = "text")]
impl Solved {
    /// The problem with the solution highlighted; nodes and alternatives are labelled by their
    /// numbers.
    pub fn picture(&self) -> Picture {
        let name = |node: NodeId| node.index().to_string();
        picture(&self.problem, Some(&self.choice), &name, &|_, at| at.to_string())
    }
}

fn id(node: NodeId) -> String {
    format!("n{}", node.index())
}

/// A row of cells, of which at most one is highlighted.
fn row(texts: impl Iterator<Item = String>, highlighted: Option<usize>) -> Vec<Cell> {
    let cell =
        |(at, text)| Cell { highlighted: highlighted == Some(at), ..Cell::new(text, Kind::Data) };
    texts.enumerate().map(cell).collect()
}

fn text(cost: Cost) -> String {
    if cost.is_finite() { cost.to_string() } else { "∞".to_string() }
}

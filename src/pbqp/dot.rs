//! A problem as a picture: decisions with what they cost, and what they cost together.
use super::cost::Cost;
use super::problem::{NodeId, Problem};
use arena::Id;
use picture::{Cell, Endpoint, Kind, Label, Node, Picture};

/// Draws `problem`. A node is a table: its name, its alternatives, their costs. An edge bears its
/// matrix, and points from the node of the columns to the node of the rows, which stands above it.
/// What `choice` takes, one alternative per node, is highlighted, and what it pays.
pub fn picture(
    problem: &Problem,
    choice: Option<&[u32]>,
    name: &dyn Fn(NodeId) -> String,
    alternative: &dyn Fn(NodeId, u32) -> String,
) -> Picture {
    let chosen = |node: NodeId| choice.map(|choice| choice[node.index()] as usize);
    let mut picture = Picture::new("pbqp");
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

fn id(node: NodeId) -> String {
    format!("n{}", node.index())
}

/// A row of cells, one of them highlighted perhaps.
fn row(texts: impl Iterator<Item = String>, mark: Option<usize>) -> Vec<Cell> {
    let cell = |(at, text)| Cell { highlighted: mark == Some(at), ..Cell::new(text, Kind::Data) };
    texts.enumerate().map(cell).collect()
}

fn text(cost: Cost) -> String {
    if cost.is_finite() { cost.to_string() } else { "∞".to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(choice: Option<&[u32]>) -> Picture {
        let mut problem = Problem::new();
        let u = problem.add_node(&[Cost::new(3), Cost::new(5)]);
        let v = problem.add_node(&[Cost::new(1), Cost::new(2), Cost::INFINITY]);
        let matrix = [7, 8, 9, 10, 11].map(Cost::new);
        problem.add_edge(u, v, &[&matrix[..], &[Cost::INFINITY]].concat());
        let alternative = |node: NodeId, i| format!("{}<{i}>", ["add", "lea"][node.index()]);
        picture(&problem, choice, &|node| format!("node {}", node.index()), &alternative)
    }

    fn texts(rows: &[Vec<Cell>], highlighted: bool) -> Vec<&str> {
        let cells = rows.iter().flatten().filter(|cell| cell.highlighted || !highlighted);
        cells.map(|cell| &cell.text[..]).collect()
    }

    #[test]
    fn a_node_is_a_table_and_an_edge_a_matrix() {
        let picture = drawn(None);
        let of_v = &picture.nodes[1];
        assert_eq!(
            texts(&of_v.rows, false),
            ["node 1", "lea<0>", "lea<1>", "lea<2>", "1", "2", "∞"]
        );
        let edge = &picture.edges[0];
        assert_eq!((&edge.from.node[..], &edge.to.node[..]), ("n1", "n0"));
        let Label::Table(matrix) = &edge.label else { panic!("an edge bears a matrix") };
        assert_eq!(matrix.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
        assert_eq!(texts(matrix, false), ["7", "8", "9", "10", "11", "∞"]);
        assert!(picture.nodes.iter().all(|node| texts(&node.rows, true).is_empty()));
        assert!(texts(matrix, true).is_empty());
    }

    #[test]
    fn what_is_chosen_and_what_it_pays_is_marked() {
        let picture = drawn(Some(&[1, 0]));
        assert_eq!(texts(&picture.nodes[0].rows, true), ["add<1>", "5"]);
        assert_eq!(texts(&picture.nodes[1].rows, true), ["lea<0>", "1"]);
        let Label::Table(matrix) = &picture.edges[0].label else { panic!("a matrix") };
        assert_eq!(texts(matrix, true), ["10"]);
        let dot = picture.dot();
        assert!(dot.contains("<B>10</B>") && dot.contains("lea&lt;2&gt;"), "{dot}");
        assert!(dot.contains(r#"COLSPAN="3">node 1</TD>"#), "{dot}");
    }
}

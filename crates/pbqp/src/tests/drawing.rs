//! The picture of a problem.
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
    assert_eq!(texts(&of_v.rows, false), ["node 1", "lea<0>", "lea<1>", "lea<2>", "1", "2", "∞"]);
    let edge = &picture.edges[0];
    assert_eq!((&edge.from.node[..], &edge.to.node[..]), ("n1", "n0"));
    let Label::Table(matrix) = &edge.label else { panic!("an edge bears a matrix") };
    assert_eq!(matrix.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
    assert_eq!(texts(matrix, false), ["7", "8", "9", "10", "11", "∞"]);
    assert!(picture.nodes.iter().all(|node| texts(&node.rows, true).is_empty()));
    assert!(texts(matrix, true).is_empty());
}

#[test]
fn the_choice_and_its_costs_are_highlighted() {
    let picture = drawn(Some(&[1, 0]));
    assert_eq!(texts(&picture.nodes[0].rows, true), ["add<1>", "5"]);
    assert_eq!(texts(&picture.nodes[1].rows, true), ["lea<0>", "1"]);
    let Label::Table(matrix) = &picture.edges[0].label else { panic!("a matrix") };
    assert_eq!(texts(matrix, true), ["10"]);
    let dot = picture.dot();
    assert!(dot.contains("<B>10</B>") && dot.contains("lea&lt;2&gt;"), "{dot}");
    assert!(dot.contains(r#"COLSPAN="3">node 1</TD>"#), "{dot}");
}

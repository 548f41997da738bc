//! The text of a solved problem.
use super::*;
use crate::listing;

#[test]
fn the_choice_is_marked_and_the_rules_are_counted() {
    let mut problem = Problem::new();
    let u = problem.add_node(&[Cost::new(3), Cost::new(5)]);
    let v = problem.add_node(&[Cost::new(1), Cost::new(2)]);
    problem.add_edge(u, v, &[9, 9, 0, 9].map(Cost::new));
    let solution = solve(&problem).expect("it has a solution");
    let name = |node: NodeId| format!("node {}", node.index());
    let short = |node: NodeId| format!("n{}", node.index());
    let alternative = |node: NodeId, at| format!("{}<{at}>", ["add", "lea"][node.index()]);
    let text = listing(&problem, &solution, &name, &short, &alternative);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "node 0: add<0> 3 | *add<1> 5");
    assert_eq!(lines[1], "node 1: *lea<0> 1 | lea<1> 2");
    assert_eq!(lines[2], "n0 - n1: 9 9 | 0 9");
    assert!(lines[3].starts_with("cost 6 by "), "{text}");
    assert_eq!(lines.len(), 4);
}

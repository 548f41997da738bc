//! A solved problem as text, with names.
use crate::problem::{NodeId, Problem};
use crate::report::Rule;
use crate::solution::Solution;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

/// Lists the nodes with their alternatives, the chosen one marked by a star; then the edges with
/// their matrices, row by row; last the cost, and how often each rule was applied.
///
/// `name` is the name of a node in its own line, `short` the one in the lines of its edges.
pub fn listing(
    problem: &Problem,
    solution: &Solution,
    name: &dyn Fn(NodeId) -> String,
    short: &dyn Fn(NodeId) -> String,
    alternative: &dyn Fn(NodeId, u32) -> String,
) -> String {
    let mut text = String::new();
    for node in problem.nodes() {
        let costs = problem.vector(node).iter().zip(0..).map(|(cost, at)| {
            let mark = if at == solution[node] { "*" } else { "" };
            format!("{mark}{} {cost}", alternative(node, at))
        });
        text += &format!("{}: {}\n", name(node), costs.collect::<Vec<_>>().join(" | "));
    }
    for (u, v, matrix) in problem.edges() {
        let columns = problem.vector(v).len();
        let rows = matrix
            .chunks(columns.max(1))
            .map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
        let rows = rows.collect::<Vec<_>>().join(" | ");
        text += &format!("{} - {}: {rows}\n", short(u), short(v));
    }
    let counts = Rule::ALL.map(|rule| (solution.statistics.count(rule), rule.name()));
    let counts = counts.into_iter().filter(|&(count, _)| count > 0);
    let counts: Vec<_> = counts.map(|(count, name)| format!("{count} {name}")).collect();
    text + &format!("cost {} by {}\n", solution.cost, counts.join(", "))
}

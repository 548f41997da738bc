//! The instance of a whole graph in the text form of PBQPs. Comments name the nodes, their
//! alternatives and the ends of edges.
use super::options::SelectionOptions;
use super::pbqp_instance::Instance;
use super::tie_extra_roots;
use crate::firm;
use crate::rules::{ProgramGraph, ProgramId, RuleSet};
use arena::Id;

/// The text of the instance that `solve_all` solves, with all edges; `label` describes an
/// operation.
///
/// # Errors
/// The first operation without an alternative.
pub fn print_problem(
    graph: &firm::Graph,
    rules: &RuleSet,
    label: &dyn Fn(firm::NodeId) -> String,
) -> Result<String, firm::NodeId> {
    let program = ProgramGraph::of_all(graph);
    let mut instance = Instance::new(&program, rules, SelectionOptions::default());
    if let Some(id) = program.ids().find(|id| instance.alternatives[id.index()].is_empty()) {
        return Err(program.firm(id));
    }
    instance.add_edges(&program, rules, true);
    let instance = tie_extra_roots(instance, &program, rules);
    let node = |id: ProgramId| {
        let alternatives = instance.alternatives[id.index()].iter();
        let names: Vec<_> = alternatives.map(|&it| instance.alternative_name(rules, it)).collect();
        let (name, label) = (program.name(id), label(program.firm(id)));
        format!("{}: {name} {label}: {}", id.index(), names.join(" | "))
    };
    let name = |node: pbqp::NodeId| program.name(Id::from_index(node.index()));
    let edges = instance.problem.edges().map(|(u, v, _)| format!("{} - {}", name(u), name(v)));
    let comments = program.ids().map(node).chain(edges);
    let text = pbqp::print(&instance.problem);
    let (head, lines) = text.split_once('\n').expect("the first line has the counts");
    let commented = lines.lines().zip(comments);
    let commented = commented.map(|(line, comment)| format!("{line}  # {}\n", one_line(&comment)));
    Ok(format!("{head}\n{}", commented.collect::<String>()))
}

/// A comment ends with its line, and the names of symbols may have any letters.
fn one_line(comment: &str) -> String {
    comment.replace(char::is_control, "\u{fffd}")
}

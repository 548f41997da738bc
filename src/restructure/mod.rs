//! From control-flow graphs to regions, for every graph, reducible or not.
//!
//! 1. `loops`: each strongly connected component becomes a loop with one entry and one exit.
//! 2. `branches`: without cycles, a graph becomes sequences with switches inside.
//! 3. `liveness`: the variables that switches and loops take and yield.
//! 4. `terms`: the regions.
mod branches;
mod liveness;
mod loops;
mod structured;
#[cfg(test)]
mod tests;
mod terms;
mod variables;

use crate::diagnostics::Diagnostic;
use crate::flow_graph;
use crate::region;
use variables::Variables;

/// The regions of a control-flow graph.
///
/// # Errors
/// The regions are larger than the limit.
pub fn restructure(graph: &flow_graph::Graph) -> Result<region::Graph, Vec<Diagnostic>> {
    let variables = Variables::new(graph);
    let mut arcs = loops::loops(graph, variables.count() as u32);
    let sequences = branches::branches(&mut arcs);
    let results = variables.results();
    let liveness = liveness::liveness(&sequences, &variables, &results);
    let parameters: Vec<_> = graph.parameters.iter().map(|&it| variables.of(it)).collect();
    let (terms, root) = terms::function(&sequences, &variables, &liveness, &parameters);
    region::graph(&terms, root)
}

//! From control-flow graphs to regions, for every graph, reducible or not.
//!
//! 1. `loops`: each strongly connected component becomes a loop with one entry and one exit.
//! 2. `branches`: without cycles, a graph becomes sequences with switches inside.
//! 3. `liveness`: the variables that switches and loops take and yield.
//! 4. `terms`: the regions.
//!
//! The regions have the effects of the graph in the same order: a state goes through everything
//! that writes a line, may trap or may be endless. So nothing of this is lost either.
mod arcs;
mod branches;
mod cycles;
mod liveness;
mod loops;
mod structured;
#[cfg(test)]
pub mod tests;
mod terms;
mod variables;

use crate::diagnostics::Diagnostic;
use crate::flow_graph;
use crate::region;
use structured::{Item, Sequences, Variable};
use variables::Variables;

/// The regions of a control-flow graph.
///
/// # Errors
/// The regions are larger than the limit.
pub fn restructure(graph: &flow_graph::Graph) -> Result<region::Graph, Vec<Diagnostic>> {
    let variables = Variables::new(graph);
    let mut arcs = loops::loops(graph, variables.count() as u32);
    let sequences = branches::branches(&mut arcs);
    let results = results(&sequences, &variables);
    let liveness = liveness::liveness(&sequences, &variables, &results, &arcs.homes);
    let parameters: Vec<_> = graph.parameters.iter().map(|&it| variables.of(it)).collect();
    let (terms, root) = terms::function(&sequences, &variables, &liveness, &parameters, &results);
    region::graph(&terms, root)
}

/// The results of the program, after its state if it has effects.
fn results(sequences: &Sequences, variables: &Variables) -> Vec<Variable> {
    let has_effect = |item: &Item| match item {
        Item::Block(block) => variables.assigned(*block).contains(&Variables::state()),
        Item::Loop(..) => true,
        Item::Assign(..) | Item::Switch(..) => false,
    };
    let has_effects = sequences.ids().any(|it| sequences[it].iter().any(has_effect));
    has_effects.then(Variables::state).into_iter().chain(variables.results()).collect()
}

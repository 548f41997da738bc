//! From regions to Firm: a loop becomes a loop, a switch becomes Conds and a join, a function
//! becomes a function.
//!
//! 1. `emission`: blocks and arcs. The arcs assign the outputs of switches and the variables of
//!    loops.
//! 2. `variables`: Phis for the assigned variables, and for memory.
//! 3. `lowering`: the blocks of Firm.
//!
//! States become the chain of memory. Everything that has an effect or may trap is a part of this
//! chain, in the order of the nodes of its region.
mod effects;
mod emission;
mod flow;
mod lowering;
mod operations;
#[cfg(feature = "ch27")]
mod order;
#[cfg(feature = "ch27")]
mod selectors;
#[cfg(test)]
mod tests;
#[cfg(feature = "ch27")]
mod threading;
mod variables;

use crate::diagnostics::{Code, Diagnostic};
use crate::firm::{Program, Signature};
use crate::region::{Graph, Kind, Op, RegionId, Types, Value, infer};
use arena::SideTable;
use lowering::lower_function;
use source::Span;

/// The program of Firm for a program of regions.
///
/// # Errors
/// A function with constant inputs that is used otherwise than by calls in its own region.
pub fn lower(graph: &Graph) -> Result<Program, Vec<Diagnostic>> {
    let types = infer(graph).expect("the graph is verified");
    check_closures(graph)?;
    #[cfg(feature = "ch27")]
    let graph = &order::ordered(graph, &types);
    let mut program = Program::empty();
    let mut functions: SideTable<RegionId, Option<u32>> = SideTable::default();
    let bodies = function_regions(graph);
    for &region in &bodies {
        let name = match region == graph.main {
            true => "simple".to_string(),
            false => format!("function{}", program.functions.len()),
        };
        functions[region] = Some(program.declare(name, signature(graph, &types, region)));
    }
    for (number, &region) in bodies.iter().enumerate() {
        let symbols = (&functions, bodies.len() as u32);
        let flow = emission::flow(graph, &types, region);
        #[cfg(feature = "ch27")]
        let flow = threading::with_early_tests(graph, threading::threaded(graph, flow));
        let body = program.body(number as u32);
        lower_function(graph, &types, symbols, &flow, region, body);
    }
    Ok(program)
}

/// The regions of functions, that of the program first.
fn function_regions(graph: &Graph) -> Vec<RegionId> {
    let mut is_function: SideTable<RegionId, bool> = SideTable::default();
    let functions = graph.ids().filter(|&id| graph.op(id) == Op::Function);
    functions.for_each(|id| is_function[graph.inner(id)[0]] = true);
    let others = graph.region_ids().filter(|&it| it != graph.main && is_function[it]);
    std::iter::once(graph.main).chain(others).collect()
}

fn signature(graph: &Graph, types: &Types, region: RegionId) -> Signature {
    let arguments = graph.region(region).arguments;
    let arguments = (0..graph.arity(region)).map(|output| Value { node: arguments, output });
    let results = graph.region(region).results.iter().copied();
    Signature::new(words(types, arguments), words(types, results).max(1))
}

/// The number of values that are no states.
fn words(types: &Types, values: impl Iterator<Item = Value>) -> u32 {
    values.filter(|&it| types.kind(it) != Kind::State).count() as u32
}

/// A function with constant inputs has no address: its calls pass the inputs as arguments.
fn check_closures(graph: &Graph) -> Result<(), Vec<Diagnostic>> {
    let is_closure =
        |it: &Value| graph.op(it.node) == Op::Function && !graph.operands(it.node).is_empty();
    let is_misused = graph.ids().any(|id| {
        let callee = usize::from(graph.op(id) == Op::Call);
        graph.operands(id).iter().skip(callee).any(is_closure)
    });
    let is_result = |region| graph.region(region).results.iter().any(is_closure);
    if is_misused || graph.region_ids().any(is_result) {
        let message = "a function with constant inputs leaves the scope in which it is made";
        let label = "such a function can only be called there, or be executed at stage `region`";
        return Err(vec![Diagnostic::new(Code::Type, Span::default(), message, label)]);
    }
    Ok(())
}

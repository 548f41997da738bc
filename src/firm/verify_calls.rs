//! The invariants of calls, and of the functions of a program.
//!
//! - `entry`: there is a first function, and all functions have different names.
//! - `parameter`: the words of an Argument are among those of the function's parameters.
//! - `return`: a Return has as many words as the function has results.
//! - `symbol`: the number of a symbol is that of a function.
//! - `signature`: the call of a known function passes its parameters and takes its results.
//!   Another call takes a result.
//! - `result`: a Result is in the block of its Call, which returns it; Call is result number 0.
use super::Program;
use super::graph::{Graph, NodeId, Signature};
use super::mode::Mode;
use super::op::Op;
use super::print::violation;
use crate::stage::Violation;
use std::collections::HashSet;

/// The violated invariants; those of each function must hold.
pub fn verify(program: &Program) -> Vec<Violation> {
    let mut violations = Vec::new();
    let names: HashSet<_> = program.functions.iter().map(|graph| &graph.name).collect();
    if names.is_empty() || names.len() < program.functions.len() {
        let detail = format!("{} names", names.len());
        violations.push(Violation { invariant: "entry", detail });
    }
    for graph in &program.functions {
        let broken = graph.ids().filter_map(|id| Some((broken(program, graph, id)?, id)));
        violations.extend(broken.map(|(invariant, id)| {
            let Violation { invariant, detail } = violation(invariant, graph, id);
            Violation { invariant, detail: format!("{}: {detail}", graph.name) }
        }));
    }
    violations
}

/// The invariant that a node violates.
fn broken(program: &Program, graph: &Graph, id: NodeId) -> Option<&'static str> {
    let operands = graph.operands(id);
    let (invariant, holds) = match graph.op(id) {
        Op::Argument(number) => {
            let last = number + graph.node(id).mode.words() - 1;
            ("parameter", last < graph.signature.parameters)
        }
        Op::Return => {
            let words = if graph.node(id).mode == Mode::Ls { 2 } else { 1 };
            let count = words * (operands.len() as u32 - 1);
            ("return", count == graph.signature.results)
        }
        Op::SymConst(symbol) => ("symbol", program.symbol(symbol).is_some()),
        Op::Call(results) => {
            let words = operands[2..].iter().map(|&it| graph.value_mode(it).words()).sum();
            let found = Signature::new(words, results);
            let expected = called(program, graph, id).unwrap_or(found);
            let returns = results > 0;
            #[cfg(feature = "ch15")]
            let returns = returns || called(program, graph, id).is_some();
            let is_float = graph.node(id).mode == Mode::D;
            let returns =
                returns && returns_float(program, graph, id).is_none_or(|it| it == is_float);
            ("signature", found == expected && returns)
        }
        Op::Result(number) => {
            let is_returned = |results| 0 < number && number < results;
            let call = graph.op(operands[0]);
            let holds = matches!(call, Op::Call(results) if is_returned(results));
            ("result", holds && graph.node(operands[0]).block == graph.node(id).block)
        }
        _ => return None,
    };
    (!holds).then_some(invariant)
}

/// The signature of the function that a Call calls, if it is known.
fn called(program: &Program, graph: &Graph, call: NodeId) -> Option<Signature> {
    let Op::SymConst(symbol) = graph.op(graph.operands(call)[1]) else { return None };
    program.symbol(symbol).map(|(_, signature)| signature)
}

/// Whether the function that a Call calls returns a float, if it is known and returns.
fn returns_float(program: &Program, graph: &Graph, call: NodeId) -> Option<bool> {
    let Op::SymConst(symbol) = graph.op(graph.operands(call)[1]) else { return None };
    let callee = program.functions.get(symbol as usize)?;
    let end = callee.ids().rev().find(|&id| callee.op(id) == Op::EndBlock)?;
    let first = callee.operands(end).first()?;
    Some(callee.node(*first).mode == Mode::D)
}

pub fn is_call(graph: &Graph, id: NodeId) -> bool {
    matches!(graph.op(id), Op::Call(_))
}

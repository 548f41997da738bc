//! Instruction selection in place: each operation of a graph gets an instruction of TR.
//!
//! This is task 2 of the case. A constant as the right operand, or a symbol as an address, becomes
//! part of the instruction, and the edge to it is removed; all other edges stay. The instructions
//! are selected node by node from a table, where the rule for a node depends only on the classes of
//! its operands, and otherwise by a PBQP over the whole graph.
mod apply;
mod change;
mod decision_table;
mod select_by_table;
#[cfg(test)]
mod tests;

pub use apply::Counts;

use super::{Graph, SelectedForm, cycle};
use crate::diagnostics::{Code, Diagnostic};
use crate::firm::{self, Mode, NodeId, Op};
use crate::rules::RuleSet;
use crate::select::options::{Method, SelectionOptions};
use crate::select::{no_rule_covers, print_problem, solve_all};
use apply::apply;
use arena::Id;
use change::{Change, Changes, change, has_instruction, refused};
use decision_table::DecisionTable;
use select_by_table::select_by_table;
use source::Span;

/// Selects an instruction for each node of `graph` that needs one: with `Method::Greedy` the best
/// for each node by itself, with all other methods the cheapest selection. A table is used on
/// `threads` threads. The nodes may have any order.
///
/// # Errors
/// An operation that no rule covers, a rule without an instruction of the case, and for
/// `Method::Greedy` a rule with a nested pattern. Then the graph is unchanged.
pub fn select_in_place(
    graph: &mut Graph,
    rules: &RuleSet,
    method: Method,
    threads: usize,
) -> Result<Counts, Vec<Diagnostic>> {
    check_unselected(graph)?;
    check_operands(&graph.firm)?;
    let changes = match method {
        Method::Greedy => select_by_table(&graph.firm, &DecisionTable::greedy(rules)?, threads)?,
        Method::Pbqp | Method::Heuristic => {
            let options = SelectionOptions { method, ..SelectionOptions::default() };
            match DecisionTable::cheapest(rules, options) {
                Ok(table) => select_by_table(&graph.firm, &table, threads)?,
                // There may be a selection, but not node by node.
                Err(_) => solve(&graph.firm, rules, options)?,
            }
        }
    };
    Ok(apply(graph, changes))
}

/// The changes of the cheapest selection, by the PBQP of the whole graph.
fn solve(
    graph: &firm::Graph,
    rules: &RuleSet,
    options: SelectionOptions,
) -> Result<Changes, Vec<Diagnostic>> {
    let replacements = rules.replacements();
    let mut chosen = vec![Change::Keep; graph.len()];
    for (variant, id) in solve_all(graph, rules, options)? {
        let op = graph.op(id);
        if has_instruction(op) {
            let change = change(replacements[variant as usize], op);
            chosen[id.index()] = change.ok_or_else(|| refused(rules.rule(variant)))?;
        }
    }
    let mut changes = Changes::with_capacity(graph.len());
    for (id, change) in graph.ids().zip(chosen) {
        // A constant may have no users any more, but gets an instruction nevertheless.
        let is_constant = matches!(graph.op(id), Op::Const(_) | Op::SymConst(_));
        changes.push(graph, id, if is_constant { Change::Plain } else { change });
    }
    Ok(changes)
}

/// The PBQP of the whole graph in text form, with the names of nodes and rules in comments.
///
/// # Errors
/// The graph cannot be covered, or a value depends on itself without a Phi.
pub fn selection_problem(graph: &Graph, rules: &RuleSet) -> Result<String, Uncovered> {
    check_unselected(graph)?;
    check_operands(&graph.firm)?;
    if let Some(node) = cycle(&graph.firm).first().and_then(|it| it.node) {
        let message = "a value depends on itself, and there is no Phi between";
        let label = "it is needed for one of its operands";
        let diagnostic = Diagnostic::new(Code::Cover, Span::default(), message, label);
        return Err(Uncovered { node, diagnostic });
    }
    print_problem(&graph.firm, rules, &|id| graph.label(id)).map_err(|node| {
        let diagnostics = no_rule_covers(graph.firm.op(node), graph.firm.node(node).mode);
        let diagnostic = diagnostics.into_iter().next().expect("there is one");
        Uncovered { node, diagnostic: Diagnostic { label: "this one".to_string(), ..diagnostic } }
    })
}

/// A node that instructions cannot be selected for, and the reason.
pub struct Uncovered {
    pub node: NodeId,
    pub diagnostic: Diagnostic,
}

impl From<Uncovered> for Vec<Diagnostic> {
    fn from(uncovered: Uncovered) -> Vec<Diagnostic> {
        vec![uncovered.diagnostic]
    }
}

/// Instructions are selected once.
fn check_unselected(graph: &Graph) -> Result<(), Uncovered> {
    let is_selected = |id: &NodeId| graph.forms[*id] != SelectedForm::Source;
    let Some(node) = graph.firm.ids().find(is_selected) else { return Ok(()) };
    let message = "this graph has instructions already";
    let label = "they were selected before";
    Err(Uncovered {
        node,
        diagnostic: Diagnostic::new(Code::Cover, Span::default(), message, label),
    })
}

/// Every operation has its operands, so they exist for every rule.
fn check_operands(graph: &firm::Graph) -> Result<(), Uncovered> {
    let lacks = |id: &NodeId| {
        let (operands, own) = (graph.operands(*id), graph.node(*id).mode);
        let modes = graph.op(*id).row().operands.iter().map(|mode| mode.of(own));
        let is_value = |at: usize| graph.value_mode(operands[at]) == Mode::Is;
        let is_there = |(at, mode)| at < operands.len() && (mode != Mode::Is || is_value(at));
        graph.op(*id).is_selected() && !modes.enumerate().all(is_there)
    };
    let Some(node) = graph.ids().find(lacks) else { return Ok(()) };
    let message = format!("an operand of {} is missing, or is no value", graph.op(node).row().name);
    let diagnostic = Diagnostic::new(Code::Cover, Span::default(), message, "this graph");
    let diagnostic = diagnostic.with_help("`sonc firm verify --strict` says where");
    Err(Uncovered { node, diagnostic })
}

//! Decides node by node, whatever their order, on several threads.
//!
//! First it is noted what each node is as an operand: a byte each, so that what the operands of a
//! node are is read from a small array and not from all over the graph. Then each node is looked up
//! in the table of situations. Both go through the nodes once, by ranges.
use super::Changes;
use super::situation::{Class, Table, class};
use crate::diagnostics::Diagnostic;
use crate::firm::{Graph, NodeId};
use crate::rules::RuleSet;
use crate::select::no_rule_covers;
use arena::{Id, map_ranges};
use std::ops::Range;

/// What is best at each node, by the rules.
///
/// # Errors
/// A rule that looks further than the operands of its operation, or the first node that no rule
/// covers.
pub fn decide(graph: &Graph, rules: &RuleSet, threads: usize) -> Result<Changes, Vec<Diagnostic>> {
    let table = Table::new(rules)?;
    let classes = map_ranges(threads, graph.len(), |range| {
        range.map(|at| class(graph, Id::from_index(at))).collect::<Vec<_>>()
    });
    let classes = joined(classes, Vec::append);
    let changes = map_ranges(threads, graph.len(), |range| part(graph, &table, &classes, range));
    let changes: Result<Vec<_>, _> = changes.into_iter().collect();
    let changes = changes.map_err(|id| no_rule_covers(graph.op(id)))?;
    Ok(joined(changes, |all, more| {
        all.forms.append(&mut more.forms);
        all.moved.append(&mut more.moved);
    }))
}

/// What becomes of the nodes of a range, or the first of them that no rule covers.
fn part(
    graph: &Graph,
    table: &Table,
    classes: &[Class],
    range: Range<usize>,
) -> Result<Changes, NodeId> {
    let mut changes = Changes::with_capacity(range.len());
    for id in range.map(NodeId::from_index) {
        let change = table.change(graph, id, |operand| classes[operand.index()]);
        changes.push(graph, id, change.ok_or(id)?);
    }
    Ok(changes)
}

/// The parts, one behind the other; the first of them has the others added to it.
fn joined<T: Default>(parts: Vec<T>, append: impl Fn(&mut T, &mut T)) -> T {
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_default();
    parts.for_each(|mut part| append(&mut all, &mut part));
    all
}

//! Selects node by node, in any order, on several threads.
//!
//! First the class of each node as an operand is stored in one byte, so that the classes of
//! operands are read from a small array. Then the change of each node is looked up in the table.
//! Both are one pass over the nodes, by ranges.
use super::change::Changes;
use super::decision_table::{DecisionTable, OperandClass, class};
use crate::diagnostics::Diagnostic;
use crate::firm::{Graph, NodeId};
use crate::select::no_rule_covers;
use arena::{Id, map_ranges};
use std::ops::Range;

/// The change of each node in the table.
///
/// # Errors
/// The first node that no rule covers.
pub fn select_by_table(
    graph: &Graph,
    table: &DecisionTable,
    threads: usize,
) -> Result<Changes, Vec<Diagnostic>> {
    let classes = map_ranges(threads, graph.len(), |range| {
        range.map(|at| class(graph, Id::from_index(at))).collect::<Vec<_>>()
    });
    let classes = joined(classes, Vec::append);
    let changes =
        map_ranges(threads, graph.len(), |range| changes_in(graph, table, &classes, range));
    let changes: Result<Vec<_>, _> = changes.into_iter().collect();
    let changes = changes.map_err(|id| no_rule_covers(graph.op(id), graph.node(id).mode))?;
    Ok(joined(changes, |all, more| {
        all.forms.append(&mut more.forms);
        all.immediates.append(&mut more.immediates);
    }))
}

/// The changes of a range of nodes, or the first node that no rule covers.
fn changes_in(
    graph: &Graph,
    table: &DecisionTable,
    classes: &[OperandClass],
    range: Range<usize>,
) -> Result<Changes, NodeId> {
    let mut changes = Changes::with_capacity(range.len());
    for id in range.map(NodeId::from_index) {
        let change = table.change(graph, id, |operand| classes[operand.index()]);
        changes.push(graph, id, change.ok_or(id)?);
    }
    Ok(changes)
}

/// The parts, appended to the first of them.
fn joined<T: Default>(parts: Vec<T>, append: impl Fn(&mut T, &mut T)) -> T {
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_default();
    parts.for_each(|mut part| append(&mut all, &mut part));
    all
}

//! What is best in every situation that a node can be in, as a table.
//!
//! If rules look no further than the operands of an operation, its situation is its kind and what
//! each of its operands is: a number, a symbol, another value. There are few situations. A graph
//! that has each of them once is shown to the matcher, and what greed finds there, it finds
//! everywhere.
use super::{Change, change, is_retyped, refused};
use crate::arith::Binary;
use crate::diagnostics::{Code, Diagnostic};
use crate::firm::{Graph, Mode, NodeId, Op};
use crate::rules::{ProgramGraph, RuleSet};
use crate::select::{best, options::Objective};
use source::Span;

/// What a node is as an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Value,
    Number,
    Symbol,
    /// No value at all.
    Nothing,
}

const CLASSES: [Class; 4] = [Class::Value, Class::Number, Class::Symbol, Class::Nothing];

/// How many values an operation has as operands.
const MOST_VALUES: usize = 2;

/// For each situation what is to be done; none if no rule fits.
pub struct Table {
    changes: Vec<Option<Change>>,
    /// For each column, where among the operands the values are.
    values: [[Option<u8>; MOST_VALUES]; COLUMNS],
}

/// How many columns there are; operations of the last one are kept.
const COLUMNS: usize = OTHERS + Binary::COUNT + 1;

/// How many columns stand before those of the arithmetic.
const OTHERS: usize = 8;

/// The column of an operation: dense, and found without a search.
fn column(op: Op) -> usize {
    match op {
        Op::Const(_) => 0,
        Op::SymConst(_) => 1,
        Op::Not => 2,
        Op::Cmp(_) => 3,
        Op::Load(_) => 4,
        Op::Store(_) => 5,
        Op::Jmp => 6,
        Op::Cond => 7,
        Op::Binary(binary) => OTHERS + binary as usize,
        _ => COLUMNS - 1,
    }
}

/// What a node is to those that use it.
pub fn class(graph: &Graph, id: NodeId) -> Class {
    match graph.op(id) {
        Op::Const(_) => Class::Number,
        Op::SymConst(_) => Class::Symbol,
        _ if graph.node(id).mode == Mode::Is => Class::Value,
        _ => Class::Nothing,
    }
}

impl Table {
    /// The table of a set of rules.
    ///
    /// # Errors
    /// A rule that looks further than the operands of its operation, or makes something else of it
    /// than the case knows.
    pub fn new(rules: &RuleSet) -> Result<Table, Vec<Diagnostic>> {
        if let Some(rule) = rules.first_nested_rule(is_retyped) {
            return Err(far_sighted(&rule.name));
        }
        let mut values = [[None; MOST_VALUES]; COLUMNS];
        for op in Op::KINDS.iter().copied().filter(|op| is_retyped(*op)) {
            let places = value_places(op).map(|at| Some(at as u8));
            values[column(op)].iter_mut().zip(places).for_each(|(value, place)| *value = place);
        }
        let count = COLUMNS * CLASSES.len().pow(MOST_VALUES as u32);
        let mut table = Table { changes: vec![None; count], values };
        let graph = situations();
        let program = ProgramGraph::of_all(&graph);
        for id in program.ids().filter(|id| is_retyped(program.op(*id))) {
            let situation = table.situation(&graph, program.firm(id), |it| class(&graph, it));
            if let Some(found) = best(&program, rules, Objective::default(), id) {
                let change = change(rules, found.variant, program.op(id));
                let change = change.ok_or_else(|| refused(rules.rule(found.variant)))?;
                table.changes[situation] = Some(change);
            }
        }
        let kept = table.changes.len() - CLASSES.len().pow(MOST_VALUES as u32);
        table.changes[kept..].fill(Some(Change::Keep));
        Ok(table)
    }
}

impl Table {
    /// What is to be done with a node; none if no rule fits.
    pub fn change(
        &self,
        graph: &Graph,
        id: NodeId,
        class: impl Fn(NodeId) -> Class,
    ) -> Option<Change> {
        self.changes[self.situation(graph, id, class)]
    }

    fn situation(&self, graph: &Graph, id: NodeId, class: impl Fn(NodeId) -> Class) -> usize {
        let column = column(graph.op(id));
        let operands = graph.operands(id);
        self.values[column].iter().fold(column, |situation, place| {
            let class = match place {
                None => Class::Value,
                Some(at) => operands.get(usize::from(*at)).map_or(Class::Nothing, |&it| class(it)),
            };
            situation * CLASSES.len() + class as usize
        })
    }
}

/// Where among the operands of an operation the values are.
fn value_places(op: Op) -> impl Iterator<Item = usize> {
    let operands = op.row().operands.iter().enumerate();
    operands.filter(|(_, mode)| **mode == Mode::Is).map(|(at, _)| at)
}

/// A graph in which every operation stands in every situation; what it computes is of no concern.
fn situations() -> Graph {
    let mut graph = Graph::new();
    graph.symbols.number("any");
    for op in Op::KINDS.iter().copied().filter(|op| is_retyped(*op)) {
        let count = CLASSES.len().pow(value_places(op).count() as u32);
        for number in 0..count {
            let mut rest = number;
            let mut next = || {
                let class = CLASSES[rest % CLASSES.len()];
                rest /= CLASSES.len();
                class
            };
            let operands = op.row().operands.iter().map(|mode| match mode {
                Mode::Is => leaf(&mut graph, next()),
                Mode::M | Mode::X | Mode::BB => graph.start,
            });
            let operands: Vec<_> = operands.collect();
            graph.add(op, graph.start_block, &operands);
        }
    }
    graph
}

/// Some node of a class.
fn leaf(graph: &mut Graph, class: Class) -> NodeId {
    let op = match class {
        Class::Value => Op::Argument(0),
        Class::Number => Op::Const(0),
        Class::Symbol => Op::SymConst(0),
        Class::Nothing => Op::Bad,
    };
    graph.add(op, graph.start_block, &[])
}

fn far_sighted(name: &str) -> Vec<Diagnostic> {
    let message = format!("rule `{name}` looks further than the operands of its operation");
    let help = "with such rules the choice is not made node by node, but by the PBQP";
    vec![Diagnostic::new(Code::Cover, Span::default(), message, "this graph").with_help(help)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_has_a_column_and_each_value_a_place() {
        let mut columns = Vec::new();
        for op in Op::KINDS.iter().copied().filter(|op| is_retyped(*op)) {
            assert!(value_places(op).count() <= MOST_VALUES, "{op:?}");
            columns.push(column(op));
        }
        columns.sort_unstable();
        assert!(columns.into_iter().eq(0..COLUMNS - 1));
    }
}

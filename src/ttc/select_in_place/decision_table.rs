//! The cheapest change for each operation and the classes of its operands, as a table.
//!
//! Patterns without nested operations depend only on the operation and the class of each operand: a
//! number, a symbol, another value. There are few combinations. A graph that has each of them once
//! is covered, greedily or by a PBQP, and the result is the table.
//!
//! The PBQP gives what the PBQP of a whole graph would give. There every use of a constant is a
//! node of its own, and without nested patterns no edge has influence but those between an
//! operation and its constants. So it falls into a part for each operation, and operations of one
//! combination have equal parts: it is enough to solve one of them.
use super::change::{Change, change, has_instruction, refused};
use crate::arith::Binary;
use crate::diagnostics::{Code, Diagnostic};
use crate::firm::{Graph, Mode, NodeId, Op, RowMode};
use crate::rules::{ProgramGraph, RuleSet};
use crate::select::options::{Objective, SelectionOptions};
use crate::select::{best, solve_all};
use source::Span;

/// The class of a node as an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandClass {
    Value,
    Number,
    Symbol,
    /// No value.
    Nothing,
}

const OPERAND_CLASSES: [OperandClass; 4] =
    [OperandClass::Value, OperandClass::Number, OperandClass::Symbol, OperandClass::Nothing];

/// The largest number of values among the operands of an operation.
pub const MAX_VALUES: usize = 2;

/// For each combination the change; none if no rule matches.
pub struct DecisionTable {
    changes: Vec<Option<Change>>,
    /// For each column, the positions of the values among the operands.
    values: [[Option<u8>; MAX_VALUES]; COLUMNS],
}

/// The number of columns; operations of the last one get no instructions.
pub const COLUMNS: usize = OTHERS + Binary::COUNT + 1;

/// The number of columns before those of arithmetic.
const OTHERS: usize = 8;

/// The column of an operation.
pub fn column(op: Op) -> usize {
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

/// The class of a node as an operand.
pub fn class(graph: &Graph, id: NodeId) -> OperandClass {
    match graph.op(id) {
        Op::Const(_) => OperandClass::Number,
        Op::SymConst(_) => OperandClass::Symbol,
        _ if graph.value_mode(id) == Mode::Is => OperandClass::Value,
        _ => OperandClass::Nothing,
    }
}

impl DecisionTable {
    /// The table of the best rule for each operation by itself.
    ///
    /// # Errors
    /// A rule with a nested pattern, or one without an instruction of the case.
    pub fn greedy(rules: &RuleSet) -> Result<DecisionTable, Vec<Diagnostic>> {
        if let Some(rule) = rules.first_nested_rule(has_instruction) {
            return Err(nested_pattern_error(&rule.name));
        }
        let mut values = [[None; MAX_VALUES]; COLUMNS];
        for op in Op::kinds().filter(|op| has_instruction(*op)) {
            let places = value_places(op).map(|at| Some(at as u8));
            values[column(op)].iter_mut().zip(places).for_each(|(value, place)| *value = place);
        }
        let count = COLUMNS * OPERAND_CLASSES.len().pow(MAX_VALUES as u32);
        let mut table = DecisionTable { changes: vec![None; count], values };
        let graph = combinations();
        let program = ProgramGraph::of_all(&graph);
        for id in program.ids().filter(|id| has_instruction(program.op(*id))) {
            if let Some(found) = best(&program, rules, Objective::default(), id) {
                table.set(&graph, program.firm(id), rules, found.variant)?;
            }
        }
        let kept = table.changes.len() - OPERAND_CLASSES.len().pow(MAX_VALUES as u32);
        table.changes[kept..].fill(Some(Change::Keep));
        Ok(table)
    }

    /// The table of the cheapest selection.
    ///
    /// # Errors
    /// Those of the greedy table; a combination without a selection; a nested pattern of `Return`.
    pub fn cheapest(
        rules: &RuleSet,
        options: SelectionOptions,
    ) -> Result<DecisionTable, Vec<Diagnostic>> {
        if let Some(rule) = rules.first_nested_rule(|op| op == Op::Return) {
            return Err(nested_pattern_error(&rule.name));
        }
        let mut table = DecisionTable::greedy(rules)?;
        let mut graph = combinations();
        for id in graph.ids() {
            if table.change(&graph, id, |it| class(&graph, it)).is_none() {
                // No rule covers it.
                graph.rewrite(id, Op::Bad, Mode::BB, 0);
            }
        }
        for (variant, id) in solve_all(&graph, rules, options)? {
            table.set(&graph, id, rules, variant)?;
        }
        Ok(table)
    }

    /// Enters the change of a node by the rule of a variant.
    fn set(
        &mut self,
        graph: &Graph,
        id: NodeId,
        rules: &RuleSet,
        variant: u32,
    ) -> Result<(), Vec<Diagnostic>> {
        let change = change(rules.replacement(variant), graph.op(id));
        let change = change.ok_or_else(|| refused(rules.rule(variant)))?;
        let index = self.index(graph, id, |it| class(graph, it));
        self.changes[index] = Some(change);
        Ok(())
    }
}

impl DecisionTable {
    /// The change of a node; none if no rule matches.
    pub fn change(
        &self,
        graph: &Graph,
        id: NodeId,
        class: impl Fn(NodeId) -> OperandClass,
    ) -> Option<Change> {
        self.changes[self.index(graph, id, class)]
    }

    fn index(&self, graph: &Graph, id: NodeId, class: impl Fn(NodeId) -> OperandClass) -> usize {
        let column = column(graph.op(id));
        let operands = graph.operands(id);
        self.values[column].iter().fold(column, |index, place| {
            let class = match place {
                None => OperandClass::Value,
                Some(at) => {
                    operands.get(usize::from(*at)).map_or(OperandClass::Nothing, |&it| class(it))
                }
            };
            index * OPERAND_CLASSES.len() + class as usize
        })
    }
}

/// The positions of the values among the operands of an operation.
pub fn value_places(op: Op) -> impl Iterator<Item = usize> {
    let operands = op.row().operands.iter().enumerate();
    operands.filter(move |(_, mode)| is_word(op, **mode)).map(|(at, _)| at)
}

/// Files have no modes: the first mode of an operation is that of words.
fn is_word(op: Op, mode: RowMode) -> bool {
    mode.of(op.row().modes[0]) == Mode::Is
}

/// A graph with every operation for every combination of operands; it computes nothing useful.
fn combinations() -> Graph {
    let mut graph = Graph::new();
    for op in Op::kinds().filter(|op| has_instruction(*op)) {
        let count = OPERAND_CLASSES.len().pow(value_places(op).count() as u32);
        for number in 0..count {
            let mut rest = number;
            let mut next = || {
                let class = OPERAND_CLASSES[rest % OPERAND_CLASSES.len()];
                rest /= OPERAND_CLASSES.len();
                class
            };
            let operands = op.row().operands.iter().map(|mode| match is_word(op, *mode) {
                true => leaf(&mut graph, next()),
                false => graph.start,
            });
            let operands: Vec<_> = operands.collect();
            graph.add(op, op.row().modes[0], graph.start_block, &operands);
        }
    }
    graph
}

/// A node of a class.
fn leaf(graph: &mut Graph, class: OperandClass) -> NodeId {
    let (op, mode) = match class {
        OperandClass::Value => (Op::Phi, Mode::Is),
        OperandClass::Number => (Op::Const(0), Mode::Is),
        OperandClass::Symbol => (Op::SymConst(0), Mode::Is),
        OperandClass::Nothing => (Op::Bad, Mode::BB),
    };
    graph.add(op, mode, graph.start_block, &[])
}

fn nested_pattern_error(name: &str) -> Vec<Diagnostic> {
    let message = format!("rule `{name}` depends on more than the operands of its operation");
    let help = "with such rules the choice is not made node by node, but by the PBQP";
    vec![Diagnostic::new(Code::Cover, Span::default(), message, "this graph").with_help(help)]
}

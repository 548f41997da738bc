//! Instruction selection as a change of the graph: each operation becomes its version on TR.
//!
//! Source: task 2 of the case "Compiler Optimization", Transformation Tool Contest 2011. A constant
//! at the right, or a symbol as an address, goes into the instruction, and the edge to it is gone;
//! everything else of the graph stays. Which rules are chosen is found in two ways: by the PBQP
//! over the whole graph, or node by node from a table, for what is best at a node depends on what
//! its operands are only.
mod apply;
mod decide;
mod situation;

use crate::diagnostics::{Code, Diagnostic};
use crate::firm::{Form, Graph, Mode, NodeId, Op};
use crate::rules::{Replacement, Rule, RuleSet};
use crate::select::options::{Method, SelectionOptions};
use crate::select::solve_all;
use crate::ttc::is_version;
use apply::apply;
use arena::Id;
use decide::decide;
use source::Span;

/// How much has been selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Nodes that are instructions now.
    pub instructions: usize,
    /// Those of them that hold a constant or a symbol themselves.
    pub immediates: usize,
}

/// What becomes of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Change {
    /// It is on the target what it was before.
    #[default]
    Keep,
    /// The instruction that does what the operation does.
    Plain,
    /// One that holds the operand at `at` itself.
    Hold { at: u8, mirrored: bool },
}

/// Selects an instruction for each node of `graph` that needs one. `Method::Greedy` does so node by
/// node on `threads` threads, all other methods by a PBQP on one. The nodes may stand in any order.
///
/// # Errors
/// An operation that no rule covers, a rule that no instruction of the case says, and for
/// `Method::Greedy` a rule that looks further than the operands; the graph is as it was.
pub fn retype(
    graph: &mut Graph,
    rules: &RuleSet,
    method: Method,
    threads: usize,
) -> Result<Counts, Vec<Diagnostic>> {
    is_fresh(graph)?;
    is_whole(graph)?;
    let changes = match method {
        Method::Greedy => decide(graph, rules, threads)?,
        Method::Pbqp | Method::Heuristic => solve(graph, rules, method)?,
    };
    Ok(apply(graph, changes))
}

/// What is to be done: a form for each node, and the nodes whose operands change, in their order.
#[derive(Default)]
struct Changes {
    forms: Vec<Form>,
    moved: Vec<(NodeId, Change)>,
}

impl Changes {
    /// With room for what becomes of so many nodes.
    fn with_capacity(nodes: usize) -> Changes {
        Changes { forms: Vec::with_capacity(nodes), moved: Vec::new() }
    }

    /// Notes what becomes of the next node.
    fn push(&mut self, graph: &Graph, id: NodeId, change: Change) {
        self.forms.push(match change {
            Change::Keep => Form::Source,
            Change::Plain => Form::Plain,
            Change::Hold { at, .. } => {
                self.moved.push((id, change));
                held(graph, graph.operands(id)[usize::from(at)])
            }
        });
    }
}

/// The instruction's own operand.
fn held(graph: &Graph, constant: NodeId) -> Form {
    match graph.op(constant) {
        Op::Const(number) => Form::Number(number as i32),
        Op::SymConst(symbol) => Form::Symbol(symbol),
        _ => unreachable!("only constants are held"),
    }
}

/// Whether the case has instructions for an operation: what passes values and control in and out
/// of the program stays what it is.
fn is_retyped(op: Op) -> bool {
    op.is_selected() && !matches!(op, Op::Argument(_) | Op::Return)
}

/// What the PBQP chooses.
fn solve(graph: &Graph, rules: &RuleSet, method: Method) -> Result<Changes, Vec<Diagnostic>> {
    let selection =
        solve_all(graph, rules, SelectionOptions { method, ..SelectionOptions::default() })?;
    let mut chosen = vec![Change::Keep; graph.len()];
    for found in &selection.chosen {
        let (id, op) = (selection.program.firm(found.root), selection.program.op(found.root));
        if is_retyped(op) {
            let change = change(rules, found.variant, op);
            chosen[id.index()] = change.ok_or_else(|| refused(rules.rule(found.variant)))?;
        }
    }
    let mut changes = Changes::default();
    for (id, change) in graph.ids().zip(chosen) {
        // Nobody may want a constant any more; it is on the target nevertheless.
        let is_constant = matches!(graph.op(id), Op::Const(_) | Op::SymConst(_));
        changes.push(graph, id, if is_constant { Change::Plain } else { change });
    }
    Ok(changes)
}

/// What a rule makes of an operation; none if the case has no word for it.
fn change(rules: &RuleSet, variant: u32, op: Op) -> Option<Change> {
    let version = rules.replacement(variant).filter(|it| is_version(it.instruction, op))?;
    match version {
        Replacement { immediate_operand: Some(at), mirrored, .. } => {
            Some(Change::Hold { at: at as u8, mirrored })
        }
        Replacement { immediate_operand: None, mirrored: false, .. } => Some(Change::Plain),
        Replacement { immediate_operand: None, mirrored: true, .. } => None,
    }
}

/// Instructions are selected once.
fn is_fresh(graph: &Graph) -> Result<(), Vec<Diagnostic>> {
    if graph.ids().all(|id| graph.form(id) == Form::Source) {
        return Ok(());
    }
    let message = "this graph has instructions already";
    Err(vec![Diagnostic::new(Code::Cover, Span::default(), message, "they were selected before")])
}

/// Instructions compute with values: as many as they need, whichever rule is chosen.
fn is_whole(graph: &Graph) -> Result<(), Vec<Diagnostic>> {
    let lacks = |id: &NodeId| {
        let (operands, wanted) = (graph.operands(*id), graph.op(*id).row().operands);
        let is_value = |at: usize| graph.node(operands[at]).mode == Mode::Is;
        let is_there = |(at, mode)| at < operands.len() && (mode != Mode::Is || is_value(at));
        graph.op(*id).is_selected() && !wanted.iter().copied().enumerate().all(is_there)
    };
    let Some(id) = graph.ids().find(lacks) else { return Ok(()) };
    let message = format!("an operand of {} is missing, or is no value", graph.op(id).row().name);
    let help = "`sonc firm verify --strict` says where";
    Err(vec![Diagnostic::new(Code::Cover, Span::default(), message, "this graph").with_help(help)])
}

fn refused(rule: &Rule) -> Vec<Diagnostic> {
    let message = format!("rule `{}` becomes no node of the case", rule.name);
    let help = "what it makes must be the instruction of its operation, with the same operands";
    let label = "some operation of this graph";
    vec![Diagnostic::new(Code::Cover, Span::default(), message, label).with_help(help)]
}

//! The changes of a selection: an instruction for each node, perhaps with an immediate operand.
use crate::diagnostics::{Code, Diagnostic};
use crate::firm::{self, NodeId, Op};
use crate::rules::{Replacement, Rule};
use crate::ttc::SelectedForm;
use crate::ttc::tr::implements;
use source::Span;

/// The change of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Change {
    /// It needs no instruction.
    #[default]
    Keep,
    /// It gets the instruction for the operation.
    Plain,
    /// It gets the instruction with the operand at `at` as an immediate operand.
    TakeImmediate { at: u8, mirrored: bool },
}

/// A form for each node, and the nodes with immediate operands, in their order.
#[derive(Default)]
pub struct Changes {
    pub forms: Vec<SelectedForm>,
    pub immediates: Vec<(NodeId, Change)>,
}

impl Changes {
    /// With memory for the changes of this number of nodes.
    pub fn with_capacity(nodes: usize) -> Changes {
        Changes { forms: Vec::with_capacity(nodes), immediates: Vec::new() }
    }

    /// Adds the change of the next node.
    pub fn push(&mut self, graph: &firm::Graph, id: NodeId, change: Change) {
        self.forms.push(match change {
            Change::Keep => SelectedForm::Source,
            Change::Plain => SelectedForm::Plain,
            Change::TakeImmediate { at, .. } => {
                self.immediates.push((id, change));
                immediate(graph, graph.operands(id)[usize::from(at)])
            }
        });
    }
}

/// The form with a constant as the immediate operand.
fn immediate(graph: &firm::Graph, constant: NodeId) -> SelectedForm {
    match graph.op(constant) {
        Op::Const(number) => SelectedForm::Number(number as i32),
        Op::SymConst(symbol) => SelectedForm::Symbol(symbol),
        _ => unreachable!("only constants are immediate operands"),
    }
}

/// Whether the case has instructions for an operation; it has none for arguments, calls, results,
/// choices and conversions.
pub fn has_instruction(op: Op) -> bool {
    if let Op::Call(_) = op {
        return false;
    }
    #[cfg(feature = "ch29")]
    if op == Op::Mux {
        return false;
    }
    op.is_selected() && !matches!(op, Op::Argument(_) | Op::Return | Op::Conv(_))
}

/// The change of an operation by the replacement of a rule; none if the case has no such
/// instruction.
pub fn change(replacement: Option<Replacement>, op: Op) -> Option<Change> {
    match replacement.filter(|it| implements(it.instruction, op))? {
        Replacement { immediate_operand: Some(at), mirrored, .. } => {
            Some(Change::TakeImmediate { at: at as u8, mirrored })
        }
        Replacement { immediate_operand: None, mirrored: false, .. } => Some(Change::Plain),
        Replacement { immediate_operand: None, mirrored: true, .. } => None,
    }
}

pub fn refused(rule: &Rule) -> Vec<Diagnostic> {
    let message = format!("rule `{}` becomes no node of the case", rule.name);
    let help = "what it makes must be the instruction of its operation, with the same operands";
    let label = "some operation of this graph";
    vec![Diagnostic::new(Code::Cover, Span::default(), message, label).with_help(help)]
}

//! Conditions: `!` and comparisons, which become one `Cmp`.
//!
//! A comparison that is only the operand of a `!` is not lowered itself: !(a < b) is a ≥ b. Neither
//! is one that is compared with 0: (a < b) == 0 is !(a < b).
use super::lowering::Lowering;
#[cfg(feature = "ch14")]
use super::memory::stored_value;
use crate::arith::{Relation, Unary};
#[cfg(feature = "ch12")]
use crate::floats;
use crate::schedule::Schedule;
use crate::{firm, sea};
use arena::SideTable;

/// A relation between two values; without the second one, between a value and 0.
struct Condition {
    relation: Relation,
    left: sea::NodeId,
    right: Option<sea::NodeId>,
}

/// The largest number of negations in a row that become one comparison.
const MAX_NEGATIONS: usize = 8;

/// The condition that the value `id` is not 0.
fn condition_of(graph: &sea::Graph, mut id: sea::NodeId) -> Condition {
    let mut negated = false;
    for _ in 0..MAX_NEGATIONS {
        if let Some(operand) = negated_condition(graph, id) {
            (id, negated) = (operand, !negated);
        }
    }
    #[cfg(feature = "ch12")]
    if let Some(relation) = float_relation(graph.op(id)) {
        let relation = if negated { floats::negated(relation) } else { relation };
        let [left, right] = graph.operands(id);
        return Condition { relation, left, right: Some(right) };
    }
    let (relation, left, right) = match graph.op(id) {
        sea::Op::Compare(it) => (it, graph.input(id, 0), Some(graph.input(id, 1))),
        _ => (Relation::NotEqual, id, None),
    };
    let relation = if negated { relation.negated() } else { relation };
    Condition { relation, left, right }
}

/// The operand of a `!`, or of a comparison of a condition with 0.
fn negated_condition(graph: &sea::Graph, id: sea::NodeId) -> Option<sea::NodeId> {
    match graph.op(id) {
        sea::Op::Unary(Unary::Not) => Some(graph.input(id, 0)),
        sea::Op::Compare(Relation::Equal) => {
            let [left, right] = graph.operands(id);
            let is_zero = graph.value(right) == Some(0);
            (is_zero && is_condition(graph.op(left))).then_some(left)
        }
        _ => None,
    }
}

/// Whether the value is a condition on other values.
fn is_condition(op: sea::Op) -> bool {
    #[cfg(feature = "ch12")]
    if float_relation(op).is_some() {
        return true;
    }
    matches!(op, sea::Op::Unary(Unary::Not) | sea::Op::Compare(_))
}

/// The relation that an operation on floats tests.
#[cfg(feature = "ch12")]
fn float_relation(op: sea::Op) -> Option<Relation> {
    let sea::Op::Float(float) = op else { return None };
    float.relation()
}

/// The nodes that are needed as values, and not only in conditions.
pub fn needed_as_value(graph: &sea::Graph, schedule: &Schedule) -> SideTable<sea::NodeId, bool> {
    let mut needed: SideTable<sea::NodeId, bool> = SideTable::new(graph.len());
    // The operands of a Phi may be after it, so they come first.
    #[cfg(feature = "ch05")]
    for &id in schedule.order.iter().filter(|&&id| matches!(graph.op(id), sea::Op::Phi(_))) {
        graph.inputs(id).for_each(|input| needed[input] = true);
    }
    for &id in schedule.order.iter().rev() {
        if !is_condition(graph.op(id)) {
            #[cfg(feature = "ch14")]
            if !needed[id] && matches!(graph.op(id), sea::Op::Binary(_)) {
                continue;
            }
            need_inputs(graph, id, &mut needed);
        } else if needed[id] {
            need_operands(graph, id, &mut needed);
        }
    }
    needed
}

/// Both sides of a comparison are needed.
fn need_operands(graph: &sea::Graph, id: sea::NodeId, needed: &mut SideTable<sea::NodeId, bool>) {
    let Condition { left, right, .. } = condition_of(graph, id);
    needed[left] = true;
    right.into_iter().for_each(|right| needed[right] = true);
}

fn need_inputs(graph: &sea::Graph, id: sea::NodeId, needed: &mut SideTable<sea::NodeId, bool>) {
    #[cfg(feature = "ch05")]
    if graph.op(id) == sea::Op::If {
        return need_operands(graph, graph.input(id, 1), needed);
    }
    #[cfg(feature = "ch14")]
    if let sea::Op::Store(field) = graph.op(id) {
        needed[graph.input(id, 2)] = true;
        needed[stored_value(graph, field, graph.input(id, 3))] = true;
        return;
    }
    graph.inputs(id).for_each(|input| needed[input] = true);
}

impl Lowering<'_> {
    /// The condition as an integer of the language.
    pub fn truth(&mut self, id: sea::NodeId) -> firm::NodeId {
        let truth = self.condition(id);
        #[cfg(feature = "ch14")]
        let truth = self.extended(truth);
        truth
    }

    /// 1 if `id` is not 0, else 0.
    pub fn condition(&mut self, id: sea::NodeId) -> firm::NodeId {
        let Condition { relation, left, right } = condition_of(self.sea, id);
        #[cfg(feature = "ch29")]
        if let Some(iterations) = self.counters[left] {
            return self.remain(left, iterations, relation.holds(0, 1));
        }
        let left = self.value(left);
        let mode = self.firm.value_mode(left);
        let right = match right {
            Some(right) => self.value(right),
            None => self.add(firm::Op::Const(0), mode, &[]),
        };
        self.add(firm::Op::Cmp(relation), mode, &[left, right])
    }
}

//! Rules that inspect no more than one operation and its operands: the instruction that replaces
//! the operation.
//!
//! The instruction has the operands of the operation, one of which may be its immediate operand.
//! The best such rule for an operation depends on the kinds of its operands only.
use super::function::PLAIN;
use super::pattern::{Operand, Pattern};
use super::program_graph::has_one_user;
use super::{Immediate, NameId, OperandTemplate, Rule, RuleSet};
use crate::firm::Op;

/// An instruction in place of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// Its number among the instructions of the target.
    pub instruction: usize,
    /// The operand of the operation that is its immediate operand.
    pub immediate_operand: Option<usize>,
    /// Its operands are swapped, and for a comparison its relation is mirrored.
    pub mirrored: bool,
}

/// The origin of an operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Register(NameId),
    Number(NameId),
    Symbol(NameId),
}

impl RuleSet {
    /// The replacements of all variants.
    pub fn replacements(&self) -> Vec<Option<Replacement>> {
        (0..self.variants.len()).map(|variant| self.replacement(variant as u32)).collect()
    }

    /// The replacement of the operation at the root of a variant; none if the variant is not one
    /// instruction with the same operands.
    pub fn replacement(&self, variant: u32) -> Option<Replacement> {
        let pattern = &self.variants[variant as usize].pattern;
        let rule = self.rule(variant);
        let [step] = &rule.steps[..] else { return None };
        if !rule.extra_roots.is_empty() || !rule.fixed.is_empty() || !keeps_relation(rule, pattern)
        {
            return None;
        }
        let mut required = origins(pattern)?;
        let slots = self.target.instructions[step.instruction].operands;
        let read = slots.iter().zip(&step.operands).filter(|(slot, _)| !slot.writes());
        let read: Option<Vec<_>> = read.filter_map(|(_, operand)| origin(operand)).collect();
        let read = read?;
        let is_node = |operand: &Operand| matches!(operand, Operand::Node(_));
        let replacement = |mirrored| Replacement {
            instruction: step.instruction,
            immediate_operand: pattern.operands.iter().position(is_node),
            mirrored,
        };
        let mirrors = |mirrored| !pattern.op.has_relation() || pattern.mirrored == mirrored;
        if mirrors(false) && required == read {
            return Some(replacement(false));
        }
        required.reverse();
        let is_swapped = pattern.op.commutes(pattern.mode) && mirrors(true) && required == read;
        is_swapped.then(|| replacement(true))
    }

    /// The first rule for one of these operations that inspects more than the kinds of its
    /// operands.
    pub fn first_nested_rule(&self, is_selected: impl Fn(Op) -> bool) -> Option<&Rule> {
        let inspects_more = |(number, rule): &(usize, &Rule)| {
            let own = |at: &usize| self.variants[*at].rule == *number;
            let has_replacements = (0..self.variants.len())
                .filter(own)
                .all(|at| self.replacement(at as u32).is_some());
            is_selected(rule.pattern.op) && !(has_replacements && rule.guards.is_empty())
        };
        self.rules.iter().enumerate().find(inspects_more).map(|(_, rule)| rule)
    }
}

/// Whether a comparison has the relation of its pattern.
fn keeps_relation(rule: &Rule, pattern: &Pattern) -> bool {
    let relations = rule.steps.iter().flat_map(|step| &step.operands);
    let mut relations = relations.filter_map(|operand| match operand {
        OperandTemplate::Condition(slot) => Some(Some(*slot)),
        OperandTemplate::Relation(_) => Some(None),
        _ => None,
    });
    let bound = pattern.binds.filter(|_| pattern.op.has_relation());
    relations.all(|relation| relation == bound)
}

/// The constant and the operands of a pattern's operation; none if an operand is an operation that
/// may have other uses, or if a name is repeated.
fn origins(pattern: &Pattern) -> Option<Vec<Origin>> {
    let own = constant(pattern).map(Some);
    let operands = pattern.operands.iter().filter_map(|operand| match operand {
        Operand::Memory => None,
        Operand::Value(slot) => Some(Some(Origin::Register(*slot))),
        Operand::Node(inner) => Some(constant(inner)),
        Operand::Repeated(_) => Some(None),
    });
    let origins: Option<Vec<_>> = own.into_iter().chain(operands).collect();
    let constants = pattern.operands.iter().filter(|it| matches!(it, Operand::Node(_))).count();
    origins.filter(|_| constants <= 1)
}

/// The number or the symbol of a constant.
fn constant(pattern: &Pattern) -> Option<Origin> {
    let slot = pattern.binds.filter(|_| has_one_user(pattern.op))?;
    Some(match pattern.op {
        Op::SymConst(_) => Origin::Symbol(slot),
        _ => Origin::Number(slot),
    })
}

/// The origin of an operand; the inner option is none if the operand is computed, the outer one if
/// it is no value.
fn origin(operand: &OperandTemplate) -> Option<Option<Origin>> {
    match operand {
        OperandTemplate::Register(slot) => Some(Some(Origin::Register(*slot))),
        OperandTemplate::Immediate(Immediate::Of(function, slot))
            if function.name == PLAIN.name =>
        {
            Some(Some(Origin::Number(*slot)))
        }
        OperandTemplate::Symbol(slot) => Some(Some(Origin::Symbol(*slot))),
        OperandTemplate::Condition(_)
        | OperandTemplate::Relation(_)
        | OperandTemplate::Block(_) => None,
        OperandTemplate::Real(_) | OperandTemplate::Immediate(_) | OperandTemplate::Address(_) => {
            Some(None)
        }
    }
}

//! Rules that look no further than an operation and its operands: what each makes of them.
//!
//! Such a rule is an instruction that has the operands of the operation, one of which it may hold
//! itself. Which of such rules is best at an operation depends on what its operands are, and on
//! nothing else.
use super::function::PLAIN;
use super::pattern::{Operand, Pattern};
use super::program_graph::has_one_user;
use super::{Immediate, NameId, Rule, RuleSet, Template};
use crate::firm::Op;

/// An instruction in place of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// Its number among the instructions of the target.
    pub instruction: usize,
    /// Which operand of the operation it holds itself.
    pub held: Option<usize>,
    /// It has the operands in the other order, and for a comparison the mirrored relation.
    pub mirrored: bool,
}

/// Where an operand of an instruction comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Register(NameId),
    Number(NameId),
    Symbol(NameId),
}

impl RuleSet {
    /// What a variant makes of the operation at its root; none if it is more, or something else,
    /// than one instruction with the same operands.
    pub fn replacement(&self, variant: u32) -> Option<Replacement> {
        let pattern = &self.variants[variant as usize].pattern;
        let rule = self.rule(variant);
        let [step] = &rule.steps[..] else { return None };
        if !rule.partners.is_empty() || !rule.fixed.is_empty() || !keeps_relation(rule, pattern) {
            return None;
        }
        let mut wanted = origins(pattern)?;
        let slots = self.target.instructions[step.instruction].operands;
        let read = slots.iter().zip(&step.operands).filter(|(slot, _)| !slot.writes());
        let read: Option<Vec<_>> = read.filter_map(|(_, operand)| origin(operand)).collect();
        let read = read?;
        let is_node = |operand: &Operand| matches!(operand, Operand::Node(_));
        let version = |mirrored| Replacement {
            instruction: step.instruction,
            held: pattern.operands.iter().position(is_node),
            mirrored,
        };
        let mirrors = |mirrored| !pattern.op.has_relation() || pattern.mirrored == mirrored;
        if mirrors(false) && wanted == read {
            return Some(version(false));
        }
        wanted.reverse();
        let turns = pattern.op.commutes() && mirrors(true) && wanted == read;
        turns.then(|| version(true))
    }

    /// The first rule for one of these operations that looks further than its operands, or at more
    /// than what they are.
    pub fn first_nested_rule(&self, asked: impl Fn(Op) -> bool) -> Option<&Rule> {
        let far = |(number, rule): &(usize, &Rule)| {
            let own = |at: &usize| self.variants[*at].rule == *number;
            let makes_versions = (0..self.variants.len())
                .filter(own)
                .all(|at| self.replacement(at as u32).is_some());
            asked(rule.pattern.op) && !(makes_versions && rule.guards.is_empty())
        };
        self.rules.iter().enumerate().find(far).map(|(_, rule)| rule)
    }
}

/// Whether a comparison compares as its pattern says.
fn keeps_relation(rule: &Rule, pattern: &Pattern) -> bool {
    let relations = rule.steps.iter().flat_map(|step| &step.operands);
    let mut relations = relations.filter_map(|operand| match operand {
        Template::Condition(slot) => Some(Some(*slot)),
        Template::Relation(_) => Some(None),
        _ => None,
    });
    let bound = pattern.binds.filter(|_| pattern.op.has_relation());
    relations.all(|relation| relation == bound)
}

/// What the operation of a pattern carries and has as operands; none if that is an operation that
/// somebody else may want, or if a name is met again.
fn origins(pattern: &Pattern) -> Option<Vec<Origin>> {
    let own = constant(pattern).map(Some);
    let operands = pattern.operands.iter().filter_map(|operand| match operand {
        Operand::Memory => None,
        Operand::Value(slot) => Some(Some(Origin::Register(*slot))),
        Operand::Node(inner) => Some(constant(inner)),
        Operand::Again(_) => Some(None),
    });
    let origins: Option<Vec<_>> = own.into_iter().chain(operands).collect();
    let held = pattern.operands.iter().filter(|it| matches!(it, Operand::Node(_))).count();
    origins.filter(|_| held <= 1)
}

/// The number or the symbol that a constant is.
fn constant(pattern: &Pattern) -> Option<Origin> {
    let slot = pattern.binds.filter(|_| has_one_user(pattern.op))?;
    Some(match pattern.op {
        Op::SymConst(_) => Origin::Symbol(slot),
        _ => Origin::Number(slot),
    })
}

/// Where an operand comes from; none inside if it is made of something, none at all if it is no
/// value.
fn origin(operand: &Template) -> Option<Option<Origin>> {
    match operand {
        Template::Register(slot) => Some(Some(Origin::Register(*slot))),
        Template::Immediate(Immediate::Of(function, slot)) if function.name == PLAIN.name => {
            Some(Some(Origin::Number(*slot)))
        }
        Template::Symbol(slot) => Some(Some(Origin::Symbol(*slot))),
        Template::Condition(_) | Template::Relation(_) | Template::Block(_) => None,
        Template::Real(_) | Template::Immediate(_) | Template::Address(_) => Some(None),
    }
}

//! The location of a rule's result, and the operands that its instructions overwrite.
use super::pattern::{NameId, Pattern};
use super::resolve::{Body, Resolver};
use super::{InstructionTemplate, OperandTemplate, ResultLocation};
use crate::firm::Mode;
use crate::target::InstructionForm;
use rule_text::Identifier;

/// Whether the operation of a pattern is an effect, not a value.
pub fn yields_nothing(pattern: &Pattern) -> bool {
    matches!(pattern.op.value_mode(pattern.mode), Mode::X | Mode::M)
}

impl Resolver<'_> {
    /// The location of the result: the register that `out` names, or else the register that the
    /// last writing instruction writes.
    pub fn result(&self, pattern: &Pattern, body: &Body) -> Option<ResultLocation> {
        if yields_nothing(pattern) {
            return None;
        }
        let written = |(step, _): &(InstructionTemplate, &Identifier)| {
            let mut operands = self.row(step).operands.iter().zip(&step.operands);
            operands.find_map(|(slot, operand)| match operand {
                OperandTemplate::Register(name) if slot.writes() => {
                    Some(ResultLocation::Name(*name))
                }
                _ => None,
            })
        };
        if let Some((location, _)) = body.out.last() {
            return Some(*location);
        }
        #[cfg(feature = "ch10")]
        if let Some(named) = self.named_result(pattern) {
            return Some(named);
        }
        body.steps.iter().rev().find_map(written)
    }

    /// The operand of the pattern that an instruction reads and overwrites. If the rule is one
    /// instruction and its operands commute, both operands.
    pub fn tied(&self, pattern: &Pattern, body: &Body) -> Vec<NameId> {
        let values = pattern.values();
        let updated = |(step, _): &(InstructionTemplate, &Identifier)| {
            let mut operands = self.row(step).operands.iter().zip(&step.operands);
            operands.find_map(|(slot, operand)| match operand {
                OperandTemplate::Register(name) if slot.reads() && slot.writes() => Some(*name),
                _ => None,
            })
        };
        let tied = body.steps.iter().find_map(updated).filter(|name| values.contains(name));
        let either =
            pattern.op.commutes(pattern.mode) && pattern.size() == 1 && body.steps.len() == 1;
        if tied.is_some() && either { values } else { tied.into_iter().collect() }
    }

    pub fn row(&self, step: &InstructionTemplate) -> &'static InstructionForm {
        &self.target.instructions[step.instruction]
    }
}

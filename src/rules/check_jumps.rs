//! Checks that a rule of a jump reaches each target once.
use super::jump::blocks;
use super::resolve::{Body, Resolver};
use super::{InstructionTemplate, OperandTemplate};
use crate::firm::Op;
use crate::target::{Effect, OperandConstraint};
use rule_text::Identifier;
use source::Span;

impl Resolver<'_> {
    /// The last instructions jump, once to each block; all but the last on a condition.
    pub fn check_jumps(&mut self, op: Op, name: &Identifier, body: &Body) {
        let steps = &body.steps;
        let first = steps.iter().position(|(step, _)| self.jumps(step)).unwrap_or(steps.len());
        for (at, (step, word)) in steps.iter().enumerate().skip(first) {
            let is_last = at + 1 == steps.len();
            if !self.jumps(step) {
                let message = format!("`{}` is after a jump", word.text);
                self.report(word.span, message, "jumps come last");
            } else if is_last && self.is_conditional(step) {
                let message = format!("`{}` is a conditional jump", word.text);
                self.report(word.span, message, "the last jump must be unconditional");
            } else if !is_last && !self.is_conditional(step) {
                let message = format!("`{}` is an unconditional jump", word.text);
                self.report(word.span, message, "the next instruction is never reached");
            }
        }
        for &(block, truth) in blocks(op) {
            self.check_target(name.span, block, truth, &steps[first..]);
        }
    }

    fn check_target(
        &mut self,
        rule: Span,
        block: &str,
        truth: bool,
        jumps: &[(InstructionTemplate, &Identifier)],
    ) {
        let jumps_there = |step: &InstructionTemplate| {
            step.operands.iter().any(|it| matches!(it, OperandTemplate::Block(it) if *it == truth))
        };
        let mut jumps = jumps.iter().filter(|(step, _)| jumps_there(step)).map(|(_, word)| word);
        if jumps.next().is_none() {
            let message = format!("this rule never jumps to `{block}`");
            self.report(rule, message, "a jump must reach each target");
        } else if let Some(second) = jumps.next() {
            self.report(second.span, format!("a second jump to `{block}`"), "one is enough");
        }
    }

    fn jumps(&self, step: &InstructionTemplate) -> bool {
        self.row(step).effect == Effect::Jumps
    }

    fn is_conditional(&self, step: &InstructionTemplate) -> bool {
        self.row(step).operands.contains(&OperandConstraint::Condition)
    }
}

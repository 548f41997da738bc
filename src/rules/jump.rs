//! Jumps in rules: the names of their targets, relations by name, and the check that a rule jumps
//! to each target.
use super::resolve::{Body, Resolver};
use super::target::{Effect, OperandConstraint};
use super::{InstructionTemplate, OperandTemplate};
use crate::arith::Relation;
use crate::firm::Op;
use rule_text::Identifier;
use source::Span;

/// The targets of an operation: their names in rules, and the value of the condition for them.
fn blocks(op: Op) -> &'static [(&'static str, bool)] {
    match op {
        Op::Jmp => &[("next", true)],
        Op::Cond => &[("true", true), ("false", false)],
        _ => &[],
    }
}

/// A relation that the rule names, though its pattern binds none: `eq`, `ne`, `lt`, …
pub fn relation(word: &Identifier) -> Option<OperandTemplate> {
    let named = |it: &Relation| it.row().name.to_lowercase() == word.text;
    Relation::ALL.into_iter().find(named).map(OperandTemplate::Relation)
}

impl Resolver<'_> {
    /// The block of this name.
    pub fn block(&mut self, word: &Identifier) -> Option<OperandTemplate> {
        let root = self.root?;
        let of = |op: Op| blocks(op).iter().find(|(name, _)| *name == word.text);
        if let Some((_, truth)) = of(root) {
            return Some(OperandTemplate::Block(*truth));
        }
        of(Op::Jmp).or(of(Op::Cond))?;
        let names: Vec<_> = blocks(root).iter().map(|(name, _)| format!("`{name}`")).collect();
        let targets = if names.is_empty() { "no block".to_string() } else { names.join(" or ") };
        let message = format!("{} does not jump to `{}`", root.row().name, word.text);
        self.report(word.span, message, &format!("it jumps to {targets}"));
        Some(OperandTemplate::Block(true))
    }

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

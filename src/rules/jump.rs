//! Jumps in rules: the names of blocks, relations by name, and that control goes on at all.
use super::ast::Identifier;
use super::resolve::{Body, Resolver};
use super::target::{Effect, OperandConstraint};
use super::{Step, Template};
use crate::arith::Relation;
use crate::firm::Op;
use source::Span;

/// The blocks that an operation goes to: what rules call them, and when it goes there.
fn blocks(op: Op) -> &'static [(&'static str, bool)] {
    match op {
        Op::Jmp => &[("next", true)],
        Op::Cond => &[("true", true), ("false", false)],
        _ => &[],
    }
}

/// A relation that the rule names, though its pattern binds none: `eq`, `ne`, `lt`, …
pub fn relation(word: &Identifier) -> Option<Template> {
    let named = |it: &Relation| it.row().name.to_lowercase() == word.text;
    Relation::ALL.into_iter().find(named).map(Template::Relation)
}

impl Resolver<'_> {
    /// The block of this name.
    pub fn block(&mut self, word: &Identifier) -> Option<Template> {
        let root = self.root?;
        let of = |op: Op| blocks(op).iter().find(|(name, _)| *name == word.text);
        if let Some((_, truth)) = of(root) {
            return Some(Template::Block(*truth));
        }
        of(Op::Jmp).or(of(Op::Cond))?;
        let names: Vec<_> = blocks(root).iter().map(|(name, _)| format!("`{name}`")).collect();
        let goes = if names.is_empty() { "no block".to_string() } else { names.join(" or ") };
        let message = format!("{} does not go to `{}`", root.row().name, word.text);
        self.report(word.span, message, &format!("it goes to {goes}"));
        Some(Template::Block(true))
    }

    /// The last instructions jump, once to each block; all but the last on a condition.
    pub fn check_jumps(&mut self, op: Op, name: &Identifier, body: &Body) {
        let steps = &body.steps;
        let first = steps.iter().position(|(step, _)| self.jumps(step)).unwrap_or(steps.len());
        for (at, (step, word)) in steps.iter().enumerate().skip(first) {
            let is_last = at + 1 == steps.len();
            if !self.jumps(step) {
                let message = format!("`{}` stands behind a jump", word.text);
                self.report(word.span, message, "jumps come last");
            } else if is_last && self.is_conditional(step) {
                let message = format!("`{}` jumps only sometimes", word.text);
                self.report(word.span, message, "the last instruction must always jump");
            } else if !is_last && !self.is_conditional(step) {
                let message = format!("`{}` always jumps", word.text);
                self.report(word.span, message, "what follows is never reached");
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
        jumps: &[(Step, &Identifier)],
    ) {
        let goes = |step: &Step| {
            step.operands.iter().any(|it| matches!(it, Template::Block(it) if *it == truth))
        };
        let mut there = jumps.iter().filter(|(step, _)| goes(step)).map(|(_, word)| word);
        if there.next().is_none() {
            let message = format!("this rule never goes to `{block}`");
            self.report(rule, message, "control must go on there, too");
        } else if let Some(again) = there.next() {
            self.report(again.span, format!("a second jump to `{block}`"), "one is enough");
        }
    }

    fn jumps(&self, step: &Step) -> bool {
        self.row(step).effect == Effect::Jumps
    }

    fn is_conditional(&self, step: &Step) -> bool {
        self.row(step).operands.contains(&OperandConstraint::Condition)
    }
}

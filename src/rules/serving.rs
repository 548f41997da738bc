//! Which patterns are there: whether a rule will do for a needed one.
//!
//! A rule serves a need if it has the same pattern, asks of the numbers nothing but what is known
//! of them, and does not ask that two values or operations are the same one that need not be.
//! Patterns that differ in names and in the order of operands only are of one form, so those of
//! one form are all that must be looked at.
use super::overlay::{Extent, overlay};
use super::pattern::{Kind, Operand, Pattern};
use super::required_patterns::GuardedPattern;
use super::tree_expansion::operation;
use std::collections::HashMap;

/// The number of a form.
type Form = usize;

const MEMORY: Form = 0;
const VALUE: Form = 1;

#[derive(Default)]
pub struct Served {
    forms: HashMap<(Kind, Vec<Form>), Form>,
    /// The patterns of each form.
    known: HashMap<Form, Vec<GuardedPattern>>,
}

impl Served {
    pub fn add(&mut self, rule: GuardedPattern) {
        let form = self.form(&rule.pattern, &rule.pattern);
        self.known.entry(form).or_default().push(rule);
    }

    /// Whether there is a rule for a need, with its operands in every order in which it fits.
    pub fn holds(&mut self, need: &GuardedPattern) -> bool {
        let form = self.form(&need.pattern, &need.pattern);
        let Some(known) = self.known.get(&form) else { return false };
        let serves = |need: &GuardedPattern, rule: &GuardedPattern| {
            overlay(rule, need, &need.pattern, Extent::Whole, &mut |_| true)
        };
        // A rule that may turn all its operands serves all orders or none.
        if !known.iter().any(|rule| is_ordered(&rule.pattern)) {
            return known.iter().any(|rule| serves(need, rule));
        }
        need.pattern.commuted().into_iter().all(|pattern| {
            let order = GuardedPattern { pattern, guards: need.guards.clone() };
            known.iter().any(|rule| serves(&order, rule))
        })
    }

    /// The form of a part of a pattern. Patterns are small, so this recurses.
    fn form(&mut self, part: &Pattern, whole: &Pattern) -> Form {
        let operands = part.operands.iter().map(|operand| match operand {
            Operand::Memory => MEMORY,
            _ => operation(operand, whole).map_or(VALUE, |inner| self.form(inner, whole)),
        });
        let mut operands: Vec<_> = operands.collect();
        if part.op.commutes() {
            operands.sort_unstable();
        }
        let new = self.forms.len() + VALUE + 1;
        *self.forms.entry((part.kind, operands)).or_insert(new)
    }
}

/// Whether some operands stay where they are written.
fn is_ordered(pattern: &Pattern) -> bool {
    let inside = |operand: &Operand| match operand {
        Operand::Node(inner) => is_ordered(inner),
        Operand::Memory | Operand::Value(_) | Operand::Again(_) => false,
    };
    pattern.ordered || pattern.operands.iter().any(inside)
}

//! Whether a rule subsumes a required pattern.
//!
//! A rule subsumes a required pattern if it has the same pattern, its guards are implied, and it
//! does not require two values or operations to be equal that may differ. Patterns that differ in
//! names and in the order of operands only have the same form, so a lookup compares only patterns
//! of one form.
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
pub struct PatternIndex {
    forms: HashMap<(Kind, Vec<Form>), Form>,
    /// The patterns of each form.
    known: HashMap<Form, Vec<GuardedPattern>>,
}

impl PatternIndex {
    pub fn add(&mut self, rule: GuardedPattern) {
        let form = self.form(&rule.pattern, &rule.pattern);
        self.known.entry(form).or_default().push(rule);
    }

    /// Whether there is a rule for a required pattern, with its operands in every order in which it
    /// matches.
    pub fn has_rule_for(&mut self, need: &GuardedPattern) -> bool {
        let form = self.form(&need.pattern, &need.pattern);
        let Some(known) = self.known.get(&form) else { return false };
        let subsumes = |need: &GuardedPattern, rule: &GuardedPattern| {
            overlay(rule, need, &need.pattern, Extent::Whole, &mut |_| true)
        };
        // A rule without `ordered` subsumes all orders or none.
        if !known.iter().any(|rule| is_ordered(&rule.pattern)) {
            return known.iter().any(|rule| subsumes(need, rule));
        }
        need.pattern.commuted().into_iter().all(|pattern| {
            let order = GuardedPattern { pattern, guards: need.guards.clone() };
            known.iter().any(|rule| subsumes(&order, rule))
        })
    }

    /// The form of a part of a pattern. Patterns are small, so this recurses.
    fn form(&mut self, part: &Pattern, whole: &Pattern) -> Form {
        let operands = part.operands.iter().map(|operand| match operand {
            Operand::Memory => MEMORY,
            _ => operation(operand, whole).map_or(VALUE, |inner| self.form(inner, whole)),
        });
        let mut operands: Vec<_> = operands.collect();
        if part.op.commutes(part.mode) {
            operands.sort_unstable();
        }
        let new = self.forms.len() + VALUE + 1;
        *self.forms.entry((part.kind, operands)).or_insert(new)
    }
}

/// Whether a part of the pattern is `ordered`.
fn is_ordered(pattern: &Pattern) -> bool {
    let inside = |operand: &Operand| match operand {
        Operand::Node(inner) => is_ordered(inner),
        Operand::Memory | Operand::Value(_) | Operand::Repeated(_) => false,
    };
    pattern.ordered || pattern.operands.iter().any(inside)
}

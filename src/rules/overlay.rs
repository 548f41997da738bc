//! Matches the pattern of a rule against a required pattern.
//!
//! If operands of the rule commute, both orders are tried. Each name of the rule has one
//! counterpart.
use super::Guard;
use super::pattern::{NameId, Operand, Pattern};
use super::required_patterns::GuardedPattern;
use super::tree_expansion::operation;

/// The counterpart of a name of the rule.
#[derive(Clone, Copy)]
pub enum Counterpart<'n> {
    /// A name of the required pattern.
    Name(NameId),
    /// The value of an operation that the rule reads from a register.
    Below(&'n Pattern),
    /// An operation that the rule covers.
    Covered(&'n Pattern),
}

/// The counterparts of the names that have occurred.
pub type Substitution<'n> = Vec<(NameId, Counterpart<'n>)>;

/// The part of the required pattern that a rule must match.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Its upper part, which is then printed. The language has no notation for a mirrored relation.
    Upper,
}

/// Calls `found` for each match of a rule at the operation `at` of a required pattern, until it
/// returns true. Returns whether it did.
pub fn overlay<'n>(
    rule: &'n GuardedPattern,
    need: &'n GuardedPattern,
    at: &'n Pattern,
    extent: Extent,
    found: &mut dyn FnMut(&Substitution<'n>) -> bool,
) -> bool {
    let mut overlay = Overlay { rule, need, extent, open: Vec::new(), names: Vec::new() };
    let mut guarded = |names: &Substitution<'n>| {
        let known = |guard: &Guard| {
            names.iter().any(|(name, bound)| match bound {
                Counterpart::Name(own) => *name == guard.name() && need.implies(*own, guard),
                Counterpart::Below(_) | Counterpart::Covered(_) => false,
            })
        };
        rule.guards.iter().all(known) && found(names)
    };
    overlay.node(&rule.pattern, at, &mut guarded)
}

struct Overlay<'n> {
    rule: &'n GuardedPattern,
    need: &'n GuardedPattern,
    extent: Extent,
    /// Operands of the rule and of the required pattern that are still to be matched.
    open: Vec<(&'n Operand, &'n Operand)>,
    names: Substitution<'n>,
}

type Found<'f, 'n> = &'f mut dyn FnMut(&Substitution<'n>) -> bool;

impl<'n> Overlay<'n> {
    /// Matches the open operands. Restores all state before it returns. Patterns are small, so this
    /// recurses.
    fn match_rest(&mut self, found: Found<'_, 'n>) -> bool {
        let Some((rule, need)) = self.open.pop() else { return found(&self.names) };
        let done = self.operand(rule, need, found);
        self.open.push((rule, need));
        done
    }

    fn operand(&mut self, rule: &'n Operand, need: &'n Operand, found: Found<'_, 'n>) -> bool {
        let covered = operation(rule, &self.rule.pattern);
        let part = operation(need, &self.need.pattern);
        match (covered, part) {
            (Some(covered), Some(part)) => self.node(covered, part, found),
            (Some(_), None) => false,
            (None, Some(part)) => {
                let name = rule.value().filter(|_| self.extent == Extent::Upper);
                name.is_some_and(|name| self.bind(name, Counterpart::Below(part), found))
            }
            (None, None) => match (rule.value(), need.value()) {
                (Some(name), Some(own)) => self.bind(name, Counterpart::Name(own), found),
                (None, None) => self.match_rest(found),
                (Some(_), None) | (None, Some(_)) => false,
            },
        }
    }

    fn bind(&mut self, name: NameId, to: Counterpart<'n>, found: Found<'_, 'n>) -> bool {
        let count = self.names.len();
        let done = self.substitute(name, to) && self.match_rest(found);
        self.names.truncate(count);
        done
    }

    /// Records the counterpart of a name; false if the name has another one.
    fn substitute(&mut self, name: NameId, to: Counterpart<'n>) -> bool {
        match self.names.iter().find(|(known, _)| *known == name) {
            Some((_, known)) => known.is_same(to),
            None => {
                self.names.push((name, to));
                true
            }
        }
    }

    fn node(&mut self, rule: &'n Pattern, need: &'n Pattern, found: Found<'_, 'n>) -> bool {
        let is_known = |(name, _): &(NameId, Counterpart)| Some(*name) == rule.name;
        if let Some((_, known)) = self.names.iter().find(|it| is_known(it)) {
            return known.is_same(Counterpart::Covered(need)) && self.match_rest(found);
        }
        let (count, open) = (self.names.len(), self.open.len());
        let attributes =
            rule.binds.zip(need.binds).map(|(name, own)| (name, Counterpart::Name(own)));
        let named = rule.name.map(|name| (name, Counterpart::Covered(need)));
        let mut bound = named.into_iter().chain(attributes);
        let mut done = false;
        if rule.kind == need.kind && bound.all(|(name, to)| self.substitute(name, to)) {
            let has_no_notation =
                self.extent == Extent::Upper && rule.op.has_relation() && rule.binds.is_some();
            let orders: &[bool] =
                if rule.can_commute() && !has_no_notation { &[false, true] } else { &[false] };
            done = orders.iter().any(|swapped| {
                let pairs = rule.operands.iter().rev().zip(need.operands.iter().rev());
                self.open.extend(pairs);
                if *swapped {
                    let operands = need.operands.iter();
                    self.open[open..].iter_mut().zip(operands).for_each(|(it, of)| it.1 = of);
                }
                let done = self.match_rest(found);
                self.open.truncate(open);
                done
            });
        }
        self.names.truncate(count);
        done
    }
}

impl Counterpart<'_> {
    fn is_same(self, other: Counterpart) -> bool {
        match (self, other) {
            (Counterpart::Name(a), Counterpart::Name(b)) => a == b,
            (Counterpart::Below(a), Counterpart::Below(b))
            | (Counterpart::Covered(a), Counterpart::Covered(b)) => std::ptr::eq(a, b),
            (Counterpart::Name(_) | Counterpart::Below(_) | Counterpart::Covered(_), _) => false,
        }
    }
}

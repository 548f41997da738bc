//! How the pattern of a rule lies over a needed one.
//!
//! Where operands of the rule may change places, both orders are tried. Each name of the rule
//! stands for one thing.
use super::Guard;
use super::pattern::{NameId, Operand, Pattern};
use super::required_patterns::GuardedPattern;
use super::tree_expansion::operation;

/// What a name of the rule stands for.
#[derive(Clone, Copy)]
pub enum Bound<'n> {
    /// A name of the need.
    Name(NameId),
    /// The value of an operation that the rule finds in a register.
    Below(&'n Pattern),
    /// An operation that the rule covers.
    Covered(&'n Pattern),
}

/// What the names of a rule stand for, as far as they have been met.
pub type Names<'n> = Vec<(NameId, Bound<'n>)>;

/// What may be done with a pattern that lies on another one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// It is all of it.
    Whole,
    /// It is the upper part, and it is to be written down: the language has no word for the
    /// mirrored relation.
    Upper,
}

/// Calls `found` for each way in which a rule lies over the operation `at` of a need, until it
/// returns true; whether it did.
pub fn overlay<'n>(
    rule: &'n GuardedPattern,
    need: &'n GuardedPattern,
    at: &'n Pattern,
    extent: Extent,
    found: &mut dyn FnMut(&Names<'n>) -> bool,
) -> bool {
    let mut overlay = Overlay { rule, need, extent, open: Vec::new(), names: Vec::new() };
    let mut guarded = |names: &Names<'n>| {
        let known = |guard: &Guard| {
            names.iter().any(|(name, bound)| match bound {
                Bound::Name(own) => *name == guard.slot() && need.knows(*own, guard),
                Bound::Below(_) | Bound::Covered(_) => false,
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
    /// Operands of the rule and of the need that must fit yet.
    open: Vec<(&'n Operand, &'n Operand)>,
    names: Names<'n>,
}

type Found<'f, 'n> = &'f mut dyn FnMut(&Names<'n>) -> bool;

impl<'n> Overlay<'n> {
    /// Goes on with what is open. Whatever was changed is as before when it returns. Patterns are
    /// small, so this recurses.
    fn go_on(&mut self, found: Found<'_, 'n>) -> bool {
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
                name.is_some_and(|name| self.bind(name, Bound::Below(part), found))
            }
            (None, None) => match (rule.value(), need.value()) {
                (Some(name), Some(own)) => self.bind(name, Bound::Name(own), found),
                (None, None) => self.go_on(found),
                (Some(_), None) | (None, Some(_)) => false,
            },
        }
    }

    fn bind(&mut self, name: NameId, to: Bound<'n>, found: Found<'_, 'n>) -> bool {
        let count = self.names.len();
        let done = self.note(name, to) && self.go_on(found);
        self.names.truncate(count);
        done
    }

    /// Whether a name may stand for this.
    fn note(&mut self, name: NameId, to: Bound<'n>) -> bool {
        match self.names.iter().find(|(known, _)| *known == name) {
            Some((_, known)) => known.is_same(to),
            None => {
                self.names.push((name, to));
                true
            }
        }
    }

    fn node(&mut self, rule: &'n Pattern, need: &'n Pattern, found: Found<'_, 'n>) -> bool {
        let is_known = |(name, _): &(NameId, Bound)| Some(*name) == rule.name;
        if let Some((_, known)) = self.names.iter().find(|it| is_known(it)) {
            return known.is_same(Bound::Covered(need)) && self.go_on(found);
        }
        let (count, open) = (self.names.len(), self.open.len());
        let attributes = rule.binds.zip(need.binds).map(|(name, own)| (name, Bound::Name(own)));
        let named = rule.name.map(|name| (name, Bound::Covered(need)));
        let mut bound = named.into_iter().chain(attributes);
        let mut done = false;
        if rule.kind == need.kind && bound.all(|(name, to)| self.note(name, to)) {
            let has_no_word =
                self.extent == Extent::Upper && rule.op.has_relation() && rule.binds.is_some();
            let orders: &[bool] =
                if rule.can_commute() && !has_no_word { &[false, true] } else { &[false] };
            done = orders.iter().any(|turned| {
                let pairs = rule.operands.iter().rev().zip(need.operands.iter().rev());
                self.open.extend(pairs);
                if *turned {
                    let operands = need.operands.iter();
                    self.open[open..].iter_mut().zip(operands).for_each(|(it, of)| it.1 = of);
                }
                let done = self.go_on(found);
                self.open.truncate(open);
                done
            });
        }
        self.names.truncate(count);
        done
    }
}

impl Bound<'_> {
    fn is_same(self, other: Bound) -> bool {
        match (self, other) {
            (Bound::Name(a), Bound::Name(b)) => a == b,
            (Bound::Below(a), Bound::Below(b)) | (Bound::Covered(a), Bound::Covered(b)) => {
                std::ptr::eq(a, b)
            }
            (Bound::Name(_) | Bound::Below(_) | Bound::Covered(_), _) => false,
        }
    }
}

//! Patterns that a set of rules must have, and whether a rule will do for one.
//!
//! A need is a pattern and what is known of its numbers wherever the pattern is needed.
use super::pattern::{NameId, Operand, Pattern};
use super::{Guard, Rule, RuleSet};
use crate::firm::Op;
use source::Span;

/// A pattern, and the guards that hold wherever it is looked at. An operation that is met again has
/// a name, which stands for it from then on.
#[derive(Clone, Debug)]
pub struct GuardedPattern {
    pub pattern: Pattern,
    pub guards: Vec<Guard>,
}

/// A pattern that is missing.
#[derive(Clone, Debug)]
pub struct MissingPattern {
    pub guarded: GuardedPattern,
    pub why: Why,
    /// The rule it is missing for, and the place in it; none if every set of rules needs it.
    pub origin: Option<(usize, Span)>,
}

/// What a pattern is needed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// There is this operation.
    Atomic,
    /// It is one of several patterns that a rule makes at once.
    Root,
    /// It is what the pattern of a rule has below its root.
    Part,
    /// It is what remains of a pattern if an operand is in a register.
    Cut,
}

impl Guard {
    pub fn slot(&self) -> NameId {
        match self {
            Guard::Equal(slot, _) | Guard::Property(slot, _) | Guard::Alone(slot) => *slot,
        }
    }

    /// The same of another number.
    pub fn of(self, slot: NameId) -> Guard {
        match self {
            Guard::Equal(_, number) => Guard::Equal(slot, number),
            Guard::Property(_, property) => Guard::Property(slot, property),
            Guard::Alone(_) => Guard::Alone(slot),
        }
    }
}

impl GuardedPattern {
    /// A tree, in which copies of an operation have its name; of the guards those that are about
    /// its numbers.
    pub fn new(tree: &Pattern, guards: &[Guard]) -> GuardedPattern {
        let mut builder = PatternBuilder::sharing(tree);
        let mut pattern = builder.node(tree);
        let mut met = Vec::new();
        pattern.values_met(&mut met);
        pattern.tell_apart(&met);
        let mut guards = builder.guards(guards);
        guards.retain(|guard| !matches!(guard, Guard::Alone(_)));
        GuardedPattern { pattern, guards }
    }

    /// An operation whose operands are values, each its own, whatever its number or relation.
    pub fn atomic(op: Op) -> GuardedPattern {
        let operands = op.row().operands.iter().enumerate().map(|(at, mode)| match mode {
            crate::firm::Mode::M => Operand::Memory,
            _ => Operand::Value(at as NameId),
        });
        let pattern = Pattern {
            op,
            kind: super::pattern::kind(op),
            mode: None,
            name: None,
            binds: None,
            mirrored: false,
            ordered: false,
            told_apart: false,
            operands: operands.collect(),
        };
        GuardedPattern::new(&pattern, &[])
    }

    /// Whether its guards contradict each other, so that it is never needed.
    pub fn is_impossible(&self) -> bool {
        self.guards.iter().any(|guard| match *guard {
            Guard::Equal(slot, number) => self.guards.iter().any(|other| match *other {
                Guard::Equal(same, another) => same == slot && another != number,
                Guard::Property(same, property) => same == slot && !(property.holds)(number),
                Guard::Alone(_) => false,
            }),
            Guard::Property(..) | Guard::Alone(_) => false,
        })
    }

    /// Whether a guard is known to hold of the number `slot`.
    pub fn knows(&self, slot: NameId, guard: &Guard) -> bool {
        self.guards.iter().filter(|known| known.slot() == slot).any(|known| {
            match (*known, *guard) {
                (Guard::Equal(_, number), Guard::Equal(_, wanted)) => number == wanted,
                (Guard::Equal(_, number), Guard::Property(_, property)) => (property.holds)(number),
                (Guard::Property(_, known), Guard::Property(_, property)) => {
                    known.name == property.name
                }
                (Guard::Property(..), Guard::Equal(..)) => false,
                // Nobody knows who else there is.
                (Guard::Alone(_), _) | (_, Guard::Alone(_)) => false,
            }
        })
    }
}

/// The pattern and those below its operations, each once, in the order they are written.
pub fn parts(pattern: &Pattern) -> Vec<&Pattern> {
    let inner = pattern.operands.iter().filter_map(|operand| match operand {
        Operand::Memory | Operand::Value(_) | Operand::Again(_) => None,
        Operand::Node(inner) => Some(parts(inner)),
    });
    [vec![pattern], inner.flatten().collect()].concat()
}

/// Gives names of its own to a pattern: 0, 1, 2, …, in the order they are written.
#[derive(Default)]
pub struct PatternBuilder {
    /// Of each new name, the old one.
    names: Vec<Option<NameId>>,
    /// The old names of operations that are met again, and of those that have been met.
    shared: Vec<NameId>,
    met: Vec<NameId>,
}

impl PatternBuilder {
    /// One that writes an operation once that is met again.
    fn sharing(tree: &Pattern) -> PatternBuilder {
        let mut builder = PatternBuilder::default();
        builder.share(tree, &mut Vec::new());
        builder
    }

    fn share(&mut self, tree: &Pattern, met: &mut Vec<NameId>) {
        for operand in &tree.operands {
            let Operand::Node(inner) = operand else { continue };
            match inner.name {
                Some(name) if met.contains(&name) => self.shared.push(name),
                name => {
                    met.extend(name);
                    self.share(inner, met);
                }
            }
        }
    }

    fn name(&mut self, old: Option<NameId>) -> NameId {
        let known = self.names.iter().position(|it| old.is_some() && *it == old);
        known.unwrap_or_else(|| {
            self.names.push(old);
            self.names.len() - 1
        }) as NameId
    }

    pub fn node(&mut self, tree: &Pattern) -> Pattern {
        let name = tree.name.filter(|name| self.shared.contains(name));
        self.met.extend(name);
        let name = name.map(|name| self.name(Some(name)));
        let binds = has_attribute(tree.op).then(|| self.name(tree.binds));
        let operands = tree.operands.iter().map(|operand| self.operand(operand)).collect();
        // What is needed is needed for every relation, mirrored or not.
        Pattern { name, binds, mirrored: false, operands, ..tree.clone() }
    }

    fn operand(&mut self, operand: &Operand) -> Operand {
        match operand {
            Operand::Memory => Operand::Memory,
            Operand::Value(slot) | Operand::Again(slot) => Operand::Value(self.name(Some(*slot))),
            Operand::Node(inner) => match inner.name.filter(|name| self.met.contains(name)) {
                Some(name) => Operand::Again(self.name(Some(name))),
                None => Operand::Node(self.node(inner)),
            },
        }
    }

    /// The old name of each new one.
    pub fn old_names(self) -> Vec<Option<NameId>> {
        self.names
    }

    /// What guards say of the names that were taken.
    pub fn guards(&self, guards: &[Guard]) -> Vec<Guard> {
        let own = |guard: &Guard| {
            let name = self.names.iter().position(|it| *it == Some(guard.slot()))?;
            Some(guard.of(name as NameId))
        };
        guards.iter().filter_map(own).collect()
    }
}

pub fn has_attribute(op: Op) -> bool {
    op.number().is_some() || op.has_relation()
}

/// Every pattern of a set that a rule has alone, with the guards of the rule, and its number.
pub fn patterns(rules: &RuleSet) -> impl Iterator<Item = (GuardedPattern, usize)> {
    let alone = |(_, rule): &(usize, &Rule)| rule.partners.is_empty();
    rules.rules.iter().enumerate().filter(alone).map(|(number, rule)| {
        (GuardedPattern { pattern: rule.pattern.clone(), guards: rule.guards.clone() }, number)
    })
}

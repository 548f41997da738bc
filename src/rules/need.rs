//! Patterns that a set of rules must have, and whether a rule will do for one.
//!
//! A need is a pattern and what is known of its numbers wherever the pattern is needed. A rule
//! serves it if it has the same pattern, asks of the numbers nothing but what is known of them,
//! and does not ask that two values are the same one that need not be.
use super::pattern::{Operand, Pattern, Slot};
use super::{Guard, RuleSet};
use crate::firm::Op;
use source::Span;

/// A pattern, and the guards that hold wherever it is looked at.
#[derive(Clone, Debug)]
pub struct Guarded {
    pub pattern: Pattern,
    pub guards: Vec<Guard>,
}

/// A pattern that is missing.
#[derive(Clone, Debug)]
pub struct Need {
    pub guarded: Guarded,
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
    pub fn slot(&self) -> Slot {
        match self {
            Guard::Equal(slot, _) | Guard::Property(slot, _) | Guard::Alone(slot) => *slot,
        }
    }

    /// The same of another number.
    pub fn of(self, slot: Slot) -> Guard {
        match self {
            Guard::Equal(_, number) => Guard::Equal(slot, number),
            Guard::Property(_, property) => Guard::Property(slot, property),
            Guard::Alone(_) => Guard::Alone(slot),
        }
    }
}

impl Guarded {
    /// An operation whose operands are values, each its own, whatever its number or relation.
    pub fn atomic(op: Op) -> Guarded {
        let operands = op.row().operands.iter().map(|mode| match mode {
            crate::firm::Mode::M => Operand::Memory,
            _ => Operand::Value(0),
        });
        let pattern = Pattern {
            op,
            kind: super::pattern::kind(op),
            mode: None,
            name: None,
            binds: None,
            mirrored: false,
            ordered: false,
            operands: operands.collect(),
        };
        let mut builder = Builder::default();
        let pattern = builder.apart(&pattern);
        Guarded { pattern, guards: Vec::new() }
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

    /// Whether a rule with the pattern and the guards of `rule` fits wherever this is needed.
    pub fn is_served_by(&self, rule: &Guarded) -> bool {
        let mut pairs = Vec::new();
        aligned(&self.pattern, &rule.pattern, &mut pairs)
            && pairs.iter().all(|a| pairs.iter().all(|b| a.1 != b.1 || a.0 == b.0))
            && rule.guards.iter().all(|guard| {
                pairs.iter().any(|&(own, slot)| slot == guard.slot() && self.knows(own, guard))
            })
    }

    /// Whether a guard is known to hold of the number `slot`.
    pub fn knows(&self, slot: Slot, guard: &Guard) -> bool {
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

/// Whether two patterns have the same shape; which name of `a` stands where which of `b` does.
fn aligned(a: &Pattern, b: &Pattern, pairs: &mut Vec<(Slot, Slot)>) -> bool {
    if a.kind != b.kind || a.operands.len() != b.operands.len() {
        return false;
    }
    pairs.extend(a.binds.zip(b.binds));
    a.operands.iter().zip(&b.operands).all(|pair| match pair {
        (Operand::Memory, Operand::Memory) => true,
        (Operand::Value(a), Operand::Value(b)) => {
            pairs.push((*a, *b));
            true
        }
        (Operand::Node(a), Operand::Node(b)) => aligned(a, b, pairs),
        (Operand::Memory | Operand::Value(_) | Operand::Node(_) | Operand::Again(_), _) => false,
    })
}

/// The pattern below a node, and the pattern itself, in the order they are written.
pub fn parts(pattern: &Pattern) -> Vec<&Pattern> {
    let inner = pattern.operands.iter().filter_map(|operand| match operand {
        Operand::Memory | Operand::Value(_) | Operand::Again(_) => None,
        Operand::Node(inner) => Some(parts(inner)),
    });
    [vec![pattern], inner.flatten().collect()].concat()
}

/// Puts together a pattern from parts of others, and gives names of its own to it: 0, 1, 2, …,
/// in the order they are written.
#[derive(Default)]
pub struct Builder {
    /// Of each new name, the pattern it comes from, by a number, and its name there.
    names: Vec<Option<(usize, Slot)>>,
}

impl Builder {
    fn name(&mut self, old: Option<(usize, Slot)>) -> Slot {
        let known = self.names.iter().position(|it| old.is_some() && *it == old);
        known.unwrap_or_else(|| {
            self.names.push(old);
            self.names.len() - 1
        }) as Slot
    }

    /// A value that has no name yet.
    pub fn value(&mut self) -> Operand {
        Operand::Value(self.name(None))
    }

    /// A copy of a pattern that comes from pattern number `from`, with other operands.
    pub fn root(
        &mut self,
        from: usize,
        pattern: &Pattern,
        operands: impl FnOnce(&mut Builder) -> Vec<Operand>,
    ) -> Pattern {
        let binds =
            has_attribute(pattern.op).then(|| self.name(pattern.binds.map(|slot| (from, slot))));
        // What is needed is needed for every relation, mirrored or not.
        Pattern { binds, mirrored: false, operands: operands(self), ..pattern.clone() }
    }

    pub fn node(&mut self, from: usize, pattern: &Pattern) -> Pattern {
        self.root(from, pattern, |builder| {
            pattern.operands.iter().map(|operand| builder.operand(from, operand)).collect()
        })
    }

    pub fn operand(&mut self, from: usize, operand: &Operand) -> Operand {
        match operand {
            Operand::Memory => Operand::Memory,
            Operand::Value(slot) | Operand::Again(slot) => {
                Operand::Value(self.name(Some((from, *slot))))
            }
            Operand::Node(inner) => Operand::Node(self.node(from, inner)),
        }
    }

    /// A copy whose values are all apart.
    fn apart(&mut self, pattern: &Pattern) -> Pattern {
        self.root(0, pattern, |builder| {
            let apart = |operand: &Operand| match operand {
                Operand::Value(_) | Operand::Again(_) => builder.value(),
                Operand::Memory | Operand::Node(_) => operand.clone(),
            };
            pattern.operands.iter().map(apart).collect()
        })
    }

    /// What guards of pattern number `from` say of the names that were taken from it.
    /// The name in pattern number 0 of each new name.
    pub fn old_names(&self) -> Vec<Option<Slot>> {
        self.names.iter().map(|old| old.map(|(_, slot)| slot)).collect()
    }

    pub fn guards(&self, from: usize, guards: &[Guard]) -> Vec<Guard> {
        let own = |guard: &Guard| {
            let name = self.names.iter().position(|it| *it == Some((from, guard.slot())))?;
            Some(guard.of(name as Slot))
        };
        guards.iter().filter_map(own).collect()
    }
}

pub fn has_attribute(op: Op) -> bool {
    op.number().is_some() || op.has_relation()
}

/// Every pattern of a set that is a tree, with the guards of its rule, and the number of the rule.
pub fn patterns(rules: &RuleSet) -> impl Iterator<Item = (Guarded, usize)> {
    rules.variants.iter().filter_map(|variant| {
        let rule = &rules.rules[variant.rule];
        let pattern = rule.plain_tree(&variant.pattern)?;
        Some((Guarded { pattern, guards: rule.guards.clone() }, variant.rule))
    })
}

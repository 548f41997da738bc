//! Patterns that a rule set must have, with the guards that hold for them.
//!
//! A requirement is a pattern and the guards that hold wherever it is required.
use super::pattern::{NameId, Operand, Pattern};
use super::{Guard, Rule, RuleSet};
use crate::firm::{Mode, Op};
use source::Span;

/// A pattern, and the guards that hold for it. A repeated operation has a name, which refers to its
/// first occurrence.
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
    /// The rule that requires it, and the span in that rule; none if every rule set requires it.
    pub origin: Option<(usize, Span)>,
}

/// The reason why a pattern is required.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Each operation needs a pattern.
    Atomic,
    /// It is one of several results of a rule.
    Root,
    /// It is below the root of a rule's pattern.
    Part,
    /// It is a pattern with an operand in a register.
    Cut,
}

impl Guard {
    pub fn name(&self) -> NameId {
        match self {
            Guard::Equal(name_id, _) | Guard::Property(name_id, _) => *name_id,
            Guard::Unshared(name_id) | Guard::Natural(name_id) => *name_id,
            Guard::Complements(name_id, _) => *name_id,
        }
    }

    /// The same guard of other names, if all of its names have one.
    pub fn of(self, new: impl Fn(NameId) -> Option<NameId>) -> Option<Guard> {
        let name_id = new(self.name())?;
        Some(match self {
            Guard::Equal(_, number) => Guard::Equal(name_id, number),
            Guard::Property(_, property) => Guard::Property(name_id, property),
            Guard::Unshared(_) => Guard::Unshared(name_id),
            Guard::Natural(_) => Guard::Natural(name_id),
            Guard::Complements(_, other) => Guard::Complements(name_id, new(other)?),
        })
    }

    /// Whether it is about a number of the pattern alone: then it is known wherever the pattern is.
    pub fn is_about_number(&self) -> bool {
        matches!(self, Guard::Equal(..) | Guard::Property(..))
    }
}

impl GuardedPattern {
    /// From a tree, in which copies of an operation have its name. Guards of other names are
    /// dropped.
    pub fn new(tree: &Pattern, guards: &[Guard]) -> GuardedPattern {
        let mut builder = PatternBuilder::sharing(tree);
        let mut pattern = builder.node(tree);
        let mut met = Vec::new();
        pattern.collect_operand_names(&mut met);
        pattern.mark_repeated_operands(&met);
        let mut guards = builder.guards(guards);
        // A rule is required wherever its pattern is, whatever the other guards say about the
        // program or about two numbers.
        guards.retain(Guard::is_about_number);
        GuardedPattern { pattern, guards }
    }

    /// An operation whose operands are distinct values, with any number or relation.
    pub fn atomic(op: Op, mode: Mode) -> GuardedPattern {
        let operands = op.row().operands.iter().enumerate().map(|(at, of)| match of.of(mode) {
            Mode::M => Operand::Memory,
            _ => Operand::Value(at as NameId),
        });
        let pattern = Pattern {
            op,
            kind: super::pattern::kind(op, mode),
            mode,
            name: None,
            binds: None,
            mirrored: false,
            ordered: false,
            has_repeated_operand: false,
            operands: operands.collect(),
        };
        GuardedPattern::new(&pattern, &[])
    }

    /// Whether its guards contradict each other, so that it is never required.
    pub fn is_impossible(&self) -> bool {
        self.guards.iter().any(|guard| match *guard {
            Guard::Equal(name_id, number) => self.guards.iter().any(|other| match *other {
                Guard::Equal(same, another) => same == name_id && another != number,
                Guard::Property(same, property) => same == name_id && !(property.holds)(number),
                _ => false,
            }),
            _ => false,
        })
    }

    /// Whether the guards of `name_id` imply another guard.
    pub fn implies(&self, name_id: NameId, guard: &Guard) -> bool {
        self.guards.iter().filter(|known| known.name() == name_id).any(|known| {
            match (*known, *guard) {
                (Guard::Equal(_, number), Guard::Equal(_, other)) => number == other,
                (Guard::Equal(_, number), Guard::Property(_, property)) => (property.holds)(number),
                (Guard::Property(_, known), Guard::Property(_, property)) => {
                    known.name == property.name
                }
                (Guard::Property(..), Guard::Equal(..)) => false,
                // Uses outside of the pattern are unknown, and so are signs and other numbers.
                (known, other) => {
                    debug_assert!(!known.is_about_number() || !other.is_about_number());
                    false
                }
            }
        })
    }
}

/// The pattern and those below its operations, each once, in written order.
pub fn parts(pattern: &Pattern) -> Vec<&Pattern> {
    let inner = pattern.operands.iter().filter_map(|operand| match operand {
        Operand::Memory | Operand::Value(_) | Operand::Repeated(_) => None,
        Operand::Node(inner) => Some(parts(inner)),
    });
    [vec![pattern], inner.flatten().collect()].concat()
}

/// Renumbers the names of a pattern: 0, 1, 2, …, in written order.
#[derive(Default)]
pub struct PatternBuilder {
    /// The old name of each new one.
    names: Vec<Option<NameId>>,
    /// The old names of repeated operations, and of those that have occurred.
    shared: Vec<NameId>,
    met: Vec<NameId>,
}

impl PatternBuilder {
    /// A builder that writes a repeated operation once.
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
        // The pattern is required for every relation, mirrored or not.
        Pattern { name, binds, mirrored: false, operands, ..tree.clone() }
    }

    fn operand(&mut self, operand: &Operand) -> Operand {
        match operand {
            Operand::Memory => Operand::Memory,
            Operand::Value(name_id) | Operand::Repeated(name_id) => {
                Operand::Value(self.name(Some(*name_id)))
            }
            Operand::Node(inner) => match inner.name.filter(|name| self.met.contains(name)) {
                Some(name) => Operand::Repeated(self.name(Some(name))),
                None => Operand::Node(self.node(inner)),
            },
        }
    }

    /// The old name of each new one.
    pub fn old_names(self) -> Vec<Option<NameId>> {
        self.names
    }

    /// The guards of the renumbered names.
    pub fn guards(&self, guards: &[Guard]) -> Vec<Guard> {
        let own = |guard: &Guard| {
            guard.of(|old| {
                let name = self.names.iter().position(|it| *it == Some(old))?;
                Some(name as NameId)
            })
        };
        guards.iter().filter_map(own).collect()
    }
}

pub fn has_attribute(op: Op) -> bool {
    op.number().is_some() || op.has_relation()
}

/// Every pattern that is the only one of a rule, with the guards of the rule, and its number.
pub fn patterns(rules: &RuleSet) -> impl Iterator<Item = (GuardedPattern, usize)> {
    let has_one_root = |(_, rule): &(usize, &Rule)| rule.extra_roots.is_empty();
    rules.rules.iter().enumerate().filter(has_one_root).map(|(number, rule)| {
        (GuardedPattern { pattern: rule.pattern.clone(), guards: rule.guards.clone() }, number)
    })
}

//! The cheapest cover of a pattern by the patterns of other rules.
//!
//! A pattern is a tree, so the cheapest cover below an operation does not depend on what is above
//! it: from the leaves up, each operation is the root of the rule that costs least together with
//! the covers of what the rule leaves (dynamic programming; A. Aho, S. Johnson, 1976).
use super::need::{Guarded, parts, patterns};
use super::pattern::{Operand, Pattern, Slot};
use super::{Guard, Rule, RuleSet};

/// What covers an operation and all below it.
pub struct Cover<'r> {
    pub rule: usize,
    /// What each name of the rule's pattern stands for.
    pub bound: Vec<(Slot, Bound<'r>)>,
    cost: Cost,
}

/// What a name stands for: a name of the covered pattern, or what another cover computes.
#[derive(Clone, Copy)]
pub enum Bound<'r> {
    Name(Slot),
    Below(&'r Pattern),
}

/// Cycles count four times, as where speed is preferred; of equal sums the one with fewer
/// instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cost {
    sum: u64,
    steps: usize,
}

impl Cost {
    fn of(rule: &Rule) -> Cost {
        let sum = 4 * u64::from(rule.cycles) + u64::from(rule.bytes);
        Cost { sum, steps: rule.steps.len() }
    }

    fn plus(self, other: Cost) -> Cost {
        Cost { sum: self.sum + other.sum, steps: self.steps + other.steps }
    }
}

/// For every operation of a pattern, in the order they are written, the cheapest rule whose root
/// it can be; none if nothing covers it.
pub fn covers<'n>(rules: &RuleSet, need: &'n Guarded) -> Vec<Option<Cover<'n>>> {
    let all = parts(&need.pattern);
    let known: Vec<_> = patterns(rules).collect();
    let mut covers: Vec<Option<Cover>> = all.iter().map(|_| None).collect();
    // What stands below an operation is written behind it.
    for at in (0..all.len()).rev() {
        let fits = known.iter().filter_map(|(tree, rule)| {
            let mut cover = fit(&rules.rules[*rule], tree, need, all[at])?;
            cover.rule = *rule;
            for (_, bound) in &cover.bound {
                if let Bound::Below(part) = bound {
                    cover.cost = cover.cost.plus(covers[position(&all, part)].as_ref()?.cost);
                }
            }
            Some(cover)
        });
        covers[at] = fits.min_by_key(|cover| cover.cost);
    }
    covers
}

/// The place of a part among all parts of its pattern.
pub fn position(all: &[&Pattern], part: &Pattern) -> usize {
    let same = |it: &&Pattern| std::ptr::eq(*it, part);
    all.iter().position(same).expect("a part is one of all parts")
}

/// How a tree of a rule fits at an operation, whatever is below.
fn fit<'n>(rule: &Rule, tree: &Guarded, need: &'n Guarded, at: &'n Pattern) -> Option<Cover<'n>> {
    let mut bound = Vec::new();
    if !bind(&tree.pattern, at, &mut bound) || !each_once(&bound) {
        return None;
    }
    let known = |guard: &Guard| {
        bound.iter().any(|(name, it)| match it {
            Bound::Name(own) => *name == guard.slot() && need.knows(*own, guard),
            Bound::Below(_) => false,
        })
    };
    let fits = rule.guards.iter().all(known);
    fits.then(|| Cover { rule: 0, cost: Cost::of(rule), bound })
}

/// Whether each name stands for one thing.
fn each_once(bound: &[(Slot, Bound)]) -> bool {
    let same = |a: &Bound, b: &Bound| match (a, b) {
        (Bound::Name(a), Bound::Name(b)) => a == b,
        (Bound::Below(a), Bound::Below(b)) => std::ptr::eq(*a, *b),
        (Bound::Name(_) | Bound::Below(_), _) => false,
    };
    bound.iter().all(|(name, a)| bound.iter().all(|(other, b)| name != other || same(a, b)))
}

/// Lays a pattern over another one.
fn bind<'n>(rule: &Pattern, need: &'n Pattern, bound: &mut Vec<(Slot, Bound<'n>)>) -> bool {
    // The language has no word for the mirrored relation.
    let is_mirrored = rule.mirrored && rule.op.has_relation() && rule.binds.is_some();
    if rule.kind != need.kind || is_mirrored {
        return false;
    }
    bound.extend(rule.binds.zip(need.binds).map(|(name, own)| (name, Bound::Name(own))));
    rule.operands.iter().zip(&need.operands).all(|pair| match pair {
        (Operand::Memory, Operand::Memory) => true,
        (Operand::Value(name), Operand::Value(own)) => {
            bound.push((*name, Bound::Name(*own)));
            true
        }
        (Operand::Value(name), Operand::Node(part)) => {
            bound.push((*name, Bound::Below(part)));
            true
        }
        (Operand::Node(rule), Operand::Node(part)) => bind(rule, part, bound),
        (Operand::Memory | Operand::Value(_) | Operand::Node(_) | Operand::Again(_), _) => false,
    })
}

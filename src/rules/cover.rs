//! The cheapest cover of a pattern by the patterns of other rules.
//!
//! In a tree the cheapest cover below an operation does not depend on what is above it: from the
//! leaves up, each operation is the root of the rule that costs least together with the covers of
//! what the rule leaves (dynamic programming; A. Aho, S. Johnson, 1976). An operation that is met
//! again is counted as often, though its value is computed once; so such a cover may not be best.
use super::overlay::{Bound, Extent, Names, overlay};
use super::pattern::Pattern;
use super::required_patterns::{GuardedPattern, parts, patterns};
use super::tree_expansion::operation;
use super::{Rule, RuleSet};
use crate::firm::Op;

/// What covers an operation and all below it.
pub struct Cover<'r> {
    pub rule: usize,
    /// What each name of the rule's pattern stands for.
    pub bound: Names<'r>,
    cost: Cost,
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

/// The patterns that covers are made of, by the kinds of their roots.
pub struct Pieces {
    by_root: Vec<Vec<Piece>>,
}

struct Piece {
    guarded: GuardedPattern,
    rule: usize,
    size: usize,
    cost: Cost,
}

impl Pieces {
    pub fn new(rules: &RuleSet) -> Pieces {
        let mut by_root: Vec<_> = Op::KINDS.iter().map(|_| Vec::new()).collect();
        for (guarded, rule) in patterns(rules) {
            let (size, cost) = (guarded.pattern.size(), Cost::of(&rules.rules[rule]));
            let root: &mut Vec<Piece> = &mut by_root[usize::from(guarded.pattern.kind)];
            root.push(Piece { guarded, rule, size, cost });
        }
        Pieces { by_root }
    }

    /// For every operation of a pattern, in the order they are written, the cheapest rule whose
    /// root it can be; none if nothing covers it.
    pub fn covers<'n>(&'n self, need: &'n GuardedPattern) -> Vec<Option<Cover<'n>>> {
        let all = parts(&need.pattern);
        let mut covers: Vec<Option<Cover>> = all.iter().map(|_| None).collect();
        for at in from_below(&all, &need.pattern) {
            let mut best: Option<Cover> = None;
            let most = tree_size(all[at], &need.pattern);
            let fitting = self.by_root[usize::from(all[at].kind)].iter();
            for Piece { guarded, rule, cost, .. } in fitting.filter(|piece| piece.size <= most) {
                overlay(guarded, need, all[at], Extent::Upper, &mut |bound| {
                    let cost = with_covers(*cost, bound, &all, &covers);
                    if let Some(cost) = cost
                        && best.as_ref().is_none_or(|best| cost < best.cost)
                    {
                        best = Some(Cover { rule: *rule, bound: bound.clone(), cost });
                    }
                    false
                });
            }
            covers[at] = best;
        }
        covers
    }
}

/// The cost of a rule together with the covers of what it leaves.
fn with_covers(
    cost: Cost,
    bound: &Names,
    all: &[&Pattern],
    covers: &[Option<Cover>],
) -> Option<Cost> {
    bound.iter().try_fold(cost, |cost, (_, bound)| match bound {
        Bound::Below(part) => Some(cost.plus(covers[position(all, part)].as_ref()?.cost)),
        Bound::Name(_) | Bound::Covered(_) => Some(cost),
    })
}

/// The places of all parts of a pattern, each behind those below it.
fn from_below(all: &[&Pattern], whole: &Pattern) -> Vec<usize> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&at| tree_size(all[at], whole));
    order
}

/// How many operations the tree of a part of a pattern has.
fn tree_size(part: &Pattern, whole: &Pattern) -> usize {
    let below = part.operands.iter().filter_map(|operand| operation(operand, whole));
    1 + below.map(|inner| tree_size(inner, whole)).sum::<usize>()
}

/// The place of a part among all parts of its pattern.
pub fn position(all: &[&Pattern], part: &Pattern) -> usize {
    let same = |it: &&Pattern| std::ptr::eq(*it, part);
    all.iter().position(same).expect("a part is one of all parts")
}

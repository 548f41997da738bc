//! The cheapest cover of a pattern by the patterns of other rules.
//!
//! In a tree the cheapest cover below an operation does not depend on what is above it. From the
//! leaves up, each operation is the root of the rule that costs least together with the covers of
//! the operands that remain (dynamic programming; A. Aho, S. Johnson, 1976). A repeated operation
//! is counted at each occurrence, though it is computed once, so such a cover may not be optimal.
use super::overlay::{Counterpart, Extent, Substitution, overlay};
use super::pattern::{Pattern, kind_count};
use super::required_patterns::{GuardedPattern, parts, patterns};
use super::tree_expansion::operation;
use super::{Rule, RuleSet};

/// A cover of an operation and all operations below it.
pub struct Cover<'r> {
    pub rule: usize,
    /// The counterpart of each name of the rule's pattern.
    pub substitution: Substitution<'r>,
    cost: Cost,
}

/// Cycles have weight four, as in the objective speed. Of equal sums, fewer instructions are
/// better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cost {
    sum: u64,
    steps: usize,
}

impl Cost {
    fn of(rule: &Rule) -> Cost {
        let sum = 4 * u64::from(rule.cycles) + u64::from(rule.longest());
        Cost { sum, steps: rule.steps.len() }
    }

    fn plus(self, other: Cost) -> Cost {
        Cost { sum: self.sum + other.sum, steps: self.steps + other.steps }
    }
}

/// The patterns that covers consist of, by the kinds of their roots.
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
        let mut by_root: Vec<_> = (0..kind_count()).map(|_| Vec::new()).collect();
        for (guarded, rule) in patterns(rules) {
            let (size, cost) = (guarded.pattern.size(), Cost::of(&rules.rules[rule]));
            let root: &mut Vec<Piece> = &mut by_root[usize::from(guarded.pattern.kind)];
            root.push(Piece { guarded, rule, size, cost });
        }
        Pieces { by_root }
    }

    /// For every operation of a pattern, in written order, the cheapest rule that can have it as
    /// root; none if nothing covers it.
    pub fn covers<'n>(&'n self, need: &'n GuardedPattern) -> Vec<Option<Cover<'n>>> {
        let all = parts(&need.pattern);
        let mut covers: Vec<Option<Cover>> = all.iter().map(|_| None).collect();
        for at in from_below(&all, &need.pattern) {
            let mut best: Option<Cover> = None;
            let max_size = tree_size(all[at], &need.pattern);
            let candidates = self.by_root[usize::from(all[at].kind)].iter();
            for Piece { guarded, rule, cost, .. } in
                candidates.filter(|piece| piece.size <= max_size)
            {
                overlay(guarded, need, all[at], Extent::Upper, &mut |substitution| {
                    let cost = with_covers(*cost, substitution, &all, &covers);
                    if let Some(cost) = cost
                        && best.as_ref().is_none_or(|best| cost < best.cost)
                    {
                        best =
                            Some(Cover { rule: *rule, substitution: substitution.clone(), cost });
                    }
                    false
                });
            }
            covers[at] = best;
        }
        covers
    }
}

/// The cost of a rule together with the covers of its remaining operands.
fn with_covers(
    cost: Cost,
    substitution: &Substitution,
    all: &[&Pattern],
    covers: &[Option<Cover>],
) -> Option<Cost> {
    substitution.iter().try_fold(cost, |cost, (_, counterpart)| match counterpart {
        Counterpart::Below(part) => Some(cost.plus(covers[position(all, part)].as_ref()?.cost)),
        Counterpart::Name(_) | Counterpart::Covered(_) => Some(cost),
    })
}

/// The indices of all parts of a pattern, each after those below it.
fn from_below(all: &[&Pattern], whole: &Pattern) -> Vec<usize> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&at| tree_size(all[at], whole));
    order
}

/// The number of operations in the tree of a part of a pattern.
fn tree_size(part: &Pattern, whole: &Pattern) -> usize {
    let below = part.operands.iter().filter_map(|operand| operation(operand, whole));
    1 + below.map(|inner| tree_size(inner, whole)).sum::<usize>()
}

/// The index of a part among all parts of its pattern.
pub fn position(all: &[&Pattern], part: &Pattern) -> usize {
    let same = |it: &&Pattern| std::ptr::eq(*it, part);
    all.iter().position(same).expect("a part is one of all parts")
}

//! Ranges: intervals that contain all values of the operands of divisions.
//!
//! The values of a node follow from those of its inputs. In a block that a branch dominates, the
//! branch's test also restricts the tested values; `x & y` and `x | y` may be two tests. A Phi of a
//! loop begins with the values from outside; the nodes are visited again until no interval grows.
//! An interval that still grows at a Phi after some rounds is *widened* to a constant that the
//! program compares with or begins with, and later to 0 or to the end, so this takes few rounds. In
//! the last rounds the intervals shrink again where a test bounds them. Only the nodes that the
//! operands follow from are visited. The program is in the sea or in Firm. Source: P. Cousot, R.
//! Cousot, "Abstract Interpretation: A Unified Lattice Model for Static Analysis of Programs", POPL
//! 1977.
mod in_firm;
mod in_sea;

use crate::arith::{Binary, Interval, Relation, WORD, Width, remainder};
use arena::{Id, ListTable, SideTable, id};
use flow::{Dominators, dependencies};
pub use in_firm::{FirmRanges, ranges_in_firm, ranges_of};
#[cfg(feature = "ch15")]
pub use in_sea::ranges_of_sea;
pub use in_sea::{SeaRanges, ranges_in_sea};

/// Up to this round, intervals grow by the values that are found.
const LAST_EXACT_ROUND: u32 = 3;
/// Up to this round, a bound that moves goes on to a constant that the program compares with.
const LAST_ROUND_TO_CONSTANTS: u32 = 5;
/// Later, it goes on to one of these. Most values have one sign, and quotients keep it. A value
/// that fits a word needs one register.
const LAST_THRESHOLDS: [i64; 5] = [i64::MIN, WORD.min(), 0, WORD.max(), i64::MAX];
/// After so many rounds without an end, nothing is known.
const MAX_ROUNDS: u32 = 15;
/// The rounds in which intervals shrink. Each intermediate result is sound, too.
const SHRINKING_ROUNDS: usize = 2;
/// All integers.
const ALL: Interval = Interval::all(Width(64));
/// Later tests of one value are left out, so that a query takes constant time.
const MAX_TESTS: usize = 8;

/// A program in a form that has values in blocks.
pub trait Program {
    type Value: Id;
    type Block: Id;

    /// The number of its ids of values.
    fn len(&self) -> usize;

    /// The definition of a value, as far as intervals follow from it.
    fn definition(&self, value: Self::Value) -> Definition<Self::Value>;

    /// The block in which a value is computed.
    fn block_of(&self, value: Self::Value) -> Self::Block;

    /// The values that its interval follows from.
    fn inputs(&self, value: Self::Value) -> impl Iterator<Item = Self::Value>;

    /// The values among which a choice is made, each with the block at whose end it is read.
    fn choices(&self, choice: Self::Value) -> impl Iterator<Item = (Self::Value, Self::Block)>;
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Definition<V> {
    Constant(i64),
    /// An operation on integers of this width.
    Binary(Binary, Width, [V; 2]),
    /// 0 minus a value of this width.
    Minus(Width, V),
    /// An integer of this width with the lowest bits of a value.
    Converted(Width, V),
    /// One of several values.
    Choice,
    /// The first of two values, or the second one if the condition holds.
    #[cfg(feature = "ch29")]
    Select(Condition<V>, [V; 2]),
    /// Any other value; it is in this interval.
    Other(Interval),
}

/// A value that is 0 if a condition does not hold; it may be a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Condition<V> {
    value: V,
    comparison: Option<(Relation, [V; 2])>,
}

/// In `block`, and in all blocks that it dominates, the tested value has this relation to `other`;
/// without another value, to 0.
#[derive(Clone, Copy)]
pub struct Test<V, B> {
    block: B,
    relation: Relation,
    other: Option<V>,
}

impl<V, B> Test<V, B> {
    /// The part of an interval that the test allows; nothing is known of an `other` that no path
    /// has reached yet.
    fn restrict(&self, interval: Interval, other: Option<Interval>) -> Option<Interval> {
        match other {
            Some(other) => interval.restrict(self.relation, other),
            None => Some(interval),
        }
    }
}

/// Tests, each with its value.
type Tests<V, B> = Vec<(V, Test<V, B>)>;

/// The tests because of one branch: two if it compares two values.
type BranchTests<V, B> = [Option<(V, Test<V, B>)>; 2];

/// The possible values of the nodes of a program.
pub struct Ranges<V, B> {
    dominators: Dominators<B>,
    /// `None` before the first visit.
    intervals: SideTable<V, Option<Interval>>,
    /// The tests of each value that is tested.
    tests: ListTable<V, Test<V, B>>,
}

id! {
    /// One of the visited choices.
    ChoiceId
}

/// A value that is visited, its block, its definition, and its number if it is a choice.
type Defined<V, B> = (V, B, Definition<V>, ChoiceId);

/// The search for the ranges of a program.
struct Search<P: Program> {
    program: P,
    found: Ranges<P::Value, P::Block>,
    /// The values of each choice, so that a round does not search for them.
    choices: ListTable<ChoiceId, (P::Value, P::Block)>,
    /// The constants that the program compares with, and their neighbours, and those of choices,
    /// in order.
    thresholds: Vec<i64>,
    /// The number of this round, and of the last one that changed the interval of each value.
    round: u32,
    changed: SideTable<P::Value, u32>,
}

/// The ranges of some operands of divisions, and of all values that these follow from. `order` are
/// the values of the program, each after its inputs, back edges excepted.
fn ranges<P: Program>(
    program: P,
    dominators: Dominators<P::Block>,
    mut tests: Tests<P::Value, P::Block>,
    order: impl Iterator<Item = P::Value>,
    operands: Vec<P::Value>,
) -> Ranges<P::Value, P::Block> {
    let count = program.len();
    let mut thresholds = thresholds(&program, &tests);
    tests.retain(|it| !matches!(program.definition(it.0), Definition::Constant(_)));
    let tests = ListTable::group(count, tests.iter().copied());
    let is_needed = needed(&program, &tests, operands);
    let (mut visited, mut choices) = (Vec::with_capacity(count), ListTable::default());
    for value in order.filter(|it| is_needed[*it]) {
        let definition = program.definition(value);
        let choice = Id::from_index(choices.len());
        visited.push((value, program.block_of(value), definition, choice));
        if definition == Definition::Choice {
            let constants = program.choices(value).filter_map(|(of, _)| constant(&program, of));
            thresholds.extend(constants);
            choices.push(program.choices(value));
        }
    }
    thresholds.sort_unstable();
    let found = Ranges { dominators, intervals: SideTable::new(count), tests };
    let changed = SideTable::new(count);
    let mut search = Search { program, found, choices, thresholds, round: 0, changed };
    search.run(&visited);
    search.found
}

fn constant<P: Program>(program: &P, value: P::Value) -> Option<i64> {
    match program.definition(value) {
        Definition::Constant(number) => Some(number),
        _ => None,
    }
}

/// The bounds at which intervals may stop to grow: x < 9 and x <= 9 leave other values of x.
fn thresholds<P: Program>(program: &P, tests: &Tests<P::Value, P::Block>) -> Vec<i64> {
    let constants = tests.iter().filter_map(|&(value, _)| constant(program, value));
    let neighbours = constants.flat_map(|it| [it.saturating_sub(1), it, it.saturating_add(1)]);
    neighbours.chain(LAST_THRESHOLDS).collect()
}

/// The values that `operands` follow from.
fn needed<P: Program>(
    program: &P,
    tests: &ListTable<P::Value, Test<P::Value, P::Block>>,
    operands: Vec<P::Value>,
) -> SideTable<P::Value, bool> {
    dependencies(operands, program.len(), |value| {
        let tested = tests[value].iter().filter_map(|test| test.other);
        let is_source =
            matches!(program.definition(value), Definition::Constant(_) | Definition::Other(_));
        let inputs = (!is_source).then(|| program.inputs(value));
        tested.chain(inputs.into_iter().flatten())
    })
}

impl<V: Id, B: Id> Ranges<V, B> {
    /// Whether `id` may have the value `value` in `block`.
    pub fn may_be(&self, id: V, block: B, value: i64) -> bool {
        let holds = |test: &Test<V, B>| match self.other(test) {
            Some(other) if other.min == other.max => test.relation.holds(value, other.min),
            _ => true,
        };
        let interval = self.at(id, block).unwrap_or(ALL);
        interval.contains(value) && self.tests_at(id, block).all(holds)
    }

    /// Whether `id` is not negative in `block`.
    pub fn is_natural(&self, id: V, block: B) -> bool {
        self.at(id, block).is_some_and(|it| 0 <= it.min)
    }

    /// Whether `id` is 0 or 1 in `block`.
    #[cfg(feature = "ch29")]
    pub fn is_bit(&self, id: V, block: B) -> bool {
        self.at(id, block).is_some_and(|it| 0 <= it.min && it.max <= 1)
    }

    /// The tests of `id` that hold in `block`.
    fn tests_at(&self, id: V, block: B) -> impl Iterator<Item = &Test<V, B>> {
        let holds = move |test: &&Test<V, B>| self.dominators.dominates(test.block, block);
        self.tests[id].iter().take(MAX_TESTS).filter(holds)
    }

    /// Whether every path to `block` passes another block, `above`.
    #[cfg(feature = "ch15")]
    pub fn is_above(&self, above: B, block: B) -> bool {
        above != block && self.dominators.dominates(above, block)
    }

    /// The tests of `id` that hold in `block`: its relation to other values.
    #[cfg(feature = "ch15")]
    pub fn comparisons(&self, id: V, block: B) -> impl Iterator<Item = (Relation, V)> {
        self.tests_at(id, block).filter_map(|test| Some((test.relation, test.other?)))
    }

    /// The values that a test compares with, where the test is.
    fn other(&self, test: &Test<V, B>) -> Option<Interval> {
        let Some(other) = test.other else { return Some(Interval::constant(0)) };
        let bound = |test: &Test<V, B>| match test.other {
            Some(bound) => self.intervals[bound],
            None => Some(Interval::constant(0)),
        };
        self.restricted(other, test.block, bound)
    }

    /// The values of `id` in `block`; none if no path to the block was found yet.
    pub fn at(&self, id: V, block: B) -> Option<Interval> {
        if self.tests[id].is_empty() {
            return self.intervals[id];
        }
        self.restricted(id, block, |test| self.other(test))
    }

    /// The values of `id` that all tests allow which hold in `block`; `other` are the values that a
    /// test compares with.
    fn restricted(
        &self,
        id: V,
        block: B,
        other: impl Fn(&Test<V, B>) -> Option<Interval>,
    ) -> Option<Interval> {
        let restrict = |interval, test: &Test<V, B>| test.restrict(interval, other(test));
        self.tests_at(id, block).try_fold(self.intervals[id]?, restrict)
    }
}

impl<P: Program> Search<P> {
    /// Finds the intervals of the values in `order`.
    fn run(&mut self, order: &[Defined<P::Value, P::Block>]) {
        while self.grow(order) {
            if self.round == MAX_ROUNDS {
                self.found.intervals = SideTable::new(self.program.len());
                return;
            }
        }
        (0..SHRINKING_ROUNDS).for_each(|_| self.shrink(order));
    }

    /// Visits the values that may change; returns whether an interval grew.
    fn grow(&mut self, order: &[Defined<P::Value, P::Block>]) -> bool {
        let mut grew = false;
        self.round += 1;
        for &(id, block, definition, choice) in order {
            let old = self.found.intervals[id];
            if old == Some(ALL) || old.is_some() && self.is_settled(definition) {
                continue;
            }
            let next = self.interval(block, definition, choice);
            let is_choice = definition == Definition::Choice;
            let new = match (old, next) {
                (Some(old), Some(next)) if old.contains_all(next) => Some(old),
                (Some(old), Some(next)) if is_choice => Some(self.widened(old, next)),
                (Some(old), Some(next)) => Some(old.union(next)),
                (old, next) => old.or(next),
            };
            grew |= self.set(id, new);
        }
        grew
    }

    /// The interval of a Phi that contains `next`, too.
    fn widened(&self, old: Interval, next: Interval) -> Interval {
        if self.round <= LAST_EXACT_ROUND {
            return old.union(next);
        }
        let is_early = self.round <= LAST_ROUND_TO_CONSTANTS;
        old.widen(next, if is_early { &self.thresholds } else { &LAST_THRESHOLDS })
    }

    /// Visits the values that may change; their intervals may only shrink.
    fn shrink(&mut self, order: &[Defined<P::Value, P::Block>]) {
        self.round += 1;
        for &(id, block, definition, choice) in order {
            if !self.is_settled(definition) {
                self.set(id, self.interval(block, definition, choice));
            }
        }
    }

    /// Sets an interval; returns whether it is another one.
    fn set(&mut self, id: P::Value, new: Option<Interval>) -> bool {
        let is_changed = self.found.intervals[id] != new;
        if is_changed {
            (self.found.intervals[id], self.changed[id]) = (new, self.round);
        }
        is_changed
    }

    /// Whether the inputs of a value have not changed since its last visit. A Phi may have been
    /// widened then.
    fn is_settled(&self, definition: Definition<P::Value>) -> bool {
        let is_same =
            |id: P::Value| self.changed[id] + 1 < self.round && self.found.tests[id].is_empty();
        match definition {
            Definition::Choice => false,
            #[cfg(feature = "ch29")]
            Definition::Select(..) => false,
            Definition::Binary(_, _, [x, y]) => is_same(x) && is_same(y),
            Definition::Minus(_, x) | Definition::Converted(_, x) => is_same(x),
            Definition::Constant(_) | Definition::Other(_) => true,
        }
    }

    /// The values of a node in `block`, computed from those of its inputs.
    fn interval(
        &self,
        block: P::Block,
        definition: Definition<P::Value>,
        choice: ChoiceId,
    ) -> Option<Interval> {
        let input = |id| self.found.at(id, block);
        match definition {
            Definition::Constant(value) => Some(Interval::constant(value)),
            Definition::Choice => self.choice(choice),
            #[cfg(feature = "ch29")]
            Definition::Select(condition, values) => self.selected(block, condition, values),
            Definition::Binary(binary, width, [x, y]) => {
                let (left, right) = (input(x)?, input(y)?);
                let interval = binary.results(width, left, right);
                let divisor = self.divisor_of_remainder(binary, x, y);
                // No integer is in both only if the code is never executed.
                Some(match divisor.and_then(input) {
                    Some(divisor) => {
                        interval.intersect(remainder(width, left, divisor)).unwrap_or(interval)
                    }
                    None => interval,
                })
            }
            Definition::Minus(width, x) => {
                Some(Binary::Sub.results(width, Interval::constant(0), input(x)?))
            }
            Definition::Converted(width, x) => {
                let (all, values) = (Interval::all(width), input(x)?);
                Some(if all.min <= values.min && values.max <= all.max { values } else { all })
            }
            Definition::Other(known) => Some(known),
        }
    }

    /// The values of all edges that have been visited.
    fn choice(&self, id: ChoiceId) -> Option<Interval> {
        let known = self.choices[id].iter().filter_map(|it| self.found.at(it.0, it.1));
        known.reduce(Interval::union)
    }

    /// The values of both sides that the condition leaves.
    #[cfg(feature = "ch29")]
    fn selected(
        &self,
        block: P::Block,
        condition: Condition<P::Value>,
        values: [P::Value; 2],
    ) -> Option<Interval> {
        let known = [false, true].into_iter().zip(values).filter_map(|(truth, value)| {
            let tests = tests_of_branch(block, truth, condition).into_iter().flatten();
            let mut of_value = tests.filter(|it| it.0 == value).map(|it| it.1);
            let restrict = |interval, test: Test<_, _>| {
                let other = self.found.other(&test);
                test.restrict(interval, other)
            };
            of_value.try_fold(self.found.at(value, block)?, restrict)
        });
        known.reduce(Interval::union)
    }

    /// The divisor z if the operation is x - x / z · z.
    fn divisor_of_remainder(&self, binary: Binary, x: P::Value, y: P::Value) -> Option<P::Value> {
        let Binary::Sub = binary else { return None };
        let definition = |id| self.program.definition(id);
        let Definition::Binary(Binary::Mul, width, [left, right]) = definition(y) else {
            return None;
        };
        let is_quotient =
            |of: P::Value, by| definition(of) == Definition::Binary(Binary::Div, width, [x, by]);
        let mut factors = [(left, right), (right, left)].into_iter();
        factors.find(|&(quotient, divisor)| is_quotient(quotient, divisor)).map(|it| it.1)
    }
}

/// The tests that hold in a block because a branch has led there: its condition, a comparison or
/// else any value, has this truth.
fn tests_of_branch<V: Id, B: Id>(
    block: B,
    truth: bool,
    condition: Condition<V>,
) -> BranchTests<V, B> {
    let actual = |relation: Relation| if truth { relation } else { relation.negated() };
    let test = |relation, other| Test { block, relation, other };
    let Some((relation, [left, right])) = condition.comparison else {
        return [Some((condition.value, test(actual(Relation::NotEqual), None))), None];
    };
    let relation = actual(relation);
    let of_right = test(relation.swapped(), Some(left));
    [Some((left, test(relation, Some(right)))), Some((right, of_right))]
}

/// The truths of values that follow from that of a condition, its own among them. `follow` are
/// those that follow at once: if x & y is not 0, neither is x nor y, and if x | y is 0, both are.
fn truths<V: Id>(
    condition: V,
    truth: bool,
    follow: impl Fn(V, bool) -> [Option<(V, bool)>; 2],
) -> Vec<(V, bool)> {
    let (mut known, mut at) = (vec![(condition, truth)], 0);
    while let Some(&(value, truth)) = known.get(at).filter(|_| known.len() <= MAX_TESTS) {
        known.extend(follow(value, truth).into_iter().flatten());
        at += 1;
    }
    known
}

#[cfg(test)]
mod tests;

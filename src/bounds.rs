//! Bounds checks that always hold.
//!
//! A check holds if the index is not negative and below the length. The first follows from its
//! interval. The second is a bound that may be no number: *index ≤ length - 1*. It is proved on
//! demand, along the definitions of values, as *value ≤ length + slack*:
//!
//! - by a test that holds there: from *x < y* and *y ≤ length + slack + 1* follows
//!   *x ≤ length + slack*;
//! - by the definition: *x + 2* needs two less for *x*; a value of a Phi is one of its choices;
//!   *i·n + k* is below *m·n* if *i* is below *m*, and *k* below *n*.
//!
//! A Phi of a loop is proved by induction: the proof for the next value may use that the value
//! before has the bound. Source: R. Bodík, R. Gupta, V. Sarkar, "ABCD: Eliminating Array Bounds
//! Checks on Demand", PLDI 2000.
//!
//! An index that no test bounds may be at most one that has the bound, see `lockstep`.
mod lockstep;

use crate::arith::{Binary, Interval, Relation, WORD};
use crate::ranges::{SeaRanges, ranges_of_sea};
use crate::schedule::{BlockId, Schedule};
use crate::sea::{Graph, NodeId, Op};
use arena::FxHashMap;
use lockstep::Lockstep;

pub const NAME: &str = "bounds-checks";
pub const LAW: &str = "if (i below n) → if (1), if 0 ≤ i < n follows from tests, loops and sums";

/// A proof takes at most so many steps, and so many in a row.
const MAX_STEPS: usize = 256;
const MAX_DEPTH: usize = 32;

/// A check at the end of a block.
#[derive(Clone, Copy)]
struct Check {
    branch: NodeId,
    block: BlockId,
    index: NodeId,
    length: NodeId,
}

/// The Ifs whose checks always hold.
pub fn holding_checks(graph: &Graph, schedule: &Schedule) -> Vec<NodeId> {
    let checks = schedule.blocks.ids().filter_map(|block| check(graph, schedule, block));
    let checks: Vec<_> = checks.collect();
    if checks.is_empty() {
        return Vec::new();
    }
    let values = checks.iter().flat_map(|it| [it.index, it.length]);
    let bounds = checks.iter().filter_map(|it| allocated_length(graph, it.length));
    let ranges = ranges_of_sea(graph, schedule, values.chain(bounds).collect());
    let holds = |check: &&Check| {
        let Check { index, length, block, .. } = **check;
        let assumed = FxHashMap::default();
        let mut proof =
            Proof { graph, schedule, ranges: &ranges, length, assumed, steps: 0, depth: 0 };
        proof.is_natural(index, block) && proof.is_below_length(index, block)
    };
    checks.iter().filter(holds).map(|check| check.branch).collect()
}

fn check(graph: &Graph, schedule: &Schedule, block: BlockId) -> Option<Check> {
    let branch = schedule.blocks[block].end;
    if graph.op(branch) != Op::If || graph.branches(branch).count() < 2 {
        return None;
    }
    let predicate = graph.input(branch, 1);
    let [index, length] = match graph.op(predicate) {
        Op::Compare(Relation::Below) => graph.operands(predicate),
        _ => return None,
    };
    Some(Check { branch, block, index, length })
}

/// The number that was the length of a new array, if this is its length.
fn allocated_length(graph: &Graph, length: NodeId) -> Option<NodeId> {
    let array = accessed_array(graph, length)?;
    matches!(graph.op(array), Op::NewArray(_)).then(|| graph.input(array, 1))
}

/// The array of a length.
fn accessed_array(graph: &Graph, length: NodeId) -> Option<NodeId> {
    if graph.op(length) != Op::Length {
        return None;
    }
    let array = graph.input(length, 0);
    Some(if graph.op(array) == Op::Cast { graph.input(array, 1) } else { array })
}

/// Whether the sum of a value with this interval and a number does not overflow.
fn is_exact_sum(graph: &Graph, value: Option<Interval>, number: i64) -> bool {
    let int = graph.types.int;
    value.is_some_and(|it| {
        let (min, max) = (it.min.checked_add(number), it.max.checked_add(number));
        min.is_some_and(|it| int.min() <= it) && max.is_some_and(|it| it <= int.max())
    })
}

/// The proof of a bound for one length.
struct Proof<'g> {
    graph: &'g Graph,
    schedule: &'g Schedule,
    ranges: &'g SeaRanges,
    length: NodeId,
    /// The slack that is proved for each Phi whose choices are inspected.
    assumed: FxHashMap<NodeId, i64>,
    steps: usize,
    /// The number of questions that wait for the answer to another one.
    depth: usize,
}

impl Proof<'_> {
    /// Whether an index is below the length in a block, or is at most a Phi that is.
    fn is_below_length(&mut self, index: NodeId, block: BlockId) -> bool {
        if self.is_at_most(index, -1, block) {
            return true;
        }
        let bounds = Lockstep::new(self.graph, self.schedule, self.ranges).upper_bounds(index);
        bounds.into_iter().any(|bound| {
            self.steps = 0;
            self.is_at_most(bound, -1, block)
        })
    }

    /// Whether value ≤ length + slack in a block.
    fn is_at_most(&mut self, value: NodeId, slack: i64, block: BlockId) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS || self.depth > MAX_DEPTH {
            return false;
        }
        if self.distance(value).is_some_and(|distance| distance <= slack) {
            return true;
        }
        if let Some(&assumed) = self.assumed.get(&value) {
            return assumed <= slack;
        }
        self.depth += 1;
        let follows = self.follows_from_intervals(value, slack, block)
            || self.follows_from_tests(value, slack, block)
            || self.follows_from_definition(value, slack, block);
        self.depth -= 1;
        follows
    }

    /// Whether a value is not negative in a block: by its interval, or as the difference of two
    /// values that a test has compared.
    fn is_natural(&self, value: NodeId, block: BlockId) -> bool {
        if self.ranges.is_natural(value, block) {
            return true;
        }
        let Op::Binary(Binary::Sub) = self.graph.op(value) else { return false };
        let [x, y] = self.graph.operands(value);
        let is_greater = |(relation, other)| {
            other == y && matches!(relation, Relation::Greater | Relation::GreaterEqual)
        };
        [x, y].into_iter().all(|it| self.ranges.is_natural(it, block))
            && self.ranges.comparisons(x, block).any(is_greater)
    }

    /// The difference of a value and the length, if it is known.
    fn distance(&self, value: NodeId) -> Option<i64> {
        let allocated = allocated_length(self.graph, self.length);
        let array = accessed_array(self.graph, self.length);
        let is_same_length = array.is_some() && accessed_array(self.graph, value) == array;
        // Two arrays may have been made with the same length.
        let size = allocated_length(self.graph, value).unwrap_or(value);
        if value == self.length || is_same_length || allocated == Some(size) {
            return Some(0);
        }
        // The length is the value and a constant.
        let sum = allocated.unwrap_or(self.length);
        let Op::Binary(Binary::Add) = self.graph.op(sum) else { return None };
        let [of, offset] = self.graph.operands(sum);
        let offset = self.graph.value(offset)?;
        (of == value && offset.unsigned_abs() <= WORD.max().unsigned_abs() / 2).then_some(-offset)
    }

    fn follows_from_intervals(&self, value: NodeId, slack: i64, block: BlockId) -> bool {
        let [value, length] = [value, self.length].map(|it| self.ranges.at(it, block));
        value.zip(length).is_some_and(|(value, length)| {
            length.min.checked_add(slack).is_some_and(|least| value.max <= least)
        })
    }

    fn follows_from_tests(&mut self, value: NodeId, slack: i64, block: BlockId) -> bool {
        let tests: Vec<_> = self.ranges.comparisons(value, block).collect();
        tests.into_iter().any(|(relation, other)| {
            let slack = match relation {
                Relation::Less => slack + 1,
                Relation::LessEqual | Relation::Equal => slack,
                Relation::Below if self.ranges.is_natural(other, block) => slack + 1,
                _ => return false,
            };
            self.is_at_most(other, slack, block)
        })
    }

    fn follows_from_definition(&mut self, value: NodeId, slack: i64, block: BlockId) -> bool {
        match self.graph.op(value) {
            Op::Phi(_) => self.is_chosen_at_most(value, slack),
            Op::Binary(binary) => {
                let operands = self.graph.operands(value);
                self.is_computed_at_most(binary, operands, slack, block)
            }
            _ => false,
        }
    }

    /// The bound of a Phi: all of its choices have it. They may be values of earlier iterations, so
    /// the length must be the same then.
    fn is_chosen_at_most(&mut self, phi: NodeId, slack: i64) -> bool {
        let (graph, schedule) = (self.graph, self.schedule);
        let block = schedule.block_of[phi].expect("every node is placed");
        if !schedule.is_merge(graph, phi) {
            let mut only = schedule.values(graph, phi);
            return only.all(|it| self.is_at_most(it, slack, block));
        }
        if !self.is_length_known_above(block) {
            return false;
        }
        self.assumed.insert(phi, slack);
        let mut choices = schedule.values(graph, phi).zip(&schedule.predecessors[block]);
        let holds = choices.all(|(it, &from)| self.is_at_most(it, slack, from));
        self.assumed.remove(&phi);
        holds
    }

    /// Whether the length has one value on all paths that end in the block.
    fn is_length_known_above(&self, block: BlockId) -> bool {
        let source = accessed_array(self.graph, self.length).unwrap_or(self.length);
        if self.graph.value(source).is_some() {
            return true;
        }
        self.schedule.block_of[source].is_some_and(|above| self.ranges.is_above(above, block))
    }

    /// The bound of x op y. Sums must not overflow.
    fn is_computed_at_most(
        &mut self,
        binary: Binary,
        [x, y]: [NodeId; 2],
        slack: i64,
        block: BlockId,
    ) -> bool {
        let is_natural = |it: &Self, value| it.ranges.is_natural(value, block);
        match (binary, self.graph.value(y)) {
            (Binary::Add, Some(number)) => {
                let is_exact = is_exact_sum(self.graph, self.ranges.at(x, block), number);
                is_exact && self.is_at_most(x, slack - number, block)
            }
            (Binary::Add, None) => {
                let mut sums = [(x, y), (y, x)].into_iter();
                sums.any(|(row, rest)| self.is_row_at_most(row, rest, slack, block))
            }
            (Binary::Sub, None) if is_natural(self, x) && is_natural(self, y) => {
                let least = self.ranges.at(y, block).map_or(0, |it| it.min);
                self.is_at_most(x, slack.saturating_add(least), block)
            }
            (Binary::Shrs, Some(1)) | (Binary::Div, Some(2)) if self.is_sum(x, block) => {
                self.is_mean_at_most(self.graph.operands(x), slack, block)
            }
            (Binary::Shrs, Some(_)) | (Binary::Div, Some(1..)) if is_natural(self, x) => {
                self.is_at_most(x, slack, block)
            }
            (Binary::And, _) => [x, y]
                .into_iter()
                .any(|it| is_natural(self, it) && self.is_at_most(it, slack, block)),
            #[cfg(feature = "ch17")]
            (Binary::Mod, None) => {
                let is_positive = self.ranges.at(y, block).is_some_and(|it| it.min > 0);
                is_positive && self.is_at_most(y, slack + 1, block)
            }
            _ => false,
        }
    }

    /// The bound of i·n + k, if the length is m·n, i is below m, and k below n.
    fn is_row_at_most(&mut self, row: NodeId, rest: NodeId, slack: i64, block: BlockId) -> bool {
        let length = allocated_length(self.graph, self.length).unwrap_or(self.length);
        let (Some(row), Some(length)) = (self.product(row, block), self.product(length, block))
        else {
            return false;
        };
        let pairs = |[x, y]: [NodeId; 2]| [[x, y], [y, x]];
        let pairs = pairs(row).into_iter().flat_map(|row| pairs(length).map(|it| (row, it)));
        slack >= -1
            && pairs
                .filter(|(row, length)| row[1] == length[1])
                .any(|([i, n], [m, _])| self.is_below(i, m, block) && self.is_below(rest, n, block))
    }

    /// The factors of a product that does not overflow. They are not negative.
    fn product(&self, value: NodeId, block: BlockId) -> Option<[NodeId; 2]> {
        let Op::Binary(Binary::Mul) = self.graph.op(value) else { return None };
        let factors = self.graph.operands(value);
        let [x, y] = factors.map(|it| self.ranges.at(it, block));
        let (x, y) = x.zip(y)?;
        let most = self.graph.types.int.max();
        (x.min >= 0 && y.min >= 0 && x.max.checked_mul(y.max)? <= most).then_some(factors)
    }

    /// Whether x ≤ y - 1 in a block, by a proof of its own.
    fn is_below(&mut self, x: NodeId, y: NodeId, block: BlockId) -> bool {
        let assumed = FxHashMap::default();
        let &mut Proof { graph, schedule, ranges, steps, depth, .. } = self;
        let mut proof = Proof { graph, schedule, ranges, length: y, assumed, steps, depth };
        let holds = proof.is_at_most(x, -1, block);
        self.steps = proof.steps;
        holds
    }

    /// Whether a value is the sum of two values that are not negative, without an overflow.
    fn is_sum(&self, value: NodeId, block: BlockId) -> bool {
        if self.graph.op(value) != Op::Binary(Binary::Add) {
            return false;
        }
        let [x, y] = self.graph.operands(value).map(|it| self.ranges.at(it, block));
        x.zip(y).is_some_and(|(x, y)| {
            let most = x.max.checked_add(y.max);
            let limit = self.graph.types.int.max();
            x.min >= 0 && y.min >= 0 && most.is_some_and(|it| it <= limit)
        })
    }

    /// The mean of two values, rounded down, is at most the smaller one if they differ by one.
    fn is_mean_at_most(&mut self, [x, y]: [NodeId; 2], slack: i64, block: BlockId) -> bool {
        let mut pairs = [(x, y), (y, x)].into_iter();
        pairs.any(|(smaller, greater)| {
            self.is_at_most(smaller, slack, block) && self.is_at_most(greater, slack + 1, block)
        })
    }
}

//! Two Phis of a loop, one of which is never greater than the other.
//!
//! `if (a[j] < p) { a[i] = a[j]; i = i + 1; } j = j + 1;` has no test of i. But i ≤ j before the
//! loop, and an iteration that adds 1 to i adds 1 to j, too. The proof is an induction for both at
//! once: *x ≤ y + slack* holds at a merge if it holds for the values on each of its edges.
use super::{MAX_STEPS, is_exact_sum};
use crate::arith::Binary;
use crate::ranges::SeaRanges;
use crate::schedule::{BlockId, Schedule};
use crate::sea::{Graph, NodeId, Op};
use arena::FxHashMap;

/// So many Phis of a merge are tried.
const MAX_CANDIDATES: usize = 16;

/// The proof that a value is at most another one.
pub struct Lockstep<'g> {
    graph: &'g Graph,
    schedule: &'g Schedule,
    ranges: &'g SeaRanges,
    /// The slack that is proved for each pair whose choices are inspected.
    assumed: FxHashMap<[NodeId; 2], i64>,
    steps: usize,
}

impl<'g> Lockstep<'g> {
    pub fn new(graph: &'g Graph, schedule: &'g Schedule, ranges: &'g SeaRanges) -> Lockstep<'g> {
        Lockstep { graph, schedule, ranges, assumed: FxHashMap::default(), steps: 0 }
    }

    /// The Phis of the same merge that a Phi never exceeds.
    pub fn upper_bounds(mut self, phi: NodeId) -> Vec<NodeId> {
        let (graph, schedule) = (self.graph, self.schedule);
        if !schedule.is_merge(graph, phi) {
            return Vec::new();
        }
        let others = graph.users(graph.input(phi, 0)).filter(|&other| {
            let is_integer = graph.types.interval_of(graph.ty(other)).is_some();
            other != phi && is_integer && schedule.is_merge(graph, other)
        });
        let is_bound = |&other: &NodeId| self.is_chosen_at_most([phi, other], 0);
        others.take(MAX_CANDIDATES).filter(is_bound).collect()
    }

    /// Whether x ≤ y + slack at the end of a block.
    fn is_at_most(&mut self, [x, y]: [NodeId; 2], slack: i64, block: BlockId) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return false;
        }
        if x == y {
            return slack >= 0;
        }
        if let Some(&assumed) = self.assumed.get(&[x, y]) {
            return assumed <= slack;
        }
        self.follows_from_intervals([x, y], slack, block)
            || self.follows_from_sums([x, y], slack, block)
            || self.is_chosen_at_most([x, y], slack)
    }

    fn follows_from_intervals(&self, pair: [NodeId; 2], slack: i64, block: BlockId) -> bool {
        let [x, y] = pair.map(|it| self.ranges.at(it, block));
        x.zip(y).is_some_and(|(x, y)| y.min.checked_add(slack).is_some_and(|it| x.max <= it))
    }

    /// A sum that overflows is on the other side of the exact one. So for x only a decrease must be
    /// exact, and for y only an increase.
    fn follows_from_sums(&mut self, [x, y]: [NodeId; 2], slack: i64, block: BlockId) -> bool {
        let sum = |it: NodeId| {
            let Op::Binary(Binary::Add) = self.graph.op(it) else { return None };
            let [of, number] = self.graph.operands(it);
            let number = self.graph.value(number)?;
            let is_exact = is_exact_sum(self.graph, self.ranges.at(of, block), number);
            Some((of, number, is_exact))
        };
        let (of_x, of_y) = (sum(x), sum(y));
        if let Some((of, number, is_exact)) = of_x
            && (is_exact || number > 0)
            && let Some(slack) = slack.checked_sub(number)
            && self.is_at_most([of, y], slack, block)
        {
            return true;
        }
        if let Some((of, number, is_exact)) = of_y
            && (is_exact || number < 0)
            && let Some(slack) = slack.checked_add(number)
        {
            return self.is_at_most([x, of], slack, block);
        }
        false
    }

    /// The bound at a merge: of two Phis on each edge, or of one with a value that is there before.
    fn is_chosen_at_most(&mut self, [x, y]: [NodeId; 2], slack: i64) -> bool {
        let (graph, schedule) = (self.graph, self.schedule);
        let merge = |it| schedule.is_merge(graph, it).then(|| schedule.block_of[it]).flatten();
        let is_above = |it, block| {
            schedule.block_of[it].is_some_and(|above| self.ranges.is_above(above, block))
        };
        let choices = |it| schedule.values(graph, it);
        let (block, pairs): (_, Vec<_>) = match (merge(x), merge(y)) {
            (Some(block), other) if other == Some(block) => {
                (block, choices(x).zip(choices(y)).map(|(x, y)| [x, y]).collect())
            }
            (Some(block), _) if is_above(y, block) => {
                (block, choices(x).map(|it| [it, y]).collect())
            }
            (_, Some(block)) if is_above(x, block) => {
                (block, choices(y).map(|it| [x, it]).collect())
            }
            _ => return false,
        };
        self.assumed.insert([x, y], slack);
        let mut edges = pairs.into_iter().zip(&schedule.predecessors[block]);
        let holds = edges.all(|(pair, &from)| self.is_at_most(pair, slack, from));
        self.assumed.remove(&[x, y]);
        holds
    }
}

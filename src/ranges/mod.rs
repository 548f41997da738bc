//! Ranges: for the operands of divisions, intervals that contain all their values.
//!
//! The values of a node follow from those of its inputs. In a block that a branch dominates, the
//! branch's test also restricts the tested values. A Phi of a loop begins with the values from
//! outside; the nodes are visited again until no interval grows. An interval that grows at a Phi
//! is *widened* to the end, so this takes few rounds. In the last rounds the intervals shrink again
//! where a test bounds them. Only the nodes that the operands follow from are visited. Source: P.
//! Cousot, R. Cousot, "Abstract Interpretation: A Unified Lattice Model for Static Analysis of
//! Programs", POPL 1977.
mod interval;

use crate::arith::{Binary, Relation, Unary};
use crate::schedule::{BlockId, Schedule};
use crate::sea::{Graph, NodeId, Op};
use arena::{Id, ListTable, SideTable};
use flow::Dominators;
use interval::Interval;

/// After so many rounds without an end, nothing is known.
const MAX_ROUNDS: usize = 10;
/// The rounds in which intervals shrink. Each intermediate result is sound, too.
const SHRINKING_ROUNDS: usize = 2;
/// Later tests of one value are left out, so that a query takes constant time.
const MAX_TESTS: usize = 8;

/// The possible values of nodes.
pub struct Ranges<'g> {
    graph: &'g Graph,
    schedule: &'g Schedule,
    dominators: Dominators<BlockId>,
    /// `None` before the first visit.
    intervals: SideTable<NodeId, Option<Interval>>,
    /// The tests of each value that is tested.
    tests: ListTable<NodeId, Test>,
    /// The values that each value bounds in tests.
    bounded: ListTable<NodeId, NodeId>,
    /// The nodes whose intervals are exactly those that follow from the present ones of their
    /// inputs.
    settled: SideTable<NodeId, bool>,
}

/// In `block`, and in all blocks that it dominates, the tested value has this relation to `other`;
/// without another value, to 0.
#[derive(Clone, Copy)]
struct Test {
    block: BlockId,
    relation: Relation,
    other: Option<NodeId>,
}

/// The ranges of the operands of all divisions by unknown values.
pub fn ranges<'g>(graph: &'g Graph, schedule: &'g Schedule) -> Ranges<'g> {
    let (entry, blocks) = (BlockId::from_index(0), &schedule.blocks);
    let predecessors = |block: BlockId| schedule.predecessors[block].iter().copied();
    let tests = blocks.ids().flat_map(|block| tests(graph, schedule, block));
    let tests: Vec<_> = tests.flatten().collect();
    let bounds = tests.iter().filter_map(|&(id, test)| Some((test.other?, id)));
    let bounded = ListTable::group(graph.len(), bounds);
    let tests = ListTable::group(graph.len(), tests.iter().copied());
    let order = needed(graph, schedule, &tests);
    let mut ranges = Ranges {
        graph,
        schedule,
        dominators: Dominators::build(entry, blocks.ids().skip(1), predecessors),
        intervals: SideTable::new(graph.len()),
        tests,
        bounded,
        settled: SideTable::new(graph.len()),
    };
    let mut rounds = 0..MAX_ROUNDS;
    // The last round visits all nodes.
    while ranges.grow(&order) || ranges.grow_all(&order) {
        if rounds.next().is_none() {
            ranges.intervals = SideTable::new(graph.len());
            return ranges;
        }
    }
    (0..SHRINKING_ROUNDS).for_each(|_| ranges.shrink(&order));
    ranges
}

/// The tests at the beginning of a block, each with its value.
fn tests(graph: &Graph, schedule: &Schedule, block: BlockId) -> [Option<(NodeId, Test)>; 2] {
    let head = schedule.blocks[block].head;
    let Op::ControlProjection(mut truth) = graph.op(head) else { return [None, None] };
    let mut predicate = graph.input(graph.input(head, 0), 1);
    if graph.op(predicate) == Op::Unary(Unary::Not) {
        (predicate, truth) = (graph.input(predicate, 0), !truth);
    }
    let actual = |relation: Relation| if truth { relation } else { relation.negated() };
    let Op::Compare(relation) = graph.op(predicate) else {
        let relation = actual(Relation::NotEqual);
        return [Some((predicate, Test { block, relation, other: None })), None];
    };
    let [left, right] = graph.operands(predicate);
    let relation = actual(relation);
    let swapped = relation.swapped();
    let tests = [
        (left, Test { block, relation, other: Some(right) }),
        (right, Test { block, relation: swapped, other: Some(left) }),
    ];
    let is_constant = |id: NodeId| matches!(graph.op(id), Op::Constant(_));
    tests.map(|it| Some(it).filter(|&(id, _)| !is_constant(id)))
}

/// The nodes that the operands of divisions by unknown values follow from, in order.
fn needed(graph: &Graph, schedule: &Schedule, tests: &ListTable<NodeId, Test>) -> Vec<NodeId> {
    let is_unknown = |id: NodeId| graph.value(id).is_none();
    let is_guarded =
        |&&id: &&NodeId| graph.op(id) == Op::Binary(Binary::Div) && is_unknown(graph.input(id, 1));
    let divisions = schedule.order.iter().filter(is_guarded);
    let mut open: Vec<_> = divisions.flat_map(|&id| graph.inputs(id)).collect();
    let mut is_needed: SideTable<NodeId, bool> = SideTable::new(graph.len());
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut is_needed[id], true) {
            open.extend(tests[id].iter().filter_map(|test| test.other));
            if let Op::Phi(_) | Op::Binary(_) | Op::Unary(Unary::Minus) = graph.op(id) {
                open.extend(schedule.values(graph, id));
            }
        }
    }
    schedule.order.iter().copied().filter(|&id| is_needed[id]).collect()
}

impl Ranges<'_> {
    /// Whether `id` may have the value `value` in `block`.
    pub fn may_be(&self, id: NodeId, block: BlockId, value: i64) -> bool {
        let holds = |test: &Test| match self.other(test) {
            Some(other) if other.min == other.max => test.relation.holds(value, other.min),
            _ => true,
        };
        let interval = self.at(id, block).unwrap_or(Interval::all());
        interval.contains(value) && self.tests_at(id, block).all(holds)
    }

    /// The tests of `id` that hold in `block`.
    fn tests_at(&self, id: NodeId, block: BlockId) -> impl Iterator<Item = &Test> {
        let holds = move |test: &&Test| self.dominators.dominates(test.block, block);
        self.tests[id].iter().take(MAX_TESTS).filter(holds)
    }

    /// The values that a test compares with, where the test is.
    fn other(&self, test: &Test) -> Option<Interval> {
        let Some(other) = test.other else { return Some(Interval::constant(0)) };
        let bound = |test: &Test| match test.other {
            Some(bound) => self.intervals[bound],
            None => Some(Interval::constant(0)),
        };
        self.restricted(other, test.block, bound)
    }

    /// The values of `id` in `block`, as far as they are known.
    fn at(&self, id: NodeId, block: BlockId) -> Option<Interval> {
        if self.tests[id].is_empty() {
            return self.intervals[id];
        }
        self.restricted(id, block, |test| self.other(test))
    }

    /// The values of `id` that all tests allow which hold in `block`; `other` are the values that a
    /// test compares with.
    fn restricted(
        &self,
        id: NodeId,
        block: BlockId,
        other: impl Fn(&Test) -> Option<Interval>,
    ) -> Option<Interval> {
        let restrict = |interval: Interval, test: &Test| match other(test) {
            Some(other) => interval.restrict(test.relation, other),
            None => interval,
        };
        Some(self.tests_at(id, block).fold(self.intervals[id]?, restrict))
    }

    /// Visits the nodes that are not settled; returns whether an interval grew.
    fn grow(&mut self, order: &[NodeId]) -> bool {
        let mut grew = false;
        for &id in order {
            if self.settled[id] {
                continue;
            }
            let next = self.interval(id);
            let old = self.intervals[id];
            let new = match (old, next) {
                (Some(old), Some(next)) if self.graph.op(id).is_phi() => Some(old.widen(next)),
                (Some(old), Some(next)) => Some(old.union(next)),
                (old, next) => old.or(next),
            };
            self.settled[id] = new == next;
            if new != old {
                grew = true;
                self.intervals[id] = new;
                self.unsettle_users(id);
            }
        }
        grew
    }

    /// Visits all nodes; returns whether an interval grew.
    fn grow_all(&mut self, order: &[NodeId]) -> bool {
        order.iter().for_each(|&id| self.settled[id] = false);
        self.grow(order)
    }

    /// The users of a value depend on its interval, and so do those of the values that it bounds.
    fn unsettle_users(&mut self, id: NodeId) {
        for &value in std::iter::once(&id).chain(&self.bounded[id]) {
            self.graph.users(value).for_each(|user| self.settled[user] = false);
        }
    }

    /// Visits the nodes that are not settled; their intervals may only shrink.
    fn shrink(&mut self, order: &[NodeId]) {
        for &id in order {
            let next = if self.settled[id] { self.intervals[id] } else { self.interval(id) };
            self.settled[id] = true;
            if next != self.intervals[id] {
                self.intervals[id] = next;
                self.unsettle_users(id);
            }
        }
    }

    /// The values of `id`, computed from those of its inputs.
    fn interval(&self, id: NodeId) -> Option<Interval> {
        let block = self.schedule.block_of[id].expect("every node is placed");
        let input = |at: usize| self.at(self.graph.input(id, at), block);
        match self.graph.op(id) {
            Op::Constant(ty) => self.graph.types.value(ty).map(Interval::constant),
            Op::Phi(_) => self.phi(id, block),
            Op::Binary(binary) => Some(Interval::binary(binary, input(0)?, input(1)?)),
            Op::Unary(Unary::Minus) => {
                let zero = Interval::constant(0);
                Some(Interval::binary(Binary::Sub, zero, input(0)?))
            }
            Op::Unary(Unary::Not) | Op::Compare(_) => Some(Interval { min: 0, max: 1 }),
            _ => Some(Interval::all()),
        }
    }

    /// The values of all edges that have been visited.
    fn phi(&self, id: NodeId, block: BlockId) -> Option<Interval> {
        let values = self.schedule.values(self.graph, id);
        let from = &self.schedule.predecessors[block];
        if !self.schedule.is_merge(self.graph, id) {
            return values.take(1).find_map(|value| self.at(value, block));
        }
        let known = values.zip(from).filter_map(|(value, &from)| self.at(value, from));
        known.reduce(Interval::union)
    }
}

#[cfg(test)]
mod tests;

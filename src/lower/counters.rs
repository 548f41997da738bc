//! Counted loops: a counter that only decides when its loop ends is lowered as the number of
//! iterations that remain.
//!
//! i counts from a in steps of 1 while i < n, and nothing else reads it. Then n - i counts down to
//! 0, with i < n ⟺ n - i > 0. A decrement sets the flags, so that the loop needs no compare, and n
//! needs no register. The difference must not overflow: i is never above the larger one of a and n,
//! so it is enough that n - a does not. A counter of a narrow type is extended after each step;
//! with n and n - a in its type, that changes nothing. (R. Allen and K. Kennedy, Optimizing
//! Compilers for Modern Architectures, 2001, call the replacement of such a test *linear-function
//! test replacement*.)
use super::lowering::{Iterations, Lowering};
use crate::arith::{Binary, Interval, Relation, WORD};
use crate::schedule::{Block, BlockId, Schedule};
use crate::sea::extension;
use crate::{firm, sea};
use arena::SparseTable;

/// For each Phi that only counts the iterations of its loop, how many there are.
pub fn counters(
    graph: &sea::Graph,
    schedule: &Schedule,
) -> SparseTable<sea::NodeId, Option<Iterations>> {
    let mut counters = SparseTable::new(graph.len());
    let blocks = &schedule.blocks;
    for header in blocks.ids().filter(|&it| graph.op(blocks[it].head) == sea::Op::Loop) {
        let is_phi = |id: &&sea::NodeId| matches!(graph.op(**id), sea::Op::Phi(_));
        for &phi in schedule.nodes(header).iter().take_while(is_phi) {
            counters[phi] = iterations(graph, schedule, header, phi);
        }
    }
    counters
}

/// The number of iterations of the loop with this header, if the Phi only counts them.
fn iterations(
    graph: &sea::Graph,
    schedule: &Schedule,
    header: BlockId,
    phi: sea::NodeId,
) -> Option<Iterations> {
    let known = |id: sea::NodeId| graph.value(id);
    let mut values = schedule.values(graph, phi);
    let (Some(start), Some(next), None) = (values.next(), values.next(), values.next()) else {
        return None;
    };
    let extended = extension(graph, next);
    // Nothing else uses a part of the extension.
    if extended.is_some() && [next, graph.input(next, 0)].iter().any(|&it| graph.uses(it) != 1) {
        return None;
    }
    let (next, kept) = extended.unwrap_or((next, Interval::all(graph.types.int)));
    let is_counted = graph.op(next) == sea::Op::Binary(Binary::Add)
        && graph.input(next, 0) == phi
        && known(graph.input(next, 1)) == Some(1);
    let test = test_of(graph, schedule, header)?;
    let (limit, start) = (graph.input(test, 1), known(start)?);
    let are_only_uses = graph.uses(phi) == 2 && graph.uses(next) == 1 && graph.uses(test) == 1;
    let largest = graph.types.interval_of(graph.ty(limit))?.max;
    if !is_counted || graph.input(test, 0) != phi || !are_only_uses || !kept.contains(start) {
        return None;
    }
    let iterations = match (graph.op(test), known(limit)) {
        (sea::Op::Compare(Relation::Less), Some(limit)) => number(limit.checked_sub(start)?)?,
        (sea::Op::Compare(Relation::LessEqual), Some(limit)) if limit < kept.max => {
            number(limit.checked_add(1)?.checked_sub(start)?)?
        }
        (sea::Op::Compare(Relation::Less), None) => {
            let is_invariant = schedule.block_of[limit] != Some(header);
            (start == 0 && is_invariant).then_some(Iterations::Value(limit))?
        }
        _ => return None,
    };
    let is_kept = match iterations {
        Iterations::Number(number) => number <= kept.max,
        Iterations::Value(_) => true,
    };
    (largest <= kept.max && is_kept).then_some(iterations)
}

/// The number, if it is not negative and one of any width.
fn number(iterations: i64) -> Option<Iterations> {
    (0..=WORD.max()).contains(&iterations).then_some(Iterations::Number(iterations))
}

/// The comparison at the end of the header of a loop that leaves it if it is false.
fn test_of(graph: &sea::Graph, schedule: &Schedule, header: BlockId) -> Option<sea::NodeId> {
    let Block { end, depth, .. } = schedule.blocks[header];
    if graph.op(end) != sea::Op::If {
        return None;
    }
    let is_exit = |it: sea::NodeId| graph.op(it) == sea::Op::ControlProjection(false);
    let exit = graph.branches(end).find(|&it| is_exit(it))?;
    let is_outside = schedule.blocks[schedule.block_of[exit]?].depth < depth;
    let test = graph.input(end, 1);
    (is_outside && matches!(graph.op(test), sea::Op::Compare(_))).then_some(test)
}

impl Lowering<'_> {
    /// The operands of a Phi; those of a counter begin with n - a.
    pub fn with_iterations(
        &mut self,
        phi: sea::NodeId,
        mut operands: Vec<firm::NodeId>,
    ) -> Vec<firm::NodeId> {
        match self.counters[phi] {
            Some(Iterations::Number(number)) => operands[0] = self.constant(number),
            Some(Iterations::Value(limit)) => operands[0] = self.value(limit),
            None => {}
        }
        operands
    }

    /// n - (i + 1) = (n - i) - 1
    pub fn count_down(&mut self, counter: sea::NodeId) -> firm::NodeId {
        let one_less = self.constant(-1);
        self.binary(Binary::Add, self.value(counter), one_less)
    }

    /// Whether iterations remain: n - i > 0. A number that is not negative is tested for zero only.
    pub fn remain(&mut self, counter: sea::NodeId, of: Iterations, truth: bool) -> firm::NodeId {
        let relation = match of {
            Iterations::Number(_) => Relation::NotEqual,
            Iterations::Value(_) => Relation::Greater,
        };
        let relation = if truth { relation } else { relation.negated() };
        self.compare(relation, self.value(counter), 0)
    }
}

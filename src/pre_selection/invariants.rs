//! Sums and products in loops: their terms that do not change there are combined before the loop.
//!
//! (sum + a) + b becomes (a + b) + sum, and a + b is computed once. The terms that an iteration
//! computes from results of the one before come last, the latest of them at the end, so that the
//! next iteration waits as short as possible. Words wrap, so the order of terms does not matter.
use super::patterns::{binary, by_constant, is_remainder};
use super::recurrences::{Recurrences, is_in_loop};
use crate::arith::Binary;
use crate::firm::{Graph, Mode, Node, NodeId, Op, blocks, dominators, sort};
use arena::{ListTable, SideTable};
use flow::{Dominators, Loops};

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "invariant-terms";

pub const LAW: &str = "terms that do not change in a loop are combined before it";

/// Combines the invariant terms of sums and products before their loops.
/// `cycles` is the latency of an operation.
pub fn combine(graph: Graph, cycles: impl Fn(Op, Mode) -> Option<u32>) -> Graph {
    let uses = Uses::new(&graph);
    let is_root = |id: &NodeId| {
        is_chained(&graph, *id) && is_in_loop(&graph, *id) && !uses.is_inner(&graph, *id)
    };
    // A chain of one operation has two terms: not enough.
    let has_inner =
        |id: &NodeId| (0..2).any(|at| uses.is_only_use(&graph, graph.operands(*id)[at], *id, at));
    let roots = graph.ids().filter(is_root).filter(has_inner);
    let chains: Vec<_> = roots.map(|id| Chain::new(&graph, &uses, id)).collect();
    if chains.is_empty() {
        return graph;
    }
    let (dominators, loops) = analyses(&graph);
    if !loops.is_reducible() {
        return graph;
    }
    let recurrences = Recurrences::find(&graph, cycles);
    let mut combination = Combination { graph, dominators, loops, recurrences, is_changed: false };
    for chain in chains {
        combination.regroup(chain);
    }
    if !combination.is_changed {
        return combination.graph;
    }
    let (sorted, _) = sort(&combination.graph).expect("a sum does not depend on itself");
    sorted
}

/// A sum or a product of several terms, whose partial results nothing else uses.
struct Chain {
    /// Its operations, the last one first.
    operations: Vec<NodeId>,
    terms: Vec<Term>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Term {
    value: NodeId,
    /// Whether it is subtracted.
    is_negative: bool,
}

impl Chain {
    /// The chain whose last operation is `root`.
    fn new(graph: &Graph, uses: &Uses, root: NodeId) -> Chain {
        let mut chain = Chain { operations: vec![root], terms: Vec::new() };
        let mut open = vec![(root, 1), (root, 0)];
        while let Some((user, at)) = open.pop() {
            let value = graph.operands(user)[at];
            if uses.is_only_use(graph, value, user, at) {
                chain.operations.push(value);
                open.extend([(value, 1), (value, 0)]);
            } else {
                let is_negative = at == 1 && graph.op(user) == Op::Binary(Binary::Sub);
                chain.terms.push(Term { value, is_negative });
            }
        }
        chain
    }
}

/// The operations that a chain consists of, all with the operator of its last one; a difference is
/// a sum with a negative term.
fn is_chained(graph: &Graph, id: NodeId) -> bool {
    matches!(binary(graph, id), Some((Binary::Add | Binary::Sub | Binary::Mul, _)))
}

/// The number of uses of each node, and one of its users.
struct Uses {
    count: SideTable<NodeId, u32>,
    last: SideTable<NodeId, Option<(NodeId, u32)>>,
}

impl Uses {
    fn new(graph: &Graph) -> Uses {
        let (count, last) = (SideTable::new(graph.len()), SideTable::new(graph.len()));
        let mut uses = Uses { count, last };
        for user in graph.ids() {
            for (&operand, at) in graph.operands(user).iter().zip(0..) {
                uses.count[operand] += 1;
                uses.last[operand] = Some((user, at));
            }
        }
        uses
    }

    /// Whether a node is not the last operation of its chain.
    fn is_inner(&self, graph: &Graph, id: NodeId) -> bool {
        self.last[id].is_some_and(|(user, at)| self.is_only_use(graph, id, user, at as usize))
    }

    /// Whether an operand is an operation of the same chain.
    fn is_only_use(&self, graph: &Graph, id: NodeId, user: NodeId, at: usize) -> bool {
        let is_product = |id| graph.op(id) == Op::Binary(Binary::Mul);
        let is_subtracted = at == 1 && graph.op(user) == Op::Binary(Binary::Sub);
        self.count[id] == 1
            && graph.node(id).block == graph.node(user).block
            && is_chained(graph, id)
            && is_chained(graph, user)
            && is_product(id) == is_product(user)
            && !is_subtracted
            && !is_remainder(graph, id)
    }
}

/// The dominators of a graph, and its loops.
fn analyses(graph: &Graph) -> (Dominators<NodeId>, Loops<NodeId>) {
    let order = blocks(graph).collect::<Vec<_>>();
    let before = |block: NodeId| graph.operands(block).iter().map(|&jump| graph.node(jump).block);
    let edges = order.iter().flat_map(|&block| before(block).map(move |from| (block, from)));
    let predecessors = ListTable::group(graph.len(), edges);
    (dominators(graph, &order), Loops::find(&predecessors, &order, graph.len()))
}

struct Combination {
    graph: Graph,
    dominators: Dominators<NodeId>,
    loops: Loops<NodeId>,
    recurrences: Recurrences,
    is_changed: bool,
}

impl Combination {
    /// Combines the terms of a chain that its loop does not change, before the loop.
    fn regroup(&mut self, chain: Chain) {
        let block = self.graph.node(chain.operations[0]).block;
        let Some(header) = self.loops.innermost(block) else { return };
        let before = self.dominators.immediate_dominator(header);
        let is_invariant =
            |term: &Term| self.dominators.dominates(self.graph.node(term.value).block, before);
        let (mut invariant, mut variant): (Vec<_>, Vec<_>) =
            chain.terms.into_iter().partition(is_invariant);
        let product = self.graph.op(chain.operations[0]) == Op::Binary(Binary::Mul);
        let is_constant = |term: &Term| matches!(self.graph.op(term.value), Op::Const(_));
        // A factor that is a number may be part of an address, or a shift.
        if product {
            variant.extend(invariant.extract_if(.., |term| is_constant(term)));
        }
        let constants = invariant.iter().filter(|term| is_constant(term)).count();
        // An address adds a number to two values, but subtracts none.
        let is_in_address = variant.len() < 2 && !invariant.iter().any(|term| term.is_negative);
        let worth = invariant.len() - constants >= 2
            || invariant.len() >= 2 && invariant.len() > constants && !is_in_address;
        if !worth || variant.is_empty() {
            let terms = invariant.into_iter().chain(variant).collect();
            self.put_latest_last(&chain.operations, terms, header);
            return;
        }
        let depth = |term: &Term| self.dominators.depth(self.graph.node(term.value).block);
        // Those of outer loops first, so that they can leave further loops.
        invariant.sort_by_key(|term| (is_constant(term), depth(term)));
        let root = chain.operations[0];
        variant.sort_by_key(|term| self.rank(term, header, root));
        let (rest, moved) = chain.operations.split_at(variant.len());
        moved.iter().for_each(|&id| self.graph.set_block(id, before));
        let is_negative = invariant.iter().all(|term| term.is_negative);
        invariant.iter_mut().for_each(|term| term.is_negative ^= is_negative);
        self.build(moved, &mut invariant, product);
        variant.insert(0, Term { value: moved[0], is_negative });
        self.build(rest, &mut variant, product);
        self.is_changed = true;
        self.regroup(Chain { operations: moved.to_vec(), terms: invariant });
    }

    /// Puts the latest term of the recurrence last, if two others would have to wait for it.
    fn put_latest_last(&mut self, operations: &[NodeId], mut terms: Vec<Term>, header: NodeId) {
        let rank = |term: &Term| self.rank(term, header, operations[0]);
        terms.sort_by_key(rank);
        let is_constant = |term: &&Term| matches!(self.graph.op(term.value), Op::Const(_));
        let constants = terms.iter().filter(is_constant).count();
        let is_late = terms.last().is_some_and(|it| rank(it).0.is_some());
        if is_late && terms.len() - constants > 2 {
            let product = self.graph.op(operations[0]) == Op::Binary(Binary::Mul);
            self.build(operations, &mut terms, product);
            self.is_changed = true;
        }
    }

    /// The rank of a term that changes in each iteration: those of the chain's recurrence come
    /// last, in the order of their times. Of the others, multiples come last, since an address can
    /// add a multiple to a value, and before these, results of the iteration before.
    fn rank(&self, term: &Term, header: NodeId, root: NodeId) -> (Option<u32>, bool, bool) {
        let Node { op, block, .. } = self.graph.node(term.value);
        let is_multiple = by_constant(&self.graph, Binary::Mul, term.value).is_some();
        let is_carried = op == Op::Phi && block == header;
        (self.recurrences.arrival(term.value, root), is_multiple, is_carried)
    }

    /// Computes a sum or a product by these operations, the last one first.
    fn build(&mut self, operations: &[NodeId], terms: &mut [Term], product: bool) {
        let first = terms.iter().position(|term| !term.is_negative);
        terms[..=first.expect("one term is not subtracted")].rotate_right(1);
        let mut value = terms[0].value;
        for (&operation, term) in operations.iter().rev().zip(&terms[1..]) {
            let op = match term.is_negative {
                _ if product => Binary::Mul,
                true => Binary::Sub,
                false => Binary::Add,
            };
            self.graph.replace(operation, Op::Binary(op), Mode::Is, &[value, term.value]);
            value = operation;
        }
    }
}

//! Congruent Phis: variables of a loop that always have the same value.
//!
//! The table of value numbering is *pessimistic*: nodes are different until their inputs are the
//! same. A Phi of a loop depends on itself through its back edge, so two of them are never found
//! there. Here the Phis of a loop are congruent until something tells them apart: each round splits
//! the classes by the value numbers of the inputs, computed as if the Phis of a class were
//! one.
//!
//! Sources: B. Alpern, M. N. Wegman, F. K. Zadeck, "Detecting Equality of Variables in Programs",
//! POPL 1988; in rounds with a hash table: L. T. Simpson, "Value-Driven Redundancy Elimination",
//! 1996, chapter 4.
use super::{Component, Rule};
use crate::sea::{Graph, NodeId, Op};
use crate::types::Type;
use arena::{FxHashMap, SideTable};

pub const RULES: &[Rule] = &[Rule {
    name: "congruent-phis",
    law: "φ(x, a) … φ(x, b) at a Loop, where a = b if they are equal → the first of the two, twice",
    example: (
        "int a = arg; int b = arg; while (a > b) { a = -a; b = -b; } return a;",
        "int a = arg; while (a > a) a = -a; return a;",
    ),
    root: &|graph, id| graph.op(id).is_phi(),
    decreases: Component::Nodes,
    apply: &|engine, graph, id| {
        if engine.congruent.is_empty() {
            return None;
        }
        let first = engine.congruent.remove(&id)?;
        // It is gone if only merged Phis used it. Then this one is the first.
        (graph.uses(first) > 0).then_some(first)
    },
}];

/// A program that needs more rounds keeps its Phis. So time is linear.
const MAX_ROUNDS: usize = 8;

/// The Phis that are congruent to another one, each with the first of its class.
pub fn congruent_phis(graph: &Graph) -> Vec<(NodeId, NodeId)> {
    let is_of_loop = |id: &NodeId| {
        graph.op(*id).is_phi()
            && graph.inputs(*id).len() == 3
            && graph.op(graph.input(*id, 0)) == Op::Loop
    };
    let mut phis = graph.ids().filter(is_of_loop).collect::<Vec<_>>();
    let mut firsts: SideTable<NodeId, Option<NodeId>> = SideTable::new(graph.len());
    let mut classes: FxHashMap<(NodeId, Type, Option<NodeId>), NodeId> = FxHashMap::default();
    for &phi in &phis {
        let [region, entry] = [0, 1].map(|at| graph.input(phi, at));
        // Two Phis of an outer loop may be congruent, too.
        let entry = Some(entry).filter(|it| !is_of_loop(it));
        let class = (region, graph.ty(phi), entry);
        firsts[phi] = Some(*classes.entry(class).or_insert(phi));
    }
    for _ in 0..MAX_ROUNDS {
        retain_shared(&mut phis, &firsts);
        let mut numbers = Numbers::new(graph, &firsts);
        let mut parts: FxHashMap<[NodeId; 3], NodeId> = FxHashMap::default();
        let split = phis.iter().map(|&phi| {
            let [entry, back] = [1, 2].map(|at| numbers.of(graph.input(phi, at)));
            let class = firsts[phi].expect("it has a class");
            *parts.entry([class, entry, back]).or_insert(phi)
        });
        let split = split.collect::<Vec<_>>();
        if phis.iter().zip(&split).all(|(phi, first)| firsts[*phi] == Some(*first)) {
            return phis.into_iter().zip(split).filter(|(phi, first)| phi != first).collect();
        }
        phis.iter().zip(split).for_each(|(&phi, first)| firsts[phi] = Some(first));
    }
    Vec::new()
}

/// Keeps the Phis whose class has another one.
fn retain_shared(phis: &mut Vec<NodeId>, firsts: &SideTable<NodeId, Option<NodeId>>) {
    let mut is_shared: SideTable<NodeId, bool> = SideTable::new(0);
    for &phi in phis.iter() {
        if let Some(first) = firsts[phi].filter(|&first| first != phi) {
            is_shared[first] = true;
        }
    }
    phis.retain(|&phi| firsts[phi].is_some_and(|first| is_shared[first]));
}

/// Value numbers: congruent nodes have one number, that of the first of them.
struct Numbers<'g> {
    graph: &'g Graph,
    /// The first Phi of the class of each Phi of a loop.
    firsts: &'g SideTable<NodeId, Option<NodeId>>,
    numbers: SideTable<NodeId, Option<NodeId>>,
    /// The first node with each operation and these numbers of its inputs, of which it has three at
    /// most.
    known: FxHashMap<(Op, [Option<NodeId>; 3]), NodeId>,
    /// The nodes to number, each with whether its inputs have their numbers.
    open: Vec<(NodeId, bool)>,
}

impl<'g> Numbers<'g> {
    fn new(graph: &'g Graph, firsts: &'g SideTable<NodeId, Option<NodeId>>) -> Numbers<'g> {
        let numbers = SideTable::new(graph.len());
        Numbers { graph, firsts, numbers, known: FxHashMap::default(), open: Vec::new() }
    }

    fn of(&mut self, id: NodeId) -> NodeId {
        self.open.push((id, false));
        while let Some((id, has_inputs)) = self.open.pop() {
            if has_inputs {
                self.numbers[id] = Some(self.number(id));
            } else if self.numbers[id].is_none() {
                // Code that is never executed may have other cycles.
                self.numbers[id] = Some(id);
                self.open.push((id, true));
                if self.is_operation(id) {
                    self.open.extend(self.graph.inputs(id).map(|it| (it, false)));
                }
            }
        }
        self.numbers[id].expect("it was numbered")
    }

    /// Whether the value of a node follows from its inputs alone, and no cycle leads through it.
    fn is_operation(&self, id: NodeId) -> bool {
        match self.graph.op(id) {
            Op::Unary(_) | Op::Binary(_) | Op::Compare(_) => true,
            Op::Phi(_) => self.graph.op(self.graph.input(id, 0)) != Op::Loop,
            _ => false,
        }
    }

    /// The number of a node whose inputs have theirs.
    fn number(&mut self, id: NodeId) -> NodeId {
        if !self.is_operation(id) {
            return self.firsts[id].unwrap_or(id);
        }
        let op = self.graph.op(id).without_label();
        let mut key = [None; 3];
        key.iter_mut().zip(self.graph.inputs(id)).for_each(|(of, it)| *of = self.numbers[it]);
        if let Op::Binary(binary) = op
            && binary.row().commutes
        {
            key[..2].sort_unstable();
        }
        *self.known.entry((op, key)).or_insert(id)
    }
}

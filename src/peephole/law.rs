//! Laws of algebra as data: matched against the sea, applied to it, evaluated.
//!
//! A law is a pair of terms, a pattern and a replacement. A match binds each name of the pattern
//! to a node; with these nodes for its names, the replacement takes the place of the root.
//! Source: F. Baader, T. Nipkow, "Term Rewriting and All That", 1998, on matching.
use super::canonical_order::{is_before, is_short_sum, sum};
use super::{Component, Engine};
use crate::arith::{Binary, Relation, Unary, Width};
use crate::sea::{Graph, NodeId, Op};
use crate::types::value_class;

pub struct Law {
    pub name: String,
    /// Pattern, guards and replacement.
    pub text: String,
    pub example: (String, String),
    pub decreases: Component,
    /// The operation of the pattern's root.
    pub root: Operation,
    pub pattern: Term,
    pub guards: Vec<Guard>,
    pub replacement: Term,
    /// The operations below the root that must have no other user, as paths from it. Otherwise the
    /// law would compute them, or parts of them, a second time.
    #[cfg(feature = "ch09")]
    pub unshared: Vec<Path>,
}

/// The numbers of the inputs on the path from a root to a node below it.
#[cfg(feature = "ch09")]
pub type Path = Vec<usize>;

/// The node at the end of a path.
#[cfg(feature = "ch09")]
pub fn below(graph: &Graph, root: NodeId, path: &[usize]) -> Option<NodeId> {
    path.iter().try_fold(root, |node, &at| graph.inputs(node).nth(at))
}

/// A name of a law, by its number.
pub type Slot = usize;

/// How many names a law may have.
pub const MAX_NAMES: usize = 6;

pub enum Term {
    Name(Slot),
    /// The name of a constant.
    Constant(Slot),
    Number(i64),
    /// An operation on terms; in a pattern it may have a name.
    Operation(Operation, Vec<Term>, Option<Slot>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    Unary(Unary),
    Binary(Binary),
    /// A comparison, by this relation or else by the one that the match binds.
    Compare(Option<Relation>),
}

/// When a law is used. No law needs its guards to be true.
#[derive(Clone, Copy)]
pub enum Guard {
    /// `varies(x)`: x is no constant.
    Varies(Slot),
    /// `term(x)`: x is no sum.
    Term(Slot),
    /// `short(s)`: the sum s has few terms.
    Short(Slot),
    /// `before(x, y)`: x is left of y in the canonical form of a sum.
    Before(Slot, Slot),
}

/// The nodes and the relation that a law's names are bound to.
#[derive(Default)]
struct Match {
    nodes: [Option<NodeId>; MAX_NAMES],
    relation: Option<Relation>,
}

impl Law {
    /// Whether the node and its operands are as in the pattern, and the guards about operands hold,
    /// as far as the shape of the node decides it. The rest is left to `apply`.
    pub fn is_root(&self, graph: &Graph, id: NodeId) -> bool {
        let Term::Operation(_, operands, _) = &self.pattern else { return false };
        if !self.root.is_kind_of(graph.op(id)) {
            return false;
        }
        let mut found = Match::default();
        let fits = |(operand, input): (&Term, _)| match operand {
            Term::Name(name) => found.bind(*name, input),
            Term::Constant(_) => graph.value(input).is_some(),
            Term::Number(number) => value_class(graph.value(input)) == value_class(Some(*number)),
            Term::Operation(operation, ..) => operation.is_kind_of(graph.op(input)),
        };
        let fits = operands.iter().zip(graph.inputs(id)).all(fits);
        let may_hold = |guard: &Guard| match guard {
            Guard::Varies(name) | Guard::Term(name) if found.nodes[*name].is_some() => {
                guard.holds(graph, &found)
            }
            _ => true,
        };
        fits && self.guards.iter().all(may_hold)
    }

    /// Puts the replacement in the place of `id`, if the law matches there.
    pub fn apply(&self, engine: &mut Engine, graph: &mut Graph, id: NodeId) -> Option<NodeId> {
        let mut found = Match::default();
        let fits = self.pattern.matches(graph, id, &mut found)
            && self.guards.iter().all(|guard| guard.holds(graph, &found));
        #[cfg(feature = "ch09")]
        let fits = fits && self.computes_nothing_again(graph, id);
        fits.then(|| self.replacement.replace(engine, graph, id, &found))
    }

    /// Whether the operations that must have no other user have none.
    #[cfg(feature = "ch09")]
    fn computes_nothing_again(&self, graph: &Graph, root: NodeId) -> bool {
        let mut operations = self.unshared.iter().filter_map(|path| below(graph, root, path));
        operations.all(|it| graph.uses(it) == 1)
    }
}

impl Term {
    /// Whether the node is an instance of the pattern, given the names that are bound already.
    fn matches(&self, graph: &Graph, id: NodeId, found: &mut Match) -> bool {
        match self {
            Term::Number(number) => graph.value(id) == Some(*number),
            Term::Name(slot) => found.bind(*slot, id),
            Term::Constant(slot) => graph.value(id).is_some() && found.bind(*slot, id),
            Term::Operation(operation, operands, name) => {
                operation.matches(graph.op(id))
                    && found.bind_relation(graph.op(id))
                    && name.is_none_or(|name| found.bind(name, id))
                    && operands
                        .iter()
                        .zip(graph.inputs(id))
                        .all(|(operand, input)| operand.matches(graph, input, found))
            }
        }
    }

    /// Makes the replacement of `id`. If operands only change places, `id` stays the node it is:
    /// the order of terms depends on the age of nodes.
    fn replace(&self, engine: &mut Engine, graph: &mut Graph, id: NodeId, found: &Match) -> NodeId {
        let Some((op, inputs)) = self.operation(engine, graph, found) else {
            return self.leaf(engine, graph, found);
        };
        if op == graph.op(id) && graph.inputs(id).rev().eq(inputs.iter().copied()) {
            graph.swap_inputs(id);
            return id;
        }
        graph.create(op, &inputs)
    }

    /// The node of an operand of the replacement.
    fn node(&self, engine: &mut Engine, graph: &mut Graph, found: &Match) -> NodeId {
        match self.operation(engine, graph, found) {
            Some((op, inputs)) => engine.node(graph, op, &inputs),
            None => self.leaf(engine, graph, found),
        }
    }

    /// The operation and its operands, unless the term is a name or a constant.
    fn operation(
        &self,
        engine: &mut Engine,
        graph: &mut Graph,
        found: &Match,
    ) -> Option<(Op, Vec<NodeId>)> {
        match self {
            Term::Operation(operation, operands, _) if self.constant(graph, found).is_none() => {
                let inputs = operands.iter().map(|operand| operand.node(engine, graph, found));
                Some((operation.op(found), inputs.collect()))
            }
            Term::Operation(..) | Term::Name(_) | Term::Constant(_) | Term::Number(_) => None,
        }
    }

    /// The node of a name, or a new one for a constant.
    fn leaf(&self, engine: &mut Engine, graph: &mut Graph, found: &Match) -> NodeId {
        if let Term::Name(slot) | Term::Constant(slot) = self {
            return found.node(*slot);
        }
        let value = self.constant(graph, found).expect("all but constants are names");
        let constant = graph.types.constant(value);
        engine.node(graph, Op::Constant(constant), &[])
    }

    /// The name of its value.
    #[cfg(feature = "ch09")]
    pub fn name(&self) -> Option<Slot> {
        match self {
            Term::Name(name) | Term::Constant(name) => Some(*name),
            Term::Number(_) => None,
            Term::Operation(_, _, name) => *name,
        }
    }

    /// The operations below a pattern's root that are not in its replacement.
    #[cfg(feature = "ch09")]
    pub fn taken_apart(&self, replacement: &Term) -> Vec<Path> {
        let (mut found, mut open) = (Vec::new(), vec![(Path::new(), self)]);
        while let Some((path, term)) = open.pop() {
            let Term::Operation(_, operands, name) = term else { continue };
            if !path.is_empty() && !name.is_some_and(|name| replacement.contains(name)) {
                found.push(path.clone());
            }
            let below = |(at, it)| ([&path[..], &[at]].concat(), it);
            open.extend(operands.iter().enumerate().map(below));
        }
        found
    }

    #[cfg(feature = "ch09")]
    fn contains(&self, wanted: Slot) -> bool {
        match self {
            Term::Operation(_, operands, _) => operands.iter().any(|it| it.contains(wanted)),
            _ => self.name() == Some(wanted),
        }
    }

    /// The value of the term, if it consists of constants.
    fn constant(&self, graph: &Graph, found: &Match) -> Option<i64> {
        match self {
            Term::Name(_) => None,
            Term::Constant(slot) => graph.value(found.node(*slot)),
            Term::Number(number) => Some(*number),
            Term::Operation(operation, operands, _) => {
                let values = operands.iter().map(|operand| operand.constant(graph, found));
                let values = values.collect::<Option<Vec<_>>>()?;
                Some(operation.evaluate(graph.types.int, found.relation, &values))
            }
        }
    }
}

impl Operation {
    /// Whether it matches some operation of this kind. All comparisons are of one kind.
    fn is_kind_of(self, op: Op) -> bool {
        match self {
            Operation::Compare(_) => matches!(op, Op::Compare(_)),
            Operation::Unary(_) | Operation::Binary(_) => self.matches(op),
        }
    }

    fn matches(self, op: Op) -> bool {
        match self {
            Operation::Unary(unary) => op == Op::Unary(unary),
            Operation::Binary(binary) => op == Op::Binary(binary),
            Operation::Compare(Some(relation)) => op == Op::Compare(relation),
            Operation::Compare(None) => matches!(op, Op::Compare(_)),
        }
    }

    fn op(self, found: &Match) -> Op {
        match self {
            Operation::Unary(unary) => Op::Unary(unary),
            Operation::Binary(binary) => Op::Binary(binary),
            Operation::Compare(relation) => {
                Op::Compare(relation.or(found.relation).expect(RELATION_IS_BOUND))
            }
        }
    }

    pub fn operands(self) -> usize {
        match self {
            Operation::Unary(_) => 1,
            Operation::Binary(_) | Operation::Compare(_) => 2,
        }
    }

    pub fn evaluate(self, width: Width, relation: Option<Relation>, operands: &[i64]) -> i64 {
        match self {
            Operation::Unary(unary) => (unary.row().evaluate)(width, operands[0]),
            Operation::Binary(binary) => (binary.row().evaluate)(width, operands[0], operands[1]),
            Operation::Compare(own) => {
                let relation = own.or(relation).expect(RELATION_IS_BOUND);
                i64::from(relation.holds(operands[0], operands[1]))
            }
        }
    }
}

const RELATION_IS_BOUND: &str = "the pattern binds the relation";

impl Guard {
    /// The names it is about.
    #[cfg(feature = "ch09")]
    pub fn names(self) -> impl Iterator<Item = Slot> {
        let (first, second) = match self {
            Guard::Varies(name) | Guard::Term(name) | Guard::Short(name) => (name, None),
            Guard::Before(left, right) => (left, Some(right)),
        };
        std::iter::once(first).chain(second)
    }

    fn holds(self, graph: &Graph, found: &Match) -> bool {
        match self {
            // A constant without a value is never reached.
            Guard::Varies(name) => {
                let node = found.node(name);
                graph.value(node).is_none()
                    && !matches!(graph.op(node), crate::sea::Op::Constant(_))
            }
            Guard::Term(name) => sum(graph, found.node(name)).is_none(),
            Guard::Short(name) => is_short_sum(graph, found.node(name)),
            Guard::Before(left, right) => is_before(graph, found.node(left), found.node(right)),
        }
    }
}

impl Match {
    fn node(&self, name: Slot) -> NodeId {
        self.nodes[name].expect("the pattern binds each name")
    }

    /// Whether the name is bound to this node, now or already.
    fn bind(&mut self, name: Slot, id: NodeId) -> bool {
        *self.nodes[name].get_or_insert(id) == id
    }

    fn bind_relation(&mut self, op: Op) -> bool {
        match op {
            Op::Compare(relation) => *self.relation.get_or_insert(relation) == relation,
            _ => true,
        }
    }
}

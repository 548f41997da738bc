//! The nodes of the e-graph, and the facts about each class: the wrapper of the crate `egg`.
//!
//! A node is the head of a term with classes as operands. Terms are closed under substitution, so
//! an equality holds in every scope: `get-0` is any value. A fact that holds only in one scope is
//! used by substitution, never by a union.
//! Source: M. Willsey, C. Nandi, Y. R. Wang, O. Flatt, Z. Tatlock, P. Panchekha, "egg: Fast and
//! Extensible Equality Saturation", POPL 2021 (rebuilding, analyses of classes).
use super::fact::Fact;
use super::interval;
use crate::arith::{Binary, WORD};
use crate::region::{Head, Operator};
use egg::{Analysis, DidMerge, Language};
use std::cmp::Ordering;

pub use egg::Id;

pub type EGraph = egg::EGraph<Node, Facts>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    pub head: Head,
    pub operands: Box<[Id]>,
}

impl Node {
    pub fn new(head: Head, operands: &[Id]) -> Node {
        Node { head, operands: operands.into() }
    }

    pub fn number(value: i64) -> Node {
        Node::new(Head::Number(value), &[])
    }

    /// The operands in the scope of the node itself, and those in scopes inside of it.
    pub fn split(&self) -> (&[Id], &[Id]) {
        self.operands.split_at(self.operands.len() - self.head.inside(self.operands.len()))
    }

    /// A force without values: only the state passes. In a loop, it means one more iteration.
    pub fn is_pass(&self) -> bool {
        self.head == Head::Force && self.operands.len() == 1
    }

    /// Numbers that tell two heads apart, and order them.
    fn key(&self) -> (u8, i64, i64) {
        match self.head {
            Head::Number(number) => (0, number, 0),
            Head::Argument(at) => (1, at.into(), 0),
            Head::Operator(Operator::Binary(op)) => (2, op as i64, 0),
            Head::Operator(Operator::Compare(relation)) => (3, relation as i64, 0),
            Head::Component(at) => (4, at.into(), 0),
            Head::Use => (5, 0, 0),
            Head::Force => (6, 0, 0),
            Head::Switch { cases, outputs } => (7, cases.into(), outputs.into()),
            Head::Loop => (8, 0, 0),
            Head::Call => (9, 0, 0),
            Head::Function { inputs, outputs } => (10, inputs.into(), outputs.into()),
        }
    }
}

impl Ord for Node {
    fn cmp(&self, other: &Node) -> Ordering {
        self.key().cmp(&other.key()).then_with(|| self.operands.cmp(&other.operands))
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Language for Node {
    type Discriminant = Head;

    fn discriminant(&self) -> Head {
        self.head
    }

    fn matches(&self, other: &Node) -> bool {
        self.head == other.head && self.operands.len() == other.operands.len()
    }

    fn children(&self) -> &[Id] {
        &self.operands
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.operands
    }
}

/// The analysis of classes has no state of its own.
#[derive(Default)]
pub struct Facts;

impl Analysis<Node> for Facts {
    type Data = Fact;

    fn make(graph: &mut EGraph, node: &Node, _: Id) -> Fact {
        let fact = |id: &Id| graph[*id].data;
        let may_trap = node.operands.iter().any(|it| fact(it).may_trap);
        let traps_inside = node.operands.iter().any(|it| fact(it).traps);
        let found = match node.head {
            Head::Number(value) => Fact { min: value, max: value, ..Fact::ANY },
            Head::Argument(_) => Fact::ANY,
            Head::Operator(operator) => {
                let [left, right] = [fact(&node.operands[0]), fact(&node.operands[1])];
                let itself = traps(operator, left, right);
                let (may_trap, traps) = (may_trap || itself, traps_inside || itself);
                Fact { may_trap, traps, ..interval::results(operator, left, right) }
            }
            Head::Component(at) => component(graph, node.operands[0], at),
            Head::Function { .. } => {
                let constants = node.split().0;
                let may_trap = constants.iter().any(|it| fact(it).may_trap);
                Fact { may_trap, traps: constants.iter().any(|it| fact(it).traps), ..Fact::ANY }
            }
            Head::Loop | Head::Switch { .. } => Fact { may_trap, traps: traps_inside, ..Fact::ANY },
            Head::Force if node.is_pass() => Fact { may_trap, traps: traps_inside, ..Fact::ANY },
            Head::Use | Head::Force => Fact { may_trap: true, traps: traps_inside, ..Fact::ANY },
            Head::Call => Fact { may_trap: true, traps: true, ..Fact::ANY },
        };
        Fact { arguments: needed_arguments(graph, node), writes: writes(graph, node), ..found }
    }

    fn merge(&mut self, to: &mut Fact, from: Fact) -> DidMerge {
        let both = Fact {
            min: to.min.max(from.min),
            max: to.max.min(from.max),
            may_trap: to.may_trap && from.may_trap,
            traps: to.traps && from.traps,
            writes: to.writes && from.writes,
            arguments: to.arguments.min(from.arguments),
        };
        // Nothing executes a class without values.
        let both = match both.min <= both.max {
            true => both,
            false => Fact { min: to.min, max: to.max, ..both },
        };
        let changed = DidMerge(both != *to, both != from);
        *to = both;
        changed
    }

    fn modify(graph: &mut EGraph, id: Id) {
        if let Some(value) = graph[id].data.constant() {
            let number = graph.add(Node::number(value));
            graph.union(id, number);
        }
    }
}

/// Whether the computation of a node, its operands included, may write lines.
fn writes(graph: &EGraph, node: &Node) -> bool {
    let itself = match node.head {
        Head::Use => !node.operands.is_empty(),
        Head::Call => function(graph, node.operands[0]).is_none(),
        _ => false,
    };
    itself || node.operands.iter().any(|it| graph[*it].data.writes)
}

/// Whether a loop, a switch or a call writes lines, apart from its operands outside.
pub fn writes_inside(graph: &EGraph, node: &Node) -> bool {
    let writes = |results: &[Id]| results.iter().any(|it| graph[*it].data.writes);
    match node.head {
        Head::Call => function(graph, node.operands[0]).is_none_or(|it| writes(it.split().1)),
        _ => writes(node.split().1),
    }
}

/// The function that is the only possible one of a class.
pub fn function(graph: &EGraph, id: Id) -> Option<&Node> {
    graph[id].nodes.iter().find(|it| matches!(it.head, Head::Function { .. }))
}

/// A node needs only arguments of its scope below this number.
pub fn needed_arguments(graph: &EGraph, node: &Node) -> u32 {
    match node.head {
        Head::Argument(at) => at + 1,
        _ => node.split().0.iter().map(|it| graph[*it].data.arguments).max().unwrap_or(0),
    }
}

/// The fact about an output: what a force computes, it has computed for its state already.
fn component(graph: &EGraph, tuple: Id, at: u32) -> Fact {
    let class = &graph[tuple];
    let forces = class.nodes.iter().any(|it| it.head == Head::Force);
    let may_trap = class.data.may_trap && !(forces && at > 0);
    let mut fact = Fact { may_trap, traps: may_trap && class.data.traps, ..Fact::ANY };
    for node in &class.nodes {
        if let Head::Switch { outputs, .. } = node.head {
            let results = node.split().1.iter().skip(at as usize).step_by(outputs as usize);
            let facts: Vec<_> = results.map(|it| graph[*it].data).collect();
            fact.min = fact.min.max(facts.iter().map(|it| it.min).min().unwrap_or(fact.min));
            fact.max = fact.max.min(facts.iter().map(|it| it.max).max().unwrap_or(fact.max));
        }
        if node.head == Head::Force {
            let forced = graph[node.operands[at as usize]].data;
            (fact.min, fact.max) = (forced.min, forced.max);
        }
    }
    fact
}

/// Whether an operation itself may trap for operands with these facts.
pub fn traps(operator: Operator, left: Fact, right: Fact) -> bool {
    let divides = matches!(operator, Operator::Binary(Binary::Div | Binary::Mod));
    let by = |value| right.min <= value && value <= right.max;
    divides && (by(0) || (by(-1) && left.min == WORD.min()))
}

//! Like terms: a sum in which one value occurs several times becomes shorter.
//!
//! Additions, subtractions, signs and products with constants form a tree, and it computes a linear
//! form: c₁·x₁ + … + cₙ·xₙ + c. Integers wrap, so all trees with the same coefficients, modulo 2³²,
//! have the same value. If the form has fewer operations than are used by the tree alone, it takes
//! the tree's place. An operation with other users is computed anyway: it is a term like any other,
//! or, if that saves nothing, a part of the tree.
use super::canonical_order::MAX_TERMS;
use super::dependents::{Noted, aspect};
use super::{Component, Engine, Rule};
use crate::arith::{Binary, Unary, Width};
use crate::sea::{Graph, NodeId, Op};

pub const RULES: &[Rule] = &[Rule {
    name: "like-terms",
    law: "a·x + y + b·x → (a + b)·x + y, in a tree of sums, if that saves operations",
    example: ("(arg * 3 + 2) - (1 - arg)", "arg * 4 + 1"),
    root: &|graph, id| is_sum(graph, id) && graph.inputs(id).any(|it| is_nested(graph, it)),
    decreases: Component::Weight,
    apply: &|engine, graph, id| {
        let own = LinearForm::of(graph, id, Extent::Unshared, &mut engine.noted)?;
        let saves = |form: &LinearForm| form.operations() < own.tree;
        if saves(&own) {
            return Some(own.node(engine, graph));
        }
        if !own.has_shared_part {
            return None;
        }
        let whole = LinearForm::of(graph, id, Extent::Whole, &mut engine.noted)?;
        saves(&whole).then(|| whole.node(engine, graph))
    },
}];

fn is_sum(graph: &Graph, id: NodeId) -> bool {
    matches!(graph.op(id), Op::Binary(Binary::Add | Binary::Sub))
}

/// Whether the node may be an inner one of a tree of sums.
fn is_nested(graph: &Graph, id: NodeId) -> bool {
    matches!(
        graph.op(id),
        Op::Binary(Binary::Add | Binary::Sub | Binary::Mul) | Op::Unary(Unary::Minus)
    )
}

/// Trees of more operations than this are not looked at. A tree has at most one leaf more.
const MAX_OPERATIONS: usize = MAX_TERMS;

/// Values with their coefficients, without allocation: most trees stay as they are.
struct Terms {
    terms: [(NodeId, i64); MAX_OPERATIONS + 1],
    length: usize,
    int: Width,
}

/// The operations that belong to a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Those that are used by the tree alone.
    Unshared,
    /// All that are sums, differences, signs or multiples.
    Whole,
}

struct LinearForm {
    terms: Terms,
    constant: i64,
    /// The number of operations of the tree.
    tree: usize,
    /// Whether a term is an operation with other users. If none is, the whole tree is unshared.
    has_shared_part: bool,
}

impl Terms {
    fn of(first: NodeId, length: usize, int: Width) -> Terms {
        Terms { terms: [(first, 1); _], length, int }
    }

    fn push(&mut self, value: NodeId, factor: i64) {
        self.terms[self.length] = (value, self.int.wrap(factor));
        self.length += 1;
    }

    fn pop(&mut self) -> Option<(NodeId, i64)> {
        self.length = self.length.checked_sub(1)?;
        Some(self.terms[self.length])
    }

    /// Adds a multiple of a value, which may be a term already.
    fn add(&mut self, value: NodeId, factor: i64) {
        match self.terms[..self.length].iter_mut().find(|(term, _)| *term == value) {
            Some((_, sum)) => *sum = self.int.wrap(sum.wrapping_add(factor)),
            None => self.push(value, factor),
        }
    }

    fn iter(&self) -> impl Iterator<Item = (NodeId, i64)> {
        self.terms[..self.length].iter().copied().filter(|&(_, factor)| factor != 0)
    }
}

impl LinearForm {
    /// The form of a tree, unless that is large. Notes each node that this depends on.
    fn of(graph: &Graph, root: NodeId, extent: Extent, noted: &mut Noted) -> Option<LinearForm> {
        let none = || Terms::of(root, 0, graph.types.int);
        let mut form = LinearForm { terms: none(), constant: 0, tree: 0, has_shared_part: false };
        let (mut open, mut next) = (none(), Some((root, 1)));
        while let Some((id, factor)) = next.take().or_else(|| open.pop()) {
            if id != root {
                note(id, noted);
            }
            if let Some(number) = graph.value(id) {
                let constant = form.constant.wrapping_add(factor.wrapping_mul(number));
                form.constant = graph.types.int.wrap(constant);
                continue;
            }
            let input = |at| graph.input(id, at);
            match graph.op(id) {
                _ if extent == Extent::Unshared && id != root && graph.uses(id) > 1 => {
                    form.terms.add(id, factor);
                    form.has_shared_part |= is_nested(graph, id);
                    continue;
                }
                Op::Binary(Binary::Add) => {
                    open.push(input(1), factor);
                    next = Some((input(0), factor));
                }
                Op::Binary(Binary::Sub) => {
                    open.push(input(1), factor.wrapping_neg());
                    next = Some((input(0), factor));
                }
                Op::Unary(Unary::Minus) => open.push(input(0), factor.wrapping_neg()),
                Op::Binary(Binary::Mul) if graph.value(input(1)).is_some() => {
                    note(input(1), noted);
                    let number = graph.value(input(1)).unwrap_or_default();
                    open.push(input(0), factor.wrapping_mul(number));
                }
                _ => {
                    form.terms.add(id, factor);
                    continue;
                }
            }
            form.tree += 1;
            if form.tree == MAX_OPERATIONS {
                return None;
            }
        }
        Some(form)
    }

    /// The number of operations of `node`.
    fn operations(&self) -> usize {
        let (mut products, mut terms, mut positive) = (0, 0, self.constant != 0);
        let summands = usize::from(self.constant != 0);
        for (_, factor) in self.terms.iter() {
            products += usize::from(factor.unsigned_abs() != 1);
            terms += 1;
            positive |= factor != -1;
        }
        products + (summands + terms).saturating_sub(usize::from(positive))
    }

    /// The sum of the terms: differences are last, and the constant is first only if there is
    /// nothing else to subtract from.
    fn node(&self, engine: &mut Engine, graph: &mut Graph) -> NodeId {
        let mut constant = self.constant;
        let mut sum = None;
        let later = |&(_, factor): &(NodeId, i64)| factor == -1;
        let first = self.terms.iter().filter(|it| !later(it));
        for (value, factor) in first.chain(self.terms.iter().filter(later)) {
            let term = if factor.unsigned_abs() == 1 {
                value
            } else {
                let factor = number(engine, graph, factor);
                engine.node(graph, Op::Binary(Binary::Mul), &[value, factor])
            };
            if sum.is_none() && factor == -1 && constant != 0 {
                sum = Some(number(engine, graph, std::mem::take(&mut constant)));
            }
            sum = Some(match (sum, factor) {
                (None, -1) => engine.node(graph, Op::Unary(Unary::Minus), &[term]),
                (None, _) => term,
                (Some(sum), -1) => engine.node(graph, Op::Binary(Binary::Sub), &[sum, term]),
                (Some(sum), _) => engine.node(graph, Op::Binary(Binary::Add), &[sum, term]),
            });
        }
        let Some(sum) = sum else { return number(engine, graph, constant) };
        if constant == 0 {
            return sum;
        }
        let constant = number(engine, graph, constant);
        engine.node(graph, Op::Binary(Binary::Add), &[sum, constant])
    }
}

fn note(id: NodeId, noted: &mut Noted) {
    noted.push((id, aspect::INPUTS | aspect::TYPE | aspect::USERS));
}

fn number(engine: &mut Engine, graph: &mut Graph, value: i64) -> NodeId {
    let constant = graph.types.constant(value);
    engine.node(graph, Op::Constant(constant), &[])
}

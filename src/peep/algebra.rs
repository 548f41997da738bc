//! The algebra of integers: identities, and one canonical form for sums and products.
//!
//! A sum leans to the left, `((x + y) + z) + c`: its terms stand in a fixed order, the constant
//! last, so that two ways to write one sum become one graph.
#[cfg(feature = "ch05")]
use super::Engine;
#[cfg(feature = "ch05")]
use super::phi::{is_of_constants, over_constants};
#[cfg(feature = "ch09")]
use super::worklist::Aspect;
use super::{Component, On, Rule};
#[cfg(feature = "ch09")]
use crate::arith::Unary;
use crate::arith::{Binary, INT};
use crate::sea::{Graph, NodeId, Op};

/// Sums of more terms than this stay as they are, so that a sum of n terms costs n steps and not
/// n². Besides, other sums may share their left parts, and rewriting would copy all of them: the
/// sums of `x = x + y; y = y + x;`, again and again, have exponentially many terms.
const LONG_SUM: usize = 8;

pub const RULES: &[Rule] = &[
    Rule {
        name: "add-zero",
        law: "x + 0 → x",
        shows: ("arg + 0", "arg"),
        on: On::Binary(Binary::Add),
        shrinks: Component::Weight,
        apply: |_, graph, id| left_of_constant(graph, id, 0),
    },
    Rule {
        name: "add-same",
        law: "x + x → x · 2 where x is no constant",
        shows: ("arg + arg", "arg * 2"),
        on: On::Binary(Binary::Add),
        shrinks: Component::Weight,
        apply: |engine, graph, id| {
            let (left, right) = (graph.input(id, 0), graph.input(id, 1));
            if left != right || value(graph, left).is_some() {
                return None;
            }
            let two = graph.types.constant(2);
            let two = engine.node(graph, Op::Constant(two), &[]);
            Some(graph.create(Op::Binary(Binary::Mul), &[left, two]))
        },
    },
    #[cfg(feature = "ch09")]
    Rule {
        name: "add-minus",
        law: "x + (-y) → x - y",
        shows: ("arg * 2 + -arg", "arg * 2 - arg"),
        on: On::Binary(Binary::Add),
        shrinks: Component::Weight,
        apply: |_, graph, id| {
            let minus = graph.input(id, 1);
            let is_minus = graph.op(minus) == Op::Unary(Unary::Minus);
            is_minus.then(|| {
                let operands = [graph.input(id, 0), graph.input(minus, 0)];
                graph.create(Op::Binary(Binary::Sub), &operands)
            })
        },
    },
    Rule {
        name: "add-sum-left",
        law: "x + (y + z) → (y + z) + x",
        shows: ("arg + (arg + arg * 2)", "arg + arg * 2 + arg"),
        on: On::Binary(Binary::Add),
        shrinks: Component::RightSums,
        apply: |_, graph, id| {
            let swap = sum(graph, graph.input(id, 0)).is_none()
                && sum(graph, graph.input(id, 1)).is_some();
            swap.then(|| swapped(graph, id))
        },
    },
    Rule {
        name: "add-associate",
        law: "x + (y + z) → (x + y) + z",
        shows: ("(arg + arg * 2) + (arg * 3 + arg)", "arg + arg * 2 + arg * 3 + arg"),
        on: On::Binary(Binary::Add),
        shrinks: Component::RightSums,
        apply: |engine, graph, id| {
            let x = graph.input(id, 0);
            let [y, z] = sum(graph, graph.input(id, 1))?;
            if is_long_sum(graph, graph.input(id, 1)) {
                return None;
            }
            let inner = engine.node(graph, Op::Binary(Binary::Add), &[x, y]);
            Some(graph.create(Op::Binary(Binary::Add), &[inner, z]))
        },
    },
    Rule {
        name: "add-order",
        law: "y + x → x + y where x stands before y",
        shows: ("1 + arg", "arg + 1"),
        on: On::Binary(Binary::Add),
        shrinks: Component::Inversions,
        apply: |_, graph, id| {
            let (left, right) = (graph.input(id, 0), graph.input(id, 1));
            let swap = sum(graph, left).is_none() && stands_before(graph, right, left);
            swap.then(|| swapped(graph, id))
        },
    },
    Rule {
        name: "add-constants",
        law: "(x + c₁) + c₂ → x + c where c = c₁ + c₂",
        shows: ("arg + 1 + 2", "arg + 3"),
        on: On::Binary(Binary::Add),
        shrinks: Component::Weight,
        apply: |engine, graph, id| {
            let [x, first] = sum(graph, graph.input(id, 0))?;
            let (first, second) = (value(graph, first)?, value(graph, graph.input(id, 1))?);
            let total = graph.types.constant((Binary::Add.row().evaluate)(INT, first, second));
            let total = engine.node(graph, Op::Constant(total), &[]);
            Some(graph.create(Op::Binary(Binary::Add), &[x, total]))
        },
    },
    #[cfg(feature = "ch05")]
    Rule {
        name: "add-phi",
        law: "φ(c₁, c₂) + c → φ(c₁ + c, c₂ + c), and (x + φ) + c → x + φ'",
        shows: ("int x = 1; if (arg) x = 2; return x + 3;", "int x = 4; if (arg) x = 5; return x;"),
        on: On::Binary(Binary::Add),
        shrinks: Component::Weight,
        apply: with_phi,
    },
    Rule {
        name: "add-sort",
        law: "(x + z) + y → (x + y) + z where y stands before z",
        shows: ("arg + 1 + arg * 2", "arg + arg * 2 + 1"),
        on: On::Binary(Binary::Add),
        shrinks: Component::Inversions,
        apply: |engine, graph, id| {
            let [x, z] = sum(graph, graph.input(id, 0))?;
            let y = graph.input(id, 1);
            let terms = sum(graph, y).is_none() && sum(graph, z).is_none();
            if !terms || !stands_before(graph, y, z) || is_long_sum(graph, id) {
                return None;
            }
            let inner = engine.node(graph, Op::Binary(Binary::Add), &[x, y]);
            Some(graph.create(Op::Binary(Binary::Add), &[inner, z]))
        },
    },
    Rule {
        name: "sub-same",
        law: "x - x → 0",
        shows: ("arg - arg", "0"),
        on: On::Binary(Binary::Sub),
        shrinks: Component::Weight,
        apply: |engine, graph, id| {
            let zero = graph.types.constant(0);
            let same = graph.input(id, 0) == graph.input(id, 1);
            same.then(|| engine.node(graph, Op::Constant(zero), &[]))
        },
    },
    Rule {
        name: "mul-one",
        law: "x · 1 → x",
        shows: ("arg * 1", "arg"),
        on: On::Binary(Binary::Mul),
        shrinks: Component::Weight,
        apply: |_, graph, id| left_of_constant(graph, id, 1),
    },
    Rule {
        name: "mul-constant-right",
        law: "c · x → x · c",
        shows: ("2 * arg", "arg * 2"),
        on: On::Binary(Binary::Mul),
        shrinks: Component::Inversions,
        apply: |_, graph, id| {
            let constant = |at| value(graph, graph.input(id, at)).is_some();
            (constant(0) && !constant(1)).then(|| swapped(graph, id))
        },
    },
    #[cfg(feature = "ch06")]
    Rule {
        name: "mul-phi",
        law: "φ(c₁, c₂) · c → φ(c₁ · c, c₂ · c), and (x · φ) · c → x · φ'",
        shows: ("int x = 1; if (arg) x = 2; return x * 3;", "int x = 3; if (arg) x = 6; return x;"),
        on: On::Binary(Binary::Mul),
        shrinks: Component::Weight,
        apply: with_phi,
    },
    Rule {
        name: "div-one",
        law: "x / 1 → x",
        shows: ("arg / 1", "arg"),
        on: On::Binary(Binary::Div),
        shrinks: Component::Weight,
        apply: |_, graph, id| left_of_constant(graph, id, 1),
    },
];

/// Whether the term `first` stands to the left of the term `second` in the canonical form of a
/// sum: by rank, and of two terms of one rank the one that was made later stands first.
pub fn stands_before(graph: &Graph, first: NodeId, second: NodeId) -> bool {
    match (rank(graph, first), rank(graph, second)) {
        (Rank::Constant, Rank::Constant) => false,
        (one, other) => one < other || one == other && first > second,
    }
}

/// Where a term stands in a sum, from left to right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// What comes from elsewhere.
    #[cfg(feature = "ch05")]
    Phi,
    Other,
    /// Constants that come from elsewhere: close to the constants that they may be added to.
    #[cfg(feature = "ch05")]
    PhiOfConstants,
    Constant,
}

fn rank(graph: &Graph, id: NodeId) -> Rank {
    match graph.op(id) {
        _ if value(graph, id).is_some() => Rank::Constant,
        #[cfg(feature = "ch05")]
        Op::Phi(_) if is_of_constants(graph, id) => Rank::PhiOfConstants,
        #[cfg(feature = "ch05")]
        Op::Phi(_) => Rank::Phi,
        _ => Rank::Other,
    }
}

/// Applies the operation to the constants that a Phi brings.
#[cfg(feature = "ch05")]
fn with_phi(engine: &mut Engine, graph: &mut Graph, id: NodeId) -> Option<NodeId> {
    let (op, [left, right]) = (graph.op(id), [0, 1].map(|at| graph.input(id, at)));
    if let Some(phi) = over_constants(engine, graph, op, [left, right]) {
        return Some(phi);
    }
    if graph.op(left) != op {
        return None;
    }
    let [x, inner] = [0, 1].map(|at| graph.input(left, at));
    let phi = over_constants(engine, graph, op, [inner, right])?;
    let phi = engine.peephole(graph, phi);
    Some(graph.create(op, &[x, phi]))
}

/// The two operands, if the node is a sum.
pub fn sum(graph: &Graph, id: NodeId) -> Option<[NodeId; 2]> {
    let is_sum = graph.op(id) == Op::Binary(Binary::Add);
    is_sum.then(|| [graph.input(id, 0), graph.input(id, 1)])
}

/// Adds what rules see of the operands of `id`: the spines of sums, as far as they look, one term
/// or factor more, and where constants may come from.
#[cfg(feature = "ch09")]
pub fn see_spine(graph: &Graph, id: NodeId, seen: &mut Vec<(NodeId, Aspect)>) {
    for operand in graph.inputs(id) {
        let spine = spine(graph, operand).take(LONG_SUM + 1);
        seen.extend(spine.map(|at| (at, Aspect::Inputs)));
        see_values(graph, operand, seen);
    }
    let left = graph.input(id, 0);
    if let Op::Binary(_) = graph.op(left) {
        let term = graph.input(left, 1);
        seen.extend([(left, Aspect::Inputs), (term, Aspect::Type)]);
        see_values(graph, term, seen);
    }
}

/// The values of a Phi.
#[cfg(feature = "ch09")]
fn see_values(graph: &Graph, id: NodeId, seen: &mut Vec<(NodeId, Aspect)>) {
    if graph.op(id).is_phi() {
        seen.push((id, Aspect::Inputs));
        seen.extend(graph.inputs(id).skip(1).map(|value| (value, Aspect::Type)));
    }
}

/// The sum, its left operand if that is a sum, and so on; the last one is the first term.
fn spine(graph: &Graph, id: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(Some(id), |&id| sum(graph, id).map(|[left, _]| left))
}

fn is_long_sum(graph: &Graph, id: NodeId) -> bool {
    spine(graph, id).nth(LONG_SUM).is_some()
}

/// The left operand, if the right one is known to be `constant`.
fn left_of_constant(graph: &Graph, id: NodeId, constant: i64) -> Option<NodeId> {
    (value(graph, graph.input(id, 1)) == Some(constant)).then(|| graph.input(id, 0))
}

fn value(graph: &Graph, id: NodeId) -> Option<i64> {
    graph.types.value(graph.ty(id))
}

fn swapped(graph: &mut Graph, id: NodeId) -> NodeId {
    graph.swap_inputs(id);
    id
}

//! The algebra of integers: identities, and one canonical form for sums and products.
//!
//! A sum leans to the left, `((x + y) + z) + c`: its terms stand in a fixed order, the constant
//! last, so that two ways to write one sum become one graph.
use super::{Component, On, Rule};
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
        shrinks: Component::Nodes,
        apply: |_, graph, id| left_of_constant(graph, id, 0),
    },
    Rule {
        name: "add-same",
        law: "x + x → x · 2 where x is no constant",
        shows: ("arg + arg", "arg * 2"),
        on: On::Binary(Binary::Add),
        shrinks: Component::Nodes,
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
        shrinks: Component::Nodes,
        apply: |engine, graph, id| {
            let [x, first] = sum(graph, graph.input(id, 0))?;
            let (first, second) = (value(graph, first)?, value(graph, graph.input(id, 1))?);
            let total = graph.types.constant((Binary::Add.row().meaning)(INT, first, second));
            let total = engine.node(graph, Op::Constant(total), &[]);
            Some(graph.create(Op::Binary(Binary::Add), &[x, total]))
        },
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
        shrinks: Component::Nodes,
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
        shrinks: Component::Nodes,
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
    Rule {
        name: "div-one",
        law: "x / 1 → x",
        shows: ("arg / 1", "arg"),
        on: On::Binary(Binary::Div),
        shrinks: Component::Nodes,
        apply: |_, graph, id| left_of_constant(graph, id, 1),
    },
];

/// Whether the term `first` stands to the left of the term `second` in the canonical form of a
/// sum: constants stand last, and of two other terms the one that was made later stands first.
pub fn stands_before(graph: &Graph, first: NodeId, second: NodeId) -> bool {
    match (value(graph, first), value(graph, second)) {
        (Some(_), _) => false,
        (None, Some(_)) => true,
        (None, None) => first > second,
    }
}

/// The two operands, if the node is a sum.
pub fn sum(graph: &Graph, id: NodeId) -> Option<[NodeId; 2]> {
    let is_sum = graph.op(id) == Op::Binary(Binary::Add);
    is_sum.then(|| [graph.input(id, 0), graph.input(id, 1)])
}

fn is_long_sum(graph: &Graph, id: NodeId) -> bool {
    let left = |&id: &NodeId| sum(graph, id).map(|[left, _]| left);
    std::iter::successors(Some(id), left).nth(LONG_SUM).is_some()
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

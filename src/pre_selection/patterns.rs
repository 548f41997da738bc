//! Patterns of operations that several passes look for.
use crate::arith::{Binary, Relation};
use crate::firm::{Graph, Mode, NodeId, Op, sort};
use arena::SideTable;

/// Finds a pattern at each node, and replaces those that are found; that gets the numbers of uses,
/// too. New nodes read dividends that are before the old ones.
pub fn replace_found<F>(
    mut graph: Graph,
    find: impl Fn(&Graph, NodeId) -> Option<F>,
    replace: impl FnOnce(&mut Graph, Vec<F>, SideTable<NodeId, u32>),
) -> Graph {
    let found: Vec<_> = graph.ids().filter_map(|id| find(&graph, id)).collect();
    if found.is_empty() {
        return graph;
    }
    let (uses, count) = (graph.use_counts(), graph.len());
    replace(&mut graph, found, uses);
    if graph.len() == count {
        return graph;
    }
    sort(&graph).expect("a dividend is before its quotient").0
}

/// An operation on words with its two operands.
pub fn binary(graph: &Graph, id: NodeId) -> Option<(Binary, [NodeId; 2])> {
    match (graph.op(id), graph.node(id).mode, graph.operands(id)) {
        (Op::Binary(operator), Mode::Is, &[left, right]) => Some((operator, [left, right])),
        _ => None,
    }
}

/// The operands of an operation whose second operand is a constant.
pub fn by_constant(graph: &Graph, operator: Binary, id: NodeId) -> Option<(NodeId, i64)> {
    let (found, [left, right]) = binary(graph, id)?;
    match graph.op(right) {
        Op::Const(constant) if found == operator => Some((left, constant)),
        _ => None,
    }
}

/// The product x / c · c, which is x if c divides x.
pub struct Multiple {
    /// x / c.
    pub quotient: NodeId,
    /// x.
    pub dividend: NodeId,
    /// c.
    pub divisor: i64,
}

impl Multiple {
    pub fn find(graph: &Graph, product: NodeId) -> Option<Multiple> {
        let (quotient, factor) = by_constant(graph, Binary::Mul, product)?;
        let (dividend, divisor) = by_constant(graph, Binary::Div, quotient)?;
        (factor == divisor).then_some(Multiple { quotient, dividend, divisor })
    }
}

/// Whether it is x - x / y · y, which a machine computes as a whole.
pub fn is_remainder(graph: &Graph, id: NodeId) -> bool {
    let Some((Binary::Sub, [x, product])) = binary(graph, id) else { return false };
    let Some((Binary::Mul, [left, right])) = binary(graph, product) else { return false };
    let is_quotient = |id, divisor| binary(graph, id) == Some((Binary::Div, [x, divisor]));
    is_quotient(left, right) || is_quotient(right, left)
}

/// The comparison of a word with a constant: the relation of the word to it.
pub fn compared_with_constant(graph: &Graph, id: NodeId) -> Option<(Relation, NodeId, i64)> {
    let (Op::Cmp(relation), Mode::Is) = (graph.op(id), graph.node(id).mode) else { return None };
    let &[left, right] = graph.operands(id) else { return None };
    match (graph.op(left), graph.op(right)) {
        (_, Op::Const(constant)) => Some((relation, left, constant)),
        (Op::Const(constant), _) => Some((relation.swapped(), right, constant)),
        _ => None,
    }
}

/// The same comparison as whether a value is less than a limit, or not.
pub fn as_limit(relation: Relation, constant: i64) -> Option<(Relation, i64)> {
    match relation {
        Relation::Less => Some((Relation::Less, constant)),
        Relation::LessEqual => Some((Relation::Less, constant + 1)),
        Relation::Greater => Some((Relation::GreaterEqual, constant + 1)),
        Relation::GreaterEqual => Some((Relation::GreaterEqual, constant)),
        _ => None,
    }
}

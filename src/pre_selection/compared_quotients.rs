//! Comparisons of quotients: x / c < k is a comparison of x, so the division is not needed.
//!
//! Division truncates toward 0, so for k ≥ 1 the quotient is less than k if x < c·k. For k ≤ 0 it
//! is at most k − 1, a negative number, if x ≤ c·(k − 1).
use super::patterns::{as_limit, by_constant, compared_with_constant, replace_found};
use crate::arith::{Binary, Relation};
use crate::firm::{Graph, Mode, NodeId, Op};

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "compared-quotients";

pub const LAW: &str = "x / c < k → x < c·k, or x ≤ c·(k - 1) if k ≤ 0, for c > 0";

/// Compares dividends where quotients by constants are only compared with constants.
pub fn replace(graph: Graph) -> Graph {
    replace_found(graph, Comparison::find, |graph, comparisons, mut uses| {
        // The uses of each quotient that remain.
        comparisons.iter().for_each(|it| uses[it.quotient] -= 1);
        let replaced = comparisons.into_iter().filter(|it| uses[it.quotient] == 0);
        replaced.for_each(|it| it.replace(graph));
    })
}

/// A comparison of a quotient with a constant.
struct Comparison {
    id: NodeId,
    quotient: NodeId,
    dividend: NodeId,
    /// The relation of the dividend to the bound.
    relation: Relation,
    bound: i64,
}

impl Comparison {
    fn find(graph: &Graph, id: NodeId) -> Option<Comparison> {
        let (relation, quotient, limit) = compared_with_constant(graph, id)?;
        let (dividend, divisor) = by_constant(graph, Binary::Div, quotient)?;
        let (relation, limit) = as_limit(relation, limit)?;
        // The least dividend whose quotient is not below the limit.
        let bound = if limit >= 1 { divisor * limit } else { divisor * (limit - 1) + 1 };
        let fits = divisor > 0 && i32::try_from(bound).is_ok();
        fits.then_some(Comparison { id, quotient, dividend, relation, bound })
    }

    fn replace(self, graph: &mut Graph) {
        let (op, start) = (Op::Const(self.bound), graph.start_block);
        // The first comparison of a quotient has the constant in its place.
        let bound = if graph.op(self.quotient) == Op::Binary(Binary::Div) {
            graph.rewrite(self.quotient, op, Mode::Is, 0);
            graph.set_block(self.quotient, start);
            self.quotient
        } else {
            graph.add(op, Mode::Is, start, &[])
        };
        graph.replace(self.id, Op::Cmp(self.relation), Mode::Is, &[self.dividend, bound]);
    }
}

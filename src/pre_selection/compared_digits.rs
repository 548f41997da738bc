//! Comparisons of digits: x / d rem c < k compares one digit of x, so one division is enough.
//!
//! A remainder has the sign of its dividend, so only an x > 0 has a digit k ≥ 1 or above. For such
//! an x, x / d rem c is the quotient of x rem c·d by d, and it is less than k if x rem c·d < k·d.
use super::patterns::{
    Multiple, as_limit, binary, by_constant, compared_with_constant, replace_found,
};
use crate::arith::{Binary, Relation};
use crate::firm::{Graph, Mode, NodeId, Op};

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "compared-digits";

pub const LAW: &str = "x / d rem c < k → x rem c·d < k·d, for c, d, k > 0";

/// Compares remainders of the dividend where a quotient is only used for the comparison of a digit.
pub fn replace(graph: Graph) -> Graph {
    replace_found(graph, Comparison::find, |graph, comparisons, uses| {
        // The digit subtracts a product from the quotient, which it divides for the product.
        let is_alone = |it: &Comparison| it.nodes.iter().map(|&id| uses[id]).eq([1, 1, 1, 2]);
        comparisons.into_iter().filter(is_alone).for_each(|it| it.replace(graph));
    })
}

/// A comparison of a digit with a positive constant.
struct Comparison {
    id: NodeId,
    /// The digit x / d rem c, (x / d) / c · c, (x / d) / c and x / d.
    nodes: [NodeId; 4],
    dividend: NodeId,
    /// The relation of x rem c·d to the bound.
    relation: Relation,
    /// c · d.
    divisor: i64,
    bound: i64,
}

impl Comparison {
    fn find(graph: &Graph, id: NodeId) -> Option<Comparison> {
        let (relation, digit, constant) = compared_with_constant(graph, id)?;
        let (Binary::Sub, [quotient, product]) = binary(graph, digit)? else { return None };
        let (dividend, d) = by_constant(graph, Binary::Div, quotient)?;
        let multiple = Multiple::find(graph, product)?;
        let c = multiple.divisor;
        // The largest digit is the only one that is not less.
        let (relation, limit) = match relation {
            Relation::Equal if constant == c - 1 => (Relation::GreaterEqual, constant),
            Relation::NotEqual if constant == c - 1 => (Relation::Less, constant),
            _ => as_limit(relation, constant)?,
        };
        let (divisor, bound) = (c * d, limit * d);
        let is_digit = multiple.dividend == quotient && c > 0 && d > 0;
        let fits = limit > 0 && [divisor, bound].iter().all(|&it| i32::try_from(it).is_ok());
        let nodes = [digit, product, multiple.quotient, quotient];
        let found = Comparison { id, nodes, dividend, relation, divisor, bound };
        (is_digit && fits).then_some(found)
    }

    fn replace(self, graph: &mut Graph) {
        let Comparison { id, nodes: [remainder, product, quotient, _], dividend, .. } = self;
        let mut constant = |value| graph.add(Op::Const(value), Mode::Is, graph.start_block, &[]);
        let (divisor, bound) = (constant(self.divisor), constant(self.bound));
        for (user, operands) in [
            (quotient, [dividend, divisor]),
            (product, [quotient, divisor]),
            (remainder, [dividend, product]),
            (id, [remainder, bound]),
        ] {
            operands.into_iter().enumerate().for_each(|(at, it)| graph.set_operand(user, at, it));
        }
        graph.rewrite(id, Op::Cmp(self.relation), Mode::Is, 2);
    }
}

//! Tests of divisibility: x / y · y = x compares a product, but x - x / y · y = 0 compares the
//! remainder, which the machine's division computes with the quotient.
//!
//! Where a divisor is tested, the quotient is a Phi. Then the remainder is computed in each of its
//! branches, since the division is in one of them.
use super::patterns::{binary, replace_found};
use crate::arith::{Binary, Relation};
use crate::firm::{Graph, Mode, NodeId, Op};

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "divisibility-tests";

pub const LAW: &str = "x / y · y = x → x - x / y · y = 0, if y is no constant";

/// Compares remainders instead of products.
pub fn replace(graph: Graph) -> Graph {
    replace_found(graph, Test::find, |graph, tests, uses| {
        tests.iter().filter(|it| uses[it.product] == 1).for_each(|it| it.replace(graph));
    })
}

/// A comparison of a number with the product of its quotient and the divisor.
struct Test {
    id: NodeId,
    dividend: NodeId,
    divisor: NodeId,
    product: NodeId,
    quotient: NodeId,
}

impl Test {
    fn find(graph: &Graph, id: NodeId) -> Option<Test> {
        let Op::Cmp(Relation::Equal | Relation::NotEqual) = graph.op(id) else { return None };
        let &[left, right] = graph.operands(id) else { return None };
        let sides = [(left, right), (right, left)];
        sides.into_iter().find_map(|(product, dividend)| {
            let (Binary::Mul, factors) = binary(graph, product)? else { return None };
            let [left, right] = factors;
            let factors = [(left, right), (right, left)].into_iter();
            let test = |(quotient, divisor)| Test { id, dividend, divisor, product, quotient };
            factors.map(test).find(|it| it.is_of_quotient(graph))
        })
    }

    /// Whether the product is computed from the quotient, and the divisor is no constant.
    fn is_of_quotient(&self, graph: &Graph) -> bool {
        let is_phi = graph.op(self.quotient) == Op::Phi;
        let is_near = graph.node(self.quotient).block == graph.node(self.product).block;
        let quotients = match is_phi {
            true => graph.operands(self.quotient),
            false => std::slice::from_ref(&self.quotient),
        };
        let is = |id: NodeId, operator| {
            binary(graph, id) == Some((operator, [self.dividend, self.divisor]))
        };
        // x · y stands for the quotient if the division could trap.
        let fits = |&id: &NodeId| is(id, Binary::Div) || is_phi && is(id, Binary::Mul);
        let is_quotient = quotients.iter().all(fits);
        let is_division = quotients.iter().any(|&id| is(id, Binary::Div));
        let is_variable = !matches!(graph.op(self.divisor), Op::Const(_));
        is_variable && is_division && is_quotient && (is_phi || is_near)
    }

    fn replace(&self, graph: &mut Graph) {
        let remainder = match graph.op(self.quotient) {
            Op::Phi => {
                let quotients = graph.operands(self.quotient).to_vec();
                let remainders: Vec<_> =
                    quotients.into_iter().map(|id| self.remainder(graph, id)).collect();
                graph.add(Op::Phi, Mode::Is, graph.node(self.quotient).block, &remainders)
            }
            _ => self.remainder(graph, self.quotient),
        };
        let zero = graph.add(Op::Const(0), Mode::Is, graph.start_block, &[]);
        graph.set_operand(self.id, 0, remainder);
        graph.set_operand(self.id, 1, zero);
    }

    /// x - q · y, in the block of the quotient q.
    fn remainder(&self, graph: &mut Graph, quotient: NodeId) -> NodeId {
        let block = graph.node(quotient).block;
        let mut add = |operator, operands: [NodeId; 2]| {
            graph.add(Op::Binary(operator), Mode::Is, block, &operands)
        };
        let product = add(Binary::Mul, [quotient, self.divisor]);
        add(Binary::Sub, [self.dividend, product])
    }
}

//! Exact quotients: where a test has found that c divides x, nothing of x / c is rounded.
//!
//! For c = 2ᵏ the quotient is x >> k. For an odd c it is x · m, where m · c = 1 modulo 2³²: if
//! x = q · c, then x · m = q · c · m = q (H. S. Warren, Hacker's Delight, 10-16). Where the test
//! fails, no quotient is needed: the remainder of such an x is compared with 0 without a division.
use super::patterns::{Multiple, binary};
use crate::arith::{Binary, Relation, WORD};
use crate::firm::{
    ControlFlow, EdgeKind, Graph, Mode, NodeId, Op, blocks, reducible_dominators, sort,
};
use arena::SideTable;

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "exact-quotients";

pub const LAW: &str =
    "if c divides x: x / c → x >> k for c = 2ᵏ, x · m with m · c = 1 for an odd c";

/// Replaces quotients that are used only where a test has found that the division is exact.
pub fn replace(mut graph: Graph) -> Graph {
    let count = graph.len();
    for (test, uses) in tests_with_uses(&graph) {
        let quotient = test.exact_quotient(&mut graph);
        uses.into_iter().for_each(|(user, at)| graph.set_operand(user, at, quotient));
    }
    if graph.len() == count {
        return graph;
    }
    sort(&graph).expect("a dividend is before its quotient").0
}

/// An operand of a node.
type Use = (NodeId, usize);

/// A branch on whether a constant divides a value.
struct Test {
    /// The block where it does.
    block: NodeId,
    quotient: NodeId,
    /// quotient · divisor.
    product: NodeId,
    dividend: NodeId,
    divisor: i64,
}

/// The tests whose quotients have uses beside the test, all in blocks where the division is exact.
fn tests_with_uses(graph: &Graph) -> Vec<(Test, Vec<Use>)> {
    let tests = blocks(graph).filter_map(|block| Test::find(graph, block));
    let mut tests: Vec<_> = tests.map(|test| (test, Vec::new())).collect();
    if tests.is_empty() {
        return tests;
    }
    let mut test_of: SideTable<NodeId, Option<usize>> = SideTable::new(graph.len());
    tests.iter().enumerate().for_each(|(number, it)| test_of[it.0.quotient] = Some(number));
    for user in graph.ids() {
        for (at, &operand) in graph.operands(user).iter().enumerate() {
            if let Some(number) = test_of[operand]
                && user != tests[number].0.product
            {
                tests[number].1.push((user, at));
            }
        }
    }
    let dominators = reducible_dominators(graph, &ControlFlow::new(graph));
    tests.retain(|(test, uses)| {
        let is_exact = |&it: &Use| {
            let block = block_of_use(graph, it);
            dominators.as_ref().is_some_and(|tree| tree.dominates(test.block, block))
        };
        !uses.is_empty() && uses.iter().all(is_exact)
    });
    tests
}

/// The block in which an operand must be known.
fn block_of_use(graph: &Graph, (user, at): Use) -> NodeId {
    let block = graph.node(user).block;
    match graph.op(user) {
        Op::Phi => graph.node(graph.operands(block)[at]).block,
        _ => block,
    }
}

impl Test {
    /// The test that holds in a block because of the branch that leads there.
    fn find(graph: &Graph, block: NodeId) -> Option<Test> {
        let &[branch] = graph.operands(block) else { return None };
        let Op::Cond = graph.op(branch) else { return None };
        let comparison = graph.operands(branch)[0];
        let side = match graph.op(comparison) {
            Op::Cmp(Relation::Equal) => EdgeKind::True,
            Op::Cmp(Relation::NotEqual) => EdgeKind::False,
            _ => return None,
        };
        let &[left, right] = graph.operands(comparison) else { return None };
        // x - x / c · c = 0, or x / c · c = x.
        let (product, compared) = match (binary(graph, left), graph.op(right)) {
            (Some((Binary::Sub, [x, product])), Op::Const(0)) => (product, x),
            _ => (left, right),
        };
        let Multiple { quotient, dividend, divisor } = Multiple::find(graph, product)?;
        let is_known = divisor > 1 && (divisor % 2 != 0 || divisor.count_ones() == 1);
        let is_exact = compared == dividend && graph.edge_kind(block, 0) == side;
        let test = Test { block, quotient, product, dividend, divisor };
        (is_known && is_exact).then_some(test)
    }

    /// The quotient, computed in the block where the division is exact.
    fn exact_quotient(&self, graph: &mut Graph) -> NodeId {
        let (operator, constant) = match self.divisor % 2 {
            0 => (Binary::Shrs, i64::from(self.divisor.trailing_zeros())),
            _ => (Binary::Mul, WORD.inverse(self.divisor)),
        };
        let constant = graph.add(Op::Const(constant), Mode::Is, graph.start_block, &[]);
        let op = Op::Binary(operator);
        graph.add(op, Mode::Is, self.block, &[self.dividend, constant])
    }
}

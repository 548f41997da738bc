//! Choices by two bits: a number that is 0 or a power of two, as two values of 0 or 1 are equal or
//! differ, is computed from their exclusive or.
//!
//! The arms of the branch are then often empty, and the branch goes, too. The ranges tell which
//! values are bits.
use crate::arith::{Binary, Relation};
use crate::firm::{ControlFlow, EdgeKind, Graph, Mode, NodeId, Op, sort};
use crate::ranges::ranges_of;

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "choice-of-bits";

pub const LAW: &str = "φ(0, 2ⁿ), if x = y and if x ≠ y → (x xor y) · 2ⁿ, for x, y of 0 and 1";

/// Replaces the Phis that choose by two bits.
pub fn replace(mut graph: Graph) -> Graph {
    let mut choices: Vec<_> = graph.ids().filter_map(|id| Choice::find(&graph, id)).collect();
    if choices.is_empty() {
        return graph;
    }
    let operands = choices.iter().flat_map(|choice| choice.compared).collect();
    let Some(ranges) = ranges_of(&graph, &ControlFlow::new(&graph), operands) else {
        return graph;
    };
    let is_by_bits =
        |choice: &Choice| choice.compared.iter().all(|&it| ranges.is_bit(it, choice.branch));
    choices.retain(is_by_bits);
    if choices.is_empty() {
        return graph;
    }
    // The Phi of 1 is the bit that the other Phis of its branch multiply.
    choices.sort_by_key(|choice| (choice.branch, choice.is_for_equal, choice.power));
    for same in choices.chunk_by(|a, b| a.branch == b.branch && a.is_for_equal == b.is_for_equal) {
        replace_all(&mut graph, same);
    }
    sort(&graph).expect("a value is computed from those before the branch").0
}

/// Computes the numbers that the Phis of one branch choose.
fn replace_all(graph: &mut Graph, choices: &[Choice]) {
    let Choice { phi, compared, is_for_equal, .. } = choices[0];
    let block = graph.node(phi).block;
    let constant =
        |graph: &mut Graph, value| graph.add(Op::Const(value), Mode::Is, graph.start_block, &[]);
    let (op, mut operands) = (Op::Binary(Binary::Eor), compared);
    if is_for_equal {
        operands = [graph.add(op, Mode::Is, block, &compared), constant(graph, 1)];
    }
    let is_bit = choices[0].power == 1;
    let bit = if is_bit { phi } else { graph.add(op, Mode::Is, block, &operands) };
    if is_bit {
        graph.replace(phi, op, Mode::Is, &operands);
    }
    for choice in &choices[usize::from(is_bit)..] {
        let power = constant(graph, choice.power);
        graph.replace(choice.phi, Op::Binary(Binary::Mul), Mode::Is, &[bit, power]);
    }
}

/// A Phi that chooses between 0 and a power of two.
struct Choice {
    phi: NodeId,
    /// The block with the branch.
    branch: NodeId,
    /// The values that the branch compares.
    compared: [NodeId; 2],
    power: i64,
    /// Whether the power is chosen if the values are equal.
    is_for_equal: bool,
}

impl Choice {
    fn find(graph: &Graph, phi: NodeId) -> Option<Choice> {
        let (Op::Phi, &[first, second]) = (graph.op(phi), graph.operands(phi)) else {
            return None;
        };
        if graph.node(phi).mode != Mode::Is {
            return None;
        }
        let (at, power) = match (graph.op(first), graph.op(second)) {
            (Op::Const(power), Op::Const(0)) => (0, power),
            (Op::Const(0), Op::Const(power)) => (1, power),
            _ => return None,
        };
        if power <= 0 || power & (power - 1) != 0 {
            return None;
        }
        let jumps = graph.operands(graph.node(phi).block);
        let [arm, other] = [at, 1 - at].map(|at| graph.node(jumps[at]).block);
        let (&[cond], &[other_cond]) = (graph.operands(arm), graph.operands(other)) else {
            return None;
        };
        let is_branch = cond == other_cond && graph.op(cond) == Op::Cond;
        let condition = *graph.operands(cond).first().filter(|_| is_branch)?;
        let (Op::Cmp(relation), &[x, y]) = (graph.op(condition), graph.operands(condition)) else {
            return None;
        };
        let is_equality = match (relation, graph.node(condition).mode) {
            (Relation::Equal, Mode::Is) => true,
            (Relation::NotEqual, Mode::Is) => false,
            _ => return None,
        };
        let is_for_equal = is_equality == (graph.edge_kind(arm, 0) == EdgeKind::True);
        let branch = graph.node(cond).block;
        Some(Choice { phi, branch, compared: [x, y], power, is_for_equal })
    }
}

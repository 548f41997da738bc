//! Rules for quotients, remainders and shifts whose operands are constants or in an interval. They
//! do not hold for all values, so they are no laws; but they hold for words of any width.
use super::node::{Id, Node};
use super::saturation::Saturation;
use crate::arith::{Binary, WORD, Width};
use crate::region::{Head, Operator};

/// The limit for the nodes of a class that the rules are applied to.
const MAX_NODES: usize = 16;

/// A new form of an operation whose right operand is a number.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// The left operand.
    Left,
    Number(i64),
    /// The left operand, and another number.
    Operation(Binary, i64),
}

/// Applies the rules to all nodes of classes that do not trap.
pub fn apply_to_all(saturation: &mut Saturation) {
    for id in (0..saturation.graph.nodes().len()).map(Id::from) {
        if saturation.is_exhausted() {
            return;
        }
        if saturation.graph.find(id) != id || saturation.fact(id).may_trap {
            continue;
        }
        let nodes = saturation.graph[id].nodes.iter().take(MAX_NODES);
        let quotients: Vec<_> = nodes.filter_map(|it| by_number(saturation, it)).collect();
        for quotient in quotients {
            apply(saturation, id, quotient);
        }
    }
}

/// Applies the rules to an operation of a class, whose right operand is a number.
fn apply(saturation: &mut Saturation, id: Id, (op, left, right): (Binary, Id, i64)) {
    let fact = saturation.fact(left);
    let new = of_interval(WORD, op, [fact.min, fact.max], right);
    union(saturation, id, left, new);
    let inner = saturation.graph[left].nodes.iter().take(MAX_NODES);
    let inner = inner.filter_map(|it| by_number(saturation, it)).filter(|it| it.0 == op);
    let new = inner.filter_map(|(_, x, first)| Some((x, twice(WORD, op, first, right)?)));
    for (x, form) in new.collect::<Vec<_>>() {
        union(saturation, id, x, Some(form));
    }
}

/// The operator of a node, its left operand, and the number on the right.
fn by_number(saturation: &Saturation, node: &Node) -> Option<(Binary, Id, i64)> {
    let Head::Operator(Operator::Binary(op)) = node.head else { return None };
    Some((op, node.operands[0], saturation.constant(node.operands[1])?))
}

fn union(saturation: &mut Saturation, id: Id, left: Id, found: Option<(&'static str, Form)>) {
    let Some((rule, form)) = found.filter(|it| saturation.is_on(it.0)) else { return };
    let new = match form {
        Form::Left => left,
        Form::Number(number) => saturation.number(number),
        Form::Operation(op, right) => {
            let right = saturation.number(right);
            saturation.binary(op, left, right)
        }
    };
    saturation.union(rule, id, new);
}

/// The rules `mod-less`, `mod-power` and `div-power`, for x op `right` with x in an interval. If
/// x >= 0, then x = 2^k · q + r with 0 <= r < 2^k, the lower k bits of x are r, and the others q.
pub fn of_interval(
    width: Width,
    op: Binary,
    [min, max]: [i64; 2],
    right: i64,
) -> Option<(&'static str, Form)> {
    let is_power = 0 < right && right <= width.max() && right & (right - 1) == 0;
    match op {
        Binary::Mod if 0 <= min && max < right => Some(("mod-less", Form::Left)),
        Binary::Mod if 0 <= min && is_power => {
            Some(("mod-power", Form::Operation(Binary::And, right - 1)))
        }
        Binary::Div if 0 <= min && is_power => {
            let count = i64::from(right.trailing_zeros());
            Some(("div-power", Form::Operation(Binary::Shr, count)))
        }
        _ => None,
    }
}

/// The rules `div-div` and `shift-shift`, for (x op `first`) op `second`. Both quotients are
/// rounded towards 0, and so is the quotient by the product, if that does not overflow. Shifts by
/// the width or more leave 0, or the sign.
pub fn twice(width: Width, op: Binary, first: i64, second: i64) -> Option<(&'static str, Form)> {
    let last = i64::from(width.0) - 1;
    let count = (first & last) + (second & last);
    match op {
        Binary::Div if first > 0 && second > 0 && first * second <= width.max() => {
            Some(("div-div", Form::Operation(op, first * second)))
        }
        Binary::Shl | Binary::Shr if count > last => Some(("shift-shift", Form::Number(0))),
        Binary::Shl | Binary::Shr | Binary::Shrs => {
            Some(("shift-shift", Form::Operation(op, count.min(last))))
        }
        _ => None,
    }
}

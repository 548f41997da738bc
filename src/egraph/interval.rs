//! The results of operators whose operands are in intervals.
use super::fact::Fact;
use crate::arith::{Binary, INT, Relation};
use crate::region::Operator;

/// An interval of all results that are defined. Sums, differences and products are extreme for
/// extreme operands; if one overflows, it may be any integer.
pub fn results(operator: Operator, left: Fact, right: Fact) -> Fact {
    if left.min == left.max && right.min == right.max {
        return operator.evaluate(left.min, right.min).map_or(Fact::ANY, |it| hull(&[it]));
    }
    match operator {
        Operator::Compare(relation) => compare(relation, left, right),
        Operator::Binary(binary) => match binary {
            Binary::Add => hull(&[left.min + right.min, left.max + right.max]),
            Binary::Sub => hull(&[left.min - right.max, left.max - right.min]),
            Binary::Mul => {
                let pairs = [(left.min, right.min), (left.min, right.max)];
                let others = [(left.max, right.min), (left.max, right.max)];
                hull(&[pairs, others].concat().iter().map(|(a, b)| a * b).collect::<Vec<_>>())
            }
            Binary::Div if right.min > 0 => {
                let pairs = [(left.min, right.min), (left.min, right.max)];
                let others = [(left.max, right.min), (left.max, right.max)];
                hull(&[pairs, others].concat().iter().map(|(a, b)| a / b).collect::<Vec<_>>())
            }
            Binary::Mod if right.min > 0 => {
                let most = right.max - 1;
                let min = if left.min < 0 { (-most).max(left.min) } else { 0 };
                hull(&[min, if left.max < 0 { 0 } else { most.min(left.max) }])
            }
            Binary::And if left.min >= 0 || right.min >= 0 => {
                let bound = |fact: Fact| if fact.min >= 0 { fact.max } else { INT.max() };
                hull(&[0, bound(left).min(bound(right))])
            }
            Binary::Or | Binary::Eor if left.min >= 0 && right.min >= 0 => {
                let bits = 64 - (left.max | right.max).leading_zeros();
                hull(&[0, (1 << bits) - 1])
            }
            Binary::Shr | Binary::Shrs if right.min == right.max => {
                let count = right.min.rem_euclid(32);
                match (binary, left.min < 0 && count > 0) {
                    (Binary::Shr, true) => hull(&[0, (1 << (32 - count)) - 1]),
                    _ => hull(&[left.min >> count, left.max >> count]),
                }
            }
            _ => Fact::ANY,
        },
    }
}

fn compare(relation: Relation, left: Fact, right: Fact) -> Fact {
    // Which of greater, equal and less are possible.
    let possible = [
        (left.max > right.min, 1, 0),
        (left.min <= right.max && right.min <= left.max, 0, 0),
        (left.min < right.max, 0, 1),
    ];
    let results = possible.into_iter().filter(|it| it.0);
    let results: Vec<_> = results.map(|(_, a, b)| i64::from(relation.holds(a, b))).collect();
    hull(&results)
}

/// The smallest interval of these values; any integer, if one overflows.
fn hull(values: &[i64]) -> Fact {
    let (min, max) = (values.iter().min(), values.iter().max());
    match (min, max) {
        (Some(&min), Some(&max)) if INT.min() <= min && max <= INT.max() => {
            Fact { min, max, ..Fact::ANY }
        }
        _ => Fact::ANY,
    }
}

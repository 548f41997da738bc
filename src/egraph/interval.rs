//! The results of operators whose operands are in intervals.
use super::fact::Fact;
use crate::arith::{Interval, WORD};
use crate::region::Operator;

/// An interval of all results that are defined.
pub fn results(operator: Operator, left: Fact, right: Fact) -> Fact {
    if left.min == left.max && right.min == right.max {
        let value = operator.evaluate(left.min, right.min);
        return value.map_or(Fact::ANY, |it| fact(Interval::constant(it)));
    }
    let [left, right] = [left, right].map(|it| Interval::new(it.min, it.max));
    fact(match operator {
        Operator::Compare(relation) => {
            let known = left.compare(relation, right);
            known.map_or(Interval::truth(), |it| Interval::constant(it.into()))
        }
        Operator::Binary(binary) => binary.results(WORD, left, right),
    })
}

fn fact(Interval { min, max, .. }: Interval) -> Fact {
    Fact { min, max, ..Fact::ANY }
}

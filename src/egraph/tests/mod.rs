//! Programs with their results before and after saturation, the laws, and large programs.
mod families;
mod flows;
mod laws;
mod programs;
mod random;
mod ranges;
mod rules;

use super::{Saturated, saturate};
use crate::region;
use crate::stage::{Artifact, Termination};

/// The saturated program, which is valid, reads back, and has the same results.
fn check(text: &str, arguments: &[&[i64]]) -> Saturated {
    let graph = region::parse(text).unwrap_or_else(|it| panic!("{text}: {it:?}"));
    let saturated = saturate(&graph, &[], false);
    assert_eq!(saturated.verify(), [], "{text}");
    let again = region::parse(&saturated.graph.print()).expect("the text reads back");
    assert!(again == saturated.graph, "{text} becomes {}", saturated.print());
    for arguments in arguments {
        let [before, after] = [&graph, &saturated.graph].map(|it| it.eval_all(arguments));
        let (before, after) = (before.expect("it runs"), after.expect("it runs"));
        let is_unknown = |end: &Termination| matches!(end, Termination::OutOfSteps);
        if is_unknown(&before.end) || is_unknown(&after.end) {
            continue;
        }
        let traps = |end: &Termination| matches!(end, Termination::Fault { .. });
        let agree = before == after || (traps(&before.end) && traps(&after.end));
        assert!(agree, "{text} {arguments:?}: {before:?}, {after:?}\n{}", saturated.print());
    }
    saturated
}

/// The program becomes this text.
fn becomes(text: &str, arguments: &[&[i64]], expected: &str) {
    assert_eq!(check(text, arguments).print().trim(), expected, "{text}");
}

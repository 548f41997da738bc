//! Problems in text form are solved, and failures have reasons.
use super::*;

/// Two nodes that must take equal alternatives; the second one is cheaper in sum.
const EQUAL: &str = "pbqp 2 1\n2 0 3\n2 5 1\n0 1 0 inf inf 0\n";

/// Solves a text with default settings; returns the printed solution and the trace.
fn solved(text: &str, exact: Option<u64>) -> Result<(String, String), Unsolved> {
    let (mut trace, mut parts) = (String::new(), Vec::new());
    let solved = solve_text(Instance {
        text,
        exact,
        trace: Some(&mut trace),
        propagate: true,
        search: true,
        done: &mut |part| parts.push(part),
        progress: &mut |_| {},
    })?;
    assert_eq!(parts, ["read", "solve"]);
    assert!(solved.picture().nodes.len() >= 2);
    assert_eq!(solved.doubt, None);
    Ok((solved.text, trace))
}

#[test]
fn the_solution_is_printed_after_its_cost() {
    for exact in [None, Some(1000)] {
        let (text, trace) = solved(EQUAL, exact).unwrap();
        assert_eq!(text, "cost 4\n0 1\n1 1\n");
        assert!(!trace.is_empty());
    }
}

#[test]
fn a_malformed_text_is_reported_with_its_span() {
    let Err(Unsolved::Malformed(error)) = solved("pbqp 1 0\n1 x\n", None) else {
        panic!("`x` is no cost");
    };
    assert_eq!(error.span.start, 11);
}

#[test]
fn an_infeasible_problem_has_a_reason() {
    let error = solved("pbqp 1 0\n1 inf\n", None).unwrap_err();
    assert_eq!(error.to_string(), "the instance is infeasible");
}

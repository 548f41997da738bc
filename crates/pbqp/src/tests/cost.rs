//! Sums of costs and their text.
use super::*;

#[test]
fn infinity_absorbs_and_finite_sums_stay_finite() {
    let (three, large) = (Cost::new(3), Cost::new(u64::MAX));
    assert_eq!(three + Cost::INFINITY, Cost::INFINITY);
    assert_eq!(Cost::INFINITY + Cost::INFINITY, Cost::INFINITY);
    assert_eq!(Cost::INFINITY - three, Cost::INFINITY);
    assert_eq!(large, Cost::new(Cost::MAX_INPUT));
    let many: Cost = (0..9_000_000).map(|_| large).sum();
    assert!(many.is_finite() && many < many + three);
}

#[test]
fn costs_print_as_the_text_format_has_them() {
    assert_eq!(
        (Cost::new(12).to_string(), Cost::INFINITY.to_string()),
        ("12".into(), "inf".into())
    );
}

//! Tests of rule validation: the built-in rules pass, and planted faults are found.
use super::rule_semantics::{FAULTS, planted};
use super::{built_in, rules_of};
use crate::rule_validation::{validate, validate_rule};
use crate::rules::RuleSet;
use std::collections::BTreeSet;

/// The counterexamples to the rules of this name.
pub fn proofs(rules: &RuleSet, name: &str) -> Vec<String> {
    let named = rules.catalogue().filter(|rule| rule.name == name);
    named.filter_map(|rule| validate_rule(rules, rule).err()).collect()
}

/// The rules of several sets, each tested once.
pub struct ValidRules {
    texts: BTreeSet<String>,
}

impl ValidRules {
    /// Begins with rules that another test validates.
    pub fn new(rules: &RuleSet) -> ValidRules {
        ValidRules { texts: rules.catalogue().map(|rule| rule.text()).collect() }
    }

    /// Tests the rules that no earlier set had.
    pub fn check(&mut self, rules: &RuleSet) {
        for rule in rules.catalogue() {
            if self.texts.insert(rule.text()) {
                let tested = validate_rule(rules, rule);
                assert!(tested.is_ok(), "{}: {tested:?}", rule.text());
            }
        }
    }
}

#[test]
fn the_built_in_rules_compute_their_patterns() {
    let rules = built_in();
    let (coverage, counterexamples) = validate(&rules);
    assert_eq!(counterexamples.len(), 0, "{counterexamples:?}");
    assert_eq!(coverage.sampled, rules.catalogue().count());
    assert!(coverage.exhaustive > 45, "{coverage:?}");
}

#[test]
fn planted_faults_are_found() {
    for (rule, from, to) in FAULTS {
        let proofs = proofs(&planted(from, to), rule);
        assert!(!proofs.is_empty(), "{rule}: {to}");
    }
}

#[track_caller]
fn check(rule: &str, expected: &str) {
    let rules = rules_of(format!("rule wrong: {rule}; cycles 1"));
    assert_eq!(proofs(&rules, "wrong"), [expected], "{rule}");
}

#[test]
fn a_counterexample_names_values() {
    check(
        "Div:Is(x, Const c) if c == 4 => sar x, 2",
        "for x = -1, c = 4: this is -1 and should be 0, with 8 bits",
    );
    check(
        "Sub:Is(x, y) => sub y, x; mov d, y",
        "for x = 1, y = 0: this is -1 and should be 1, with 8 bits",
    );
    check(
        "Cmp.r:Is(x, y) => cmp x, y; set.r t; mov d, t",
        "for r = <=, x = -2147483647, y = 405139725: \
         this is 1592638977 and should be 1, with 32 bits",
    );
    check(
        "Cond:X(Cmp.r:Is(x, y)) => cmp y, x; j.r true; jmp false",
        "for r = >, x = 1, y = 0: this is 0 and should be 1, with 7 bits",
    );
    check("Const c:Is => mov d, 7", "for c = 0: this is 7 and should be 0, with 8 bits");
    check(
        "Argument k:Is(m) => zero d",
        "for argument k = 1: this is 0 and should be 1, with 8 bits",
    );
    check(
        "Argument k:Is(m) => lea d, [argument k]",
        "for argument k = 0: the address of an argument is no value, with 8 bits",
    );
    check(
        "Store:Is(m, p, x) => mov [p], x; mov d, [p]",
        "for p = 0, x = 0: this loads after a store, with 8 bits",
    );
    check("Const c:Is if c == 1 and c == 2 => mov d, c", "no numbers were found that it matches");
}

/// Eight names have too many combinations for an exhaustive test.
#[test]
fn patterns_with_many_names_are_sampled() {
    let rules = rules_of(
        "rule sum: Add:Is(Add:Is(Add:Is(a, b), Add:Is(c, d)), Add:Is(Add:Is(e, f), Add:Is(g, h)))
         => add a, b; add c, d; add e, f; add g, h; add a, c; add e, g; add a, e; cycles 1"
            .into(),
    );
    let (coverage, counterexamples) = validate(&rules);
    assert_eq!(
        (coverage.exhaustive, coverage.sampled, counterexamples.len()),
        (0, 1, 0),
        "{counterexamples:?}"
    );
}

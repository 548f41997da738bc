//! Lists the instructions that the rules of a file use, with the rules that use them.
use rule_text::rules;
use std::collections::BTreeMap;

const RULES: &str = "
    rule add: Add:Is(x, y) => add x, y; cycles 1
    rule minus: Minus:Is(x) => neg x; cycles 1
    rule sub: Sub:Is(x, y) => neg y; add x, y; cycles 2";

fn main() {
    let (rules, errors) = rules(RULES, u32::MAX);
    assert!(errors.is_empty(), "{errors:?}");
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for rule in &rules {
        for instruction in &rule.instructions {
            users.entry(&instruction.mnemonic.text).or_default().push(&rule.name.text);
        }
    }
    for (mnemonic, rules) in &users {
        println!("{mnemonic}: {}", rules.join(", "));
    }
    assert_eq!(users["neg"], ["minus", "sub"]);
}

#[test]
fn the_example_holds() {
    main();
}

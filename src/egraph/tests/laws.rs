//! Each law of the regions holds for all values of eight bits, and is applied to its example.
use super::super::laws::REGION_LAWS;
use super::check;
use crate::arith::{Relation, Width};
use crate::peephole::Term;
use crate::stage::Artifact;

const BYTE: Width = Width(8);

/// The limit for the names of a law: all triples of values are tried.
const NAMES: usize = 3;

/// The third name has these values.
const SOME: [i64; 8] = [0, 1, -1, 2, 5, -128, 127, 77];

#[test]
fn every_law_holds_for_all_bytes() {
    for law in REGION_LAWS.iter() {
        for at in 0..1 << 16 {
            for third in SOME {
                let names = [at & 255, at >> 8].map(|it| i64::from(it as u8 as i8));
                let mut values = [third; NAMES];
                values[..2].copy_from_slice(&names);
                let [before, after] = [&law.pattern, &law.replacement].map(|it| value(it, &values));
                assert_eq!(before, after, "{} for {values:?}", law.name);
            }
        }
    }
}

fn value(term: &Term, names: &[i64; NAMES]) -> i64 {
    match term {
        Term::Name(slot) | Term::Constant(slot) => names[*slot],
        Term::Number(number) => *number,
        Term::Operation(operation, operands, _) => {
            let operands: Vec<_> = operands.iter().map(|it| value(it, names)).collect();
            operation.evaluate(BYTE, Some(Relation::Equal), &operands)
        }
    }
}

#[test]
fn every_law_is_applied_to_its_example() {
    let mut failures = Vec::new();
    for law in REGION_LAWS.iter() {
        let text = format!("(func-2-inputs-1-outputs {})", law.example.0);
        let saturated = check(&text, &[&[12345, -77], &[0, 0], &[-1, 5]]);
        if !saturated.fired.contains_key(law.name.as_str()) {
            failures.push(format!("{} is not applied", law.name));
        }
        let expected = format!("(func-2-inputs-1-outputs {})\n", law.example.1);
        let found = saturated.graph.print();
        if found != expected {
            failures.push(format!("{}: {found}", law.name));
        }
    }
    assert_eq!(failures, [""; 0]);
}

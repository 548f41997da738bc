//! Laws of algebra: each holds for all values of eight bits, and the reader refuses what is none.
use super::algebra::LAWS;
use super::law::{Law, MAX_NAMES, Operation, Slot, Term};
use super::reader::read;
use crate::arith::{Relation, Width};

const BYTE: Width = Width(8);

/// The values of a term while one name takes all values of a byte and the others are fixed.
type Values = [i64; 256];

/// The values of the names: of variables they are given, of operations they are computed.
type Names = [Values; MAX_NAMES];

#[test]
fn every_law_holds_for_all_bytes() {
    for law in LAWS.iter() {
        let compares = law.root == Operation::Compare;
        for relation in if compares { &Relation::ALL[..] } else { &Relation::ALL[..1] } {
            let mut names = [[0; 256]; MAX_NAMES];
            let variables = variables(&law.pattern);
            let (last, others) = variables.split_last().expect("a law has a name");
            names[*last] = std::array::from_fn(|at| at as i64 - 128);
            check(law, *relation, others, &mut names);
        }
    }
}

/// Compares both sides for all values of the `open` names.
fn check(law: &Law, relation: Relation, open: &[Slot], names: &mut Names) {
    if let [first, rest @ ..] = open {
        for value in -128..128 {
            names[*first] = [value; 256];
            check(law, relation, rest, names);
        }
        return;
    }
    let before = values(&law.pattern, relation, names);
    let after = values(&law.replacement, relation, names);
    if let Some(at) = (0..256).find(|&at| before[at] != after[at]) {
        let found = variables(&law.pattern).into_iter().map(|name| names[name][at]);
        let found: Vec<_> = found.collect();
        panic!("{} for {found:?}: {} and {}", law.name, before[at], after[at]);
    }
}

fn values(term: &Term, relation: Relation, names: &mut Names) -> Values {
    match term {
        Term::Name(name) | Term::Constant(name) => names[*name],
        Term::Number(number) => [*number; 256],
        Term::Operation(operation, operands, name) => {
            let operands: Vec<_> = operands.iter().map(|it| values(it, relation, names)).collect();
            let last = operands.last().expect("an operation has operands");
            let results = std::array::from_fn(|at| {
                operation.evaluate(BYTE, Some(relation), &[operands[0][at], last[at]])
            });
            if let Some(name) = name {
                names[*name] = results;
            }
            results
        }
    }
}

/// The names of a pattern that are not those of operations.
fn variables(pattern: &Term) -> Vec<Slot> {
    let (mut found, mut open) = (Vec::new(), vec![pattern]);
    while let Some(term) = open.pop() {
        match term {
            Term::Name(name) | Term::Constant(name) => found.push(*name),
            Term::Number(_) => {}
            Term::Operation(_, operands, _) => open.extend(operands),
        }
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn what_is_no_law_is_refused() {
    let check = |text: &'static str, expected: &str| {
        assert_eq!(read(text).err().as_deref(), Some(expected), "{text}");
    };
    check("peephole a: x => x", "line 1: expected an operation, found `x`");
    check("# A law.\npeephole a: Plus(x, y) => x", "line 2: expected an operation, found `Plus`");
    check("peephole a: Add(x) => x", "line 1: expected `,`, found `)`");
    check("peephole a: Add(x, 0) => y", "line 1: expected a name of the pattern, found `y`");
    check("peephole a: Add(x, 0) if even(x) => x", "line 1: expected a guard, found `even`");
    check("peephole a: Add(x, x = Add(y, z)) => x", "line 1: expected a new name, found `x`");
    check(
        "peephole a: Add(x, 0) => x;\ndecreases size",
        "line 2: expected a component, found `size`",
    );
    check("peephole a: Add(x, 0) =>", "line 1: expected a name of the pattern, found ``");
    check("@ch29 peephole later: Power(x, 0) => 1\npeephole a", "line 2: expected `:`, found ``");
}

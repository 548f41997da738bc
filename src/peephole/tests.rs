//! Laws of algebra: each holds for all values of eight bits, and terms that are none are rejected.
use super::Component;
use super::algebra::LAWS;
use super::law::{Law, MAX_NAMES, Operation, Slot, Term};
use super::resolve::read;
use crate::arith::{Relation, Width};

const BYTE: Width = Width(8);

/// The values of a term while one name takes all values of a byte and the others are fixed.
type Values = [i64; 256];

/// The values of the names: of variables they are given, of operations they are computed.
type Names = [Values; MAX_NAMES];

#[test]
fn every_law_holds_for_all_bytes() {
    for law in LAWS.iter() {
        let compares = law.root == Operation::Compare(None);
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
fn terms_that_are_no_laws_are_rejected() {
    let check = |law: &str, expected: &str| {
        let text = format!("peephole a: {law}; decreases weight; example \"arg\" => \"arg\"");
        let errors = read(&text).err().unwrap_or_default();
        let shown = errors.iter().map(|it| format!("{} @ {}", it.message, &text[it.span.range()]));
        assert_eq!(shown.collect::<Vec<_>>(), [expected], "{law}");
    };
    check("Plus(x, y) => x", "there is no operation `Plus` @ Plus");
    check("Compare(x, y) => x", "there is no operation `Compare` @ Compare");
    check("Const c => c", "there is no operation `Const` @ Const");
    check("Add(x) => x", "`Add` has 2 operands @ Add");
    check("Add:Is(x, 0) => x", "there is no attribute or mode `Is` @ Is");
    check("ordered Add(x, 0) => x", "terms of laws are ordered @ ordered");
    check("Add(x in eax, 0) => x", "there is no register `eax` @ eax");
    check("Add(x, 0) => y", "there is no name of the pattern `y` @ y");
    check("Add(x, 0) => y = Add(x, 0)", "there is no name of the pattern `y` @ y");
    check("Add(x, 0) if even(x) => x", "there is no guard `even` @ even");
    check("Add(x, 0) if before(x) => x", "there is no guard `before` @ before");
    check("Add(x, 0) if x == 0 => x", "laws have no such guard @ x");
    let twice = "`x` is bound twice, or there are too many names @ x";
    check("Add(x, x = Add(y, z)) => x", twice);
    check("Add(x, 0) => x; decreases size", "unexpected `decreases` @ decreases");
}

#[test]
fn a_law_decreases_a_component() {
    let law = "peephole a: Add(x, 0) => x; decreases size; example \"arg\" => \"arg\"";
    let errors = read(law).err().unwrap_or_default();
    assert_eq!(errors[0].message, "there is no component `size`");
}

#[cfg(feature = "ch09")]
#[test]
fn operations_that_laws_take_apart_have_no_other_user() {
    let moves = LAWS.iter().filter(|law| law.decreases != Component::Weight);
    let found = moves.map(|law| format!("{} {:?}", law.name, law.unshared));
    let expected = [
        "add-sum-left []",
        "add-associate [[1]]",
        "add-order []",
        "add-sort [[0]]",
        "sub-constant []",
        "sub-constant-left [[0]]",
        "sub-constant-right [[1]]",
        "mul-constant-right []",
        #[cfg(feature = "ch14")]
        "and-constant-right []",
        #[cfg(feature = "ch14")]
        "or-constant-right []",
        #[cfg(feature = "ch14")]
        "eor-constant-right []",
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

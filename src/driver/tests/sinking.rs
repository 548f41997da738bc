//! Sinking: the matches that are executed later, and those that stay.
use super::{built_in, emit};
use crate::pre_selection::tests::lowered;
use crate::select::options::SelectionOptions;
use crate::select::{Selection, select};

/// The instructions of a program with some mnemonics in their order, before and after sinking; a
/// `;` stands for the end of a block.
fn orders(text: &str, mnemonics: &[&str]) -> [String; 2] {
    let (graph, rules) = (lowered(text), built_in());
    let selected = || {
        let found = select(&graph, &rules, SelectionOptions::default());
        found.unwrap_or_else(|wrong| panic!("{wrong:?}"))
    };
    let order = |selection: &Selection| {
        let code = emit(selection);
        let blocks = code.blocks.ids().map(|id| &code.instructions[code.range(id)]);
        let blocks = blocks.map(|block| {
            let names = block.iter().map(|it| it.op.row().instruction.mnemonic);
            names.filter(|it| mnemonics.contains(it)).collect::<Vec<_>>().join(" ")
        });
        blocks.filter(|it| !it.is_empty()).collect::<Vec<_>>().join("; ")
    };
    [order(&selected()), order(&selected().sunk())]
}

/// Each iteration adds a term and halves a number.
fn halving(term: &str) -> String {
    format!(
        "int n = 0; int r = arg; while (r > 0) {{ int half = r / 2; n = n + {term}; r = half; }} \
         return n;"
    )
}

#[test]
fn the_next_value_of_a_variable_is_computed_after_all_reads_of_it() {
    let bit = halving("(r - half * 2)");
    assert_eq!(orders(&bit, &["and", "sar"]), ["sar and", "and sar"]);
    // The product reads the next value, but not the variable.
    let product = halving("(r - half * 2) * half");
    assert_eq!(orders(&product, &["and", "sar", "imul"]), ["sar and imul", "and sar imul"]);
}

#[test]
fn a_next_value_that_is_read_before_stays() {
    let read = halving("(half - n) * (r - half * 2)");
    assert_eq!(orders(&read, &["and", "sar"]), ["sar and"; 2]);
}

#[test]
fn a_next_value_stays_if_the_jump_passes_the_variable_on() {
    let passed = "int n = 0; int p = 0; int r = arg;
        while (r > 0) { int half = r / 2; n = n + (r - half * 2) * p; p = r; r = half; } return n;";
    assert_eq!(orders(passed, &["sar", "and"]), ["sar and"; 2]);
}

#[test]
fn a_value_of_one_branch_is_computed_there() {
    let collatz = "int n = arg; int s = 0;
        while (n > 1) { if (n / 2 * 2 == n) n = n / 2; else n = n * 3 + 1; s = s + 1; } return s;";
    assert_eq!(orders(collatz, &["sar", "test"]), ["sar test", "test; sar"]);
}

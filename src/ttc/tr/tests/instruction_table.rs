//! The rows of the instruction table.
use super::super::instruction_table::{COPY, NUMBER, ROWS, Row, Semantics, USE};

#[test]
fn mnemonics_name_one_instruction() {
    for (at, row) in ROWS.iter().enumerate() {
        let same = |other: &Row| other.instruction.mnemonic == row.instruction.mnemonic;
        assert_eq!(ROWS.iter().position(same), Some(at));
    }
    assert_eq!(ROWS[COPY].instruction.mnemonic, "copy");
}

/// The right operand of what computes is a register, or in the version whose name ends with i
/// a number; nothing else differs.
#[test]
fn what_computes_has_two_versions() {
    for row in ROWS.iter().filter(|row| computes(row)) {
        let name = row.instruction.mnemonic.trim_end_matches('i');
        let versions = [name.to_string(), format!("{name}i")].map(|name| {
            let found = ROWS.iter().find(|row| row.instruction.mnemonic == name);
            let found = found.expect("there are both");
            assert_eq!(found.semantics, row.semantics);
            found.instruction.operands.split_last().expect("it has operands")
        });
        assert_eq!(versions.map(|(last, _)| *last), [USE, NUMBER]);
        assert_eq!(versions[0].1, versions[1].1);
    }
}

fn computes(row: &Row) -> bool {
    matches!(row.semantics, Semantics::Binary(_) | Semantics::Compare)
}

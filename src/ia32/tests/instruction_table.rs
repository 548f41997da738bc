//! Tests of `instruction_table.rs`.
use super::*;
use crate::target::OperandConstraint;

#[test]
fn mnemonic_and_kinds_of_operands_name_one_form() {
    let kind = |slot: &OperandConstraint| std::mem::discriminant(slot);
    let keys = ROWS.iter().map(|Row { instruction, .. }| {
        (instruction.mnemonic, instruction.operands.iter().map(kind).collect::<Vec<_>>())
    });
    let keys = keys.collect::<Vec<_>>();
    for (at, key) in keys.iter().enumerate() {
        assert!(!keys[..at].contains(key), "{key:?}");
    }
}

#[cfg(feature = "ch02")]
#[test]
fn only_binary_forms_on_registers_commute() {
    for row in ROWS.iter().filter(|row| row.commutes) {
        assert_eq!(row.instruction.operands.len(), 2, "{}", row.instruction.mnemonic);
        #[cfg(feature = "ch12")]
        if let Float(semantics) = row.semantics {
            let commutes = match semantics {
                FloatSemantics::Compute(op) => matches!(op, FloatOp::Add | FloatOp::Mul),
                semantics => matches!(semantics, FloatSemantics::Xor),
            };
            assert!(commutes, "{}", row.instruction.mnemonic);
            continue;
        }
        let Semantics::Binary(meaning) = row.semantics else { panic!("not binary") };
        for (x, y) in [(3, 5), (i32::MIN, -1), (-7, i32::MAX)] {
            assert_eq!(meaning(x, y), meaning(y, x), "{}", row.instruction.mnemonic);
        }
    }
}

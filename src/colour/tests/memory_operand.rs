//! Tests of `memory_operand.rs`: values that are read in memory, and counters that stay there.
use super::checked;
use crate::colour::memory_operand::{value_in_memory, with_memory};
use crate::ia32::Register;
use crate::ia32::parse_assembly::selected;
use crate::stage::Artifact;

#[test]
fn one_operand_of_an_instruction_may_be_in_memory() {
    let place = selected("mov v0,DWORD PTR [esp+0x8]").instructions[0].operands[1];
    for (text, value, expected) in [
        ("add v0,v1", 1, "add v0,DWORD PTR [esp+0x8]"),
        ("imul v0,v1", 1, "imul v0,DWORD PTR [esp+0x8]"),
        ("cmp v0,v1", 1, "cmp v0,DWORD PTR [esp+0x8]"),
        // A comparison with a constant, and the short one with zero.
        ("cmp v0,0x5", 0, "cmp DWORD PTR [esp+0x8],0x5"),
        ("test v0,v0", 0, "cmp DWORD PTR [esp+0x8],0x0"),
    ] {
        let instruction = selected(text).instructions[0];
        assert_eq!(value_in_memory(&instruction), Some(Register::new_virtual(value)), "{text}");
        assert_eq!(with_memory(&instruction, place).to_string(), expected, "{text}");
    }
    // One value would be read twice, or is in a real register, or the form has no such operand.
    for text in ["add v0,v0", "test v0,v1", "cmp eax,0x5", "add v0,eax", "lea v0,[v1+v2*1]"] {
        assert_eq!(value_in_memory(&selected(text).instructions[0]), None, "{text}");
    }
}

/// The allocated code of a loop that counts down. Each iteration multiplies each of some values by
/// the next one.
fn counting(values: usize) -> String {
    let list =
        |first: usize| (first..first + values).map(|at| format!(",v{at}")).collect::<String>();
    let numbers: String = (1..values).map(|at| format!("mov v{at},{}; ", at + 2)).collect();
    let products = (0..values).map(|at| (30 + at, 10 + at, 10 + (at + 1) % values));
    let products: String =
        products.map(|(to, a, b)| format!("mov v{to},v{a}; imul v{to},v{b}; ")).collect();
    let code = format!(
        "b0: mov v0,DWORD PTR [argument 0]; {numbers} mov v9,0xc; jmp b1(v9{}); \
         b1@1(v19{}): test v19,v19; jg b2; jmp b3; \
         b2@1: {products} mov v39,v19; dec v39; jmp b1(v39{}); b3: mov eax,v10; ret",
        list(0),
        list(10),
        list(30),
    );
    checked(selected(&code), &[0, 5]).0.print()
}

#[test]
fn a_counter_stays_in_memory_if_other_values_need_the_registers() {
    let (few, many) = (counting(5), counting(6));
    assert!(!few.contains("dec DWORD PTR"), "{few}");
    assert!(many.contains("dec DWORD PTR"), "{many}");
}

/// The loop changes seven values in their registers and only passes the eighth one.
#[test]
fn a_value_that_a_loop_does_not_read_leaves_its_register() {
    let list = |first: u32| (first..first + 7).map(|at| format!("v{at}")).collect::<Vec<_>>();
    let numbers = (1..8).map(|at| format!("mov v{at},{at}; ")).collect::<String>();
    let updates = (21..28).map(|at| format!("mov v{at},v{}; dec v{at}; ", at - 10));
    let sums = (12..18).map(|at| format!("add v0,v{at}; ")).collect::<String>();
    let code = selected(&format!(
        "b0: mov v0,DWORD PTR [argument 0]; inc v0; {numbers} jmp b1({}); \
         b1@1({}): test v11,v11; jg b2; jmp b3; b2@1: {} jmp b1({}); b3: {sums} mov eax,v0; ret",
        list(1).join(","),
        list(11).join(","),
        updates.collect::<String>(),
        list(21).join(","),
    ));
    let allocated = checked(code, &[0, 5]).0;
    let loads = |at: usize| allocated.instructions[at].to_string().contains("DWORD PTR");
    let inner = allocated.blocks.ids().filter(|it| allocated.blocks[*it].depth > 0);
    assert!(!inner.flat_map(|it| allocated.range(it)).any(loads), "{}", allocated.print());
}

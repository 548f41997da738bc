//! Registers and moves in straight-line code.
use crate::ia32::code::Instruction;
use crate::ia32::parse_assembly::selected;
use crate::ia32::{Code, Op, Operand, Register};
use crate::linear_scan::allocate;
use crate::stage::Artifact;
use crate::target::RegisterKind;

#[track_caller]
fn check(code: &str, expected: &[&str]) {
    let code = selected(code);
    assert_eq!(code.verify(), []);
    let allocated = allocate(code);
    assert_eq!(allocated.verify(), []);
    assert_eq!(allocated.print().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn copies_without_effect_are_removed() {
    check(
        "mov v0,DWORD PTR [argument 0]; mov v1,v0; inc v1; mov eax,v1; ret",
        &["mov eax,DWORD PTR [esp+0x4]", "inc eax", "ret"],
    );
}

#[test]
fn a_value_that_lives_on_is_copied_once() {
    check(
        "mov v0,DWORD PTR [argument 0]; mov v1,v0; imul v1,v0; mov v2,v1; sub v2,v0; \
         mov eax,v2; ret",
        &["mov ecx,DWORD PTR [esp+0x4]", "mov eax,ecx", "imul eax,ecx", "sub eax,ecx", "ret"],
    );
}

#[test]
fn commutative_operands_are_swapped_to_save_a_copy() {
    check(
        "mov v0,DWORD PTR [argument 0]; mov v1,7; mov v2,v0; add v2,v1; mov v3,v2; \
         imul v3,v0; mov eax,v3; ret",
        &["mov ecx,DWORD PTR [esp+0x4]", "mov eax,0x7", "add eax,ecx", "imul eax,ecx", "ret"],
    );
}

#[test]
fn a_result_does_not_overwrite_an_operand_yet_to_be_read() {
    check(
        "mov v0,DWORD PTR [argument 0]; mov v1,7; mov v2,v1; sub v2,v0; mov eax,v2; ret",
        &["mov ecx,DWORD PTR [esp+0x4]", "mov eax,0x7", "sub eax,ecx", "ret"],
    );
}

#[test]
fn values_avoid_registers_that_a_division_overwrites() {
    check(
        "mov v0,DWORD PTR [argument 0]; mov v1,3; mov eax,v0; cdq; idiv v1; mov v2,eax; \
         add v2,v0; mov eax,v2; ret",
        &[
            "push esi",
            "mov ecx,DWORD PTR [esp+0x8]",
            "mov esi,0x3",
            "mov eax,ecx",
            "cdq",
            "idiv esi",
            "add eax,ecx",
            "pop esi",
            "ret",
        ],
    );
}

#[test]
fn a_truth_value_is_in_a_register_with_a_byte() {
    check(
        "mov v0,DWORD PTR [argument 0]; cmp v0,5; setl v1; movzx v2,v1; mov eax,v2; ret",
        &["mov ecx,DWORD PTR [esp+0x4]", "cmp ecx,0x5", "setl cl", "movzx eax,cl", "ret"],
    );
}

#[test]
fn a_copy_gets_the_register_of_its_ending_source() {
    check(
        "mov eax,17; mov v1,5; cdq; idiv v1; mov v2,eax; mov v3,edx; imul v2,v3; mov eax,v2; \
         ret",
        &["mov eax,0x11", "mov ecx,0x5", "cdq", "idiv ecx", "imul eax,edx", "ret"],
    );
}

#[test]
fn operands_stay_in_order_if_that_saves_nothing() {
    check(
        "mov v0,1; mov v1,2; mov v2,v0; add v2,v1; add v2,v0; add v2,v1; mov eax,v2; ret",
        &[
            "mov ecx,0x1",
            "mov edx,0x2",
            "mov eax,ecx",
            "add eax,edx",
            "add eax,ecx",
            "add eax,edx",
            "ret",
        ],
    );
}

#[test]
fn a_register_of_the_caller_is_saved_even_if_the_code_names_it() {
    check(
        "mov ebx,1; mov eax,ebx; ret",
        &["push ebx", "mov ebx,0x1", "mov eax,ebx", "pop ebx", "ret"],
    );
}

/// The constants 1, 2, … in v1, v2, …
fn constants(count: u32) -> String {
    (1..=count).map(|n| format!("mov v{n},{n};")).collect()
}

/// Adds some values to v0 and returns it.
fn add_up(values: &[u32]) -> String {
    let sum = values.iter().map(|n| format!("add v0,v{n};")).collect::<String>();
    sum + "mov eax,v0; ret"
}

#[test]
fn an_unused_result_spills_no_value() {
    let unread = "mov v10,7; mov v11,8; mov v12,9; zero v0;";
    let code = allocate(selected(&(constants(6) + unread + &add_up(&[1, 2, 3, 4, 5, 6]))));
    assert_eq!(count(&code, Op::Store), 0);
}

#[test]
fn a_value_is_moved_out_of_a_register_with_a_byte() {
    let compare = "add v1,v4; add v1,v5; cmp v1,1; setl v8; movzx v0,v8;";
    let code = selected(&(constants(7) + compare + &add_up(&[1, 2, 3, 6, 7])));
    let code = allocate(code);
    assert_eq!((code.verify(), count(&code, Op::Store)), (vec![], 0), "{}", code.print());
    assert!(code.print().contains("\nmov esi,e"), "{}", code.print());
}

#[test]
fn a_copy_from_memory_is_a_load() {
    let sum = (1..=6).map(|n| format!("add v10,v{n};")).collect::<String>();
    let code = constants(9) + "zero v10;" + &sum + "mov v0,v9; sub v0,v10;" + &add_up(&[7, 8, 9]);
    let code = allocate(selected(&code));
    assert_eq!(code.verify(), []);
    assert_eq!(count(&code, Op::Mov), 0, "{}", code.print());
}

#[test]
fn a_result_may_reuse_the_register_of_an_ending_operand() {
    let code = constants(7) + "imul v0,v7,3;" + &add_up(&[1, 2, 3, 4, 5, 6, 7]);
    let text = allocate(selected(&code)).print();
    assert!(text.contains("mov DWORD PTR [esp],ebp\nimul ebp,ebp,0x3\n"), "{text}");
}

#[test]
fn values_with_the_furthest_use_are_spilled_for_fixed_registers() {
    // All seven are live when the product needs eax and edx; v4 and v5 are read last.
    let product = "mov eax,v1; imul v1; mov v0,eax;";
    let code = selected(&(constants(7) + product + &add_up(&[6, 7, 1, 2, 3, 4, 5])));
    let text = allocate(code).print();
    let stores = text.lines().filter(|line| line.starts_with("mov DWORD PTR"));
    let stores = stores.collect::<Vec<_>>();
    assert_eq!(stores, ["mov DWORD PTR [esp+0x4],ebp", "mov DWORD PTR [esp],ebx"], "{text}");
}

/// `count` constants and their sum, in the order they were made or in reverse.
fn sum(count: u32, reversed: bool) -> Code {
    let mut text = (1..=count).map(|n| format!("mov v{n},{n};")).collect::<String>();
    text += "zero v0;";
    for n in 1..=count {
        text += &format!("add v0,v{};", if reversed { count + 1 - n } else { n });
    }
    selected(&(text + "mov eax,v0; ret"))
}

fn count(code: &Code, op: Op) -> usize {
    code.instructions.iter().filter(|instruction| instruction.op == op).count()
}

#[test]
fn seven_values_need_no_memory() {
    for reversed in [false, true] {
        let code = allocate(sum(6, reversed));
        assert_eq!((count(&code, Op::Store), count(&code, Op::Load)), (0, 0));
    }
}

#[test]
fn the_value_with_the_furthest_use_is_spilled() {
    // With the sum there are three values too many; only those are stored and loaded.
    for reversed in [false, true] {
        let code = allocate(sum(9, reversed));
        assert_eq!((count(&code, Op::Store), count(&code, Op::Load)), (3, 3));
    }
}

#[test]
fn an_argument_is_not_stored_again() {
    let code = sum(12, false);
    let mut instructions = selected("mov v99,DWORD PTR [argument 0]").instructions;
    instructions.extend(code.instructions);
    instructions.truncate(instructions.len() - 2);
    instructions.extend(selected("add v0,v99; mov eax,v0; ret").instructions);
    let code =
        allocate(Code { instructions, virtual_registers: vec![RegisterKind::WORD; 100], ..code });
    assert_eq!((count(&code, Op::Store), count(&code, Op::Load)), (6, 8));
}

#[test]
fn slots_are_reused() {
    let two = sum(9, true);
    let mut renamed = two.instructions.clone();
    let other = |name: Register| {
        name.virtual_number().map_or(name, |number| Register::new_virtual(number + 10))
    };
    renamed.iter_mut().for_each(|instruction| instruction.rename(|_, name| other(name)));
    let mut instructions = two.instructions.clone();
    instructions.truncate(instructions.len() - 2);
    instructions.extend(renamed);
    let code =
        allocate(Code { instructions, virtual_registers: vec![RegisterKind::WORD; 20], ..two });
    let esp = Operand::Register(Register::ESP);
    let frame = code.instructions.iter().find(|instruction| instruction.operands[0] == esp);
    assert_eq!(frame.map(Instruction::to_string), Some("sub esp,0xc".into()));
}

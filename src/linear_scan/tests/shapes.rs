//! The allocation of known control-flow shapes: branches, loops, swaps.
use crate::ia32::parse_assembly::selected;
use crate::ia32::{Code, Op};
use crate::linear_scan::allocate;
use crate::stage::Artifact;

/// The allocated code, after checks that it is sound and computes the same results.
#[track_caller]
fn sound(code: &str) -> Code {
    let code = selected(code);
    assert_eq!(code.verify(), []);
    let allocated = allocate(code.clone());
    assert_eq!(allocated.verify(), [], "{}", allocated.print());
    for argument in [0, 1, 5, 9, 10, 11, -3] {
        assert_eq!(code.eval(argument), allocated.eval(argument), "{}", allocated.print());
    }
    allocated
}

#[track_caller]
fn check(code: &str, expected: &str) {
    assert_eq!(lines(&sound(code).print()), lines(expected));
}

fn lines(text: &str) -> Vec<&str> {
    let parts = text.split(['\n', ';']).flat_map(|line| line.split_inclusive(':'));
    parts.map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// Nine values, a block with a single predecessor and a parameter, and their sum. The verifier
/// rejects the parameter, but the allocator handles it.
#[test]
fn a_block_with_one_predecessor_may_have_parameters() {
    for read_first in 1..=9 {
        let constants = (1..=9).map(|n| format!("mov v{n},{n};")).collect::<String>();
        let sum = (0..9).map(|n| format!("add v20,v{};", (read_first + n) % 9 + 1));
        let sum = sum.collect::<String>();
        let code = selected(&format!(
            "b0: mov v0,DWORD PTR [argument 0]; mov v11,v0; inc v11; {constants} jmp b1(v11)
             b1(v10): mov v20,v10; {sum} add v20,v11; mov eax,v20; ret"
        ));
        let allocated = allocate(code.clone());
        assert_eq!(allocated.verify(), [], "{}", allocated.print());
        assert_eq!(code.eval(7), allocated.eval(7), "{}", allocated.print());
    }
}

/// The number of instructions of a kind in loops.
fn in_loops(code: &Code, op: Op) -> usize {
    let inside = code.blocks.ids().filter(|&block| code.blocks[block].depth > 0);
    let instructions = inside.flat_map(|block| &code.instructions[code.range(block)]);
    instructions.filter(|instruction| instruction.op == op).count()
}

#[test]
fn the_next_value_of_a_variable_has_its_register() {
    // Both terms end at the sum, and the second one is the variable.
    let text = "b0: mov v0,DWORD PTR [argument 0]; mov v1,0; jmp b1(v0,v1)
         b1@1(v2,v3): cmp v2,0; jg b2; jmp b6
         b2@1: cmp v2,5; jg b3; jmp b4
         b3@1: mov v4,31; jmp b5(v4)
         b4@1: mov v5,28; jmp b5(v5)
         b5@1(v6): mov v7,v6; add v7,v3; mov v8,v2; dec v8; jmp b1(v8,v7)
         b6: mov eax,v3; ret";
    assert_eq!(in_loops(&sound(text), Op::Mov), 0);
}

#[test]
fn a_counting_loop_has_only_its_three_instructions() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; jmp b1(v0)
         b1@1(v1): cmp v1,10; jl b2; jmp b3
         b2@1: mov v2,v1; inc v2; jmp b1(v2)
         b3: mov eax,v1; ret",
        "b0: mov eax,DWORD PTR [esp+0x4]; jmp b1
         b1: cmp eax,0xa; jl b2; jmp b3
         b2: inc eax; jmp b1
         b3: ret",
    );
}

#[test]
fn both_arms_update_a_variable_in_one_register() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; cmp v0,9; jl b2; jmp b1
         b1: mov v3,v0; inc v3; jmp b3(v3)
         b2: mov v1,v0; dec v1; jmp b3(v1)
         b3(v2): mov eax,v2; ret",
        "b0: mov eax,DWORD PTR [esp+0x4]; cmp eax,0x9; jl b2; jmp b1
         b1: inc eax; jmp b3
         b2: dec eax; jmp b3
         b3: ret",
    );
}

#[test]
fn an_arm_without_assignments_is_empty() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; cmp v0,9; jl b2; jmp b1
         b1: jmp b3(v0)
         b2: mov v1,v0; dec v1; jmp b3(v1)
         b3(v2): mov eax,v2; ret",
        "b0: mov eax,DWORD PTR [esp+0x4]; cmp eax,0x9; jl b2; jmp b1
         b1: jmp b3
         b2: dec eax; jmp b3
         b3: ret",
    );
}

#[test]
fn a_dead_value_does_not_occupy_its_register() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; cmp v0,9; jl b2; jmp b1
         b1: mov eax,3; ret
         b2: mov eax,v0; ret",
        "b0: mov eax,DWORD PTR [esp+0x4]; cmp eax,0x9; jl b2; jmp b1
         b1: mov eax,0x3; ret
         b2: ret",
    );
}

#[test]
fn a_swap_needs_a_third_register() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; mov v1,1; mov v2,2; jmp b1(v0,v1,v2)
         b1@1(v3,v4,v5): cmp v3,0; jg b2; jmp b3
         b2@1: mov v6,v3; dec v6; jmp b1(v6,v5,v4)
         b3: mov v7,v4; sub v7,v5; mov eax,v7; ret",
        "b0: push ebx; mov ecx,DWORD PTR [esp+0x8]; mov edx,0x1; mov eax,0x2; jmp b1
         b1: cmp ecx,0x0; jg b2; jmp b3
         b2: dec ecx; mov ebx,edx; mov edx,eax; mov eax,ebx; jmp b1
         b3: sub edx,eax; mov eax,edx; pop ebx; ret",
    );
}

#[test]
fn a_parameter_that_lives_on_is_not_lost() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; mov v1,1; jmp b1(v0,v1)
         b1@1(v3,v4): mov v6,v3; dec v6; cmp v3,0; jg b2; jmp b3
         b2@1: jmp b1(v6,v3)
         b3: mov v7,v4; sub v7,v3; mov eax,v7; ret",
        "b0: mov eax,DWORD PTR [esp+0x4]; mov ecx,0x1; jmp b1
         b1: mov edx,eax; dec edx; cmp eax,0x0; jg b2; jmp b3
         b2: mov ecx,eax; mov eax,edx; jmp b1
         b3: sub ecx,eax; mov eax,ecx; ret",
    );
}

#[test]
fn the_values_of_an_inner_loop_stay_in_registers() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; zero v1; zero v2; jmp b1(v1,v2)
         b1@1(v3,v4): cmp v3,v0; jl b2; jmp b6
         b2@1: zero v5; jmp b3(v5,v4)
         b3@2(v6,v7): cmp v6,v3; jl b4; jmp b5
         b4@2: mov v8,v7; add v8,v6; mov v9,v6; inc v9; jmp b3(v9,v8)
         b5@1: mov v10,v3; inc v10; jmp b1(v10,v7)
         b6: mov eax,v4; ret",
        "b0: push esi; mov ecx,DWORD PTR [esp+0x8]; xor edx,edx; xor eax,eax; jmp b1
         b1: cmp edx,ecx; jl b2; jmp b6
         b2: xor esi,esi; jmp b3
         b3: cmp esi,edx; jl b4; jmp b5
         b4: add eax,esi; inc esi; jmp b3
         b5: inc edx; jmp b1
         b6: pop esi; ret",
    );
}

#[test]
fn values_that_live_through_a_loop_avoid_the_registers_of_its_division() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; mov v1,1; mov v2,100; jmp b1(v1,v2)
         b1@1(v3,v4): cmp v3,v0; jl b2; jmp b3
         b2@1: mov v5,v3; inc v5; mov eax,v4; cdq; idiv v5; mov v6,eax; jmp b1(v5,v6)
         b3: mov eax,v4; ret",
        "b0: push esi; mov ecx,DWORD PTR [esp+0x8]; mov esi,0x1; mov eax,0x64; jmp b1
         b1: cmp esi,ecx; jl b2; jmp b3
         b2: inc esi; cdq; idiv esi; jmp b1
         b3: pop esi; ret",
    );
}

/// Ten constants, a loop that adds some of them, with the argument as its number of iterations, and
/// their sum.
#[cfg(feature = "ch07")]
fn loop_of(touched: u32) -> String {
    let constants = (1..=10).map(|n| format!("mov v{n},{n};")).collect::<String>();
    let inside = (1..=touched).map(|n| format!("add v15,v{n};")).collect::<String>();
    let after = (1..=10).map(|n| format!("add v17,v{n};")).collect::<String>();
    format!(
        "b0: mov v0,DWORD PTR [argument 0]; zero v11; {constants} jmp b1(v0,v11)
         b1@1(v12,v13): cmp v12,0; jg b2; jmp b3
         b2@1: mov v14,v12; dec v14; mov v15,v13; {inside} jmp b1(v14,v15)
         b3: mov v17,v13; {after} mov eax,v17; ret"
    )
}

#[cfg(feature = "ch07")]
#[test]
fn values_that_a_loop_does_not_use_are_not_reloaded_in_it() {
    for touched in 1..=5 {
        let code = sound(&loop_of(touched));
        let memory = (in_loops(&code, Op::Load), in_loops(&code, Op::Store));
        assert_eq!((memory, in_loops(&code, Op::Mov)), ((0, 0), 0), "{}", code.print());
    }
}

#[cfg(feature = "ch07")]
#[test]
fn spilled_values_are_loaded_in_the_loop_but_stored_before_it() {
    let code = sound(&loop_of(8));
    let memory = (in_loops(&code, Op::Load), in_loops(&code, Op::Store));
    assert_eq!(memory, (4, 0), "{}", code.print());
}

/// A loop in which each of some values becomes the sum of itself and the next.
fn ring(count: u32) -> String {
    let list = |from: u32| {
        let names = (from..from + count).map(|n| format!("v{n}"));
        names.collect::<Vec<_>>().join(",")
    };
    let constants = (1..=count).map(|n| format!("mov v{n},{n};")).collect::<String>();
    let (old, new, sum) = (count + 2, 2 * count + 3, 4 * count);
    let steps = (0..count).map(|n| {
        let (to, next) = (new + n, old + (n + 1) % count);
        format!("mov v{to},v{}; add v{to},v{next};", old + n)
    });
    let steps = steps.collect::<String>();
    let total = (old..old + count).map(|n| format!("add v{sum},v{n};")).collect::<String>();
    format!(
        "b0: mov v0,DWORD PTR [argument 0]; {constants} jmp b1(v0,{})
         b1@1(v{},{}): cmp v{},0; jg b2; jmp b3
         b2@1: mov v{},v{}; dec v{}; {steps} jmp b1(v{},{})
         b3: zero v{sum}; {total} mov eax,v{sum}; ret",
        list(1),
        count + 1,
        list(old),
        count + 1,
        new - 1,
        count + 1,
        new - 1,
        new - 1,
        list(new),
    )
}

#[test]
fn values_in_memory_are_passed_without_copies() {
    for count in [10, 20, 40] {
        let code = sound(&ring(count));
        let memory = [in_loops(&code, Op::Load), in_loops(&code, Op::Store)];
        assert!(memory.iter().all(|&times| times < count as usize), "{}", code.print());
    }
}

#[test]
fn seven_values_are_permuted_through_memory() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; mov v1,1; mov v2,2; mov v3,3; mov v4,4; mov v5,5;
             mov v6,6; jmp b1(v0,v1,v2,v3,v4,v5,v6)
         b1@1(v10,v11,v12,v13,v14,v15,v16): cmp v10,0; jg b2; jmp b3
         b2@1: mov v20,v10; dec v20; jmp b1(v20,v12,v13,v14,v15,v16,v11)
         b3: mov v21,v11; sub v21,v12; add v21,v13; sub v21,v14; add v21,v15; sub v21,v16;
             mov eax,v21; ret",
        "b0: push ebx; push ebp; push esi; push edi; sub esp,0x4;
             mov ecx,DWORD PTR [esp+0x18]; mov edx,0x1; mov eax,0x2; mov esi,0x3; mov edi,0x4;
             mov ebx,0x5; mov ebp,0x6; jmp b1
         b1: cmp ecx,0x0; jg b2; jmp b3
         b2: dec ecx; mov DWORD PTR [esp],edx; mov edx,eax; mov eax,esi; mov esi,edi;
             mov edi,ebx; mov ebx,ebp; mov ebp,DWORD PTR [esp]; jmp b1
         b3: sub edx,eax; add edx,esi; sub edx,edi; add edx,ebx; sub edx,ebp; mov eax,edx;
             add esp,0x4; pop edi; pop esi; pop ebp; pop ebx; ret",
    );
}

//! What becomes of known shapes: branches, loops, swaps.
use crate::alloc::allocate;
use crate::ia32::read::selected;
use crate::stage::Artifact;

#[track_caller]
fn check(code: &str, expected: &str) {
    let code = selected(code);
    assert_eq!(code.verify(), []);
    let allocated = allocate(code.clone());
    assert_eq!(allocated.verify(), [], "{}", allocated.print());
    for argument in [0, 1, 5, 9, 10, 11, -3] {
        assert_eq!(code.eval(argument), allocated.eval(argument), "{}", allocated.print());
    }
    assert_eq!(allocated.print().lines().map(str::trim).collect::<Vec<_>>().join("; "), expected);
}

#[test]
fn a_counting_loop_has_no_copies() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; jmp b1(v0); b1@1(v1): cmp v1,10; jl b2; jmp b3; \
         b2@1: mov v2,v1; inc v2; jmp b1(v2); b3: mov eax,v1; ret",
        "b0:; mov eax,DWORD PTR [esp+0x4]; jmp b1; b1:; cmp eax,0xa; jl b2; jmp b3; b2:; \
         inc eax; jmp b1; b3:; ret",
    );
}

#[test]
fn both_arms_update_one_register() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; cmp v0,9; jl b2; jmp b1; b1: mov v3,v0; inc v3; jmp b3(v3); \
         b2: mov v1,v0; dec v1; jmp b3(v1); b3(v2): mov eax,v2; ret",
        "b0:; mov eax,DWORD PTR [esp+0x4]; cmp eax,0x9; jl b2; jmp b1; b1:; inc eax; jmp b3; \
         b2:; dec eax; jmp b3; b3:; ret",
    );
}
#[test]
fn one_arm() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; cmp v0,9; jl b2; jmp b1; b1: jmp b3(v0); \
         b2: mov v1,v0; dec v1; jmp b3(v1); b3(v2): mov eax,v2; ret",
        "b0:; mov eax,DWORD PTR [esp+0x4]; cmp eax,0x9; jl b2; jmp b1; b1:; jmp b3; b2:; \
         dec eax; jmp b3; b3:; ret",
    );
}
#[test]
fn returns() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; cmp v0,9; jl b2; jmp b1; b1: mov eax,3; ret; \
         b2: mov eax,v0; ret",
        "b0:; mov eax,DWORD PTR [esp+0x4]; cmp eax,0x9; jl b2; jmp b1; b1:; mov eax,0x3; \
         ret; b2:; ret",
    );
}
#[test]
fn swap() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; mov v1,1; mov v2,2; jmp b1(v0,v1,v2); b1@1(v3,v4,v5): cmp v3,0; jg b2; jmp b3; \
         b2@1: mov v6,v3; dec v6; jmp b1(v6,v5,v4); b3: mov v7,v4; sub v7,v5; mov eax,v7; ret",
        "b0:; push ebx; mov ecx,DWORD PTR [esp+0x8]; mov edx,0x1; mov eax,0x2; jmp b1; b1:; \
         cmp ecx,0x0; jg b2; jmp b3; b2:; dec ecx; mov ebx,eax; mov eax,edx; mov edx,ebx; \
         jmp b1; b3:; sub edx,eax; mov eax,edx; pop ebx; ret",
    );
}
#[test]
fn lost() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; mov v1,1; jmp b1(v0,v1); b1@1(v3,v4): mov v6,v3; dec v6; cmp v3,0; jg b2; jmp b3; \
         b2@1: jmp b1(v6,v3); b3: mov v7,v4; sub v7,v3; mov eax,v7; ret",
        "b0:; mov eax,DWORD PTR [esp+0x4]; mov ecx,0x1; jmp b1; b1:; mov edx,eax; dec edx; \
         cmp eax,0x0; jg b2; jmp b3; b2:; mov ecx,eax; mov eax,edx; jmp b1; b3:; \
         sub ecx,eax; mov eax,ecx; ret",
    );
}
#[test]
fn nested() {
    check(
        "b0: mov v0,DWORD PTR [argument 0]; zero v1; zero v2; jmp b1(v1,v2); b1@1(v3,v4): cmp v3,v0; jl b2; jmp b6; \
         b2@1: zero v5; jmp b3(v5,v4); b3@2(v6,v7): cmp v6,v3; jl b4; jmp b5; \
         b4@2: mov v8,v7; add v8,v6; mov v9,v6; inc v9; jmp b3(v9,v8); \
         b5@1: mov v10,v3; inc v10; jmp b1(v10,v7); b6: mov eax,v4; ret",
        "b0:; push esi; mov ecx,DWORD PTR [esp+0x8]; xor edx,edx; xor eax,eax; jmp b1; b1:; \
         cmp edx,ecx; jl b2; jmp b6; b2:; xor esi,esi; jmp b3; b3:; cmp esi,edx; jl b4; \
         jmp b5; b4:; add eax,esi; inc esi; jmp b3; b5:; inc edx; jmp b1; b6:; pop esi; ret",
    );
}

//! Sound allocations pass, and ten planted faults that the other invariants do not see are found.
use super::*;
use crate::colour;
use crate::ia32::parse_assembly;
use crate::ia32::random::Writer;
use crate::ia32::random::graphs::ControlFlowGraph;
use crate::linear_scan;
use crate::stage::Artifact;

/// Both codes, and the allocated one with a fault.
struct Planted {
    selected: &'static str,
    sound: &'static str,
    faulty: &'static str,
}

/// x - (x + 1) with both terms.
const DIFFERENCE: &str = "mov v0,DWORD PTR [argument 0]; mov v1,v0; add v1,1; mov v2,v0
    sub v2,v1; mov eax,v2; ret";

/// A loop that decreases one number.
const LOOP: &str = "b0: mov v0,DWORD PTR [argument 0]; jmp b1(v0)
    b1@1(v1): mov v2,v1; sub v2,1; cmp v2,5; jle b3; jmp b2
    b2@1: jmp b1(v2)
    b3: mov eax,v2; ret";

/// A loop whose two numbers change places.
const EXCHANGE: &str = "b0: mov v0,DWORD PTR [argument 0]; mov v1,3; jmp b1(v0,v1)
    b1@1(v2,v3): cmp v2,v3; jle b3; jmp b2
    b2@1: jmp b1(v3,v2)
    b3: mov eax,v2; ret";

const JOIN: &str =
    "b0: mov v0,DWORD PTR [argument 0]; mov v1,v0; add v1,1; cmp v0,v1; jle b2; jmp b1
    b1: jmp b3(v0)
    b2: jmp b3(v1)
    b3(v2): mov v3,v2; imul v3,v0; mov eax,v3; ret";

/// A sound allocation of it.
const JOINED: &str = "b0: mov ecx,DWORD PTR [esp+0x4]; mov eax,ecx; add eax,1; cmp ecx,eax; jle b2
    jmp b1
    b1: mov eax,ecx; jmp b3
    b2: jmp b3
    b3: imul eax,ecx; ret";

const QUOTIENT: &str =
    "mov v0,DWORD PTR [argument 0]; mov v1,7; mov eax,v0; cdq; idiv v1; mov v2,eax
    mov eax,v2; ret";

const FAULTS: [(&str, Planted); 10] = [
    (
        "the operands of a difference are exchanged",
        Planted {
            selected: DIFFERENCE,
            sound: "mov eax,DWORD PTR [esp+0x4]; mov ecx,eax; add ecx,1; sub eax,ecx; ret",
            faulty: "mov ecx,DWORD PTR [esp+0x4]; mov eax,ecx; add eax,1; sub eax,ecx; ret",
        },
    ),
    (
        "the copy to the result is missing",
        Planted {
            selected: DIFFERENCE,
            sound: "mov eax,DWORD PTR [esp+0x4]; mov edx,eax; mov ecx,eax; add ecx,1; sub edx,ecx
                mov eax,edx; ret",
            faulty: "mov eax,DWORD PTR [esp+0x4]; mov edx,eax; mov ecx,eax; add ecx,1; sub edx,ecx
                ret",
        },
    ),
    (
        "two words of the stack are exchanged",
        Planted {
            selected: DIFFERENCE,
            sound: "sub esp,8; mov eax,DWORD PTR [esp+0xc]; mov DWORD PTR [esp],eax; add eax,1
                mov DWORD PTR [esp+0x4],eax; mov eax,DWORD PTR [esp]
                sub eax,DWORD PTR [esp+0x4]; add esp,8; ret",
            faulty: "sub esp,8; mov eax,DWORD PTR [esp+0xc]; mov DWORD PTR [esp],eax; add eax,1
                mov DWORD PTR [esp+0x4],eax; mov eax,DWORD PTR [esp+0x4]
                sub eax,DWORD PTR [esp]; add esp,8; ret",
        },
    ),
    (
        "the value of the last iteration is loaded again",
        Planted {
            selected: LOOP,
            sound: "b0: mov eax,DWORD PTR [esp+0x4]; jmp b1
                b1@1: sub eax,1; cmp eax,5; jle b3; jmp b2
                b2@1: jmp b1
                b3: ret",
            faulty: "b0: mov eax,DWORD PTR [esp+0x4]; jmp b1
                b1@1: sub eax,1; cmp eax,5; jle b3; jmp b2
                b2@1: mov eax,DWORD PTR [esp+0x4]; jmp b1
                b3: ret",
        },
    ),
    (
        "a parallel copy overwrites what it reads",
        Planted {
            selected: EXCHANGE,
            sound: "b0: mov eax,DWORD PTR [esp+0x4]; mov ecx,3; jmp b1
                b1@1: cmp eax,ecx; jle b3; jmp b2
                b2@1: mov edx,eax; mov eax,ecx; mov ecx,edx; jmp b1
                b3: ret",
            faulty: "b0: mov eax,DWORD PTR [esp+0x4]; mov ecx,3; jmp b1
                b1@1: cmp eax,ecx; jle b3; jmp b2
                b2@1: mov eax,ecx; mov ecx,eax; jmp b1
                b3: ret",
        },
    ),
    (
        "a constant is computed again with another number",
        Planted {
            selected: QUOTIENT,
            sound: "mov eax,DWORD PTR [esp+0x4]; mov ecx,7; cdq; idiv ecx; ret",
            faulty: "mov eax,DWORD PTR [esp+0x4]; mov ecx,8; cdq; idiv ecx; ret",
        },
    ),
    (
        "the remainder takes the place of the quotient",
        Planted {
            selected: QUOTIENT,
            sound: "mov eax,DWORD PTR [esp+0x4]; mov ecx,7; cdq; idiv ecx; mov edx,eax; mov eax,edx
                ret",
            faulty: "mov eax,DWORD PTR [esp+0x4]; mov ecx,7; cdq; idiv ecx; mov eax,edx; ret",
        },
    ),
    (
        "one branch passes the argument of the other",
        Planted {
            selected: JOIN,
            sound: JOINED,
            faulty: "b0: mov ecx,DWORD PTR [esp+0x4]; mov eax,ecx; add eax,1; cmp ecx,eax; jle b2
                jmp b1
                b1: jmp b3
                b2: jmp b3
                b3: imul eax,ecx; ret",
        },
    ),
    (
        "a value is overwritten on one path",
        Planted {
            selected: JOIN,
            sound: JOINED,
            faulty: "b0: mov ecx,DWORD PTR [esp+0x4]; mov eax,ecx; add eax,1; cmp ecx,eax; jle b2
                jmp b1
                b1: mov eax,ecx; jmp b3
                b2: mov ecx,eax; jmp b3
                b3: imul eax,ecx; ret",
        },
    ),
    (
        "base and index of an address are exchanged",
        Planted {
            selected: "mov v0,DWORD PTR [argument 0]; mov v1,v0; add v1,1; lea v2,[v0+v1*4]
                mov eax,v2; ret",
            sound: "mov eax,DWORD PTR [esp+0x4]; mov ecx,eax; add ecx,1; lea eax,[eax+ecx*4]; ret",
            faulty: "mov eax,DWORD PTR [esp+0x4]; mov ecx,eax; add ecx,1; lea eax,[ecx+eax*4]; ret",
        },
    ),
];

#[test]
fn planted_faults_are_found() {
    for (name, planted) in FAULTS {
        let selected = parse_assembly::selected(planted.selected);
        assert_eq!(selected.verify(), [], "{name}");
        let sound = parse_assembly::allocated(planted.sound);
        assert_eq!(sound.verify(), [], "{name}");
        assert_eq!(validate(&selected, &sound), [], "{name}");
        let faulty = parse_assembly::allocated(planted.faulty);
        assert_eq!(faulty.verify(), [], "{name}: the other invariants do not see it");
        assert_ne!(validate(&selected, &faulty), [], "{name}");
    }
}

/// Both allocators.
#[track_caller]
fn check(code: &Code) {
    let scanned = linear_scan::allocate(code.clone());
    assert_eq!(validate(code, &scanned), [], "\n{}\n{}", code.print(), scanned.print());
    let Ok((coloured, _)) = colour::allocate(code.clone()) else { return };
    assert_eq!(validate(code, &coloured), [], "\n{}\n{}", code.print(), coloured.print());
}

#[test]
fn random_allocations_are_sound() {
    for seed in 0..60 {
        let live = 1 + (seed % 61) as usize;
        check(&Writer::new(seed, live).program(10 + (seed % 200) as usize));
        let shape = ControlFlowGraph::new(seed, 2 + (seed % 23) as usize);
        check(&shape.code(seed, live, 1 + (seed % 17) as usize));
    }
}

#[test]
fn random_allocations_with_calls_are_sound() {
    for seed in 0..60 {
        let mut shape = ControlFlowGraph::new(seed, 2 + (seed % 23) as usize);
        shape.has_calls = true;
        check(&shape.code(seed, 1 + (seed % 61) as usize, 1 + (seed % 17) as usize));
    }
}

/// In turn, each instruction of random allocations reads another register. Both registers may hold
/// the same value.
#[test]
fn changed_registers_are_found() {
    let (mut planted, mut found) = (0, 0);
    for seed in 0..16 {
        let code = ControlFlowGraph::new(seed, 9).code(seed, 9, 8);
        let allocated = linear_scan::allocate(code.clone());
        for at in 0..allocated.instructions.len() {
            let Some(changed) = with_other_register(&allocated, at) else { continue };
            if changed.verify().is_empty() {
                planted += 1;
                found += usize::from(!validate(&code, &changed).is_empty());
            }
        }
    }
    assert!(planted > 50 && found * 10 > planted * 9, "{found} of {planted}");
}

/// The code with eax and edx exchanged in an operand that an instruction reads.
fn with_other_register(allocated: &Code, at: usize) -> Option<Code> {
    let mut changed = allocated.clone();
    let mut is_changed = false;
    changed.instructions[at].rename(|slot, register| {
        let other = match register {
            Register::EAX => Register::EDX,
            Register::EDX => Register::EAX,
            _ => return register,
        };
        if is_changed || slot.writes() || !slot.reads() {
            return register;
        }
        is_changed = true;
        other
    });
    is_changed.then_some(changed)
}

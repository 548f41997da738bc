//! Tests of `print.rs`.
use super::*;
use crate::ia32::parse_assembly::selected;

/// As binutils 2.40 disassembles it, or would if it knew the virtual registers.
const LINES: &[&str] = &[
    "mov eax,0xffffffff",
    "mov v0,DWORD PTR [argument 0]",
    "mov eax,DWORD PTR [esp+0x4]",
    "mov DWORD PTR [ebp+0x0],esi",
    "mov DWORD PTR [slot 3],v1",
    #[cfg(feature = "ch10")]
    "mov ecx,DWORD PTR ds:0x10000000",
    #[cfg(feature = "ch10")]
    "mov DWORD PTR [v1+v2*4+0x8],0xffffffff",
    #[cfg(feature = "ch10")]
    "inc DWORD PTR [ebx]",
    #[cfg(feature = "ch10")]
    "cmp DWORD PTR [v1-0x4],0x80",
    #[cfg(feature = "ch10")]
    "imul v1,DWORD PTR [v2],0x7",
    "lea eax,[ebx+ecx*1-0x80]",
    "lea v2,[v0*4+0x0]",
    "lea eax,[ebp+eax*8+0x0]",
    "lea eax,[eax-0x80000000]",
    "add eax,0xffffff80",
    "shl eax,1",
    "shr eax,0x0",
    "sar v0,0x1f",
    "imul eax,v3,0x7fffffff",
    "imul ecx",
    "cdq",
    "idiv v7",
    "setle al",
    "setne v4",
    "movzx v5,v4",
    "movzx esi,dl",
    "push ebp",
    "ret",
];

#[test]
fn instructions_read_as_objdump_prints_them() {
    let code = selected(&LINES.join("\n"));
    assert_eq!(listing(&code).lines().collect::<Vec<_>>(), LINES);
}

#[cfg(feature = "ch14")]
#[test]
fn bytes_and_half_words_have_names() {
    let code = selected("movsx eax,dl; movzxh esi,di; movsxh v3,v2");
    assert_eq!(listing(&code), "movsx eax,dl\nmovzx esi,di\nmovsx v3,v2\n");
}

#[test]
fn zero_is_printed_as_xor() {
    assert_eq!(listing(&selected("zero v3; zero ecx")), "xor v3,v3\nxor ecx,ecx\n");
}

#[cfg(feature = "ch09")]
#[test]
fn the_assembler_gets_a_whole_file() {
    let text = assembly(&program(selected("mov eax,1; ret")));
    assert!(text.contains("\n.globl simple\n"), "{text}");
    assert!(text.contains("\nsimple:\n\tmov eax,0x1\n\tret\n"), "{text}");
}

#[cfg(feature = "ch05")]
#[test]
fn blocks_are_named_and_indented() {
    let text = "b0:\n    mov v0,0x1\n    jmp b1(v0,v0)\nb1(v1,v2):\n    cmp v1,v2\n    \
                    jle b3\n    jmp b2\nb2:\n    jmp b1(v2,v1)\nb3:\n    mov eax,v1\n    ret\n";
    assert_eq!(listing(&selected(text)), text);
    assert_eq!(listing(&selected("b0: mov eax,0x1; ret")), "mov eax,0x1\nret\n");
}

#[cfg(feature = "ch09")]
#[test]
fn the_assembler_gets_local_labels() {
    let code = selected("b0: mov eax,1; jg b0; jmp b1; b1: ret");
    let text = assembly(&program(code));
    #[cfg(feature = "ch14")]
    let text = text.replace("_simple", "");
    let lines = ".L0:\n\tmov eax,0x1\n\tjg .L0\n\tjmp .L1\n.L1:\n\tret\n";
    assert!(text.contains(lines), "{text}");
}

#[cfg(feature = "ch09")]
fn program(code: Code) -> Program {
    Program {
        functions: vec![code],
        #[cfg(feature = "ch10")]
        result: crate::heap::ResultFormat::Integer,
        #[cfg(feature = "ch15")]
        file: String::new(),
    }
}

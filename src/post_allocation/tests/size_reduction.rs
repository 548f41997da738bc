//! Tests of `size_reduction.rs`.
use crate::post_allocation::tests::check;

#[test]
fn instructions_become_shorter() {
    let rows = [
        ("mov ecx,0", "xor ecx,ecx"),
        ("lea ecx,[ecx+1]", "inc ecx"),
        ("lea ecx,[ecx-1]", "dec ecx"),
        ("lea ecx,[ecx+7]", "add ecx,0x7"),
        ("lea ecx,[ecx+128]", "sub ecx,0xffffff80"),
        ("lea ecx,[ecx+eax*1]", "add ecx,eax"),
        ("lea ecx,[eax+ecx*1]", "add ecx,eax"),
        ("lea ecx,[ecx+ecx*1]", "add ecx,ecx"),
        ("lea ecx,[ecx*2+0]", "add ecx,ecx"),
    ];
    let with = |instruction: &str| {
        format!("mov eax,3\nmov ecx,5\nsub eax,ecx\n{instruction}\nimul eax,ecx\nret\n")
    };
    for (long, short) in rows {
        check(
            &with(long).replace("0xffffff80", "-128"),
            &with(short).replace(",3\n", ",0x3\n").replace(",5\n", ",0x5\n"),
        );
    }
}

#[test]
fn other_instructions_are_unchanged() {
    for instruction in ["lea ecx,[eax+0x1]", "lea ecx,[ecx+eax*2]", "lea ecx,[ecx+eax*1+0x1]"] {
        let start = "mov eax,0x3\nmov ecx,0x5\nsub eax,ecx\n";
        let code = format!("{start}{instruction}\nimul eax,ecx\nret\n");
        check(&code, &code);
    }
}

#[test]
fn live_flags_are_preserved() {
    let code = "mov eax,0x3\ncmp eax,0x4\nmov ecx,0x0\nlea eax,[eax+0x1]\nsetl cl\n\
                    add eax,ecx\nret\n";
    check(code, code);
}

//! Tests of redundant copies.
use crate::post_allocation::tests::check;

#[test]
fn a_value_is_not_written_where_it_is() {
    let load = "mov ecx,DWORD PTR [esp+0x4]\nmov eax,0x7\nsub eax,ecx\n";
    let end = "imul eax,ecx\nret\n";
    let drops = |copies: &str, remaining: &str| {
        check(&format!("{load}{copies}{end}"), &format!("{load}{remaining}{end}"));
    };
    drops("mov edx,ecx\nmov ecx,edx\n", "");
    drops(
        "mov edx,0x7\nadd eax,edx\nmov edx,0x7\nadd eax,edx\n",
        "mov edx,0x7\nadd eax,edx\nadd eax,edx\n",
    );
    drops("mov ecx,DWORD PTR [esp+0x4]\n", "");
    drops(
        "xor edx,edx\nadd eax,edx\nxor edx,edx\nadd eax,edx\n",
        "xor edx,edx\nadd eax,edx\nadd eax,edx\n",
    );
    // Another word of the stack changes.
    drops(
        "add DWORD PTR [esp+0xc],ecx\nmov ecx,DWORD PTR [esp+0x4]\n",
        "add DWORD PTR [esp+0xc],ecx\n",
    );
    drops("mov DWORD PTR [esp+0x4],ecx\n", "");
    drops(
        "neg ecx\nmov DWORD PTR [esp+0x4],eax\nmov ecx,DWORD PTR [esp+0x4]\n",
        "neg ecx\nmov DWORD PTR [esp+0x4],eax\nmov ecx,eax\n",
    );
    drops("mov edx,eax\nmov eax,ecx\nmov ecx,edx\n", "mov edx,eax\nmov eax,ecx\nmov ecx,edx\n");
}

#[test]
fn a_value_that_is_not_read_is_not_copied() {
    check(
        "mov edx,0x5\nmov eax,DWORD PTR [esp+0x4]\nmov ecx,eax\nlea edx,[eax+ecx*1]\nret\n",
        "mov eax,DWORD PTR [esp+0x4]\nret\n",
    );
    let kept = "push ebx\nmov ebx,DWORD PTR [esp+0x8]\nlea eax,[ebx+ebx*2]\npop ebx\nret\n";
    check(kept, kept);
}

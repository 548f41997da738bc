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
    drops("mov DWORD PTR [esp+0x4],ecx\n", "");
    drops(
        "neg ecx\nmov DWORD PTR [esp+0x4],eax\nmov ecx,DWORD PTR [esp+0x4]\n",
        "neg ecx\nmov DWORD PTR [esp+0x4],eax\nmov ecx,eax\n",
    );
    drops("mov edx,eax\nmov eax,ecx\nmov ecx,edx\n", "mov edx,eax\nmov eax,ecx\nmov ecx,edx\n");
}

#[test]
fn an_update_changes_one_word_of_the_stack() {
    let begin = "sub esp,0xc\nmov ecx,DWORD PTR [esp+0x10]\nmov eax,ecx\nneg eax\n\
                 mov DWORD PTR [esp],eax\nadd DWORD PTR [esp],ecx\n";
    let end = "mov eax,DWORD PTR [esp]\nimul eax,ecx\nadd esp,0xc\nret\n";
    check(&format!("{begin}mov ecx,DWORD PTR [esp+0x10]\n{end}"), &format!("{begin}{end}"));
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

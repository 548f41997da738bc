//! Tests of instruction combining.
use crate::post_allocation::tests::check;

#[test]
fn a_sum_of_a_copy_is_computed_by_one_instruction() {
    let load = "mov ecx,DWORD PTR [esp+0x4]\nmov edx,DWORD PTR [esp+0x8]\n";
    let becomes = |before: &str, after: &str| {
        let end = "imul eax,ecx\nimul eax,edx\nret\n";
        check(&format!("{load}{before}{end}"), &format!("{load}{after}{end}"));
    };
    becomes("mov eax,ecx\nadd eax,edx\n", "lea eax,[ecx+edx*1]\n");
    becomes("mov eax,ecx\nadd eax,eax\n", "lea eax,[ecx+ecx*1]\n");
    becomes("mov eax,ecx\nsub eax,0x5\n", "lea eax,[ecx-0x5]\n");
    becomes("mov eax,ecx\nshl eax,0x1\n", "lea eax,[ecx+ecx*1]\n");
    becomes("mov eax,ecx\nimul edx,ecx\ninc eax\n", "imul edx,ecx\nlea eax,[ecx+0x1]\n");
    // The copy is of an older value, or it is not the result.
    let kept = "mov eax,ecx\nimul ecx,edx\ninc eax\n";
    becomes(kept, kept);
    let kept = "mov eax,ecx\nadd edx,eax\n";
    becomes(kept, kept);
}

#[test]
fn a_result_is_computed_where_it_is_copied_to() {
    let load = "mov ecx,DWORD PTR [esp+0x4]\nmov edx,DWORD PTR [esp+0x8]\n";
    let becomes = |before: &str, after: &str| {
        let end = "imul eax,edx\nret\n";
        check(&format!("{load}{before}{end}"), &format!("{load}{after}{end}"));
    };
    becomes("add ecx,edx\nmov eax,ecx\n", "lea eax,[ecx+edx*1]\n");
    becomes("imul ecx,edx\nmov edx,ecx\nmov eax,edx\n", "imul edx,ecx\nmov eax,edx\n");
    // The result is read again, or its flags are.
    let kept = "add ecx,edx\nmov eax,ecx\nimul eax,ecx\n";
    becomes(kept, kept);
}

#[test]
fn operands_are_read_where_they_are_used() {
    let load = "mov eax,DWORD PTR [esp+0x4]\n";
    let becomes = |before: &str, after: &str| {
        check(&format!("{load}{before}ret\n"), &format!("{load}{after}ret\n"));
    };
    becomes(
        "mov ecx,DWORD PTR [esp+0x8]\nneg eax\nsub eax,ecx\n",
        "neg eax\nsub eax,DWORD PTR [esp+0x8]\n",
    );
    becomes("mov ecx,DWORD PTR [eax]\nadd eax,ecx\n", "add eax,DWORD PTR [eax]\n");
    // The address or the word changes in between, or the value is read again.
    for kept in [
        "mov ecx,DWORD PTR [eax]\nneg eax\nsub eax,ecx\n",
        "mov ecx,DWORD PTR [esp+0x8]\nmov DWORD PTR [esp+0x8],eax\nsub eax,ecx\n",
        "mov ecx,DWORD PTR [esp+0x8]\nsub eax,ecx\nimul eax,ecx\n",
    ] {
        becomes(kept, kept);
    }
}

#[test]
fn a_word_of_the_stack_is_updated_in_memory() {
    let load = "mov eax,DWORD PTR [esp+0x4]\n";
    let becomes = |before: &str, after: &str| {
        check(&format!("{load}{before}ret\n"), &format!("{load}{after}ret\n"));
    };
    let of = |update: &str| {
        format!("mov ecx,DWORD PTR [esp+0x8]\n{update}\nmov DWORD PTR [esp+0x8],ecx\n")
    };
    becomes(&of("add ecx,eax"), "add DWORD PTR [esp+0x8],eax\n");
    becomes(&of("sub ecx,eax\nneg eax"), "sub DWORD PTR [esp+0x8],eax\nneg eax\n");
    becomes(&of("dec ecx"), "dec DWORD PTR [esp+0x8]\n");
    // The word is read in between, or the operand is the word.
    for kept in [of("dec ecx\nadd eax,DWORD PTR [esp+0x8]"), of("add ecx,ecx")] {
        becomes(&kept, &kept);
    }
}

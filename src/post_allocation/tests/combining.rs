//! Tests of instruction combining.
use crate::post_allocation::tests::check;

/// eax is not known, ecx and edx are live at the end.
#[track_caller]
fn becomes(before: &str, after: &str) {
    let begin = "mov ecx,DWORD PTR [esp+0x4]\nimul edx,ecx,0x3\n";
    let end = "imul eax,ecx\nimul eax,edx\nret\n";
    check(&format!("{begin}{before}{end}"), &format!("{begin}{after}{end}"));
}

#[test]
fn a_sum_of_a_copy_is_computed_by_one_instruction() {
    becomes("mov eax,ecx\nadd eax,edx\n", "lea eax,[ecx+edx*1]\n");
    becomes("mov eax,ecx\nadd eax,eax\n", "lea eax,[ecx+ecx*1]\n");
    becomes("mov eax,ecx\nsub eax,0x5\n", "lea eax,[ecx-0x5]\n");
    becomes("mov eax,ecx\nshl eax,1\n", "lea eax,[ecx+ecx*1]\n");
    becomes("mov eax,ecx\nneg edx\ninc eax\n", "neg edx\nlea eax,[ecx+0x1]\n");
    // The copy is of an older value, or it is not the result.
    for kept in ["mov eax,ecx\nneg ecx\ninc eax\n", "mov eax,ecx\nneg ecx\nadd edx,eax\n"] {
        becomes(kept, kept);
    }
}

#[test]
fn a_result_is_computed_where_it_is_copied_to() {
    let becomes = |before: &str, after: &str| {
        let begin = "mov ecx,DWORD PTR [esp+0x4]\nimul edx,ecx,0x3\n";
        let end = "imul eax,edx\nret\n";
        check(&format!("{begin}{before}{end}"), &format!("{begin}{after}{end}"));
    };
    becomes("add ecx,edx\nmov eax,ecx\n", "lea eax,[ecx+edx*1]\n");
    becomes("imul ecx,edx\nmov edx,ecx\nmov eax,5\n", "imul edx,ecx\nmov eax,0x5\n");
    // The result is read again, or the copy is of an older value of it.
    for kept in ["add ecx,edx\nmov eax,ecx\nimul eax,ecx\n", "mov eax,ecx\nneg ecx\nsub edx,ecx\n"]
    {
        becomes(kept, kept);
    }
}

#[test]
fn operands_are_read_where_they_are_used() {
    becomes(
        "neg ecx\nmov eax,DWORD PTR [esp+0x4]\nneg edx\nsub edx,eax\nmov eax,edx\n",
        "neg ecx\nneg edx\nsub edx,DWORD PTR [esp+0x4]\nmov eax,edx\n",
    );
    // The word changes in between, or the value is read again.
    for kept in [
        "neg ecx\nmov eax,DWORD PTR [esp+0x4]\nmov DWORD PTR [esp+0x4],edx\nsub edx,eax\n\
         mov eax,edx\n",
        "neg ecx\nmov eax,DWORD PTR [esp+0x4]\nsub edx,eax\n",
    ] {
        becomes(kept, kept);
    }
}

#[test]
fn a_word_of_the_stack_is_updated_in_memory() {
    let of = |update: &str| {
        format!("mov eax,DWORD PTR [esp+0x4]\n{update}\nmov DWORD PTR [esp+0x4],eax\nmov eax,edx\n")
    };
    let becomes = |update: &str, after: &str| {
        let after = format!("neg ecx\n{after}mov eax,edx\n");
        self::becomes(&format!("neg ecx\n{}", of(update)), &after);
    };
    becomes("add eax,ecx", "add DWORD PTR [esp+0x4],ecx\n");
    becomes("sub eax,ecx\nneg ecx", "sub DWORD PTR [esp+0x4],ecx\nneg ecx\n");
    becomes("dec eax", "dec DWORD PTR [esp+0x4]\n");
    // The word is read in between, or the operand is the word.
    for kept in ["dec eax\nadd ecx,DWORD PTR [esp+0x4]", "add eax,eax"] {
        self::becomes(&format!("neg ecx\n{}", of(kept)), &format!("neg ecx\n{}", of(kept)));
    }
}

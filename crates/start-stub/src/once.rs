//! The stub that calls a function of any signature once, and prints its results on one line.
use super::routines::{ENTRY, OUTPUT, PRINT, READ, REFUSED, WRITE};
use super::row::{Row, at, row};
use super::stack_guard;

/// Two words follow: the numbers of parameters and of results.
pub const PARTS: &[&[Row]] = &{
    let [stack, signal_stack, flags, over, handler, install, words] = stack_guard::IN_STUB;
    [
        ENTRY,
        stack,
        signal_stack,
        flags,
        over,
        handler,
        install,
        words,
        ONCE,
        READ,
        REFUSED,
        PRINT,
        OUTPUT,
        WRITE,
    ]
};

/// ebx points to the two words. The first result is in eax, the others are on the stack after the
/// arguments.
const ONCE: &[Row] = &[
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call here", "pushes the address of the next instruction"),
    at("here", &[0x5b], "pop ebx", ""),
    row(
        &[0x81, 0xc3, 0x3a, 0x01, 0x00, 0x00],
        "add ebx,0x13a",
        "the two words after the stub: how many parameters and results",
    ),
    // Reserve zeros for the arguments and the results.
    row(&[0x8b, 0x03], "mov eax,DWORD PTR [ebx]", ""),
    row(&[0x03, 0x43, 0x04], "add eax,DWORD PTR [ebx+0x4]", ""),
    row(&[0xf7, 0xd8], "neg eax", "the stack grows downwards"),
    row(&[0x8d, 0x14, 0x84], "lea edx,[esp+eax*4]", ""),
    row(&[0x83, 0xe2, 0xf0], "and edx,0xfffffff0", "calls require esp divisible by 16"),
    at("next_zero", &[0x6a, 0x00], "push 0x0", "a parameter without a word is 0"),
    row(&[0x39, 0xd4], "cmp esp,edx", ""),
    row(&[0x75, 0xfa], "jne next_zero", ""),
    // Read the words, from the last one to the first.
    row(&[0x4d], "dec ebp", "the number of words"),
    row(&[0x3b, 0x2b], "cmp ebp,DWORD PTR [ebx]", ""),
    row(&[0x7e, 0x02], "jle all_used", "words without a parameter are not used"),
    row(&[0x8b, 0x2b], "mov ebp,DWORD PTR [ebx]", ""),
    at("all_used", &[0x85, 0xed], "test ebp,ebp", ""),
    row(&[0x7e, 0x10], "jle run", "no words; signed: argc may even be 0"),
    at(
        "next_word",
        &[0x8b, 0x7c, 0xae, 0xfc],
        "mov edi,DWORD PTR [esi+ebp*4-0x4]",
        "the word's text",
    ),
    row(&[0xe8, 0x30, 0x00, 0x00, 0x00], "call read", ""),
    row(&[0x89, 0x44, 0xac, 0xfc], "mov DWORD PTR [esp+ebp*4-0x4],eax", "an argument"),
    row(&[0x4d], "dec ebp", ""),
    row(&[0x75, 0xf0], "jne next_word", ""),
    // Call the compiled function: cdecl, its first argument is on top of the stack.
    at("run", &[0xe8, 0x17, 0x01, 0x00, 0x00], "call simple", "it is after the two words"),
    row(&[0x8b, 0x0b], "mov ecx,DWORD PTR [ebx]", ""),
    row(&[0x8d, 0x34, 0x8c], "lea esi,[esp+ecx*4]", "the second result; the first one is in eax"),
    row(&[0x8b, 0x6b, 0x04], "mov ebp,DWORD PTR [ebx+0x4]", "the number of results"),
    at("next_result", &[0xb2, 0x20], "mov dl,0x20", "a space between results"),
    row(&[0x4d], "dec ebp", ""),
    row(&[0x75, 0x02], "jne put_result", ""),
    row(&[0xb2, 0x0a], "mov dl,0xa", "the line's end after the last one"),
    at("put_result", &[0xe8, 0x8c, 0x00, 0x00, 0x00], "call print", ""),
    row(&[0x8b, 0x06], "mov eax,DWORD PTR [esi]", "the next result"),
    row(&[0x83, 0xc6, 0x04], "add esi,0x4", "on to the one after it"),
    row(&[0x85, 0xed], "test ebp,ebp", ""),
    row(&[0x75, 0xeb], "jne next_result", ""),
    row(&[0x31, 0xdb], "xor ebx,ebx", "all is well"),
    row(&[0xe9, 0xd5, 0x00, 0x00, 0x00], "jmp exit", ""),
];

//! The heap, and the memory guard: a program that needs more memory than the heap has ends with a
//! message and status 1. So does one for which the system has no heap.
//!
//! No memory follows the heap. An access to it raises the signal SIGSEGV, so allocations need no
//! check. (Linux manual, sigaction(2).)
use super::row::{Row, at, row};

/// The handler is between the instructions that install it: the call over it pushes its address,
/// which is the first word of the argument of `sigaction`.
pub const ROWS: &[Row] = &[
    row(&[0x6a, 0x00], "push 0x0", "no code after the handler: it does not return"),
    row(&[0x6a, 0x00], "push 0x0", "no flags"),
    row(&[0x6a, 0x00], "push 0x0", "block no other signals"),
    row(&[0xe8, 0x37, 0x00, 0x00, 0x00], "call install", "pushes the handler's address"),
    // The handler.
    at("no_memory", &[0xe8, 0x14, 0x00, 0x00, 0x00], "call report", "pushes the text's address"),
    row(b"sonc: out of memory\n", r#".ascii "sonc: out of memory\n""#, "20 bytes"),
    at("report", &[0x59], "pop ecx", "the address of the 20 bytes"),
    row(&[0xbb, 0x02, 0x00, 0x00, 0x00], "mov ebx,0x2", "standard error"),
    row(&[0xba, 0x14, 0x00, 0x00, 0x00], "mov edx,0x14", "20"),
    row(&[0xb8, 0x04, 0x00, 0x00, 0x00], "mov eax,0x4", "system call 4: write"),
    row(&[0xcd, 0x80], "int 0x80", "there is nothing to do if it fails"),
    row(&[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "the exit status"),
    row(&[0xb8, 0x01, 0x00, 0x00, 0x00], "mov eax,0x1", "system call 1: exit(ebx)"),
    row(&[0xcd, 0x80], "int 0x80", "does not return"),
    at("install", &[0xbb, 0x0b, 0x00, 0x00, 0x00], "mov ebx,0xb", "SIGSEGV"),
    row(&[0x89, 0xe1], "mov ecx,esp", "handler, signals, flags"),
    row(&[0x31, 0xd2], "xor edx,edx", "the former handler is not needed"),
    row(&[0xb8, 0x43, 0x00, 0x00, 0x00], "mov eax,0x43", "system call 67: sigaction"),
    row(&[0xcd, 0x80], "int 0x80", ""),
    row(&[0x83, 0xc4, 0x10], "add esp,0x10", "four words"),
    // The heap.
    row(&[0x56], "push esi", "the next argument word, and their number"),
    row(&[0x55], "push ebp", ""),
    row(&[0xb8, 0xc0, 0x00, 0x00, 0x00], "mov eax,0xc0", "system call 192: mmap2"),
    row(&[0xbb, 0x00, 0x00, 0x00, 0x10], "mov ebx,0x10000000", "its address"),
    row(&[0xb9, 0x00, 0x00, 0x00, 0x10], "mov ecx,0x10000000", "its size"),
    row(&[0xba, 0x03, 0x00, 0x00, 0x00], "mov edx,0x3", "readable (1) and writable (2)"),
    row(
        &[0xbe, 0x32, 0x40, 0x00, 0x00],
        "mov esi,0x4032",
        "private (2), there (0x10), of no file (0x20), not reserved (0x4000)",
    ),
    row(&[0xbf, 0xff, 0xff, 0xff, 0xff], "mov edi,0xffffffff", "no file"),
    row(&[0x31, 0xed], "xor ebp,ebp", "its offset"),
    row(&[0xcd, 0x80], "int 0x80", "eax: the address, or minus an error number"),
    row(&[0x5d], "pop ebp", ""),
    row(&[0x5e], "pop esi", ""),
    row(&[0x39, 0xd8], "cmp eax,ebx", ""),
    row(&[0x75, 0x8c], "jne no_memory", ""),
];

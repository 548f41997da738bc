//! The stack guard: a program that needs more stack than it has ends with a message and status 1.
//!
//! Below the stack the kernel leaves a gap. An access to it raises the signal SIGSEGV. The handler
//! of the signal cannot use the full stack, so it gets a stack of its own: 8 KiB at the end of the
//! process's stack. (Linux manual, sigaltstack(2), sigaction(2).)
use super::row::{Row, at, row};

/// The handler is between the system calls that install it: the call over it pushes its address,
/// which is the first word of the argument of `sigaction`.
pub const ROWS: &[Row] = &[
    row(&[0x81, 0xec, 0x00, 0x20, 0x00, 0x00], "sub esp,0x2000", "the handler's stack"),
    row(&[0x89, 0xe0], "mov eax,esp", ""),
    row(&[0x68, 0x00, 0x20, 0x00, 0x00], "push 0x2000", "its size"),
    row(&[0x6a, 0x00], "push 0x0", "no flags"),
    row(&[0x50], "push eax", "its address"),
    row(&[0x89, 0xe3], "mov ebx,esp", "these three words"),
    row(&[0x31, 0xc9], "xor ecx,ecx", "the former stack is not needed"),
    row(&[0xb8, 0xba, 0x00, 0x00, 0x00], "mov eax,0xba", "system call 186: sigaltstack"),
    row(&[0xcd, 0x80], "int 0x80", ""),
    row(&[0x6a, 0x00], "push 0x0", "no code after the handler: it does not return"),
    row(&[0x68, 0x00, 0x00, 0x00, 0x08], "push 0x8000000", "SA_ONSTACK: use the handler's stack"),
    row(&[0x6a, 0x00], "push 0x0", "block no other signals"),
    row(&[0xe8, 0x44, 0x00, 0x00, 0x00], "call install", "pushes the handler's address"),
    // The handler.
    row(&[0xe8, 0x21, 0x00, 0x00, 0x00], "call report", "pushes the text's address"),
    row(
        b"sonc: the stack of calls is full\n",
        ".ascii \"sonc: the stack of calls is full\\n\"",
        "33 bytes",
    ),
    at("report", &[0x59], "pop ecx", "the address of the 33 bytes"),
    row(&[0xbb, 0x02, 0x00, 0x00, 0x00], "mov ebx,0x2", "standard error"),
    row(&[0xba, 0x21, 0x00, 0x00, 0x00], "mov edx,0x21", "33"),
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
    row(&[0x83, 0xc4, 0x1c], "add esp,0x1c", "seven words"),
];

//! The stack guard: a program that needs more stack than it has ends with a message and status 1.
//!
//! Below the stack the kernel leaves a gap. An access to it raises the signal SIGSEGV. The handler
//! of the signal cannot use the full stack, so it gets a stack of its own: 8 KiB at the end of the
//! process's stack. (Linux manual, sigaltstack(2), sigaction(2).)
//!
//! The stub that calls a program once has a guard in itself. Others call the guard as a function,
//! which calls the program and returns its result.
use super::row::{Row, at, row};

/// The guard as a part of a stub. The handler is between the system calls that install it: the call
/// over it pushes its address, which is the first word of the argument of `sigaction`.
pub const IN_STUB: [&[Row]; 7] =
    [STACK, SIGNAL_STACK, FLAGS, OVER_HANDLER, HANDLER, INSTALL, WORDS];

/// The guard as a function, without a heap.
pub const FUNCTION: &[&[Row]] =
    &[FRAME, SIGNAL_STACK, THREE_WORDS, FLAGS, OVER_HANDLER, HANDLER, INSTALL, ARGUMENT, CALL, END];

/// The guard as a function, with a heap. An access behind the heap raises the same signal. Then the
/// next object would end behind it, because an allocation moves the word `NEXT_OBJECT` first.
pub const FUNCTION_WITH_HEAP: &[&[Row]] = &[
    FRAME,
    SIGNAL_STACK,
    THREE_WORDS,
    FLAGS,
    OVER_HANDLER_WITH_HEAP,
    HANDLER_WITH_HEAP,
    INSTALL,
    ARGUMENT,
    CALL_WITH_HEAP,
    END,
];

/// The same where argument and result have two words.
pub const WIDE_FUNCTION: &[&[Row]] = &[
    FRAME,
    SIGNAL_STACK,
    THREE_WORDS,
    FLAGS,
    OVER_HANDLER_WITH_HEAP,
    HANDLER_WITH_HEAP,
    INSTALL,
    WIDE_ARGUMENT,
    CALL_WITH_HEAP,
    WIDE_END,
];

const STACK: &[Row] = &[
    row(&[0x81, 0xec, 0x00, 0x20, 0x00, 0x00], "sub esp,0x2000", "the handler's stack"),
    row(&[0x89, 0xe0], "mov eax,esp", ""),
];

const FRAME: &[Row] = &[
    row(&[0x53], "push ebx", "the caller's"),
    row(&[0x81, 0xec, 0x08, 0x20, 0x00, 0x00], "sub esp,0x2008", "the handler's stack"),
    row(&[0x8d, 0x44, 0x24, 0x08], "lea eax,[esp+0x8]", ""),
];

/// The stack at eax is that of the handlers.
const SIGNAL_STACK: &[Row] = &[
    row(&[0x68, 0x00, 0x20, 0x00, 0x00], "push 0x2000", "its size"),
    row(&[0x6a, 0x00], "push 0x0", "no flags"),
    row(&[0x50], "push eax", "its address"),
    row(&[0x89, 0xe3], "mov ebx,esp", "these three words"),
    row(&[0x31, 0xc9], "xor ecx,ecx", "the former stack is not needed"),
    row(&[0xb8, 0xba, 0x00, 0x00, 0x00], "mov eax,0xba", "system call 186: sigaltstack"),
    row(&[0xcd, 0x80], "int 0x80", ""),
];

const THREE_WORDS: &[Row] = &[row(&[0x83, 0xc4, 0x0c], "add esp,0xc", "three words")];

const FLAGS: &[Row] = &[
    row(&[0x6a, 0x00], "push 0x0", "no code after the handler: it does not return"),
    row(&[0x68, 0x00, 0x00, 0x00, 0x08], "push 0x8000000", "SA_ONSTACK: use the handler's stack"),
    row(&[0x6a, 0x00], "push 0x0", "block no other signals"),
];

const OVER_HANDLER: &[Row] =
    &[row(&[0xe8, 0x44, 0x00, 0x00, 0x00], "call install", "pushes the handler's address")];
const OVER_HANDLER_WITH_HEAP: &[Row] =
    &[row(&[0xe8, 0x6f, 0x00, 0x00, 0x00], "call install", "pushes the handler's address")];

const HANDLER: &[Row] = &[
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
];

const HANDLER_WITH_HEAP: &[Row] = &[
    row(&[0xb8, 0x00, 0x00, 0x00, 0x10], "mov eax,0x10000000", ""),
    row(
        &[0x81, 0x38, 0x00, 0x00, 0x00, 0x20],
        "cmp DWORD PTR [eax],0x20000000",
        "the next object, and the end of the heap",
    ),
    row(&[0x77, 0x2b], "ja no_memory", ""),
    row(&[0xba, 0x21, 0x00, 0x00, 0x00], "mov edx,0x21", "33"),
    row(&[0xe8, 0x3f, 0x00, 0x00, 0x00], "call report", "pushes the text's address"),
    row(
        b"sonc: the stack of calls is full\n",
        ".ascii \"sonc: the stack of calls is full\\n\"",
        "33 bytes",
    ),
    at("no_memory", &[0xba, 0x14, 0x00, 0x00, 0x00], "mov edx,0x14", "20"),
    row(&[0xe8, 0x14, 0x00, 0x00, 0x00], "call report", "pushes the text's address"),
    row(b"sonc: out of memory\n", r#".ascii "sonc: out of memory\n""#, "20 bytes"),
    at("report", &[0x59], "pop ecx", "the address of the text"),
    row(&[0xbb, 0x02, 0x00, 0x00, 0x00], "mov ebx,0x2", "standard error"),
    row(&[0xb8, 0x04, 0x00, 0x00, 0x00], "mov eax,0x4", "system call 4: write"),
    row(&[0xcd, 0x80], "int 0x80", "there is nothing to do if it fails"),
    row(&[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "the exit status"),
    row(&[0xb8, 0x01, 0x00, 0x00, 0x00], "mov eax,0x1", "system call 1: exit(ebx)"),
    row(&[0xcd, 0x80], "int 0x80", "does not return"),
];

const INSTALL: &[Row] = &[
    at("install", &[0xbb, 0x0b, 0x00, 0x00, 0x00], "mov ebx,0xb", "SIGSEGV"),
    row(&[0x89, 0xe1], "mov ecx,esp", "handler, signals, flags"),
    row(&[0x31, 0xd2], "xor edx,edx", "the former handler is not needed"),
    row(&[0xb8, 0x43, 0x00, 0x00, 0x00], "mov eax,0x43", "system call 67: sigaction"),
    row(&[0xcd, 0x80], "int 0x80", ""),
];

const WORDS: &[Row] = &[row(&[0x83, 0xc4, 0x1c], "add esp,0x1c", "seven words")];

const ARGUMENT: &[Row] = &[
    row(&[0x83, 0xc4, 0x10], "add esp,0x10", "four words"),
    row(&[0xff, 0xb4, 0x24, 0x10, 0x20, 0x00, 0x00], "push DWORD PTR [esp+0x2010]", "the argument"),
];

const CALL: &[Row] =
    &[row(&[0xe8, 0x0e, 0x00, 0x00, 0x00], "call simple", "it is directly after this function")];
const CALL_WITH_HEAP: &[Row] =
    &[row(&[0xe8, 0x13, 0x00, 0x00, 0x00], "call simple", "it is directly after this function")];

const END: &[Row] = &[
    row(&[0x81, 0xc4, 0x0c, 0x20, 0x00, 0x00], "add esp,0x200c", ""),
    row(&[0x5b], "pop ebx", ""),
    row(&[0xc3], "ret", "the result is where the program has it"),
];

const WIDE_ARGUMENT: &[Row] = &[
    row(&[0x83, 0xc4, 0x10], "add esp,0x10", "four words"),
    row(
        &[0xff, 0xb4, 0x24, 0x14, 0x20, 0x00, 0x00],
        "push DWORD PTR [esp+0x2014]",
        "the high word of the argument",
    ),
    row(&[0xff, 0xb4, 0x24, 0x14, 0x20, 0x00, 0x00], "push DWORD PTR [esp+0x2014]", "its low word"),
];

const WIDE_END: &[Row] = &[
    row(&[0x8b, 0x54, 0x24, 0x08], "mov edx,DWORD PTR [esp+0x8]", "the high word of the result"),
    row(&[0x89, 0x94, 0x24, 0x20, 0x20, 0x00, 0x00], "mov DWORD PTR [esp+0x2020],edx", ""),
    row(&[0x81, 0xc4, 0x10, 0x20, 0x00, 0x00], "add esp,0x2010", ""),
    row(&[0x5b], "pop ebx", ""),
    row(&[0xc3], "ret", "the low word is in eax"),
];

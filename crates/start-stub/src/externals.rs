//! The functions for compiled code. They follow cdecl, as compiled functions do.
use super::routines::{OUTPUT, PRINT, WRITE};
use super::row::{Row, at, row};

/// Prints a number and a character. It returns 0.
pub const PRINT_FUNCTION: &[&[Row]] = &[CALL_PRINT, PRINT, OUTPUT, WRITE];

/// Ends the program.
pub const TRAP_FUNCTION: &[&[Row]] = &[TRAP];

const CALL_PRINT: &[Row] = &[
    row(&[0x53], "push ebx", "registers of the caller"),
    row(&[0x57], "push edi", ""),
    row(&[0x8b, 0x44, 0x24, 0x0c], "mov eax,DWORD PTR [esp+0xc]", "the number"),
    row(&[0x8b, 0x54, 0x24, 0x10], "mov edx,DWORD PTR [esp+0x10]", "the character after it"),
    row(&[0xe8, 0x05, 0x00, 0x00, 0x00], "call print", ""),
    row(&[0x5f], "pop edi", ""),
    row(&[0x5b], "pop ebx", ""),
    row(&[0x31, 0xc0], "xor eax,eax", "the result"),
    row(&[0xc3], "ret", ""),
];

const TRAP: &[Row] = &[
    row(&[0xe8, 0x36, 0x00, 0x00, 0x00], "call report", "pushes the text's address"),
    row(
        b"sonc: division by 0, or of the smallest integer by -1\n",
        r#".ascii "sonc: division by 0, or of the smallest integer by -1\n""#,
        "54 bytes",
    ),
    at("report", &[0x59], "pop ecx", "the address of the text"),
    row(&[0xbb, 0x02, 0x00, 0x00, 0x00], "mov ebx,0x2", "standard error"),
    row(&[0xba, 0x36, 0x00, 0x00, 0x00], "mov edx,0x36", "its length"),
    row(&[0xb8, 0x04, 0x00, 0x00, 0x00], "mov eax,0x4", "system call 4: write"),
    row(&[0xcd, 0x80], "int 0x80", "there is nothing to do if it fails"),
    row(&[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "the exit status"),
    row(&[0xb8, 0x01, 0x00, 0x00, 0x00], "mov eax,0x1", "system call 1: exit(ebx)"),
    row(&[0xcd, 0x80], "int 0x80", "does not return"),
];

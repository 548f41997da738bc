//! The parts that stubs have in common: they read and print integers.
use super::row::{Row, at, row};

/// Registers: esi points to the next argument word, ebp counts the remaining words.
pub const ENTRY: &[Row] = &[
    row(&[0x8b, 0x2c, 0x24], "mov ebp,DWORD PTR [esp]", "argc"),
    row(&[0x8d, 0x74, 0x24, 0x08], "lea esi,[esp+0x8]", "&argv[1]: the program's name is no word"),
    row(&[0x83, 0xe4, 0xf0], "and esp,0xfffffff0", "calls require esp divisible by 16"),
];

/// Reads a word of the command line. It preserves ebx, esi and ebp.
pub const READ: &[Row] = &[
    // Read the word at edi. Its value is built up negated, since the least integer has no positive
    // twin.
    at("read", &[0x31, 0xc0], "xor eax,eax", "minus the value of the digits read"),
    row(&[0x89, 0xfa], "mov edx,edi", "reads the word; edi keeps its start"),
    row(&[0x80, 0x3f, 0x2d], "cmp BYTE PTR [edi],0x2d", "'-'"),
    row(&[0x74, 0x05], "je signed", ""),
    row(&[0x80, 0x3f, 0x2b], "cmp BYTE PTR [edi],0x2b", "'+'"),
    row(&[0x75, 0x01], "jne next_digit", "no sign to skip"),
    at("signed", &[0x42], "inc edx", "skip the sign"),
    at("next_digit", &[0x0f, 0xb6, 0x0a], "movzx ecx,BYTE PTR [edx]", "at least one digit"),
    row(&[0x83, 0xe9, 0x30], "sub ecx,0x30", "'0'"),
    row(&[0x83, 0xf9, 0x09], "cmp ecx,0x9", "is it a digit at all?"),
    row(&[0x77, 0x19], "ja refuse", "unsigned, so a character below '0' is also above 9"),
    row(&[0x6b, 0xc0, 0x0a], "imul eax,eax,0xa", "value * 10 ..."),
    row(&[0x70, 0x14], "jo refuse", "more than 32 bits"),
    row(&[0x29, 0xc8], "sub eax,ecx", "... - digit"),
    row(&[0x70, 0x10], "jo refuse", "more than 32 bits"),
    row(&[0x42], "inc edx", "the next character"),
    row(&[0x80, 0x3a, 0x00], "cmp BYTE PTR [edx],0x0", "a zero byte ends the word"),
    row(&[0x75, 0xe6], "jne next_digit", ""),
    row(&[0x80, 0x3f, 0x2d], "cmp BYTE PTR [edi],0x2d", "was there a '-'?"),
    row(&[0x74, 0x04], "je read_done", "then the negated value is the value"),
    row(&[0xf7, 0xd8], "neg eax", "else negate it back"),
    row(&[0x70, 0x01], "jo refuse", "2147483648 does not fit"),
    at("read_done", &[0xc3], "ret", ""),
    // The word at edi is no integer of 32 bits: say so, exit with status 2.
    at("refuse", &[0xe8, 0x1c, 0x00, 0x00, 0x00], "call after_text", "pushes the text's address"),
    row(b"sonc: not a 32-bit integer: ", r#".ascii "sonc: not a 32-bit integer: ""#, "28 bytes"),
];

/// The rest of `READ`.
pub const REFUSED: &[Row] = &[
    at("after_text", &[0x59], "pop ecx", "the address of the 28 bytes"),
    row(&[0xbb, 0x02, 0x00, 0x00, 0x00], "mov ebx,0x2", "standard error, and the exit status"),
    row(&[0xba, 0x1c, 0x00, 0x00, 0x00], "mov edx,0x1c", "28"),
    row(&[0xe8, 0x5a, 0x00, 0x00, 0x00], "call write", ""),
    row(&[0x89, 0xf9], "mov ecx,edi", "then the word itself"),
    at("find_end", &[0x47], "inc edi", "one after the character examined"),
    row(&[0x80, 0x7f, 0xff, 0x00], "cmp BYTE PTR [edi-0x1],0x0", "a zero byte ends the word"),
    row(&[0x75, 0xf9], "jne find_end", ""),
    row(&[0xc6, 0x47, 0xff, 0x0a], "mov BYTE PTR [edi-0x1],0xa", "a line's end takes its place"),
    row(&[0x89, 0xfa], "mov edx,edi", ""),
    row(&[0x29, 0xca], "sub edx,ecx", "the length of both"),
    row(&[0xe8, 0x44, 0x00, 0x00, 0x00], "call write", ""),
    row(&[0xeb, 0x59], "jmp exit", ""),
];

/// Prints an integer. It preserves esi and ebp. The file and `WRITE` follow.
pub const PRINT: &[Row] = &[
    // Print eax in decimal and the character dl, from the last one to the first: the text grows
    // downwards.
    at("print", &[0x83, 0xec, 0x10], "sub esp,0x10", "the text"),
    row(&[0x8d, 0x7c, 0x24, 0x0f], "lea edi,[esp+0xf]", "its last byte"),
    row(&[0x88, 0x17], "mov BYTE PTR [edi],dl", "the character after the number"),
    row(&[0x89, 0xc3], "mov ebx,eax", "keeps the sign"),
    row(&[0xb9, 0x0a, 0x00, 0x00, 0x00], "mov ecx,0xa", "ten"),
    row(&[0x85, 0xc0], "test eax,eax", ""),
    row(&[0x79, 0x02], "jns put_digit", ""),
    row(&[0xf7, 0xd8], "neg eax", "the least integer stays: unsigned, that is its absolute value"),
    at("put_digit", &[0x31, 0xd2], "xor edx,edx", "div divides edx:eax"),
    row(&[0xf7, 0xf1], "div ecx", "eax: the digits before; edx: the last digit"),
    row(&[0x83, 0xc2, 0x30], "add edx,0x30", "'0'"),
    row(&[0x4f], "dec edi", ""),
    row(&[0x88, 0x17], "mov BYTE PTR [edi],dl", "in front of the later ones"),
    row(&[0x85, 0xc0], "test eax,eax", ""),
    row(&[0x75, 0xf2], "jne put_digit", "until no digits are left; 0 has one"),
    row(&[0x85, 0xdb], "test ebx,ebx", ""),
    row(&[0x79, 0x04], "jns put_text", "not negative"),
    row(&[0x4f], "dec edi", ""),
    row(&[0xc6, 0x07, 0x2d], "mov BYTE PTR [edi],0x2d", "'-'"),
];

/// `PRINT` prints to this file.
pub const OUTPUT: &[Row] =
    &[at("put_text", &[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "standard output")];

/// Or to this one.
pub const ERRORS: &[Row] =
    &[at("put_text", &[0xbb, 0x02, 0x00, 0x00, 0x00], "mov ebx,0x2", "standard error")];

/// The end of `PRINT`, a function that writes, and the exit.
pub const WRITE: &[Row] = &[
    row(&[0x89, 0xf9], "mov ecx,edi", "from the first digit or the sign"),
    row(&[0x8d, 0x54, 0x24, 0x10], "lea edx,[esp+0x10]", "after the last character"),
    row(&[0x29, 0xfa], "sub edx,edi", "the length"),
    row(&[0xe8, 0x04, 0x00, 0x00, 0x00], "call write", ""),
    row(&[0x83, 0xc4, 0x10], "add esp,0x10", ""),
    row(&[0xc3], "ret", ""),
    // Write edx > 0 bytes at ecx to file ebx; the kernel may write fewer at a time.
    at("write", &[0xb8, 0x04, 0x00, 0x00, 0x00], "mov eax,0x4", "system call 4: write"),
    row(&[0xcd, 0x80], "int 0x80", "eax: how many bytes it took, or minus an error number"),
    row(&[0x85, 0xc0], "test eax,eax", ""),
    row(&[0x7e, 0x07], "jle write_failed", "nothing taken: never try again"),
    row(&[0x01, 0xc1], "add ecx,eax", "the rest"),
    row(&[0x29, 0xc2], "sub edx,eax", ""),
    row(&[0x75, 0xef], "jne write", "until nothing is left"),
    row(&[0xc3], "ret", ""),
    at(
        "write_failed",
        &[0xbb, 0x01, 0x00, 0x00, 0x00],
        "mov ebx,0x1",
        "a full disk, or a closed pipe",
    ),
    at("exit", &[0xb8, 0x01, 0x00, 0x00, 0x00], "mov eax,0x1", "system call 1: exit(ebx)"),
    row(&[0xcd, 0x80], "int 0x80", "does not return"),
];

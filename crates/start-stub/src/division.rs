//! Division of integers of two words, which the machine does not have. The functions follow cdecl;
//! the high word of the result is in the word after the arguments. The divisor is not 0, and the
//! quotient fits.
//!
//! If |y| is below 2³², the machine divides twice, as one does with pencil and paper: the high word
//! first, then its rest and the low word. Else one division of the first bits yields the quotient,
//! or 1 less, and the rest shows which. Source: H. S. Warren, Hacker's Delight, 9-4 and 9-5.
use super::row::{Row, at, row};

/// x / y.
pub const QUOTIENT: &[&[Row]] = &[ARGUMENTS, SIGN, DIVIDE, OF_QUOTIENT, RESULT];

/// x - x / y · y, which has the sign of x.
pub const REMAINDER: &[&[Row]] = &[ARGUMENTS, DIVIDE, OF_REMAINDER, RESULT];

/// The operands: x in edx:eax, y in ecx:ebx; the sign of the result in ebp.
const ARGUMENTS: &[Row] = &[
    row(&[0x53], "push ebx", "registers of the caller"),
    row(&[0x56], "push esi", ""),
    row(&[0x57], "push edi", ""),
    row(&[0x55], "push ebp", ""),
    row(&[0x8b, 0x44, 0x24, 0x14], "mov eax,DWORD PTR [esp+0x14]", "x: its low word"),
    row(&[0x8b, 0x54, 0x24, 0x18], "mov edx,DWORD PTR [esp+0x18]", "and its high word"),
    row(&[0x8b, 0x5c, 0x24, 0x1c], "mov ebx,DWORD PTR [esp+0x1c]", "y: its low word"),
    row(&[0x8b, 0x4c, 0x24, 0x20], "mov ecx,DWORD PTR [esp+0x20]", "and its high word"),
    row(&[0x89, 0xd5], "mov ebp,edx", "the sign of x"),
];

/// That of a quotient depends on both.
const SIGN: &[Row] = &[row(&[0x31, 0xcd], "xor ebp,ecx", "the sign of x / y")];

/// The quotient of |x| and |y| in edx:eax, the remainder in edi:esi.
const DIVIDE: &[Row] = &[
    row(&[0x85, 0xd2], "test edx,edx", ""),
    row(&[0x79, 0x07], "jns x_natural", ""),
    row(&[0xf7, 0xd8], "neg eax", "x becomes |x|"),
    row(&[0x83, 0xd2, 0x00], "adc edx,0x0", "the borrow is 1 if the low word is not 0"),
    row(&[0xf7, 0xda], "neg edx", ""),
    at("x_natural", &[0x85, 0xc9], "test ecx,ecx", ""),
    row(&[0x79, 0x07], "jns y_natural", ""),
    row(&[0xf7, 0xdb], "neg ebx", "y becomes |y|"),
    row(&[0x83, 0xd1, 0x00], "adc ecx,0x0", ""),
    row(&[0xf7, 0xd9], "neg ecx", ""),
    at("y_natural", &[0x85, 0xc9], "test ecx,ecx", ""),
    row(&[0x75, 0x13], "jne large", "y is 2³² or more"),
    row(&[0x89, 0xc1], "mov ecx,eax", "the low word of x waits"),
    row(&[0x89, 0xd0], "mov eax,edx", ""),
    row(&[0x31, 0xd2], "xor edx,edx", ""),
    row(&[0xf7, 0xf3], "div ebx", "its high word / y, and a rest below y"),
    row(&[0x91], "xchg ecx,eax", "the low word follows the rest"),
    row(&[0xf7, 0xf3], "div ebx", "so no quotient overflows"),
    row(&[0x89, 0xd6], "mov esi,edx", "the remainder"),
    row(&[0x31, 0xff], "xor edi,edi", ""),
    row(&[0x89, 0xca], "mov edx,ecx", ""),
    row(&[0xeb, 0x5d], "jmp divided", ""),
    at("large", &[0x51], "push ecx", "y, in memory"),
    row(&[0x53], "push ebx", ""),
    row(&[0x89, 0xc6], "mov esi,eax", "x"),
    row(&[0x89, 0xd7], "mov edi,edx", ""),
    row(&[0x0f, 0xbd, 0xc9], "bsr ecx,ecx", "the number of the highest bit of y"),
    row(&[0x83, 0xf1, 0x1f], "xor ecx,0x1f", "n: the number of zeros before it"),
    row(&[0x8b, 0x44, 0x24, 0x04], "mov eax,DWORD PTR [esp+0x4]", ""),
    row(&[0x0f, 0xa5, 0xd8], "shld eax,ebx,cl", ""),
    row(&[0x89, 0xc3], "mov ebx,eax", "v: the first 32 bits of y · 2ⁿ"),
    row(&[0x89, 0xf0], "mov eax,esi", ""),
    row(&[0x0f, 0xac, 0xd0, 0x01], "shrd eax,edx,0x1", "u: half of x, without a sign"),
    row(&[0xd1, 0xea], "shr edx,0x1", ""),
    row(&[0xf7, 0xf3], "div ebx", "u / v: v is 2³¹ or more, and u below 2⁶³"),
    row(&[0x31, 0xd2], "xor edx,edx", ""),
    row(&[0x0f, 0xa5, 0xc2], "shld edx,eax,cl", ""),
    row(&[0xd3, 0xe0], "shl eax,cl", ""),
    row(&[0x0f, 0xa4, 0xc2, 0x01], "shld edx,eax,0x1", "· 2ⁿ / 2³¹: at most 1 more than x / y"),
    row(&[0x83, 0xfa, 0x01], "cmp edx,0x1", "a carry if it is 0"),
    row(&[0x83, 0xd2, 0xff], "adc edx,0xffffffff", "minus 1, but not below 0"),
    row(&[0x89, 0xd3], "mov ebx,edx", "q: x / y, or 1 less"),
    row(&[0x89, 0xd0], "mov eax,edx", ""),
    row(&[0xf7, 0x24, 0x24], "mul DWORD PTR [esp]", "q · y"),
    row(&[0x8b, 0x4c, 0x24, 0x04], "mov ecx,DWORD PTR [esp+0x4]", ""),
    row(&[0x0f, 0xaf, 0xcb], "imul ecx,ebx", ""),
    row(&[0x01, 0xca], "add edx,ecx", ""),
    row(&[0x29, 0xc6], "sub esi,eax", ""),
    row(&[0x19, 0xd7], "sbb edi,edx", "x - q · y"),
    row(&[0x89, 0xf0], "mov eax,esi", ""),
    row(&[0x89, 0xfa], "mov edx,edi", ""),
    row(&[0x2b, 0x04, 0x24], "sub eax,DWORD PTR [esp]", ""),
    row(&[0x1b, 0x54, 0x24, 0x04], "sbb edx,DWORD PTR [esp+0x4]", ""),
    row(&[0x72, 0x05], "jb corrected", "it is below y: q is right"),
    row(&[0x43], "inc ebx", "else q + 1, and the rest - y"),
    row(&[0x89, 0xc6], "mov esi,eax", ""),
    row(&[0x89, 0xd7], "mov edi,edx", ""),
    at("corrected", &[0x83, 0xc4, 0x08], "add esp,0x8", "y is not used any more"),
    row(&[0x89, 0xd8], "mov eax,ebx", ""),
    row(&[0x31, 0xd2], "xor edx,edx", ""),
];

/// The quotient is in place.
const OF_QUOTIENT: &[Row] = &[at("divided", &[0x85, 0xed], "test ebp,ebp", "")];

/// The remainder moves there.
const OF_REMAINDER: &[Row] = &[
    at("divided", &[0x89, 0xf0], "mov eax,esi", "the remainder"),
    row(&[0x89, 0xfa], "mov edx,edi", ""),
    row(&[0x85, 0xed], "test ebp,ebp", ""),
];

/// The sign is restored.
const RESULT: &[Row] = &[
    row(&[0x79, 0x07], "jns signed", ""),
    row(&[0xf7, 0xd8], "neg eax", "the result is negative"),
    row(&[0x83, 0xd2, 0x00], "adc edx,0x0", ""),
    row(&[0xf7, 0xda], "neg edx", ""),
    at(
        "signed",
        &[0x89, 0x54, 0x24, 0x24],
        "mov DWORD PTR [esp+0x24],edx",
        "the high word of the result; the low one is in eax",
    ),
    row(&[0x5d], "pop ebp", ""),
    row(&[0x5f], "pop edi", ""),
    row(&[0x5e], "pop esi", ""),
    row(&[0x5b], "pop ebx", ""),
    row(&[0xc3], "ret", ""),
];

//! Programs for the tests: they call a function once for each argument and print its results.
use elf::{Function, executable};

/// mov eax,1; xor ebx,ebx; int 0x80
const EXIT: &[u8] = &[0xb8, 1, 0, 0, 0, 0x31, 0xdb, 0xcd, 0x80];

/// Prints eax: eight hexadecimal digits, `a` for 0 to `p` for 15, and a line feed.
const PRINT: &[u8] = &[
    0x83, 0xec, 12, // sub esp,12
    0xc6, 0x44, 0x24, 8, b'\n', // mov BYTE PTR [esp+8],10
    0xb9, 7, 0, 0, 0, // mov ecx,7
    0x89, 0xc2, // digit: mov edx,eax
    0x83, 0xe2, 15, // and edx,15
    0x83, 0xc2, b'a', // add edx,97
    0x88, 0x14, 0x0c, // mov BYTE PTR [esp+ecx],dl
    0xc1, 0xe8, 4,    // shr eax,4
    0x49, // dec ecx
    0x79, 0xef, // jns digit
    0xb8, 4, 0, 0, 0, // mov eax,4
    0xbb, 1, 0, 0, 0, // mov ebx,1
    0x89, 0xe1, // mov ecx,esp
    0xba, 9, 0, 0, 0, // mov edx,9
    0xcd, 0x80, // int 0x80
    0x83, 0xc4, 12,   // add esp,12
    0xc3, // ret
];

/// push argument; call simple; add esp,4; call print
const CALL_SIZE: usize = 18;

/// The executable: `_start`, and after it the cdecl function `simple`.
pub fn program(simple: &[u8], arguments: &[i32]) -> Vec<u8> {
    let print = arguments.len() * CALL_SIZE + EXIT.len();
    let size = print + PRINT.len();
    let mut code = Vec::new();
    for argument in arguments {
        code.push(0x68);
        code.extend(argument.to_le_bytes());
        call(&mut code, size);
        code.extend([0x83, 0xc4, 4]);
        call(&mut code, print);
    }
    code.extend([EXIT, PRINT].concat());
    let start = Function::new("_start", &code);
    executable(&[start, Function::new("simple", simple)]).bytes
}

fn call(code: &mut Vec<u8>, target: usize) {
    let distance = target as i32 - (code.len() as i32 + 5);
    code.push(0xe8);
    code.extend(distance.to_le_bytes());
}

/// The values that a test program printed.
pub fn printed(output: &str) -> Vec<i32> {
    let digit = |value: u32, letter: u8| value << 4 | u32::from(letter - b'a');
    let value = |line: &str| line.bytes().fold(0, digit).cast_signed();
    output.lines().map(value).collect()
}

//! Why a program cannot go on, in words.
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The file cannot be loaded.
    File(String),
    NoSegment {
        access: &'static str,
        size: u32,
        address: u32,
    },
    ReadOnly {
        size: u32,
        address: u32,
    },
    /// The next instruction's address.
    OutsideText(u32),
    /// The processor does not know it, or `ud2`.
    UndefinedInstruction(Vec<u8>),
    /// The processor knows it, the emulator does not.
    UnknownInstruction(Vec<u8>),
    UndefinedFlag(&'static str),
    DivisionByZero,
    QuotientTooLarge,
    Interrupt(u32),
    SystemCall(u32),
    /// A write to this file.
    NoSuchFile(u32),
    /// The process asks to end. That is a fault only where a function should have returned.
    Exit(i32),
    /// A function returned, but not as it should.
    NotRestored {
        register: &'static str,
        before: u32,
        after: u32,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::File(reason) => write!(f, "{reason}"),
            Fault::NoSegment { access, size, address } => {
                write!(f, "{access} of {} at {address:#010x} outside any segment", bytes(*size))
            }
            Fault::ReadOnly { size, address } => {
                write!(f, "write of {} at {address:#010x} in a read-only segment", bytes(*size))
            }
            Fault::OutsideText(address) => {
                write!(f, "goes on at {address:#010x}, outside the text")
            }
            Fault::UndefinedInstruction(bytes) => {
                write!(f, "undefined instruction {}", hexadecimal(bytes))
            }
            Fault::UnknownInstruction(bytes) => {
                write!(f, "instruction {} is not emulated", hexadecimal(bytes))
            }
            Fault::UndefinedFlag(flag) => write!(f, "the {flag} flag is read but undefined"),
            Fault::DivisionByZero => write!(f, "division by zero"),
            Fault::QuotientTooLarge => write!(f, "the quotient does not fit its register"),
            Fault::Interrupt(number) => write!(f, "interrupt {number:#04x} is no system call"),
            Fault::SystemCall(number) => write!(f, "system call {number} is not emulated"),
            Fault::NoSuchFile(file) => write!(f, "write to file {file}, which is not open"),
            Fault::Exit(status) => write!(f, "exit with status {status} instead of a return"),
            Fault::NotRestored { register, before, after } => {
                write!(f, "{register} is {after:#010x} after the return, not {before:#010x}")
            }
        }
    }
}

fn bytes(count: u32) -> String {
    if count == 1 { "1 byte".into() } else { format!("{count} bytes") }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}

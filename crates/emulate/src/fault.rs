//! The reasons why a program cannot continue.
use std::fmt;

/// The reason why a program cannot continue; `Display` says it in words.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be loaded.
    File(String),
    /// An access to memory that is not there, or a write to memory that is not writable.
    Memory(memory::Fault),
    /// An access below the stack, which cannot grow further.
    StackOverflow,
    /// The next instruction's address is not in the text.
    OutsideText(u32),
    /// The bytes of an undefined instruction or of `ud2`.
    UndefinedInstruction(Vec<u8>),
    /// The bytes of an instruction that is not emulated.
    UnknownInstruction(Vec<u8>),
    /// The name of a flag that is read although the last instruction left it undefined.
    UndefinedFlag(&'static str),
    /// `div` or `idiv` by 0.
    DivisionByZero,
    /// `div` or `idiv` with a quotient of more than 32 bits.
    QuotientTooLarge,
    /// `bsr` of 0, which leaves its result undefined.
    NoBit,
    /// An interrupt other than 0x80.
    Interrupt(u32),
    /// The number of a system call other than `exit`, `write`, `sigaction` and `sigaltstack`.
    SystemCall(u32),
    /// A write to a file other than standard output and standard error.
    NoSuchFile(u32),
    /// `exit` with this status, in a function that should have returned.
    Exit(i32),
    /// A function returned without restoring a register of its caller.
    NotRestored {
        /// The name of the register.
        register: &'static str,
        /// Its value in the caller.
        before: u32,
        /// Its value after the return.
        after: u32,
    },
}

impl std::error::Error for Fault {}

impl From<memory::Fault> for Fault {
    fn from(fault: memory::Fault) -> Fault {
        Fault::Memory(fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::File(reason) => write!(f, "{reason}"),
            Fault::Memory(fault) => write!(f, "{fault}"),
            Fault::StackOverflow => write!(f, "the stack is full"),
            Fault::OutsideText(address) => {
                write!(f, "continues at {address:#010x}, outside the text")
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
            Fault::NoBit => write!(f, "the highest bit of 0"),
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

fn hexadecimal(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}

//! The condition flags and the sixteen conditions that read them.
//!
//! Many instructions leave some flags undefined, and processors differ in them. A program that
//! reads such a flag may work on one machine and fail on another, so the emulator reports the read
//! as a fault.
use iced_x86::Mnemonic;

use super::fault::Fault;

/// Sets of flags are bits. The adjust flag is missing: no emulated instruction reads it.
pub const CARRY: u8 = 1;
pub const PARITY: u8 = 2;
pub const ZERO: u8 = 4;
pub const SIGN: u8 = 8;
pub const OVERFLOW: u8 = 16;
pub const ALL: u8 = 31;

const NAMES: [(u8, &str); 5] =
    [(CARRY, "carry"), (PARITY, "parity"), (ZERO, "zero"), (SIGN, "sign"), (OVERFLOW, "overflow")];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flags {
    set: u8,
    undefined: u8,
}

impl Flags {
    pub fn undefined() -> Flags {
        Flags { set: 0, undefined: ALL }
    }

    /// Sets the flags of `which` that are in `set`, clears the others of `which`.
    pub fn write(&mut self, which: u8, set: u8) {
        self.set = self.set & !which | set & which;
        self.undefined &= !which;
    }

    /// Leaves the flags of `which` undefined.
    pub fn undefine(&mut self, which: u8) {
        self.undefined |= which;
    }

    /// The flags of `which` that are set.
    pub fn read(self, which: u8) -> Result<u8, Fault> {
        let undefined = self.undefined & which;
        match NAMES.iter().find(|(flag, _)| undefined & flag != 0) {
            Some((_, name)) => Err(Fault::UndefinedFlag(name)),
            None => Ok(self.set & which),
        }
    }
}

/// A condition, and the three instructions that depend on it.
pub struct Condition {
    pub jump: Mnemonic,
    pub set: Mnemonic,
    pub copy: Mnemonic,
    pub reads: u8,
    /// Whether it holds if this subset of the flags it reads is set.
    holds: fn(u8) -> bool,
}

impl Condition {
    pub fn holds(&self, flags: Flags) -> Result<bool, Fault> {
        flags.read(self.reads).map(self.holds)
    }
}

const fn row(
    (jump, set, copy): (Mnemonic, Mnemonic, Mnemonic),
    reads: u8,
    holds: fn(u8) -> bool,
) -> Condition {
    Condition { jump, set, copy, reads, holds }
}

/// In the order of their encoding. Every second condition is the negation of the one before it.
pub const CONDITIONS: &[Condition] = {
    use Mnemonic::*;
    &[
        row((Jo, Seto, Cmovo), OVERFLOW, |set| set != 0),
        row((Jno, Setno, Cmovno), OVERFLOW, |set| set == 0),
        row((Jb, Setb, Cmovb), CARRY, |set| set != 0),
        row((Jae, Setae, Cmovae), CARRY, |set| set == 0),
        row((Je, Sete, Cmove), ZERO, |set| set != 0),
        row((Jne, Setne, Cmovne), ZERO, |set| set == 0),
        row((Jbe, Setbe, Cmovbe), CARRY | ZERO, |set| set != 0),
        row((Ja, Seta, Cmova), CARRY | ZERO, |set| set == 0),
        row((Js, Sets, Cmovs), SIGN, |set| set != 0),
        row((Jns, Setns, Cmovns), SIGN, |set| set == 0),
        row((Jp, Setp, Cmovp), PARITY, |set| set != 0),
        row((Jnp, Setnp, Cmovnp), PARITY, |set| set == 0),
        row((Jl, Setl, Cmovl), SIGN | OVERFLOW, less),
        row((Jge, Setge, Cmovge), SIGN | OVERFLOW, |set| !less(set)),
        row((Jle, Setle, Cmovle), ZERO | SIGN | OVERFLOW, |set| set & ZERO != 0 || less(set)),
        row((Jg, Setg, Cmovg), ZERO | SIGN | OVERFLOW, |set| set & ZERO == 0 && !less(set)),
    ]
};

/// After a subtraction: the exact difference is negative if exactly one of sign and overflow is
/// set.
fn less(set: u8) -> bool {
    (set & SIGN != 0) != (set & OVERFLOW != 0)
}

#[cfg(test)]
#[path = "tests/flags.rs"]
mod tests;

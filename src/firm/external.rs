//! Functions outside of the program. Their symbols follow those of the program's functions.
use super::Program;
use super::graph::Signature;
#[cfg(feature = "ch15")]
use crate::{arith::joined, traps::Failure};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum External {
    /// Writes its first argument, and then the letter whose code is the second one.
    Write,
    /// Ends the program with a message.
    Trap,
    /// The quotient of two integers of two words each, the low word first.
    Quotient,
    /// The remainder of their division.
    #[cfg(feature = "ch17")]
    Remainder,
    /// Ends the program: line, column, and an index that is not below a length.
    #[cfg(feature = "ch15")]
    OutOfBounds,
    /// Ends the program: line, column, and a length that no array has.
    #[cfg(feature = "ch15")]
    NoLength,
    /// The same for an index of two words.
    #[cfg(feature = "ch15")]
    WideOutOfBounds,
    /// The same for a length of two words.
    #[cfg(feature = "ch15")]
    WideNoLength,
}

impl External {
    pub const ALL: &[External] = &[
        External::Write,
        External::Trap,
        External::Quotient,
        #[cfg(feature = "ch17")]
        External::Remainder,
        #[cfg(feature = "ch15")]
        External::OutOfBounds,
        #[cfg(feature = "ch15")]
        External::NoLength,
        #[cfg(feature = "ch15")]
        External::WideOutOfBounds,
        #[cfg(feature = "ch15")]
        External::WideNoLength,
    ];

    /// Its symbol in a program with this number of functions.
    pub fn symbol(self, functions: usize) -> u32 {
        functions as u32 + self as u32
    }

    /// That of a symbol in a program with this number of functions.
    pub fn of(symbol: u32, functions: usize) -> Option<External> {
        let number = (symbol as usize).checked_sub(functions)?;
        External::ALL.get(number).copied()
    }

    pub fn name(self) -> &'static str {
        match self {
            External::Write => "write",
            External::Trap => "trap",
            External::Quotient => "quotient",
            #[cfg(feature = "ch17")]
            External::Remainder => "remainder",
            #[cfg(feature = "ch15")]
            External::OutOfBounds => "out_of_bounds",
            #[cfg(feature = "ch15")]
            External::NoLength => "no_length",
            #[cfg(feature = "ch15")]
            External::WideOutOfBounds => "wide_out_of_bounds",
            #[cfg(feature = "ch15")]
            External::WideNoLength => "wide_no_length",
        }
    }

    /// Its parameters and results.
    /// @ch15 A function that does not return has no result.
    pub fn signature(self) -> Signature {
        let (parameters, results) = match self {
            External::Write => (2, 1),
            External::Trap => (0, 1),
            External::Quotient => (4, 2),
            #[cfg(feature = "ch17")]
            External::Remainder => (4, 2),
            #[cfg(feature = "ch15")]
            External::OutOfBounds => (4, 0),
            #[cfg(feature = "ch15")]
            External::NoLength => (3, 0),
            #[cfg(feature = "ch15")]
            External::WideOutOfBounds => (5, 0),
            #[cfg(feature = "ch15")]
            External::WideNoLength => (4, 0),
        };
        Signature::new(parameters, results)
    }
}

#[cfg(feature = "ch15")]
impl External {
    /// The function that reports a failure and ends the program; the first number of the failure,
    /// an `int`, may have two words.
    pub fn that_reports(failure: Failure, is_wide: bool) -> External {
        match (failure, is_wide) {
            (Failure::Index, false) => External::OutOfBounds,
            (Failure::Length, false) => External::NoLength,
            (Failure::Index, true) => External::WideOutOfBounds,
            (Failure::Length, true) => External::WideNoLength,
        }
    }

    /// The message, without the name of the file, of a function that reports a failure, for these
    /// arguments.
    pub fn message(self, arguments: &[i64]) -> Option<String> {
        let (failure, is_wide) = match self {
            External::OutOfBounds => (Failure::Index, false),
            External::NoLength => (Failure::Length, false),
            External::WideOutOfBounds => (Failure::Index, true),
            External::WideNoLength => (Failure::Length, true),
            _ => return None,
        };
        Some(match arguments {
            &[line, column, low, high, ref rest @ ..] if is_wide => {
                failure.message(&[&[line, column, joined(low, high)], rest].concat())
            }
            _ => failure.message(arguments),
        })
    }
}

/// Routines that are no operands of calls, and the words that assemblers do not read as names.
#[cfg(feature = "ch18")]
const NO_NAMES: &str = "_start guard constants \
    eax ebx ecx edx esi edi ebp esp ax bx cx dx si di bp sp al ah bl bh cl ch dl dh \
    cs ds es fs gs ss st xmm0 xmm1 xmm2 xmm3 xmm4 xmm5 xmm6 xmm7 \
    and or xor not shl shr mod eq ne lt le gt ge offset ptr near far short flat type length size \
    byte word dword qword fword tbyte oword";

#[cfg(feature = "ch18")]
impl External {
    /// The names that no function of a program has.
    pub fn taken_names() -> impl Iterator<Item = &'static str> {
        External::ALL.iter().map(|it| it.name()).chain(NO_NAMES.split_whitespace())
    }
}

impl Program {
    /// The external function of a symbol.
    pub fn external(&self, symbol: u32) -> Option<External> {
        External::of(symbol, self.functions.len())
    }

    /// The name and the signature of the function of a symbol.
    pub fn symbol(&self, symbol: u32) -> Option<(&str, Signature)> {
        match self.functions.get(symbol as usize) {
            Some(graph) => Some((&graph.name, graph.signature)),
            None => self.external(symbol).map(|it| (it.name(), it.signature())),
        }
    }
}

//! Functions outside of the program. Their symbols follow those of the program's functions.
use super::Program;
use super::graph::Signature;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum External {
    /// Writes its first argument, and then the letter whose code is the second one.
    Write,
    /// Ends the program with a message.
    Trap,
}

impl External {
    pub const ALL: [External; 2] = [External::Write, External::Trap];

    /// That of a symbol in a program with this number of functions.
    pub fn of(symbol: u32, functions: usize) -> Option<External> {
        let number = (symbol as usize).checked_sub(functions)?;
        External::ALL.get(number).copied()
    }

    pub fn name(self) -> &'static str {
        match self {
            External::Write => "write",
            External::Trap => "trap",
        }
    }

    pub fn signature(self) -> Signature {
        let parameters = match self {
            External::Write => 2,
            External::Trap => 0,
        };
        Signature { parameters, results: 1 }
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

//! IA-32: its registers and instructions, code, and its encoding.
#[cfg(feature = "ch02")]
mod address;
#[cfg(feature = "ch05")]
mod verify_blocks;
#[cfg(feature = "ch02")]
mod build;
pub mod code;
mod operand;
#[cfg(feature = "ch02")]
mod dot;
pub mod encode;
#[cfg(feature = "ch05")]
pub mod terminator;
mod encoded;
mod eval;
#[cfg(feature = "ch04")]
pub mod effects;
pub mod instruction;
mod semantics;
#[cfg(feature = "ch20")]
mod memory_forms;
#[cfg(feature = "ch05")]
mod branch_relaxation;
#[cfg(feature = "ch19")]
mod verify_addresses;
#[cfg(feature = "ch19")]
mod verify_pressure;
mod print;
#[cfg(feature = "ch12")]
mod relocations;
#[cfg(test)]
#[cfg(feature = "ch04")]
pub mod parse_assembly;
#[cfg(test)]
#[cfg(feature = "ch02")]
#[path = "tests/random/mod.rs"]
pub mod random;
pub mod register;
pub mod instruction_table;
#[cfg(feature = "ch02")]
mod verify_stack;
#[cfg(feature = "ch02")]
mod verify_state;
#[cfg(feature = "ch02")]
mod target;
#[cfg(feature = "ch02")]
mod verify_stack_state;
mod verify;
#[cfg(feature = "ch14")]
mod verify_calls;

pub use code::Code;
pub use encode::encode;
pub use encoded::Encoded;
#[cfg(feature = "ch12")]
pub use encoded::{Referenced, Relocation};
#[cfg(feature = "ch02")]
pub use instruction::Op;
pub use operand::Operand;
pub use register::Register;
#[cfg(feature = "ch02")]
pub use target::TARGET;

#[cfg(feature = "ch14")]
use crate::firm::{External, Signature};
#[cfg(feature = "ch10")]
use crate::heap::ResultFormat;
#[cfg(feature = "ch09")]
use crate::stage::FirmNode;
use crate::stage::{Artifact, Outcome, Violation};
use picture::Picture;
use std::collections::HashSet;

/// The code of the functions of a program, which calls the first one.
#[derive(Clone, Debug)]
pub struct Program {
    pub functions: Vec<Code>,
    /// How the result is printed.
    #[cfg(feature = "ch10")]
    pub result: ResultFormat,
    /// The name of the source, for messages of the program.
    #[cfg(feature = "ch15")]
    pub file: String,
}

#[cfg(feature = "ch10")]
impl Program {
    /// Whether it needs a heap, or may return an object.
    pub fn has_heap(&self) -> bool {
        let mut instructions = self.functions.iter().flat_map(|code| &code.instructions);
        self.result.is_on_heap() || instructions.any(|it| it.accesses_heap())
    }
}

#[cfg(feature = "ch12")]
impl Program {
    /// The floating-point numbers that its instructions refer to, in the order of their first use.
    pub fn constants(&self) -> Vec<i64> {
        let mut known = HashSet::new();
        let instructions = self.functions.iter().flat_map(|code| &code.instructions);
        instructions.filter_map(|it| it.constant()).filter(|it| known.insert(*it)).collect()
    }
}

#[cfg(feature = "ch14")]
impl Program {
    /// The name and the signature of the function of a symbol.
    pub fn symbol(&self, symbol: u32) -> Option<(&str, Signature)> {
        let external = || External::of(symbol, self.functions.len());
        match self.functions.get(symbol as usize) {
            Some(code) => Some((&code.name, code.signature)),
            None => external().map(|it| (it.name(), it.signature())),
        }
    }

    fn has_calls(&self) -> bool {
        self.functions
            .iter()
            .any(|code| code.instructions.iter().any(|it| it.signature().is_some()))
    }
}

impl Artifact for Program {
    fn print(&self) -> String {
        #[cfg(feature = "ch14")]
        if self.functions.len() > 1 {
            return print::functions(self);
        }
        let text: String = self.functions.iter().map(print::listing).collect();
        #[cfg(feature = "ch14")]
        let text = self.with_names(&text);
        text
    }

    #[cfg(feature = "ch18")]
    fn functions(&self) -> Vec<(String, String)> {
        let text = |code: &Code| (code.name.clone(), print::function(self, code));
        self.functions.iter().map(text).collect()
    }

    /// A source for `as --32`.
    #[cfg(feature = "ch09")]
    fn listing(&self) -> String {
        print::assembly(self)
    }

    /// In the source for `as`, instructions are indented.
    #[cfg(feature = "ch09")]
    fn line_nodes(&self) -> Vec<Option<FirmNode>> {
        let functions = self.functions.iter().enumerate();
        let mut nodes = functions.flat_map(|(function, code)| code.firm_nodes(function));
        let listing = self.listing();
        listing.lines().map(|line| line.strip_prefix('\t').and_then(|_| nodes.next())).collect()
    }

    #[cfg(feature = "ch02")]
    fn picture(&self) -> Option<Picture> {
        #[cfg(feature = "ch14")]
        if self.functions.len() > 1 {
            return Some(dot::functions(self));
        }
        self.functions.first().map(dot::picture)
    }

    fn verify(&self) -> Vec<Violation> {
        let violations = self.functions.iter().flat_map(verify::verify).collect::<Vec<_>>();
        #[cfg(feature = "ch14")]
        let violations =
            if violations.is_empty() { verify_calls::verify(self) } else { violations };
        violations
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        #[cfg(feature = "ch14")]
        if self.has_calls() || self.result == ResultFormat::Wide {
            return self.eval_all(&self.functions.first()?.signature.words_of(argument));
        }
        let words = [argument];
        #[cfg(feature = "ch14")]
        let words = self.functions.first()?.signature.words_of(words[0]);
        let words: Vec<_> = words.iter().map(|&it| it as i32).collect();
        let mut machine = eval::Machine::new(self.functions.first()?, &words);
        let outcome = machine.run();
        #[cfg(feature = "ch10")]
        let outcome = outcome.with_format(&self.result, |address| machine.load_word(address));
        Some(outcome)
    }

    #[cfg(feature = "ch14")]
    fn eval_all(&self, arguments: &[i64]) -> Option<Outcome> {
        Some(eval::eval_program(self, arguments))
    }
}

#[cfg(test)]
impl Artifact for Code {
    fn print(&self) -> String {
        print::listing(self)
    }

    #[cfg(feature = "ch02")]
    fn picture(&self) -> Option<Picture> {
        Some(dot::picture(self))
    }

    fn verify(&self) -> Vec<Violation> {
        verify::verify(self)
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        Some(eval::eval(self, argument))
    }
}

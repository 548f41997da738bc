//! The parser: reads a program and builds the sea of nodes while it reads.
//!
//! Recursive descent, written by hand, one function for each symbol of the grammar, which stands
//! above it. There is no syntax tree: what a function hands back is the node that yields the
//! value of what it has read, already as good as the peepholes can make it.
mod cursor;
mod expr;
#[cfg(feature = "ch05")]
mod control_statements;
#[cfg(feature = "ch03")]
mod scope;
mod stmt;
mod token;
mod tokens;

use crate::diagnostics::Diagnostic;
#[cfg(feature = "ch02")]
use crate::peephole::Engine;
use crate::sea::Graph;
#[cfg(feature = "ch02")]
use crate::stage::Rewrite;
use cursor::Cursor;
#[cfg(feature = "ch03")]
use scope::Scope;
pub use tokens::Tokens;

/// What is to be read, and how.
pub struct Input<'s> {
    pub text: &'s str,
    #[cfg(feature = "ch02")]
    pub engine: Engine,
    /// What is done with the pictures that the program asks for.
    #[cfg(feature = "ch03")]
    pub show: Show<'s>,
    /// What is known of the argument: its value, or nothing.
    #[cfg(feature = "ch04")]
    pub argument: Option<i64>,
}

/// Is given each picture as it arises, and draws it if it likes. None is kept: all together they
/// may be far larger than the program.
#[cfg(feature = "ch03")]
pub type Show<'s> = Box<dyn FnMut(&dyn Fn() -> String) + 's>;

/// What comes of it.
pub struct Parsed {
    pub graph: Graph,
    /// The rewrites, if the engine traced them.
    #[cfg(feature = "ch02")]
    pub steps: Vec<Rewrite>,
}

/// Reads a program.
///
/// # Errors
/// All complaints about the program, in the order of their places; at least one.
pub fn parse(input: Input) -> Result<Parsed, Vec<Diagnostic>> {
    let mut parser = Parser::new(input);
    parser.program();
    if !parser.complaints.is_empty() {
        return Err(parser.complaints);
    }
    Ok(Parsed {
        graph: parser.graph,
        #[cfg(feature = "ch02")]
        steps: parser.engine.steps.unwrap_or_default(),
    })
}

struct Parser<'s> {
    cursor: Cursor<'s>,
    graph: Graph,
    #[cfg(feature = "ch02")]
    engine: Engine,
    /// How many parentheses and blocks are open.
    #[cfg(feature = "ch02")]
    depth: usize,
    #[cfg(feature = "ch03")]
    scope: Scope<'s>,
    #[cfg(feature = "ch03")]
    show: Show<'s>,
    #[cfg(feature = "ch04")]
    argument: Option<i64>,
    complaints: Vec<Diagnostic>,
}

#[cfg(test)]
mod tests;

//! The parser: builds the sea of nodes while it parses the program.
//!
//! Recursive descent, one function for each nonterminal of the grammar; its production is in the
//! function's comment. There is no syntax tree: a function returns the node that yields the value
//! of the parsed text, already optimized by the peepholes.
#[cfg(feature = "ch15")]
mod arrays;
#[cfg(feature = "ch18")]
mod calls;
#[cfg(feature = "ch17")]
mod changes;
#[cfg(feature = "ch17")]
mod conditional;
#[cfg(feature = "ch16")]
mod constructors;
mod cursor;
mod ends;
mod expr;
#[cfg(feature = "ch17")]
mod for_loops;
#[cfg(feature = "ch17")]
mod inference;
#[cfg(feature = "ch12")]
mod floats;
#[cfg(feature = "ch18")]
mod foreign;
#[cfg(feature = "ch18")]
mod forward;
#[cfg(feature = "ch18")]
mod functions;
#[cfg(feature = "ch05")]
mod control_statements;
#[cfg(feature = "ch14")]
mod integers;
mod mistakes;
#[cfg(feature = "ch03")]
mod names;
#[cfg(feature = "ch10")]
mod objects;
#[cfg(feature = "ch15")]
mod place;
#[cfg(feature = "ch03")]
mod recovery;
#[cfg(feature = "ch18")]
mod results;
#[cfg(feature = "ch10")]
mod static_types;
#[cfg(feature = "ch03")]
mod scope;
mod stmt;
#[cfg(feature = "ch10")]
mod structs;
#[cfg(feature = "ch18")]
mod suspended;
#[cfg(feature = "ch28")]
mod symbols;
mod token;
mod tokens;

#[cfg(feature = "ch14")]
use crate::arith::Width;
use crate::diagnostics::Diagnostic;
#[cfg(feature = "ch02")]
use crate::peephole::Engine;
use crate::sea::Graph;
#[cfg(feature = "ch02")]
use crate::stage::Rewrite;
use cursor::Cursor;
#[cfg(feature = "ch10")]
use objects::Objects;
use picture::Picture;
#[cfg(feature = "ch03")]
use scope::Scope;
#[cfg(feature = "ch28")]
pub use symbols::{Declaration, Symbol, SymbolId, SymbolKind, Symbols, is_name, read};
pub use tokens::Tokens;

/// The program, and the parser's options.
pub struct Input<'s> {
    pub text: &'s str,
    #[cfg(feature = "ch02")]
    pub engine: Engine,
    /// Called for each picture that the program shows.
    #[cfg(feature = "ch03")]
    pub show: Show<'s>,
    /// The argument, if its value is known.
    #[cfg(feature = "ch04")]
    pub argument: Option<i64>,
    /// The width of `int`.
    #[cfg(feature = "ch14")]
    pub int: Width,
}

/// Is called with each picture, and draws it if needed. Pictures are not kept: together they may be
/// far larger than the program.
#[cfg(feature = "ch03")]
pub type Show<'s> = Box<dyn FnMut(&dyn Fn() -> Picture) + 's>;

/// The parsed program.
pub struct Parsed {
    pub graph: Graph,
    #[cfg(feature = "ch16")]
    pub warnings: Vec<Diagnostic>,
    /// The rewrites, if the engine traces them.
    #[cfg(feature = "ch02")]
    pub steps: Vec<Rewrite>,
}

/// Parses a program.
///
/// # Errors
/// All errors in the program, in order of position; at least one.
pub fn parse(input: Input) -> Result<Parsed, Vec<Diagnostic>> {
    #[cfg(feature = "ch18")]
    let results = results(&input).map_err(|diagnostic| vec![diagnostic])?;
    let mut parser = Parser::new(input);
    #[cfg(feature = "ch18")]
    {
        parser.functions.results = results;
    }
    parser.program();
    if !parser.diagnostics.is_empty() {
        #[cfg(feature = "ch03")]
        parser.sort_diagnostics();
        return Err(parser.diagnostics);
    }
    Ok(Parsed {
        graph: parser.graph,
        #[cfg(feature = "ch16")]
        warnings: parser.objects.warnings,
        #[cfg(feature = "ch02")]
        steps: parser.engine.steps.unwrap_or_default(),
    })
}

/// The results of the functions of a program.
#[cfg(feature = "ch18")]
fn results<'s>(input: &Input<'s>) -> Result<results::Results<'s>, Diagnostic> {
    let has_functions = input.text.contains(functions::ARROW);
    let inferred = has_functions.then(|| results::infer_results(input));
    Ok(results::Results::of(inferred.transpose()?.unwrap_or_default()))
}

struct Parser<'s> {
    cursor: Cursor<'s>,
    graph: Graph,
    #[cfg(feature = "ch02")]
    engine: Engine,
    /// The number of open parentheses and blocks.
    #[cfg(feature = "ch02")]
    depth: usize,
    /// Whether the operand that is parsed next is after a minus sign.
    #[cfg(feature = "ch14")]
    is_after_minus: bool,
    #[cfg(feature = "ch03")]
    scope: Scope<'s>,
    #[cfg(feature = "ch03")]
    show: Show<'s>,
    #[cfg(feature = "ch04")]
    argument: Option<i64>,
    diagnostics: Vec<Diagnostic>,
    /// The number of errors that are not reported, because there are too many.
    #[cfg(feature = "ch03")]
    omitted: usize,
    /// The place after the last Trap.
    #[cfg(feature = "ch15")]
    trap_place: place::Place,
    /// The undeclared names that have been reported.
    #[cfg(feature = "ch03")]
    undeclared: Vec<&'s str>,
    #[cfg(feature = "ch10")]
    objects: Objects<'s>,
    #[cfg(feature = "ch18")]
    functions: functions::Functions<'s>,
}

#[cfg(test)]
mod tests;

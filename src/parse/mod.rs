//! The parser: reads a program and builds the sea of nodes while it reads.
//!
//! Recursive descent, written by hand, one function for each symbol of the grammar, which stands
//! above it. There is no syntax tree: what a function hands back is the node that yields the
//! value of what it has read, already as good as the peepholes can make it.
mod cursor;
mod expr;
#[cfg(feature = "ch03")]
mod scope;
mod stmt;
mod token;
mod tokens;

#[cfg(feature = "ch03")]
use crate::base::picture::Picture;
use crate::diag::Diag;
#[cfg(feature = "ch02")]
use crate::peep::{Engine, Step};
use crate::sea::{Graph, NodeId};
use cursor::Cursor;
#[cfg(feature = "ch03")]
use scope::Scope;
pub use tokens::Tokens;

/// What is to be read, and how.
pub struct Input<'s> {
    pub text: &'s str,
    #[cfg(feature = "ch02")]
    pub engine: Engine,
    /// What is known of the argument: its value, or nothing.
    #[cfg(feature = "ch04")]
    pub argument: Option<i64>,
}

/// What comes of it.
pub struct Parsed {
    pub graph: Graph,
    /// The rewrites, if the engine traced them.
    #[cfg(feature = "ch02")]
    pub steps: Vec<Step>,
    /// One picture for each `#showGraph` in the program.
    #[cfg(feature = "ch03")]
    pub pictures: Vec<Picture>,
}

/// Reads a program.
///
/// # Errors
/// All complaints about the program, in the order of their places; at least one.
pub fn parse(input: Input) -> Result<Parsed, Vec<Diag>> {
    let mut parser = Parser::new(input);
    parser.program();
    if !parser.complaints.is_empty() {
        return Err(parser.complaints);
    }
    Ok(Parsed {
        graph: parser.graph,
        #[cfg(feature = "ch02")]
        steps: parser.engine.steps.unwrap_or_default(),
        #[cfg(feature = "ch03")]
        pictures: parser.pictures,
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
    pictures: Vec<Picture>,
    #[cfg(feature = "ch04")]
    argument: Option<i64>,
    /// The Return, once there is one.
    end: Option<NodeId>,
    complaints: Vec<Diag>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The program as it is printed, or the first lines of all complaints.
    fn read(text: &str, optimize: bool) -> Result<String, Vec<String>> {
        let input = Input {
            text,
            #[cfg(feature = "ch02")]
            engine: Engine::new(crate::peep::rules().filter(|_| optimize).collect(), false),
            #[cfg(feature = "ch04")]
            argument: None,
        };
        let parsed = parse(input);
        let messages = |it: Vec<Diag>| it.into_iter().map(|diag| diag.message).collect();
        parsed.map(|parsed| crate::sea::line(&parsed.graph, parsed.graph.end)).map_err(messages)
    }

    fn check(text: &str, printed: &str) {
        assert_eq!(read(text, true).as_deref(), Ok(printed), "{text}");
    }

    #[cfg(feature = "ch02")]
    fn check_as_written(text: &str, printed: &str) {
        assert_eq!(read(text, false).as_deref(), Ok(printed), "{text}");
    }

    fn check_errors(text: &str, wanted: &[&str]) {
        let found = read(text, true).expect_err(text);
        assert_eq!(found.len(), wanted.len(), "{text}: {found:?}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(found.contains(wanted), "{text}: {found} should contain {wanted}");
        }
    }

    #[test]
    fn a_literal_is_returned() {
        check("return 42;", "return 42;");
        check("  return   7   ; // the end", "return 7;");
        check("return 2147483647;", "return 2147483647;");
    }

    #[test]
    fn numbers_that_are_not_integers_are_refused() {
        check_errors("return 08;", &["Syntax error: integer values cannot start with '0'"]);
        check_errors("return 2147483648;", &["integer too large"]);
        check_errors(&format!("return 1{};", "0".repeat(5000)), &["integer too large"]);
    }

    #[test]
    fn strange_characters_have_a_place() {
        for text in ["return é;", "return \u{1F600}", "é", "return 1; \u{0} é", "\"", "return 1 # 2;"] {
            assert!(read(text, true).is_err(), "{text}");
        }
    }

    #[cfg(not(feature = "ch03"))]
    #[test]
    fn one_statement_is_all() {
        check_errors("retur 5;", &["Syntax error, expected a statement: retur"]);
        check_errors("return 5 6;", &["Syntax error, expected ;: 6"]);
        check_errors("return 5;;", &["Syntax error, unexpected ;"]);
        check_errors("return x;", &["Syntax error, expected integer literal"]);
        check_errors("return 1;}", &["Syntax error, unexpected }"]);
        check_errors("", &["Syntax error, expected a statement: "]);
    }
}

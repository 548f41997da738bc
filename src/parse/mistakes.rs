//! Frequent mistakes: tokens of other languages, and tokens in the wrong place, with a label that
//! says what is wrong and the help that corrects it.
#[cfg(feature = "ch03")]
use super::token::KEYWORDS;
use crate::diagnostics::{Diagnostic, closest};
use report_text::Mistake;

/// The first row that fits counts: a beginning, the tokens that are expected instead (all if
/// empty), a label and a help.
const MISTAKES: &[Mistake] = &[
    Mistake::new("/*", &[], "this is no comment", "comments begin with `//`"),
    Mistake::new("#", &[], "this is no comment", "comments begin with `//`"),
    Mistake::new("\"", &[], "", "a value is an integer"),
    Mistake::new("'", &[], "", "a value is an integer"),
    Mistake::new(".", &[], "", "a value is an integer"),
    #[cfg(feature = "ch02")]
    Mistake::new("%", &[], "", "the remainder is `x - x / y * y`"),
    Mistake::new("&&", &[], "", ""),
    Mistake::new("&", &[], "", ""),
    Mistake::new("||", &[], "", ""),
    Mistake::new("|", &[], "", ""),
    Mistake::new("^", &[], "", ""),
    Mistake::new("~", &[], "", ""),
    Mistake::new("?", &[], "", ""),
    Mistake::new("[", &[], "", ""),
    Mistake::new(",", &[], "", ""),
    #[cfg(feature = "ch03")]
    Mistake::new("++", &["="], "", "write the assignment: `x = x + 1`"),
    #[cfg(feature = "ch03")]
    Mistake::new("--", &["="], "", "write the assignment: `x = x - 1`"),
    #[cfg(feature = "ch03")]
    Mistake::new("+=", &["="], "", "write the assignment: `x = x + y`"),
    #[cfg(feature = "ch03")]
    Mistake::new("-=", &["="], "", "write the assignment: `x = x - y`"),
    #[cfg(feature = "ch03")]
    Mistake::new("*=", &["="], "", "write the assignment: `x = x * y`"),
    #[cfg(feature = "ch03")]
    Mistake::new("/=", &["="], "", "write the assignment: `x = x / y`"),
    #[cfg(feature = "ch04")]
    Mistake::new("==", &["="], "`==` compares", "an assignment is written `=`"),
    #[cfg(feature = "ch04")]
    Mistake::new(
        "=",
        &[")", ";"],
        "`=` assigns a value, in a statement",
        "a comparison is written `==`",
    ),
    #[cfg(feature = "ch04")]
    Mistake::new("!", &[], "", "write `x == 0`"),
];

/// Explains a diagnostic about `rest`, the text where `expected` is missing. Without an
/// explanation, it stays as it is.
pub fn explain(diagnostic: Diagnostic, expected: &str, rest: &str) -> Diagnostic {
    match report_text::explain(MISTAKES, "Simple", expected, rest) {
        Some((label, help)) => Diagnostic { label, help, ..diagnostic },
        None => diagnostic,
    }
}

/// Whether `rest`, after a name, looks like an assignment of another language.
#[cfg(feature = "ch10")]
pub fn is_mistaken_assignment(rest: &str) -> bool {
    MISTAKES.iter().any(|it| it.expected.contains(&"=") && rest.starts_with(it.found))
}

/// Help for a statement that begins with an undeclared name and has no `=`.
#[cfg(feature = "ch03")]
pub fn suggest_keyword(name: &str) -> Option<String> {
    #[cfg(feature = "ch07")]
    if ["for", "do", "loop"].contains(&name) {
        return Some("a loop is written `while`".to_string());
    }
    let keyword = closest(name, KEYWORDS.iter().copied())?;
    Some(format!("did you mean `{keyword}`?"))
}

//! Frequent mistakes: tokens of other languages, and tokens in the wrong place, with a label that
//! says what is wrong and the help that corrects it.
#[cfg(feature = "ch03")]
use super::token::KEYWORDS;
use crate::diagnostics::Diagnostic;
#[cfg(feature = "ch03")]
use crate::diagnostics::closest;
use report_text::is_invisible;

/// A text that is not expected.
struct Mistake {
    /// The beginning of the text.
    found: &'static str,
    /// The tokens that are expected instead; all if empty.
    expected: &'static [&'static str],
    /// What is wrong; empty if Simple has no such token.
    label: &'static str,
    help: &'static str,
}

/// The first row that fits counts.
const MISTAKES: &[Mistake] = &[
    row("/*", &[], "this is no comment", "comments begin with `//`"),
    row("#", &[], "this is no comment", "comments begin with `//`"),
    row("\"", &[], "", "a value is an integer"),
    row("'", &[], "", "a value is an integer"),
    row(".", &[], "", "a value is an integer"),
    #[cfg(feature = "ch02")]
    row("%", &[], "", "the remainder is `x - x / y * y`"),
    row("&", &[], "", ""),
    row("|", &[], "", ""),
    row("^", &[], "", ""),
    row("~", &[], "", ""),
    row("?", &[], "", ""),
    row("[", &[], "", ""),
    row(",", &[], "", ""),
    #[cfg(feature = "ch03")]
    row("++", &["="], "", "write the assignment: `x = x + 1`"),
    #[cfg(feature = "ch03")]
    row("--", &["="], "", "write the assignment: `x = x - 1`"),
    #[cfg(feature = "ch03")]
    row("+=", &["="], "", "write the assignment: `x = x + y`"),
    #[cfg(feature = "ch03")]
    row("-=", &["="], "", "write the assignment: `x = x - y`"),
    #[cfg(feature = "ch03")]
    row("*=", &["="], "", "write the assignment: `x = x * y`"),
    #[cfg(feature = "ch03")]
    row("/=", &["="], "", "write the assignment: `x = x / y`"),
    #[cfg(feature = "ch04")]
    row("==", &["="], "`==` compares", "an assignment is written `=`"),
    #[cfg(feature = "ch04")]
    row("=", &[")", ";"], "`=` assigns a value, in a statement", "a comparison is written `==`"),
    #[cfg(feature = "ch04")]
    row("!", &[], "", "write `x == 0`"),
];

const fn row(
    found: &'static str,
    expected: &'static [&'static str],
    label: &'static str,
    help: &'static str,
) -> Mistake {
    Mistake { found, expected, label, help }
}

/// Explains a diagnostic about `rest`, the text where `expected` is missing. Without an
/// explanation, it stays as it is.
pub fn explain(diagnostic: Diagnostic, expected: &str, rest: &str) -> Diagnostic {
    let (mut label, mut help) = (diagnostic.label, diagnostic.help);
    let is_expected = |it: &&Mistake| it.expected.is_empty() || it.expected.contains(&expected);
    let mistake = MISTAKES.iter().filter(|it| rest.starts_with(it.found)).find(is_expected);
    if let Some(mistake) = mistake {
        label = match mistake.label {
            "" => format!("Simple has no `{}`", operator(mistake.found, rest)),
            label => label.to_string(),
        };
        help = Some(mistake.help.to_string()).filter(|it| !it.is_empty());
    } else if let Some(letter) = rest.chars().next().filter(|it| is_foreign(*it)) {
        label = match is_invisible(letter) {
            true => format!("{} is no space", shown(letter)),
            false => format!("Simple has no {}", shown(letter)),
        };
        help = Some("type it again".to_string());
    }
    Diagnostic { label, help, ..diagnostic }
}

/// Whether `rest`, after a name, looks like an assignment of another language.
#[cfg(feature = "ch10")]
pub fn is_mistaken_assignment(rest: &str) -> bool {
    MISTAKES.iter().any(|it| it.expected.contains(&"=") && rest.starts_with(it.found))
}

/// The sign at the start of `rest`, which may be written twice, as in `&&`.
fn operator<'r>(found: &str, rest: &'r str) -> &'r str {
    let is_double = ["&", "|"].contains(&found) && rest[found.len()..].starts_with(found);
    &rest[..if is_double { 2 * found.len() } else { found.len() }]
}

/// Whether a character cannot be typed by mistake for a sign of Simple, but was pasted.
fn is_foreign(letter: char) -> bool {
    !letter.is_ascii() && !letter.is_alphanumeric()
}

/// A text for a message: characters that may be invisible are written as numbers.
pub fn escaped(text: &str) -> String {
    let escape = |letter| if is_foreign(letter) { shown(letter) } else { letter.to_string() };
    text.chars().map(escape).collect()
}

fn shown(letter: char) -> String {
    format!("U+{:04X}", letter as u32)
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

//! Frequent mistakes in a language's texts, and their explanations.
use crate::is_invisible;

/// A text that is not expected.
pub struct Mistake {
    /// The beginning of the text.
    pub found: &'static str,
    /// The tokens that are expected instead; all if empty.
    pub expected: &'static [&'static str],
    /// What is wrong; empty if the language has no such token.
    pub label: &'static str,
    /// The correction; may be empty.
    pub help: &'static str,
}

impl Mistake {
    /// A row of a table.
    pub const fn new(
        found: &'static str,
        expected: &'static [&'static str],
        label: &'static str,
        help: &'static str,
    ) -> Mistake {
        Mistake { found, expected, label, help }
    }
}

/// Explains why `expected` is missing before `rest`: a label and a help for the report. The first
/// of the mistakes that fits counts.
pub fn explain(
    mistakes: &[Mistake],
    language: &str,
    expected: &str,
    rest: &str,
) -> Option<(String, Option<String>)> {
    let is_expected = |it: &&Mistake| it.expected.is_empty() || it.expected.contains(&expected);
    let mut found = mistakes.iter().filter(|it| rest.starts_with(it.found));
    if let Some(mistake) = found.find(is_expected) {
        let label = match mistake.label {
            "" => format!("{language} has no `{}`", mistake.found),
            label => label.to_string(),
        };
        return Some((label, Some(mistake.help.to_string()).filter(|it| !it.is_empty())));
    }
    let letter = rest.chars().next().filter(|it| is_foreign(*it))?;
    let label = match is_invisible(letter) {
        true => format!("{} is no space", shown(letter)),
        false => format!("{language} has no {}", shown(letter)),
    };
    Some((label, Some("type it again".to_string())))
}

/// A text for a message: characters that may be invisible are written as numbers.
pub fn escaped(text: &str) -> String {
    let escape = |letter| if is_foreign(letter) { shown(letter) } else { letter.to_string() };
    text.chars().map(escape).collect()
}

/// Whether a character is no letter and no sign of a keyboard: it was pasted.
fn is_foreign(letter: char) -> bool {
    !letter.is_ascii() && !letter.is_alphanumeric()
}

fn shown(letter: char) -> String {
    format!("U+{:04X}", letter as u32)
}

#[cfg(test)]
#[path = "tests/mistake.rs"]
mod tests;

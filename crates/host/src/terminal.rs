//! Text for a person: standard output and standard error.
use crate::Error;
use crate::output::print;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Prints a text to standard output.
///
/// # Errors
/// As `print`.
pub fn print_text(text: &str) -> Result<(), Error> {
    print(&|out| out.write_all(text.as_bytes()))
}

/// Prints a text to standard error. A failure to do so is ignored.
pub fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The name of a file for a message: characters that control a terminal, or the direction of
/// writing, are written as in a text of Rust.
pub fn shown(path: &Path) -> String {
    let directions = ['\u{2028}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    let is_hidden = |it: char| it.is_control() || directions.iter().any(|all| all.contains(&it));
    let mut name = String::new();
    for letter in path.to_string_lossy().chars() {
        match is_hidden(letter) {
            true => name.extend(letter.escape_default()),
            false => name.push(letter),
        }
    }
    name
}

/// Whether text on standard error may be coloured. Source: no-color.org.
pub fn uses_color() -> bool {
    let variable = |name| std::env::var_os(name);
    may_color(std::io::stderr().is_terminal(), variable("NO_COLOR"), variable("TERM"))
}

fn may_color(is_terminal: bool, refused: Option<OsString>, terminal: Option<OsString>) -> bool {
    let is_switched_off = refused.is_some_and(|it| !it.is_empty());
    is_terminal && !is_switched_off && terminal.is_none_or(|it| it != "dumb")
}

#[cfg(test)]
#[path = "tests/terminal.rs"]
mod tests;

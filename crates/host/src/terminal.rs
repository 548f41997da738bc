//! Text for a person: standard output and standard error.
use crate::Error;
use crate::output::print;
use std::io::{IsTerminal, Write};

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

/// Whether text on standard error may be coloured. Source: no-color.org.
pub fn uses_color() -> bool {
    let is_switched_off = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    std::io::stderr().is_terminal() && !is_switched_off
}

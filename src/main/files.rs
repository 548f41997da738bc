//! Files that are read, and the terminal; and what to say when a command fails.
use crate::outputs::Content;
use sonc::{Diagnostic, Source, render};
use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// Why the command did not succeed.
pub enum Failure {
    /// The input is wrong.
    Complaints(Vec<Diagnostic>, Source),
    /// The same, as it is to be read.
    #[cfg(feature = "ch25")]
    Report(String),
    /// Something else is wrong.
    Message(String),
    /// The command line asks for what there is not.
    Usage(String),
    /// Nobody reads what we print any more.
    Closed,
}

pub type Outcome = Result<(), Failure>;

/// Reads a text; `-` is not special.
pub fn read(path: &Path) -> Result<Source, Failure> {
    let name = path.display().to_string();
    let bytes = File::open(path).and_then(|file| read_at_most(file, LONGEST));
    let bytes =
        bytes.map_err(|error| Failure::Message(format!("cannot read `{name}`: {error}")))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { name, text }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let before = &error.as_bytes()[..at];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            let message = format!("`{name}` is not UTF-8: line {line}, byte {at}");
            Err(Failure::Message(message))
        }
    }
}

/// The longest text: its places are numbers of 32 bits.
const LONGEST: u64 = u32::MAX as u64;

/// Reads a file that is not longer than `most`; one that does not end is not read to the end.
fn read_at_most(file: impl Read, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= most {
        true => Ok(bytes),
        false => Err(std::io::Error::other(format!("it is longer than {most} bytes"))),
    }
}

pub fn print(text: &str) -> Outcome {
    print_bytes(text.as_bytes())
}

pub fn print_bytes(bytes: &[u8]) -> Outcome {
    print_content(&|out| out.write_all(bytes))
}

pub fn print_content(content: Content) -> Outcome {
    let mut out = std::io::stdout().lock();
    match content(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => Err(Failure::Message(format!("cannot write to standard output: {error}"))),
    }
}

/// Tells the person at the terminal; if nobody listens, nothing is lost.
pub fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Source: no-color.org.
pub fn wants_color() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    std::io::stderr().is_terminal() && !refused
}

impl Failure {
    pub fn report(self) -> ExitCode {
        match self {
            Failure::Complaints(complaints, source) => {
                say(&render(&complaints, &source, wants_color()));
                ExitCode::FAILURE
            }
            #[cfg(feature = "ch25")]
            Failure::Report(report) => {
                say(&report);
                ExitCode::FAILURE
            }
            Failure::Message(message) => {
                say(&format!("error: {message}\n"));
                ExitCode::FAILURE
            }
            Failure::Usage(message) => {
                say(&format!("error: {message}\n"));
                ExitCode::from(2)
            }
            Failure::Closed => ExitCode::SUCCESS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_end_is_not_read_to_the_end() {
        assert_eq!(read_at_most(&b"abc"[..], 3).expect("it is short"), b"abc");
        let error = read_at_most(std::io::repeat(0), 1 << 20).expect_err("it is long");
        assert_eq!(error.to_string(), "it is longer than 1048576 bytes");
    }
}

//! Reading and printing text, and the reports of commands that fail.
#[cfg(feature = "ch09")]
use host::Output;
use sonc::{Diagnostic, Source, render};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// Why a command failed.
pub enum Failure {
    /// The input has errors.
    Diagnostics(Vec<Diagnostic>, Source),
    /// The same, already rendered.
    #[cfg(feature = "ch25")]
    Report(String),
    /// Any other failure.
    Message(String),
    /// An error in the command line.
    Usage(String),
    /// Standard output is a closed pipe.
    Closed,
}

pub type Outcome = Result<(), Failure>;

/// Reads a text; `-` is a file of this name, not standard input.
pub fn read(path: &Path) -> Result<Source, Failure> {
    let text = host::read_text(path)?;
    Ok(Source { name: path.display().to_string(), text })
}

pub fn print(text: &str) -> Outcome {
    print_bytes(text.as_bytes())
}

pub fn print_bytes(bytes: &[u8]) -> Outcome {
    Ok(host::print(&|out| out.write_all(bytes))?)
}

/// Prints to standard error. A failure to do so is ignored.
pub fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

#[cfg(feature = "ch09")]
/// Writes named pictures to a folder: all of them, or none if one would overwrite an input.
pub fn write_pictures(
    folder: &Path,
    inputs: &[&Path],
    pictures: &[(String, String)],
    extension: &str,
    kind: &str,
) -> Outcome {
    let output = |(name, _): &(String, String)| {
        Output::new(Some(&folder.join(format!("{name}.{extension}"))), inputs)
    };
    let outputs: Vec<_> = pictures.iter().map(output).collect::<Result<_, _>>()?;
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::Message(format!("cannot write `{}`: {error}", folder.display()))
    })?;
    for (output, (_, dot)) in outputs.iter().zip(pictures) {
        output.write_text(dot)?;
    }
    say(&format!("pictures of {} {kind}: {}\n", pictures.len(), folder.display()));
    Ok(())
}

/// Source: no-color.org.
pub fn uses_color() -> bool {
    let is_switched_off = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    std::io::stderr().is_terminal() && !is_switched_off
}

impl From<host::Error> for Failure {
    fn from(error: host::Error) -> Failure {
        match error {
            host::Error::IsInput(_) => Failure::Usage(error.to_string()),
            host::Error::Failed(message) => Failure::Message(message),
            host::Error::Closed => Failure::Closed,
        }
    }
}

impl Failure {
    pub fn report(self) -> ExitCode {
        say(&self.text(uses_color()));
        match self {
            Failure::Usage(_) => ExitCode::from(2),
            Failure::Closed => ExitCode::SUCCESS,
            #[cfg(feature = "ch25")]
            Failure::Report(_) => ExitCode::FAILURE,
            Failure::Diagnostics(..) | Failure::Message(_) => ExitCode::FAILURE,
        }
    }

    pub fn text(&self, color: bool) -> String {
        match self {
            Failure::Diagnostics(diagnostics, source) => render(diagnostics, source, color),
            #[cfg(feature = "ch25")]
            Failure::Report(report) => report.clone(),
            Failure::Message(message) | Failure::Usage(message) => format!("error: {message}\n"),
            Failure::Closed => String::new(),
        }
    }
}

//! Reading and printing text, and the reports of commands that fail.
use crate::arguments::Compile;
pub use host::{say, shown};
use picture::TooLarge;
use sonc::{Diagnostic, Source, render};
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

/// Reads a text; `-` is standard input.
pub fn read(path: &Path) -> Result<Source, Failure> {
    let text = host::read_text(path)?;
    Ok(Source { name: shown(path), text })
}

/// The program, unless the text is a graph.
#[cfg(feature = "ch25")]
pub fn not_a_graph(program: Source) -> Result<Source, Failure> {
    if program.text.trim_start().starts_with('<') {
        let name = &program.name;
        let message = format!("`{name}` is a graph: use `sonc firm ir`, `sonc firm run`, …");
        return Err(Failure::Usage(message));
    }
    Ok(program)
}

impl Compile {
    /// The program: the text in the command line, or that of the file.
    pub fn program(&self) -> Result<Source, Failure> {
        if let Some(text) = &self.text {
            return Ok(Source { name: "<command line>".into(), text: text.clone() });
        }
        let program = read(self.file.as_deref().expect("clap requires a file or a text"));
        #[cfg(feature = "ch25")]
        let program = program.and_then(not_a_graph);
        program
    }
}

pub fn print(text: &str) -> Outcome {
    Ok(host::print_text(text)?)
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

impl From<TooLarge> for Failure {
    fn from(reason: TooLarge) -> Failure {
        Failure::Message(format!("{reason}; without `--svg`, Graphviz may draw it"))
    }
}

impl Failure {
    pub fn report(self) -> ExitCode {
        say(&self.text(host::uses_color()));
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

//! Files and the terminal: reading, writing, and what to say when that fails.
use sonc::{Diag, Source, Stage, render};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// Why the command did not succeed.
pub enum Failure {
    /// The input is wrong.
    Complaints(Vec<Diag>, Source),
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
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::Message(format!("cannot read `{name}`: {error}")))?;
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

pub fn write_pictures(folder: &Path, drawn: &[(Stage, String)]) -> Outcome {
    std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, error))?;
    for (stage, dot) in drawn {
        write_file(&folder.join(format!("{}.dot", stage.name())), dot.as_bytes())?;
    }
    say(&format!("pictures of {} stages: {}\n", drawn.len(), folder.display()));
    Ok(())
}

pub fn write_executable(path: &Path, bytes: &[u8]) -> Outcome {
    let executable = std::env::current_exe().and_then(std::fs::metadata);
    write_as(path, bytes, executable.ok().map(|own| own.permissions()))
}

pub fn write_file(path: &Path, bytes: &[u8]) -> Outcome {
    write_as(path, bytes, None)
}

/// Writes a file as a whole or not at all: under another name first, which is then changed.
pub fn write_as(path: &Path, bytes: &[u8], permissions: Option<std::fs::Permissions>) -> Outcome {
    if path == Path::new("-") {
        return print_bytes(bytes);
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}.partial", std::process::id()));
    let written = std::fs::write(&partial, bytes)
        .and_then(|()| permissions.map_or(Ok(()), |it| std::fs::set_permissions(&partial, it)))
        .and_then(|()| std::fs::rename(&partial, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&partial);
        cannot_write(path, error)
    })
}

pub fn cannot_write(path: &Path, error: std::io::Error) -> Failure {
    Failure::Message(format!("cannot write `{}`: {error}", path.display()))
}

pub fn print(text: &str) -> Outcome {
    print_bytes(text.as_bytes())
}

pub fn print_bytes(bytes: &[u8]) -> Outcome {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => Err(Failure::Message(format!("cannot write to standard output: {error}"))),
    }
}

/// Tells the person at the terminal; if nobody listens, nothing is lost.
pub fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

impl Failure {
    pub fn report(self) -> ExitCode {
        match self {
            Failure::Complaints(complaints, source) => {
                let color =
                    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
                say(&render(&complaints, &source, color));
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

//! Files and the terminal: reading, writing, and what to say when that fails.
use sonc::{Diag, Source, Stage, render};
use std::fs::{File, Permissions};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why the command did not succeed.
pub enum Failure {
    /// The input is wrong.
    Complaints(Vec<Diag>, Source),
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
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::Message(format!("cannot read `{name}`: {error}")))?;
    if u32::try_from(bytes.len()).is_err() {
        return Err(Failure::Message(format!("`{name}` is longer than 4 GiB")));
    }
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

/// Writes the pictures of steps that have names.
#[cfg(feature = "ch25")]
pub fn write_steps(folder: &Path, drawn: &[(String, String)]) -> Outcome {
    std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, error))?;
    for (name, dot) in drawn {
        write_file(&folder.join(format!("{name}.dot")), dot.as_bytes())?;
    }
    say(&format!("pictures of {} steps: {}\n", drawn.len(), folder.display()));
    Ok(())
}

pub fn write_executable(path: &Path, bytes: &[u8]) -> Outcome {
    let executable = std::env::current_exe().and_then(std::fs::metadata);
    write_as(path, &|out| out.write_all(bytes), executable.ok().map(|own| own.permissions()))
}

pub fn write_file(path: &Path, bytes: &[u8]) -> Outcome {
    write_as(path, &|out| out.write_all(bytes), None)
}

/// What writes a file.
pub type Content<'c> = &'c dyn Fn(&mut dyn Write) -> std::io::Result<()>;

pub fn write_as(path: &Path, content: Content, permissions: Option<Permissions>) -> Outcome {
    if path == Path::new("-") {
        return print_content(content);
    }
    let written = match std::fs::metadata(path) {
        Ok(old) if old.is_file() => {
            std::fs::canonicalize(path).and_then(|path| replace(&path, content, permissions))
        }
        // Devices and pipes are written to, never replaced; a folder refuses that.
        Ok(_) => File::options().write(true).open(path).and_then(|mut it| content(&mut it)),
        Err(_) => replace(path, content, permissions),
    };
    written.map_err(|error| cannot_write(path, error))
}

/// Writes a file as a whole or not at all: under another name first, which is then changed.
fn replace(path: &Path, content: Content, permissions: Option<Permissions>) -> std::io::Result<()> {
    let (partial, mut file) = create_new(path)?;
    let written = content(&mut file)
        .and_then(|()| permissions.map_or(Ok(()), |it| file.set_permissions(it)))
        .and_then(|()| std::fs::rename(&partial, path));
    written.inspect_err(|_| drop(std::fs::remove_file(&partial)))
}

/// Creates a file whose name begins with `path`. Nobody else has created it, or can have guessed
/// it to be ours and put a link in its place.
pub fn create_new(path: &Path) -> std::io::Result<(PathBuf, File)> {
    let mut number = 0;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}-{number}.partial", std::process::id()));
        match File::options().write(true).create_new(true).open(&name) {
            Ok(file) => return Ok((name.into(), file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Refuses to write over what is being read.
pub fn refuse_input(input: &Path, output: &Path) -> Outcome {
    let same = match (std::fs::canonicalize(input), std::fs::canonicalize(output)) {
        (Ok(input), Ok(output)) => input == output,
        (_, _) => false,
    };
    if !same {
        return Ok(());
    }
    let message = format!("`{}` is the input itself; name another file with -o", output.display());
    Err(Failure::Usage(message))
}

fn cannot_write(path: &Path, error: std::io::Error) -> Failure {
    Failure::Message(format!("cannot write `{}`: {error}", path.display()))
}

pub fn print(text: &str) -> Outcome {
    print_bytes(text.as_bytes())
}

pub fn print_bytes(bytes: &[u8]) -> Outcome {
    print_content(&|out| out.write_all(bytes))
}

fn print_content(content: Content) -> Outcome {
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

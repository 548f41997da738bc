//! Results: files are written whole or not at all, and never over an input. Missing folders are
//! created.
use crate::draft::{Draft, copy_mode};
use crate::input::is_stream;
use crate::{Error, shown};
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

/// A file to write, or standard output. It differs from all inputs.
pub struct Output {
    path: PathBuf,
}

/// Writes the content of a file.
pub type Content<'c> = &'c dyn Fn(&mut dyn Write) -> Result<()>;

impl Output {
    /// The file at `path`. `-` and no path are standard output.
    ///
    /// # Errors
    /// `Error::IsInput`: it is one of the inputs, perhaps under another name.
    pub fn new(path: Option<&Path>, inputs: &[&Path]) -> std::result::Result<Output, Error> {
        let path = path.unwrap_or(Path::new("-")).to_path_buf();
        let is_input = |input: &&Path| !is_stream(input) && are_one_file(input, &path);
        match !is_stream(&path) && inputs.iter().any(is_input) {
            false => Ok(Output { path }),
            true => Err(Error::IsInput(path)),
        }
    }

    /// Writes a file.
    ///
    /// # Errors
    /// The file cannot be written. Then it is unchanged.
    pub fn write(&self, content: Content) -> std::result::Result<(), Error> {
        self.write_as(content, false)
    }

    /// Writes a text.
    ///
    /// # Errors
    /// As `write`.
    pub fn write_text(&self, text: &str) -> std::result::Result<(), Error> {
        self.write(&|out| out.write_all(text.as_bytes()))
    }

    /// Writes a file that can be executed.
    ///
    /// # Errors
    /// As `write`.
    pub fn write_executable(&self, bytes: &[u8]) -> std::result::Result<(), Error> {
        self.write_as(&|out| out.write_all(bytes), true)
    }

    fn write_as(&self, content: Content, is_executable: bool) -> std::result::Result<(), Error> {
        if is_stream(&self.path) {
            return print(content);
        }
        let written = write(&self.path, content, is_executable);
        let name = shown(&self.path);
        written.map_err(|error| Error::Failed(format!("cannot write `{name}`: {error}")))
    }
}

/// Writes texts with names and an extension to a folder: all of them, or none if one would be an
/// input.
///
/// # Errors
/// As `Output::new` and `Output::write`.
pub fn write_all(
    folder: &Path,
    inputs: &[&Path],
    texts: &[(String, String)],
    extension: &str,
) -> std::result::Result<(), Error> {
    let output = |(name, _): &(String, String)| {
        Output::new(Some(&folder.join(format!("{name}.{extension}"))), inputs)
    };
    let outputs: Vec<_> = texts.iter().map(output).collect::<std::result::Result<_, _>>()?;
    let name = shown(folder);
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::Failed(format!("cannot write `{name}`: {error}")))?;
    outputs.iter().zip(texts).try_for_each(|(output, (_, text))| output.write_text(text))
}

/// Writes to standard output.
///
/// # Errors
/// `Error::Closed`: it is a closed pipe. `Error::Failed`: it cannot be written to.
pub fn print(content: Content) -> std::result::Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match content(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Error::Closed),
        Err(error) => Err(Error::Failed(format!("cannot write to standard output: {error}"))),
    }
}

/// Whether both paths are names of one file. Devices and pipes do not count: writing to them
/// replaces nothing.
#[cfg(unix)]
fn are_one_file(input: &Path, output: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let file = |path: &Path| std::fs::metadata(path).ok().filter(Metadata::is_file);
    let [input, output] = [input, output].map(|path| file(path).map(|it| (it.dev(), it.ino())));
    input.is_some() && input == output
}

#[cfg(not(unix))]
fn are_one_file(input: &Path, output: &Path) -> bool {
    let [input, output] = [input, output].map(|path| std::fs::canonicalize(path).ok());
    input.is_some() && input == output
}

fn write(path: &Path, content: Content, is_executable: bool) -> Result<()> {
    match std::fs::metadata(path) {
        Ok(old) if old.is_file() => {
            check_writable(path)?;
            replace(&std::fs::canonicalize(path)?, content, is_executable, Some(&old))
        }
        // Devices and pipes are written to, never replaced. For a folder, opening fails.
        Ok(_) => File::options().write(true).open(path).and_then(|mut it| content(&mut it)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            replace(&end_of_links(path), content, is_executable, None)
        }
        Err(error) => Err(error),
    }
}

/// A file that is not writable is not replaced either. One that is being executed can be replaced.
fn check_writable(path: &Path) -> Result<()> {
    match File::options().write(true).open(path) {
        Err(error) if error.kind() != ErrorKind::ExecutableFileBusy => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The path at the end of a chain of links. No file has it yet.
fn end_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(to) = std::fs::read_link(&path) else { break };
        path = path.parent().map_or(to.clone(), |folder| folder.join(&to));
    }
    path
}

/// Operating systems follow at most this many links.
const MAX_LINKS: usize = 40;

fn replace(
    path: &Path,
    content: Content,
    is_executable: bool,
    old: Option<&Metadata>,
) -> Result<()> {
    let mode = match old {
        // Until the old file's mode is copied, only the owner may read the new one.
        Some(_) => 0o600,
        None if is_executable => 0o777,
        None => 0o666,
    };
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    let mut draft = Draft::new(path, mode)?;
    content(&mut draft.file)?;
    old.map_or(Ok(()), |old| copy_mode(&draft.file, old, is_executable))?;
    draft.publish(path)
}

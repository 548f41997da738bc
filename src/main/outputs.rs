//! Where results go: files are written as a whole or not at all, and never over what was read.
use crate::draft::{Draft, liken};
use crate::files::{Failure, Outcome, print_content, say};
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

/// A file to write, or standard output. There is no other way to write a file, and none of these
/// is an input.
pub struct Output {
    path: PathBuf,
}

/// What writes a file.
pub type Content<'c> = &'c dyn Fn(&mut dyn Write) -> Result<()>;

impl Output {
    /// The file at `path`; `-`, as no path at all, is standard output.
    ///
    /// # Errors
    /// It is one of the inputs, perhaps under another name.
    pub fn new(path: Option<&Path>, inputs: &[&Path]) -> std::result::Result<Output, Failure> {
        let path = path.unwrap_or(Path::new("-"));
        match inputs.iter().any(|input| are_one_file(input, path)) {
            false => Ok(Output { path: path.to_path_buf() }),
            true => {
                let name = path.display();
                let message = format!("`{name}` is the input itself; name another file with -o");
                Err(Failure::Usage(message))
            }
        }
    }

    pub fn write(&self, content: Content) -> Outcome {
        self.write_as(content, false)
    }

    pub fn write_text(&self, text: &str) -> Outcome {
        self.write(&|out| out.write_all(text.as_bytes()))
    }

    pub fn write_executable(&self, bytes: &[u8]) -> Outcome {
        self.write_as(&|out| out.write_all(bytes), true)
    }

    fn write_as(&self, content: Content, is_executable: bool) -> Outcome {
        if self.path == Path::new("-") {
            return print_content(content);
        }
        let written = write(&self.path, content, is_executable);
        written.map_err(|error| cannot_write(&self.path, error))
    }
}

/// Writes pictures and their names to a folder: all of them, or none if one would be written over
/// an input.
pub fn write_pictures(
    folder: &Path,
    inputs: &[&Path],
    pictures: &[(String, String)],
    kind: &str,
) -> Outcome {
    let output = |(name, _): &(String, String)| {
        Output::new(Some(&folder.join(format!("{name}.dot"))), inputs)
    };
    let outputs: Vec<_> = pictures.iter().map(output).collect::<std::result::Result<_, _>>()?;
    std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, error))?;
    for (output, (_, dot)) in outputs.iter().zip(pictures) {
        output.write_text(dot)?;
    }
    say(&format!("pictures of {} {kind}: {}\n", pictures.len(), folder.display()));
    Ok(())
}

/// Whether both paths lead to one file, whatever its names. Devices and pipes are not meant: they
/// are no less what they are when they have been written to.
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
        // Devices and pipes are written to, never replaced; a folder refuses that.
        Ok(_) => File::options().write(true).open(path).and_then(|mut it| content(&mut it)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            replace(&behind_links(path), content, is_executable, None)
        }
        Err(error) => Err(error),
    }
}

/// A file that must not be written to is not replaced either; one that is being executed can be.
fn check_writable(path: &Path) -> Result<()> {
    match File::options().write(true).open(path) {
        Err(error) if error.kind() != ErrorKind::ExecutableFileBusy => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The name that does not exist yet at the end of some links.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(to) = std::fs::read_link(&path) else { break };
        path = path.parent().map_or(to.clone(), |folder| folder.join(&to));
    }
    path
}

/// No system follows more.
const MOST_LINKS: usize = 40;

fn replace(
    path: &Path,
    content: Content,
    is_executable: bool,
    old: Option<&Metadata>,
) -> Result<()> {
    let mode = match old {
        // Nobody else sees more of it than of the old one, which is then its model.
        Some(_) => 0o600,
        None if is_executable => 0o777,
        None => 0o666,
    };
    let mut draft = Draft::new(path, mode)?;
    content(&mut draft.file)?;
    old.map_or(Ok(()), |old| liken(&draft.file, old, is_executable))?;
    draft.publish(path)
}

fn cannot_write(path: &Path, error: std::io::Error) -> Failure {
    Failure::Message(format!("cannot write `{}`: {error}", path.display()))
}

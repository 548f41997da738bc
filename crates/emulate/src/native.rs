//! Runs executables on the processor of this host, if it can execute IA-32 Linux programs.
use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// The observable behaviour of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Its text on standard output, if that was captured.
    pub output: String,
    /// Its text on standard error, if that was captured.
    pub errors: String,
    /// Its exit status; `None` if a signal ended it.
    pub status: Option<i32>,
}

/// A host that can execute IA-32 Linux programs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Host;

impl Host {
    /// This host, if it executes a tiny IA-32 program correctly.
    pub fn detect() -> Option<Host> {
        let probe: Vec<u8> = PROBE.iter().flat_map(|word| word.to_le_bytes()).collect();
        let output = Host.run_with(&probe, &[], Stdio::null(), Stdio::null());
        output.is_ok_and(|it| it.status == Some(42)).then_some(Host)
    }

    /// Runs an executable with the words `arguments` after its name and captures its output.
    ///
    /// # Errors
    /// If the file cannot be written to the folder for temporary files, or not be executed.
    pub fn run(&self, file: &[u8], arguments: &[String]) -> Result<Output, Error> {
        self.run_with(file, arguments, Stdio::piped(), Stdio::piped())
    }

    /// Like [`Host::run`], but returns the output as bytes.
    ///
    /// # Errors
    /// As [`Host::run`].
    pub fn output(&self, file: &[u8], arguments: &[String]) -> Result<process::Output, Error> {
        execute(file, arguments, Stdio::piped(), Stdio::piped())
    }

    /// Like [`Host::run`], with given files for standard output and standard error.
    ///
    /// # Errors
    /// As [`Host::run`].
    pub fn run_with(
        &self,
        file: &[u8],
        arguments: &[String],
        output: Stdio,
        errors: Stdio,
    ) -> Result<Output, Error> {
        let done = execute(file, arguments, output, errors)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (output, errors) = (text(&done.stdout), text(&done.stderr));
        Ok(Output { output, errors, status: done.status.code() })
    }
}

fn execute(
    file: &[u8],
    arguments: &[String],
    output: Stdio,
    errors: Stdio,
) -> Result<process::Output, Error> {
    let file = TemporaryFile::new(file)?;
    let mut command = Command::new(&file.path);
    command.args(arguments).stdin(Stdio::null()).stdout(output).stderr(errors);
    output_when_closed(&mut command)
}

/// Linux does not execute a file that is open for writing. A process that another thread starts
/// inherits the open file until it executes its own program. So an attempt may fail and is
/// repeated.
fn output_when_closed(command: &mut Command) -> Result<process::Output, Error> {
    for _ in 0..MAX_RETRIES {
        match command.output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                sleep(Duration::from_millis(2));
            }
            done => return done,
        }
    }
    command.output()
}

const MAX_RETRIES: u32 = 5000;

/// An executable file that is removed when the value is dropped.
struct TemporaryFile {
    path: PathBuf,
}

impl TemporaryFile {
    fn new(content: &[u8]) -> Result<TemporaryFile, Error> {
        let (path, mut file) = create()?;
        let created = TemporaryFile { path };
        file.write_all(content)?;
        make_executable(&created.path)?;
        Ok(created)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // A remaining file is harmless: names are never used twice.
        let _ = fs::remove_file(&self.path);
    }
}

/// A file that did not exist before.
fn create() -> Result<(PathBuf, File), Error> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("emulate-{}-{number}", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            file => return Ok((path, file?)),
        }
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), Error> {
    Ok(())
}

/// A program that does not depend on the rest of this crate: file header, program header,
/// `mov ebx,42; mov eax,1; int 0x80`.
const PROBE: [u32; 24] = [
    0x464c_457f,
    0x0001_0101,
    0,
    0,
    0x0003_0002,
    1,
    0x0804_8054,
    52,
    0,
    0,
    0x0020_0034,
    1,
    0,
    1,
    0,
    0x0804_8000,
    0,
    96,
    96,
    5,
    4096,
    0x0000_2abb,
    0x0001_b800,
    0x80cd_0000,
];

//! Services of Linux: files without a name, files in memory, signals.
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, open};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{execv, linkat};
use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{ErrorKind, Result};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A write that exceeds the limit of a file's size fails, instead of ending the process.
pub fn outlive_limits() {
    handle(Signal::SIGXFSZ);
}

/// Installs an empty handler. In a program that replaces this one, an ignored signal stays ignored,
/// but a handled one has its default effect.
fn handle(signal: Signal) {
    // Without a handler the process ends, which is the default.
    let _ = signal_hook::flag::register(signal as i32, std::sync::Arc::default());
}

/// A file without a name: the system deletes it when no process has it open.
///
/// # Errors
/// The folder's file system does not support them.
pub fn unnamed_file(folder: &Path, mode: u32) -> Result<File> {
    let flags = OFlag::O_TMPFILE | OFlag::O_WRONLY | OFlag::O_CLOEXEC;
    let file: File = open(folder, flags, Mode::from_bits_truncate(mode))?.into();
    // Without this path it cannot get a name.
    std::fs::metadata(path_of(&file)).map(|_| file)
}

/// Gives a nameless file a new name.
pub fn give_name(file: &File, name: &Path) -> Result<()> {
    let follow = AtFlags::AT_SYMLINK_FOLLOW;
    Ok(linkat(AT_FDCWD, &path_of(file), AT_FDCWD, name, follow)?)
}

/// The name of files in memory.
const IN_MEMORY: &str = "host-run";

/// A file in memory, and its path. Other processes can use the path while this process has the file
/// open.
pub fn file_in_memory() -> Result<(File, PathBuf)> {
    let file: File = memfd_create(IN_MEMORY, MFdFlags::MFD_CLOEXEC)?.into();
    let path = path_of(&file);
    Ok((file, path))
}

fn path_of(file: &File) -> PathBuf {
    format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()).into()
}

/// Replaces this process by the program in a file in memory. The kernel ends it when its parent
/// ends. Returns only if the file cannot be executed. Then the file is emptied, since an exit
/// status could be one of the program's own.
///
/// # Errors
/// The file was not created by `file_in_memory`.
pub fn become_program(path: &Path, arguments: &[OsString]) -> Result<()> {
    let target = std::fs::read_link(path)?;
    if !target.to_string_lossy().starts_with(&format!("/memfd:{IN_MEMORY} ")) {
        return Err(ErrorKind::InvalidInput.into());
    }
    set_pdeathsig(Signal::SIGKILL)?;
    // Rust ignores it, but a program must end when its output pipe is closed.
    handle(Signal::SIGPIPE);
    let mut words = vec![CString::new(path.as_os_str().as_bytes())?];
    for argument in arguments {
        words.push(CString::new(argument.as_bytes())?);
    }
    match execv(&words[0], &words) {
        Ok(never) => match never {},
        Err(_) => File::create(path).map(drop),
    }
}

/// The time for which processors have executed this thread. Other programs on the machine change it
/// little.
pub fn thread_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

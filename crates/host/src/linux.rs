//! Services of Linux: files without a name, files in memory, signals.
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, open};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::{execv, linkat};
use std::ffi::CString;
use std::fs::File;
use std::io::{ErrorKind, Result};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Lets writing fail where a file would grow beyond its limit, instead of ending the process.
pub fn outlive_limits() {
    handle(Signal::SIGXFSZ);
}

/// Handles a signal by doing nothing. In a program that replaces this one, an ignored signal stays
/// ignored, and a handled one has its usual effect.
fn handle(signal: Signal) {
    // Without a handler the process ends, as all others do.
    let _ = signal_hook::flag::register(signal as i32, std::sync::Arc::default());
}

/// A file without a name: it is gone when no process has it open.
///
/// # Errors
/// There are none in this folder.
pub fn unnamed_file(folder: &Path, mode: u32) -> Result<File> {
    let flags = OFlag::O_TMPFILE | OFlag::O_WRONLY | OFlag::O_CLOEXEC;
    let file: File = open(folder, flags, Mode::from_bits_truncate(mode))?.into();
    // Without this path it could not be given a name.
    std::fs::metadata(path_of(&file)).map(|_| file)
}

/// Gives a file without a name one that no other file has.
pub fn give_name(file: &File, name: &Path) -> Result<()> {
    let follow = AtFlags::AT_SYMLINK_FOLLOW;
    Ok(linkat(AT_FDCWD, &path_of(file), AT_FDCWD, name, follow)?)
}

/// The name of files in memory.
const IN_MEMORY: &str = "host-run";

/// A file in memory, and its path for other processes as long as this one has it open.
pub fn file_in_memory() -> Result<(File, PathBuf)> {
    let file: File = memfd_create(IN_MEMORY, MFdFlags::MFD_CLOEXEC)?.into();
    let path = path_of(&file);
    Ok((file, path))
}

fn path_of(file: &File) -> PathBuf {
    format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()).into()
}

/// This process becomes the program in a file in memory. The kernel ends it when its parent ends.
/// Returns only if the file cannot be executed. Then the file is empty: an exit status could be one
/// of the program's own.
///
/// # Errors
/// The file is none of `file_in_memory`.
pub fn become_program(path: &Path, argument: &str) -> Result<()> {
    let target = std::fs::read_link(path)?;
    if !target.to_string_lossy().starts_with(&format!("/memfd:{IN_MEMORY} ")) {
        return Err(ErrorKind::InvalidInput.into());
    }
    set_pdeathsig(Signal::SIGKILL)?;
    // Rust ignores it; but a program is to end when nobody reads what it prints.
    handle(Signal::SIGPIPE);
    let words = [CString::new(path.as_os_str().as_bytes())?, CString::new(argument)?];
    match execv(&words[0], &words) {
        Ok(never) => match never {},
        Err(_) => File::create(path).map(drop),
    }
}

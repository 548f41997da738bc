//! Replacements on systems without the services of Linux.
use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

pub fn outlive_limits() {}

pub fn unnamed_file(_: &Path, _: u32) -> Result<File> {
    Err(ErrorKind::Unsupported.into())
}

pub fn give_name(_: &File, _: &Path) -> Result<()> {
    Err(ErrorKind::Unsupported.into())
}

pub fn file_in_memory() -> Result<(File, PathBuf)> {
    Err(ErrorKind::Unsupported.into())
}

pub fn become_program(_: &Path, _: &[OsString]) -> Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// The time since the first call.
pub fn thread_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

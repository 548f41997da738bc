//! A file that is being written. It gets its name when it is complete.
//!
//! Until then it has no name, if the system supports that: no file remains if the process ends
//! early. On other systems it has a temporary name in the same folder, and is removed on an error.
use crate::system;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

pub struct Draft {
    pub file: File,
    folder: PathBuf,
    /// Its temporary name.
    name: Option<PathBuf>,
}

impl Draft {
    /// Creates a file for `path` with this mode, as far as the user's mask permits.
    pub fn new(path: &Path, mode: u32) -> Result<Draft> {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_path_buf();
        if let Ok(file) = system::unnamed_file(&folder, mode) {
            return Ok(Draft { file, folder, name: None });
        }
        let mut options = File::options();
        options.write(true).create_new(true);
        with_mode(&mut options, mode);
        let (name, file) = find_name(&folder, |name| options.open(name))?;
        Ok(Draft { file, folder, name: Some(name) })
    }

    /// Gives the file its name. Only renaming can replace an old file.
    pub fn publish(mut self, path: &Path) -> Result<()> {
        let name = match self.name.take() {
            Some(name) => name,
            None => match system::give_name(&self.file, path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    find_name(&self.folder, |name| system::give_name(&self.file, name))?.0
                }
                done => return done,
            },
        };
        let name = self.name.insert(name);
        std::fs::rename(name, path)?;
        self.name = None;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        self.name.iter().for_each(|name| drop(std::fs::remove_file(name)));
    }
}

/// Creates a file under a new short name in the folder.
fn find_name<T>(folder: &Path, make: impl Fn(&Path) -> Result<T>) -> Result<(PathBuf, T)> {
    let mut number = 0;
    loop {
        let name = folder.join(format!(".sonc-{}-{number}", std::process::id()));
        match make(&name) {
            Ok(made) => return Ok((name, made)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

#[cfg(unix)]
fn with_mode(options: &mut OpenOptions, mode: u32) {
    std::os::unix::fs::OpenOptionsExt::mode(options, mode);
}

#[cfg(not(unix))]
fn with_mode(_: &mut OpenOptions, _: u32) {}

/// Copies owner and mode of `old`. Every reader of an executable may execute it.
#[cfg(unix)]
pub fn copy_mode(file: &File, old: &Metadata, is_executable: bool) -> Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Most users may not change the owner.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    let readers = old.mode() & 0o444;
    let mode = old.mode() & 0o777 | if is_executable { readers >> 2 } else { 0 };
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub fn copy_mode(_: &File, _: &Metadata, _: bool) -> Result<()> {
    Ok(())
}

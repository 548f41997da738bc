//! The folders of a grading: copies of the programs that checks name, and of submitted compilers.
use super::edition::Chapter;
use super::grading::Subject;
use crate::tree::{below, list, walk};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A copy of a chapter's cases and of the programs beside its solutions, without the answers of the
/// book: they must not stand for those of a student.
pub struct Work {
    /// The folder of the commands; `../cases` has the cases.
    pub folder: PathBuf,
}

impl Work {
    /// Copies the programs to a folder in `target`; `name` distinguishes it from others.
    ///
    /// # Errors
    /// A file that cannot be copied.
    pub fn new(root: &Path, chapter: &Chapter, name: &str) -> Result<Work, String> {
        let top = root.join(format!("target/chapters/{name}/{:02}", chapter.number));
        let folder = top.join("work");
        let make = || -> io::Result<()> {
            if top.exists() {
                fs::remove_dir_all(&top)?;
            }
            copy_all(&root.join(&chapter.folder).join("cases"), &top.join("cases"))?;
            copy_all(&root.join(&chapter.folder).join("solutions"), &folder)?;
            for graded in &chapter.graded {
                let Subject::Answers(files) = &graded.subject else { continue };
                for path in files.iter().map(|it| folder.join(it)).filter(|it| it.exists()) {
                    fs::remove_file(path)?;
                }
            }
            Ok(())
        };
        make().map_err(|err| format!("{}: {err}", top.display()))?;
        Ok(Work { folder })
    }

    /// Adds an answer.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn put(&self, file: &str, text: &[u8]) -> Result<(), String> {
        fs::write(self.folder.join(file), text).map_err(|err| format!("answers/{file}: {err}"))
    }
}

/// The folder of the copies of submitted compilers.
pub fn submissions(root: &Path) -> PathBuf {
    root.join("target/chapters/graded/submitted")
}

/// Copies a folder anew. Cargo compares times, and all files are newer than every earlier build,
/// even one of another student. Builds and symbolic links are left out.
///
/// # Errors
/// A file that cannot be read or written.
pub fn copy_tree(from: &Path, to: &Path) -> Result<(), String> {
    if to.exists() {
        fs::remove_dir_all(to).map_err(|err| format!("{}: {err}", to.display()))?;
    }
    update_tree(from, to)
}

/// Makes a copy equal to a folder again. Only files that differ are written, so libraries that
/// no student has changed are not built again.
///
/// # Errors
/// A file that cannot be read or written.
pub fn update_tree(from: &Path, to: &Path) -> Result<(), String> {
    let update = || -> io::Result<()> {
        let paths = files(from)?;
        for old in walk(to).into_iter().filter(|it| !paths.contains(&below(to, it))) {
            fs::remove_file(old)?;
        }
        for path in paths {
            let (bytes, copy) = (fs::read(from.join(&path))?, to.join(&path));
            if fs::read(&copy).is_ok_and(|it| it == bytes) {
                continue;
            }
            fs::create_dir_all(copy.parent().unwrap_or(to))?;
            fs::write(copy, bytes)?;
        }
        Ok(())
    };
    update().map_err(|err| format!("{}: {err}", from.display()))
}

/// The paths of the files below a folder, without those of builds in it.
fn files(top: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let (mut found, mut pending) = (BTreeSet::new(), vec![PathBuf::new()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(top.join(&folder))? {
            let entry = entry?;
            let (path, kind) = (folder.join(entry.file_name()), entry.file_type()?);
            if kind.is_dir() && path != Path::new("target") {
                pending.push(path);
            } else if kind.is_file() {
                found.insert(path);
            }
        }
    }
    Ok(found)
}

/// Copies the files of a folder, without the folders in it.
fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for path in list(from).into_iter().filter(|it| it.is_file()) {
        fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_new_and_has_no_builds() {
        let top = std::env::temp_dir().join(format!("bookbinder-copy-{}", std::process::id()));
        let (from, to) = (top.join("from"), top.join("to"));
        for folder in ["src/a", "src/target", "target/debug"] {
            fs::create_dir_all(from.join(folder)).expect("a new folder");
        }
        for file in ["src/a/b.rs", "src/target/mod.rs", "target/debug/c", "target.rs"] {
            fs::write(from.join(file), file).expect("a new file");
        }
        copy_tree(&from, &to).expect("a copy");
        fs::remove_file(from.join("src/a/b.rs")).expect("a file");
        for file in ["src/a/b.rs", "src/target/mod.rs", "target.rs"] {
            assert!(to.join(file).is_file(), "{file}");
        }
        assert!(!to.join("target").exists());
        let changed = |path: &str| to.join(path).metadata().and_then(|it| it.modified()).ok();
        let time = changed("target.rs");
        update_tree(&from, &to).expect("another copy");
        assert_eq!(changed("target.rs"), time, "equal files stay");
        assert!(!to.join("src/a/b.rs").exists(), "nothing of an earlier copy is left");
        fs::write(from.join("target.rs"), "changed").expect("a file");
        update_tree(&from, &to).expect("a third copy");
        assert_eq!(fs::read(to.join("target.rs")).expect("a file"), b"changed");
        copy_tree(&from, &to).expect("a new copy");
        assert!(changed("target.rs") > time);
        assert!(copy_tree(&top.join("none"), &to).is_err());
        fs::remove_dir_all(top).expect("it can be removed");
    }
}

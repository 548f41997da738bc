//! The folder in which the commands of checks run: copies of the programs that they name.
use super::edition::Chapter;
use super::grading::Subject;
use crate::tree::list;
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

/// Copies the files of a folder, without the folders in it.
fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for path in list(from).into_iter().filter(|it| it.is_file()) {
        fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

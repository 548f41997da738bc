//! Which chapters have changed since the last commit on main: their unit tests have to run again.
//!
//! The commit is, in this order: the one that `CHAPTER_BASE` names; where this branch left
//! `origin/main` or `main`; on main itself, with nothing changed, the commit before the last one.
//! A clone that has none of them, as a shallow one may, counts every chapter as changed.
use bookbinder::eject::texts;
use bookbinder::tree::Files;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The state of the source that the chapters are compared with.
pub enum Base {
    None,
    /// The commit, and a folder with its files.
    Commit(String, std::path::PathBuf),
}

impl Base {
    /// Writes the files of the commit to `target/chapters/base`.
    pub fn find(root: &Path) -> Base {
        let Some(commit) = commit(root) else { return Base::None };
        let folder = root.join("target/chapters/base");
        match write(root, &commit, &folder) {
            Some(()) => Base::Commit(commit, folder),
            None => Base::None,
        }
    }

    pub fn title(&self) -> String {
        match self {
            Base::None => {
                "there is no commit to compare with: every chapter counts as changed".into()
            }
            Base::Commit(commit, _) => format!("changed: since {}", commit.get(..10).unwrap_or("")),
        }
    }

    /// Whether the crate of a chapter differs from the one of the commit. Programs and graphs do
    /// not count: every chapter's compiler is tried on all of them anyway.
    pub fn differs(&self, root: &Path, chapter: u32) -> bool {
        let Base::Commit(_, folder) = self else { return true };
        let code = |root: &Path| -> Option<Files> {
            let mut files = texts(root, chapter).ok()?;
            files.retain(|path, _| !path.starts_with("chapters"));
            Some(files)
        };
        let (now, then) = (code(root), code(folder));
        now.is_none() || now != then
    }
}

fn commit(root: &Path) -> Option<String> {
    if let Some(named) = env::var("CHAPTER_BASE").ok().filter(|it| !it.is_empty()) {
        return resolve(root, &named);
    }
    let head = resolve(root, "HEAD")?;
    let main = ["origin/main", "main"].iter().find_map(|it| resolve(root, it))?;
    let base = git(root, &["merge-base", &head, &main], None)?;
    if base != head || !git(root, &["status", "--porcelain"], None)?.is_empty() {
        return Some(base);
    }
    resolve(root, "HEAD^")
}

fn resolve(root: &Path, name: &str) -> Option<String> {
    git(root, &["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")], None)
}

/// Through an index of its own, so that nobody's work is touched.
fn write(root: &Path, commit: &str, folder: &Path) -> Option<()> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).ok()?;
    let index = folder.join(".index");
    let prefix = format!("--prefix={}/", folder.to_str()?);
    git(root, &["read-tree", commit], Some(&index))?;
    git(root, &["checkout-index", "--all", "--force", &prefix], Some(&index)).map(drop)
}

/// What git prints, without the last line end; `None` if it fails.
fn git(root: &Path, words: &[&str], index: Option<&Path>) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).args(words);
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command.output().ok().filter(|it| it.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim_end().to_string())
}

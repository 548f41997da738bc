//! Finds the chapters that changed since the last commit on main: their unit tests must run again.
//!
//! The commit is, in this order: `CHAPTER_BASE`; the point where this branch left `origin/main` or
//! `main`; on main itself, without changes, the commit before the last one. If git has none of
//! them, as in a shallow clone, every chapter counts as changed.
use bookbinder::export_crate::texts;
use bookbinder::tree::Files;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The source to compare the chapters with.
pub enum Base {
    None,
    /// The commit, and a folder with its files.
    Commit(String, std::path::PathBuf),
}

impl Base {
    /// Writes the files of the commit to `target/chapters/base`.
    pub fn find(root: &Path) -> Base {
        Base::named(root, env::var("CHAPTER_BASE").ok().filter(|it| !it.is_empty()))
    }

    fn named(root: &Path, name: Option<String>) -> Base {
        let found = name.map_or_else(|| before(root), |name| resolve(root, &name));
        let Some(commit) = found else { return Base::None };
        let folder = root.join("target/chapters/base");
        match check_out(root, &commit, &folder) {
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

    /// Whether the crate of a chapter differs from that of the commit. Programs and graphs do not
    /// count: every chapter's compiler is tested with all of them anyway.
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

/// The default commit.
fn before(root: &Path) -> Option<String> {
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

/// Uses a separate index, so the user's work does not change.
fn check_out(root: &Path, commit: &str, folder: &Path) -> Option<()> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).ok()?;
    let index = folder.join(".index");
    let prefix = format!("--prefix={}/", folder.to_str()?);
    git(root, &["read-tree", commit], Some(&index))?;
    git(root, &["checkout-index", "--all", "--force", &prefix], Some(&index)).map(drop)
}

/// The output of git without the final line break; `None` if it fails.
fn git(root: &Path, words: &[&str], index: Option<&Path>) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).args(words);
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command.output().ok().filter(|it| it.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim_end().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// A repository with one commit in which chapter 2 has its own statement.
    fn repository(name: &str) -> PathBuf {
        let root = env::temp_dir().join(format!("bookbinder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        write(&root, "Cargo.toml", "[package]\nname = \"sonc\"\n");
        write(&root, ".gitignore", "/target\n");
        write(&root, "src/lib.rs", &lib("a", "b"));
        write(&root, "chapters/01-a/cases/a.smp", "return 1;\n");
        run(&root, &["init", "--quiet", "--initial-branch", "main"]);
        commit_all(&root);
        root
    }

    fn lib(first: &str, second: &str) -> String {
        let tag = "#[cfg(feature = \"ch02\")]";
        format!("//! L.\nfn f() {{\n    {first}();\n    {tag}\n    {second}();\n}}\n")
    }

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        fs::write(path, text).expect("a new file");
    }

    fn run(root: &Path, words: &[&str]) {
        let name = ["-c", "user.name=a", "-c", "user.email=a@b"];
        git(root, &[&name[..], words].concat(), None).expect("git");
    }

    fn commit_all(root: &Path) {
        run(root, &["add", "--all"]);
        run(root, &["commit", "--quiet", "--message", "x"]);
    }

    fn changed(root: &Path) -> [bool; 2] {
        let base = Base::named(root, None);
        [1, 2].map(|it| base.differs(root, it))
    }

    #[test]
    fn without_a_base_everything_counts_as_changed() {
        let root = repository("first");
        assert_eq!(changed(&root), [true, true]);
        fs::remove_dir_all(root).expect("the repository can be removed");
    }

    #[test]
    fn on_main_the_base_is_the_commit_before_the_last_one() {
        let root = repository("main");
        write(&root, "src/lib.rs", &lib("a", "c"));
        assert_eq!(changed(&root), [false, true], "uncommitted changes");
        commit_all(&root);
        assert_eq!(changed(&root), [false, true]);
        write(&root, "chapters/01-a/cases/a.smp", "return 2;\n");
        commit_all(&root);
        assert_eq!(changed(&root), [false, false], "a program is no part of the compiler");
        let named = Base::named(&root, Some("HEAD^^".to_string()));
        assert_eq!([1, 2].map(|it| named.differs(&root, it)), [false, true]);
        assert!(Base::named(&root, Some("none".to_string())).differs(&root, 1));
        fs::remove_dir_all(root).expect("the repository can be removed");
    }

    #[test]
    fn on_a_branch_the_base_is_where_it_left_main() {
        let root = repository("branch");
        run(&root, &["checkout", "--quiet", "-b", "b"]);
        write(&root, "src/lib.rs", &lib("a", "c"));
        commit_all(&root);
        write(&root, "docs/a.md", "a\n");
        commit_all(&root);
        assert_eq!(changed(&root), [false, true]);
        fs::remove_dir_all(root).expect("the repository can be removed");
    }
}

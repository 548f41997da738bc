//! The solutions of the exercises, in `solutions/README.md` beside the text of a chapter.
//!
//! Its `console` fences are replayed with the chapter's compiler, in the folder `solutions`. An
//! exercise that changes the compiler is solved by a patch of the printed crate beside it. All
//! patches of a chapter are applied together, and the compiler with these changes replays the
//! `console changed` fences.
use crate::build::{self, Build};
use bookbinder::console;
use bookbinder::export_crate::{self, Print};
use bookbinder::tree::{below, list};
use bookbinder::weave::{Fence, Filling, weave};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// These compilers run a few commands; to optimize them takes longer.
const NOT_OPTIMIZED: &str = "profile.dev.package.sonc.opt-level=0";

/// The solutions of one chapter.
pub struct Solutions<'a> {
    root: &'a Path,
    chapter: u32,
    folder: PathBuf,
    text: String,
}

impl Solutions<'_> {
    /// `None` if the chapter has no solutions.
    pub fn of<'a>(root: &'a Path, chapter: u32, text: &Path) -> Option<Solutions<'a>> {
        let folder = root.join(text).join("solutions");
        let text = fs::read_to_string(folder.join("README.md")).ok()?;
        Some(Solutions { root, chapter, folder, text })
    }

    /// The compiler with all patches; `None` if there are none.
    pub fn changed_compiler(&self, tags: &Build) -> Result<Option<PathBuf>, String> {
        let patches: Vec<PathBuf> =
            list(&self.folder).into_iter().filter(|it| is_patch(it)).collect();
        if patches.is_empty() {
            return Ok(None);
        }
        let print = Print { folder: "target/chapters/solved", ..Print::new(self.chapter) };
        let solved = export_crate::export(self.root, print)?.folder;
        for patch in &patches {
            self.apply(patch, &solved)?;
        }
        let changed = tags.crate_in(&solved);
        changed.strict("build", &["--bin", "sonc", "--config", NOT_OPTIMIZED])?;
        changed.keep(&format!("solved-{:02}", self.chapter)).map(Some)
    }

    fn apply(&self, patch: &Path, solved: &Path) -> Result<(), String> {
        let mut git = Command::new("git");
        git.current_dir(self.root).args(["apply", "-C1", "--directory"]);
        git.arg(below(self.root, solved)).arg(patch);
        let patch = below(self.root, patch);
        build::run(&mut git).map(drop).map_err(|reason| format!("{}: {reason}", patch.display()))
    }

    /// Replays the commands, and compares. Returns their number.
    pub fn check(&self, compiler: &Path, changed: Option<&Path>) -> Result<usize, String> {
        let path = self.folder.join("README.md");
        let name = below(self.root, &path).display().to_string();
        let woven = weave(&self.text, |fence| self.filling(compiler, changed, fence));
        let woven = woven.map_err(|reasons| format!("{name}: {}", reasons.join("\n")))?;
        if woven != self.text {
            if env::var_os("UPDATE_EXPECT").is_none() {
                return Err(format!("{name}: {}", first_difference(&self.text, &woven)));
            }
            fs::write(&path, &woven).map_err(|err| format!("{name}: {err}"))?;
        }
        Ok(woven.lines().filter(|it| it.starts_with("$ sonc")).count())
    }

    fn filling(&self, compiler: &Path, changed: Option<&Path>, fence: &Fence) -> Filling {
        match (fence.info, changed) {
            ("console", _) => console::replay(compiler, &self.folder, &fence.body),
            ("console changed", None) => Some(Err("there is no patch".to_string())),
            ("console changed", Some(changed)) => {
                console::replay(changed, &self.folder, &fence.body)
            }
            _ => fence.info.strip_prefix("simple ").map(|path| {
                fs::read_to_string(self.folder.join(path)).map_err(|err| format!("{path}: {err}"))
            }),
        }
    }
}

fn is_patch(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "patch")
}

/// The first line in which two texts differ.
fn first_difference(expected: &str, found: &str) -> String {
    let at = expected.lines().zip(found.lines()).take_while(|(one, other)| one == other).count();
    let [expected, found] = [expected, found].map(|text| text.lines().nth(at).unwrap_or("(end)"));
    format!("line {}: expected `{expected}`, found `{found}`", at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chapter whose solutions run `cat` instead of a compiler.
    fn folder(name: &str, text: &str) -> PathBuf {
        let root = env::temp_dir().join(format!("bookbinder-{name}-{}", std::process::id()));
        let folder = root.join("chapters/01-a/solutions");
        fs::create_dir_all(&folder).expect("a new folder");
        fs::write(folder.join("README.md"), text).expect("a new file");
        fs::write(folder.join("a.smp"), "return 1;\n").expect("a new file");
        root
    }

    fn check(root: &Path, changed: Option<&Path>) -> Result<usize, String> {
        let solutions = Solutions::of(root, 1, Path::new("chapters/01-a")).expect("a text");
        solutions.check(Path::new("cat"), changed)
    }

    #[cfg(unix)]
    #[test]
    fn commands_must_print_their_outputs() {
        let text = "1. A\n\n```console\n$ sonc a.smp\nreturn 1;\n```\n";
        let root = folder("solved", text);
        assert_eq!(check(&root, None), Ok(1));
        let wrong = text.replace("return 1;", "return 2;");
        fs::write(root.join("chapters/01-a/solutions/README.md"), wrong).expect("a file");
        let error = check(&root, None).expect_err("another output");
        assert!(error.contains("expected `return 2;`, found `return 1;`"), "{error}");
        fs::remove_dir_all(root).expect("it can be removed");
    }

    #[cfg(unix)]
    #[test]
    fn a_changed_compiler_needs_a_patch() {
        let root = folder("changed", "```console changed\n$ sonc a.smp\nreturn 1;\n```\n");
        let error = check(&root, None).expect_err("no patch");
        assert!(error.contains("there is no patch"), "{error}");
        assert_eq!(check(&root, Some(Path::new("cat"))), Ok(1));
        fs::remove_dir_all(root).expect("it can be removed");
    }
}

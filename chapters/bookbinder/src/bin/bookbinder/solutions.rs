//! The solutions of the exercises, in `solutions/README.md` beside the text of a chapter.
//!
//! Every exercise has a solution with commands that show that it works. `console` fences are
//! replayed with the chapter's compiler, in the folder `solutions`, and `console shell` fences in a
//! shell. An exercise that changes the compiler is solved by a patch of the printed crate beside
//! it: the compiler with the changes of `NAME.patch` replays the `console changed NAME` fences, and
//! that with all patches that no fence names replays the `console changed` fences.
use crate::build::{self, Build};
use crate::shell;
use bookbinder::course::edition::Chapter;
use bookbinder::course::exercise::{Exercises, item};
use bookbinder::course::grading::{Graded, Outcome, Subject};
use bookbinder::course::work::Work;
use bookbinder::export_crate::{self, Print};
use bookbinder::tree::{below, list};
use bookbinder::weave::{Fence, Filling, weave};
use bookbinder::{console, current};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The solutions of one chapter.
pub struct Solutions<'a> {
    root: &'a Path,
    chapter: u32,
    folder: PathBuf,
    text: String,
    /// The numbers of the exercises.
    exercises: Vec<u32>,
}

/// The compilers with changes, by the names of the patches; "" has those that no fence names.
type Changed = BTreeMap<String, PathBuf>;

impl Solutions<'_> {
    /// `None` if the chapter has no exercises.
    pub fn of<'a>(root: &'a Path, chapter: u32, text: &Path) -> Option<Solutions<'a>> {
        let lesson = fs::read_to_string(root.join(text).join("README.md")).unwrap_or_default();
        let exercises = Exercises::of(&lesson).numbers();
        if exercises.is_empty() {
            return None;
        }
        let folder = root.join(text).join("solutions");
        let text = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        Some(Solutions { root, chapter, folder, text, exercises })
    }

    /// Builds the compilers that the fences name.
    pub fn changed_compilers(&self, tags: &Build) -> Result<Changed, String> {
        let fences = self.text.lines().filter_map(|it| it.strip_prefix("```console changed"));
        let names: BTreeSet<&str> = fences.map(str::trim).collect();
        let compiler = |name: &&str| Ok((name.to_string(), self.changed(tags, name, &names)?));
        names.iter().map(compiler).collect()
    }

    fn changed(&self, tags: &Build, name: &str, names: &BTreeSet<&str>) -> Result<PathBuf, String> {
        let print = Print { folder: "target/chapters/solved", ..Print::new(self.chapter) };
        let solved = export_crate::export(self.root, print)?.folder;
        let patches = list(&self.folder).into_iter().filter(|it| is_patch(it));
        let stem = |it: &Path| it.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let patches: Vec<PathBuf> = match name {
            "" => patches.filter(|it| !names.contains(&*stem(it))).collect(),
            _ => patches.filter(|it| stem(it) == name).collect(),
        };
        if patches.is_empty() {
            return Err(format!("{}: there is no patch `{name}`", self.folder.display()));
        }
        for patch in &patches {
            self.apply(patch, &solved)?;
        }
        let changed = tags.crate_in(&solved);
        let kept = format!("solved-{:02} {name}", self.chapter).replace(' ', "-");
        changed.compiler(kept.trim_end_matches('-'))
    }

    fn apply(&self, patch: &Path, solved: &Path) -> Result<(), String> {
        let mut git = Command::new("git");
        git.current_dir(self.root).args(["apply", "-C1", "--directory"]);
        git.arg(below(self.root, solved)).arg(patch);
        let patch = below(self.root, patch);
        build::run(&mut git).map(drop).map_err(|reason| format!("{}: {reason}", patch.display()))
    }

    /// Replays the commands, and compares. Returns their number.
    pub fn check(&self, tags: &Build, compiler: &Path, changed: &Changed) -> Result<usize, String> {
        let path = self.folder.join("README.md");
        let name = below(self.root, &path).display().to_string();
        let solved = solved(&self.text);
        if let Some(left) = self.exercises.iter().find(|it| !solved.contains(it)) {
            return Err(format!("{name}: no command shows that a solution of {left} works"));
        }
        let fill = |fence: &Fence| self.filling(tags, compiler, changed, fence);
        let woven = weave(&self.text, fill);
        let woven = woven.map_err(|reasons| format!("{name}: {}", reasons.join("\n")))?;
        current::check(self.root, &path, &woven)?;
        let read = Chapter::read(self.root, self.chapter)?;
        let graded = read.graded.iter().map(|it| self.check_grading(&read, it, compiler, changed));
        graded.collect::<Result<(), String>>().map_err(|reason| format!("{name}: {reason}"))?;
        Ok(woven.lines().filter(|it| it.starts_with("$ ")).count())
    }

    /// Makes the checks of an exercise. The solution of the book has to pass all of them, and one
    /// that does nothing must not.
    fn check_grading(
        &self,
        chapter: &Chapter,
        graded: &Graded,
        compiler: &Path,
        changed: &Changed,
    ) -> Result<(), String> {
        let checks = graded.checks(self.root, self.chapter)?;
        let (solved, unsolved) = match &graded.subject {
            Subject::Compiler => {
                let patch = chapter.patch(graded.number).unwrap_or_default();
                let solved = changed.get(patch).ok_or(format!("`{patch}` is not built"))?;
                let outcome = Outcome::of(&checks, solved, &self.folder);
                (outcome, Outcome::of(&checks, compiler, &self.folder))
            }
            Subject::Answers(files) => {
                let work = Work::new(self.root, chapter, "unsolved")?;
                for file in files {
                    work.put(file, b"return 0;\n")?;
                }
                let outcome = Outcome::of(&checks, compiler, &self.folder);
                (outcome, Outcome::of(&checks, compiler, &work.folder))
            }
        };
        let number = graded.number;
        match () {
            () if solved.passed < solved.checks => {
                Err(format!("the solution of {number} fails a check: {}", solved.reason))
            }
            () if unsolved.passed == unsolved.checks => {
                Err(format!("the checks of {number} pass without a solution"))
            }
            () => Ok(()),
        }
    }

    fn filling(&self, tags: &Build, compiler: &Path, changed: &Changed, fence: &Fence) -> Filling {
        if let Some(name) = fence.info.strip_prefix("console changed") {
            return match changed.get(name.trim()) {
                Some(changed) => console::replay(changed, &self.folder, &fence.body),
                None => Some(Err("this compiler is not built".to_string())),
            };
        }
        match fence.info {
            "console" => console::replay(compiler, &self.folder, &fence.body),
            "console shell" => Some(shell::replay(tags, compiler, &self.folder, &fence.body)),
            _ => None,
        }
    }
}

/// The numbers of the solutions that have a command.
fn solved(text: &str) -> BTreeSet<u32> {
    let (mut at, mut solved) = (None, BTreeSet::new());
    for line in text.lines() {
        at = item(line).map(|it| it.0).or(at);
        solved.extend(at.filter(|_| line.starts_with("$ ")));
    }
    solved
}

fn is_patch(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "patch")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    /// A chapter with one exercise, whose solution runs `cat` instead of a compiler.
    fn folder(name: &str, text: &str) -> PathBuf {
        let root = env::temp_dir().join(format!("bookbinder-{name}-{}", std::process::id()));
        let folder = root.join("chapters/01-a/solutions");
        fs::create_dir_all(&folder).expect("a new folder");
        let lesson = "# A\n\n2. B\n\n## Exercises\n\n1. C\n\n## D\n\n3. E\n";
        fs::write(folder.join("../README.md"), lesson).expect("a new file");
        fs::write(folder.join("README.md"), text).expect("a new file");
        fs::write(folder.join("a.smp"), "return 1;\n").expect("a new file");
        root
    }

    fn check(root: &Path, changed: &[&str]) -> Result<usize, String> {
        let solutions = Solutions::of(root, 1, Path::new("chapters/01-a")).expect("an exercise");
        let changed = changed.iter().map(|it| (it.to_string(), "cat".into())).collect();
        solutions.check(&Build::tags(root, 1), Path::new("cat"), &changed)
    }

    #[cfg(unix)]
    #[test]
    fn commands_must_print_their_outputs() {
        let text = "1. A\n\n```console\n$ sonc a.smp\nreturn 1;\n```\n";
        let root = folder("solved", text);
        assert_eq!(check(&root, &[]), Ok(1));
        let wrong = text.replace("return 1;", "return 2;");
        fs::write(root.join("chapters/01-a/solutions/README.md"), wrong).expect("a file");
        let error = check(&root, &[]).expect_err("another output");
        assert!(error.contains("expected `return 2;`, found `return 1;`"), "{error}");
        fs::remove_dir_all(root).expect("it can be removed");
    }

    #[cfg(unix)]
    #[test]
    fn a_changed_compiler_is_chosen_by_its_name() {
        let root = folder("changed", "1. A\n```console changed b\n$ sonc a.smp\nreturn 1;\n```\n");
        let error = check(&root, &[""]).expect_err("no patch");
        assert!(error.contains("not built"), "{error}");
        assert_eq!(check(&root, &["b"]), Ok(1));
        fs::remove_dir_all(root).expect("it can be removed");
    }

    #[test]
    fn every_exercise_has_a_command() {
        let root = folder("unsolved", "1. A\n\n2. B\n```console\n$ sonc a.smp\n```\n");
        let error = check(&root, &[]).expect_err("no command");
        assert!(error.contains("a solution of 1 works"), "{error}");
        fs::remove_dir_all(root).expect("it can be removed");
    }
}

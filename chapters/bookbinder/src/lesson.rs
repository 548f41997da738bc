//! The text of a chapter stays current: its quotations, outputs and figures are compared with the
//! chapter's compiler, and so are the README and the docs with the last one.
//!
//! docs/adding.md describes the fences. With `UPDATE_EXPECT` in the environment, texts and figures
//! are rewritten.
use crate::tree::{self, Files, below, chapters};
use crate::view::View;
use crate::weave::{Fence, Filling, excerpt, weave};
use crate::{console, current, drawing, links};
use std::fs;
use std::path::{Path, PathBuf};

/// A chapter, and the compiler that its text is about.
pub struct Lesson<'a> {
    pub root: &'a Path,
    pub chapter: u32,
    pub compiler: &'a Path,
}

impl Lesson<'_> {
    /// Compares the text of the chapter, and at the last chapter the README and the docs. Returns
    /// the errors.
    pub fn check(&self) -> Vec<String> {
        let Some(folder) = self.folder() else { return Vec::new() };
        let path = folder.join("README.md");
        let mut errors = self.differences(std::slice::from_ref(&path));
        match fs::read_to_string(&path) {
            Ok(text) => {
                errors.extend(drawing::differences(self.compiler, &folder, &text));
                errors.extend(self.commands_that_fail(&folder, &text));
            }
            Err(err) => errors.push(format!("{}: {err}", path.display())),
        }
        if is_last(self.root, self.chapter) {
            errors.extend(self.differences(&docs(self.root)));
        }
        errors
    }

    /// The folder of this chapter, if it has one.
    fn folder(&self) -> Option<PathBuf> {
        let found = chapters(self.root).into_iter().find(|it| it.0 == self.chapter);
        found.map(|(_, folder)| self.root.join(folder))
    }

    /// Weaves the texts; reports the errors in all of them before the differences.
    fn differences(&self, paths: &[PathBuf]) -> Vec<String> {
        let sources = match self.files() {
            Ok(files) => files,
            Err(reason) => return vec![reason],
        };
        let (mut errors, mut woven) = (Vec::new(), Vec::new());
        for path in paths {
            let folder = path.parent().unwrap_or(self.root);
            match read(path).and_then(|text| self.woven(&sources, folder, &text)) {
                Ok(text) => woven.push((path, text)),
                Err(reason) => {
                    errors.push(format!("{}: {reason}", below(self.root, path).display()))
                }
            }
        }
        if errors.is_empty() {
            let compared = woven.iter().map(|(path, text)| current::check(self.root, path, text));
            errors.extend(compared.filter_map(Result::err));
        }
        errors
    }

    fn woven(&self, sources: &Files, folder: &Path, text: &str) -> Result<String, String> {
        let mut files = sources.clone();
        files.extend(rules_beside(folder)?);
        let woven = weave(text, |fence| self.filling(&files, folder, fence));
        woven.map_err(|reasons| reasons.join("\n"))
    }

    /// The files of the chapter, with its libraries and tests.
    fn files(&self) -> Result<Files, String> {
        let view = View::tested(self.chapter);
        let parts = [tree::sources, tree::libraries, tree::tests];
        let mut files = Files::new();
        for part in parts {
            files.append(&mut part(self.root, view).map_err(|misfit| misfit.to_string())?);
        }
        Ok(files)
    }

    /// The content of a fence of a text in `folder`.
    fn filling(&self, files: &Files, folder: &Path, fence: &Fence) -> Filling {
        match fence.info.split_once(' ') {
            Some(("simple" | "xml" | "regions" | "flow", path)) => Some(case(folder, path)),
            None if fence.info == "console" => console::replay(self.compiler, folder, &fence.body),
            _ => excerpt(files, fence.info),
        }
    }

    /// The commands in sentences; those in fences are woven.
    fn commands_that_fail(&self, folder: &Path, text: &str) -> Vec<String> {
        let commands = links::commands(text).into_iter();
        let errors = commands.filter_map(|(line, command)| {
            let output = console::replay(self.compiler, folder, &[&format!("$ {command}")]);
            let output = output.unwrap_or_else(|| Err("no command".to_string()));
            let problem = match output {
                Ok(output) if has_failed(&output) => output,
                Ok(_) => return None,
                Err(reason) => reason,
            };
            Some(format!("README.md:{line}: {problem}"))
        });
        errors.collect()
    }
}

/// Whether the last line of the output of a command is an exit code.
fn has_failed(output: &str) -> bool {
    output.lines().last().is_some_and(|it| it.starts_with("[exit"))
}

/// Whether no later chapter has a folder.
pub fn is_last(root: &Path, chapter: u32) -> bool {
    chapters(root).iter().all(|it| it.0 <= chapter)
}

/// The README and the docs.
pub fn docs(root: &Path) -> Vec<PathBuf> {
    let docs = tree::list(&root.join("docs")).into_iter();
    let docs = docs.filter(|it| it.extension().is_some_and(|it| it == "md") && it.is_file());
    [root.join("README.md")].into_iter().chain(docs).collect()
}

/// The rule files in `folder`, by their paths.
fn rules_beside(folder: &Path) -> Result<Files, String> {
    let is_rules = |path: &PathBuf| path.extension().is_some_and(|it| it == "rules");
    let files = tree::list(&folder.join("rules")).into_iter().filter(is_rules);
    files.map(|path| Ok((below(folder, &path), read(&path)?))).collect()
}

/// A program or a graph, with its expected results.
fn case(folder: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(folder.join(path)).map_err(|err| format!("{path}: {err}"))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|err| err.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    /// A chapter whose compiler is `echo`; returns the errors in its text.
    #[cfg(unix)]
    fn errors(name: &str, text: &str) -> Vec<String> {
        let root = env::temp_dir().join(format!("bookbinder-lesson-{name}-{}", std::process::id()));
        let folder = root.join("chapters/01-a");
        fs::create_dir_all(&folder).expect("a new folder");
        fs::create_dir_all(root.join("src")).expect("a new folder");
        fs::write(root.join("src/lib.rs"), "//! L.\n\n/// F.\nfn f() {}\n").expect("a new file");
        fs::write(root.join("src/main.rs"), "//! M.\nfn main() {}\n").expect("a new file");
        fs::write(root.join("Cargo.toml"), "[package]\nname = \"sonc\"\n").expect("a new file");
        fs::write(root.join("README.md"), "A\n").expect("a new file");
        fs::write(folder.join("README.md"), text).expect("a new file");
        let errors = Lesson { root: &root, chapter: 1, compiler: Path::new("echo") }.check();
        fs::remove_dir_all(root).expect("it can be removed");
        errors
    }

    #[cfg(unix)]
    #[test]
    fn outputs_and_quotations_are_compared() {
        let text =
            "# A\n\n```console\n$ sonc a\na\n```\n\n```rust src/lib.rs f\n/// F.\nfn f() {}\n```\n";
        assert_eq!(errors("same", text), Vec::<String>::new());
        let found = errors("output", &text.replace("\na\n", "\nb\n"));
        assert_eq!(found, ["chapters/01-a/README.md: line 5: expected `b`, found `a`"]);
        let found = errors("quotation", &text.replace("fn f() {}", "fn f();"));
        assert_eq!(
            found,
            ["chapters/01-a/README.md: line 10: expected `fn f();`, found `fn f() {}`"]
        );
        let found = errors("missing", &text.replace("lib.rs f", "lib.rs g"));
        assert!(found.len() == 1 && found[0].starts_with("chapters/01-a/README.md: "), "{found:?}");
    }

    #[test]
    fn only_the_last_line_tells_whether_a_command_failed() {
        assert!(has_failed("$ sonc a\n[exit 1]\n"));
        assert!(!has_failed("$ sonc a\n[exit 1] is a line of it\nb\n"));
    }
}

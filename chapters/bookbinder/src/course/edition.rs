//! The edition for students: the printed crates of some chapters and their exercises as tasks,
//! without the solutions.
//!
//! ```text
//! README.md                    how to work with it
//! crates/                      the libraries of all compilers
//! chapter-02/README.md         the tasks
//! chapter-02/cases/            the programs of the chapter
//! chapter-02/compiler/         the compiler as the chapter has it
//! chapter-02/exercise-1-3/     a copy to change, for the exercises 1 and 3
//! chapter-02/answers/          the files that students write
//! ```
use super::check::Check;
use super::exercise::{Exercise, Exercises, changed};
use super::grading::{self, Graded, Subject};
use crate::export_crate::{self, Print};
use crate::tree::{self, Files, below, list, walk};
use crate::view::View;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A chapter of a course.
pub struct Chapter {
    pub number: u32,
    /// Below the root of the book.
    pub folder: PathBuf,
    pub title: String,
    pub exercises: Exercises,
    pub graded: Vec<Graded>,
    /// The exercises with a crate to change, by the name of the patch that solves them.
    groups: BTreeMap<String, Vec<u32>>,
}

impl Chapter {
    /// Reads the texts of a chapter.
    ///
    /// # Errors
    /// There is no such chapter, or its grading contradicts its exercises.
    pub fn read(root: &Path, number: u32) -> Result<Chapter, String> {
        let folder = tree::chapters(root).into_iter().find(|it| it.0 == number);
        let (_, folder) = folder.ok_or_else(|| format!("chapter {number} is not written"))?;
        let read = |name: &str| {
            let path = folder.join(name);
            let text = fs::read_to_string(root.join(&path));
            text.map_err(|err| format!("{}: {err}", path.display()))
        };
        let lesson = read("README.md")?;
        let title = lesson.lines().find_map(|it| it.strip_prefix("# ")).unwrap_or_default();
        let (title, exercises) = (title.to_string(), Exercises::of(&lesson));
        let graded = grading::read(&root.join(&folder).join("solutions"))?;
        let solutions = read("solutions/README.md").unwrap_or_default();
        let mut groups: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (exercise, patch) in changed(&solutions) {
            groups.entry(patch).or_default().push(exercise);
        }
        let chapter = Chapter { number, folder, title, exercises, graded, groups };
        chapter.verify()?;
        Ok(chapter)
    }

    fn verify(&self) -> Result<(), String> {
        let numbers = self.exercises.numbers();
        for Graded { number, subject, .. } in &self.graded {
            let wrong =
                |reason| Err(format!("chapter {}, exercise {number}: {reason}", self.number));
            if !numbers.contains(number) {
                return wrong("it is graded, but not in the text");
            }
            if *subject == Subject::Compiler && self.patch(*number).is_none() {
                return wrong("its grading is about the compiler, but no patch solves it");
            }
        }
        Ok(())
    }

    /// The grading of an exercise; without one, a person grades it.
    pub fn grading(&self, exercise: u32) -> Option<&Graded> {
        self.graded.iter().find(|it| it.number == exercise)
    }

    /// The name of the patch that solves an exercise.
    pub fn patch(&self, exercise: u32) -> Option<&str> {
        let group = self.groups.iter().find(|it| it.1.contains(&exercise));
        group.map(|(patch, _)| patch.as_str())
    }

    /// The folder of the compiler that an exercise changes, below the folder of the chapter.
    pub fn crate_of(&self, exercise: u32) -> Option<String> {
        self.groups.values().find(|it| it.contains(&exercise)).map(|it| crate_name(it))
    }

    /// The answer to an exercise that is a text.
    pub fn text_answer(exercise: u32) -> String {
        format!("answers/exercise-{exercise}.md")
    }
}

fn crate_name(exercises: &[u32]) -> String {
    let numbers: Vec<String> = exercises.iter().map(u32::to_string).collect();
    format!("exercise-{}", numbers.join("-"))
}

/// The folder of a chapter in an edition.
pub fn chapter_folder(number: u32) -> String {
    format!("chapter-{number:02}")
}

/// The chapters of the edition in a folder.
pub fn chapters_of(edition: &Path) -> Vec<u32> {
    let names = list(edition).into_iter().filter(|it| it.is_dir());
    let number = |it: PathBuf| it.file_name()?.to_str()?.strip_prefix("chapter-")?.parse().ok();
    names.filter_map(number).collect()
}

/// Writes an edition to a new or empty folder, as a whole or not at all. Returns the number of
/// files, and warnings.
///
/// # Errors
/// The folder is not empty, or a file cannot be read or written.
pub fn write(root: &Path, folder: &Path, chapters: &[u32]) -> Result<(usize, Vec<String>), String> {
    if folder.exists() && (!folder.is_dir() || !list(folder).is_empty()) {
        let folder = folder.display();
        return Err(format!("{folder} is not empty: an edition needs a new or empty folder"));
    }
    let (files, warnings) = files(root, chapters)?;
    let name = folder.file_name().ok_or("an edition needs a folder with a name")?;
    let part = format!(".{}.{}", name.to_string_lossy(), std::process::id());
    let part = folder.with_file_name(part);
    let written = write_all(&part, &files, &root.join("Cargo.lock")).and_then(|()| {
        if folder.exists() {
            fs::remove_dir(folder)?;
        }
        fs::rename(&part, folder)
    });
    if let Err(err) = written {
        // The reason is the first error; a folder that cannot be removed was not made either.
        let _ = fs::remove_dir_all(&part);
        return Err(format!("{}: {err}", folder.display()));
    }
    Ok((files.len(), warnings))
}

/// Writes files, and a lock file beside each manifest of a compiler.
fn write_all(folder: &Path, files: &Files, lock: &Path) -> std::io::Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)?;
        fs::write(&path, text)?;
        if path.ends_with("Cargo.toml") && !parent.starts_with(folder.join("crates")) {
            fs::copy(lock, parent.join("Cargo.lock"))?;
        }
    }
    Ok(())
}

/// The files of an edition, and warnings.
///
/// # Errors
/// A file of the book that cannot be read.
pub fn files(root: &Path, chapters: &[u32]) -> Result<(Files, Vec<String>), String> {
    let (mut files, mut warnings) = (Files::new(), Vec::new());
    let mut titles = String::new();
    for &number in chapters {
        let chapter = Chapter::read(root, number)?;
        if chapter.exercises.list.is_empty() {
            return Err(format!("chapter {number} has no exercises"));
        }
        let libraries = tree::libraries(root, View::tested(number));
        files.append(&mut libraries.map_err(|error| error.to_string())?);
        warnings.extend(add_chapter(root, &chapter, &mut files)?);
        titles += &format!("- [{}]({}/README.md)\n", chapter.title, chapter_folder(number));
    }
    files.insert("README.md".into(), format!("{}\n{titles}", include_str!("students.md")));
    files.insert(".gitignore".into(), "target\n".to_string());
    // One folder for all builds: the libraries are compiled once.
    let config = "[build]\ntarget-dir = \"target\"\n".to_string();
    files.insert(".cargo/config.toml".into(), config);
    Ok((files, warnings))
}

fn add_chapter(root: &Path, chapter: &Chapter, files: &mut Files) -> Result<Vec<String>, String> {
    let folder = PathBuf::from(chapter_folder(chapter.number));
    // Several editions may be made at a time.
    let staging = format!("target/chapters/edition/{}-{}", std::process::id(), chapter.number);
    let staging = root.join(staging);
    // The folder is two levels below that of the libraries, as `up` counts.
    let print = Print { tests: true, folder: "edition", ..Print::new(chapter.number) };
    let printed = export_crate::printed(root, print, &staging);
    let _ = fs::remove_dir_all(&staging);
    let (printed, warning) = printed?;
    let version = format!("+ch{:02}", chapter.number);
    let mut add_crate = |name: &str, changed: Files| {
        let files_of = printed.iter().map(|(path, text)| (path.clone(), text.clone()));
        let mut all: Files = files_of.chain(changed).collect();
        // In one folder of builds, cargo distinguishes the crates by their versions.
        if let Some(manifest) = all.get_mut(Path::new("Cargo.toml")) {
            *manifest = manifest.replacen(&version, &format!("{version}.{name}"), 1);
        }
        files.extend(all.into_iter().map(|(path, text)| (folder.join(name).join(path), text)));
    };
    add_crate("compiler", Files::new());
    for exercises in chapter.groups.values() {
        add_crate(&crate_name(exercises), crate_files(root, chapter, exercises)?);
    }
    for path in walk(&root.join(&chapter.folder).join("cases")) {
        let text = read(&path)?;
        files.insert(folder.join(below(&root.join(&chapter.folder), &path)), text);
    }
    files.insert(folder.join("README.md"), tasks(chapter));
    files.insert(folder.join("answers/README.md"), answers(chapter));
    Ok(warning.into_iter().collect())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|err| format!("{}: {err}", path.display()))
}

/// The files that a crate to change has besides the printed ones: its README, and the checks that
/// students see as a test.
fn crate_files(root: &Path, chapter: &Chapter, exercises: &[u32]) -> Result<Files, String> {
    let numbers: Vec<String> = exercises.iter().map(u32::to_string).collect();
    let numbers = numbers.join(", ");
    let mut files = Files::new();
    let mut text = format!(
        "Change the compiler of chapter {} here: exercises {numbers}. The tasks are in \
         [../README.md](../README.md).\n\n    cargo run -- --help\n    cargo test --test cases\n",
        chapter.number
    );
    let checked: Vec<&Graded> = exercises
        .iter()
        .filter_map(|it| chapter.grading(*it))
        .filter(|it| !it.shown.is_empty())
        .collect();
    if !checked.is_empty() {
        text += "    cargo test --test exercises\n";
        let solutions = root.join(&chapter.folder).join("solutions");
        let mut tests = String::from(TESTS);
        for graded in checked {
            tests += &test(chapter, graded);
            for word in graded.shown.iter().flat_map(|it| &it.words) {
                if !word.contains('/') && solutions.join(word).is_file() {
                    files.insert(Path::new(FOLDER).join(word), read(&solutions.join(word))?);
                }
            }
        }
        files.insert(Path::new(FOLDER).join("main.rs"), tests);
        files.insert(Path::new(FOLDER).join("check.rs"), include_str!("check.rs").to_string());
    }
    files.insert("README.md".into(), text);
    Ok(files)
}

/// The folder of the checks in a crate.
const FOLDER: &str = "tests/exercises";

/// The beginning of the test in a crate.
const TESTS: &str = "\
//! The checks of the exercises that you see; the grader has more.
mod check;

use check::Check;
use std::path::Path;

fn check(line: &str) {
    let folder = Path::new(env!(\"CARGO_MANIFEST_DIR\")).join(\"tests/exercises\");
    let check = Check::parse(line).expect(\"a check\");
    if let Err(reason) = check.run(Path::new(env!(\"CARGO_BIN_EXE_sonc\")), &folder) {
        panic!(\"{reason}\");
    }
}
";

/// The function that tests an exercise.
fn test(chapter: &Chapter, graded: &Graded) -> String {
    let cases = chapter.folder.join("cases").display().to_string().replace('\\', "/");
    let line = |check: &Check| {
        let line = check.line().replace("../cases/", &format!("../../{cases}/"));
        format!("    check({line:?});\n")
    };
    let lines: String = graded.shown.iter().map(line).collect();
    format!("\n#[test]\nfn exercise_{}() {{\n{lines}}}\n", graded.number)
}

/// The text of the tasks of a chapter.
fn tasks(chapter: &Chapter) -> String {
    let Chapter { number, title, exercises, .. } = chapter;
    let mut text = format!("# Exercises of {}\n\n", lowered(title));
    text += &format!(
        "`sonc` is the compiler of this chapter, in this folder:\n\n```sh\n\
         alias sonc=\"cargo run --quiet --manifest-path $PWD/compiler/Cargo.toml --\"\n\
         ```\n\n\
         Where a text speaks of the crate in `target/chapters/{number:02}`, this is the folder \
         that stands at the task.\nWith a command after it, `cargo chapter N` is the compiler of \
         chapter N, if your edition has this chapter.\n"
    );
    if !exercises.introduction.is_empty() {
        text += &format!("\n{}\n", here(&exercises.introduction));
    }
    for exercise in &exercises.list {
        text += &task(chapter, exercise);
    }
    text
}

/// The task of an exercise.
fn task(chapter: &Chapter, exercise: &Exercise) -> String {
    let Exercise { number, text } = exercise;
    let graded = chapter.grading(*number);
    let mut task = format!("\n## Exercise {number}\n\n{}\n\n", here(&unindented(text)));
    if let Some(folder) = chapter.crate_of(*number) {
        task += &format!("*Change:* [{folder}]({folder}).");
        if graded.is_some_and(|it| !it.shown.is_empty()) {
            task += &format!(" There, `cargo test --test exercises exercise_{number}` checks it.");
        }
        task += "\n";
    }
    match graded {
        None => {
            let answer = Chapter::text_answer(*number);
            task += &format!("*Graded by a person:* write your answer into `{answer}`.\n");
        }
        Some(graded) => {
            if let Subject::Answers(files) = &graded.subject {
                let files: Vec<String> = files.iter().map(|it| format!("`answers/{it}`")).collect();
                task += &format!("*Write:* {}.\n", files.join(", "));
                let lines: Vec<String> = graded.shown.iter().map(sentence).collect();
                if !lines.is_empty() {
                    task += &format!("In `answers`, {}.\n", lines.join("; "));
                }
            }
            for question in &graded.questions {
                task += &format!("*A person also asks:* {question} ");
                task += &format!("Put words into `{}`.\n", Chapter::text_answer(*number));
            }
        }
    }
    task
}

/// A check for a reader.
fn sentence(check: &Check) -> String {
    let (word, text) = check.expected();
    format!("`sonc {check}` {word} `{text}`")
}

/// The text with the paths of an edition.
fn here(text: &str) -> String {
    let text = text.replace("../../../chapters/", "chapters/");
    let emulate = "cargo run --manifest-path ../crates/emulate/Cargo.toml";
    unlinked(&text.replace("cargo run -p sonc-emulate", emulate))
}

/// The text without links into the book, which the edition lacks.
fn unlinked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let ends = before.rfind('[').zip(after.find(')'));
        match ends.filter(|_| !after.starts_with("http")) {
            Some((open, close)) => {
                out.extend([&before[..open], &before[open + 1..]]);
                rest = &after[close + 1..];
            }
            None => {
                out.extend([before, "]("]);
                rest = after;
            }
        }
    }
    out + rest
}

/// A title in a sentence.
fn lowered(title: &str) -> String {
    title.replacen("Chapter", "chapter", 1)
}

/// The text of an item without the margin of its further lines.
fn unindented(text: &str) -> String {
    text.lines().map(|it| it.strip_prefix("   ").unwrap_or(it)).collect::<Vec<_>>().join("\n")
}

/// The list of the files that students write.
fn answers(chapter: &Chapter) -> String {
    let mut text = String::from("The answers of this chapter go here:\n\n");
    for exercise in chapter.exercises.numbers() {
        match chapter.grading(exercise).map(|it| &it.subject) {
            None => text += &format!("- exercise {exercise}: `exercise-{exercise}.md`\n"),
            Some(Subject::Answers(files)) => {
                text += &format!("- exercise {exercise}: `{}`\n", files.join("`, `"));
            }
            Some(Subject::Compiler) => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_tasks_have_no_links_into_the_book() {
        let text = "A [b `c`](../d/README.md#e) f[0] [g](https://h.i) [j](k.md).";
        assert_eq!(here(text), "A b `c` f[0] [g](https://h.i) j.");
        let text = "run ../../../chapters/01-a/b.smp, `cargo run -p sonc-emulate --example c`";
        let expected = "run chapters/01-a/b.smp, `cargo run --manifest-path \
                        ../crates/emulate/Cargo.toml --example c`";
        assert_eq!(here(text), expected);
    }

    #[test]
    fn checks_are_sentences() {
        let check = Check::parse("run -e 'return 1;' fails with no").expect("a check");
        assert_eq!(sentence(&check), "`sonc run -e 'return 1;'` fails with `no`");
    }
}

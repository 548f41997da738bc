//! An edition of chapter 1 for students, its grading, and slides of a chapter of the book.
use bookbinder::course::edition::Chapter;
use bookbinder::tree::{below, chapters, walk};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&place);
    place
}

fn chapter(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bookbinder"));
    command.args(words).output().expect("the bookbinder runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn edition(name: &str) -> PathBuf {
    let folder = place(name);
    let made = chapter(&["exercises", &folder.to_string_lossy(), "--chapter", "1"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    folder
}

#[test]
fn an_edition_has_tasks_and_no_solutions() {
    let folder = edition("course-edition");
    let tasks = fs::read_to_string(folder.join("chapter-01/README.md")).expect("tasks");
    let second = "## Exercise 2\n\nThe command `cargo chapter 1` prints";
    assert!(tasks.contains(second), "{tasks}");
    assert!(tasks.contains("*Change:* [exercise-2](exercise-2)."), "{tasks}");
    assert!(tasks.contains("write your answer into `answers/exercise-4.md`"), "{tasks}");
    let checks = fs::read_to_string(folder.join("chapter-01/exercise-2/tests/exercises/main.rs"));
    let checks = checks.expect("a test");
    assert!(checks.contains("01-return/cases/no_semicolon.smp prints 42"), "{checks}");
    let solution = "cursor.peek() == Token::End {\n            return Ok(());";
    for path in walk(&folder) {
        let content = fs::read(&path).map(|it| text(&it)).expect("a file");
        let named = below(&folder, &path).display().to_string();
        assert!(!named.contains("solutions") && !named.ends_with(".patch"), "{named}");
        assert!(!content.contains("return 7 return 8") && !content.contains(solution), "{named}");
    }
    for name in ["compiler", "exercise-2", "exercise-3"] {
        let compiler = folder.join("chapter-01").join(name);
        let manifest = fs::read_to_string(compiler.join("Cargo.toml")).expect("a manifest");
        assert!(manifest.contains(&format!("+ch01.{name}\"\n")), "{manifest}");
        assert!(compiler.join("src/main.rs").is_file() && compiler.join("Cargo.lock").is_file());
    }
    assert!(folder.join("crates/arena/Cargo.toml").is_file());
}

#[test]
fn an_edition_is_written_as_a_whole_or_not_at_all() {
    let top = place("course-refused");
    let folder = top.join("full");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("mine"), "1").expect("a file");
    let refuse = |name: &str, words: &[&str], expected: &str| {
        let folder = top.join(name);
        let refused = chapter(&[&["exercises", &*folder.to_string_lossy()], words].concat());
        assert_eq!(refused.status.code(), Some(1));
        let reason = text(&refused.stderr);
        assert!(reason.contains(expected), "{reason}");
    };
    refuse("full", &["--chapter", "1"], "is not empty: an edition needs a new or empty folder");
    refuse("full/mine", &["--chapter", "1"], "is not empty");
    refuse("new", &["--chapter", "21"], "chapter 21 is not written");
    let left = walk(&top);
    assert_eq!(left, [folder.join("mine")]);
    assert!(!top.join("new").exists());
}

/// Applies a solution of the book.
fn apply(patch: &str, compiler: &Path) {
    let patch = root().join("chapters/01-return/solutions").join(patch);
    let patch = patch.canonicalize().expect("a patch");
    let mut git = Command::new("git");
    // Outside of a repository, git takes the paths as they are.
    git.current_dir(compiler).env("GIT_DIR", compiler.join("none"));
    let applied = git.args(["apply", "-C1"]).arg(patch).output().expect("git runs");
    assert!(applied.status.success(), "{}", text(&applied.stderr));
}

/// The rows of the exercises 2 and 3 after a grading.
fn graded(folder: &Path) -> [String; 2] {
    let output = chapter(&["grade", &folder.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(1), "an exercise failed");
    let table = text(&output.stdout);
    ["1        2", "1        3"].map(|start| {
        let row = table.lines().find(|it| it.trim_start().starts_with(start));
        row.unwrap_or_else(|| panic!("{table}{}", text(&output.stderr))).to_string()
    })
}

#[test]
fn the_right_change_passes_and_a_wrong_one_fails() {
    let folder = edition("course-graded");
    let compiler = folder.join("chapter-01/exercise-2");
    let statements = compiler.join("src/parse/stmt.rs");
    let original = fs::read_to_string(&statements).expect("the parser");
    apply("two_nodes.patch", &folder.join("chapter-01/exercise-3"));

    // Any token may stand for the semicolon: the check that students see passes.
    let strict = "self.cursor.expect(Token::Semicolon, \";\")";
    let lenient = "{\n self.cursor.take();\n Ok(())\n}";
    assert_eq!(original.matches(strict).count(), 1, "the parser has changed");
    fs::write(&statements, original.replace(strict, lenient)).expect("a change");
    let [second, third] = graded(&folder);
    let reason = "run -e 'return 7 8': expected an error";
    assert!(second.contains("failed") && second.contains(reason), "{second}");
    // Its files are older than the build of the other crate.
    assert!(third.contains("passed") && third.contains("4/4"), "{third}");

    fs::remove_dir_all(folder.join("chapter-01/exercise-3")).expect("a folder");
    fs::write(&statements, original.replace(strict, "let")).expect("a change");
    let [second, third] = graded(&folder);
    assert!(second.contains("failed") && second.contains("does not build: error"), "{second}");
    assert!(third.contains("there is no crate in exercise-3"), "{third}");

    fs::write(&statements, original).expect("the printed text");
    apply("semicolon.patch", &compiler);
    let output = chapter(&["grade", &folder.to_string_lossy(), "--json"]);
    assert_eq!(output.status.code(), Some(1), "exercise 3 is missing");
    let json = text(&output.stdout);
    let second = "{\"chapter\":1,\"exercise\":2,\"result\":\"passed\",";
    let third = "\"result\":\"failed\",\"checks\":4,\"passed\":0,\
                 \"reason\":\"there is no crate in exercise-3\"}";
    let first = "{\"chapter\":1,\"exercise\":1,\"result\":\"person\",\"checks\":0,";
    for row in [first, second, third] {
        assert!(json.contains(row), "{row}: {json}");
    }
}

#[test]
fn every_grading_fits_its_chapter() {
    let (root, mut graded) = (root(), 0);
    for (number, folder) in chapters(&root) {
        let chapter = Chapter::read(&root, number).expect("exercises and their grading");
        let solutions = root.join(&folder).join("solutions");
        for exercise in &chapter.graded {
            let checks = exercise.checks(&root, number).expect("cases");
            let words = checks.iter().flat_map(|it| &it.words);
            let programs = words.filter(|it| it.ends_with(".smp") || it.ends_with(".pbqp"));
            for program in programs {
                // The answers of the book are there, too: `cargo chapter check` uses them.
                assert!(solutions.join(program).is_file(), "chapter {number}: {program}");
            }
            graded += 1;
        }
    }
    assert!(graded >= 30, "{graded} exercises have checks");
}

#[test]
fn a_folder_without_chapters_is_not_graded() {
    let folder = place("course-empty");
    fs::create_dir_all(&folder).expect("a folder");
    let output = chapter(&["grade", &folder.to_string_lossy(), "--json"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
    assert!(text(&output.stderr).contains("is no edition for students"));
}

#[test]
fn a_chapter_has_slides_with_its_figures() {
    let file = place("course-slides").join("04.html");
    let made = chapter(&["slides", "4", "-o", &file.to_string_lossy()]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let page = fs::read_to_string(&file).expect("a page");
    let lesson = fs::read_to_string(root().join("chapters/04-argument/README.md")).expect("a text");
    let figures = lesson.lines().filter(|it| it.starts_with("![")).count();
    assert_eq!(page.matches("data:image/svg+xml;base64,").count(), figures);
    assert!(figures > 0 && page.contains("<figcaption>Start is a box with two cells"));
    let count = page.matches("<section ").count();
    assert!(text(&made.stdout).ends_with(&format!(": {count} slides\n")));
    for heading in lesson.lines().filter_map(|it| it.strip_prefix("## ")) {
        let is_shown = page.contains(&format!("<h2>{heading}</h2>"));
        assert_eq!(is_shown, !["Exercises", "Sources"].contains(&heading), "{heading}");
    }
}

//! `cargo chapter grade`: builds the compilers of a student, and runs the checks of the exercises.
use crate::build::Build;
use crate::say;
use bookbinder::course::edition::{self, Chapter, chapter_folder};
use bookbinder::course::grading::{Graded, Outcome, Subject};
use bookbinder::course::report::{Row, Verdict, json, table};
use bookbinder::course::work::{self, Work};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Grades the edition in a folder and prints the results. The exit code is 1 if an exercise failed,
/// and 2 if the folder cannot be graded.
pub fn grade(root: &Path, folder: &Path, as_json: bool) -> ExitCode {
    let rows = match rows(root, folder) {
        Ok(rows) => rows,
        Err(reason) => {
            eprintln!("{reason}");
            return ExitCode::from(2);
        }
    };
    let text = if as_json { json(&rows) } else { table(&rows) };
    if let Err(reason) = say(&text) {
        eprintln!("{reason}");
        return ExitCode::from(2);
    }
    let failed = rows.iter().any(|it| it.verdict == Verdict::Failed);
    ExitCode::from(u8::from(failed))
}

fn rows(root: &Path, folder: &Path) -> Result<Vec<Row>, String> {
    let chapters = edition::chapters_of(folder);
    if chapters.is_empty() {
        let folder = folder.display();
        return Err(format!("{folder} is no edition for students: it has no folder chapter-NN"));
    }
    work::update_tree(&folder.join("crates"), &work::submissions(root).join("crates"))?;
    let mut rows = Vec::new();
    for number in chapters {
        let chapter = Chapter::read(root, number)?;
        let submitted = folder.join(chapter_folder(number));
        let mut grader = Grader::new(root, &chapter, &submitted)?;
        for exercise in chapter.exercises.numbers() {
            rows.push(match chapter.grading(exercise) {
                Some(graded) => grader.graded(graded)?,
                None => grader.ungraded(exercise),
            });
        }
    }
    Ok(rows)
}

/// The grading of one chapter.
struct Grader<'a> {
    root: &'a Path,
    chapter: &'a Chapter,
    /// The folder of the chapter in the edition.
    submitted: &'a Path,
    work: Work,
    tags: Build,
    /// The built compilers by their folders, or the reasons why they do not build.
    compilers: BTreeMap<String, Result<PathBuf, String>>,
}

impl<'a> Grader<'a> {
    fn new(root: &'a Path, chapter: &'a Chapter, submitted: &'a Path) -> Result<Self, String> {
        let work = Work::new(root, chapter, "graded")?;
        let (tags, compilers) = (Build::graded(root, chapter.number), BTreeMap::new());
        Ok(Grader { root, chapter, submitted, work, tags, compilers })
    }

    fn row(&self, exercise: u32, verdict: Verdict, reason: String) -> Row {
        let chapter = self.chapter.number;
        Row { chapter, exercise, verdict, checks: 0, passed: 0, reason }
    }

    fn graded(&mut self, graded: &Graded) -> Result<Row, String> {
        let checks = graded.checks(self.root, self.chapter.number)?;
        let compiler = match &graded.subject {
            Subject::Compiler => self.changed(graded.number),
            Subject::Answers(files) => match self.take_answers(files) {
                Ok(()) => Ok(self.compiler_of_the_book()?),
                Err(reason) => Err(reason),
            },
        };
        let outcome = match compiler {
            Ok(compiler) => Outcome::of(&checks, &compiler, &self.work.folder),
            Err(reason) => Outcome { checks: checks.len(), passed: 0, reason },
        };
        let book = format!("{}/", self.root.display());
        let (verdict, reason) = match () {
            () if outcome.passed < outcome.checks => {
                (Verdict::Failed, outcome.reason.replace(&book, ""))
            }
            () if graded.questions.is_empty() => (Verdict::Passed, String::new()),
            () => (Verdict::Person, graded.questions.join(" ")),
        };
        let Outcome { checks, passed, .. } = outcome;
        Ok(Row { checks, passed, ..self.row(graded.number, verdict, reason) })
    }

    /// An exercise that only a person can grade.
    fn ungraded(&self, exercise: u32) -> Row {
        let answer = Chapter::text_answer(exercise);
        let text = fs::read_to_string(self.submitted.join(&answer)).unwrap_or_default();
        let reason = match (text.trim(), self.chapter.crate_of(exercise)) {
            ("", None) => format!("there is no answer in {answer}"),
            ("", Some(folder)) => format!("no check decides it: read {folder}"),
            (_, None) => format!("no check decides it: read {answer}"),
            (_, Some(folder)) => format!("no check decides it: read {answer} and {folder}"),
        };
        self.row(exercise, Verdict::Person, reason)
    }

    /// The compiler that an exercise changes.
    fn changed(&mut self, exercise: u32) -> Result<PathBuf, String> {
        let name = self.chapter.crate_of(exercise).ok_or("there is no crate for it")?;
        if let Some(built) = self.compilers.get(&name) {
            return built.clone();
        }
        let folder = self.submitted.join(&name);
        let built = if folder.join("Cargo.toml").is_file() {
            // The libraries are two levels above, as in the edition.
            let copy = work::submissions(self.root).join("chapter").join(&name);
            work::copy_tree(&folder, &copy)?;
            let kept = format!("graded-{:02}-{name}", self.chapter.number);
            self.tags.crate_in(&copy).submitted(&kept)
        } else {
            Err(format!("there is no crate in {name}"))
        };
        self.compilers.insert(name, built.clone());
        built
    }

    fn compiler_of_the_book(&mut self) -> Result<PathBuf, String> {
        let name = format!("sonc-{:02}", self.chapter.number);
        if let Some(Ok(built)) = self.compilers.get(&name) {
            return Ok(built.clone());
        }
        let built = self.tags.compiler(&name)?;
        self.compilers.insert(name, Ok(built.clone()));
        Ok(built)
    }

    /// Copies the answers of the student to the folder of the checks.
    fn take_answers(&self, files: &[String]) -> Result<(), String> {
        for file in files {
            let answer = self.submitted.join("answers").join(file);
            let text = fs::read(&answer).map_err(|_| format!("answers/{file} is missing"))?;
            self.work.put(file, &text)?;
        }
        Ok(())
    }
}

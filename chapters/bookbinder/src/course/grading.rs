//! How the exercises of a chapter are graded: the file `solutions/grading.txt`.
//!
//! ```text
//! # A comment.
//! exercise 1: compiler                  students change the compiler
//! shown run -e 'return 7%3;' prints 1   students see this check
//! hidden run remainder.smp prints 1     only the grader has this one
//! hidden cases except by_zero           the other cases of the book keep their results
//! exercise 4: answer spill.smp          students write these files
//! shown ir spill.smp --no-opt --stage allocated shows sub esp
//! person is there a shorter program?    a question that no check decides
//! ```
//!
//! The paths are relative to the folder of the solutions. An exercise that is not in the file is
//! graded by a person.
use super::check::{Check, Expectation};
use std::fs;
use std::path::Path;

/// The part of a submission that an exercise is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The changed compiler.
    Compiler,
    /// Files in the folder of the answers.
    Answers(Vec<String>),
}

/// The grading of one exercise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graded {
    pub number: u32,
    pub subject: Subject,
    /// The checks that students see.
    pub shown: Vec<Check>,
    pub hidden: Vec<Check>,
    /// Whether the cases of the book keep their results: the names of those that may change.
    pub cases: Option<Vec<String>>,
    /// Questions to a person.
    pub questions: Vec<String>,
}

impl Graded {
    /// The checks with those of the cases.
    ///
    /// # Errors
    /// A case that cannot be read, or an exception that is no case.
    pub fn checks(&self, root: &Path, chapter: u32) -> Result<Vec<Check>, String> {
        let mut checks = [&self.shown[..], &self.hidden].concat();
        if let Some(except) = &self.cases {
            checks.extend(cases(root, chapter, except)?);
        }
        Ok(checks)
    }
}

// Students have no use for it, so it is not in their copy.
impl Check {
    /// The word before the expected text, and this text.
    pub fn expected(&self) -> (&'static str, &str) {
        match &self.expectation {
            Expectation::Prints(text) => ("prints", text),
            Expectation::Shows(text) => ("shows", text),
            Expectation::Lacks(text) => ("lacks", text),
            Expectation::Fails(text) => ("fails with", text),
        }
    }

    /// The line that `parse` reads.
    pub fn line(&self) -> String {
        let (word, text) = self.expected();
        format!("{self} {word} {text}")
    }
}

/// The number of checks, of those that passed, and the reason of the first one that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub checks: usize,
    pub passed: usize,
    pub reason: String,
}

impl Outcome {
    /// Makes all checks with a compiler, in `folder`.
    pub fn of(checks: &[Check], compiler: &Path, folder: &Path) -> Outcome {
        let made = checks.iter().map(|it| it.run(compiler, folder));
        let reasons: Vec<String> = made.filter_map(Result::err).collect();
        let passed = checks.len() - reasons.len();
        let reason = reasons.into_iter().next().unwrap_or_default();
        Outcome { checks: checks.len(), passed, reason }
    }
}

/// Reads the file of a chapter in the folder `solutions`; without one, nothing is graded.
///
/// # Errors
/// A malformed line.
pub fn read(solutions: &Path) -> Result<Vec<Graded>, String> {
    let path = solutions.join("grading.txt");
    match fs::read_to_string(&path) {
        Ok(text) => parse(&text).map_err(|reason| format!("{}:{reason}", path.display())),
        Err(_) => Ok(Vec::new()),
    }
}

/// Parses a file.
///
/// # Errors
/// The number of the line and the reason.
pub fn parse(text: &str) -> Result<Vec<Graded>, String> {
    let mut found: Vec<Graded> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let place = |reason: String| format!("{}: {reason}", at + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(head) = line.strip_prefix("exercise ") {
            let graded = exercise(head).ok_or_else(|| place(format!("`{line}`: no exercise")))?;
            if found.iter().any(|it| it.number >= graded.number) {
                return Err(place(format!("exercise {} is out of order", graded.number)));
            }
            found.push(graded);
        } else {
            let last = found.last_mut().ok_or_else(|| place("no exercise before".to_string()))?;
            last.add(line).map_err(place)?;
        }
    }
    match found.iter().find(|it| it.shown.is_empty() && it.hidden.is_empty()) {
        Some(empty) => Err(format!(" exercise {} has no check", empty.number)),
        None => Ok(found),
    }
}

fn exercise(head: &str) -> Option<Graded> {
    let (number, subject) = head.split_once(": ")?;
    let subject = match subject.split_whitespace().collect::<Vec<_>>()[..] {
        ["compiler"] => Subject::Compiler,
        ["answer", ref files @ ..] if !files.is_empty() => {
            Subject::Answers(files.iter().map(|it| it.to_string()).collect())
        }
        _ => return None,
    };
    let (shown, hidden, questions) = (Vec::new(), Vec::new(), Vec::new());
    let number = number.parse().ok()?;
    Some(Graded { number, subject, shown, hidden, cases: None, questions })
}

impl Graded {
    fn add(&mut self, line: &str) -> Result<(), String> {
        match line.split_once(' ') {
            Some(("hidden", cases)) if cases.split(' ').next() == Some("cases") => {
                let except = cases.strip_prefix("cases").unwrap_or_default().trim();
                let except = except.strip_prefix("except").unwrap_or(except);
                self.cases = Some(except.split_whitespace().map(String::from).collect());
            }
            Some(("shown", check)) => self.shown.push(Check::parse(check)?),
            Some(("hidden", check)) => self.hidden.push(Check::parse(check)?),
            Some(("person", question)) => self.questions.push(question.to_string()),
            _ => return Err(format!("`{line}`: a line is `shown`, `hidden` or `person`")),
        }
        Ok(())
    }
}

/// The checks of the programs of this chapter and of earlier ones.
fn cases(root: &Path, chapter: u32, except: &[String]) -> Result<Vec<Check>, String> {
    let (mut checks, mut unknown) = (Vec::new(), except.to_vec());
    for (number, folder) in crate::tree::chapters(root) {
        let files = crate::tree::list(&root.join(folder).join("cases")).into_iter();
        for path in files.filter(|it| number <= chapter && is_program(it)) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if except.contains(&name) {
                unknown.retain(|it| *it != name);
                continue;
            }
            let text = fs::read_to_string(&path);
            let text = text.map_err(|err| format!("{}: {err}", path.display()))?;
            checks.extend(case(&path.to_string_lossy(), &text, number, chapter));
        }
    }
    match unknown.first() {
        Some(name) => Err(format!("there is no case `{name}` up to chapter {chapter}")),
        None => Ok(checks),
    }
}

fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "smp")
}

/// The checks in the first lines of a program of the chapter `own`, for the compiler of `chapter`.
/// Programs that never end, and objects as results, are left to the tests of the book.
fn case(path: &str, text: &str, own: u32, chapter: u32) -> Vec<Check> {
    let mut checks = Vec::new();
    let words = |more: &[&str]| -> Vec<String> {
        ["run", path].iter().chain(more).map(|it| it.to_string()).collect()
    };
    for line in text.lines().map_while(|it| it.strip_prefix("// ")) {
        if let Some(end) = line.strip_prefix("until: ch") {
            if end.trim().parse().is_ok_and(|it: u32| it <= chapter) {
                return Vec::new();
            }
        } else if let Some((argument, result)) = line.split_once(" -> ") {
            let words = match argument {
                "0" => words(&[]),
                argument => words(&["--arg", argument]),
            };
            let is_plain = result.bytes().all(|it| it.is_ascii_digit() || it == b'-' || it == b'.');
            let expectation = Expectation::Prints(result.to_string());
            checks.extend(is_plain.then_some(Check { words, expectation }));
        } else if let Some((kind, error)) = line.split_once(": ")
            && (kind == "error always" || (kind == "error" && own == chapter))
        {
            let expectation = Expectation::Fails(error.trim().to_string());
            checks.push(Check { words: words(&[]), expectation });
        }
    }
    checks
}

#[cfg(test)]
mod tests;

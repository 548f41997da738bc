//! Checks that two compilers of one chapter print the same for all its cases.
use bookbinder::tree;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The compared command, for all cases; `FILE` stands for the case.
const CODE: &[&str] = &["ir", "FILE", "--stage", "bytes"];

/// The commands that are compared for the cases of the chapter, too.
const GRAPHS: [&[&str]; 2] = [&["ir", "FILE"], &["ir", "FILE", "--stage", "firm"]];

/// The exit code of a command that the compiler does not have.
const USAGE: i32 = 2;

/// Compares output, diagnostics and exit codes for the cases up to `chapter`. Returns the number of
/// equal outputs, or the first difference.
pub fn compare(root: &Path, chapter: u32, compilers: [&Path; 2]) -> Result<usize, String> {
    let mut alike = 0;
    for (number, folder) in tree::chapters(root).into_iter().filter(|it| it.0 <= chapter) {
        let graphs = if number == chapter { &GRAPHS[..] } else { &[] };
        for case in cases(root, &folder) {
            for command in graphs.iter().chain([&CODE]) {
                let word = |it: &&'static str| if *it == "FILE" { &*case } else { *it };
                let words: Vec<&str> = command.iter().map(word).collect();
                compare_outputs(root, &words, compilers)?;
                alike += 1;
            }
        }
    }
    Ok(alike)
}

/// The programs of the chapter in `folder`, by their paths below the root.
fn cases(root: &Path, folder: &Path) -> impl Iterator<Item = String> {
    let files = tree::walk(&root.join(folder).join("cases")).into_iter();
    let programs = files.filter(|it| it.extension().is_some_and(|it| it == "smp"));
    programs.map(|it| tree::below(root, &it).to_string_lossy().into_owned())
}

/// A difference is an error. So is a command that the compilers do not have: it compares nothing.
fn compare_outputs(root: &Path, words: &[&str], compilers: [&Path; 2]) -> Result<(), String> {
    let [ours, theirs] = compilers.map(|it| run(root, it, words));
    let (ours, theirs) = (ours?, theirs?);
    if ours.status.code() == Some(USAGE) {
        return Err(format!("`sonc {}`: there is no such command", words.join(" ")));
    }
    if ours == theirs {
        return Ok(());
    }
    Err(format!(
        "`sonc {}` differs.\n--- as the tags have it\n{}\n--- as a crate of its own\n{}",
        words.join(" "),
        shown(&ours),
        shown(&theirs)
    ))
}

fn run(root: &Path, compiler: &Path, words: &[&str]) -> Result<Output, String> {
    let mut command = Command::new(compiler);
    command.args(words).current_dir(root).stdin(Stdio::null()).env("NO_COLOR", "1");
    command.output().map_err(|err| format!("{}: {err}", PathBuf::from(compiler).display()))
}

fn shown(output: &Output) -> String {
    let output_text = [&output.stdout[..], &output.stderr[..]].concat();
    format!("{}[{}]", String::from_utf8_lossy(&output_text), output.status)
}

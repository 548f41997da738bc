//! The figures of a chapter, drawn by its compiler.
use crate::figure::{Figure, figures};
use crate::{current, tree};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Draws every figure in `text` and compares it with its file. Returns the errors.
pub fn differences(compiler: &Path, folder: &Path, text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let mut shown: BTreeMap<String, Figure> = BTreeMap::new();
    for figure in figures(text) {
        match shown.get(&figure.stem) {
            Some(other) if other.options != figure.options => {
                let place = format!("README.md:{}", figure.line);
                errors.push(format!("{place}: {}.svg has other options above", figure.stem));
            }
            Some(_) => (),
            None => {
                errors.extend(check_one(compiler, folder, &figure).err());
                shown.insert(figure.stem.clone(), figure);
            }
        }
    }
    errors.extend(not_shown(folder, &shown));
    errors
}

fn check_one(compiler: &Path, folder: &Path, figure: &Figure) -> Result<(), String> {
    let svg = draw(compiler, folder, figure);
    let svg = svg.map_err(|reason| format!("README.md:{}: {reason}", figure.line))?;
    current::check(folder, &folder.join(format!("{}.svg", figure.stem)), &svg)
}

/// Draws a figure: a stage of a program, a graph, or an instance of PBQP.
fn draw(compiler: &Path, folder: &Path, figure: &Figure) -> Result<String, String> {
    let mut command = Command::new(compiler);
    match figure.stage.as_str() {
        "graph" => command.args(["firm", "dot", &format!("cases/{}.gxl", figure.case)]),
        "instance" => command.args(["pbqp", &format!("cases/{}.pbqp", figure.case), "--dot"]),
        stage => command.args(["dot", &program(folder, &figure.case), "--stage", stage]),
    };
    command.arg("--svg").args(&figure.options).current_dir(folder).env("NO_COLOR", "1");
    let output = command.output().map_err(|err| err.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|err| err.to_string())
}

/// The program of a figure, in one of the languages.
fn program(folder: &Path, case: &str) -> String {
    let paths = ["rv", "cfg"].map(|extension| format!("cases/{case}.{extension}"));
    let found = paths.into_iter().find(|path| folder.join(path).exists());
    found.unwrap_or_else(|| format!("cases/{case}.smp"))
}

/// The figure files that are not in the text.
fn not_shown(folder: &Path, shown: &BTreeMap<String, Figure>) -> Vec<String> {
    let files = tree::list(&folder.join("figures")).into_iter();
    let unknown = files.filter(|path| {
        let name = tree::below(folder, path).to_string_lossy().into_owned();
        !name.strip_suffix(".svg").is_some_and(|stem| shown.contains_key(stem))
    });
    unknown.map(|it| format!("{}: no text shows it", tree::below(folder, &it).display())).collect()
}

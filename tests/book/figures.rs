//! The figures of a chapter: the compiler writes the `.dot`, Graphviz draws the `.svg`.
//!
//! A drawing contains the hash of its `.dot`, so that Graphviz is needed only if it changes.
use bookbinder::figure::{Figure, figures, hash, hash_in, stamp};
use bookbinder::tree;
use expect_test::expect_file;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Compares every figure in `text` with the compiler's current output, and rewrites it if
/// `UPDATE_EXPECT` is set. Returns the errors.
pub fn check(folder: &Path, text: &str) -> Vec<String> {
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
                errors.extend(check_one(folder, &figure).err());
                shown.insert(figure.stem.clone(), figure);
            }
        }
    }
    errors.extend(not_shown(folder, &shown));
    errors
}

fn check_one(folder: &Path, figure: &Figure) -> Result<(), String> {
    let place = format!("README.md:{}", figure.line);
    let dot = dot(folder, figure).map_err(|reason| format!("{place}: {reason}"))?;
    let path = folder.join(format!("{}.svg", figure.stem));
    let drawn = fs::read_to_string(&path).unwrap_or_default();
    if hash_in(&drawn) != Some(&hash(&dot)) {
        if env::var_os("UPDATE_EXPECT").is_none() {
            let svg = format!("{}.svg", figure.stem);
            return Err(format!("{place}: {svg} is stale; UPDATE_EXPECT=1 draws it again"));
        }
        let svg = draw(&dot).map_err(|reason| format!("{place}: {reason}"))?;
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(|err| err.to_string())?;
        fs::write(&path, stamp(&svg, &dot)).map_err(|err| err.to_string())?;
    }
    expect_file![folder.join(format!("{}.dot", figure.stem))].assert_eq(&dot);
    Ok(())
}

/// The Graphviz text for a figure: of a stage of a program, of a graph, or of an instance of PBQP.
fn dot(folder: &Path, figure: &Figure) -> Result<String, String> {
    let mut command = Command::new(super::compiler());
    match figure.stage.as_str() {
        "graph" => command.args(["firm", "dot", &format!("cases/{}.gxl", figure.case)]),
        "instance" => command.args(["pbqp", &format!("cases/{}.pbqp", figure.case), "--dot"]),
        stage => command.args(["dot", &format!("cases/{}.smp", figure.case), "--stage", stage]),
    };
    let output = command.args(&figure.options).current_dir(folder).env("NO_COLOR", "1").output();
    let output = output.map_err(|err| err.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|err| err.to_string())
}

const NO_GRAPHVIZ: &str = "a figure has to be drawn anew, and there is no Graphviz to draw it: \
                           install it (on Debian `apt-get install graphviz`)";

fn draw(dot: &str) -> Result<String, String> {
    let mut command = Command::new("dot");
    command.arg("-Tsvg").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|_| NO_GRAPHVIZ.to_string())?;
    let mut input = child.stdin.take().ok_or("Graphviz takes no input")?;
    input.write_all(dot.as_bytes()).map_err(|err| err.to_string())?;
    drop(input);
    let output = child.wait_with_output().map_err(|err| err.to_string())?;
    if !output.status.success() {
        return Err("Graphviz refuses the figure".to_string());
    }
    String::from_utf8(output.stdout).map_err(|err| err.to_string())
}

/// The figure files that are not in the text.
fn not_shown(folder: &Path, shown: &BTreeMap<String, Figure>) -> Vec<String> {
    let files = tree::list(&folder.join("figures")).into_iter();
    let unknown = files.filter(|path| {
        let stem = tree::below(folder, path).with_extension("");
        !shown.contains_key(&*stem.to_string_lossy())
    });
    unknown.map(|it| format!("{}: no text shows it", tree::below(folder, &it).display())).collect()
}

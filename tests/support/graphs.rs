//! The graphs of the chapters, `.gxl` files, with the expected results in their first lines.
//!
//! ```text
//! <!-- 7 -> 12 -->           for the argument 7 the graph returns 12
//! <!-- 7 2 -> fault -->      for two arguments it cannot go on
//! <!-- 7 -> never -->        for the argument 7 it never ends
//! <!-- error: phi-arity -->  it is rejected, and the message contains this
//! ```
use sonc::{FirmFile, Strictness, Termination};
use std::path::{Path, PathBuf};

pub struct GraphCase {
    pub path: PathBuf,
    /// Arguments and results: a value, `fault` or `never`.
    pub results: Vec<(Vec<i64>, String)>,
    pub errors: Vec<String>,
}

/// The graphs of all chapters, sorted by name.
pub fn graph_cases() -> Vec<GraphCase> {
    let chapters = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters"));
    let found = chapters.into_iter().flat_map(|chapter| files(&chapter.join("cases")));
    let is_graph = |path: &PathBuf| path.extension().is_some_and(|it| it == "gxl");
    let cases: Vec<_> = found.filter(is_graph).map(|path| graph_case(&path)).collect();
    assert!(!cases.is_empty(), "there are no graphs");
    cases
}

/// The valid graphs, as read from their files.
pub fn sound_graphs() -> impl Iterator<Item = (GraphCase, FirmFile)> {
    let sound = graph_cases().into_iter().filter(|case| case.errors.is_empty());
    sound.map(|case| {
        let graph = case.read().unwrap_or_else(|refused| panic!("{refused}"));
        (case, graph)
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn graph_case(path: &Path) -> GraphCase {
    let shown = path.display();
    let text = std::fs::read_to_string(path).unwrap_or_else(|it| panic!("{shown}: {it}"));
    let (mut results, mut errors) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let expectation = line.strip_prefix("<!-- ").and_then(|it| it.strip_suffix(" -->"));
        let Some(expectation) = expectation else { continue };
        if let Some(error) = expectation.strip_prefix("error: ") {
            errors.push(error.to_string());
        } else if let Some((arguments, result)) = expectation.split_once(" -> ") {
            let arguments = arguments.split(' ').map(|it| it.parse().expect("an argument"));
            results.push((arguments.collect(), result.to_string()));
        }
    }
    assert!(results.len() + errors.len() > 0, "{shown} has neither a result nor an error");
    GraphCase { path: path.to_path_buf(), results, errors }
}

impl GraphCase {
    /// The graph, or the error.
    pub fn read(&self) -> Result<FirmFile, String> {
        let bytes = std::fs::read(&self.path).map_err(|error| error.to_string())?;
        let file = FirmFile::read(&mut &bytes[..]);
        let file = file.map_err(|fault| fault.diagnostic.message)?;
        let findings = file.verify(Strictness::Program, 1);
        let lines = findings.iter().map(|it| format!("{}: {}\n", it.check, it.node));
        if findings.is_empty() { Ok(file) } else { Err(lines.collect()) }
    }

    /// Compares the results of `file` after `stage` with the expected ones.
    pub fn check(&self, file: &FirmFile, stage: &str, errors: &mut Vec<String>) {
        let name = self.path.display();
        for finding in file.verify(Strictness::Program, 1) {
            errors.push(format!("{name} {stage}: {}: {}", finding.check, finding.node));
        }
        for (arguments, expected) in &self.results {
            let outcome = file.run(arguments).expect("a sound graph has an order");
            let found = match outcome.end {
                Termination::Value(value) => value.to_string(),
                #[cfg(feature = "ch10")]
                Termination::Object(text) => text,
                #[cfg(feature = "ch14")]
                Termination::Values(values) => format!("{values:?}"),
                #[cfg(feature = "ch15")]
                Termination::Trap(message) => message,
                Termination::Fault { .. } => "fault".to_string(),
                Termination::OutOfSteps => "never".to_string(),
            };
            if found != *expected {
                errors.push(format!("{name} {stage}: {arguments:?} -> {found}, not {expected}"));
            }
        }
    }
}

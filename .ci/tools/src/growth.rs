//! Programs that once took quadratic time: `valgrind` counts the instructions that compile them, on
//! any machine the same. Twice as many repetitions need not many more than twice as many.
#[path = "../../../tests/support/templates.rs"]
mod templates;

use crate::{Checked, scratch};
use std::fs;
use std::path::Path;
use std::process::Command;
use templates::Template;

/// The largest growth in percent.
const GROWTH: u64 = 230;

/// A program, its number of repetitions, and the options of its compilation.
struct Row {
    statements: &'static [&'static str],
    arrangement: &'static str,
    repetitions: usize,
    options: &'static [&'static str],
}

const ROWS: &[Row] = &[
    row(&["x = -(x * x);"], "in sequence", 4_000),
    row(&["f = f * 1.5 + 0.5;"], "in sequence", 2_000),
    row(&["if (1) q = new S;"], "after a join", 2_000),
    row(&["w.field# = w.field# + x;"], "in a loop", 2_000),
    row(&["if (x < #) u.field# = u.field# + 1;"], "in sequence", 1_000),
    row(
        &["x = x + u.field#;", "while (y < x) { y = y + 1; u.field# = y; }"],
        "each on its own",
        1_000,
    ),
    row(&["v# = v# * 3 + x;"], "in a loop", 4_000),
    Row { options: &["--no-opt"], ..row(&["if (r.a == #) continue;"], "in a loop", 4_000) },
];

const fn row(
    statements: &'static [&'static str],
    arrangement: &'static str,
    repetitions: usize,
) -> Row {
    Row { statements, arrangement, repetitions, options: &[] }
}

pub fn check(sonc: &Path) -> Checked {
    let folder = scratch("growth")?;
    let (mut largest, mut grown) = (0, String::new());
    for row in ROWS {
        let template = Template::new(row.statements, row.arrangement);
        // The compiler's start does not count.
        let counts = [1, row.repetitions, 2 * row.repetitions]
            .map(|count| instructions(sonc, &folder, &template.text(count), row.options));
        let [none, one, two] = counts;
        let (none, one, two) = (none?, one?, two?);
        let growth = 100 * (two - none) / (one - none).max(1);
        largest = largest.max(growth);
        if growth > GROWTH {
            grown += &format!("{template}: {one} instructions, for twice as many {two}\n");
        }
    }
    match grown.is_empty() {
        true => Ok(format!("twice the length takes at most {largest} % of the instructions")),
        false => Err(grown),
    }
}

/// The executed instructions of a compilation.
fn instructions(sonc: &Path, folder: &Path, text: &str, options: &[&str]) -> Result<u64, String> {
    let source = folder.join("template.smp");
    fs::write(&source, text).map_err(|err| err.to_string())?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    command.arg(sonc).arg("build").args(options).arg(&source);
    command.arg("-o").arg(folder.join("template"));
    let output = command.output().map_err(|err| format!("valgrind: {err}"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    // `I refs:`, or `I   refs:` in older versions.
    let mut counts = report.lines().filter_map(|line| line.split_once("refs:"));
    let count = counts.find(|(name, _)| name.trim_end().ends_with('I'));
    let count = count.map(|(_, count)| count.trim().replace(',', "").parse().ok());
    match count.flatten().filter(|_| output.status.success()) {
        Some(count) => Ok(count),
        None => Err(format!("{text}{report}")),
    }
}

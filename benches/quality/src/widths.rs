//! Programs with integers of 32 and of 64 bits, beside the same texts in C with `int` and with
//! `long long`.
use super::compilers::{BASE, COMPILERS, compile, options, rules};
use super::measure::{Program, execute_words};
use super::{geometric_mean, ratio};
use emulate::Termination;
use sonc::Options;
use std::fmt::Write;

/// Executed instructions of a program: ours and gcc's, with 32 and with 64 bits.
struct Row {
    name: String,
    instructions: [Option<u64>; 4],
}

/// A table of the programs that are one text in both languages, without objects and floats. A
/// program that does not end with 64 bits is left out.
pub fn table(programs: &[Program]) -> String {
    let is_of_integers = |it: &&Program| it.in_c.is_none() && !it.has_floats();
    let rows: Vec<Row> = programs.iter().filter(is_of_integers).filter_map(Row::new).collect();
    let mut table =
        "| program | 32 bits | gcc, `int` | ratio | 64 bits | gcc, `long long` | ratio |\n\
                     |---|--:|--:|--:|--:|--:|--:|\n"
            .to_string();
    for row in &rows {
        let [ours, theirs, wide, their_wide] =
            row.instructions.map(|it| it.map_or("–".to_string(), |count| count.to_string()));
        let [narrow_ratio, wide_ratio] = [0, 2].map(|at| ratio(row.ratio(at)));
        let name = &row.name;
        let text = format!(
            "| {name} | {ours} | {theirs} | {narrow_ratio} | {wide} | {their_wide} | {wide_ratio} |"
        );
        writeln!(table, "{text}").expect("a string can be written");
    }
    let [narrow, wide] =
        [0, 2].map(|at| ratio(geometric_mean(rows.iter().filter_map(|row| row.ratio(at)))));
    table + &format!("| geometric mean | | | {narrow} | | | {wide} |\n")
}

impl Row {
    /// None if the program does not end.
    fn new(program: &Program) -> Option<Row> {
        let rules = rules();
        let ours = [32, 64].map(|bits| {
            let options = Options { int: sonc::Width(bits), ..options(&rules) };
            Some(compile(&program.text, options).0)
        });
        let theirs = ["int", "long long"].map(|int| {
            let text = format!("#define int {int}\nint simple(int arg) {{\n{}}}\n", program.text);
            let in_c = Program { in_c: Some(text), name: String::new(), text: String::new() };
            COMPILERS[BASE].executable(&in_c)
        });
        let [narrow, wide] = ours;
        let [their_narrow, their_wide] = theirs;
        let mut results = Vec::new();
        let mut instructions = [None; 4];
        for (at, executable) in [narrow, their_narrow, wide, their_wide].into_iter().enumerate() {
            let Some(executable) = executable else { continue };
            let (ends, count) = execute_words(&executable, &arguments(program, at >= 2));
            if !ends.iter().all(|it| matches!(it, Termination::Value(_))) {
                return None;
            }
            instructions[at] = Some(count);
            results.push((at >= 2, ends));
        }
        for (is_wide, ends) in &results {
            let first = results.iter().find(|it| it.0 == *is_wide);
            assert_eq!(first.map(|it| &it.1), Some(ends), "{}", program.name);
        }
        Some(Row { name: program.name.clone(), instructions })
    }

    /// Our instructions relative to gcc's, with 32 bits at 0 and with 64 at 2.
    fn ratio(&self, at: usize) -> Option<f64> {
        Some(self.instructions[at]? as f64 / self.instructions[at + 1]? as f64)
    }
}

/// The words of each argument. The third word of a wide one is for the high word of the result.
fn arguments(program: &Program, is_wide: bool) -> Vec<Vec<i32>> {
    let words = |argument: i32| match is_wide {
        true => vec![argument, argument >> 31, 0],
        false => vec![argument],
    };
    program.arguments().into_iter().map(words).collect()
}

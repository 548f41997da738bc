//! Programs with variables of type `int`, which has 64 bits, and of type `i32`: how many values are
//! single words, and the executed instructions beside those of the same texts in C.
use super::compilers::{BASE, COMPILERS, compile, options, rules};
use super::measure::{Program, execute_words};
use super::{geometric_mean, ratio};
use emulate::Termination;
use sonc::{Halt, Options, Source, StageObserver, Width};
use std::fmt::Write;

/// A program of which all variables have one type.
struct Version {
    /// The number of values of 64 bits that are single words, and that of all.
    single: [usize; 2],
    instructions: u64,
    /// Those of gcc's code; none if gcc is not installed.
    of_gcc: Option<u64>,
}

/// A row of the table.
struct Row {
    name: String,
    int: Version,
    /// None if its intermediate results do not fit 32 bits, so that the text in C has other ones.
    word: Option<Version>,
    /// The executed instructions if `int` itself has 32 bits.
    words_only: u64,
}

/// A table of the programs that are one text in both languages, without objects and floats. A
/// program that does not end with 64 bits is left out.
pub fn table(programs: &[Program]) -> String {
    let is_of_integers = |it: &&Program| it.in_c.is_none() && !it.has_floats();
    let rows: Vec<Row> = programs.iter().filter(is_of_integers).filter_map(Row::new).collect();
    let mut table = "| program | single: `int` | `i32` | `int` | gcc, `long long` | ratio | `i32` \
                     | gcc, `int` | ratio | `--int 32` | ratio |\n\
                     |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
        .to_string();
    rows.iter().for_each(|row| writeln!(table, "{}", row.line()).expect("a string can be written"));
    let mean = |of: &dyn Fn(&Row) -> Option<f64>| ratio(geometric_mean(rows.iter().filter_map(of)));
    let shares = [
        share(rows.iter().map(|it| &it.int)),
        share(rows.iter().filter_map(|it| it.word.as_ref())),
    ];
    let means = [
        mean(&|it| it.int.ratio()),
        mean(&|it| it.word.as_ref()?.ratio()),
        mean(&Row::ratio_to_words_only),
    ];
    let [int, word] = shares;
    let [wide, narrow, words_only] = means;
    table
        + &format!(
            "| **all values; geometric means** | {int} | {word} | | | {wide} | | | {narrow} | \
             | {words_only} |\n"
        )
}

/// The share of values that are single words.
fn share<'v>(versions: impl Iterator<Item = &'v Version>) -> String {
    let sum =
        versions.fold([0, 0], |[single, all], it| [single + it.single[0], all + it.single[1]]);
    format!("{:.0} %", 100.0 * sum[0] as f64 / sum[1] as f64)
}

impl Row {
    /// None if the program does not end.
    fn new(program: &Program) -> Option<Row> {
        let (_, int) = Version::new(program, ["int", "long long"])?;
        let (agrees, word) = Version::new(program, ["i32", "int"])?;
        let rules = rules();
        let words_only = compile(&program.text, options(&rules)).0;
        let arguments: Vec<_> = program.arguments().iter().map(|&it| vec![it]).collect();
        let words_only = execute_words(&words_only, &arguments).1;
        let word = agrees.then_some(word);
        Some(Row { name: program.name.clone(), int, word, words_only })
    }

    fn line(&self) -> String {
        let versions = [Some(&self.int), self.word.as_ref()];
        let missing = || "–".to_string();
        let [int, word] = versions.map(|it| {
            let gcc = it.and_then(|it| it.of_gcc).map_or_else(missing, |it| it.to_string());
            let ours = it.map_or_else(missing, |it| it.instructions.to_string());
            format!("{ours} | {gcc} | {}", ratio(it.and_then(Version::ratio)))
        });
        let shares = versions.map(|it| it.map_or_else(missing, |it| share([it].into_iter())));
        let [single, single_word] = shares;
        let Row { name, words_only, .. } = self;
        let to_words_only = ratio(self.ratio_to_words_only());
        let narrow = format!("{single} | {single_word}");
        format!("| {name} | {narrow} | {int} | {word} | {words_only} | {to_words_only} |")
    }

    /// The instructions with `i32`, relative to those with an `int` of 32 bits.
    fn ratio_to_words_only(&self) -> Option<f64> {
        Some(self.word.as_ref()?.instructions as f64 / self.words_only as f64)
    }
}

impl Version {
    /// The program with a type for its variables in Simple and one in C, and whether both texts
    /// have the same results. None if the program does not end.
    fn new(program: &Program, [simple, c]: [&str; 2]) -> Option<(bool, Version)> {
        let rules = rules();
        let options = Options { int: Width(64), ..options(&rules) };
        let text = with_type(&program.text, simple);
        let source = Source { name: program.name.clone(), text: text.clone() };
        let single = sonc::single_values(&source, options, &mut Nothing);
        let single = single.unwrap_or_else(|_| panic!("{} is valid", program.name));
        let (ends, instructions) =
            execute_words(&compile(&text, options).0, &arguments(program, true));
        let text = format!("#define int {c}\nint simple(int arg) {{\n{}}}\n", program.text);
        let in_c = Program { in_c: Some(text), name: String::new(), text: String::new() };
        let theirs = COMPILERS[BASE].executable(&in_c);
        let theirs = theirs.map(|it| execute_words(&it, &arguments(program, c != "int")));
        let is_value = |it: &Termination| matches!(it, Termination::Value(_));
        let mut of_both = ends.iter().chain(theirs.iter().flat_map(|it| &it.0));
        if !of_both.all(is_value) {
            return None;
        }
        let agrees = theirs.as_ref().is_none_or(|it| it.0 == ends);
        assert!(agrees || c == "int", "{}: {ends:?} in Simple", program.name);
        Some((agrees, Version { single, instructions, of_gcc: theirs.map(|it| it.1) }))
    }

    /// Our instructions relative to gcc's.
    fn ratio(&self) -> Option<f64> {
        Some(self.instructions as f64 / self.of_gcc? as f64)
    }
}

/// The text with variables of a type; the argument is one of them.
fn with_type(text: &str, name: &str) -> String {
    let words = text.split_inclusive(|it: char| !it.is_alphanumeric());
    let renamed = words.map(|word| {
        let end = word.trim_end_matches(|it: char| !it.is_alphanumeric());
        let replacement = match end {
            "int" => name,
            "arg" => "argument",
            other => other,
        };
        replacement.to_string() + &word[end.len()..]
    });
    format!("{name} argument = arg;\n{}", renamed.collect::<String>())
}

/// Observes nothing.
struct Nothing;

impl StageObserver for Nothing {
    fn stage_done(&mut self, _: sonc::Stage, _: &dyn sonc::Artifact) -> Result<(), Halt> {
        Ok(())
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

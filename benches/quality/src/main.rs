//! Compares sonc's machine code with that of C compilers: executed instructions, and bytes.
#[path = "../../../src/main/c_programs.rs"]
mod c_programs;
mod checks;
mod compilers;
mod generate;
mod measure;
mod plot;
mod savings;
mod time;
mod widths;

use compilers::{BASE, COMPILERS};
use measure::{Measured, Program, measure, programs};
use std::fmt::Write;
use std::path::Path;

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    if let [checks, name] = &words[..]
        && checks == "checks"
    {
        let mut chosen = programs();
        chosen.retain(|it| it.name.starts_with(name.as_str()));
        let measured: Vec<Measured> = chosen.iter().map(measure).collect();
        print!("{}", checks::table(&chosen, &measured));
        return;
    }
    if let [mixed, statements, variables] = &words[..]
        && mixed == "mixed"
    {
        let [statements, variables] =
            [statements, variables].map(|it| it.parse().expect("a number"));
        print!("{}", generate::mixed(statements, variables));
        return;
    }
    let mut programs = programs();
    if words == ["large"] {
        print!("{}", large(&programs));
        return;
    }
    if words == ["savings"] {
        print!("{}", savings::table(&programs));
        return;
    }
    if words == ["widths"] {
        print!("{}", widths::table(&programs));
        return;
    }
    if let [like, part] = &words[..]
        && like == "like"
    {
        programs.retain(|it| it.name.contains(part.as_str()));
        print!("{}", table(&programs.iter().map(measure).collect::<Vec<_>>()));
        return;
    }
    let measured: Vec<Measured> = programs.iter().map(measure).collect();
    let table = table(&measured);
    println!("{table}");
    if let Some(folder) = words.first() {
        let checks = checks::table(&programs, &measured);
        let widths = widths::table(&programs);
        let write = |name: &str, text: String| {
            let path = Path::new(folder).join(name);
            std::fs::write(&path, text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        };
        let parts = [table, checks, large(&programs), widths, savings::table(&programs)];
        write("quality.md", page(&parts));
        write("quality.svg", plot::plot(&measured));
    }
}

/// The page with these tables: all programs, checks, large arguments, widths, savings.
fn page([table, checks, large, widths, savings]: &[String; 5]) -> String {
    let versions: Vec<_> = COMPILERS.iter().filter_map(|it| it.version()).collect();
    let mut unique = versions.clone();
    unique.dedup();
    format!(
        "# Quality of the machine code\n\nWritten by `cargo run --release -p quality -- docs`. \
         Executed instructions of sonc's code, and those of other compilers \
         relative to gcc -O2; [the programs](../benches/quality/programs) are the same texts in \
         Simple and C. *Time* is sonc's user time relative to gcc -O2's, executed in turn on one \
         host: unlike the other numbers, it depends on the host. Compilers: {}.\n\n\
         ![The ratios of all programs](quality.svg)\n\n{table}\n\
         {CHECKS}{checks}{CHECKS_LEFT}\n{LARGE}{large}\n{WIDTHS}{widths}\n{SAVINGS}{savings}\n\
         {LISTS_AND_FLOATS}",
        unique.join("; ")
    )
}

/// The reasons of the checks that stay.
const CHECKS_LEFT: &str = "\n\
Where more than a tenth of the checks stays, the index is a number from memory or a counter that no
test bounds (*interpreter*, *quicksort*, *queens*); a row or a column of a matrix whose size may
overflow (*product unbounded*; with a test of the size, as in *product*, all go) or a neighbour in
one (*life*, also with such a test); a sum of two variables (*search*); a counter that takes four
steps while that of the test takes three, or `i + 1` below a test of `i + 2` (*base64*); or a
counter whose next value is computed above the check that bounds it (*partition*). What would remove
most of them is a second copy of the loop, which is entered if a test in front of it shows that no
check fails. That would double the code of the loops; no pass copies a loop.
";

/// The introduction of the table of checks.
const CHECKS: &str = "\
## Arrays and their checks

gcc has no checks in the first table. Here it also has those of `-fsanitize=bounds`, which end the
program without a message. *Written* are the checks that are executed without optimization,
*executed* those with it. The four ratios are those of executed instructions and of times.

";

/// The introduction of the tables of large arguments.
const LARGE: &str = "\
## Large arguments

The same for some of these programs with one large argument, which is behind the name: the work of a
loop without that around it.

";

/// The introduction of the table of widths.
const WIDTHS: &str = "\
## Integers of 64 and of 32 bits

The programs without objects and floats, where an `int` has 64 bits: as they are, and with `i32` as
the type of all variables. *Single* is the share of the values of 64 bits that need one word only,
without constants; sums and products of `i32` have 64 bits. gcc -O2 has `long long` and `int` for
them. The last two columns are sonc's instructions with an `int` of 32 bits (`--int 32`), and those
with `i32` relative to them.

";

/// The introduction of the table of savings.
const SAVINGS: &str = "\
## The savings of each method and rewrite

Executed instructions of sonc's code for the same programs, if something is switched off: the
geometric mean, the number of programs that execute at least 1 % more, and the program for which it
matters most. The first row is without all rewrites
(`--no-opt`). Three rows have a simpler method, in brackets, in place of another. The next rows are
without some rules of the machine. The others are without one rewrite (`--without NAME`; `sonc
rules` prints their laws), if the mean changes by a thousandth or more. Several rewrites find the
same redundancy, so the sum of their savings is not the saving of all.

Where a minus stands, but for *add-sort*, the purpose is time, which this table does not show: a
product and some shifts are to take less than one division, and *if-conversion* and `cmov` compute
both values so that no branch can be predicted wrongly.

";

/// The instructions that loops over memory and floats have more, or fewer, than those of gcc -O2.
const LISTS_AND_FLOATS: &str = "\
## Lists and floats

The differences to gcc -O2 in the loops over memory and floats:

- *list sum*: five instructions in the inner loop, as many as gcc has. The load of the value is an
  operand of the addition, but the reference to the next node has a register of its own.
- *list reversal*: the same number.
- *floats accumulate*: twenty-one, and gcc has seventeen. The code after the loop uses the fields,
  too, so their loads are before the test of the loop, and no addition has its operand in memory.
- *floats mandelbrot*: the same number. *floats polynomial*: fewer, since gcc adds the truth value
  of a comparison, and sonc chooses between two sums.
";

/// The programs with large arguments, beside other compilers and beside gcc with checks.
fn large(programs: &[Program]) -> String {
    let programs: Vec<_> = programs.iter().filter_map(Program::enlarged).collect();
    let measured: Vec<_> = programs.iter().map(measure).collect();
    let means = means("geometric mean", &measured, |_| true);
    rows(&measured) + &means + "\n" + &checks::table(&programs, &measured)
}

/// One row for each program, and the geometric means.
fn table(measured: &[Measured]) -> String {
    rows(measured)
        + &means("geometric mean", measured, |_| true)
        + &means("… of programs", measured, |it| !it.is_generated())
        + &means("… of arrays", measured, Measured::is_of_arrays)
        + &means("… of lists and floats", measured, Measured::is_of_lists_or_floats)
        + &means("… of generated programs", measured, Measured::is_generated)
}

/// The head of the table, and one row for each program.
fn rows(measured: &[Measured]) -> String {
    let mut text = String::from("| program | gcc -O2 | sonc |");
    let heads = COMPILERS.iter().map(|it| it.name).chain(["bytes: gcc -O2", "bytes: sonc"]);
    text = heads.skip(1).fold(text + " ratio | time |", |text, head| text + &format!(" {head} |"));
    text += "\n";
    text += &format!("|---|{}\n", "--:|".repeat(COMPILERS.len() + 5));
    for it in measured {
        let count = |at: usize| it.instructions[at].map_or("–".into(), |it| it.to_string());
        let bytes = |at: usize| it.bytes[at].map_or("–".into(), |it| it.to_string());
        write!(text, "| {} | {} | {} |", it.name, count(BASE), count(0)).expect("text grows");
        text += &format!(" {} | {} |", ratio(it.ratio(0)), ratio(it.time));
        for at in 1..COMPILERS.len() {
            text += &format!(" {} |", ratio(it.ratio(at)));
        }
        text += &format!(" {} | {} |\n", bytes(BASE), bytes(0));
    }
    text
}

/// The geometric means of the ratios of some programs; for bytes, that of sonc's to gcc -O2's.
fn means(name: &str, measured: &[Measured], chosen: fn(&Measured) -> bool) -> String {
    let chosen: Vec<_> = measured.iter().filter(|it| chosen(it)).collect();
    let mean = |of: &dyn Fn(&Measured) -> Option<f64>| {
        geometric_mean(chosen.iter().filter_map(|it| of(it)))
    };
    let others = (1..COMPILERS.len()).map(|at| mean(&|it| it.ratio(at)));
    let ratios = [mean(&|it| it.ratio(0)), mean(&|it| it.time)].into_iter().chain(others);
    let ratios: String = ratios.map(|it| format!(" {} |", ratio(it))).collect();
    format!("| **{name}** | | |{ratios} | {} |\n", ratio(mean(&Measured::byte_ratio)))
}

/// None of no numbers.
fn geometric_mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<_> = numbers.map(f64::ln).collect();
    let count = logarithms.len() as f64;
    (count > 0.0).then(|| (logarithms.iter().sum::<f64>() / count).exp())
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or("–".into(), |ratio| format!("{ratio:.2}"))
}

#[cfg(test)]
mod tests;

//! The checks of arrays: how many are executed, and what they cost beside gcc's.
use super::compilers::{CHECKED, options, rules};
use super::geometric_mean;
use super::measure::{Measured, Program, execute, runs, sum};
use super::{ratio, time};
use sonc::{Artifact, Halt, Options, Source, Stage, StageObserver};
use std::collections::HashMap;
use std::fmt::Write;

/// The functions that report a failed check.
const REPORTS: [&str; 2] = ["call out_of_bounds", "call no_length"];

/// A row for each program with arrays.
pub fn table(programs: &[Program], measured: &[Measured]) -> String {
    let mut text = String::from(
        "| program | checks: written | executed | left | gcc -O2 | with checks | time: gcc -O2 | \
         with checks |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let of_arrays = programs.iter().zip(measured).filter(|it| it.1.is_of_arrays());
    let rows: Vec<_> = of_arrays.map(|(program, measured)| Row::new(program, measured)).collect();
    for row in &rows {
        let Row { name, written, executed, .. } = row;
        let left = 100.0 * *executed as f64 / *written as f64;
        write!(text, "| {name} | {written} | {executed} | {left:.1} % |").expect("text grows");
        row.ratios.iter().for_each(|it| text += &format!(" {} |", ratio(*it)));
        text.push('\n');
    }
    text += "| **geometric mean** | | | |";
    for at in 0..4 {
        let mean = geometric_mean(rows.iter().filter_map(|it| it.ratios[at]));
        text += &format!(" {} |", ratio(mean));
    }
    text + "\n"
}

struct Row {
    name: String,
    /// The checks that are executed without optimization.
    written: u64,
    executed: u64,
    /// Those of executed instructions to gcc without and with checks, and those of times.
    ratios: [Option<f64>; 4],
}

impl Row {
    fn new(program: &Program, measured: &Measured) -> Row {
        let rules = rules();
        let usual = options(&rules);
        let checked = CHECKED.executable(program).map(|it| execute(&it, &program.arguments()));
        let of_checked = checked.as_ref().map(|it| it.1);
        let time = checked.and_then(|(results, instructions)| {
            time::ratio(program, &CHECKED, instructions, sum(&results))
        });
        let instructions = measured.instructions[0].expect("sonc is always there") as f64;
        let to_checked = of_checked.map(|it| instructions / it as f64);
        Row {
            name: program.name.clone(),
            written: executed_checks(program, Options { optimize: false, ..usual }),
            executed: executed_checks(program, usual),
            ratios: [measured.ratio(0), to_checked, measured.time, time],
        }
    }
}

/// The number of checks that a program executes for all its arguments.
pub fn executed_checks(program: &Program, options: Options) -> u64 {
    let source = Source { name: "program".into(), text: program.text.clone() };
    let mut listing = Listing(String::new());
    let executable = match sonc::compile(&source, options, &mut listing) {
        Ok(executable) => executable.bytes,
        Err(halt) => panic!("the program is valid: {halt:?}"),
    };
    let start = elf::read(&executable).expect("the file is valid");
    let start = start.symbols.iter().find(|it| it.name == "simple").expect("it is there").address;
    let checks = checks(&listing.0);
    let is_check = |address: u32| address.checked_sub(start).is_some_and(|it| checks.contains(&it));
    let runs = runs(&executable, &program.arguments());
    let executed = runs.iter().flat_map(|it| &it.executed).filter(|it| is_check(it.0));
    executed.map(|it| it.1).sum()
}

/// The offsets of the branches to a report, in a listing of machine code with one function.
fn checks(listing: &str) -> Vec<u32> {
    let lines: Vec<_> = listing.lines().filter_map(instruction).collect();
    let places: HashMap<u32, usize> = lines.iter().zip(0..).map(|(it, at)| (it.0, at)).collect();
    let branches = lines.iter().enumerate().filter_map(|(at, (offset, text))| {
        let target = places[&target(text).filter(|_| !is_goto(text))?];
        let mut sides = [target, at + 1].into_iter();
        sides.any(|side| leads_to_report(&lines, &places, side)).then_some(*offset)
    });
    branches.collect()
}

/// Whether a report is called without another branch before.
fn leads_to_report(lines: &[(u32, String)], places: &HashMap<u32, usize>, mut at: usize) -> bool {
    // As many steps as there are lines lead everywhere.
    for _ in lines {
        let text = lines[at].1.as_str();
        if REPORTS.contains(&text) {
            return true;
        }
        at = match target(text) {
            Some(target) if is_goto(text) => places[&target],
            None if text != "ret" => at + 1,
            _ => return false,
        };
    }
    false
}

fn is_goto(text: &str) -> bool {
    text.starts_with("jmp")
}

/// The offset that a jump leads to.
fn target(text: &str) -> Option<u32> {
    u32::from_str_radix(text.rsplit_once(" 0x")?.1, 16).ok().filter(|_| text.starts_with('j'))
}

/// The offset and the text of an instruction, which follows its bytes.
fn instruction(line: &str) -> Option<(u32, String)> {
    let mut words = line.split_whitespace();
    let offset = u32::from_str_radix(words.next()?, 16).ok()?;
    let is_byte = |word: &&str| word.len() == 2 && u8::from_str_radix(word, 16).is_ok();
    Some((offset, words.skip_while(is_byte).collect::<Vec<_>>().join(" ")))
}

struct Listing(String);

impl StageObserver for Listing {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage == Stage::Bytes {
            self.0 = artifact.listing();
        }
        Ok(())
    }
}

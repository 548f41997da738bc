//! `sonc run --count`: how many instructions were executed for each line of the program.
use crate::Job;
use crate::arguments::Run;
use crate::beside::{Beside, Executed};
use crate::c_programs::FUNCTION;
use crate::explore::Collector;
use crate::files::{Failure, Outcome, say};
use crate::running::print_run;
use sonc::Stage;
use std::ops::Range;

/// The instructions of a function, with their offsets and the places they were made for.
#[derive(Default)]
struct Listing {
    /// The name, if the listing has one.
    name: Option<String>,
    instructions: Vec<(u32, Vec<Range<usize>>)>,
}

impl Run {
    /// Runs the program in the emulator, prints its result, and then its text with the number of
    /// executed instructions before each line.
    pub fn execute_and_count(&self) -> Outcome {
        self.compile.target.check_reaches(Stage::Elf)?;
        let job = Job::new(&self.compile)?;
        let arguments = job.arguments(&self.arguments)?;
        let mut collector = Collector::new("", &job.source.text, None);
        collector.asks_for_steps = false;
        let executable = job.compile_observed(&mut collector)?;
        let executable = executable.expect("no stage stops the compilation");
        let beside = self.beside(&job)?;
        let bytes = collector.page.stages.iter().find(|it| it.name == Stage::Bytes.name());
        let bytes = bytes.expect("it comes before the executable");
        let listings = listings(&bytes.text, &bytes.lines);
        let words: Vec<_> = arguments.iter().map(i64::to_string).collect();
        let run = emulate::run(&executable, &words, self.limit);
        let counts = Counts::new(&job.source.text, &listings, &executable, &run.executed)?;
        let (functions, result) = (run.functions.clone(), run.output.trim_end().to_string());
        let ended = print_run(run, self.limit);
        say(&text_with_counts(&job.source.text, &counts.lines, counts.others));
        let Some(beside) = beside else {
            say(&functions.iter().map(|(name, count)| row(*count, name)).collect::<String>());
            return ended;
        };
        ended?;
        let executed = beside.run(&arguments, self.limit)?;
        say(&format!("\n{} by gcc -O2:\n", beside.name));
        say(&text_with_counts(&beside.text, &executed.lines, executed.others));
        say(&two_columns(&compiled(functions, &listings), &executed.functions));
        same_result(&result, &executed, &beside)
    }

    /// The program in C, if there is one.
    fn beside(&self, job: &Job) -> Result<Option<Beside>, Failure> {
        let Some(path) = &self.beside else { return Ok(None) };
        if self.compile.int != sonc::INT {
            let reason = "a program in C has an `int` of 32 bits: use `--beside` without `--int`";
            return Err(Failure::Usage(reason.to_string()));
        }
        Beside::compile(path, job.source.text.contains("flt ")).map(Some)
    }
}

/// Two programs with different results are not compared by their instructions.
fn same_result(result: &str, executed: &Executed, beside: &Beside) -> Outcome {
    if result == executed.result.to_string() {
        return Ok(());
    }
    let (name, other) = (&beside.name, executed.result);
    Err(Failure::Message(format!("`{name}` is another program: its result is {other}")))
}

/// The functions in a listing of machine code, whose lines have these places.
fn listings(text: &str, places: &[Vec<Range<usize>>]) -> Vec<Listing> {
    let mut listings = vec![Listing::default()];
    for (line, places) in text.lines().zip(places) {
        if let Some(name) = line.strip_suffix(':') {
            let name = Some(name.to_string());
            listings.push(Listing { name, ..Listing::default() });
        } else if let Some(offset) = line.split_whitespace().next() {
            let offset = u32::from_str_radix(offset, 16).expect("a line begins with its offset");
            let last = listings.last_mut().expect("there is a first one");
            last.instructions.push((offset, places.clone()));
        }
    }
    listings
}

/// The numbers of executed instructions.
struct Counts {
    /// For each line of the program.
    lines: Vec<u64>,
    /// Those before the first instruction of a function that was made for a line. Other copies and
    /// jumps count for the line of the instruction before them.
    others: u64,
}

impl Counts {
    fn new(
        text: &str,
        listings: &[Listing],
        executable: &[u8],
        executed: &[(u32, u64)],
    ) -> Result<Counts, Failure> {
        let image = elf::read(executable).map_err(|error| Failure::Message(error.to_string()))?;
        let first = image.symbols.iter().find(|it| it.name == FUNCTION);
        let mut counts = Counts { lines: vec![0; text.lines().count().max(1)], others: 0 };
        for Listing { name, instructions } in listings {
            let symbol = image.symbols.iter().find(|it| Some(&it.name) == name.as_ref());
            let Some(symbol) = symbol.or(first) else { continue };
            let mut line = None;
            for (offset, places) in instructions {
                let address = symbol.address + offset;
                let at = executed.binary_search_by_key(&address, |it| it.0);
                let count = at.map_or(0, |at| executed[at].1);
                let own = places.first().map(|place| text[..place.start].matches('\n').count());
                line = own.or(line);
                *line.map_or(&mut counts.others, |line| &mut counts.lines[line]) += count;
            }
        }
        Ok(counts)
    }
}

/// The program with the number of executed instructions before each line.
fn text_with_counts(program: &str, lines: &[u64], others: u64) -> String {
    let mut text = String::new();
    for (count, line) in lines.iter().zip(program.lines()) {
        let count = if *count == 0 { String::new() } else { count.to_string() };
        text += format!("{count:>12}  {line}").trim_end();
        text.push('\n');
    }
    text + &format!("{others:>12}  of no line\n")
}

fn row(count: u64, function: &str) -> String {
    format!("{count:>12}  in {function}\n")
}

/// The functions that have a listing: the others start the executable.
fn compiled(mut functions: Vec<(String, u64)>, listings: &[Listing]) -> Vec<(String, u64)> {
    let names: Vec<_> = listings.iter().filter_map(|it| it.name.as_deref()).collect();
    functions.retain(|(name, _)| name == FUNCTION || names.contains(&name.as_str()));
    functions
}

/// The functions of both programs, with the number of executed instructions in each.
fn two_columns(ours: &[(String, u64)], others: &[(String, u64)]) -> String {
    let only = others.iter().filter(|(name, _)| count_of(ours, name).is_none());
    let mut text = format!("\n{:>12}{:>12}\n", "sonc", "gcc -O2");
    for (name, _) in ours.iter().chain(only) {
        let cell = |counts| count_of(counts, name).map_or("–".to_string(), |it| it.to_string());
        text += &format!("{:>12}{:>12}  in {name}\n", cell(ours), cell(others));
    }
    let total = |counts: &[(String, u64)]| counts.iter().map(|it| it.1).sum::<u64>();
    text + &format!("{:>12}{:>12}  in all\n", total(ours), total(others))
}

fn count_of(counts: &[(String, u64)], function: &str) -> Option<u64> {
    counts.iter().find(|(name, _)| name == function).map(|it| it.1)
}

//! `sonc compare`: one program, compiled with several configurations side by side.
use crate::Job;
use crate::arguments::{Compile, Explore, Run, stage};
use crate::files::{Failure, Outcome, print, shown};
use crate::results;
use clap::{Args, Parser};
use emulate::Termination;
use explorer::Comparison;
use host::Output;
use sonc::{Halt, Source, Stage};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Compare {
    /// The program; `-` is standard input
    #[arg(required_unless_present = "text")]
    pub file: Option<PathBuf>,
    /// The program itself, instead of a file
    #[arg(short = 'e', value_name = "TEXT", conflicts_with = "file")]
    pub text: Option<String>,
    /// A configuration: options of `run` without their dashes, as in 'select=greedy no-opt'
    #[arg(long = "with", value_name = "OPTIONS")]
    pub configurations: Vec<String>,
    /// The program's argument; 0 without it
    #[arg(long = "arg", value_name = "N", allow_negative_numbers = true)]
    pub arguments: Vec<i64>,
    /// Print this stage of each configuration, too
    #[arg(long, value_parser = stage())]
    pub stage: Option<Stage>,
    /// The number of instructions after which the emulator ends
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub limit: u64,
    /// Write two configurations side by side as one page for a browser, too: numbers, texts, graphs
    #[arg(long, value_name = "FILE.html")]
    pub page: Option<PathBuf>,
}

/// The options of a configuration.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Configuration {
    #[command(flatten)]
    run: Run,
}

/// The numbers of a configuration, one for each row.
struct Column {
    name: String,
    /// The lines of the text of each stage.
    lines: Vec<(Stage, usize)>,
    /// The bytes of the compiled functions.
    bytes: usize,
    executed: String,
    result: String,
    /// The text of the stage that is printed.
    text: String,
}

/// The stages whose sizes are compared.
const STAGES: [Stage; 4] = [Stage::Sea, Stage::Firm, Stage::Lowered, Stage::Allocated];

impl Compare {
    pub fn execute(self) -> Outcome {
        let standard = String::new();
        let names: Vec<_> = match &self.configurations[..] {
            [] => return Err(Failure::Usage("a comparison needs `--with OPTIONS`".to_string())),
            [one] => vec![&standard, one],
            several => several.iter().collect(),
        };
        // Standard input can be read once.
        let source = &self.compile(names[0])?.program()?;
        let columns = names.iter().map(|name| self.column(name, source));
        let columns = columns.collect::<Result<Vec<_>, Failure>>()?;
        if let Some(path) = &self.page {
            self.write_page(path, source, &names, &columns)?;
        }
        print(&table(&columns))?;
        let texts = columns.iter().filter(|_| self.stage.is_some());
        let texts: Vec<_> = texts.map(|it| (it.name.as_str(), it.text.as_str())).collect();
        if texts.is_empty() { Ok(()) } else { print(&side_by_side(&texts)) }
    }

    /// Writes the page of two configurations.
    fn write_page(
        &self,
        path: &Path,
        source: &Source,
        names: &[&String],
        columns: &[Column],
    ) -> Outcome {
        let ([one, other], [first, second]) = (names, columns) else {
            let reason = "a page shows two configurations: one or two `--with OPTIONS`";
            return Err(Failure::Usage(reason.to_string()));
        };
        let inputs: Vec<_> = self.file.iter().map(PathBuf::as_path).collect();
        let output = Output::new(Some(path), &inputs)?;
        let mut page = self.explored(other, source)?;
        page.title = format!("{}: {} beside {}", page.title, second.name, first.name);
        page.comparison = Some(Comparison {
            name: first.name.clone(),
            stages: self.explored(one, source)?.stages,
            columns: columns.iter().map(|it| it.name.clone()).collect(),
            rows: rows(columns),
        });
        output.write_text(&page.html())?;
        print(&format!("both configurations: {}\n", shown(path)))
    }

    /// The stages of a configuration.
    fn explored(&self, name: &str, source: &Source) -> Result<explorer::Page, Failure> {
        let arguments = self.arguments.clone();
        let explore = Explore { compile: self.compile(name)?, arguments, output: None };
        explore.page(&Job { source: source.clone(), ..explore.job()? })
    }

    /// Compiles and runs the program with a configuration.
    fn column(&self, name: &str, source: &Source) -> Result<Column, Failure> {
        let compile = self.compile(name)?;
        compile.target.check_reaches(Stage::Elf)?;
        let job = Job { source: source.clone(), ..Job::new(&compile)? };
        let arguments = job.arguments(&self.arguments)?;
        let (mut lines, mut bytes, mut text) = (Vec::new(), 0, String::new());
        let executable = job.compile(&mut |stage, artifact| {
            if STAGES.contains(&stage) {
                let text = if stage == Stage::Sea { artifact.listing() } else { artifact.print() };
                lines.push((stage, text.lines().count()));
            }
            if stage == Stage::Bytes {
                bytes = count_bytes(&artifact.print());
            }
            if self.stage == Some(stage) {
                text = artifact.print();
            }
            Ok::<(), Halt>(())
        })?;
        let executable = executable.expect("no stage stops the compilation");
        let words: Vec<_> = arguments.iter().map(i64::to_string).collect();
        let run = emulate::run(&executable, &words, self.limit);
        let own = run.functions.iter().filter(|(function, _)| function != "_start");
        let executed: u64 = own.map(|(_, count)| count).sum();
        let result = match &run.end {
            Termination::Value(0) => run.output.trim_end().replace('\n', " "),
            Termination::Value(_) => run.errors.trim_end().to_string(),
            end => results::values(&end.clone().into()).unwrap_or_else(|reason| reason),
        };
        let name = if name.is_empty() { "standard" } else { name };
        let (name, executed) = (name.to_string(), executed.to_string());
        Ok(Column { name, lines, bytes, executed, result, text })
    }

    /// The options of a configuration, read as those of `run`.
    fn compile(&self, configuration: &str) -> Result<Compile, Failure> {
        let options = configuration.split_whitespace().map(|it| format!("--{it}"));
        let program = match (&self.file, &self.text) {
            (Some(file), _) => vec![file.clone().into_os_string()],
            (None, Some(text)) => vec!["-e".into(), text.into()],
            (None, None) => Vec::new(),
        };
        let words = options.map(Into::into).chain(program);
        let parsed = Configuration::try_parse_from(words);
        let parsed = parsed.map_err(|error| {
            let text = error.to_string();
            let reason = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Failure::Usage(format!("in `--with '{configuration}'`: {reason}"))
        })?;
        Ok(parsed.run.compile)
    }
}

/// The bytes in a listing of machine code: the pairs of digits after the offset of each line.
fn count_bytes(listing: &str) -> usize {
    let is_byte = |word: &&str| word.len() == 2 && u8::from_str_radix(word, 16).is_ok();
    let of_line = |line: &str| line.split_whitespace().skip(1).take_while(is_byte).count();
    listing.lines().filter(|line| line.starts_with(' ')).map(of_line).sum()
}

/// The name of each number, and its value for each configuration.
fn rows(columns: &[Column]) -> Vec<(String, Vec<String>)> {
    let row = |name: &str, cell: &dyn Fn(&Column) -> String| {
        (name.to_string(), columns.iter().map(cell).collect::<Vec<_>>())
    };
    let mut rows = Vec::new();
    for stage in STAGES {
        let of = |it: &Column| it.lines.iter().find(|(of, _)| *of == stage).map(|it| it.1);
        let cell = |it: &Column| of(it).map_or("–".into(), |it| it.to_string());
        rows.push(row(&format!("lines of {}", stage.name()), &cell));
    }
    rows.push(row("bytes of code", &|it| it.bytes.to_string()));
    rows.push(row("executed instructions", &|it| it.executed.clone()));
    rows.push(row("result", &|it| it.result.clone()));
    rows
}

/// One row for each number, one column for each configuration.
fn table(columns: &[Column]) -> String {
    let heads = columns.iter().map(|it| it.name.clone()).collect();
    let rows: Vec<_> = [(String::new(), heads)].into_iter().chain(rows(columns)).collect();
    let width = |at: usize| rows.iter().map(|row| row.1[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..columns.len()).map(width).collect();
    let line = |(name, cells): &(String, Vec<String>)| {
        let cells = cells.iter().zip(&widths).map(|(cell, &width)| format!("  {cell:>width$}"));
        format!("{name:<21}{}\n", cells.collect::<String>())
    };
    rows.iter().map(line).collect()
}

/// The texts beside each other, under their names. A line that differs from that of the first text
/// is marked.
fn side_by_side(texts: &[(&str, &str)]) -> String {
    let columns: Vec<Vec<&str>> = texts
        .iter()
        .map(|(name, text)| std::iter::once(*name).chain(text.lines()).collect())
        .collect();
    let width = |lines: &Vec<&str>| lines.iter().map(|it| it.chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = columns.iter().map(width).collect();
    let count = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::from("\n");
    for at in 0..count {
        let mut line = String::new();
        let first = columns[0].get(at);
        for (lines, &width) in columns.iter().zip(&widths) {
            let mark = if at > 0 && lines.get(at) != first { '*' } else { ' ' };
            let cell = lines.get(at).copied().unwrap_or_default();
            line += &format!("{mark} {cell:<width$}  ");
        }
        text += &format!("{}\n", line.trim_end());
    }
    text
}

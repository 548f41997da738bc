//! The compiler for the browser, run by node: it answers as the same library does on this machine.
use crate::browser::SITE;
use crate::{Checked, list};
use playground::Session;
use serde_json::{Value, json};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The instructions that a case may execute.
const BUDGET: u32 = 2_000_000;

/// The number of mutated programs, without the variable MUTANTS.
const MUTANTS: usize = 400;

pub fn check() -> Checked {
    let compiler = Path::new(SITE).join("playground/sonc.wasm");
    if !compiler.exists() {
        return Err(format!(
            "there is no {}: `cargo chapter book --playground`",
            compiler.display()
        ));
    }
    let mut both = Both { wasm: Wasm::start(&compiler)?, native: Session::default() };
    let programs = programs();
    let mut bytes = 0;
    for program in &programs {
        let others = json!({ "optimize": false, "selector": "greedy", "trace": false });
        for options in [json!({}), others] {
            bytes += both
                .compare(program, &options)
                .map_err(|err| format!("{} {options}: {err}", program.path.display()))?;
        }
    }
    let mutants = env::var("MUTANTS").ok().and_then(|it| it.parse().ok()).unwrap_or(MUTANTS);
    let errors = both.try_mutants(&programs, mutants)?;
    Ok(format!(
        "{} programs answer alike, {} kB; {mutants} mutated programs, {errors} of them with errors",
        programs.len(),
        bytes / 1000
    ))
}

/// A program of the book, and the words with which it is run.
struct Program {
    path: PathBuf,
    language: String,
    text: String,
    words: Vec<String>,
}

/// All programs of all chapters.
fn programs() -> Vec<Program> {
    let cases = list(Path::new("chapters")).into_iter().flat_map(|it| list(&it.join("cases")));
    let program = |path: PathBuf| {
        let language = path.extension()?.to_str()?.to_string();
        let text = fs::read_to_string(&path).ok().filter(|_| LANGUAGES.contains(&&*language))?;
        let mut words: Vec<String> = text.lines().filter_map(arguments).flatten().collect();
        words.truncate(if language == "smp" { 3 } else { arguments_of_first(&text) });
        Some(Program { path, language, text, words })
    };
    cases.filter_map(program).collect()
}

const LANGUAGES: [&str; 3] = ["smp", "rv", "cfg"];

/// The numbers in `// 3 -> 9` or `# 3 4 -> 81`.
fn arguments(line: &str) -> Option<Vec<String>> {
    let line = line.strip_prefix("// ").or(line.strip_prefix("# "))?;
    let words = line.split_once(" -> ")?.0.split_whitespace().map(str::to_string);
    Some(words.collect())
}

fn arguments_of_first(text: &str) -> usize {
    text.lines().find_map(arguments).map_or(0, |it| it.len())
}

/// The same session twice.
struct Both {
    wasm: Wasm,
    native: Session,
}

impl Both {
    /// Compares everything that the page may ask; returns the number of bytes.
    fn compare(&mut self, program: &Program, options: &Value) -> Result<usize, String> {
        let Program { language, text, .. } = program;
        let mut request = json!({ "source": text, "language": language });
        for (name, value) in options.as_object().into_iter().flatten() {
            request[name] = value.clone();
        }
        let request = request.to_string();
        let mut bytes = 0;
        bytes += same(
            "compile",
            self.wasm.call("compile", &request, &[])?,
            self.native.compile(&request),
        )?;
        let stages = self.native.stages();
        bytes += same("stages", self.wasm.call("stages", "", &[])?, stages.clone())?;
        let stages: Value = serde_json::from_str(&stages).map_err(|err| err.to_string())?;
        for stage in stages.as_array().into_iter().flatten() {
            let Some(number) = stage["drawing"].as_u64() else { continue };
            let drawing = self.wasm.call("drawing", "", &[number])?;
            let name = format!("drawing of {}", stage["name"]);
            bytes += same(&name, drawing, self.native.drawing(number as usize))?;
        }
        let steps = self.native.steps(&request);
        bytes += same("steps", self.wasm.call("steps", &request, &[])?, steps)?;
        let words = json!(program.words).to_string();
        bytes += same("start", self.wasm.call("start", &words, &[])?, self.native.start(&words))?;
        let run = self.wasm.call("advance", "", &[BUDGET.into()])?;
        Ok(bytes + same("run", run, self.native.advance(BUDGET))?)
    }

    /// Compiles and runs mutated programs; none may end the compiler. Returns the number of those
    /// with errors.
    fn try_mutants(&mut self, programs: &[Program], count: usize) -> Result<usize, String> {
        let mut random = Random(1);
        let mut errors = 0;
        for _ in 0..count {
            let program = &programs[random.below(programs.len())];
            let other = &programs[random.below(programs.len())];
            let text = mutated(&program.text, &other.text, &mut random);
            let request = json!({ "source": text, "language": program.language });
            let trap = |err: String| format!("{err}\n{request}");
            let answer = self.wasm.call("compile", &request.to_string(), &[]).map_err(trap)?;
            self.wasm.call("stages", "", &[]).map_err(trap)?;
            errors += usize::from(!answer.contains("\"report\":\"\""));
            self.wasm.call("start", "[\"7\"]", &[]).map_err(trap)?;
            self.wasm.call("advance", "", &[100_000]).map_err(trap)?;
        }
        Ok(errors)
    }
}

/// A text with a few changes: characters removed, doubled or replaced, parts of another text.
fn mutated(text: &str, other: &str, random: &mut Random) -> String {
    const LETTERS: &[char] =
        &['(', ')', '{', '}', ';', '-', '9', '0', '/', '<', '\0', '\u{202e}', '𝕩', '"'];
    let (mut text, other): (Vec<char>, Vec<char>) =
        (text.chars().collect(), other.chars().collect());
    for _ in 0..1 + random.below(4) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(12)).min(text.len());
        match random.below(4) {
            0 => drop(text.drain(at..end)),
            1 => text.insert(at, LETTERS[random.below(LETTERS.len())]),
            2 => {
                let part: Vec<char> = text[at..end].to_vec();
                text.splice(at..at, part);
            }
            _ => {
                let from = random.below(other.len() + 1);
                let part = other[from..(from + random.below(40)).min(other.len())].to_vec();
                text.splice(at..end, part);
            }
        }
    }
    text.into_iter().collect()
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Fails unless both are the same; returns their length.
fn same(name: &str, wasm: String, native: String) -> Result<usize, String> {
    if wasm == native {
        return Ok(wasm.len());
    }
    let at = wasm.bytes().zip(native.bytes()).take_while(|(one, other)| one == other).count();
    let around = |text: &str| -> String {
        let bytes =
            &text.as_bytes()[at.saturating_sub(60).min(text.len())..(at + 60).min(text.len())];
        String::from_utf8_lossy(bytes).into_owned()
    };
    Err(format!("{name} differs at byte {at}:\n  {}\n  {}", around(&wasm), around(&native)))
}

/// A compiler that node runs.
pub struct Wasm {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The time of the last call, in milliseconds, and the size of the memory after it.
    pub time: f64,
    pub memory: u64,
}

impl Wasm {
    pub fn start(compiler: &Path) -> Result<Wasm, String> {
        let mut node = Command::new("node");
        node.arg(".ci/tools/wasm.mjs").arg(compiler).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = node.spawn().map_err(|err| format!("node: {err}"))?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (input, output) = (input.expect("it is a pipe"), output.expect("it is a pipe"));
        Ok(Wasm { process, input, output: BufReader::new(output), time: 0.0, memory: 0 })
    }

    /// The output of an export; a trap is an error.
    pub fn call(&mut self, name: &str, input: &str, numbers: &[u64]) -> Result<String, String> {
        let call = json!({ "name": name, "input": input, "numbers": numbers });
        writeln!(self.input, "{call}").map_err(|err| format!("node: {err}"))?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|err| format!("node: {err}"))?;
        let answer: Value = serde_json::from_str(&line).map_err(|err| format!("node: {err}"))?;
        self.time = answer["time"].as_f64().unwrap_or_default();
        self.memory = answer["memory"].as_u64().unwrap_or_default();
        match answer["trap"].as_str() {
            Some(trap) => Err(format!("{name}: {trap}")),
            None => Ok(answer["text"].as_str().unwrap_or_default().to_string()),
        }
    }
}

impl Drop for Wasm {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

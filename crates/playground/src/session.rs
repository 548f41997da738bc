//! A session with the compiler: a program is compiled, its drawings are made, it is run.
use crate::behaviour::behaviour;
use crate::catalogue::{catalogue, rules_without};
use crate::explore::Collector;
use crate::places::in_units;
use crate::request::{Request, words};
use emulate::Process;
use explorer::Page;
use serde_json::{Value, json};
use sonc::{Diagnostic, Halt, MachineRules, Source, render};

/// A compiler and the program that it compiled last.
#[derive(Default)]
pub struct Session {
    /// The rules for instruction selection, and the names of those that are switched off.
    rules: Option<(Vec<String>, MachineRules)>,
    page: Page,
    executable: Vec<u8>,
    process: Option<Process>,
}

/// A program that has written so much is stopped, in bytes.
const MAX_OUTPUT: usize = 1 << 20;

impl Session {
    /// Everything that can be chosen, as JSON.
    pub fn catalogue(&mut self) -> String {
        match self.rules(&[]) {
            Ok(()) => catalogue(&self.rules.as_ref().expect("they were read").1).to_string(),
            Err(answer) => answer.to_string(),
        }
    }

    /// Compiles a program; the request and the answer are JSON.
    ///
    /// The answer has `diagnostics` with their places, `report` with the same as a text, and in
    /// `functions` the size of the code.
    pub fn compile(&mut self, request: &str) -> String {
        let request = Request::new(request);
        (self.executable, self.process) = (Vec::new(), None);
        match self.collect(&request) {
            Ok((executable, functions)) => {
                self.executable = executable;
                json!({ "diagnostics": [], "report": "", "functions": functions }).to_string()
            }
            Err(answer) => answer.to_string(),
        }
    }

    /// The steps of a program that was compiled without them, as JSON for a live page; a run of it
    /// may be continued. The request is that of the compilation.
    pub fn steps(&mut self, request: &str) -> String {
        // A program with errors has the steps before them.
        let _ = self.collect(&Request::new(request).with_steps());
        self.page.live_steps()
    }

    /// Compiles a program and collects its stages. Returns the executable, and the sizes of its
    /// functions; the error is an answer of `compile`.
    fn collect(&mut self, request: &Request) -> Result<(Vec<u8>, Value), Value> {
        self.page = Page::default();
        self.rules(&request.without_rules)?;
        let rules = &self.rules.as_ref().expect("they were read").1;
        let mut collector = Collector::new("program", &request.source.text, None);
        #[cfg(feature = "ch19")]
        {
            collector.asks_for_steps = request.is_traced();
        }
        let options = request.options(rules);
        let compiled = sonc::compile(&request.source, options, &mut collector);
        self.page = collector.page;
        let executable = compiled.map_err(|halt| errors(halt, &request.source))?;
        let functions = executable.symbols.iter();
        let functions = functions.map(|it| json!({ "name": it.name, "bytes": it.size }));
        Ok((executable.bytes, Value::from_iter(functions)))
    }

    /// The stages of the program, or of its compilation up to an error, as JSON for a live page.
    pub fn stages(&self) -> String {
        self.page.live_stages()
    }

    /// A drawing of the program, as JSON: its text, or the reason why there is none.
    pub fn drawing(&self, number: usize) -> String {
        match self.page.live_drawing(number) {
            Some(Ok(text)) => json!({ "text": text }).to_string(),
            Some(Err(reason)) => json!({ "reason": reason }).to_string(),
            None => json!({ "reason": "there is no such drawing" }).to_string(),
        }
    }

    /// Starts the program with a list of words; the answer is that of `advance`.
    pub fn start(&mut self, arguments: &str) -> String {
        let arguments = words(&serde_json::from_str(arguments).unwrap_or_default());
        self.process = None;
        match Process::start(&self.executable, &arguments) {
            Ok(process) => {
                self.process = Some(process);
                self.advance(0)
            }
            Err(run) => behaviour(&run, true).to_string(),
        }
    }

    /// Lets the program execute `budget` further instructions; returns its behaviour up to now, as
    /// JSON.
    pub fn advance(&mut self, budget: u32) -> String {
        let Some(process) = &mut self.process else {
            return json!({ "error": "no program was started", "ended": true }).to_string();
        };
        process.advance(process.instructions() + u64::from(budget));
        let ends = process.has_ended() || process.written() > MAX_OUTPUT;
        let answer = behaviour(&process.observed(), ends).to_string();
        if ends {
            self.process = None;
        }
        answer
    }

    /// Reads the rules without those of these names, if others were read last.
    fn rules(&mut self, without: &[String]) -> Result<(), Value> {
        if self.rules.as_ref().is_none_or(|(names, _)| names != without) {
            let source = rules_without(without);
            let rules = sonc::machine_rules(&source);
            let rules = rules.map_err(|it| errors(Halt::Errors(it), &source))?;
            self.rules = Some((without.to_vec(), rules));
        }
        Ok(())
    }
}

/// The diagnostics of a compilation that ended early.
fn errors(halt: Halt, source: &Source) -> Value {
    match halt {
        Halt::Errors(diagnostics) => {
            let list = diagnostics.iter().map(|it| diagnostic(it, &source.text));
            let report = render(&diagnostics, source, false);
            json!({ "diagnostics": Value::from_iter(list), "report": report, "functions": [] })
        }
        Halt::InvariantViolated(stage, violations) => {
            let list = violations.iter().map(|it| format!("\n  {}: {}", it.invariant, it.detail));
            let report =
                format!("a bug of sonc after `{}`:{}", stage.name(), list.collect::<String>());
            json!({ "diagnostics": [], "report": report, "functions": [] })
        }
        Halt::Stopped(_) => unreachable!("the collector stops no compilation"),
    }
}

fn diagnostic(diagnostic: &Diagnostic, text: &str) -> Value {
    let [from, to] = in_units(text, diagnostic.span.range());
    json!({
        "from": from,
        "to": to,
        "code": format!("E{:02}", diagnostic.code as u32),
        "message": diagnostic.message,
        "label": diagnostic.label,
        "help": diagnostic.help,
    })
}

#[cfg(test)]
mod tests;

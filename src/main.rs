//! The command line: only this file and `main/` read and write files and print text.
#![cfg_attr(not(feature = "ch29"), allow(unused_imports))]
#[path = "main/arguments.rs"]
mod arguments;
#[cfg(feature = "ch25")]
#[path = "main/firm_arguments.rs"]
mod firm_arguments;
#[cfg(feature = "ch28")]
#[path = "main/beside.rs"]
mod beside;
#[cfg(feature = "ch28")]
#[path = "main/c_programs.rs"]
mod c_programs;
#[cfg(feature = "ch28")]
#[path = "main/compare.rs"]
mod compare;
#[cfg(feature = "ch28")]
#[path = "main/count.rs"]
mod count;
#[path = "main/drawing.rs"]
mod drawing;
#[cfg(feature = "ch09")]
#[path = "main/explore.rs"]
mod explore;
#[path = "main/files.rs"]
mod files;
#[cfg(feature = "ch25")]
#[path = "main/firm.rs"]
mod firm;
#[cfg(feature = "ch28")]
#[path = "main/generate.rs"]
mod generate;
#[cfg(feature = "ch28")]
#[path = "main/json.rs"]
mod json;
#[cfg(feature = "ch28")]
#[path = "main/lsp/mod.rs"]
mod lsp;
#[path = "main/observer.rs"]
mod observer;
#[cfg(feature = "ch18")]
#[path = "main/one_function.rs"]
mod one_function;
#[cfg(feature = "ch09")]
#[path = "main/instructions.rs"]
mod instructions;
#[cfg(feature = "ch09")]
#[path = "main/pages.rs"]
mod pages;
#[cfg(feature = "ch25")]
#[path = "main/passes.rs"]
mod passes;
#[path = "main/results.rs"]
mod results;
#[cfg(feature = "ch02")]
#[path = "main/rules.rs"]
mod rules;
#[path = "main/running.rs"]
mod running;
#[cfg(feature = "ch04")]
#[path = "main/solving.rs"]
mod solving;
#[cfg(feature = "ch19")]
#[path = "main/target.rs"]
mod target;
#[cfg(feature = "ch10")]
#[path = "main/watch.rs"]
mod watch;

#[cfg(feature = "ch20")]
use arguments::AllocatorName;
#[cfg(feature = "ch02")]
use arguments::CostName;
#[cfg(feature = "ch10")]
use arguments::Emit;
#[cfg(feature = "ch04")]
use arguments::MethodName;
#[cfg(feature = "ch28")]
use arguments::OutputFormat;
#[cfg(feature = "ch11")]
use arguments::PlacementName;
use arguments::{Arguments, Build, Command, Compile, Ir, Run};
use clap::Parser;
use files::{Failure, Outcome, print, say};
use host::{Output, Timer};
use observer::{Observe, Observer};
use picture::{Format, Picture};
use running::{print_outcome, run};
#[cfg(feature = "ch26")]
use sonc::Language;
use sonc::{Artifact, Halt, Source, Stage, StageObserver, Violation, compile};
#[cfg(feature = "ch02")]
use sonc::{MachineRules, Options, SelectionOptions};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    host::start();
    match execute(Arguments::parse().command) {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn execute(command: Command) -> Outcome {
    #[cfg(feature = "ch19")]
    let command = command.with_target_defaults()?;
    match command {
        Command::Run(it) => it.execute(),
        Command::Build(it) => it.execute(),
        Command::Ir(it) => it.execute(),
        #[cfg(feature = "ch28")]
        Command::Check(it) => it.execute(),
        #[cfg(feature = "ch28")]
        Command::Compare(it) => it.execute(),
        Command::Dot(it) => it.execute(),
        #[cfg(feature = "ch09")]
        Command::Explore(it) => it.execute(),
        #[cfg(feature = "ch10")]
        Command::Watch(it) => it.execute(),
        #[cfg(feature = "ch02")]
        Command::Rules(it) => it.execute(),
        #[cfg(feature = "ch04")]
        Command::Pbqp(it) => it.execute(),
        #[cfg(feature = "ch25")]
        Command::Firm(it) => it.execute(),
        #[cfg(feature = "ch28")]
        Command::Generate(it) => it.execute(),
        #[cfg(feature = "ch28")]
        Command::Lsp(it) => it.execute(),
    }
}

impl Run {
    fn execute(self) -> Outcome {
        #[cfg(feature = "ch28")]
        if self.count {
            return self.execute_and_count();
        }
        let job = Job::new(&self.compile)?;
        let arguments = job.arguments(&self.arguments)?;
        let mut timer = Timer::default();
        let mut evaluated = None;
        let mut executed = Vec::new();
        let compiled = job.compile(&mut |stage, artifact| {
            timer.stop(stage.name());
            if self.stage == Some(stage) {
                evaluated = Some(job.evaluate(artifact, &arguments));
            }
            timer.start();
            if self.stage == Some(stage) { Err(Halt::Stopped(stage)) } else { Ok(()) }
        })?;
        #[cfg(feature = "ch10")]
        if let Some(folder) = &self.pictures {
            job.draw_all(Format::Svg, self.stage, folder)?;
        }
        #[cfg(feature = "ch03")]
        job.show(&mut |picture| {
            say(&picture.dot());
            Outcome::Ok(())
        })?;
        match (compiled, evaluated) {
            (Some(executable), _) => {
                timer.start();
                executed = run(&executable, &arguments, self.emulate, self.limit)?;
                timer.stop("run");
            }
            (None, Some(Some(outcome))) => print_outcome(&outcome)?,
            (None, _) => return Err(job.unsupported("be run", &|it| it.eval(0).is_some())),
        }
        if self.time {
            say(&timer.table());
            for (function, count) in executed {
                say(&format!("{function:<10} {count:>12} instructions\n"));
            }
        }
        Ok(())
    }
}

impl Build {
    fn execute(self) -> Outcome {
        #[cfg(feature = "ch10")]
        if self.emit == Emit::Asm {
            return self.write_assembly();
        }
        let output = self.output("")?;
        let job = Job::new(&self.compile)?;
        let compiled = job.compile(&mut |_, _| Ok(()))?;
        Ok(output.write_executable(&compiled.expect("no stage stops the compilation"))?)
    }

    #[cfg(feature = "ch10")]
    fn write_assembly(&self) -> Outcome {
        let output = self.output("s")?;
        let job = Job::new(&self.compile)?;
        let mut assembly = String::new();
        job.compile(&mut |stage, artifact| match stage {
            Stage::Allocated => {
                assembly = artifact.listing();
                Err(Halt::Stopped(stage))
            }
            _ => Ok(()),
        })?;
        Ok(output.write_text(&assembly)?)
    }

    /// The file to write; without a name, beside the program.
    fn output(&self, extension: &str) -> Result<Output, Failure> {
        let output = self.output.clone();
        let output = output.unwrap_or_else(|| self.compile.beside(extension));
        Ok(Output::new(Some(&output), &self.compile.inputs())?)
    }
}

impl Ir {
    fn execute(self) -> Outcome {
        #[cfg(feature = "ch28")]
        if self.format == OutputFormat::Json {
            return self.print_json();
        }
        #[cfg(feature = "ch18")]
        if let Some(name) = &self.function {
            return self.print_function(name);
        }
        let job = self.job()?;
        let selected = self.stage.unwrap_or(job.default_stage());
        let mut text = String::new();
        let compiled = job.compile(&mut |stage, artifact| {
            if stage != selected {
                return Ok(());
            }
            text = if self.long { artifact.listing() } else { artifact.print() };
            Err(Halt::Stopped(stage))
        })?;
        if compiled.is_some() {
            return Err(job.unsupported("be printed", &|_| true));
        }
        let text = text.trim_end_matches('\n');
        #[cfg(feature = "ch03")]
        job.show(&mut |picture| print(&picture.dot()))?;
        if text.is_empty() { Ok(()) } else { print(&format!("{text}\n")) }
    }

    /// The program, and the options that only this command has.
    fn job(&self) -> Result<Job<'_>, Failure> {
        let job = Job::new(&self.compile)?;
        #[cfg(feature = "ch02")]
        let job = Job { trace: self.trace, ..job };
        #[cfg(feature = "ch04")]
        let job = Job { argument: self.arg, ..job };
        #[cfg(feature = "ch14")]
        self.arg.map_or(Ok(()), |it| job.check_argument(it))?;
        Ok(job)
    }
}

/// A program, and the options of its compilation.
struct Job<'c> {
    compile: &'c Compile,
    source: Source,
    #[cfg(feature = "ch02")]
    rules: MachineRules,
    /// Whether every rewrite is reported.
    #[cfg(feature = "ch02")]
    trace: bool,
    /// The argument, if it is known at compile time.
    #[cfg(feature = "ch04")]
    argument: Option<i64>,
}

impl<'c> Job<'c> {
    fn new(compile: &'c Compile) -> Result<Job<'c>, Failure> {
        #[cfg(feature = "ch02")]
        check_rewrites(&compile.without)?;
        let source = compile.program()?;
        #[cfg(feature = "ch02")]
        let rules = rules::built_in()?;
        #[cfg(feature = "ch19")]
        let rules = compile.target.rules_or(compile.rules.as_deref(), rules)?;
        Ok(Job {
            compile,
            source,
            #[cfg(feature = "ch02")]
            rules,
            #[cfg(feature = "ch02")]
            trace: false,
            #[cfg(feature = "ch04")]
            argument: None,
        })
    }

    /// An argument must be an `int`.
    #[cfg(feature = "ch14")]
    fn check_argument(&self, argument: i64) -> Outcome {
        if self.compile.int.wrap(argument) != argument {
            let (least, greatest) = (self.compile.int.min(), self.compile.int.max());
            let reason = format!("it is no integer from {least} to {greatest}");
            return Err(Failure::Usage(format!(
                "invalid value '{argument}' for the argument: {reason}"
            )));
        }
        Ok(())
    }

    /// The arguments of a run. A program of Simple has one.
    fn arguments(&self, words: &[i64]) -> Result<Vec<i64>, Failure> {
        #[cfg(feature = "ch14")]
        words.iter().try_for_each(|it| self.check_argument(*it))?;
        #[cfg(feature = "ch26")]
        if Language::of(&self.source) != Language::Simple {
            return Ok(words.to_vec());
        }
        match words {
            [] => Ok(vec![0]),
            [_] => Ok(words.to_vec()),
            _ => Err(Failure::Usage("the program has one argument: one `--arg`".to_string())),
        }
    }

    /// The outcome of a stage that can be executed.
    /// @ch26 The results of a program of regions are printed after its output.
    fn evaluate(&self, artifact: &dyn Artifact, arguments: &[i64]) -> Option<sonc::Outcome> {
        #[cfg(feature = "ch26")]
        if Language::of(&self.source) != Language::Simple {
            return artifact.eval_all(arguments).map(sonc::Outcome::with_values);
        }
        artifact.eval(arguments[0])
    }

    /// The file to write, which must be no input; standard output without a name.
    fn output(&self, path: Option<&Path>) -> Result<Output, Failure> {
        Ok(Output::new(path, &self.compile.inputs())?)
    }

    /// The stage that is printed if none is named.
    fn default_stage(&self) -> Stage {
        #[cfg(feature = "ch26")]
        match Language::of(&self.source) {
            Language::Simple => {}
            Language::Regions => return Stage::Region,
            #[cfg(feature = "ch27")]
            Language::FlowGraph => return Stage::Flow,
        }
        Stage::Sea
    }

    #[cfg(feature = "ch02")]
    fn options(&self) -> Options<'_> {
        Options {
            optimize: !self.compile.no_opt,
            without: &self.compile.without,
            trace: self.trace,
            #[cfg(feature = "ch04")]
            argument: self.argument,
            #[cfg(feature = "ch14")]
            int: self.compile.int,
            rules: &self.rules,
            selection: SelectionOptions {
                objective: match self.compile.cost {
                    CostName::Size => sonc::Objective::Size,
                    CostName::Speed => sonc::Objective::Speed,
                },
                #[cfg(feature = "ch04")]
                method: match self.compile.select {
                    MethodName::Greedy => sonc::Method::Greedy,
                    MethodName::Pbqp => sonc::Method::Pbqp,
                    #[cfg(feature = "ch19")]
                    MethodName::Heuristic => sonc::Method::Heuristic,
                },
            },
            #[cfg(feature = "ch11")]
            placement: match self.compile.place {
                PlacementName::Early => sonc::PlacementMethod::Early,
                PlacementName::Late => sonc::PlacementMethod::Late,
                PlacementName::Best => sonc::PlacementMethod::Best,
            },
            #[cfg(feature = "ch20")]
            registers: match self.compile.registers {
                AllocatorName::Scan => sonc::RegisterAllocator::Scan,
                AllocatorName::Colour => sonc::RegisterAllocator::Colour,
            },
            #[cfg(feature = "ch27")]
            via_regions: self.compile.via.is_some(),
        }
    }

    /// The error for a stage that lacks this ability; it lists those that have it.
    fn unsupported(&self, ability: &str, can: &dyn Fn(&dyn Artifact) -> bool) -> Failure {
        let mut names = Vec::new();
        let compiled = self.compile(&mut |stage, artifact| {
            names.extend(can(artifact).then(|| stage.name()));
            Ok(())
        });
        let message = format!("this stage cannot {ability}; these can: {}", names.join(", "));
        compiled.err().unwrap_or(Failure::Usage(message))
    }

    /// Compiles, and calls `observe` after each stage. There is no executable if `observe` stops
    /// the compilation.
    fn compile(&self, observe: Observe) -> Result<Option<Vec<u8>>, Failure> {
        let observer = &mut Observer {
            observe,
            #[cfg(feature = "ch16")]
            source: &self.source,
            #[cfg(feature = "ch16")]
            denies_warnings: self.compile.deny.is_some(),
        };
        self.compile_observed(observer)
    }

    fn compile_observed(
        &self,
        observer: &mut dyn StageObserver,
    ) -> Result<Option<Vec<u8>>, Failure> {
        #[cfg(not(feature = "ch02"))]
        let compiled = compile(&self.source, observer);
        #[cfg(feature = "ch02")]
        let compiled = compile(&self.source, self.options(), observer);
        match compiled {
            Ok(executable) => Ok(Some(executable.bytes)),
            Err(Halt::Stopped(_)) => Ok(None),
            Err(Halt::Errors(diags)) => Err(Failure::Diagnostics(diags, self.source.clone())),
            Err(Halt::InvariantViolated(stage, violations)) => {
                let line = |it: &Violation| format!("\n  {}: {}", it.invariant, it.detail);
                let list: String = violations.iter().map(line).collect();
                let message = format!("a bug of sonc after `{}`:{list}", stage.name());
                Err(Failure::Message(message))
            }
        }
    }

    /// Calls `take` for each picture that the program shows. The program is parsed again for that:
    /// one picture is small, but all of them may be too large to be kept.
    #[cfg(feature = "ch03")]
    fn show<E>(&self, take: Take<E>) -> Result<(), E> {
        let mut painter = Painter { take, taken: Ok(()) };
        if self.source.text.contains("#showGraph") {
            // It has been compiled before, so it has no errors.
            let _ = compile(&self.source, self.options(), &mut painter);
        }
        painter.taken
    }
}

/// Consumes a picture; may fail.
#[cfg(feature = "ch03")]
type Take<'t, E> = &'t mut dyn FnMut(&Picture) -> Result<(), E>;

/// Draws the pictures that a program shows, until `take` fails.
#[cfg(feature = "ch03")]
struct Painter<'t, E> {
    take: Take<'t, E>,
    taken: Result<(), E>,
}

#[cfg(feature = "ch03")]
impl<E> StageObserver for Painter<'_, E> {
    fn stage_done(&mut self, stage: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        if stage == Stage::Parsed { Err(Halt::Stopped(stage)) } else { Ok(()) }
    }

    fn show(&mut self, draw: &dyn Fn() -> Picture) {
        if self.taken.is_ok() {
            self.taken = (self.take)(&draw());
        }
    }
}

/// Rejects a name that no peephole has.
#[cfg(feature = "ch02")]
fn check_rewrites(names: &[String]) -> Outcome {
    let known: Vec<_> = sonc::rewrites().map(|(rule, _)| rule).collect();
    let unknown = names.iter().find(|name| !known.contains(&name.as_str()));
    let Some(name) = unknown else { return Ok(()) };
    let similar = report_text::closest(name, known.iter().copied());
    let similar = similar.map_or(String::new(), |it| format!("did you mean `{it}`? "));
    let list = known.join(", ");
    let message = format!("no rule `{name}` that can be switched off; {similar}there are {list}");
    Err(Failure::Usage(message))
}

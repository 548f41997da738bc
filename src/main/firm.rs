//! `sonc firm`: commands on graphs in files.
use crate::arguments::TargetName;
use crate::check_rewrites;
use crate::files::{Failure, Outcome, not_a_graph, print, read, say, shown};
use crate::firm_arguments::{
    Firm, FirmAction, FirmDot, FirmExport, FirmPass, FirmPbqp, FirmShow, FirmVerify,
};
use host::{Output, Timer};
use picture::Format;
use sonc::{
    FirmFault, FirmFile, FirmFinding, FoldOptions, Method, SourcePosition, Strictness,
    TargetMachine,
};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

impl Firm {
    pub fn execute(self) -> Outcome {
        match self.action {
            FirmAction::Verify(it) => it.execute(),
            FirmAction::Copy(it) => it.execute(&[], &mut []),
            FirmAction::Fold(it) => it.execute(),
            FirmAction::Select(it) => it.execute(),
            FirmAction::Pbqp(it) => it.execute(),
            FirmAction::Run(it) => it.execute(),
            FirmAction::Generate(it) => it.execute(),
            FirmAction::Export(it) => it.execute(),
            FirmAction::Ir(it) => it.execute(&|file| Ok(file.artifact().print())),
            FirmAction::Dot(it) => it.execute(),
        }
    }
}

impl FirmDot {
    fn execute(self) -> Outcome {
        let format = Format::of_file(self.svg, self.show.output.as_deref());
        self.show.execute(&|file| {
            let picture = file.artifact().picture();
            picture.map_or(Ok(String::new()), |picture| Ok(format.text(&picture)?))
        })
    }
}

impl FirmVerify {
    /// The default options of a check.
    fn with_defaults(file: &Path) -> FirmVerify {
        FirmVerify { file: file.to_path_buf(), strict: false, threads: 1, time: false }
    }

    fn execute(self) -> Outcome {
        let mut timer = Timer::default();
        let file = self.read(&mut timer)?;
        let [nodes, edges] = file.counts();
        print(&format!("OK: {nodes} nodes, {edges} edges\n"))?;
        self.print_times(&timer);
        Ok(())
    }

    /// Reads the graph and checks it.
    pub fn read(&self, timer: &mut Timer) -> Result<FirmFile, Failure> {
        let file = read_graph(&self.file)?;
        timer.stop("read");
        let findings = self.check(&file);
        timer.stop("verify");
        if findings.is_empty() { Ok(file) } else { Err(self.refused(&findings)) }
    }

    fn check(&self, file: &FirmFile) -> Vec<FirmFinding> {
        let strictness = if self.strict { Strictness::Program } else { Strictness::Case };
        file.verify(strictness, usize::from(self.threads))
    }

    /// The failed checks, one per line, with their positions in the file.
    pub fn refused(&self, findings: &[FirmFinding]) -> Failure {
        let mut ats: Vec<u64> = findings.iter().filter_map(|it| it.offset).collect();
        ats.sort_unstable();
        ats.dedup();
        let found = find(&self.file, &ats).unwrap_or_default();
        let mut text = format!("`{}` is not sound:", shown(&self.file));
        for finding in findings.iter().take(MAX_LISTED) {
            let at = finding.offset.and_then(|at| ats.binary_search(&at).ok());
            text += &line(finding, at.and_then(|at| found.get(at)));
        }
        if let Some(more @ 1..) = findings.len().checked_sub(MAX_LISTED) {
            text += &format!("\n  and {more} more");
        }
        Failure::Message(text)
    }

    fn print_times(&self, timer: &Timer) {
        if self.time {
            say(&timer.table());
        }
    }
}

/// The limit for the list of failed checks.
const MAX_LISTED: usize = 50;

fn line(finding: &FirmFinding, place: Option<&SourcePosition>) -> String {
    let FirmFinding { check, node, .. } = finding;
    let Some(place) = place else { return format!("\n  {check}: {node}") };
    let id = place.id.as_deref().unwrap_or_default();
    let shown = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    let text: String = format!("{check}: {id} {node}").chars().map(shown).collect();
    format!("\n  line {}: {text}", place.line)
}

/// A pass over a graph, and its name.
pub type Pass<'p> = (&'static str, &'p mut dyn FnMut(&mut FirmFile) -> Outcome);

impl FirmPass {
    /// Reads, verifies, runs the passes, verifies again and writes; `others` are further input
    /// files.
    pub fn execute(&self, others: &[&Path], passes: &mut [Pass]) -> Outcome {
        let inputs = [&[self.verify.file.as_path()], others].concat();
        let output = Output::new(self.output.as_deref(), &inputs)?;
        let mut timer = Timer::default();
        let file = self.run_passes(&mut timer, passes)?;
        output.write(&|out| file.write(out))?;
        timer.stop("write");
        self.verify.print_times(&timer);
        Ok(())
    }

    /// The same, but the graph is not written.
    pub fn try_out(&self, passes: &mut [Pass]) -> Outcome {
        if self.output.is_some() {
            let message = "with `--trace` or `--stats` no graph is written, so `-o` has no meaning";
            return Err(Failure::Usage(message.to_string()));
        }
        let mut timer = Timer::default();
        self.run_passes(&mut timer, passes)?;
        self.verify.print_times(&timer);
        Ok(())
    }

    /// Reads, verifies, runs the passes, and verifies after each.
    fn run_passes(&self, timer: &mut Timer, passes: &mut [Pass]) -> Result<FirmFile, Failure> {
        let mut file = self.verify.read(timer)?;
        for (name, pass) in passes {
            pass(&mut file)?;
            timer.stop(name);
            let findings = self.verify.check(&file);
            timer.stop("verify");
            if let Some(FirmFinding { check, node, .. }) = findings.first() {
                let message = format!("a bug of sonc after `{name}`: {check}: {node}");
                return Err(Failure::Message(message));
            }
        }
        Ok(file)
    }
}

impl FirmExport {
    fn execute(self) -> Outcome {
        check_rewrites(&self.without)?;
        let output = Output::new(self.output.as_deref(), &[&self.file])?;
        let source = read(&self.file).and_then(not_a_graph)?;
        let exported = sonc::export_firm(&source, !self.no_opt, &self.without);
        let file = exported.map_err(|diagnostics| Failure::Diagnostics(diagnostics, source))?;
        Ok(output.write(&|out| file.write(out))?)
    }
}

impl FirmPbqp {
    fn execute(self) -> Outcome {
        let inputs: Vec<_> = self.rules.iter().chain([&self.file]).map(|it| it.as_path()).collect();
        let output = Output::new(self.output.as_deref(), &inputs)?;
        let rules = TargetName::Tr.rules(self.rules.as_deref())?;
        let file = FirmVerify::with_defaults(&self.file).read(&mut Timer::default())?;
        let text = file.selection_problem(&rules).map_err(|fault| refuse(&self.file, fault))?;
        Ok(output.write_text(&text)?)
    }
}

impl FirmShow {
    fn execute(self, show: &dyn Fn(&FirmFile) -> Result<String, Failure>) -> Outcome {
        let output = Output::new(self.output.as_deref(), &[&self.file])?;
        let mut file = read_graph(&self.file)?;
        if self.fold || self.select {
            self.run_passes(&mut file)?;
        }
        Ok(output.write_text(&show(&file)?)?)
    }

    /// Runs the passes before the graph is shown; they need a valid graph.
    fn run_passes(&self, file: &mut FirmFile) -> Outcome {
        let verify = FirmVerify::with_defaults(&self.file);
        let refuse = |findings: Vec<FirmFinding>| match findings.is_empty() {
            true => Ok(()),
            false => Err(verify.refused(&findings)),
        };
        refuse(verify.check(file))?;
        if self.fold {
            refuse(file.fold(FoldOptions::default()).err().into_iter().collect())?;
        }
        if self.select {
            let source = TargetMachine::Tr.built_in_rules();
            let rules = TargetMachine::Tr.rules(&source);
            let selected = rules.and_then(|rules| file.select(&rules, Method::Pbqp, 1));
            selected.map_err(|diagnostics| Failure::Diagnostics(diagnostics, source))?;
        }
        Ok(())
    }
}

fn read_graph(path: &Path) -> Result<FirmFile, Failure> {
    let file = host::open(path).map_err(|error| cannot_read(path, &error))?;
    FirmFile::read(&mut BufReader::with_capacity(BUFFER_SIZE, file))
        .map_err(|fault| refuse(path, fault))
}

/// The number of bytes to read at a time.
const BUFFER_SIZE: usize = 1 << 18;

fn cannot_read(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Message(format!("cannot read `{}`: {error}", shown(path)))
}

/// The report for a file without a valid graph.
fn refuse(path: &Path, fault: FirmFault) -> Failure {
    let name = shown(path);
    let found = find(path, &[fault.offset]).and_then(|mut places| places.pop());
    match found {
        Some(place) => {
            let report = sonc::render_place(&fault.diagnostic, &name, &place, host::uses_color());
            Failure::Report(report)
        }
        None => {
            let message = &fault.diagnostic.message;
            Failure::Message(format!("`{name}`: after {} bytes: {message}", fault.offset))
        }
    }
}

/// Where in a file the places are; nothing, if the file cannot be read twice.
fn find(path: &Path, ats: &[u64]) -> Option<Vec<SourcePosition>> {
    let file = File::open(path).ok().filter(|it| it.metadata().is_ok_and(|it| it.is_file()))?;
    sonc::positions(&mut BufReader::with_capacity(BUFFER_SIZE, file), ats).ok()
}

//! `sonc firm`: graphs in files, from reading to writing.
use crate::Clock;
use crate::arguments::{Firm, FirmAction, FirmExport, FirmPass, FirmShow, FirmVerify};
use crate::check_rewrites;
use crate::files::{
    Failure, Outcome, print, read, refuse_input, say, wants_color, write_as, write_file,
};
use sonc::{FirmFault, FirmFile, FirmFinding, Place, Strictness};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

impl Firm {
    pub fn execute(self) -> Outcome {
        match self.action {
            FirmAction::Verify(it) => it.execute(),
            FirmAction::Copy(it) => it.execute(&mut []),
            FirmAction::Export(it) => it.execute(),
            FirmAction::Ir(it) => it.execute(&|file| file.artifact().print()),
            FirmAction::Dot(it) => it.execute(&|file| {
                let picture = file.artifact().picture();
                picture.map_or(String::new(), |picture| picture.dot())
            }),
        }
    }
}

impl FirmVerify {
    fn execute(self) -> Outcome {
        let mut clock = Clock::new();
        let file = self.read(&mut clock)?;
        let [nodes, edges] = file.counts();
        print(&format!("OK: {nodes} nodes, {edges} edges\n"))?;
        self.tell(&clock);
        Ok(())
    }

    /// The graph, if it is one that the checks let through.
    fn read(&self, clock: &mut Clock) -> Result<FirmFile, Failure> {
        let file = read_graph(&self.file)?;
        clock.stop("read");
        clock.start();
        let findings = self.check(&file);
        clock.stop("verify");
        clock.start();
        if findings.is_empty() { Ok(file) } else { Err(self.refused(&findings)) }
    }

    fn check(&self, file: &FirmFile) -> Vec<FirmFinding> {
        let strictness = if self.strict { Strictness::Program } else { Strictness::Case };
        file.verify(strictness, usize::from(self.threads))
    }

    /// What is wrong, a line each, where it stands in the file.
    fn refused(&self, findings: &[FirmFinding]) -> Failure {
        let mut ats: Vec<u64> = findings.iter().filter_map(|it| it.at).collect();
        ats.sort_unstable();
        ats.dedup();
        let found = find(&self.file, &ats).unwrap_or_default();
        let mut text = format!("`{}` is not sound:", self.file.display());
        for finding in findings.iter().take(SHOWN) {
            let at = finding.at.and_then(|at| ats.binary_search(&at).ok());
            text += &line(finding, at.and_then(|at| found.get(at)));
        }
        if let Some(more @ 1..) = findings.len().checked_sub(SHOWN) {
            text += &format!("\n  and {more} more");
        }
        Failure::Message(text)
    }

    fn tell(&self, clock: &Clock) {
        if self.time {
            say(&clock.table());
        }
    }
}

/// So much of what is wrong is listed.
const SHOWN: usize = 50;

fn line(finding: &FirmFinding, place: Option<&Place>) -> String {
    let FirmFinding { check, node, .. } = finding;
    let Some(place) = place else { return format!("\n  {check}: {node}") };
    let id = place.id.as_deref().unwrap_or_default();
    let shown = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    let text: String = format!("{check}: {id} {node}").chars().map(shown).collect();
    format!("\n  line {}: {text}", place.line)
}

/// Something that is done to a graph, and its name.
pub type Pass<'p> = (&'static str, &'p mut dyn FnMut(&mut FirmFile) -> Outcome);

impl FirmPass {
    /// Reads, verifies, works, verifies again and writes.
    fn execute(self, passes: &mut [Pass]) -> Outcome {
        let output = self.output.clone().unwrap_or_else(|| PathBuf::from("-"));
        refuse_input(&self.verify.file, &output)?;
        let mut clock = Clock::new();
        let mut file = self.verify.read(&mut clock)?;
        for (name, pass) in passes {
            pass(&mut file)?;
            clock.stop(name);
            clock.start();
            let findings = self.verify.check(&file);
            clock.stop("verify");
            clock.start();
            if let Some(FirmFinding { check, node, .. }) = findings.first() {
                let message = format!("a bug of sonc after `{name}`: {check}: {node}");
                return Err(Failure::Message(message));
            }
        }
        write_as(&output, &|out| file.write(out), None)?;
        clock.stop("write");
        self.verify.tell(&clock);
        Ok(())
    }
}

impl FirmExport {
    fn execute(self) -> Outcome {
        check_rewrites(&self.without)?;
        let output = self.output.unwrap_or_else(|| PathBuf::from("-"));
        refuse_input(&self.file, &output)?;
        let source = read(&self.file)?;
        let exported = sonc::export_firm(&source, !self.no_opt, &self.without);
        let file = exported.map_err(|complaints| Failure::Complaints(complaints, source))?;
        write_as(&output, &|out| file.write(out), None)
    }
}

impl FirmShow {
    fn execute(self, show: &dyn Fn(&FirmFile) -> String) -> Outcome {
        let output = self.output.unwrap_or_else(|| PathBuf::from("-"));
        refuse_input(&self.file, &output)?;
        write_file(&output, show(&read_graph(&self.file)?).as_bytes())
    }
}

fn read_graph(path: &Path) -> Result<FirmFile, Failure> {
    let file = open(path).map_err(|error| cannot_read(path, &error))?;
    FirmFile::read(&mut BufReader::with_capacity(BUFFER, file)).map_err(|fault| refuse(path, fault))
}

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// Opens a file; a folder can be opened, but not read.
fn open(path: &Path) -> std::io::Result<File> {
    let file = File::open(path)?;
    match file.metadata()?.is_dir() {
        true => Err(std::io::ErrorKind::IsADirectory.into()),
        false => Ok(file),
    }
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Message(format!("cannot read `{}`: {error}", path.display()))
}

/// The report about a file that has no graph of ours in it.
fn refuse(path: &Path, fault: FirmFault) -> Failure {
    let name = path.display().to_string();
    let found = find(path, &[fault.at]).and_then(|mut places| places.pop());
    match found {
        Some(place) => {
            let report = sonc::render_place(&fault.complaint, &name, &place, wants_color());
            Failure::Report(report)
        }
        None => {
            let message = &fault.complaint.message;
            Failure::Message(format!("`{name}`: behind {} bytes: {message}", fault.at))
        }
    }
}

/// Where in a file the places are; nothing, if the file cannot be read twice.
fn find(path: &Path, ats: &[u64]) -> Option<Vec<Place>> {
    let file = open(path).ok().filter(|it| it.metadata().is_ok_and(|it| it.is_file()))?;
    sonc::places(&mut BufReader::with_capacity(BUFFER, file), ats).ok()
}

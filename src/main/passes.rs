//! `sonc firm fold`, `select`, `run` and `generate`.
use crate::arguments::TargetName;
use crate::files::{Failure, Outcome, print, say, shown};
use crate::firm::Pass;
use crate::firm_arguments::{FirmFold, FirmGenerate, FirmOutput, FirmRun, FirmSelect, FirmVerify};
use crate::{check_rewrites, results};
use host::{Output, Timer};
use sonc::{
    Artifact, Diamonds, FirmFile, FoldOptions, Folded, Generated, Method, Rewrite, SelectCounts,
    StraightLine,
};

impl FirmFold {
    pub fn execute(self) -> Outcome {
        check_rules(&self.without)?;
        let mut steps = Steps { fold: &self, text: String::new(), pictures: Vec::new() };
        let mut folded = None;
        let mut pass = |file: &mut FirmFile| {
            let mut observe = |step: &Rewrite, graph: &dyn Artifact| steps.record(step, graph);
            let observed = self.trace || self.dot_steps.is_some();
            let counts = file.fold(FoldOptions {
                paper_order: self.literal,
                program: false,
                threads: usize::from(self.pass.verify.threads),
                without: &self.without,
                observe: if observed { Some(&mut observe) } else { None },
            });
            folded = Some(counts.map_err(|finding| self.pass.verify.refused(&[finding]))?);
            steps.write()
        };
        let mut passes: [Pass; 1] = [("fold", &mut pass)];
        if !(self.trace || self.stats) {
            self.pass.execute(&[], &mut passes)?;
        } else {
            self.pass.try_out(&mut passes)?;
        }
        print(&steps.text)?;
        folded.filter(|_| self.stats).map_or(Ok(()), |folded| print(&statistics(&folded)))
    }
}

/// The steps of folding that are printed or drawn.
struct Steps<'f> {
    fold: &'f FirmFold,
    text: String,
    /// The pictures with their names.
    pictures: Vec<(String, String)>,
}

impl Steps<'_> {
    fn record(&mut self, step: &Rewrite, graph: &dyn Artifact) {
        if self.fold.trace {
            let Rewrite { rule, before, after, .. } = step;
            self.text += &format!("{rule}: {before} → {after}\n");
        }
        if self.fold.dot_steps.is_some() {
            let number = self.pictures.len() + 1;
            let name = format!("{number:04}-{}", step.rule);
            self.pictures.extend(graph.picture().map(|picture| (name, picture.dot())));
        }
    }

    fn write(&self) -> Outcome {
        let Some(folder) = &self.fold.dot_steps else { return Ok(()) };
        host::write_all(folder, &[&self.fold.pass.verify.file], &self.pictures, "dot")?;
        say(&format!("pictures of {} steps: {}\n", self.pictures.len(), shown(folder)));
        Ok(())
    }
}

/// Rejects a name that no rule has, or a rule that cannot be switched off.
fn check_rules(names: &[String]) -> Outcome {
    let needed = |name: &&String| sonc::needed_folding_rules().any(|needed| needed == *name);
    match names.iter().find(needed) {
        None => check_rewrites(names),
        Some(name) => {
            let reason = "without it, other rules leave invalid graphs";
            let message = format!("rule `{name}` cannot be switched off: {reason}");
            Err(Failure::Usage(message))
        }
    }
}

/// How often each rule was applied, one rule per line.
fn statistics(folded: &Folded) -> String {
    let mut text = format!("{} rewrites in {} waves\n", folded.rewrites(), folded.waves);
    for (name, count) in folded.counts.iter().filter(|(_, count)| *count > 0) {
        text += &format!("{name:<20} {count}\n");
    }
    text
}

impl FirmSelect {
    pub fn execute(self) -> Outcome {
        let rules = TargetName::Tr.rules(self.rules.as_deref())?;
        let method = if self.greedy { Method::Greedy } else { Method::Pbqp };
        let threads = usize::from(self.pass.verify.threads);
        let mut counts = SelectCounts::default();
        let mut pass = |file: &mut FirmFile| {
            let selected = file.select(&rules, method, threads);
            counts = selected.map_err(|diagnostics| {
                let name = shown(&self.pass.verify.file);
                Failure::Diagnostics(diagnostics, sonc::Source { name, text: String::new() })
            })?;
            Ok(())
        };
        let mut passes: [Pass; 1] = [("select", &mut pass)];
        if !self.stats {
            return self.pass.execute(self.rules.as_deref().as_slice(), &mut passes);
        }
        self.pass.try_out(&mut passes)?;
        let SelectCounts { instructions, immediates } = counts;
        print(&format!("{instructions} instructions, {immediates} with an operand of their own\n"))
    }
}

impl FirmRun {
    pub fn execute(self) -> Outcome {
        let arguments: Vec<_> = self.arguments.iter().map(|&it| i64::from(it)).collect();
        // Only programs can be run.
        let verify = FirmVerify { file: self.file, strict: true, threads: 1, time: false };
        let outcome = verify.read(&mut Timer::default())?.run(&arguments);
        let Some(outcome) = outcome else {
            return Err(Failure::Message("a value of this graph depends on itself".to_string()));
        };
        print(&outcome.output)?;
        let values = results::values(&outcome.end).map_err(Failure::Message)?;
        print(&format!("{values}\n"))
    }
}

impl FirmGenerate {
    pub fn execute(self) -> Outcome {
        let (kind, FirmOutput { output }) = self.kind();
        let Some(file) = FirmFile::generate(kind) else {
            return Err(Failure::Usage("there is no such graph".to_string()));
        };
        Ok(Output::new(output.as_deref(), &[])?.write(&|out| file.write(out))?)
    }

    fn kind(self) -> (Generated, FirmOutput) {
        match self {
            FirmGenerate::Exprtree { depth, seed, to } => (Generated::Tree { depth, seed }, to),
            FirmGenerate::Straight { nodes, seed, counts, to } => {
                let mut wanted = StraightLine::of(nodes as usize);
                if let &[constants, nots, stores] = &counts[..] {
                    let counts = [constants, nots, stores].map(|count| count as usize);
                    [wanted.constants, wanted.nots, wanted.stores] = counts;
                }
                (Generated::Straight { counts: wanted, seed }, to)
            }
            FirmGenerate::Minplus { count, constant, chained, to } => {
                let (constant, chained) = (constant == 1, chained == 1);
                let count = count as usize;
                (Generated::Diamonds(Diamonds { count, constant, chained }), to)
            }
            FirmGenerate::Structured { seed, statements, to } => {
                (Generated::Structured { seed, statements: statements as usize }, to)
            }
        }
    }
}

//! `sonc explore`: all stages of a compilation as one page.
use crate::Job;
use crate::arguments::Explore;
use crate::files::{Failure, Outcome, print};
use explorer::{Page, Step};
use host::Output;
use sonc::{Artifact, Halt, Options, Rewrite, Stage, StageObserver, Termination};

impl Explore {
    pub fn execute(self) -> Outcome {
        let default = || self.compile.file.with_extension("html");
        let path = self.output.clone().unwrap_or_else(default);
        let output = Output::new(Some(&path), &self.compile.inputs())?;
        let job = Job::new(&self.compile)?;
        let page = self.page(&job)?;
        output.write_text(&page.html())?;
        let result = page.result.unwrap_or_default();
        print(&format!("{result}\nall stages: {}\n", path.display()))
    }

    fn page(&self, job: &Job) -> Result<Page, Failure> {
        let name = self.compile.file.file_stem().unwrap_or_default().to_string_lossy();
        let mut collector = Collector {
            page: Page::new(name, job.source.text.clone()),
            steps: Vec::new(),
            argument: i64::from(self.arg),
        };
        let options = Options { trace: true, ..job.options() };
        job.compile_observed(options, &mut collector)?;
        Ok(collector.page)
    }
}

/// Collects the stages and their steps.
struct Collector {
    page: Page,
    /// The rewrites since the last stage.
    steps: Vec<Step>,
    argument: i64,
}

impl StageObserver for Collector {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.page.stages.push(explorer::Stage {
            name: stage.name().to_string(),
            text: artifact.print(),
            listing: artifact.listing(),
            picture: artifact.picture(),
            steps: std::mem::take(&mut self.steps),
        });
        if stage == Stage::Allocated {
            self.page.result = artifact.eval(self.argument).map(|outcome| {
                let argument = self.argument;
                match outcome.end {
                    Termination::Value(value) => format!("{value} for the argument {argument}"),
                    Termination::Fault { place, reason } => format!("fault at {place}: {reason}"),
                    Termination::OutOfSteps => "no result: too many steps".to_string(),
                }
            });
        }
        Ok(())
    }

    fn rewrite(&mut self, step: &Rewrite) {
        let mut rules = sonc::rewrites().chain(sonc::folding_rules());
        let law = rules.find(|(name, _)| *name == step.rule).map_or("", |(_, law)| law);
        self.steps.push(Step {
            rule: step.rule.to_string(),
            law: law.to_string(),
            before: step.before.clone(),
            after: step.after.clone(),
            picture: step.picture.clone(),
        });
    }
}

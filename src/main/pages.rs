//! `sonc explore`: all stages of a compilation as one page.
use crate::Job;
use crate::arguments::Explore;
use crate::explore::Collector;
use crate::files::{Failure, Outcome, print, shown};
use explorer::Page;
use host::Output;
use sonc::Artifact;
#[cfg(feature = "ch11")]
use sonc::{Halt, Options, PlacementMethod, Stage, StageObserver, compile};
use std::path::{Path, PathBuf};

impl Explore {
    pub fn execute(self) -> Outcome {
        let path = self.page_path();
        let output = Output::new(Some(&path), &self.compile.inputs())?;
        let job = self.job()?;
        let page = self.page(&job)?;
        output.write_text(&page.html())?;
        print(&summary(&page, &path))
    }

    /// The program. Every rewrite is a step of the page.
    pub fn job(&self) -> Result<Job<'_>, Failure> {
        Ok(Job { trace: true, ..Job::new(&self.compile)? })
    }

    /// The file of the page.
    pub fn page_path(&self) -> PathBuf {
        let default = || self.compile.beside("html");
        self.output.clone().unwrap_or_else(default)
    }

    pub fn page(&self, job: &Job) -> Result<Page, Failure> {
        let file = self.compile.beside("");
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let arguments = job.arguments(&self.arguments)?;
        let evaluate = |artifact: &dyn Artifact| job.evaluate(artifact, &arguments);
        let run = Some((&arguments[..], &evaluate as _));
        let mut collector = Collector::new(&name, &job.source.text, run);
        job.compile_observed(&mut collector)?;
        #[cfg(feature = "ch11")]
        add_early(job, &mut collector.page);
        Ok(collector.page)
    }
}

/// The name of the stage of the page that has the blocks with each node placed early.
#[cfg(feature = "ch11")]
const EARLY: &str = "early";

/// Takes the blocks of a compilation that places each node early.
#[cfg(feature = "ch11")]
#[derive(Default)]
struct EarlyBlocks(Option<explorer::Stage>);

#[cfg(feature = "ch11")]
impl StageObserver for EarlyBlocks {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage != Stage::Blocks {
            return Ok(());
        }
        let listing = artifact.listing();
        let stage_of_page = explorer::Stage::new(EARLY, artifact.print());
        self.0 = Some(explorer::Stage { listing, picture: artifact.picture(), ..stage_of_page });
        Err(Halt::Stopped(stage))
    }
}

/// Adds the blocks with each node placed early before those of the compilation, if they differ: the
/// page compares the two.
#[cfg(feature = "ch11")]
fn add_early(job: &Job, page: &mut Page) {
    let is_blocks = |it: &explorer::Stage| it.name == Stage::Blocks.name();
    let Some(at) = page.stages.iter().position(is_blocks) else { return };
    let mut early = EarlyBlocks::default();
    let placement = PlacementMethod::Early;
    // The program has compiled before, and this compilation stops at the blocks.
    let stopped = compile(&job.source, Options { placement, ..job.options() }, &mut early);
    debug_assert!(matches!(stopped, Err(Halt::Stopped(_))));
    let blocks = &page.stages[at];
    if let Some(mut early) = early.0.filter(|it| it.text != blocks.text) {
        early.family.clone_from(&blocks.family);
        page.stages.insert(at, early);
    }
}

/// The result of the program, and the file of its page.
pub fn summary(page: &Page, path: &Path) -> String {
    let result = page.result.iter().map(|it| format!("{it}\n")).collect::<String>();
    format!("{result}all stages: {}\n", shown(path))
}

//! Collects the stages of a compilation, for the compilers that know no places in the source text.
use explorer::Page;
#[cfg(feature = "ch02")]
use explorer::Step;
#[cfg(feature = "ch02")]
use sonc::Rewrite;
use sonc::{Artifact, Halt, Stage, StageObserver};

/// The stages whose texts are shown beside all others.
const LINKED: &[Stage] = &[Stage::Sea, Stage::Firm, Stage::Allocated, Stage::Bytes];

/// Collects the stages and their steps.
pub struct Collector {
    pub page: Page,
    /// The rewrites since the last stage.
    #[cfg(feature = "ch02")]
    steps: Vec<Step>,
}

impl Collector {
    /// Programs are run elsewhere.
    pub fn new(title: &str, text: &str, _: Option<()>) -> Collector {
        Collector {
            page: Page::new(title, text),
            #[cfg(feature = "ch02")]
            steps: Vec::new(),
        }
    }
}

impl StageObserver for Collector {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.page.stages.push(explorer::Stage {
            name: stage.name().to_string(),
            text: artifact.print(),
            listing: artifact.listing(),
            picture: artifact.picture(),
            family: stage.name().to_string(),
            #[cfg(feature = "ch02")]
            steps: std::mem::take(&mut self.steps),
            is_linked: LINKED.contains(&stage),
            ..explorer::Stage::default()
        });
        Ok(())
    }

    #[cfg(feature = "ch02")]
    fn rewrite(&mut self, rewrite: &Rewrite) {
        self.steps.push(Step {
            rule: rewrite.rule.to_string(),
            before: rewrite.before.clone(),
            after: rewrite.after.clone(),
            ..Step::default()
        });
    }
}

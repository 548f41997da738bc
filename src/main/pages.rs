//! `sonc explore`: all stages of a compilation as one page.
use crate::Job;
use crate::arguments::Explore;
use crate::explore::Collector;
use crate::files::{Failure, Outcome, print, shown};
use explorer::Page;
use host::Output;
use sonc::Artifact;
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
        Ok(collector.page)
    }
}

/// The result of the program, and the file of its page.
pub fn summary(page: &Page, path: &Path) -> String {
    let result = page.result.iter().map(|it| format!("{it}\n")).collect::<String>();
    format!("{result}all stages: {}\n", shown(path))
}

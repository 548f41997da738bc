//! `sonc dot`: pictures of stages, as SVG or for Graphviz.
use crate::Job;
use crate::arguments::{AnyStage, Dot};
use crate::files::{Failure, Outcome};
#[cfg(feature = "ch10")]
use crate::files::{say, shown};
use picture::{Format, TooLarge};
use sonc::{Artifact, Halt, Stage};
use std::path::Path;

/// The pictures of stages. The text of each is made when the stage is done.
#[cfg(feature = "ch10")]
struct Drawings {
    format: Format,
    texts: Vec<(String, Result<String, TooLarge>)>,
}

#[cfg(feature = "ch10")]
impl Drawings {
    /// Draws a stage, if it has a picture.
    fn add(&mut self, stage: Stage, artifact: &dyn Artifact) {
        if let Some(picture) = artifact.picture() {
            self.texts.push((stage.name().to_string(), self.format.text(&picture)));
        }
    }

    /// Writes one file for each stage to a folder; stages that are too large are left out.
    fn write(self, folder: &Path, inputs: &[&Path]) -> Outcome {
        let mut pictures = Vec::new();
        for (stage, text) in self.texts {
            match text {
                Ok(text) => pictures.push((stage, text)),
                Err(reason) => say(&format!("{stage}: {reason}\n")),
            }
        }
        host::write_all(folder, inputs, &pictures, self.format.extension())?;
        say(&format!("pictures of {} stages: {}\n", pictures.len(), shown(folder)));
        Ok(())
    }
}

impl Dot {
    pub fn execute(self) -> Outcome {
        let job = Job::new(&self.compile)?;
        match self.stage {
            #[cfg(feature = "ch10")]
            AnyStage::All => self.all(&job),
            AnyStage::One(stage) => self.one(&job, stage),
            #[cfg(feature = "ch03")]
            AnyStage::Shown => self.shown(&job),
        }
    }

    fn one(&self, job: &Job, selected: Stage) -> Outcome {
        let mut text = None;
        job.compile(&mut |stage, artifact| {
            if stage != selected {
                return Ok(());
            }
            text = artifact.picture().map(|it| self.format().text(&it));
            Err(Halt::Stopped(stage))
        })?;
        match text {
            Some(text) => Ok(job.output(self.output.as_deref())?.write_text(&text?)?),
            #[cfg(feature = "ch04")]
            None if selected == Stage::Pbqp => {
                let message = "`--select greedy` makes no PBQP: there is nothing to draw";
                Err(Failure::Usage(message.to_string()))
            }
            None => Err(job.unsupported("be drawn", &|it| it.picture().is_some())),
        }
    }

    fn format(&self) -> Format {
        Format::of_file(self.svg, self.output.as_deref())
    }

    /// Draws all stages into a folder.
    #[cfg(feature = "ch10")]
    fn all(&self, job: &Job) -> Outcome {
        let format = Format::new(self.svg);
        let extension = format!("{}s", format.extension());
        let default = || self.compile.beside(&extension);
        let folder = self.output.clone().unwrap_or_else(default);
        job.draw_all(format, None, &folder)
    }
}

#[cfg(feature = "ch10")]
impl Job<'_> {
    /// Draws the stages up to the last one, or all, into a folder.
    pub fn draw_all(&self, format: Format, last: Option<Stage>, folder: &Path) -> Outcome {
        let mut drawings = Drawings { format, texts: Vec::new() };
        self.compile(&mut |stage, artifact| {
            drawings.add(stage, artifact);
            if last == Some(stage) { Err(Halt::Stopped(stage)) } else { Ok(()) }
        })?;
        drawings.write(folder, &self.compile.inputs())
    }
}

#[cfg(feature = "ch03")]
impl Dot {
    /// Writes the pictures of `#showGraph`, one after the other.
    fn shown(&self, job: &Job) -> Outcome {
        job.compile(&mut |stage, _| match stage {
            Stage::Parsed => Err(Halt::Stopped(stage)),
            _ => Ok(()),
        })?;
        let output = job.output(self.output.as_deref())?;
        let mut text = String::new();
        job.show(&mut |picture| {
            text += &self.format().text(picture)?;
            Outcome::Ok(())
        })?;
        Ok(output.write_text(&text)?)
    }
}

//! `sonc dot`: pictures of stages, as SVG or for Graphviz.
use crate::Job;
use crate::arguments::{AnyStage, Dot};
use crate::files::{Failure, Outcome, say, write_pictures};
use host::Output;
use picture::Picture;
use sonc::{Artifact, Halt, Stage};
use std::path::Path;

/// The language of a picture's file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Graphviz,
    Svg,
}

impl Format {
    pub fn new(svg: bool) -> Format {
        if svg { Format::Svg } else { Format::Graphviz }
    }

    pub fn extension(self) -> &'static str {
        match self {
            Format::Graphviz => "dot",
            Format::Svg => "svg",
        }
    }

    /// The text of a picture; an error if it is too large to be read.
    pub fn text(self, picture: &Picture) -> Result<String, Failure> {
        match self {
            Format::Graphviz => Ok(picture.dot()),
            Format::Svg => picture.svg().map_err(|reason| {
                let advice = "without `--svg`, Graphviz may draw it";
                Failure::Message(format!("{reason}; {advice}"))
            }),
        }
    }
}

/// The pictures of stages. The text of each is made when the stage is done.
pub struct Drawings {
    format: Format,
    texts: Vec<(String, Result<String, Failure>)>,
}

impl Drawings {
    pub fn new(format: Format) -> Drawings {
        Drawings { format, texts: Vec::new() }
    }

    /// Draws a stage, if it has a picture.
    pub fn add(&mut self, stage: Stage, artifact: &dyn Artifact) {
        if let Some(picture) = artifact.picture() {
            self.texts.push((stage.name().to_string(), self.format.text(&picture)));
        }
    }

    /// Writes one file for each stage to a folder; stages that are too large are left out.
    pub fn write(self, folder: &Path, inputs: &[&Path]) -> Outcome {
        let mut pictures = Vec::new();
        for (stage, text) in self.texts {
            match text {
                Ok(text) => pictures.push((stage, text)),
                Err(Failure::Message(reason)) => say(&format!("{stage}: {reason}\n")),
                Err(failure) => return Err(failure),
            }
        }
        write_pictures(folder, inputs, &pictures, self.format.extension(), "stages")
    }
}

impl Dot {
    pub fn execute(self) -> Outcome {
        let job = Job::new(&self.compile)?;
        let format = Format::new(self.svg);
        let mut drawings = Drawings::new(format);
        job.compile(job.options(), &mut |stage, artifact| {
            let is_selected = match self.stage {
                AnyStage::All => true,
                AnyStage::One(one) => one == stage,
                #[cfg(feature = "ch03")]
                AnyStage::Shown => false,
            };
            if is_selected {
                drawings.add(stage, artifact);
            }
            if self.stage.ends_with(stage) { Err(Halt::Stopped(stage)) } else { Ok(()) }
        })?;
        let inputs = self.compile.inputs();
        let output = || Output::new(self.output.as_deref(), &inputs);
        match (self.stage, drawings.texts.pop()) {
            (AnyStage::All, last) => {
                drawings.texts.extend(last);
                let extension = format!("{}s", format.extension());
                let default = || self.compile.file.with_extension(extension);
                let folder = self.output.clone().unwrap_or_else(default);
                drawings.write(&folder, &inputs)
            }
            (AnyStage::One(_), Some((_, text))) => Ok(output()?.write_text(&text?)?),
            #[cfg(feature = "ch04")]
            (AnyStage::One(Stage::Pbqp), None) => {
                let message = "`--select greedy` makes no PBQP: there is nothing to draw";
                Err(Failure::Usage(message.to_string()))
            }
            (AnyStage::One(_), None) => {
                Err(job.unsupported("be drawn", &|it| it.picture().is_some()))
            }
            #[cfg(feature = "ch03")]
            (AnyStage::Shown, _) => self.shown(&job, &output()?),
        }
    }
}

#[cfg(feature = "ch03")]
impl Dot {
    /// Writes the pictures of `#showGraph`, one after the other.
    fn shown(&self, job: &Job, output: &Output) -> Outcome {
        let mut text = String::new();
        job.show(job.options(), &mut |picture| {
            text += &Format::new(self.svg).text(picture)?;
            Outcome::Ok(())
        })?;
        Ok(output.write_text(&text)?)
    }
}

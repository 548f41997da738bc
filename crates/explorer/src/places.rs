//! Where a page has the drawings of a stage: by numbers, with which its script finds them.
use crate::graphs::Drawings;
use crate::{Stage, steps};
use picture::Picture;

/// The drawings of a stage.
pub struct Places {
    pub graph: Place,
    /// The drawing that the steps share.
    pub steps: Place,
    /// The Graphviz text.
    pub dot: Option<usize>,
}

/// The number of a drawing, or the reason why there is none.
pub type Place = (Option<usize>, Option<String>);

impl Places {
    /// The drawings are made now.
    pub fn now(stage: &Stage, drawings: &mut Drawings) -> Places {
        let picture = stage.picture.as_ref();
        Places {
            graph: drawings.add(picture),
            dot: picture.map(|it| drawings.part(it.dot())),
            steps: drawings.add(steps::union(&stage.steps).as_ref()),
        }
    }

    /// The drawings are made when [`Places::drawing`] is called with their numbers.
    pub fn later(stage: &Stage, index: usize) -> Places {
        let number = |exists: bool, part: usize| exists.then_some(index * PARTS + part);
        let has_steps = stage.steps.iter().any(|it| it.picture.is_some());
        let has_picture = stage.picture.is_some();
        Places {
            graph: (number(has_picture, GRAPH), None),
            steps: (number(has_steps, STEPS), None),
            dot: number(has_picture, DOT),
        }
    }

    /// The drawing of a number, or the reason why there is none; `None` if no stage has it.
    pub fn drawing(stages: &[Stage], number: usize) -> Option<Result<String, String>> {
        let stage = stages.get(number / PARTS)?;
        let svg = |picture: &Picture| picture.svg_element().map_err(|reason| reason.to_string());
        match number % PARTS {
            GRAPH => stage.picture.as_ref().map(svg),
            STEPS => steps::union(&stage.steps).as_ref().map(svg),
            _ => stage.picture.as_ref().map(|it| Ok(it.dot())),
        }
    }
}

/// The parts of a stage, and their order.
const PARTS: usize = 3;
const GRAPH: usize = 0;
const STEPS: usize = 1;
const DOT: usize = 2;

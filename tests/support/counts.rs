//! How often each reduction is used to select instructions.
use sonc::{Artifact, Halt, Stage, StageObserver};
use std::collections::BTreeMap;

/// The counts of all observed programs, by the names of the reductions.
#[derive(Default)]
pub struct Counts(BTreeMap<String, u32>);

impl StageObserver for Counts {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage < Stage::Pbqp {
            return Ok(());
        }
        // The last line: `cost 73 by 2 pruned, 3 RE, …`.
        let text = artifact.print();
        let line = text.lines().last().and_then(|line| line.split_once(" by "));
        for part in line.into_iter().flat_map(|(_, counts)| counts.split(", ")) {
            let (count, name) = part.split_once(' ').expect("a number and a name");
            let count: u32 = count.parse().expect("a number");
            *self.0.entry(name.to_string()).or_default() += count;
        }
        Err(Halt::Stopped(stage))
    }
}

impl Counts {
    pub fn of(&self, name: &str) -> u32 {
        self.0.get(name).copied().unwrap_or(0)
    }
}

//! `--target`: which rules it selects by, and which stages it has.
use crate::arguments::{AnyStage, Command, Run, TargetName};
use crate::files::{Failure, Outcome, read};
use clap::ValueEnum;
use sonc::{MachineRules, Source, Stage, TargetMachine};
use std::path::Path;

impl TargetName {
    pub fn machine(self) -> TargetMachine {
        match self {
            TargetName::Ia32 => TargetMachine::Ia32,
            TargetName::Tr => TargetMachine::Tr,
        }
    }

    /// A file of rules, or the one that comes with the compiler.
    pub fn source(self, file: Option<&Path>) -> Result<Source, Failure> {
        match file {
            Some(path) => read(path),
            None => Ok(self.machine().built_in_rules()),
        }
    }

    /// The rules of `file`, or those that come with the compiler.
    pub fn rules(self, file: Option<&Path>) -> Result<MachineRules, Failure> {
        let source = self.source(file)?;
        let rules = self.machine().rules(&source);
        rules.map_err(|complaints| Failure::Complaints(complaints, source))
    }

    /// Complains if the way of a program ends before `stage`.
    fn check_reaches(self, stage: Stage) -> Outcome {
        let last = self.machine().last_stage();
        if stage <= last {
            return Ok(());
        }
        let name = self.to_possible_value().map_or(String::new(), |it| it.get_name().to_string());
        let message = format!(
            "`{name}` is a machine on paper: its last stage is `{}`, there is no `{}`",
            last.name(),
            stage.name(),
        );
        Err(Failure::Usage(message))
    }
}

impl Command {
    /// The same for a machine that has not all stages: what it lacks is not asked for.
    pub fn with_target_defaults(self) -> Result<Command, Failure> {
        match self {
            Command::Run(it) => it.settled().map(Command::Run),
            Command::Build(it) => {
                it.compile.target.check_reaches(Stage::Elf)?;
                Ok(Command::Build(it))
            }
            Command::Ir(it) => {
                it.compile.target.check_reaches(it.stage)?;
                Ok(Command::Ir(it))
            }
            Command::Dot(it) => {
                if let AnyStage::One(stage) = it.stage {
                    it.compile.target.check_reaches(stage)?;
                }
                Ok(Command::Dot(it))
            }
            Command::Rules(_) | Command::Pbqp(_) => Ok(self),
            #[cfg(feature = "ch25")]
            Command::Firm(_) => Ok(self),
        }
    }
}

impl Run {
    /// Where there is no executable, the last stage runs.
    fn settled(self) -> Result<Run, Failure> {
        let target = self.compile.target;
        let last = target.machine().last_stage();
        let usual = (last < Stage::Elf && !self.emulate).then_some(last);
        let stage = self.stage.or(usual);
        target.check_reaches(stage.unwrap_or(Stage::Elf))?;
        Ok(Run { stage, ..self })
    }
}

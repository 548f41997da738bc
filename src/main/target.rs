//! `--target`: its rules and its stages.
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

    /// A file of rules, or the built-in one.
    pub fn source(self, file: Option<&Path>) -> Result<Source, Failure> {
        match file {
            Some(path) => read(path),
            None => Ok(self.machine().built_in_rules()),
        }
    }

    /// The rules of `file`, or the built-in ones.
    pub fn rules(self, file: Option<&Path>) -> Result<MachineRules, Failure> {
        let source = self.source(file)?;
        let rules = self.machine().rules(&source);
        rules.map_err(|diagnostics| Failure::Diagnostics(diagnostics, source))
    }

    /// The rules of `file`, or else the built-in ones; these are `built_in` for IA-32.
    pub fn rules_or(
        self,
        file: Option<&Path>,
        built_in: MachineRules,
    ) -> Result<MachineRules, Failure> {
        match (file, self) {
            (None, TargetName::Ia32) => Ok(built_in),
            (Some(_), TargetName::Ia32) | (_, TargetName::Tr) => self.rules(file),
        }
    }

    /// Rejects stages that the machine does not have.
    pub fn check_reaches(self, stage: Stage) -> Outcome {
        let last = self.machine().last_stage();
        if stage <= last {
            return Ok(());
        }
        let name = self.to_possible_value().map_or(String::new(), |it| it.get_name().to_string());
        let message = format!(
            "`{name}` is an abstract machine: its last stage is `{}`, there is no `{}`",
            last.name(),
            stage.name(),
        );
        Err(Failure::Usage(message))
    }
}

impl Command {
    /// Adapts the defaults to a machine that does not have all stages.
    pub fn with_target_defaults(self) -> Result<Command, Failure> {
        match self {
            Command::Run(it) => it.with_target_defaults().map(Command::Run),
            Command::Build(it) => {
                it.compile.target.check_reaches(Stage::Elf)?;
                Ok(Command::Build(it))
            }
            Command::Ir(it) => {
                it.stage.map_or(Ok(()), |stage| it.compile.target.check_reaches(stage))?;
                Ok(Command::Ir(it))
            }
            Command::Dot(it) => {
                if let AnyStage::One(stage) = it.stage {
                    it.compile.target.check_reaches(stage)?;
                }
                Ok(Command::Dot(it))
            }
            Command::Explore(it) => {
                it.compile.target.check_reaches(Stage::Elf)?;
                Ok(Command::Explore(it))
            }
            Command::Watch(it) => {
                it.explore.compile.target.check_reaches(Stage::Elf)?;
                Ok(Command::Watch(it))
            }
            #[cfg(feature = "ch28")]
            Command::Check(it) => {
                it.compile.target.check_reaches(Stage::Elf)?;
                Ok(Command::Check(it))
            }
            Command::Rules(_) | Command::Pbqp(_) => Ok(self),
            #[cfg(feature = "ch25")]
            Command::Firm(_) => Ok(self),
            #[cfg(feature = "ch28")]
            Command::Generate(_) | Command::Compare(_) | Command::Lsp(_) => Ok(self),
        }
    }
}

impl Run {
    /// Without an executable, the last stage runs.
    fn with_target_defaults(self) -> Result<Run, Failure> {
        let target = self.compile.target;
        let last = target.machine().last_stage();
        let default = (last < Stage::Elf && !self.emulate).then_some(last);
        let stage = self.stage.or(default);
        target.check_reaches(stage.unwrap_or(Stage::Elf))?;
        Ok(Run { stage, ..self })
    }
}

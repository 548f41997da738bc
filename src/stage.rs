//! What every stage owes the reader: text, a picture, a check, a meaning.
use crate::diagnostics::Diagnostic;
use picture::Picture;

/// The stages of a compilation, in order. Command line, files, pages and text name them alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    Tokens,
    Parsed,
    Sea,
    #[cfg(feature = "ch05")]
    Blocks,
    Firm,
    #[cfg(feature = "ch25")]
    Lowered,
    #[cfg(feature = "ch04")]
    Pbqp,
    Selected,
    Allocated,
    Bytes,
    Elf,
}

impl Stage {
    pub const ALL: &'static [Stage] = &[
        Stage::Tokens,
        Stage::Parsed,
        Stage::Sea,
        #[cfg(feature = "ch05")]
        Stage::Blocks,
        Stage::Firm,
        #[cfg(feature = "ch25")]
        Stage::Lowered,
        #[cfg(feature = "ch04")]
        Stage::Pbqp,
        Stage::Selected,
        Stage::Allocated,
        Stage::Bytes,
        Stage::Elf,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Stage::Tokens => "tokens",
            Stage::Parsed => "parsed",
            Stage::Sea => "sea",
            #[cfg(feature = "ch05")]
            Stage::Blocks => "blocks",
            Stage::Firm => "firm",
            #[cfg(feature = "ch25")]
            Stage::Lowered => "lowered",
            #[cfg(feature = "ch04")]
            Stage::Pbqp => "pbqp",
            Stage::Selected => "selected",
            Stage::Allocated => "allocated",
            Stage::Bytes => "bytes",
            Stage::Elf => "elf",
        }
    }
}

/// How many steps of a program a stage evaluates before it gives up.
pub const STEP_LIMIT: u64 = 1_000_000;

/// What a program did: what it printed, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub output: String,
    pub end: Termination,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// The value the program returned.
    Value(i64),
    /// It cannot go on: where and why.
    Fault { place: String, reason: String },
    /// The step budget was used up; says nothing about the program's meaning.
    OutOfSteps,
}

impl Outcome {
    /// A program that printed nothing and returned `value`.
    pub fn value(value: i64) -> Outcome {
        Outcome { output: String::new(), end: Termination::Value(value) }
    }

    /// A program that printed nothing until its steps were used up.
    pub fn out_of_steps() -> Outcome {
        Outcome { output: String::new(), end: Termination::OutOfSteps }
    }

    pub fn fault(place: impl Into<String>, reason: impl Into<String>) -> Outcome {
        let end = Termination::Fault { place: place.into(), reason: reason.into() };
        Outcome { output: String::new(), end }
    }
}

/// A broken invariant: its name, and what breaks it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub invariant: &'static str,
    pub detail: String,
}

/// Whatever one stage hands to the next.
pub trait Artifact {
    /// Canonical text: what snapshots compare.
    fn print(&self) -> String;

    /// A longer text, one thing a line, where the stage has one.
    fn listing(&self) -> String {
        self.print()
    }

    fn picture(&self) -> Option<Picture> {
        None
    }

    /// Every broken invariant.
    fn verify(&self) -> Vec<Violation>;

    /// The program's meaning for the argument `arg`, if this stage can be executed.
    fn eval(&self, _arg: i64) -> Option<Outcome> {
        None
    }
}

/// Looks at every artifact as it passes, and may stop the line.
pub trait StageObserver {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt>;

    /// One rewrite, if the options ask for a trace.
    #[cfg(feature = "ch02")]
    fn rewrite(&mut self, _step: &Rewrite) {}

    /// A picture the program asks for; drawn, it is as Graphviz has it.
    #[cfg(feature = "ch03")]
    fn show(&mut self, _draw: &dyn Fn() -> String) {}
}

/// One rewrite by one rule.
#[cfg(feature = "ch02")]
#[derive(Clone, Debug)]
pub struct Rewrite {
    pub rule: &'static str,
    pub before: String,
    pub after: String,
}

/// Why a compilation ended before its executable.
#[derive(Debug)]
pub enum Halt {
    /// The program's fault.
    Errors(Vec<Diagnostic>),
    /// The compiler's fault: an invariant does not hold after a stage.
    InvariantViolated(Stage, Vec<Violation>),
    /// Asked for.
    Stopped(Stage),
}

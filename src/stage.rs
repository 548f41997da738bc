//! The interface of every stage: text, picture, verifier, evaluator.
#[cfg(feature = "ch14")]
use crate::arith::joined;
use crate::diagnostics::Diagnostic;
#[cfg(feature = "ch12")]
use crate::floats;
#[cfg(feature = "ch15")]
use crate::heap::ArrayFormat;
#[cfg(feature = "ch10")]
use crate::heap::ResultFormat;
use picture::Picture;
use source::Span;

/// The stages of a compilation, in order. The command line, file names and the book use these
/// names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    Tokens,
    Parsed,
    Sea,
    #[cfg(feature = "ch05")]
    Blocks,
    #[cfg(feature = "ch27")]
    Flow,
    #[cfg(feature = "ch26")]
    Region,
    #[cfg(feature = "ch28")]
    EGraph,
    #[cfg(feature = "ch28")]
    Saturated,
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
    /// The stages and their names, in order.
    pub const NAMES: &'static [(Stage, &'static str)] = &[
        (Stage::Tokens, "tokens"),
        (Stage::Parsed, "parsed"),
        (Stage::Sea, "sea"),
        #[cfg(feature = "ch05")]
        (Stage::Blocks, "blocks"),
        #[cfg(feature = "ch27")]
        (Stage::Flow, "flow"),
        #[cfg(feature = "ch26")]
        (Stage::Region, "region"),
        #[cfg(feature = "ch28")]
        (Stage::EGraph, "egraph"),
        #[cfg(feature = "ch28")]
        (Stage::Saturated, "saturated"),
        (Stage::Firm, "firm"),
        #[cfg(feature = "ch25")]
        (Stage::Lowered, "lowered"),
        #[cfg(feature = "ch04")]
        (Stage::Pbqp, "pbqp"),
        (Stage::Selected, "selected"),
        (Stage::Allocated, "allocated"),
        (Stage::Bytes, "bytes"),
        (Stage::Elf, "elf"),
    ];

    pub fn name(self) -> &'static str {
        Stage::NAMES[self as usize].1
    }
}

/// The step limit of every evaluator, but that of the first graph.
pub const STEP_LIMIT: u64 = 4_000_000;

/// The result of running a program: its output, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub output: String,
    pub end: Termination,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// The value the program returned.
    Value(i64),
    /// The text of the object or of the float that the program returned.
    #[cfg(feature = "ch10")]
    Object(String),
    /// The values the program returned, if there are several.
    #[cfg(feature = "ch14")]
    Values(Vec<i64>),
    /// The program ended with a message, which lacks the name of the file.
    #[cfg(feature = "ch15")]
    Trap(String),
    /// The program cannot continue.
    Fault { place: String, reason: String },
    /// The step limit was reached; the program's result is not known.
    OutOfSteps,
}

impl Outcome {
    /// A program that printed nothing and returned `value`.
    pub fn value(value: i64) -> Outcome {
        Outcome { output: String::new(), end: Termination::Value(value) }
    }

    /// A program that printed nothing and returned these values.
    #[cfg(feature = "ch14")]
    pub fn values(values: &[i64]) -> Outcome {
        let end = match values {
            &[value] => Termination::Value(value),
            several => Termination::Values(several.to_vec()),
        };
        Outcome { output: String::new(), end }
    }

    /// The same outcome; one value is a list of one.
    #[cfg(feature = "ch14")]
    pub fn with_values(self) -> Outcome {
        match self.end {
            Termination::Value(value) => Outcome { end: Termination::Values(vec![value]), ..self },
            #[cfg(feature = "ch15")]
            Termination::Trap(_) => self,
            Termination::Object(_)
            | Termination::Values(_)
            | Termination::Fault { .. }
            | Termination::OutOfSteps => self,
        }
    }

    /// A program that printed nothing and returned the object with this text.
    #[cfg(feature = "ch10")]
    pub fn object(text: String) -> Outcome {
        Outcome { output: String::new(), end: Termination::Object(text) }
    }

    /// The outcome of a program whose results have this format; `load` yields the word at an
    /// address.
    #[cfg(feature = "ch10")]
    pub fn with_format(
        self,
        format: &ResultFormat,
        mut load: impl FnMut(u32) -> Result<i64, String>,
    ) -> Outcome {
        #[cfg(feature = "ch12")]
        if let (ResultFormat::Float, &Termination::Value(bits)) = (format, &self.end) {
            return Outcome { end: Termination::Object(floats::text(bits)), ..self };
        }
        #[cfg(feature = "ch14")]
        if let (ResultFormat::Wide, Termination::Values(words)) = (format, &self.end) {
            return Outcome { end: Termination::Value(joined(words[0], words[1])), ..self };
        }
        #[cfg(feature = "ch15")]
        if let (ResultFormat::Array(format), &Termination::Value(address)) = (format, &self.end) {
            return self.with_array(format, address, load);
        }
        let (ResultFormat::Object(format), Termination::Value(address)) = (format, &self.end)
        else {
            return self;
        };
        let fields = if *address == 0 { &[][..] } else { &format.fields };
        let values = fields.iter().map(|field| field.load(*address as u32, &mut load));
        match values.collect::<Result<Vec<i64>, String>>() {
            Ok(values) => {
                let text = format.text(*address, |field| values[field]);
                Outcome { end: Termination::Object(text), ..self }
            }
            Err(reason) => Outcome::fault("the result", reason),
        }
    }

    /// The outcome of a program that returns the address of an array, or null.
    #[cfg(feature = "ch15")]
    fn with_array(
        self,
        format: &ArrayFormat,
        address: i64,
        load: impl FnMut(u32) -> Result<i64, String>,
    ) -> Outcome {
        match format.text(address, || format.load(address as u32, load)) {
            Ok(text) => Outcome { end: Termination::Object(text), ..self },
            Err(reason) => Outcome::fault("the result", reason),
        }
    }

    /// A program that ended with a message.
    #[cfg(feature = "ch15")]
    pub fn trap(message: String) -> Outcome {
        Outcome { output: String::new(), end: Termination::Trap(message) }
    }

    /// A program that printed nothing until it reached the step limit.
    pub fn out_of_steps() -> Outcome {
        Outcome { output: String::new(), end: Termination::OutOfSteps }
    }

    pub fn fault(place: impl Into<String>, reason: impl Into<String>) -> Outcome {
        let end = Termination::Fault { place: place.into(), reason: reason.into() };
        Outcome { output: String::new(), end }
    }
}

/// A violated invariant: its name, and the offending node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub invariant: &'static str,
    pub detail: String,
}

/// The number of a function, and the number of a node in its Firm graph.
#[cfg(feature = "ch09")]
pub type FirmNode = (usize, u32);

/// The output of a stage.
pub trait Artifact {
    /// Canonical text; snapshots compare it.
    fn print(&self) -> String;

    /// A longer text, one line per item, if the stage has one.
    fn listing(&self) -> String {
        self.print()
    }

    /// The Firm nodes that the lines of the listing were made for, if the lines do not name them.
    #[cfg(feature = "ch09")]
    fn line_nodes(&self) -> Vec<Option<FirmNode>> {
        Vec::new()
    }

    /// The roots of the chosen matches and the other operations that they cover, as Firm nodes.
    #[cfg(feature = "ch09")]
    fn matches(&self) -> Vec<(FirmNode, Vec<FirmNode>)> {
        Vec::new()
    }

    /// The name and the text of each function, if the stage has functions.
    #[cfg(feature = "ch18")]
    fn functions(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn picture(&self) -> Option<Picture> {
        None
    }

    /// The steps from the stage before this one, if they were not observed.
    #[cfg(feature = "ch19")]
    fn steps(&self) -> Vec<Rewrite> {
        Vec::new()
    }

    /// All violated invariants.
    fn verify(&self) -> Vec<Violation>;

    /// The program's result for the argument `arg`, if this stage can be executed.
    fn eval(&self, _arg: i64) -> Option<Outcome> {
        None
    }

    /// The same for several arguments, if this stage takes more than one.
    #[cfg(feature = "ch14")]
    fn eval_all(&self, arguments: &[i64]) -> Option<Outcome> {
        self.eval(arguments.first().copied().unwrap_or_default())
    }
}

/// Receives the artifact of every stage, and may stop the compilation.
pub trait StageObserver {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt>;

    /// Warnings about the program, which is valid.
    ///
    /// # Errors
    /// If the observer takes warnings for errors.
    #[cfg(feature = "ch16")]
    fn warn(&mut self, _warnings: &[Diagnostic]) -> Result<(), Halt> {
        Ok(())
    }

    /// A rewrite, if the options turn on the trace.
    #[cfg(feature = "ch02")]
    fn rewrite(&mut self, _step: &Rewrite) {}

    /// A picture for `#showGraph`; `draw` makes it.
    #[cfg(feature = "ch03")]
    fn show(&mut self, _draw: &dyn Fn() -> Picture) {}
}

/// One rewrite by one rule.
#[cfg(feature = "ch02")]
#[derive(Clone, Debug)]
pub struct Rewrite {
    pub rule: &'static str,
    pub before: String,
    pub after: String,
    /// The name in the picture of the node that was rewritten, or of the one in its place.
    #[cfg(feature = "ch09")]
    pub node: String,
    /// The token that the node was made for.
    #[cfg(feature = "ch09")]
    pub origin: Option<Span>,
    /// The graph after it, if it is small.
    #[cfg(feature = "ch09")]
    pub picture: Option<Picture>,
}

/// Up to so many nodes, the steps of a rewriting have pictures.
#[cfg(feature = "ch09")]
pub const MAX_STEP_NODES: usize = 150;

/// Why a compilation ended before its executable.
#[derive(Debug)]
pub enum Halt {
    /// The program has errors.
    Errors(Vec<Diagnostic>),
    /// A bug of the compiler: a stage violates an invariant.
    InvariantViolated(Stage, Vec<Violation>),
    /// The observer stopped the compilation.
    Stopped(Stage),
}

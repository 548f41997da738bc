//! Diagnostics: errors in an input, with a code for each kind.
#[cfg(feature = "ch02")]
pub use report_text::closest;
use source::Span;

/// One error at one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub code: Code,
    pub span: Span,
    /// The first line of the diagnostic.
    pub message: String,
    /// The text beside the underlined span.
    pub label: String,
    pub help: Option<String>,
    /// A second span that the error is about, and a text about it.
    #[cfg(feature = "ch04")]
    pub also: Option<Box<(Span, String)>>,
}

/// The kind of error; shown as E01, E02, …
/// @ch16 A warning is shown as W11.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// A token that the grammar does not allow here.
    Syntax = 1,
    /// A number that is too large or written in a misleading form.
    Number = 2,
    /// Parentheses, signs or blocks nested too deep.
    #[cfg(feature = "ch02")]
    Nesting = 3,
    /// A name that is not declared, or declared twice.
    #[cfg(feature = "ch03")]
    Name = 4,
    /// A malformed rule of the machine.
    #[cfg(feature = "ch02")]
    Rule = 5,
    /// A program that no rule covers.
    #[cfg(feature = "ch02")]
    Cover = 6,
    /// An instance of PBQP that is malformed or has no solution.
    #[cfg(feature = "ch04")]
    Instance = 7,
    /// `break` or `continue` outside of a loop.
    #[cfg(feature = "ch08")]
    Jump = 8,
    /// A malformed graph file.
    #[cfg(feature = "ch25")]
    Graph = 9,
    /// A value of the wrong type.
    #[cfg(feature = "ch10")]
    Type = 10,
    /// A warning: the program is valid, but may mean something else.
    #[cfg(feature = "ch16")]
    Suspicious = 11,
}

impl Diagnostic {
    pub fn new(
        code: Code,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Diagnostic {
        let (message, label) = (message.into(), label.into());
        Diagnostic {
            code,
            span,
            message,
            label,
            help: None,
            #[cfg(feature = "ch04")]
            also: None,
        }
    }

    pub fn with_help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }
}

#[cfg(feature = "ch02")]
impl From<rule_text::Error> for Diagnostic {
    fn from(error: rule_text::Error) -> Diagnostic {
        let code = match error.kind {
            rule_text::ErrorKind::Syntax => Code::Syntax,
            rule_text::ErrorKind::Nesting => Code::Nesting,
            rule_text::ErrorKind::Rule => Code::Rule,
        };
        Diagnostic::new(code, error.span, error.message, error.label)
    }
}

#[cfg(feature = "ch04")]
impl From<pbqp::Unsolved> for Diagnostic {
    fn from(error: pbqp::Unsolved) -> Diagnostic {
        let (span, help) = match &error {
            pbqp::Unsolved::Malformed(error) => (error.span, None),
            pbqp::Unsolved::Infeasible(_) => (Span::default(), None),
            pbqp::Unsolved::Heuristic(_) => {
                (Span::default(), Some("a heuristic choice may be wrong; `--exact` searches on"))
            }
            pbqp::Unsolved::OutOfSteps(_) => (Span::default(), Some("`--budget` allows more")),
        };
        let message = error.reason();
        let label = "in this instance of PBQP";
        let help = help.map(str::to_string);
        Diagnostic { help, ..Diagnostic::new(Code::Instance, span, message, label) }
    }
}

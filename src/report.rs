//! Diagnostics as reports: the line, the underlined span, the reason, some help.
#[cfg(feature = "ch16")]
use crate::diagnostics::Code;
use crate::diagnostics::Diagnostic;
#[cfg(feature = "ch25")]
use crate::driver::SourcePosition;
use report_text::{Line, Report};
use source::Source;

/// All diagnostics about `source`.
pub fn render(diagnostics: &[Diagnostic], source: &Source, color: bool) -> String {
    diagnostics.iter().map(|it| report(it).render(source, color)).collect()
}

/// A diagnostic about a file that is not in memory.
#[cfg(feature = "ch25")]
pub fn render_place(
    diagnostic: &Diagnostic,
    name: &str,
    place: &SourcePosition,
    color: bool,
) -> String {
    let text = place.text.as_deref().map(|text| (text, place.before));
    let line = Line { line: place.line, column: place.column, text };
    report(diagnostic).render_line(name, &line, color)
}

fn report(diagnostic: &Diagnostic) -> Report<'_> {
    let kind = 'E';
    #[cfg(feature = "ch16")]
    let kind = if diagnostic.code == Code::Suspicious { 'W' } else { kind };
    let report = Report {
        code: format!("{kind}{:02}", diagnostic.code as u32),
        span: diagnostic.span,
        message: &diagnostic.message,
        label: &diagnostic.label,
        help: diagnostic.help.as_deref(),
        also: None,
    };
    #[cfg(feature = "ch04")]
    let report = Report {
        also: diagnostic.also.as_deref().map(|(span, label)| (*span, label.as_str())),
        ..report
    };
    report
}

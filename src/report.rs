//! Renders diagnostics: the line, the underlined span, the reason, some help.
use crate::diagnostics::Diagnostic;
#[cfg(feature = "ch25")]
use crate::driver::SourcePosition;
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind};
use source::{Source, Span};
use std::io::Write;

/// All diagnostics about `source`.
pub fn render(diagnostics: &[Diagnostic], source: &Source, color: bool) -> String {
    let mut bytes = Vec::new();
    for diagnostic in diagnostics {
        // Writing to memory cannot fail.
        let _ = write(diagnostic, source, color, &mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A diagnostic about a file that is not in memory.
#[cfg(feature = "ch25")]
pub fn render_place(
    diagnostic: &Diagnostic,
    name: &str,
    place: &SourcePosition,
    color: bool,
) -> String {
    let mut bytes = Vec::new();
    let at = [place.line, place.column];
    // Writing to memory cannot fail.
    let _ = match &place.text {
        Some(text) if place.line <= MAX_SHOWN_LINE => {
            let text = "\n".repeat(place.line - 1) + text;
            let start = place.line - 1 + place.before;
            let range = on_letters(Span::new(start, start + 1), &text);
            write_with_line(diagnostic, name, (&text, range), color, &mut bytes)
        }
        Some(_) => write_without_line(diagnostic, name, (at, "far down"), &mut bytes),
        None => write_without_line(diagnostic, name, (at, "long"), &mut bytes),
    };
    String::from_utf8_lossy(&bytes).into_owned()
}

fn write(
    diag: &Diagnostic,
    source: &Source,
    color: bool,
    out: &mut Vec<u8>,
) -> std::io::Result<()> {
    let name = source.name.as_str();
    match excerpt(diag.span, &source.text) {
        Some(shown) => write_with_line(diag, name, shown, color, out),
        None => {
            let (line, column) = source.position(diag.span);
            write_without_line(diag, name, ([line, column], "long"), out)
        }
    }
}

/// A report with the source line.
fn write_with_line(
    diag: &Diagnostic,
    name: &str,
    (text, range): (&str, std::ops::Range<usize>),
    color: bool,
    out: &mut Vec<u8>,
) -> std::io::Result<()> {
    let place = (name, range);
    let config = Config::default().with_color(color).with_index_type(IndexType::Byte);
    let mut report = Report::build(ReportKind::Error, place.clone())
        .with_config(config)
        .with_code(format!("E{:02}", diag.code as u32))
        .with_message(one_line(&diag.message))
        .with_label(Label::new(place).with_message(one_line(&diag.label)).with_color(Color::Red));
    if let Some(help) = &diag.help {
        report = report.with_help(one_line(help));
    }
    report.finish().write((name, ariadne::Source::from(visible(text))), out)
}

/// A report without the source line, which is too long or too far down.
fn write_without_line(
    diag: &Diagnostic,
    name: &str,
    ([line, column], reason): ([usize; 2], &str),
    out: &mut Vec<u8>,
) -> std::io::Result<()> {
    writeln!(out, "[E{:02}] Error: {}", diag.code as u32, one_line(&diag.message))?;
    writeln!(out, "   ╭─[ {name}:{line}:{column} ]")?;
    writeln!(out, "   │ {}; the line is too {reason} to be shown", one_line(&diag.label))?;
    diag.help.iter().try_for_each(|help| writeln!(out, "   │ Help: {}", one_line(help)))?;
    writeln!(out, "───╯")
}

/// The text up to a few letters after the span, and the span in it; `None` if the line is already
/// too long before the span.
fn excerpt(span: Span, text: &str) -> Option<(&str, std::ops::Range<usize>)> {
    let range = on_letters(span, text);
    let start_of_line = line_start(&text[..range.start]);
    if range.start - start_of_line > MAX_SHOWN_LENGTH {
        return None;
    }
    let rest = &text[range.start..];
    let length = rest.char_indices().nth(MAX_SHOWN_LENGTH).map_or(rest.len(), |(at, _)| at);
    let end = range.start + length;
    Some((&text[..end], range.start..range.end.min(end)))
}

/// The text with control characters replaced, which could control the terminal. Offsets stay the
/// same.
fn visible(text: &str) -> String {
    let shown = |letter: char| match letter {
        '\n' | '\r' | '\t' => letter,
        _ if letter.is_control() && letter.len_utf8() == 1 => '?',
        _ if letter.is_control() => '\u{b7}',
        _ => letter,
    };
    text.chars().map(shown).collect()
}

/// The offset of the last line of `text`.
fn line_start(text: &str) -> usize {
    text.rfind('\n').map_or(0, |at| at + 1)
}

/// The bytes of the span, extended to character boundaries.
fn on_letters(span: Span, text: &str) -> std::ops::Range<usize> {
    let mut start = (span.start as usize).min(text.len());
    let mut end = (span.end as usize).clamp(start, text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Text from a program may contain control characters, even escape sequences.
fn one_line(text: &str) -> String {
    let shown = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    let mut line: String = text.chars().take(MAX_SHOWN_LENGTH).map(shown).collect();
    if text.chars().nth(MAX_SHOWN_LENGTH).is_some() {
        line.push('…');
    }
    line
}

/// Of a file that is not in memory, later lines are not shown.
#[cfg(feature = "ch25")]
const MAX_SHOWN_LINE: usize = 10_000;

/// Longer messages and lines are truncated.
const MAX_SHOWN_LENGTH: usize = 200;

#[cfg(test)]
#[path = "tests/report.rs"]
mod tests;

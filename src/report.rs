//! Complaints as a person reads them: the line, the place underlined, the reason, some help.
use crate::diagnostics::Diagnostic;
#[cfg(feature = "ch25")]
use crate::driver::Place;
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind};
use source::{Source, Span};
use std::io::Write;

/// All complaints about `source`, one after the other.
pub fn render(complaints: &[Diagnostic], source: &Source, color: bool) -> String {
    let mut bytes = Vec::new();
    for complaint in complaints {
        // Writing to memory cannot fail.
        let _ = write(complaint, source, color, &mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A complaint about a place in a file that is not all in memory: its name and the place.
#[cfg(feature = "ch25")]
pub fn render_place(complaint: &Diagnostic, name: &str, place: &Place, color: bool) -> String {
    let mut bytes = Vec::new();
    let at = [place.line, place.column];
    // Writing to memory cannot fail.
    let _ = match &place.text {
        Some(text) if place.line <= FAR => {
            let text = "\n".repeat(place.line - 1) + text;
            let start = place.line - 1 + place.before;
            let range = on_letters(Span::new(start, start + 1), &text);
            write_with_line(complaint, name, (&text, range), color, &mut bytes)
        }
        Some(_) => write_without_line(complaint, name, (at, "far down"), &mut bytes),
        None => write_without_line(complaint, name, (at, "long"), &mut bytes),
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

/// A report about a range of a text.
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

/// A report about a place that nobody would find in its line, because that is too much so.
fn write_without_line(
    diag: &Diagnostic,
    name: &str,
    ([line, column], much): ([usize; 2], &str),
    out: &mut Vec<u8>,
) -> std::io::Result<()> {
    writeln!(out, "[E{:02}] Error: {}", diag.code as u32, one_line(&diag.message))?;
    writeln!(out, "   ╭─[ {name}:{line}:{column} ]")?;
    writeln!(out, "   │ {}; the line is too {much} to be shown", one_line(&diag.label))?;
    diag.help.iter().try_for_each(|help| writeln!(out, "   │ Help: {}", one_line(help)))?;
    writeln!(out, "───╯")
}

/// The text up to some letters behind the span, and the span in it; none if the line is long
/// before the span already.
fn excerpt(span: Span, text: &str) -> Option<(&str, std::ops::Range<usize>)> {
    let range = on_letters(span, text);
    let begins = line_start(&text[..range.start]);
    if range.start - begins > LONG {
        return None;
    }
    let behind = &text[range.start..];
    let length = behind.char_indices().nth(LONG).map_or(behind.len(), |(at, _)| at);
    let end = range.start + length;
    Some((&text[..end], range.start..range.end.min(end)))
}

/// The text with something to be seen for each character that might command the terminal. All
/// places stay the same.
fn visible(text: &str) -> String {
    let shown = |letter: char| match letter {
        '\n' | '\r' | '\t' => letter,
        _ if letter.is_control() && letter.len_utf8() == 1 => '?',
        _ if letter.is_control() => '\u{b7}',
        _ => letter,
    };
    text.chars().map(shown).collect()
}

/// Where the last line of `text` begins.
fn line_start(text: &str) -> usize {
    text.rfind('\n').map_or(0, |at| at + 1)
}

/// The bytes of the span, moved outwards to where letters begin.
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

/// What a program spells may hold anything, even escape codes for the terminal.
fn one_line(text: &str) -> String {
    let shown = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    let mut line: String = text.chars().take(LONG).map(shown).collect();
    if text.chars().nth(LONG).is_some() {
        line.push('…');
    }
    line
}

/// Of a file that is not in memory, no line behind this one is shown.
#[cfg(feature = "ch25")]
const FAR: usize = 10_000;

/// Longer messages and lines are cut.
const LONG: usize = 200;

#[cfg(test)]
#[path = "tests/report.rs"]
mod tests;

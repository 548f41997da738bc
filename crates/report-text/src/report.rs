//! Renders reports.
use ariadne::{Color, Config, IndexType, Label, ReportKind};
use source::{Source, Span};
use std::io::Write;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// An error in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<'r> {
    /// The kind of error; that of a warning begins with `W`.
    pub code: String,
    /// The text that it is about.
    pub span: Span,
    /// The first line.
    pub message: &'r str,
    /// A text about the underlined span.
    pub label: &'r str,
    /// How to correct the error, if that is clear.
    pub help: Option<&'r str>,
    /// A second span of the same text, and a text about it.
    pub also: Option<(Span, &'r str)>,
}

/// A line of a file that is not in memory. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<'l> {
    /// Its number.
    pub line: usize,
    /// The column of the error.
    pub column: usize,
    /// Its text, unless it is too long, and the number of bytes before the error.
    pub text: Option<(&'l str, usize)>,
}

impl Report<'_> {
    /// The report about a span of `source`, with colours or without.
    pub fn render(&self, source: &Source, color: bool) -> String {
        let name = source.name.as_str();
        let also = self.also.and_then(|(span, label)| Some((excerpt(span, &source.text)?, label)));
        written(|out| match excerpt(self.span, &source.text) {
            Some(shown) => self.write_with_line(name, shown, also, color, out),
            None => {
                let (line, column) = source.position(self.span);
                self.write_without_line(name, ([line, column], "long"), out)
            }
        })
    }

    /// The report about one letter of a line of the file `name`; the span is not used.
    pub fn render_line(&self, name: &str, line: &Line, color: bool) -> String {
        let at = [line.line, line.column];
        written(|out| match line.text {
            Some((text, before)) if line.line <= MAX_SHOWN_LINE => {
                let text = "\n".repeat(line.line - 1) + text;
                let start = line.line - 1 + before;
                let range = on_letters(Span::new(start, start + 1), &text);
                self.write_with_line(name, (&text, range), None, color, out)
            }
            Some(_) => self.write_without_line(name, (at, "far down"), out),
            None => self.write_without_line(name, (at, "long"), out),
        })
    }

    /// A report with the source line.
    fn write_with_line(
        &self,
        name: &str,
        (text, range): Excerpt,
        also: Option<(Excerpt, &str)>,
        color: bool,
        out: &mut Vec<u8>,
    ) -> std::io::Result<()> {
        let (text, range) = with_width(text, range);
        let place = (name, range);
        let config = Config::default().with_color(color).with_index_type(IndexType::Byte);
        let label = Label::new(place.clone()).with_message(one_line(self.label));
        let mut report = ariadne::Report::build(self.kind(), place)
            .with_config(config)
            .with_code(&self.code)
            .with_message(one_line(self.message))
            .with_label(label.with_color(Color::Red));
        let mut shown = text;
        if let Some(((text, range), label)) = also {
            // Both texts are beginnings of the same one.
            shown = if text.len() > shown.len() { text.to_string() } else { shown };
            let label = Label::new((name, range)).with_message(one_line(label));
            report = report.with_label(label.with_color(Color::Blue));
        }
        if let Some(help) = self.help {
            report = report.with_help(one_line(help));
        }
        report.finish().write((name, ariadne::Source::from(visible(&shown))), out)
    }

    fn kind(&self) -> ReportKind<'static> {
        if self.code.starts_with('W') { ReportKind::Warning } else { ReportKind::Error }
    }

    /// A report without the source line, which is too long or too far down.
    fn write_without_line(
        &self,
        name: &str,
        ([line, column], reason): ([usize; 2], &str),
        out: &mut Vec<u8>,
    ) -> std::io::Result<()> {
        writeln!(out, "[{}] {}: {}", self.code, self.kind(), one_line(self.message))?;
        writeln!(out, "   ╭─[ {name}:{line}:{column} ]")?;
        writeln!(out, "   │ {}; the line is too {reason} to be shown", one_line(self.label))?;
        self.help.iter().try_for_each(|help| writeln!(out, "   │ Help: {}", one_line(help)))?;
        writeln!(out, "───╯")
    }
}

/// The text that `write` writes.
fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    // Writing to memory cannot fail.
    let _ = write(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A beginning of a text, and a span in it.
type Excerpt<'t> = (&'t str, Range<usize>);

/// The text up to a few letters after the span, and the span in it; `None` if the line is already
/// too long before the span.
fn excerpt(span: Span, text: &str) -> Option<(&str, Range<usize>)> {
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

/// The text with the characters replaced that could control the terminal or cannot be seen. Offsets
/// stay the same.
fn visible(text: &str) -> String {
    let shown = |letter: char| match letter {
        '\n' | '\r' | '\t' => letter,
        _ if !letter.is_control() && !is_invisible(letter) => letter,
        _ => match letter.len_utf8() {
            1 => '?',
            2 => '\u{b7}',
            _ => '\u{fffd}',
        },
    };
    text.chars().map(shown).collect()
}

/// The text and the span in it. A character without width at the beginning of the span, as a
/// combining mark, is replaced: nothing could point to it.
fn with_width(text: &str, range: Range<usize>) -> (String, Range<usize>) {
    let (before, rest) = text.split_at(range.start);
    match rest.chars().next().filter(|it| it.width() == Some(0) && range.len() >= it.len_utf8()) {
        None => (text.to_string(), range),
        Some(mark) => {
            let text = format!("{before}{SHOWN_MARK}{}", &rest[mark.len_utf8()..]);
            let end = range.end + SHOWN_MARK.len_utf8() - mark.len_utf8();
            (text, range.start..end)
        }
    }
}

const SHOWN_MARK: char = '\u{fffd}';

/// Spaces that are not the usual one, marks without width, and changes of the direction of writing.
pub fn is_invisible(letter: char) -> bool {
    let ranges = ['\u{2000}'..='\u{200f}', '\u{2028}'..='\u{202f}', '\u{205f}'..='\u{206f}'];
    let others = ['\u{a0}', '\u{ad}', '\u{3000}', '\u{feff}'];
    others.contains(&letter) || ranges.iter().any(|it| it.contains(&letter))
}

/// The offset of the last line of `text`.
fn line_start(text: &str) -> usize {
    text.rfind('\n').map_or(0, |at| at + 1)
}

/// The bytes of the span, extended to character boundaries.
fn on_letters(span: Span, text: &str) -> Range<usize> {
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
    let is_hidden = |letter: char| letter.is_control() || is_invisible(letter);
    let shown = |letter: char| if is_hidden(letter) { '\u{fffd}' } else { letter };
    let mut line: String = text.chars().take(MAX_SHOWN_LENGTH).map(shown).collect();
    if text.chars().nth(MAX_SHOWN_LENGTH).is_some() {
        line.push('…');
    }
    line
}

/// Of a file that is not in memory, later lines are not shown.
const MAX_SHOWN_LINE: usize = 10_000;

/// Longer messages and lines are truncated.
const MAX_SHOWN_LENGTH: usize = 200;

#[cfg(test)]
#[path = "tests/report.rs"]
mod tests;

//! The slides of a chapter: one page of HTML that needs no other file.
//!
//! A section becomes a slide with its heading and the sentences that define a term, those with a
//! bold word, or else its first sentence. Figures with their captions, tables and short quotations
//! of code are slides of their own.
mod sentences;

use super::escape;
use super::highlight::highlight;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use sentences::Sentences;

/// A slide: its heading and its body as HTML.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slide {
    /// Whether it opens the chapter or a part of it.
    pub is_title: bool,
    pub heading: String,
    pub body: String,
}

/// Reads a figure by its path relative to the chapter.
pub type Figures<'f> = dyn Fn(&str) -> Option<Vec<u8>> + 'f;

/// The most sentences of a slide.
const SENTENCES: usize = 5;

/// The most lines and columns of code that fit a slide.
const LINES: usize = 20;
const COLUMNS: usize = 105;

/// The sections that are for readers.
const OMITTED: [&str; 2] = ["Exercises", "Sources"];

/// The slides of a text of Markdown.
///
/// # Errors
/// A figure that cannot be read.
pub fn slides(text: &str, figures: &Figures) -> Result<Vec<Slide>, String> {
    let mut deck = Deck { figures, slides: Vec::new(), section: Section::default() };
    let mut events = Parser::new_ext(text, Options::ENABLE_TABLES);
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let inner = until(&mut events, |end| matches!(end, TagEnd::Heading(_)));
                deck.end_section();
                let is_title = level == HeadingLevel::H1;
                deck.section = Section { is_title, heading: plain(&inner), ..Section::default() };
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let inner = until(&mut events, |end| *end == TagEnd::CodeBlock);
                deck.section.sentences.end();
                deck.code(&kind, &plain(&inner));
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let inner = until(&mut events, |end| *end == TagEnd::Image);
                deck.figure(&dest_url, &plain(&inner))?;
            }
            Event::Start(Tag::Table(columns)) => {
                let inner = until(&mut events, |end| *end == TagEnd::Table);
                deck.table(Tag::Table(columns), inner)?;
            }
            event => deck.section.sentences.event(event),
        }
    }
    deck.end_section();
    Ok(deck.slides)
}

struct Deck<'d> {
    figures: &'d Figures<'d>,
    slides: Vec<Slide>,
    section: Section,
}

/// The section that is read.
#[derive(Default)]
struct Section {
    is_title: bool,
    heading: String,
    sentences: Sentences,
    /// The bodies of the slides after its first one.
    further: Vec<String>,
}

impl Deck<'_> {
    fn end_section(&mut self) {
        let Section { is_title, heading, mut sentences, further } =
            std::mem::take(&mut self.section);
        if heading.is_empty() || OMITTED.contains(&heading.as_str()) {
            return;
        }
        sentences.end();
        let bodies: Vec<String> = if is_title {
            vec![sentences.motto().map_or(String::new(), |it| format!("<p>{it}</p>\n"))]
        } else {
            sentences.points().chunks(SENTENCES).map(list).collect()
        };
        let bodies = bodies.into_iter().map(|body| (is_title, body));
        let bodies = bodies.chain(further.into_iter().map(|body| (false, body)));
        let slide = |(is_title, body)| Slide { is_title, heading: heading.clone(), body };
        self.slides.extend(bodies.map(slide));
    }

    fn code(&mut self, kind: &CodeBlockKind, text: &str) {
        if text.lines().count() > LINES || text.lines().any(|it| it.chars().count() > COLUMNS) {
            return;
        }
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.as_ref(),
            CodeBlockKind::Indented => "",
        };
        let mut words = info.split_whitespace();
        let is_rust = words.next() == Some("rust");
        let caption = words.next().map_or(String::new(), |file| {
            format!("<figcaption><code>{}</code></figcaption>", escape(file))
        });
        let code = if is_rust { highlight(text) } else { escape(text) };
        let body = format!("<figure><pre><code>{code}</code></pre>{caption}</figure>\n");
        self.section.further.push(body);
    }

    /// A figure is part of the page, as text.
    fn figure(&mut self, path: &str, caption: &str) -> Result<(), String> {
        let (data, caption) = (self.address(path)?, escape(caption));
        self.section.further.push(format!(
            "<figure><img alt=\"\" src=\"{data}\">\
             <figcaption>{caption}</figcaption></figure>\n"
        ));
        Ok(())
    }

    /// The address of a figure that contains it.
    fn address(&self, path: &str) -> Result<String, String> {
        let bytes =
            (self.figures)(path).ok_or_else(|| format!("the figure {path} is not there"))?;
        let kind = match path.rsplit_once('.').map(|it| it.1) {
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            _ => return Err(format!("{path}: a figure is an SVG or a PNG")),
        };
        Ok(format!("data:{kind};base64,{}", base64(&bytes)))
    }

    fn table<'t>(&mut self, start: Tag<'t>, mut inner: Vec<Event<'t>>) -> Result<(), String> {
        for event in &mut inner {
            if let Event::Start(Tag::Image { dest_url, .. }) = event {
                *dest_url = self.address(dest_url)?.into();
            }
        }
        // Links lead out of the page.
        let is_link = |event: &Event| {
            matches!(event, Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link))
        };
        let events = std::iter::once(Event::Start(start));
        let events = events.chain(inner.into_iter().filter(|it| !is_link(it)));
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, events.chain([Event::End(TagEnd::Table)]));
        self.section.further.push(html);
        Ok(())
    }
}

fn list(sentences: &[String]) -> String {
    let items: String = sentences.iter().map(|it| format!("<li>{it}</li>\n")).collect();
    format!("<ul>\n{items}</ul>\n")
}

/// The page with all slides. The first heading is its title.
pub fn page(slides: &[Slide]) -> String {
    let title = slides.first().map_or(String::new(), |it| escape(&it.heading));
    let count = slides.len();
    let mut sections = String::new();
    for (at, Slide { is_title, heading, body }) in slides.iter().enumerate() {
        let class = if *is_title { "slide title" } else { "slide" };
        let level = if *is_title { "h1" } else { "h2" };
        let heading = escape(heading);
        sections += &format!(
            "<section class=\"{class}\">\n<{level}>{heading}</{level}>\n{body}\
             <footer>{title} · {} / {count}</footer>\n</section>\n",
            at + 1
        );
    }
    let (style, script) = (include_str!("slides.css"), include_str!("slides.js"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{sections}\
         <script>\n{script}</script>\n</body>\n</html>\n"
    )
}

/// The events before the end of an element, which is dropped.
fn until<'t>(
    events: &mut impl Iterator<Item = Event<'t>>,
    is_end: impl Fn(&TagEnd) -> bool,
) -> Vec<Event<'t>> {
    events.take_while(|event| !matches!(event, Event::End(end) if is_end(end))).collect()
}

/// The text of events.
fn plain(events: &[Event]) -> String {
    let text = |event: &Event| match event {
        Event::Text(text) | Event::Code(text) => text.to_string(),
        Event::SoftBreak => " ".to_string(),
        _ => String::new(),
    };
    events.iter().map(text).collect()
}

/// Bytes in base 64.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests;

//! The sentences of a section as HTML.
use super::super::escape;
use pulldown_cmark::{Event, Tag, TagEnd};

/// Abbreviations that end no sentence.
const ABBREVIATIONS: [&str; 3] = ["e.g.", "i.e.", "vs."];

/// The sentences that have been read, and the one that is being read.
#[derive(Default)]
pub struct Sentences {
    found: Vec<Sentence>,
    html: String,
    /// The same without its elements.
    plain: String,
    has_term: bool,
    /// The elements that are open.
    open: Vec<&'static str>,
}

struct Sentence {
    html: String,
    plain: String,
    has_term: bool,
}

impl Sentences {
    /// Reads an event of the prose; paragraphs and items end a sentence.
    pub fn event(&mut self, event: Event) {
        match event {
            Event::Text(text) => text.chars().for_each(|it| self.character(it)),
            Event::SoftBreak | Event::HardBreak => self.character(' '),
            Event::Code(text) => {
                self.plain += &text;
                self.html += &format!("<code>{}</code>", escape(&text));
            }
            Event::Start(Tag::Strong) => self.start("strong"),
            Event::Start(Tag::Emphasis) => self.start("em"),
            Event::End(TagEnd::Strong | TagEnd::Emphasis) => {
                if let Some(name) = self.open.pop() {
                    self.html += &format!("</{name}>");
                }
            }
            Event::Start(Tag::Paragraph | Tag::Item | Tag::List(_))
            | Event::End(TagEnd::Paragraph | TagEnd::Item) => self.end(),
            _ => {}
        }
    }

    fn start(&mut self, name: &'static str) {
        self.has_term |= name == "strong";
        self.open.push(name);
        self.html += &format!("<{name}>");
    }

    fn character(&mut self, character: char) {
        if character.is_whitespace() && self.is_complete() {
            // An element may go on in the next sentence.
            let open = std::mem::take(&mut self.open);
            open.iter().rev().for_each(|name| self.html += &format!("</{name}>"));
            self.end();
            open.into_iter().for_each(|name| self.start(name));
        } else {
            self.plain.push(character);
            self.html += &escape(character.encode_utf8(&mut [0; 4]));
        }
    }

    fn is_complete(&self) -> bool {
        let last = self.plain.rsplit(' ').next().unwrap_or_default();
        let is_initial = last.chars().count() == 2 && last.starts_with(char::is_uppercase);
        last.ends_with(['.', '?', '!']) && !is_initial && !ABBREVIATIONS.contains(&last)
    }

    /// Ends the sentence.
    pub fn end(&mut self) {
        let (html, plain) = (std::mem::take(&mut self.html), std::mem::take(&mut self.plain));
        let has_term = std::mem::take(&mut self.has_term);
        self.open.clear();
        if !plain.trim().is_empty() {
            let (html, plain) = (html.trim().to_string(), plain.trim().to_string());
            self.found.push(Sentence { html, plain, has_term });
        }
    }

    /// The sentence in italics below a title.
    pub fn motto(&self) -> Option<&str> {
        self.found.first().map(|it| it.html.as_str()).filter(|it| it.starts_with("<em>"))
    }

    /// The sentences with a bold word, or else the first one. One that ends with a colon
    /// introduces something that is elsewhere.
    pub fn points(&self) -> Vec<String> {
        let is_whole = |it: &&Sentence| !it.plain.ends_with(':');
        let mut terms = self.found.iter().filter(|it| it.has_term).filter(is_whole).peekable();
        if terms.peek().is_some() {
            return terms.map(|it| it.html.clone()).collect();
        }
        let first = self.found.iter().find(is_whole).or(self.found.first());
        first.map(|it| it.html.clone()).into_iter().collect()
    }
}

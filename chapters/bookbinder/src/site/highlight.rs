//! Colours the code of the book: keywords, texts and comments.
use super::escape;
use crate::token::{Kind, tokens};

const KEYWORDS: &[&str] = &[
    "as", "break", "const", "continue", "crate", "dyn", "else", "enum", "false", "fn", "for", "if",
    "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
    "Self", "static", "struct", "super", "trait", "true", "type", "use", "where", "while",
];

/// Rust as HTML. An element ends at the end of its line. Other text has no colours.
pub fn highlight(text: &str) -> String {
    let mut html = String::new();
    let mut end = 0;
    for token in tokens(text).unwrap_or_default() {
        html += &escape(&text[end..token.start]);
        end = token.start + token.text.len();
        match class(token.kind, token.text) {
            Some(class) => html += &marked(class, token.text),
            None => html += &escape(token.text),
        }
    }
    html + &escape(&text[end..])
}

fn class(kind: Kind, text: &str) -> Option<&'static str> {
    match kind {
        Kind::Comment => Some("comment"),
        Kind::Number | Kind::Literal => Some("literal"),
        Kind::Word => KEYWORDS.contains(&text).then_some("keyword"),
        Kind::Lifetime | Kind::Sign => None,
    }
}

fn marked(class: &str, text: &str) -> String {
    let marked = |line| format!("<i class=\"{class}\">{}</i>", escape(line));
    let lines = text.split('\n').map(|it| if it.is_empty() { String::new() } else { marked(it) });
    lines.collect::<Vec<_>>().join("\n")
}

//! The frame of a page: head, navigation, search.
use super::escape;
use super::links::{page_of, relative};
use super::markdown::{Rendered, Section};
use pulldown_cmark::HeadingLevel;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The page of a text; `contents` are the texts of the navigation.
pub fn page(path: &Path, rendered: &Rendered, contents: &[(&PathBuf, &Rendered)]) -> String {
    let mut items = String::new();
    for (other, text) in contents {
        let target = relative(path, &page_of(other));
        let title = if other.as_path() == Path::new("README.md") { "sonc" } else { &text.title };
        let title = escape(title);
        if other.as_path() == path {
            let sections = sections(&text.sections);
            items += &format!("<li><b>{title}</b>{sections}</li>\n");
        } else {
            items += &format!("<li><a href=\"{target}\">{title}</a></li>\n");
        }
    }
    let body = format!(
        "<nav aria-label=\"Chapters\"><details open><summary>Contents</summary>\n\
         <ol>{items}</ol></details></nav>\n<main>\n{}</main>\n",
        rendered.html
    );
    html(path, &escape(&rendered.title), &body)
}

/// The headings of the second level.
fn sections(sections: &[Section]) -> String {
    let second = sections.iter().filter(|it| it.level == HeadingLevel::H2);
    let items =
        second.map(|it| format!("<li><a href=\"#{}\">{}</a></li>", it.anchor, escape(&it.title)));
    format!("<ul>{}</ul>", items.collect::<String>())
}

/// A page with this title and body.
pub fn html(path: &Path, title: &str, body: &str) -> String {
    let [home, style, script, index] =
        ["index.html", "book.css", "book.js", "search.js"].map(|it| relative(path, Path::new(it)));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · sonc</title>\n<link rel=\"stylesheet\" href=\"{style}\">\n\
         </head>\n<body>\n\
         <header><a class=\"home\" href=\"{home}\">sonc</a>\n\
         <label>Search <input id=\"search\" type=\"search\" autocomplete=\"off\" \
         data-index=\"{index}\"></label></header>\n\
         <div id=\"found\" aria-live=\"polite\" hidden></div>\n\
         {body}<script src=\"{script}\"></script>\n</body>\n</html>\n"
    )
}

/// The sections of all texts as a script: title, page and prose.
pub fn search_index(texts: &BTreeMap<PathBuf, Rendered>) -> String {
    let mut rows = String::new();
    for (path, rendered) in texts {
        let page = page_of(path);
        for section in &rendered.sections {
            let target = format!("{}#{}", relative(Path::new(""), &page), section.anchor);
            let place = if section.title == rendered.title { "" } else { &rendered.title };
            let texts = [&target, &section.title, place, &section.prose].map(quoted);
            rows += &format!("[{}],\n", texts.join(","));
        }
    }
    format!("window.bookIndex = [\n{rows}];\n")
}

/// A text as a literal of JavaScript.
fn quoted(text: impl AsRef<str>) -> String {
    let mut literal = String::from("\"");
    for character in text.as_ref().chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => literal.push(' '),
            '<' => literal += "\\u003c",
            character => literal.push(character),
        }
    }
    literal + "\""
}

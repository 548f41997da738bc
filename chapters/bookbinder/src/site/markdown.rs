//! Renders a text of Markdown.
use super::highlight::highlight;
use super::links::{page_of, relative, resolve};
use super::playground;
use super::{Extras, escape};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A text as HTML.
pub struct Rendered {
    pub title: String,
    pub html: String,
    pub sections: Vec<Section>,
    /// The files that it links to and shows.
    pub files: Vec<PathBuf>,
}

/// A heading, and the prose below it.
pub struct Section {
    pub title: String,
    pub anchor: String,
    pub level: HeadingLevel,
    pub prose: String,
}

pub fn render(root: &Path, path: &Path, text: &str, extras: Extras) -> Rendered {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut renderer = Renderer {
        root,
        path,
        extras,
        rendered: Rendered {
            title: String::new(),
            html: String::new(),
            sections: Vec::new(),
            files: Vec::new(),
        },
        anchors: HashMap::new(),
    };
    let events = renderer.events(Parser::new_ext(text, options).collect());
    let mut rendered = renderer.rendered;
    pulldown_cmark::html::push_html(&mut rendered.html, events.into_iter());
    rendered.title = rendered.sections.first().map_or_else(String::new, |it| it.title.clone());
    rendered
}

struct Renderer<'r> {
    root: &'r Path,
    path: &'r Path,
    extras: Extras<'r>,
    rendered: Rendered,
    /// How often each anchor has occurred.
    anchors: HashMap<String, usize>,
}

impl<'t> Renderer<'_> {
    fn events(&mut self, events: Vec<Event<'t>>) -> Vec<Event<'t>> {
        let mut all = Vec::with_capacity(events.len());
        let mut events = events.into_iter();
        while let Some(event) = events.next() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let inner = until(&mut events, |end| matches!(end, TagEnd::Heading(_)));
                    all.extend(self.heading(level, inner));
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let inner = until(&mut events, |end| *end == TagEnd::CodeBlock);
                    let info = match kind {
                        CodeBlockKind::Fenced(info) => info,
                        CodeBlockKind::Indented => CowStr::Borrowed(""),
                    };
                    all.push(Event::Html(self.code(&info, &text_of(&inner)).into()));
                }
                Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                    let dest_url: CowStr = self.target(&dest_url).into();
                    let link = format!("<a href=\"{}\">", escape(&dest_url));
                    all.push(Event::InlineHtml(link.into()));
                    all.push(Event::Start(Tag::Image { link_type, dest_url, title, id }));
                }
                Event::End(TagEnd::Image) => {
                    all.extend([Event::End(TagEnd::Image), Event::InlineHtml("</a>".into())]);
                }
                Event::Start(tag) => all.push(Event::Start(self.linked(tag))),
                Event::Text(text) => {
                    self.add_prose(&text);
                    all.push(Event::Text(text));
                }
                Event::Code(text) => {
                    self.add_prose(&text);
                    all.push(Event::Code(text));
                }
                Event::SoftBreak => {
                    self.add_prose(" ");
                    all.push(Event::SoftBreak);
                }
                event => all.push(event),
            }
        }
        all
    }

    fn add_prose(&mut self, text: &str) {
        if let Some(section) = self.rendered.sections.last_mut() {
            section.prose += text;
        }
    }

    fn heading(&mut self, level: HeadingLevel, inner: Vec<Event<'t>>) -> Vec<Event<'t>> {
        let title = text_of(&inner);
        let anchor = self.anchor(&title);
        let link = format!("<a class=\"anchor\" href=\"#{0}\" aria-label=\"Link\">#</a>", anchor);
        let id = Some(CowStr::from(anchor.clone()));
        let prose = String::new();
        self.rendered.sections.push(Section { title, anchor, level, prose });
        let (classes, attrs) = (Vec::new(), Vec::new());
        let start = Event::Start(Tag::Heading { level, id, classes, attrs });
        let end = [Event::InlineHtml(link.into()), Event::End(TagEnd::Heading(level))];
        let inner = inner.into_iter().map(|event| match event {
            Event::Start(tag) => Event::Start(self.linked(tag)),
            event => event,
        });
        std::iter::once(start).chain(inner).chain(end).collect()
    }

    /// The name of a heading in links, as on the usual sites for code.
    fn anchor(&mut self, title: &str) -> String {
        let lower = title.trim().to_lowercase();
        let kept = lower.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        let anchor = kept.collect::<String>().replace(' ', "-");
        let count = self.anchors.entry(anchor.clone()).or_default();
        *count += 1;
        if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
    }

    /// Links lead to pages.
    fn linked(&mut self, tag: Tag<'t>) -> Tag<'t> {
        match tag {
            Tag::Link { link_type, dest_url, title, id } => {
                let dest_url = self.target(&dest_url).into();
                Tag::Link { link_type, dest_url, title, id }
            }
            tag => tag,
        }
    }

    fn target(&mut self, link: &str) -> String {
        let Some((mut file, anchor)) = resolve(self.path, link) else { return link.to_string() };
        if self.root.join(&file).is_dir() {
            // The site has a list of a chapter's programs and their pages.
            if file.ends_with("cases") {
                return relative(self.path, &file.with_file_name("examples.html"));
            }
            let readme = file.join("README.md");
            file = if self.root.join(&readme).is_file() { readme } else { file };
        }
        let target = relative(self.path, &page_of(&file));
        if file.extension().is_none_or(|it| it != "html") {
            self.rendered.files.push(file);
        }
        if anchor.is_empty() { target } else { format!("{target}#{anchor}") }
    }

    /// A block of code with its file and line, and the page of a program.
    fn code(&mut self, info: &str, text: &str) -> String {
        let mut words = info.split_whitespace();
        let (language, file) = (words.next().unwrap_or_default(), words.next());
        let code = if language == "rust" { highlight(text) } else { escape(text) };
        let block =
            format!("<pre tabindex=\"0\"><code class=\"{}\">{code}</code></pre>", escape(language));
        let Some(file) = file else { return format!("<figure>{block}</figure>\n") };
        let is_source = ["rust", "rules"].contains(&language);
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let path = if is_source { PathBuf::from(file) } else { folder.join(file) };
        let mut caption = self.caption(&path, text);
        if self.extras.playground
            && let Some(link) = playground::link(self.path, &path, text)
        {
            caption += &format!(" · <a class=\"run\" href=\"{}\">Edit and run</a>", escape(&link));
        }
        format!("<figure>{block}<figcaption>{caption}</figcaption></figure>\n")
    }

    fn caption(&mut self, path: &Path, text: &str) -> String {
        let Ok(source) = fs::read_to_string(self.root.join(path)) else {
            return format!("<code>{}</code>", escape(&path.display().to_string()));
        };
        let line = line_of(&source, text);
        let target = relative(self.path, &page_of(path));
        self.rendered.files.push(path.to_path_buf());
        let name = format!("{}:{line}", path.display());
        let mut caption =
            format!("<a href=\"{target}#L{line}\"><code>{}</code></a>", escape(&name));
        if let Some(page) = (self.extras.examples)(path) {
            let page = relative(self.path, &page);
            caption += &format!(" · <a class=\"explore\" href=\"{page}\">explore all stages</a>");
        }
        caption
    }
}

/// The line at which a quotation begins, from 1: the first whose successor is quoted, too.
fn line_of(source: &str, quotation: &str) -> usize {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let mut quoted = quotation.lines().map(str::trim).filter(|it| !it.is_empty());
    let (first, second) = (quoted.next().unwrap_or_default(), quoted.next());
    let is_followed = |at: &usize| second.is_none_or(|it| lines.get(at + 1) == Some(&it));
    let mut found = (0..lines.len()).filter(|at| lines[*at] == first);
    let any = found.clone().next();
    found.find(is_followed).or(any).unwrap_or(0) + 1
}

/// The events before the end of an element, which is dropped.
fn until<'t>(
    events: &mut impl Iterator<Item = Event<'t>>,
    is_end: impl Fn(&TagEnd) -> bool,
) -> Vec<Event<'t>> {
    events.take_while(|event| !matches!(event, Event::End(end) if is_end(end))).collect()
}

/// The text of events.
fn text_of(events: &[Event]) -> String {
    let text = |event: &Event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.to_string()),
        _ => None,
    };
    events.iter().filter_map(text).collect()
}

//! The book as a site: a page of HTML for each text, with figures, navigation and a search. It
//! needs no network and no server.
//!
//! The README is the first page; every text that a page links to becomes a page, too. Files keep
//! their places below the root of the repository, so links between them stay as they are.
mod highlight;
mod links;
mod markdown;
mod page;
mod playground;
pub mod slides;
mod source;

pub use links::broken;
pub use playground::PLAYGROUND;

use crate::tree;
use markdown::Rendered;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a site by their paths.
pub type Site = BTreeMap<PathBuf, Vec<u8>>;

/// The pages of the examples: where that of a program is, if there is one.
pub type Examples<'e> = dyn Fn(&Path) -> Option<PathBuf> + 'e;

/// What a site has besides its texts.
#[derive(Clone, Copy)]
pub struct Extras<'e> {
    pub examples: &'e Examples<'e>,
    /// Whether programs can be edited and run.
    pub playground: bool,
}

/// Renders the README and everything that it leads to, and these other texts.
///
/// # Errors
/// A file that cannot be read.
pub fn site(root: &Path, extras: Extras, others: &[(PathBuf, String)]) -> Result<Site, String> {
    let mut book = Book { root, extras, texts: BTreeMap::new(), site: Site::new() };
    book.collect(Path::new("README.md"))?;
    let chapters: Vec<PathBuf> =
        tree::chapters(root).into_iter().map(|(_, folder)| folder.join("README.md")).collect();
    for chapter in &chapters {
        book.collect(chapter)?;
    }
    for (path, text) in others {
        book.texts.insert(path.clone(), markdown::render(root, path, text, extras));
    }
    book.write(&chapters);
    Ok(book.site)
}

struct Book<'b> {
    root: &'b Path,
    extras: Extras<'b>,
    /// The rendered texts by the paths of their Markdown.
    texts: BTreeMap<PathBuf, Rendered>,
    site: Site,
}

impl Book<'_> {
    /// Renders a text, and all that it leads to.
    fn collect(&mut self, first: &Path) -> Result<(), String> {
        let mut pending = vec![first.to_path_buf()];
        let mut seen = BTreeSet::new();
        while let Some(path) = pending.pop() {
            if self.texts.contains_key(&path) || !seen.insert(path.clone()) {
                continue;
            }
            if self.root.join(&path).is_dir() {
                let list = source::folder(self.root, &path);
                self.site.insert(links::page_of(&path), list.into_bytes());
                continue;
            }
            let bytes = fs::read(self.root.join(&path));
            let bytes = bytes.map_err(|err| format!("{}: {err}", path.display()))?;
            if links::is_markdown(&path) {
                let text = String::from_utf8_lossy(&bytes);
                let rendered = markdown::render(self.root, &path, &text, self.extras);
                pending.extend(rendered.files.iter().cloned());
                self.texts.insert(path, rendered);
            } else if links::is_shown_as_text(&path) {
                let text = String::from_utf8_lossy(&bytes);
                self.site.insert(links::page_of(&path), source::page(&path, &text).into_bytes());
            } else {
                self.site.insert(path, bytes);
            }
        }
        Ok(())
    }

    /// Writes the pages of all texts, and the files that they share.
    fn write(&mut self, chapters: &[PathBuf]) {
        let contents: Vec<(&PathBuf, &Rendered)> = [PathBuf::from("README.md")]
            .iter()
            .chain(chapters)
            .filter_map(|path| self.texts.get_key_value(path))
            .collect();
        for (path, rendered) in &self.texts {
            let html = page::page(path, rendered, &contents);
            self.site.insert(links::page_of(path), html.into_bytes());
        }
        let index = page::search_index(&self.texts);
        let files = [
            ("book.css", include_str!("book.css").to_string()),
            ("book.js", include_str!("book.js").to_string()),
            ("search.js", index),
        ];
        for (name, text) in files {
            self.site.insert(name.into(), text.into_bytes());
        }
    }
}

/// The page of one text, beside a site or without it.
pub fn page_of_text(root: &Path, path: &Path, text: &str) -> (PathBuf, String) {
    let extras = Extras { examples: &|_| None, playground: false };
    let rendered = markdown::render(root, path, text, extras);
    (links::page_of(path), page::page(path, &rendered, &[]))
}

/// Escapes a text for HTML.
pub fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

#[cfg(test)]
mod tests;

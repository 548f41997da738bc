//! Links between the pages of a site.
use super::{PLAYGROUND, Site};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

pub fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "md")
}

/// A browser would offer to save these files.
pub fn is_shown_as_text(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    !["svg", "png", "html", "css", "js"].contains(&extension)
}

/// The page of a file: `README.md` is the index of its folder.
pub fn page_of(path: &Path) -> PathBuf {
    if path.ends_with("README.md") {
        path.with_file_name("index.html")
    } else if is_markdown(path) {
        path.with_extension("html")
    } else if is_shown_as_text(path) {
        PathBuf::from(format!("{}.html", path.display()))
    } else {
        path.to_path_buf()
    }
}

/// The file that a link in another file leads to, and the anchor in it; `None` if it leads out of
/// the book.
pub fn resolve(from: &Path, link: &str) -> Option<(PathBuf, String)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = if path.is_empty() { from.to_path_buf() } else { folder(from).join(path) };
    Some((normal(&path), anchor.to_string()))
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(name) => parts.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    parts.into_iter().collect()
}

/// The link from one file to another.
pub fn relative(from: &Path, to: &Path) -> String {
    let up = "../".repeat(folder(from).components().count());
    let to = to.components().map(|it| it.as_os_str().to_string_lossy());
    format!("{up}{}", to.collect::<Vec<_>>().join("/"))
}

/// The links of a site that lead nowhere, with their pages. Each leads to a file of the site and to
/// an element with the name of its anchor.
pub fn broken(site: &Site) -> Vec<String> {
    let page = |(path, bytes): (&PathBuf, &Vec<u8>)| {
        let is_page = path.extension().is_some_and(|it| it == "html");
        is_page.then(|| (path.clone(), String::from_utf8_lossy(bytes).into_owned()))
    };
    let pages: BTreeMap<PathBuf, String> = site.iter().filter_map(page).collect();
    let names: BTreeMap<&PathBuf, BTreeSet<&str>> =
        pages.iter().map(|(path, text)| (path, values(text, " id=\"").collect())).collect();
    let mut broken = Vec::new();
    for (from, text) in &pages {
        for link in values(text, " href=\"").chain(values(text, " src=\"")) {
            let Some((to, anchor)) = resolve(from, link) else { continue };
            // Its anchors are programs.
            let is_playground = to == Path::new(PLAYGROUND);
            let has_anchor =
                || is_playground || names.get(&to).is_some_and(|names| names.contains(&*anchor));
            if !site.contains_key(&to) || !anchor.is_empty() && !has_anchor() {
                broken.push(format!("{}: {link}", from.display()));
            }
        }
    }
    broken
}

/// The values of an attribute.
fn values<'t>(text: &'t str, attribute: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
}

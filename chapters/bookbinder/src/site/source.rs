//! Pages of files that the book quotes, with a name for each line, and of folders.
use super::highlight::highlight;
use super::links::relative;
use super::{escape, page};
use crate::tree;
use std::path::Path;

pub fn page(path: &Path, text: &str) -> String {
    let is_rust = path.extension().is_some_and(|it| it == "rs");
    let code = if is_rust { highlight(text) } else { escape(text) };
    let lines = (1..).zip(code.lines());
    let lines =
        lines.map(|(at, line)| format!("<span id=\"L{at}\" class=\"line\">{line}\n</span>"));
    let name = escape(&path.display().to_string());
    let code = lines.collect::<String>();
    let home = relative(path, Path::new("index.html"));
    let body = format!(
        "<main><p><a href=\"{home}\">The book</a></p><h1><code>{name}</code></h1>\n\
         <pre class=\"numbered\" tabindex=\"0\"><code>{code}</code></pre></main>\n"
    );
    page::html(path, &name, &body)
}

/// The names of the files in a folder.
pub fn folder(root: &Path, path: &Path) -> String {
    let names = tree::list(&root.join(path)).into_iter();
    let names = names.filter_map(|it| Some(it.file_name()?.to_string_lossy().into_owned()));
    page(path, &names.map(|it| it + "\n").collect::<String>())
}

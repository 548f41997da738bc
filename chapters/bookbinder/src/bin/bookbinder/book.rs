//! `cargo chapter pages` and `cargo chapter book`: the examples' pages, and the book as a site.
use crate::build::{Build, run};
use crate::say;
use bookbinder::examples::{SITE, examples, list, page};
use bookbinder::{site, tree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Writes the page of every example of some chapters.
pub fn pages(root: &Path, chapters: &[u32]) -> Result<(), String> {
    let compiler = compiler(root)?;
    for (number, folder) in tree::chapters(root) {
        if !chapters.contains(&number) {
            continue;
        }
        let (written, (list, text)) = chapter_pages(root, &compiler, &folder)?;
        let count = written.len();
        let (path, html) = site::page_of_text(root, &list, &text);
        write(&root.join(SITE).join(&path), html.as_bytes())?;
        say(&format!("chapter {number}: {count} pages, {SITE}/{}\n", path.display()))?;
    }
    Ok(())
}

/// Writes the site with the pages of all examples, and checks its links.
pub fn book(root: &Path) -> Result<(), String> {
    let compiler = compiler(root)?;
    let (mut examples, mut lists) = (BTreeSet::new(), Vec::new());
    for (_, folder) in tree::chapters(root) {
        let (pages, list) = chapter_pages(root, &compiler, &folder)?;
        examples.extend(pages);
        lists.push(list);
    }
    let example = |program: &Path| Some(page(program)).filter(|page| examples.contains(page));
    let mut site = site::site(root, &example, &lists)?;
    for page in &examples {
        site.insert(page.clone(), Vec::new());
    }
    let broken = site::broken(&site);
    if !broken.is_empty() {
        return Err(format!("links that lead nowhere:\n{}", broken.join("\n")));
    }
    for (path, bytes) in site.iter().filter(|(path, _)| !examples.contains(*path)) {
        write(&root.join(SITE).join(path), bytes)?;
    }
    let (files, pages) = (site.len(), examples.len());
    say(&format!("{files} files, {pages} of them pages of examples: {SITE}/index.html\n"))
}

/// The compiler of the last chapter, or the program that `SONC` names.
fn compiler(root: &Path) -> Result<PathBuf, String> {
    if let Some(compiler) = env::var_os("SONC") {
        let compiler = PathBuf::from(compiler);
        return compiler.canonicalize().map_err(|err| format!("{}: {err}", compiler.display()));
    }
    let last = tree::chapters(root).iter().map(|it| it.0).max().unwrap_or(1);
    let build = Build::tags(root, last);
    build.strict("build", &["--bin", "sonc"])?;
    build.keep("sonc-book")
}

/// Writes the pages of the examples of a chapter; returns their paths in the site, and their list.
fn chapter_pages(root: &Path, compiler: &Path, folder: &Path) -> Result<Pages, String> {
    let text = fs::read_to_string(root.join(folder).join("README.md")).unwrap_or_default();
    let (mut written, examples) = (Vec::new(), examples(&text));
    for example in &examples {
        let program = folder.join(&example.path);
        let page = page(&program);
        let output = root.join(SITE).join(&page);
        make_folder(&output)?;
        let mut command = Command::new(compiler);
        command.arg("explore").arg(root.join(&program)).arg("-o").arg(&output);
        run(command.args(["--arg", &example.argument.to_string()]))
            .map_err(|err| format!("{}: {err}", program.display()))?;
        written.push(page);
    }
    Ok((written, list(folder, &examples)))
}

/// The paths of pages, and the path and the text of their list.
type Pages = (Vec<PathBuf>, (PathBuf, String));

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    make_folder(path)?;
    fs::write(path, bytes).map_err(|err| format!("{}: {err}", path.display()))
}

fn make_folder(path: &Path) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|err| format!("{}: {err}", folder.display()))
}

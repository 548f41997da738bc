//! `cargo chapter pages` and `cargo chapter book`: the examples' pages, and the book as a site.
use crate::build::{Build, run};
use crate::playground::Tools;
use crate::say;
use bookbinder::examples::{Example, SITE, examples, list, page};
use bookbinder::site::{self, Extras, PLAYGROUND};
use bookbinder::tree;
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

/// Writes the site with the pages of all examples, and checks its links. `compilers` are the
/// chapters with a compiler of their own in the playground, if there is to be one.
pub fn book(root: &Path, compilers: Option<&[u32]>) -> Result<(), String> {
    let compiler = compiler(root)?;
    for (_, folder) in tree::chapters(root) {
        chapter_pages(root, &compiler, &folder)?;
    }
    // Without its compilers, no page may lead to it.
    let _ = fs::remove_dir_all(root.join(SITE).join(PLAYGROUND).with_file_name(""));
    if let Some(chapters) = compilers {
        match Tools::find() {
            Ok(tools) => say(&tools.build(root, chapters)?)?,
            Err(missing) => say(&format!("without a playground: {missing}\n"))?,
        }
    }
    texts(root)
}

/// Writes the texts of the site. They lead to the pages of examples that are there, and to the
/// playground if it is there.
pub fn texts(root: &Path) -> Result<(), String> {
    let is_there = |page: &Path| root.join(SITE).join(page).is_file();
    let (mut made, mut lists) = (BTreeSet::new(), Vec::new());
    for (_, folder) in tree::chapters(root) {
        let examples = examples_of(root, &folder);
        made.extend(examples.iter().map(|it| page(&folder.join(&it.path))));
        lists.push(list(&folder, &examples));
    }
    let (pages, playground) = (made.len(), is_there(Path::new(PLAYGROUND)));
    made.extend(playground.then(|| PathBuf::from(PLAYGROUND)));
    let example = |program: &Path| Some(page(program)).filter(|page| made.contains(page));
    let mut site = site::site(root, Extras { examples: &example, playground }, &lists)?;
    for page in made.iter().filter(|it| is_there(it)) {
        site.insert(page.clone(), Vec::new());
    }
    let broken = site::broken(&site);
    if !broken.is_empty() {
        return Err(format!("links that lead nowhere:\n{}", broken.join("\n")));
    }
    for (path, bytes) in site.iter().filter(|(path, _)| !made.contains(*path)) {
        write(&root.join(SITE).join(path), bytes)?;
    }
    let files = site.len();
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
    let (mut written, examples) = (Vec::new(), examples_of(root, folder));
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

/// The examples of a chapter.
fn examples_of(root: &Path, folder: &Path) -> Vec<Example> {
    examples(&fs::read_to_string(root.join(folder).join("README.md")).unwrap_or_default())
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

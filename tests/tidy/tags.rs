//! Tags: their positions and their number.
use super::files::{File, all, compiler, root, rust};
use super::report;
use super::sizes::functions;
use bookbinder::element::Shape;
use bookbinder::scan::Scan;
use bookbinder::tag::{Tag, tags};
use bookbinder::tree::{chapters, sources};
use bookbinder::view::View;
use bookbinder::{rules, token};
use std::collections::BTreeMap;

/// The limit for tags above statements and parameters of one function. Arms, rows and fields do not
/// count: a table for many chapters is one item.
const MAX_TAGS: usize = 3;
/// The pipeline may have any number.
const DRIVER: &str = "src/driver.rs";

const UNTIL_TAGS: usize = 21;
const PERCENT: usize = 5;

#[test]
fn a_tag_is_above_an_item() {
    let mut violations = Vec::new();
    for file in rust().iter().filter(|it| !it.path.starts_with("chapters/bookbinder/")) {
        let scan = file.scan();
        match tags(&scan) {
            Err(misfit) => {
                violations.push(format!("{}: {}", file.place(misfit.line), misfit.reason));
            }
            Ok(_) if file.path == DRIVER => (),
            Ok(tags) => violations.extend(too_many_tags(file, &scan, &tags)),
        }
    }
    for file in all().iter().filter(|it| it.path.ends_with(".rules")) {
        let misfit = rules::view(&file.text, 1).err();
        violations.extend(misfit.map(|it| format!("{}: {}", file.place(it.line), it.reason)));
    }
    report(
        &format!(
            "a tag is above an item, statement, field, variant, arm, row or parameter, and \
             at most {MAX_TAGS} of them in a function"
        ),
        violations,
    );
}

/// Functions with too many tags: a row, an arm or a function would be better.
fn too_many_tags(file: &File, scan: &Scan, tags: &[Tag]) -> Vec<String> {
    let mut per_function: BTreeMap<usize, usize> = BTreeMap::new();
    let counted = |tag: &&Tag| matches!(tag.shape, Some(Shape::Statement | Shape::Parameter));
    for tag in tags.iter().filter(counted) {
        *per_function.entry(function_at(scan, tag.line)).or_default() += 1;
    }
    let many = per_function.into_iter().filter(|(_, count)| *count > MAX_TAGS);
    many.map(|(line, count)| format!("{}: {count} tags in a function", file.place(line))).collect()
}

/// The first line of the innermost function around a line.
fn function_at(scan: &Scan, line: usize) -> usize {
    let around = functions(scan).into_iter();
    let around = around.filter(|it| it.first_line <= line && line <= it.last_line);
    around.map(|it| it.first_line).max().unwrap_or(0)
}

#[test]
fn tags_are_few() {
    let lines: usize = compiler().iter().map(|it| it.text.lines().count()).sum();
    let tags: usize = compiler().iter().map(|it| tags_of(it).len()).sum();
    let rule = format!("at most {PERCENT} % of the lines of src/ are tags");
    let found = format!("src: {tags} tags in {lines} lines");
    report(&rule, if tags * 100 > lines * PERCENT { vec![found] } else { Vec::new() });
}

#[test]
fn until_tags_are_few_and_explained() {
    let architecture = File::read("docs/architecture.md").map_or(String::new(), |it| it.text);
    let (mut places, mut violations) = (Vec::new(), Vec::new());
    for file in compiler() {
        for tag in tags_of(&file).into_iter().filter(|it| it.until) {
            places.push(file.place(tag.line));
            if !architecture.contains(&file.path) {
                violations
                    .push(format!("{}: docs/architecture.md is silent", file.place(tag.line)));
            }
        }
    }
    if places.len() > UNTIL_TAGS {
        violations.extend(places.iter().map(|it| format!("{it}: one of {}", places.len())));
    }
    report(
        &format!("at most {UNTIL_TAGS} until-tags, and docs/architecture.md names their files"),
        violations,
    );
}

fn tags_of(file: &File) -> Vec<Tag> {
    tags(&file.scan()).unwrap_or_default()
}

#[test]
fn a_view_mentions_no_later_chapter() {
    let mut violations = Vec::new();
    for (chapter, _) in chapters(root()) {
        let files =
            sources(root(), View::tested(chapter)).unwrap_or_else(|misfit| panic!("{misfit}"));
        for (path, text) in files.iter().filter(|(path, _)| is_source(path)) {
            for (line, named) in named_chapters(text) {
                if named > chapter {
                    let path = path.display();
                    violations.push(format!("{path}: chapter {chapter} reads `{line}`"));
                }
            }
        }
    }
    report("a comment names no later chapter", violations);
}

fn is_source(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|it| it == "rs" || it == "rules")
}

/// The chapters that comments mention, each with the comment's first line. Chapters of other books,
/// after `Source:`, do not count.
fn named_chapters(text: &str) -> Vec<(&str, u32)> {
    let comments = token::tokens(text)
        .unwrap_or_default()
        .into_iter()
        .filter(|it| it.kind == token::Kind::Comment);
    let hashes = text.lines().filter(|it| it.starts_with('#'));
    let mut found = Vec::new();
    let ours = comments.map(|it| it.text).chain(hashes).filter(|it| !it.contains("Source"));
    for comment in ours {
        for rest in comment.split("hapter").skip(1) {
            let rest = rest.trim_start_matches('s').trim_start();
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..end].parse().ok();
            found.extend(number.map(|it| (comment.lines().next().unwrap_or(""), it)));
        }
    }
    found
}

#[test]
fn the_last_chapter_with_a_folder_is_the_default() {
    let Some((last, _)) = chapters(root()).pop() else { return };
    let root = format!("#![cfg_attr(not(feature = \"ch{last:02}\"), allow(unused_imports))]");
    let lines = [
        ("Cargo.toml", &format!("default = [\"ch{last:02}\"]")),
        ("src/lib.rs", &root),
        ("src/main.rs", &root),
    ];
    let missing = lines.into_iter().filter(|(path, line)| {
        let text = File::read(path).map_or(String::new(), |it| it.text);
        !text.lines().any(|it| it == *line)
    });
    let violations = missing.map(|(path, line)| format!("{path}: there is no line `{line}`"));
    let violations = violations.collect();
    report(
        "the last chapter with a folder is the default; before it, imports may be unused",
        violations,
    );
}

#[test]
fn tags_in_a_function_are_counted() {
    let check = |text: &str, expected: usize| {
        let file = File { path: "src/a.rs".into(), text: text.into() };
        let scan = file.scan();
        let found = too_many_tags(&file, &scan, &tags(&scan).expect("tags"));
        assert_eq!(found.len(), expected, "{text}: {found:?}");
    };
    let tag = "#[cfg(feature = \"ch05\")]";
    let statement = format!("{tag}\na();\n");
    check(&format!("fn f() {{\n{}}}", statement.repeat(3)), 0);
    check(&format!("fn f() {{\n{}}}", statement.repeat(4)), 1);
    check(&format!("fn f({tag} a: u8) {{\n{}}}", statement.repeat(3)), 1);
    check(&format!("fn f() {{\nfn g() {{\n{0}{0}}}\n{0}{0}}}", statement), 0);
    let row = format!("{tag}\n1,\n");
    check(&format!("fn f() {{ [\n{}]; }}", row.repeat(4)), 0);
}

#[test]
fn chapters_are_found_in_comments() {
    let text = "// Chapter 3 and chapters 12–14.\nlet a = \"chapter 9\";\n/// chapter x\n\
                // Source: a book, chapter 7\n";
    let found: Vec<u32> = named_chapters(text).into_iter().map(|it| it.1).collect();
    assert_eq!(found, [3, 12]);
}

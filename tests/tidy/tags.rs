//! Tags: where they may stand, and how many there may be.
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

/// Tags above statements and parameters in one function. Arms, rows and fields are not counted:
/// a table of many chapters is one thing.
const IN_A_FUNCTION: usize = 3;
/// The table of contents of a compilation: any number.
const DRIVER: &str = "src/driver.rs";

const UNTIL_TAGS: usize = 12;
const PERCENT: usize = 5;

#[test]
fn a_tag_stands_above_a_thing() {
    let mut wrong = Vec::new();
    for file in rust().iter().filter(|it| !it.path.starts_with("chapters/bookbinder/")) {
        let scan = file.scan();
        match tags(&scan) {
            Err(misfit) => {
                wrong.push(format!("{}: {}", file.place(misfit.line), misfit.reason));
            }
            Ok(_) if file.path == DRIVER => (),
            Ok(tags) => wrong.extend(crowded(file, &scan, &tags)),
        }
    }
    for file in all().iter().filter(|it| it.path.ends_with(".rules")) {
        let misfit = rules::view(&file.text, 1).err();
        wrong.extend(misfit.map(|it| format!("{}: {}", file.place(it.line), it.reason)));
    }
    report(
        &format!(
            "a tag stands above an item, statement, field, variant, arm, row or parameter, and \
             at most {IN_A_FUNCTION} of them in a function"
        ),
        wrong,
    );
}

/// Where a function has too many tags: more of them mean that a row, an arm or a function is
/// missing.
fn crowded(file: &File, scan: &Scan, tags: &[Tag]) -> Vec<String> {
    let mut per_function: BTreeMap<usize, usize> = BTreeMap::new();
    let counted = |tag: &&Tag| matches!(tag.shape, Some(Shape::Statement | Shape::Parameter));
    for tag in tags.iter().filter(counted) {
        *per_function.entry(function_at(scan, tag.line)).or_default() += 1;
    }
    let many = per_function.into_iter().filter(|(_, count)| *count > IN_A_FUNCTION);
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
    let (mut places, mut wrong) = (Vec::new(), Vec::new());
    for file in compiler() {
        for tag in tags_of(&file).into_iter().filter(|it| it.until) {
            places.push(file.place(tag.line));
            if !architecture.contains(&file.path) {
                wrong.push(format!("{}: docs/architecture.md is silent", file.place(tag.line)));
            }
        }
    }
    if places.len() > UNTIL_TAGS {
        wrong.extend(places.iter().map(|it| format!("{it}: one of {}", places.len())));
    }
    report(
        &format!("at most {UNTIL_TAGS} until-tags, and docs/architecture.md names their files"),
        wrong,
    );
}

fn tags_of(file: &File) -> Vec<Tag> {
    tags(&file.scan()).unwrap_or_default()
}

#[test]
fn a_view_speaks_of_no_later_chapter() {
    let mut wrong = Vec::new();
    for (chapter, _) in chapters(root()) {
        let files =
            sources(root(), View::tested(chapter)).unwrap_or_else(|misfit| panic!("{misfit}"));
        for (path, text) in files.iter().filter(|(path, _)| is_source(path)) {
            for (line, named) in named_chapters(text) {
                if named > chapter {
                    let path = path.display();
                    wrong.push(format!("{path}: chapter {chapter} reads `{line}`"));
                }
            }
        }
    }
    report("a comment names no chapter that comes later", wrong);
}

fn is_source(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|it| it == "rs" || it == "rules")
}

/// The chapters that comments name, each with the comment's first line. Those of other books,
/// which `Source:` introduces, are not meant.
fn named_chapters(text: &str) -> Vec<(&str, u32)> {
    let comments = token::tokens(text).into_iter().filter(|it| it.kind == token::Kind::Comment);
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
    let manifest = File::read("Cargo.toml").expect("a manifest").text;
    let Some((last, _)) = chapters(root()).pop() else { return };
    let line = format!("default = [\"ch{last:02}\"]");
    let wrong = if manifest.lines().any(|it| it == line) {
        Vec::new()
    } else {
        vec![format!("Cargo.toml: there is no line `{line}`")]
    };
    report("the default feature is the last chapter that has a folder", wrong);
}

#[test]
fn tags_in_a_function_are_counted() {
    let check = |text: &str, expected: usize| {
        let file = File { path: "src/a.rs".into(), text: text.into() };
        let scan = file.scan();
        let found = crowded(&file, &scan, &tags(&scan).expect("tags"));
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
fn chapters_are_read_from_comments() {
    let text = "// Chapter 3 and chapters 12–14.\nlet a = \"chapter 9\";\n/// chapter x\n\
                // Source: a book, chapter 7\n";
    let found: Vec<u32> = named_chapters(text).into_iter().map(|it| it.1).collect();
    assert_eq!(found, [3, 12]);
}

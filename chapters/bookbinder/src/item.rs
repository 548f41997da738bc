//! Finds an item of a Rust text by its name: an item, a method, or a row of a table.
//!
//! `lower` is an item, `Graph::kill` a method (of an `impl` or a trait), `add-zero` the row with
//! `name: "add-zero"`, and `sign="+"` the row with `sign: "+"`.
use crate::element::element;
use crate::scan::Scan;
use crate::tag::behind_attributes;

/// The text of the item `name` with its docs and attributes, without indentation.
pub fn find(text: &str, name: &str) -> Result<String, String> {
    let scan = Scan::new(text).map_err(|error| error.to_string())?;
    let lines = match name.split_once("::") {
        Some((owner, method)) => one(name, methods(&scan, owner, method))?,
        None => item_or_row(&scan, name)?,
    };
    Ok(cut(&scan.lines[lines.0..=lines.1]))
}

/// First and last line of an item.
type Lines = (usize, usize);

/// Items have precedence over rows, and items of the file over nested ones.
fn item_or_row(scan: &Scan, name: &str) -> Result<Lines, String> {
    let (outer, inner): (Vec<usize>, Vec<usize>) =
        items(scan, name).partition(|&at| scan.parent[at].is_none());
    for found in [outer, inner] {
        if !found.is_empty() {
            return one(name, found.into_iter().map(|at| item_lines(scan, at)).collect());
        }
    }
    let (field, value) = name.split_once('=').unwrap_or(("name", name));
    one(name, rows(scan, field, value))
}

fn one(name: &str, found: Vec<Lines>) -> Result<Lines, String> {
    match found[..] {
        [lines] => Ok(lines),
        [] => Err(format!("no item is called `{name}`")),
        _ => Err(format!("{} items are called `{name}`; write `Type::name`", found.len())),
    }
}

/// The keywords of the items called `name`.
fn items(scan: &Scan, name: &str) -> impl Iterator<Item = usize> {
    const KEYWORDS: &[&str] =
        &["fn", "struct", "enum", "union", "trait", "const", "static", "type", "mod"];
    (0..scan.code.len()).filter(move |&at| {
        let keyword = scan.is_word(at) && KEYWORDS.contains(&scan.text(at));
        let elsewhere = scan.text(at) == "mod" && scan.text(at + 2) == ";";
        (keyword && scan.text(at + 1) == name && !elsewhere)
            || scan.reads(at, &["macro_rules", "!", name])
    })
}

/// The lines of the item whose keyword is the token `at`.
fn item_lines(scan: &Scan, at: usize) -> Lines {
    let first_line = scan.first_line_with_docs(scan.line(at));
    let on_line = scan.code.partition_point(|it| it.line < first_line);
    let (_, last) = element(scan, behind_attributes(scan, on_line));
    (first_line, scan.code[last].last_line)
}

/// The functions, constants and types called `name` in an `impl` or trait of `owner`.
fn methods(scan: &Scan, owner: &str, name: &str) -> Vec<Lines> {
    let of_owner = |at: usize| scan.parent[at].and_then(|it| owner_of(scan, it)) == Some(owner);
    items(scan, name).filter(|&at| of_owner(at)).map(|at| item_lines(scan, at)).collect()
}

/// The name of the type or trait whose body opens at `brace`.
pub fn owner_of<'a>(scan: &Scan<'a>, brace: usize) -> Option<&'a str> {
    let heads = (0..brace).rev().take_while(|&at| !ends_item(scan, at));
    let start = heads.filter(|&at| matches!(scan.text(at), "impl" | "trait")).last()?;
    let mut angles = 0;
    let mut owner = None;
    for at in start + 1..brace {
        match scan.text(at) {
            "<" => angles += 1,
            ">" if scan.text(at - 1) != "-" => angles -= 1,
            "for" if angles == 0 => owner = None,
            "where" if angles == 0 => break,
            ":" if angles == 0 && scan.text(at - 1) != ":" && scan.text(at + 1) != ":" => break,
            word if angles == 0 && scan.is_word(at) => owner = Some(word),
            _ => (),
        }
    }
    owner
}

fn ends_item(scan: &Scan, at: usize) -> bool {
    matches!(scan.text(at), "{" | "}" | ";")
}

/// The struct literals with the field `field: "value"`.
fn rows(scan: &Scan, field: &str, value: &str) -> Vec<Lines> {
    let literal = format!("\"{value}\"");
    let fields = (0..scan.code.len()).filter(|&at| scan.reads(at, &[field, ":", &literal]));
    fields.filter_map(|at| row_lines(scan, scan.parent[at]?)).collect()
}

/// The lines of the struct literal whose brace opens at `brace`.
fn row_lines(scan: &Scan, brace: usize) -> Option<Lines> {
    let path = (0..brace).rev().take_while(|&at| scan.is_word(at) || scan.text(at) == ":");
    let start = path.last()?;
    let close = scan.matching_bracket[brace];
    let last = if scan.text(close + 1) == "," { close + 1 } else { close };
    Some((scan.first_line_with_docs(scan.line(start)), scan.code[last].last_line))
}

/// The lines without the indentation of the first one.
fn cut(lines: &[&str]) -> String {
    let margin = lines[0].len() - lines[0].trim_start().len();
    let cut = |line: &&str| line.get(margin..).unwrap_or("").to_string() + "\n";
    lines.iter().map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"//! Head.
use a::Graph;

/// A graph.
#[derive(Debug)]
pub struct Graph<T> {
    nodes: Vec<T>,
}

impl<T: Into<u8>> Graph<T> {
    pub const LIMIT: usize = 3;

    /// Kills.
    pub fn kill(&mut self) -> Option<T> {
        kill('}')
    }
}

impl<T> Artifact for Graph<T>
where
    T: Copy,
{
    fn print(&self) -> String {
        "fn hidden() {".into()
    }
}

trait Artifact: Sized {
    fn print(&self) -> String;
}

const RULES: &[Rule] = &[
    // Zero.
    Rule {
        name: "add-zero",
        law: "x + 0",
    },
    rows::Rule { name: "sub", sign: "-" },
];

fn kill(c: char) {}
"#;

    fn check(name: &str, expected: &str) {
        assert_eq!(find(TEXT, name).as_deref(), Ok(expected), "{name}");
    }

    #[test]
    fn items_are_found_with_their_docs() {
        check(
            "Graph",
            "/// A graph.\n#[derive(Debug)]\npub struct Graph<T> {\n    nodes: Vec<T>,\n}\n",
        );
        check("LIMIT", "pub const LIMIT: usize = 3;\n");
        assert!(find(TEXT, "RULES").unwrap().ends_with("},\n];\n"));
    }

    #[test]
    fn items_of_the_file_come_before_methods() {
        check("kill", "fn kill(c: char) {}\n");
    }

    #[test]
    fn methods_are_found_by_their_type() {
        check(
            "Graph::kill",
            "/// Kills.\npub fn kill(&mut self) -> Option<T> {\n    kill('}')\n}\n",
        );
        check("Graph::print", "fn print(&self) -> String {\n    \"fn hidden() {\".into()\n}\n");
        check("Artifact::print", "fn print(&self) -> String;\n");
    }

    #[test]
    fn rows_are_found_by_a_field() {
        check("add-zero", "// Zero.\nRule {\n    name: \"add-zero\",\n    law: \"x + 0\",\n},\n");
        check("sign=-", "rows::Rule { name: \"sub\", sign: \"-\" },\n");
    }

    #[test]
    fn missing_and_ambiguous_names_are_errors() {
        assert_eq!(find(TEXT, "hidden").unwrap_err(), "no item is called `hidden`");
        assert_eq!(find(TEXT, "print").unwrap_err(), {
            "2 items are called `print`; write `Type::name`"
        });
    }
}

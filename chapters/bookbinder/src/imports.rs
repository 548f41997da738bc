//! Imports: a view contains those that it uses, and a printed crate has one for each module.
//!
//! In the source, the import of a name that exists in all chapters has no tag, even if only later
//! chapters use it.
use crate::scan::Scan;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// A private import of names of one module at the top level of a file.
pub struct Names {
    /// The tokens of the import.
    pub import: RangeInclusive<usize>,
    /// The tokens of each name that the view does not use, with its comma.
    pub unused: Vec<RangeInclusive<usize>>,
    /// Whether it has used names, too.
    pub is_used: bool,
}

/// The imports with names that a view does not use. `is_present` tells which tokens the view
/// contains. A name that no chapter mentions is a trait whose methods are called, so it is used.
pub fn unused(scan: &Scan, is_present: impl Fn(usize) -> bool) -> Vec<Names> {
    let imports: Vec<_> = imports(scan).collect();
    let in_import = |at: usize| imports.iter().any(|it| it.contains(&at));
    let words = (0..scan.code.len()).filter(|&at| is_mention(scan, at) && !in_import(at));
    let words: Vec<usize> = words.collect();
    let mentioned: BTreeSet<&str> = words.iter().map(|&at| scan.text(at)).collect();
    let present: BTreeSet<&str> =
        words.iter().filter(|it| is_present(**it)).map(|&at| scan.text(at)).collect();
    let is_unused = |name: &str| mentioned.contains(name) && !present.contains(name);
    let mut found = Vec::new();
    for import in imports {
        let names = names(scan, &import);
        let is_unused = |it: &&RangeInclusive<usize>| is_unused(name(scan, it));
        let unused: Vec<_> = names.iter().filter(is_unused).cloned().collect();
        if !unused.is_empty() {
            found.push(Names { import, is_used: unused.len() < names.len(), unused });
        }
    }
    found
}

/// Whether a word may refer to an import: it is no field, no method, and no later part of a path.
fn is_mention(scan: &Scan, at: usize) -> bool {
    let before = |count: usize| at.checked_sub(count).map_or("", |it| scan.text(it));
    let is_part = match before(1) {
        "." => before(2) != ".",
        ":" => before(2) == ":",
        _ => false,
    };
    scan.is_word(at) && !is_part
}

/// The tokens of the private imports at the top level.
fn imports<'s>(scan: &'s Scan) -> impl Iterator<Item = RangeInclusive<usize>> + 's {
    let starts = (0..scan.code.len()).filter(|&at| {
        let is_private = at == 0 || matches!(scan.text(at - 1), ";" | "}" | "]");
        scan.text(at) == "use" && scan.parent[at].is_none() && is_private
    });
    let end = |start: usize| (start..scan.code.len()).find(|&at| scan.text(at) == ";");
    starts.filter_map(move |start| Some(start..=end(start)?))
}

/// The tokens of each name, with its comma; none for an import with nested braces or a star.
fn names(scan: &Scan, import: &RangeInclusive<usize>) -> Vec<RangeInclusive<usize>> {
    let last = import.end() - 1;
    if scan.text(last) != "}" {
        return if scan.is_word(last) { vec![last..=last] } else { Vec::new() };
    }
    let open = scan.matching_bracket[last];
    let mut found = Vec::new();
    let mut start = open + 1;
    for at in open + 1..last {
        if scan.parent[at] != Some(open) || scan.text(at) == "*" {
            return Vec::new();
        }
        if scan.text(at) == "," || at + 1 == last {
            found.push(start..=at);
            start = at + 1;
        }
    }
    found
}

/// The name that an import makes: the last word, or the module of `self`.
fn name<'a>(scan: &Scan<'a>, tokens: &RangeInclusive<usize>) -> &'a str {
    let mut words = tokens.clone().rev().filter(|&at| scan.is_word(at));
    match words.next().map(|at| (at, scan.text(at))) {
        Some((at, "self")) => {
            (0..at).rev().find(|&it| scan.is_word(it)).map_or("", |it| scan.text(it))
        }
        Some((_, word)) => word,
        None => "",
    }
}

/// The text with merged imports. An import is merged with the first one of the same module in the
/// same paragraph, unless it has an attribute, a comment, nested braces or a star.
pub fn merged(text: &str) -> String {
    let mut parts: Vec<Part> = Vec::new();
    let mut paragraph = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let import = Import::first(rest).filter(|_| !parts.last().is_some_and(Part::is_attribute));
        let length = import.as_ref().map_or_else(|| line_length(rest), |it| it.length);
        let (part, after) = rest.split_at(length);
        rest = after;
        let Some(import) = import else {
            paragraph = if part.trim().is_empty() { parts.len() } else { paragraph };
            parts.push(Part::Other(part));
            continue;
        };
        let same = parts[paragraph..].iter_mut().find_map(|it| match it {
            Part::Import(other) if other.module == import.module => Some(other),
            Part::Import(_) | Part::Other(_) => None,
        });
        match same {
            Some(other) => other.names.extend(import.names),
            None => parts.push(Part::Import(import)),
        }
    }
    parts.iter().map(Part::text).collect()
}

enum Part<'t> {
    Import(Import<'t>),
    /// Any other line.
    Other(&'t str),
}

impl Part<'_> {
    fn is_attribute(&self) -> bool {
        matches!(self, Part::Other(line) if line.starts_with("#["))
    }

    /// rustfmt sorts the names and breaks long lines.
    fn text(&self) -> String {
        match self {
            Part::Other(line) => line.to_string(),
            Part::Import(Import { module, names, .. }) => match names[..] {
                [name] => format!("{module}::{name};\n"),
                _ => format!("{module}::{{{}}};\n", names.join(", ")),
            },
        }
    }
}

struct Import<'t> {
    /// `use a::b` or `pub use a::b`.
    module: &'t str,
    names: Vec<&'t str>,
    /// The bytes that it takes, with the end of its last line.
    length: usize,
}

impl<'t> Import<'t> {
    /// The import at the start of a text, if it can be merged.
    fn first(text: &'t str) -> Option<Import<'t>> {
        let is_import = text.starts_with("use ") || text.starts_with("pub use ");
        let (import, after) = text.split_once(';').filter(|_| is_import)?;
        let (module, names) = match import.split_once("::{") {
            Some((module, names)) => (module, names.strip_suffix('}')?),
            None => import.rsplit_once("::")?,
        };
        let is_simple = !names.contains(['{', '*', '/']) && after.starts_with('\n');
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        is_simple.then_some(Import { module, names, length: import.len() + ";\n".len() })
    }
}

fn line_length(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_one_module_become_one() {
        let text = "//! Head.\nuse a::b::C;\nuse a::b::{\n    D,\n    E as F,\n};\nuse a::G;\n\
                    pub use a::b::H;\nuse a::b::I;\n\nfn f() {\n    use a::b::J;\n}\n";
        let expected = "//! Head.\nuse a::b::{C, D, E as F, I};\nuse a::G;\npub use a::b::H;\n\n\
                        fn f() {\n    use a::b::J;\n}\n";
        assert_eq!(merged(text), expected);
    }

    #[test]
    fn other_imports_stay() {
        for text in [
            "use a::A;\n#[cfg(test)]\nuse a::B;\n",
            "use a::A;\n\nuse a::B;\n",
            "use a::A;\nuse a::*;\n",
            "use a::A;\nuse a::{b::{C, D}};\n",
            "use a::A;\nuse a::B; // A comment.\n",
            "use a;\nuse b;",
        ] {
            assert_eq!(merged(text), text);
        }
    }
}

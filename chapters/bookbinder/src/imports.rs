//! Imports in a printed crate: those of one module become one.
//!
//! In the source, the imports of each chapter are separate, so that a tag can be above them.

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
    use super::merged;

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

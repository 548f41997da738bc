//! Comments that name an item, a keyword, an invariant or a nonterminal which only later chapters
//! have.
use crate::token::{Kind, tokens};
use std::collections::BTreeSet;
use std::path::Path;

/// The names of a view.
#[derive(Default)]
pub struct Vocabulary {
    /// The words of the code, and the texts in it.
    code: BTreeSet<String>,
    /// The words of texts alone: keywords, and the names of invariants and rules.
    texts: BTreeSet<String>,
    /// The nonterminals that have a production in a comment.
    productions: BTreeSet<String>,
}

impl Vocabulary {
    pub fn of<'t>(files: impl Iterator<Item = (&'t Path, &'t str)>) -> Vocabulary {
        let mut names = Vocabulary::default();
        for (path, text) in files {
            names.code.extend(path.with_extension("").iter().map(|it| it.to_string_lossy().into()));
            if path.extension().is_some_and(|it| it == "rs") {
                names.add(text);
            } else {
                let code = text.lines().filter(|it| !it.starts_with(['#', '/']));
                names.code.extend(code.flat_map(words).map(str::to_string));
            }
        }
        names
    }

    fn add(&mut self, text: &str) {
        for token in tokens(text).unwrap_or_default() {
            match token.kind {
                Kind::Word => drop(self.code.insert(token.text.to_string())),
                Kind::Literal => {
                    self.texts.extend(words(token.text).map(str::to_string));
                    self.code.extend(words(token.text).map(str::to_string));
                }
                Kind::Comment | Kind::Number | Kind::Lifetime | Kind::Sign => (),
            }
        }
        let productions = comments(text).into_iter().filter(|it| it.in_fence);
        let productions = productions.filter_map(|it| it.text.trim().split_once(" = "));
        self.productions.extend(productions.map(|(name, _)| name.to_string()));
    }

    /// The lines of a view's comments that name something of the `last` chapter which this view
    /// lacks, each with the name.
    pub fn faults<'t>(&self, last: &Vocabulary, text: &'t str) -> Vec<(usize, &'t str)> {
        let mut found = Vec::new();
        for comment in comments(text) {
            let lacks = |pick: fn(&Vocabulary) -> &BTreeSet<String>| {
                move |name: &&str| pick(last).contains(*name) && !pick(self).contains(*name)
            };
            let marked = |mark: char| comment.text.split(mark).skip(1).step_by(2).flat_map(words);
            let is_name = |it: &&str| it.len() > 1 && !it.contains(|it: char| it.is_ascii_digit());
            let named: Option<&str> = if comment.in_fence {
                let outside = comment.text.split('"').step_by(2).flat_map(words);
                let terminal = marked('"').find(lacks(|it| &it.texts));
                terminal.or(outside.into_iter().find(lacks(|it| &it.productions)))
            } else if comment.text.matches('`').count() % 2 != 0 {
                // A name that begins on another line.
                None
            } else if comment.text.starts_with(" - `") {
                marked('`').take(1).find(lacks(|it| &it.texts))
            } else {
                marked('`').filter(is_name).find(lacks(|it| &it.code))
            };
            found.extend(named.map(|it| (comment.line, it)));
        }
        found
    }
}

/// A line of a comment, without its slashes.
struct Comment<'t> {
    line: usize,
    text: &'t str,
    /// Whether it is part of a fenced text, such as a production of a grammar.
    in_fence: bool,
}

fn comments(text: &str) -> Vec<Comment<'_>> {
    let mut in_fence = false;
    let mut found = Vec::new();
    for token in tokens(text).unwrap_or_default() {
        let text = token.text.trim_start_matches(['/', '!']);
        let is_fence = text.trim_start().starts_with("```");
        if token.kind != Kind::Comment || is_fence {
            in_fence = is_fence && !in_fence;
            continue;
        }
        found.push(Comment { line: token.line, text, in_fence });
    }
    found
}

/// The names in a text; a hyphen may be part of one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|it: char| !it.is_alphanumeric() && it != '_' && it != '-');
    let parts = parts.map(|it| it.trim_matches('-'));
    parts.filter(|it| it.starts_with(|it: char| it.is_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in the comments of `view` that only `rest` explains.
    fn check(view: &str, rest: &str, expected: &[&str]) {
        let names = |text| Vocabulary::of([(Path::new("a.rs"), text)].into_iter());
        let last = format!("{view}\n{rest}");
        let found = names(view).faults(&names(&last), view);
        let found: Vec<&str> = found.into_iter().map(|it| it.1).collect();
        assert_eq!(found, expected, "{view}");
    }

    #[test]
    fn names_of_later_chapters_are_found() {
        check("// Calls `f`, as `A::call_it`.", "fn call_it() {}", &["call_it"]);
        check("// Calls `call_it` or `other`.\nfn call_it() {}", "", &[]);
        check("// As `n7`.", "fn n7() {}", &[]);
        check(
            "//! - `types`: a\n//! - `uses`: b\nf(\"uses\", types);",
            "f(\"types\");",
            &["types"],
        );
    }

    #[test]
    fn grammars_have_only_what_the_view_parses() {
        let view = "/// ```text\n/// a = b | c | \"while\" | \"if\" ;\n/// ```\nf(\"if\");\n\
                    /// ```text\n/// b = \"if\" ;\n/// ```\nfn g() {}";
        check(view, "f(\"while\");", &["while"]);
        check(view, "/// ```text\n/// c = \"if\" ;\n/// ```\nfn g() {}", &["c"]);
    }
}

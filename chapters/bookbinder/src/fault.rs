//! Faults of a view: code that only the tags explain, and that an author of just this chapter would
//! not write.
//!
//! rustc's lints find unused functions, types and variants. This finds what they miss: tables
//! without rows and loops over them, tables of one function, a `match` with equal arms, unused
//! parameters and fields, comments that name what the chapter lacks. Names are compared, not
//! resolved, so shared names hide faults.
mod comments;
mod matches;
mod names;
mod tables;

use crate::FileTagError;
use crate::element::parse;
use crate::token::stream;
use crate::tree::{chapters, numbered};
use crate::view::{Numbered, View};
use comments::Vocabulary;
use proc_macro2::{Span, TokenStream, TokenTree};
use std::fmt;
use std::path::{Path, PathBuf};
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token};

/// A fault and its position in the source; the line counts from 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fault {
    pub path: PathBuf,
    pub line: usize,
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path.display(), self.line + 1, self.reason)
    }
}

/// The faults of a chapter's compiler, in the order of its files.
pub fn faults(root: &Path, chapter: u32) -> Result<Vec<Fault>, FileTagError> {
    let sources = texts(root, chapter)?;
    let last = chapters(root).last().map_or(chapter, |it| it.0);
    let [here, last] = [&sources, &texts(root, last)?].map(vocabulary);
    let (mut found, mut rust, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for (path, numbers, text) in
        sources.iter().filter(|it| it.0.extension().is_some_and(|it| it == "rs"))
    {
        found.extend(here.faults(&last, text).into_iter().map(|(line, name)| {
            let reason = format!("a comment names `{name}`, which this chapter lacks");
            Fault { path: path.clone(), line: numbers[line], reason }
        }));
        let error = |error| FileTagError { path: path.clone(), error };
        files.push(stream(text).and_then(parse).map_err(error)?);
        rust.push((path, numbers));
    }
    found.extend(of_files(&files).into_iter().map(|(file, span, reason)| {
        let (path, numbers) = rust[file];
        Fault { path: path.clone(), line: numbers[span.start().line - 1], reason }
    }));
    found.sort();
    found.dedup();
    Ok(found)
}

/// The files of a view, with the numbers of their lines in the source.
type Texts = Vec<(PathBuf, Vec<usize>, String)>;

fn texts(root: &Path, chapter: u32) -> Result<Texts, FileTagError> {
    let files = numbered(root, View::without_tests(chapter))?.into_iter();
    let text = |(path, lines): (PathBuf, Numbered)| {
        let (numbers, lines): (Vec<usize>, Vec<String>) = lines.into_iter().unzip();
        (path, numbers, lines.join("\n"))
    };
    Ok(files.map(text).collect())
}

fn vocabulary(texts: &Texts) -> Vocabulary {
    Vocabulary::of(texts.iter().map(|(path, _, text)| (path.as_path(), text.as_str())))
}

/// The faults of one crate: the file, the position, the reason.
fn of_files(files: &[syn::File]) -> Vec<(usize, Span, String)> {
    let tables = tables::Tables::of(files);
    let names = names::Names::of(files);
    let mut found = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let all = [tables.faults(file), matches::faults(file), names.faults(file)];
        found.extend(all.into_iter().flatten().map(|(span, reason)| (number, span, reason)));
    }
    found
}

/// A position and the reason of a fault.
type Found = Vec<(Span, String)>;

/// The arguments of a macro, if they are expressions.
fn arguments(call: &Macro) -> Option<Punctuated<Expr, Token![,]>> {
    call.parse_body_with(Punctuated::parse_terminated).ok()
}

/// The words of tokens.
fn words(tokens: TokenStream, found: &mut impl Extend<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => words(group.stream(), found),
            TokenTree::Ident(word) => found.extend([word.to_string()]),
            TokenTree::Punct(_) | TokenTree::Literal(_) => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each expected fault is a part of a reason.
    #[track_caller]
    pub fn check(text: &str, expected: &[&str]) {
        let file = stream(text).and_then(parse).expect("Rust");
        let found: Vec<String> = of_files(&[file]).into_iter().map(|it| it.2).collect();
        let fits = found.len() == expected.len();
        assert!(
            fits && found.iter().zip(expected).all(|(found, part)| found.contains(part)),
            "{text}: {found:?}"
        );
    }

    #[test]
    fn a_name_in_another_file_counts() {
        let texts = ["const A: &[fn()] = &[];", "fn f() { for a in A { a() } }"];
        let found = of_files(&texts.map(|it| stream(it).and_then(parse).expect("Rust")));
        let places: Vec<_> = found.iter().map(|it| (it.0, it.1.start().column)).collect();
        assert_eq!(places, [(0, 6), (1, 18)]);
    }
}

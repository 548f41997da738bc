//! The bookbinder: the source of `sonc` as one chapter has it, and texts woven from it.
//!
//! One source holds all chapters; a tag says since when a thing is there. `tag` finds the tags,
//! `view` prints a file as one chapter has it, `tree` follows the `mod` lines from file to file,
//! `export_crate` writes a chapter as a crate of its own. `item` finds a function or a row by its
//! name and `weave` puts it into a text. Nothing here knows the compiler.
pub mod console;
pub mod export_crate;
pub mod element;
pub mod fault;
pub mod figure;
pub mod lines;
pub mod links;
pub mod manifest;
pub mod place;
pub mod rules;
pub mod scan;
pub mod tag;
pub mod item;
pub mod token;
pub mod tree;
pub mod view;
pub mod weave;

use std::fmt;
use std::path::PathBuf;

/// A text that does not keep to the rules of tags: where (lines count from 0) and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagError {
    pub line: usize,
    pub reason: String,
}

impl fmt::Display for TagError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "line {}: {}", self.line + 1, self.reason)
    }
}

/// A misfit and the file it is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileTagError {
    pub path: PathBuf,
    pub misfit: TagError,
}

impl fmt::Display for FileTagError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let FileTagError { path, misfit } = self;
        write!(out, "{}:{}: {}", path.display(), misfit.line + 1, misfit.reason)
    }
}

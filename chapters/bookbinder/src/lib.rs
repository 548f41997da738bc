//! The bookbinder: the source of `sonc` for each chapter, and the weaving of texts from it.
//!
//! One source contains all chapters; tags limit elements to chapters. `tag` finds the tags, `view`
//! prints a file of one chapter, `tree` follows the `mod` lines from file to file, `export_crate`
//! writes a chapter as a separate crate. `item` finds a function or a row by its name and `weave`
//! quotes it in a text. `lesson` compares a text with the compiler that it is about. `course` makes
//! the exercises and their grading, `site` the book as pages and slides, and `public_api` lists the
//! items of a library. Nothing here depends on the compiler.
pub mod console;
pub mod course;
pub mod current;
pub mod drawing;
pub mod examples;
pub mod export_crate;
pub mod imports;
pub mod element;
pub mod fault;
pub mod figure;
pub mod lesson;
pub mod lines;
pub mod links;
pub mod manifest;
pub mod public_api;
pub mod rules;
pub mod scan;
pub mod site;
pub mod tag;
pub mod item;
pub mod token;
pub mod tree;
pub mod view;
pub mod weave;

use std::fmt;
use std::path::PathBuf;

/// A violation of the rules of tags: position (lines count from 0) and reason.
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

/// The same, with its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileTagError {
    pub path: PathBuf,
    pub error: TagError,
}

impl fmt::Display for FileTagError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let FileTagError { path, error } = self;
        write!(out, "{}:{}: {}", path.display(), error.line + 1, error.reason)
    }
}

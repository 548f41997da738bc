//! The listing of a library's public items.
use bookbinder::public_api::public_api;
use std::fs;
use std::path::Path;

const ROOT: &str = r#"//! A library.
mod inner;
pub mod open;
#[cfg(test)]
mod tests;

pub use inner::{Count, Order as Sorted, Shape, longest};
pub use std::fmt::Display;

/// A limit.
pub const LIMIT: usize = 3;

#[macro_export]
macro_rules! id {
    ($name:ident) => {
        pub struct $name(u32);
    };
}

pub struct Hidden(u8);

pub(crate) struct Inside;

fn private() {}
"#;

const INNER: &str = r#"use super::Inside;

/// A shape.
#[non_exhaustive]
#[derive(Debug, Clone)]
pub enum Shape {
    /// A point.
    Point,
    Circle(u32),
    Box {
        /// In pixels.
        width: u32,
    },
}

pub struct Count<T> {
    /// The total.
    pub total: u64,
    parts: Vec<T>,
}

impl<T: Clone> Count<T> {
    pub fn add(
        &mut self,
        part: T,
    ) -> u64 {
        self.parts.push(part);
        self.total
    }

    fn private(&self) {}
}

impl<T> IntoIterator for Count<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.parts.into_iter()
    }
}

/// An order.
pub trait Order: Sized {
    const WIDTH: u8;
    fn before(&self, other: &Self) -> bool;
    fn after(&self, other: &Self) -> bool {
        other.before(self)
    }
}

impl Order for u8 {
    const WIDTH: u8 = 8;
    fn before(&self, other: &Self) -> bool {
        self < other
    }
}

impl Order for Inside {
    const WIDTH: u8 = 0;
    fn before(&self, _: &Self) -> bool {
        true
    }
}

pub fn longest<'a>(a: &'a str, b: &'a str) -> &'a str
where
    'a: 'a,
{
    if a.len() > b.len() { a } else { b }
}

pub fn not_exported() {}
"#;

const LISTING: &str = "\
Count: struct Count<T> { .. }
Count: total: u64
Count: impl<T: Clone> Count<T> { fn add(&mut self, part: T) -> u64 }
Count: impl<T> IntoIterator for Count<T> { type Item = T; type IntoIter = std::vec::IntoIter<T>; }
Display: use std::fmt::Display
Hidden: struct Hidden(..)
LIMIT: const LIMIT: usize
Shape: #[non_exhaustive] enum Shape
Shape: Box { width: u32 }
Shape: Circle(u32)
Shape: Point
Shape: #[derive(Clone, Debug)]
Sorted: trait Order: Sized
Sorted: const WIDTH: u8
Sorted: fn after(&self, other: &Self) -> bool { … }
Sorted: fn before(&self, other: &Self) -> bool
Sorted: impl Order for u8
id: macro id! ($name:ident)
longest: fn longest<'a>(a: &'a str, b: &'a str) -> &'a str where 'a: 'a
open::Deep: struct Deep
open::Deep: const DEPTH: u8
";

const OPEN: &str =
    "pub struct Deep;\nimpl Deep {\n    pub const DEPTH: u8 = 1;\n}\nstruct Private;\n";

fn listing(name: &str, files: &[(&str, &str)]) -> Result<String, String> {
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public_api").join(name);
    let _ = fs::remove_dir_all(&library);
    fs::create_dir_all(library.join("src")).expect("a new folder");
    for (file, text) in files {
        fs::write(library.join("src").join(file), text).expect("a new file");
    }
    public_api(&library)
}

#[test]
fn public_items_are_listed_with_their_signatures() {
    let files = [("lib.rs", ROOT), ("inner.rs", INNER), ("open.rs", OPEN)];
    assert_eq!(listing("all", &files).as_deref(), Ok(LISTING));
}

#[test]
fn a_changed_signature_changes_the_listing_and_a_changed_body_does_not() {
    let one = |name: &str, text: &str| listing(name, &[("lib.rs", text)]).expect("a listing");
    let before = one("before", "pub fn f(a: u8) -> u8 {\n    a\n}\n");
    assert_eq!(one("body", "pub fn f(a: u8) -> u8 {\n    a + 1\n}\n"), before);
    assert_ne!(one("parameter", "pub fn f(a: u16) -> u8 {\n    a as u8\n}\n"), before);
    assert_eq!(one("private", "fn f(a: u8) -> u8 {\n    a\n}\n"), "");
}

#[test]
fn an_export_without_an_item_and_an_unknown_form_are_errors() {
    let missing = listing("missing", &[("lib.rs", "mod a;\npub use a::b;\n"), ("a.rs", "")]);
    assert!(missing.is_err_and(|it| it.ends_with("a.rs: no item is called `b`")));
    let form = listing("form", &[("lib.rs", "pub static A: u8 = 1;\n")]);
    assert!(form.is_err_and(|it| it.ends_with("the listing has no form for `A`")));
}

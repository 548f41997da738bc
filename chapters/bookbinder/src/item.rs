//! Finds an item of a Rust text by its name: an item, a method, or a row of a table.
//!
//! `lower` is an item, `Graph::kill` a method (of an `impl` or a trait), `add-zero` the row with
//! `name: "add-zero"`, and `sign="+"` the row with `sign: "+"`.
use crate::element::parse;
use crate::scan::Scan;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ImplItem, Item, Lit, Member, TraitItem, Type};

/// The text of the item `name` with its docs and attributes, without indentation.
pub fn find(text: &str, name: &str) -> Result<String, String> {
    let scan = Scan::new(text).map_err(|error| error.to_string())?;
    let file = parse(scan.stream.clone()).map_err(|error| error.to_string())?;
    let mut search = Search { name, owner: None, depth: 0, items: Vec::new(), rows: Vec::new() };
    search.visit_file(&file);
    // Items have precedence over rows, and items of the file over nested ones.
    let nearest = search.items.iter().map(|it| it.0).min();
    let mut found: Vec<Span> =
        search.items.iter().filter(|it| Some(it.0) == nearest).map(|it| it.1).collect();
    if found.is_empty() {
        found = search.rows;
    }
    match found[..] {
        [span] => Ok(cut(&scan, span)),
        [] => Err(format!("no item is called `{name}`")),
        _ => Err(format!("{} items are called `{name}`; write `Type::name`", found.len())),
    }
}

struct Search<'a> {
    /// `name`, `Owner::name` or `field=value`.
    name: &'a str,
    /// The type or trait around.
    owner: Option<String>,
    /// The number of items around, up to 1.
    depth: usize,
    items: Vec<(usize, Span)>,
    rows: Vec<Span>,
}

impl Search<'_> {
    fn add(&mut self, name: Option<&Ident>, item: &impl Spanned) {
        let fits = |name: &Ident| match self.name.split_once("::") {
            Some((owner, method)) => self.owner.as_deref() == Some(owner) && name == method,
            None => name == self.name,
        };
        if name.is_some_and(fits) {
            self.items.push((self.depth, item.span()));
        }
    }

    /// Visits the content of an item.
    fn inside(&mut self, owner: Option<String>, visit: impl FnOnce(&mut Self)) {
        let outer = (std::mem::replace(&mut self.owner, owner), self.depth);
        self.depth = 1;
        visit(self);
        (self.owner, self.depth) = outer;
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let (name, owner) = match item {
            Item::Const(it) => (Some(&it.ident), None),
            Item::Enum(it) => (Some(&it.ident), None),
            Item::Fn(it) => (Some(&it.sig.ident), None),
            Item::Impl(it) => (None, type_name(&it.self_ty)),
            Item::Macro(it) => (it.ident.as_ref(), None),
            Item::Mod(it) => (it.content.as_ref().map(|_| &it.ident), None),
            Item::Static(it) => (Some(&it.ident), None),
            Item::Struct(it) => (Some(&it.ident), None),
            Item::Trait(it) => (Some(&it.ident), Some(it.ident.to_string())),
            Item::Type(it) => (Some(&it.ident), None),
            Item::Union(it) => (Some(&it.ident), None),
            _ => (None, None),
        };
        self.add(name, item);
        self.inside(owner, |it| visit::visit_item(it, item));
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let name = match item {
            ImplItem::Const(it) => Some(&it.ident),
            ImplItem::Fn(it) => Some(&it.sig.ident),
            ImplItem::Type(it) => Some(&it.ident),
            _ => None,
        };
        self.add(name, item);
        self.inside(None, |it| visit::visit_impl_item(it, item));
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let name = match item {
            TraitItem::Const(it) => Some(&it.ident),
            TraitItem::Fn(it) => Some(&it.sig.ident),
            TraitItem::Type(it) => Some(&it.ident),
            _ => None,
        };
        self.add(name, item);
        self.inside(None, |it| visit::visit_trait_item(it, item));
    }

    fn visit_expr_struct(&mut self, row: &'ast syn::ExprStruct) {
        let (name, value) = self.name.split_once('=').unwrap_or(("name", self.name));
        let fits = |it: &syn::FieldValue| {
            let is_value = matches!(&it.expr, Expr::Lit(literal)
                if matches!(&literal.lit, Lit::Str(text) if text.value() == value));
            matches!(&it.member, Member::Named(it) if it == name) && is_value
        };
        if row.fields.iter().any(fits) {
            self.rows.push(row.span());
        }
        visit::visit_expr_struct(self, row);
    }
}

fn type_name(owner: &Type) -> Option<String> {
    match owner {
        Type::Path(it) => it.path.segments.last().map(|it| it.ident.to_string()),
        _ => None,
    }
}

/// The lines of an item with its comments, without the indentation of the first one.
fn cut(scan: &Scan, item: Span) -> String {
    let range = item.byte_range();
    let first = scan.first_line_with_docs(scan.line(scan.at_byte(range.start)));
    let last = scan.code[scan.at_byte(range.end) - 1].last_line;
    let lines = &scan.lines[first..=last];
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

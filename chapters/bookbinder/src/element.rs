//! Elements of Rust that a tag may be about: items, arms, rows, parameters and statements, found in
//! the syntax tree.
use crate::TagError;
use crate::scan::Scan;
use proc_macro2::TokenStream;
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Stmt};

/// The kind of an element, as far as tags depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Item,
    Arm,
    /// A variant, a field or an element of a table: it ends with a comma.
    Row,
    /// Of a function or a closure; or an unnamed field.
    Parameter,
    Statement,
}

/// An element, or the reason why no tag may be above it. It is named by its first token after its
/// attributes.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    pub shape: Result<Shape, &'static str>,
    /// The last token, with a final comma or semicolon.
    pub last: usize,
    /// Whether it is a block in braces that contains no declaration.
    pub is_plain_block: bool,
}

/// The syntax tree of a text.
pub fn parse(stream: TokenStream) -> Result<syn::File, TagError> {
    syn::parse2(stream).map_err(|error| TagError {
        line: error.span().start().line.saturating_sub(1),
        reason: format!("rustc does not accept this: {error}"),
    })
}

/// The elements that contain one of the tokens `marks`, by their first tokens.
pub fn elements(scan: &Scan, marks: &[usize]) -> Result<BTreeMap<usize, Element>, TagError> {
    let mut visitor = Visitor { scan, marks, found: BTreeMap::new() };
    if !marks.is_empty() {
        visitor.visit_file(&parse(scan.stream.clone())?);
    }
    Ok(visitor.found)
}

const VALUE: &str = "a tag above the value of a block: use `return` or `let`";
const OPERATOR: &str =
    "rustc accepts no tag above an assignment or another operator: put braces around it";

struct Visitor<'a> {
    scan: &'a Scan<'a>,
    marks: &'a [usize],
    found: BTreeMap<usize, Element>,
}

impl Visitor<'_> {
    /// Notes an element, unless a larger one starts at the same token. Returns whether it contains
    /// a mark, so that its parts are of interest.
    fn add(&mut self, node: &impl Spanned, shape: Result<Shape, &'static str>) -> bool {
        let range = node.span().byte_range();
        let (start, end) = (self.scan.at_byte(range.start), self.scan.at_byte(range.end));
        let mark = self.marks.partition_point(|&it| it < start);
        if self.marks.get(mark).is_none_or(|&it| it >= end) {
            return false;
        }
        let first = self.scan.behind_attributes(start);
        let last = if self.scan.text(end) == "," { end } else { end - 1 };
        self.found.entry(first).or_insert(Element { shape, last, is_plain_block: false });
        true
    }
}

impl<'ast> Visit<'ast> for Visitor<'_> {
    fn visit_item(&mut self, node: &'ast syn::Item) {
        if self.add(node, Ok(Shape::Item)) {
            visit::visit_item(self, node);
        }
    }

    fn visit_impl_item(&mut self, node: &'ast syn::ImplItem) {
        if self.add(node, Ok(Shape::Item)) {
            visit::visit_impl_item(self, node);
        }
    }

    fn visit_trait_item(&mut self, node: &'ast syn::TraitItem) {
        if self.add(node, Ok(Shape::Item)) {
            visit::visit_trait_item(self, node);
        }
    }

    fn visit_arm(&mut self, node: &'ast syn::Arm) {
        if self.add(node, Ok(Shape::Arm)) {
            visit::visit_arm(self, node);
        }
    }

    fn visit_variant(&mut self, node: &'ast syn::Variant) {
        if self.add(node, Ok(Shape::Row)) {
            visit::visit_variant(self, node);
        }
    }

    fn visit_field_value(&mut self, node: &'ast syn::FieldValue) {
        if self.add(node, Ok(Shape::Row)) {
            visit::visit_field_value(self, node);
        }
    }

    fn visit_field_pat(&mut self, node: &'ast syn::FieldPat) {
        if self.add(node, Ok(Shape::Row)) {
            visit::visit_field_pat(self, node);
        }
    }

    fn visit_fn_arg(&mut self, parameter: &'ast syn::FnArg) {
        self.add(parameter, Ok(Shape::Parameter));
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        let shape = if field.ident.is_some() { Shape::Row } else { Shape::Parameter };
        self.add(field, Ok(shape));
    }

    fn visit_expr_array(&mut self, array: &'ast syn::ExprArray) {
        for row in array.elems.iter() {
            if self.add(row, Ok(Shape::Row)) {
                self.visit_expr(row);
            }
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        for parameter in &closure.inputs {
            self.add(parameter, Ok(Shape::Parameter));
        }
        self.visit_expr(&closure.body);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        let shape = match statement {
            Stmt::Item(_) => Ok(Shape::Item),
            Stmt::Local(_) | Stmt::Macro(_) => Ok(Shape::Statement),
            Stmt::Expr(value, semicolon) => statement_shape(value, semicolon.is_some()),
        };
        if !self.add(statement, shape) {
            return;
        }
        if let Stmt::Expr(Expr::Block(it), _) = statement
            && it.label.is_none()
            && let [.., last] = &it.block.stmts[..]
        {
            let is_statement = !matches!(last, Stmt::Expr(value, None) if !is_block(value));
            let declares = |it: &Stmt| matches!(it, Stmt::Local(_) | Stmt::Item(_));
            let first = self.scan.at_byte(it.block.span().byte_range().start);
            if let Some(element) = self.found.get_mut(&first) {
                element.is_plain_block = is_statement && !it.block.stmts.iter().any(declares);
            }
        }
        visit::visit_stmt(self, statement);
    }
}

fn statement_shape(value: &Expr, has_semicolon: bool) -> Result<Shape, &'static str> {
    match value {
        // rustc applies the tag to the first operand only.
        Expr::Assign(_) | Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) => Err(OPERATOR),
        _ if has_semicolon || is_block(value) => Ok(Shape::Statement),
        _ => Err(VALUE),
    }
}

/// Whether an expression is a statement without a semicolon.
fn is_block(value: &Expr) -> bool {
    let is_branch =
        matches!(value, Expr::Block(_) | Expr::If(_) | Expr::Match(_) | Expr::Unsafe(_));
    is_branch || matches!(value, Expr::ForLoop(_) | Expr::Loop(_) | Expr::While(_))
}

//! Unused parameters and fields that rustc's lints do not report.
use super::{Found, arguments, words};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Expr, FnArg, ImplItem, Item, Member, Pat, Signature, Stmt, Type};

/// The uses of the names of a crate.
#[derive(Default)]
pub struct Names {
    /// Names read as a field: `it.name`, or bound by a pattern.
    read: BTreeSet<String>,
    /// Functions that are used as values, so that their type is fixed.
    values: BTreeSet<String>,
}

impl Names {
    pub fn of(files: &[syn::File]) -> Names {
        let mut names = Names::default();
        files.iter().for_each(|it| names.visit_file(it));
        names
    }

    /// Parameters `_x` of functions that are not used as values, and fields that are never read.
    pub fn faults(&self, file: &syn::File) -> Found {
        let mut unused = Unused { names: self, found: Found::new() };
        unused.visit_file(file);
        unused.found
    }

    /// Visits an expression that is written: its own field is not read.
    fn visit_written(&mut self, place: &Expr) {
        match place {
            Expr::Field(it) => self.visit_expr(&it.base),
            other => self.visit_expr(other),
        }
    }

    fn note_read(&mut self, member: &Member) {
        if let Member::Named(name) = member {
            self.read.insert(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        const FILL: &[&str] = &["push", "insert", "extend", "clear", "push_str", "resize", "fill"];
        match statement {
            Stmt::Expr(Expr::Binary(it), Some(_)) if is_assignment(&it.op) => {
                self.visit_written(&it.left);
                self.visit_expr(&it.right);
            }
            Stmt::Expr(Expr::MethodCall(it), Some(_))
                if FILL.iter().any(|name| it.method == name) =>
            {
                self.visit_written(&it.receiver);
                it.args.iter().for_each(|it| self.visit_expr(it));
            }
            _ => visit::visit_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, value: &'ast Expr) {
        match value {
            Expr::Assign(it) => {
                self.visit_written(&it.left);
                return self.visit_expr(&it.right);
            }
            // The function that is called is no value.
            Expr::Call(it) if matches!(*it.func, Expr::Path(_)) => {
                return it.args.iter().for_each(|it| self.visit_expr(it));
            }
            Expr::Field(it) => self.note_read(&it.member),
            Expr::Path(it) => {
                self.values.extend(it.path.segments.last().map(|it| it.ident.to_string()));
            }
            _ => (),
        }
        visit::visit_expr(self, value);
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        if !matches!(*field.pat, Pat::Wild(_)) {
            self.note_read(&field.member);
        }
        visit::visit_field_pat(self, field);
    }

    /// If the arguments are no expressions, the macro may use all its names.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        match arguments(call) {
            Some(arguments) => arguments.iter().for_each(|it| self.visit_expr(it)),
            None => {
                words(call.tokens.clone(), &mut self.read);
                words(call.tokens.clone(), &mut self.values);
            }
        }
    }
}

fn is_assignment(operator: &BinOp) -> bool {
    let is_arithmetic = matches!(
        operator,
        BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::MulAssign(_) | BinOp::DivAssign(_)
    );
    is_arithmetic || matches!(operator, BinOp::BitOrAssign(_) | BinOp::BitAndAssign(_))
}

struct Unused<'a> {
    names: &'a Names,
    found: Found,
}

impl Unused<'_> {
    fn parameters(&mut self, attributes: &[Attribute], function: &Signature) {
        // Variants of a function for several platforms share one type.
        let is_for_a_platform = attributes.iter().any(|it| it.path().is_ident("cfg"));
        let name = function.ident.to_string();
        if is_for_a_platform || self.names.values.contains(&name) {
            return;
        }
        for parameter in &function.inputs {
            let FnArg::Typed(parameter) = parameter else { continue };
            let unread = match &*parameter.pat {
                Pat::Wild(_) => "_".to_string(),
                Pat::Ident(it) => it.ident.to_string(),
                _ => continue,
            };
            if unread.starts_with('_') {
                let reason = format!("`{name}` does not read its parameter `{unread}`");
                self.found.push((parameter.span(), reason));
            }
        }
    }

    fn fields(&mut self, item: &syn::ItemStruct) {
        if item.attrs.iter().any(derives_reader) {
            return;
        }
        for field in &item.fields {
            // Others read what is written through a mutable reference.
            let is_borrowed = matches!(&field.ty, Type::Reference(it) if it.mutability.is_some());
            let Some(name) = field.ident.as_ref().filter(|_| !is_borrowed) else { continue };
            if !self.names.read.contains(&name.to_string()) {
                let reason = format!("the field `{name}` of `{}` is never read", item.ident);
                self.found.push((name.span(), reason));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Unused<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Fn(it) => self.parameters(&it.attrs, &it.sig),
            Item::Struct(it) => self.fields(it),
            // A trait fixes the parameters of its functions.
            Item::Impl(it) if it.trait_.is_none() => {
                for item in &it.items {
                    if let ImplItem::Fn(it) = item {
                        self.parameters(&it.attrs, &it.sig);
                    }
                }
            }
            _ => (),
        }
        visit::visit_item(self, item);
    }
}

/// Whether a derived trait reads every field, or serializes it.
fn derives_reader(attribute: &Attribute) -> bool {
    const READERS: &[&str] =
        &["PartialEq", "Eq", "Hash", "Ord", "PartialOrd", "Parser", "Args", "Subcommand"];
    let mut derived: Vec<String> = Vec::new();
    if let Ok(list) = attribute.meta.require_list() {
        words(list.tokens.clone(), &mut derived);
    }
    attribute.path().is_ident("derive") && derived.iter().any(|it| READERS.contains(&it.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn unused_parameters_are_found() {
        check("fn f(_a: u8, b: u8) {} fn g() { f(1, 2) }", &["`f` does not read"]);
        check("impl A { fn f(&self, _: u8) {} }", &["`f` does not read its parameter `_`"]);
        check("impl A for B { fn f(&self, _: u8) {} }", &[]);
        check("fn f(_: u8) {} const A: &[fn(u8)] = &[f, g];", &[]);
        check("#[cfg(not(unix))]\nfn f(_: u8) {}\nfn g() { f(1) }", &[]);
        check("fn f(a: u8) { let _b = a; }", &[]);
    }

    #[test]
    fn unused_fields_are_found() {
        let with = |use_: &str| format!("pub struct A {{ pub b: u8, c: D<E> }} {use_}");
        let c = "fn g(a: A) { h(a.c) }";
        check(
            &with(&format!("{c} fn f(a: A) {{ a.b = 1; a.b += 1; }}")),
            &["the field `b` of `A`"],
        );
        check(&with(&format!("{c} fn f(a: A) {{ a.b.push(1); }}")), &["the field `b` of `A`"]);
        check(&with(&format!("{c} fn f() -> A {{ A {{ b: 1, c }} }}")), &["the field `b` of `A`"]);
        check(&with(&format!("{c} fn f(a: A) -> u8 {{ a.b }}")), &[]);
        check(&with(&format!("{c} fn f(a: A) -> u8 {{ g[a.b] }}")), &[]);
        check(&with(&format!("{c} fn f(a: A) {{ let A {{ b, .. }} = a; }}")), &[]);
        check(
            &with(&format!("{c} fn f(a: A) {{ match a {{ A {{ b, .. }} => b, C => d }} }}")),
            &[],
        );
        check(&with(&format!("{c} fn f(Some(A {{ b, .. }}): A) {{}}")), &[]);
        check(&format!("#[derive(PartialEq)] {}", with("")), &[]);
    }
}

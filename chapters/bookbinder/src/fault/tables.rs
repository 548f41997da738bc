//! Tables without rows, loops over them, and tables with one function.
use super::{Found, arguments};
use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Ident, ImplItem, Item, Pat, Type};

/// The tables of a crate by their names: constants, statics and local arrays.
#[derive(Default)]
pub struct Tables {
    rows: Rows,
    /// Names of function pointer types.
    functions: BTreeSet<String>,
}

/// The number of rows of each table.
type Rows = BTreeMap<String, usize>;

impl Tables {
    pub fn of(files: &[syn::File]) -> Tables {
        let mut tables = Tables::default();
        for file in files {
            let here = Declared::of(file);
            tables.functions.extend(here.functions.iter().map(|it| it.to_string()));
            add_rows(&mut tables.rows, &here.tables);
        }
        tables
    }

    pub fn faults(&self, file: &syn::File) -> Found {
        let tables = Declared::of(file).tables;
        let mut found = Found::new();
        for Table { name, kind, rows } in &tables {
            let reason = match rows {
                0 => "a table without rows",
                1 if kind.is_some_and(|it| self.holds_functions(it)) => "a table of one function",
                _ => continue,
            };
            found.push((name.span(), format!("`{name}` is {reason}")));
        }
        // The tables of this file have precedence.
        let mut rows = Rows::new();
        add_rows(&mut rows, &tables);
        let others = self.rows.iter().filter(|it| !rows.contains_key(it.0));
        let others: Vec<_> = others.map(|it| (it.0.clone(), *it.1)).collect();
        rows.extend(others);
        let mut uses = Uses { rows, found };
        uses.visit_file(file);
        uses.found
    }

    fn holds_functions(&self, kind: &Type) -> bool {
        let mut search = FunctionType { tables: self, found: false };
        search.visit_type(kind);
        search.found
    }
}

/// Of two tables with one name the longer one is assumed, to avoid false reports.
fn add_rows(known: &mut Rows, tables: &[Table]) {
    for table in tables {
        let rows = known.entry(table.name.to_string()).or_default();
        *rows = table.rows.max(*rows);
    }
}

struct FunctionType<'a> {
    tables: &'a Tables,
    found: bool,
}

impl<'ast> Visit<'ast> for FunctionType<'_> {
    fn visit_type(&mut self, kind: &'ast Type) {
        self.found |= matches!(kind, Type::FnPtr(_));
        visit::visit_type(self, kind);
    }

    fn visit_ident(&mut self, name: &'ast Ident) {
        self.found |= self.tables.functions.contains(&name.to_string());
    }
}

/// A table: its name, its type if it is written, and its number of rows.
struct Table<'a> {
    name: &'a Ident,
    kind: Option<&'a Type>,
    rows: usize,
}

/// The tables and the types of functions that a file declares.
#[derive(Default)]
struct Declared<'a> {
    tables: Vec<Table<'a>>,
    functions: Vec<&'a Ident>,
}

impl<'a> Declared<'a> {
    fn of(file: &'a syn::File) -> Declared<'a> {
        let mut declared = Declared::default();
        declared.visit_file(file);
        declared
    }

    fn add(&mut self, name: &'a Ident, kind: Option<&'a Type>, value: &Expr) {
        if let Expr::Array(rows) = without_reference(value) {
            self.tables.push(Table { name, kind, rows: rows.elems.len() });
        }
    }
}

impl<'ast> Visit<'ast> for Declared<'ast> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Const(it) => self.add(&it.ident, Some(&it.ty), &it.expr),
            Item::Static(it) => self.add(&it.ident, Some(&it.ty), &it.expr),
            Item::Type(it) if matches!(*it.ty, Type::FnPtr(_)) => self.functions.push(&it.ident),
            // A trait may require a table.
            Item::Impl(it) if it.trait_.is_none() => {
                for item in &it.items {
                    if let ImplItem::Const(it) = item {
                        self.add(&it.ident, Some(&it.ty), &it.expr);
                    }
                }
            }
            _ => (),
        }
        visit::visit_item(self, item);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let (name, kind) = match &local.pat {
            Pat::Type(it) => (&*it.pat, Some(&*it.ty)),
            other => (other, None),
        };
        if let (Pat::Ident(name), Some(init)) = (name, &local.init)
            && name.mutability.is_none()
        {
            self.add(&name.ident, kind, &init.expr);
        }
        visit::visit_local(self, local);
    }
}

fn without_reference(value: &Expr) -> &Expr {
    match value {
        Expr::Reference(it) => &it.expr,
        other => other,
    }
}

/// The uses of tables in a file.
struct Uses {
    rows: Rows,
    found: Found,
}

impl Uses {
    /// The name of a table in an expression, and its number of rows.
    fn table(&self, value: &Expr) -> Option<(String, usize)> {
        let Expr::Path(path) = value else { return None };
        let name = path.path.segments.last()?.ident.to_string();
        let rows = *self.rows.get(&name)?;
        Some((name, rows))
    }

    fn note_loop(&mut self, value: &Expr) {
        let span = value.span();
        let value = without_reference(value);
        if matches!(value, Expr::Array(it) if it.elems.is_empty()) {
            self.found.push((span, "a loop over no rows".to_string()));
        } else if let Some((name, 0)) = self.table(value) {
            self.found.push((span, format!("a loop over `{name}`, which has no rows")));
        }
    }

    fn note_last(&mut self, value: &Expr, span: Span) {
        if let Some((name, 1)) = self.table(value) {
            self.found.push((span, format!("the last row of `{name}`, which has one")));
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_expr(&mut self, value: &'ast Expr) {
        const LOOPS: &[&str] = &["iter", "into_iter", "concat", "iter_mut"];
        match value {
            Expr::ForLoop(it) => self.note_loop(&it.expr),
            Expr::MethodCall(it) if LOOPS.iter().any(|name| it.method == name) => {
                self.note_loop(&it.receiver);
            }
            Expr::MethodCall(it) if it.method == "last" => self.note_last(&it.receiver, it.span()),
            // `TABLE[TABLE.len() - 1]`
            Expr::Index(it) if is_difference(&it.index) => self.note_last(&it.expr, it.span()),
            _ => (),
        }
        visit::visit_expr(self, value);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        arguments(call).iter().flatten().for_each(|it| self.visit_expr(it));
    }
}

fn is_difference(value: &Expr) -> bool {
    matches!(value, Expr::Binary(it) if matches!(it.op, BinOp::Sub(_)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn tables_without_rows_are_found() {
        check("const A: &[u8] = &[];", &["`A` is a table without rows"]);
        check("static A: [u8; 0] = [];", &["`A` is a table without rows"]);
        check("impl B { const A: &[u8] = &[]; }", &["`A` is a table without rows"]);
        check("fn f() { let a: [u8; 0] = []; g(a) }", &["`a` is a table without rows"]);
        check("const A: &[u8] = &[1];", &[]);
        check("const A: [u8; 2] = [0; 2];", &[]);
        check("impl B for C { const A: &[u8] = &[]; }", &[]);
        check("const A: Row = Row { b: &[] };", &[]);
    }

    #[test]
    fn loops_over_no_rows_are_found() {
        let none = "`A` is a table without rows";
        let text = |body: &str| format!("const A: &[u8] = &[]; fn f() {{ {body} }}");
        check(&text("for a in A { }"), &[none, "a loop over `A`"]);
        check(&text("g(A.iter().any(h))"), &[none, "a loop over `A`"]);
        check("fn f() { for a in &[] {} }", &["a loop over no rows"]);
        check("fn f() { for a in [1] {} }", &[]);
    }

    #[test]
    fn tables_of_one_function_are_found() {
        check("const A: &[fn(B) -> C] = &[f];", &["`A` is a table of one function"]);
        check("type F = fn(B); const A: [F; 1] = [f];", &["`A` is a table of one function"]);
        check("const A: &[(u8, fn(B))] = &[(1, f)];", &["`A` is a table of one function"]);
        check("const A: &[fn(B) -> C] = &[f, g];", &[]);
        check("const A: &[u8] = &[1];", &[]);
    }

    #[test]
    fn the_last_of_one_row_is_found() {
        check("const A: &[u8] = &[1]; fn f() { A[A.len() - 1] }", &["the last row of `A`"]);
        check("fn f() { let a = [1]; a.last() }", &["the last row of `a`"]);
        check("const A: &[u8] = &[1, 2]; fn f() { A[A.len() - 1] }", &[]);
    }
}

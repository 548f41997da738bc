//! Tables without rows, loops over them, and tables with one function.
use super::TokenFault;
use crate::element::element;
use crate::scan::Scan;
use std::collections::BTreeMap;

/// The tables of a crate by their names: constants, statics and local arrays.
pub struct Tables<'a> {
    rows: BTreeMap<&'a str, usize>,
    /// Names of function pointer types.
    functions: Vec<&'a str>,
}

/// A table: the token of its name, the tokens of its type, and its number of rows.
struct Table {
    name: usize,
    types: std::ops::Range<usize>,
    rows: usize,
}

impl<'a> Tables<'a> {
    pub fn of(files: &[&Scan<'a>]) -> Tables<'a> {
        let (mut rows, mut functions) = (BTreeMap::new(), Vec::new());
        for scan in files {
            for table in tables(scan) {
                let known = rows.entry(scan.text(table.name)).or_insert(table.rows);
                // Of two tables with one name the longer one is assumed, to avoid false reports.
                *known = table.rows.max(*known);
            }
            let aliases = (0..scan.code.len()).filter(|&at| is_alias(scan, at));
            functions.extend(aliases.map(|at| scan.text(at + 1)));
        }
        Tables { rows, functions }
    }

    pub fn faults(&self, scan: &Scan) -> Vec<TokenFault> {
        let mut found = Vec::new();
        let mut here = BTreeMap::new();
        for table in tables(scan) {
            let known = here.entry(scan.text(table.name)).or_insert(table.rows);
            *known = table.rows.max(*known);
            let name = scan.text(table.name);
            if table.rows == 0 {
                found.push((table.name, format!("`{name}` is a table without rows")));
            } else if table.rows == 1 && self.holds_functions(scan, &table) {
                found.push((table.name, format!("`{name}` is a table of one function")));
            }
        }
        for at in 0..scan.code.len() {
            found.extend(self.use_of(scan, at, &here).map(|reason| (at, reason)));
        }
        found
    }

    fn holds_functions(&self, scan: &Scan, table: &Table) -> bool {
        let mut types = table.types.clone();
        types.any(|at| scan.text(at) == "fn" || self.functions.contains(&scan.text(at)))
    }

    /// The fault in the use of a table at this token; tables of this file have precedence.
    fn use_of(&self, scan: &Scan, at: usize, here: &BTreeMap<&str, usize>) -> Option<String> {
        let before = at.checked_sub(1).map_or("", |it| scan.text(it));
        if scan.text(at) == "["
            && scan.matching_bracket[at] == at + 1
            && is_iterated(scan, at, at + 1)
        {
            return Some("a loop over no rows".to_string());
        }
        let name = scan.text(at);
        let rows = *here.get(name).or(self.rows.get(name)).filter(|_| before != ".")?;
        if rows == 0 && is_iterated(scan, at, at) {
            return Some(format!("a loop over `{name}`, which has no rows"));
        }
        let last = ["[", name, ".", "len", "(", ")", "-", "1", "]"];
        if rows == 1 && (scan.reads(at + 1, &last) || scan.reads(at + 1, &[".", "last", "("])) {
            return Some(format!("the last row of `{name}`, which has one"));
        }
        None
    }
}

/// Whether the table from `first` to `last` is iterated: `for … in X`, `X.iter()`.
fn is_iterated(scan: &Scan, first: usize, last: usize) -> bool {
    const WALKS: &[&str] = &["iter", "into_iter", "concat", "iter_mut"];
    let head = if scan.text(first.wrapping_sub(1)) == "&" { first - 1 } else { first };
    let looped = scan.text(head.wrapping_sub(1)) == "in";
    looped || (scan.text(last + 1) == "." && WALKS.contains(&scan.text(last + 2)))
}

/// `type Name = fn(…)`, also with `for<'a>`.
fn is_alias(scan: &Scan, at: usize) -> bool {
    if scan.text(at) != "type" || !scan.is_word(at + 1) {
        return false;
    }
    let (_, end) = element(scan, at);
    let equals = (at..end).find(|&it| scan.text(it) == "=");
    equals.is_some_and(|it| matches!(scan.text(it + 1), "fn" | "for"))
}

fn tables(scan: &Scan) -> Vec<Table> {
    (0..scan.code.len()).filter_map(|at| table(scan, at)).collect()
}

/// The table declared at the keyword `at`; a required constant of a trait is none.
fn table(scan: &Scan, at: usize) -> Option<Table> {
    let name = match scan.text(at) {
        "const" | "static" if scan.text(at + 2) == ":" => at + 1,
        "let" if matches!(scan.text(at + 2), "=" | ":") => at + 1,
        _ => return None,
    };
    let around = scan.parent[at].filter(|_| scan.text(at) == "const");
    if !scan.is_word(name) || around.is_some_and(|it| is_impl_of_trait(scan, it)) {
        return None;
    }
    let mut equals = name;
    while !matches!(scan.text(equals), "=" | ";" | "") {
        equals = scan.matching_bracket[equals] + 1;
    }
    let open = if scan.text(equals + 1) == "&" { equals + 2 } else { equals + 1 };
    let close = scan.matching_bracket.get(open).copied()?;
    if scan.text(open) != "[" || scan.text(close + 1) != ";" {
        return None;
    }
    Some(Table { name, types: name + 1..equals, rows: rows(scan, open)? })
}

/// The number of rows of a list; `None` for `[value; count]`.
fn rows(scan: &Scan, open: usize) -> Option<usize> {
    let (mut at, mut count) = (open + 1, 0);
    while at < scan.matching_bracket[open] {
        let start = crate::tag::behind_attributes(scan, at);
        let (_, last) = element(scan, start);
        if scan.text(last) == ";" {
            return None;
        }
        count += 1;
        at = last + 1;
    }
    Some(count)
}

/// Whether `brace` opens an `impl Trait for Type`.
pub fn is_impl_of_trait(scan: &Scan, brace: usize) -> bool {
    let head = (0..brace).rev().take_while(|&it| !matches!(scan.text(it), ";" | "{" | "}"));
    let words: Vec<&str> = head.map(|it| scan.text(it)).collect();
    words.contains(&"impl") && words.contains(&"for")
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

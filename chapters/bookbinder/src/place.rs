//! The context of an element of Rust: the brackets around it, and whether a tag may be above it.
//!
//! Nothing is parsed. The tokens before a bracket determine its kind: `match` before a brace makes
//! it a list of arms, a name makes it fields, `fn` and a name before a parenthesis make it
//! parameters.
use crate::element::{Shape, element, item_head, starts_block};
use crate::scan::Scan;
use crate::tag::behind_attributes;
use crate::token::Kind;

/// The content of the brackets around an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Around {
    /// A file, a module, an `impl`, a trait.
    Items,
    /// The fields or variants of a type, of a value or of a pattern.
    Fields,
    Arms,
    Block,
    /// The rows of a table.
    Rows,
    /// The parameters of a function or a closure, or the unnamed fields of a type.
    Parameters,
    Use,
    Macro,
    /// Arguments, an index, a tuple, a type.
    Expression,
}

/// The shape and the last token of the tagged element at `start`; or why no tag may be there.
/// `hash` is the first token of the tag.
pub fn tagged(scan: &Scan, hash: usize, start: usize) -> Result<(Shape, usize), &'static str> {
    if scan.text(start) == "else" {
        return Err("rustc accepts no tag above `else`: tag the whole `if`, or use a `match`");
    }
    if in_macro(scan, hash) {
        return Err("a tag in a macro");
    }
    let around = around(scan, hash);
    if around == Around::Parameters {
        return Ok((Shape::Parameter, parameter_end(scan, start)));
    }
    let (shape, last) = element(scan, start);
    match (around, shape) {
        (Around::Items | Around::Block, Shape::Item) => Ok((Shape::Item, last)),
        (Around::Block, Shape::Statement) if has_operator(scan, start, last) => Err(
            "rustc accepts no tag above an assignment or another operator: put braces around it",
        ),
        (Around::Block, Shape::Statement) => Ok((Shape::Statement, last)),
        (Around::Block, _) => Err("a tag above the value of a block: use `return` or `let`"),
        (Around::Arms, _) => Ok((Shape::Arm, last)),
        (Around::Fields, _) if scan.text(start) != "." => Ok((Shape::Row, last)),
        (Around::Rows, _) => Ok((Shape::Row, last)),
        (Around::Use, _) => Err("a tag inside a `use`: write two of them"),
        (Around::Items, _) => Err("a tag inside the head of an item"),
        _ => Err("a tag inside an expression"),
    }
}

/// The content of the brackets around the token `at`.
pub fn around(scan: &Scan, at: usize) -> Around {
    if in_closure_parameters(scan, at) {
        return Around::Parameters;
    }
    let Some(open) = scan.parent[at] else { return Around::Items };
    match scan.text(open) {
        "[" if follows_operand(scan, open) => Around::Expression,
        "[" => Around::Rows,
        "(" if has_parameters(scan, open) => Around::Parameters,
        "(" => Around::Expression,
        _ => in_brace(scan, open),
    }
}

/// Whether a token is inside `name!(…)` or `macro_rules! name { … }`.
pub fn in_macro(scan: &Scan, at: usize) -> bool {
    let mut around = std::iter::successors(scan.parent[at], |&it| scan.parent[it]);
    around.any(|it| {
        let called = it >= 2 && scan.text(it - 1) == "!" && scan.is_word(it - 2);
        called || (it >= 3 && scan.reads(it - 3, &["macro_rules", "!"]))
    })
}

/// Whether the bracket `open` follows a value or a type: `a[…]`, `f(…)[…]`.
fn follows_operand(scan: &Scan, open: usize) -> bool {
    const NO_OPERANDS: &[&str] = &["return", "in", "match", "if", "break", "else", "mut", "while"];
    let Some(before) = open.checked_sub(1) else { return false };
    let word = scan.is_word(before) && !NO_OPERANDS.contains(&scan.text(before));
    word || matches!(scan.text(before), ")" | "]" | "?")
}

/// Whether the parenthesis `open` contains the parameters of a function or the fields of a type.
fn has_parameters(scan: &Scan, open: usize) -> bool {
    let Some(mut name) = open.checked_sub(1) else { return false };
    if scan.text(name) == ">" {
        name = match opening_angle(scan, name) {
            Some(angle) if angle > 0 => angle - 1,
            _ => return false,
        };
    }
    let is_head = name > 0 && matches!(scan.text(name - 1), "fn" | "struct");
    let in_enum = |brace| item_of(scan, brace) == Some("enum");
    is_head || (scan.is_word(name) && scan.parent[open].is_some_and(in_enum))
}

fn opening_angle(scan: &Scan, close: usize) -> Option<usize> {
    let mut depth = 0;
    for at in (0..=close).rev() {
        match scan.text(at) {
            ">" if at > 0 && scan.text(at - 1) != "-" => depth += 1,
            "<" => depth -= 1,
            ";" | "{" | "}" => return None,
            _ => (),
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn in_brace(scan: &Scan, open: usize) -> Around {
    match item_of(scan, open) {
        Some("struct" | "enum" | "union") => return Around::Fields,
        Some("impl" | "trait" | "mod" | "extern") => return Around::Items,
        Some("use") => return Around::Use,
        Some(_) => return Around::Block,
        None => (),
    }
    let Some(before) = open.checked_sub(1) else { return Around::Block };
    if scan.reads(open.saturating_sub(2), &[":", ":"]) {
        return Around::Use;
    }
    if starts_expression(scan, before) {
        return Around::Block;
    }
    match body_of(scan, open) {
        Some("match") => Around::Arms,
        Some(_) => Around::Block,
        None if is_closure_body(scan, open) => Around::Block,
        None => Around::Fields,
    }
}

/// Whether a brace after the token `before` opens a block: the token cannot end a value, a type or
/// a condition.
fn starts_expression(scan: &Scan, before: usize) -> bool {
    const WORDS: &[&str] = &["else", "loop", "unsafe", "move", "async", "const"];
    match scan.code[before].kind {
        Kind::Word => WORDS.contains(&scan.text(before)),
        Kind::Sign if scan.text(before) == ">" => scan.text(before - 1) == "=",
        Kind::Sign if scan.text(before) == "]" => {
            scan.matching_bracket[before].checked_sub(1).is_some_and(|it| scan.text(it) == "#")
        }
        Kind::Sign => !matches!(scan.text(before), ")" | "?"),
        Kind::Literal | Kind::Number | Kind::Lifetime | Kind::Comment => false,
    }
}

/// The keyword of the item whose body, or whose list of imports, opens at `brace`.
fn item_of<'a>(scan: &Scan<'a>, brace: usize) -> Option<&'a str> {
    let mut start = brace;
    while let Some(before) = previous(scan, start) {
        if matches!(scan.text(before), ";" | "}") {
            break;
        }
        start = before;
    }
    let head = item_head(scan, behind_attributes(scan, start));
    let keyword = scan.text(head);
    if keyword == "use" {
        return Some("use");
    }
    let (shape, end) = element(scan, head);
    (shape == Shape::Item && end == scan.matching_bracket[brace] && head < brace).then_some(keyword)
}

/// The token before `at` in the same brackets; for a bracketed group its first token.
fn previous(scan: &Scan, at: usize) -> Option<usize> {
    let before = at.checked_sub(1)?;
    if scan.parent[at] == Some(before) {
        return None;
    }
    match scan.text(before) {
        // The caller stops at the end of a block, so it looks at its last token.
        "}" => Some(before),
        _ => Some(scan.matching_bracket[before]),
    }
}

/// The keyword whose body opens at `brace`: `if`, `match` or a loop, if no pattern is between.
fn body_of<'a>(scan: &Scan<'a>, brace: usize) -> Option<&'a str> {
    let (mut at, mut equals, mut inside) = (brace, false, false);
    while let Some(before) = previous(scan, at) {
        let arrow = scan.text(before) == ">" && before > 0 && scan.text(before - 1) == "=";
        match scan.text(before) {
            ";" | "}" => return None,
            _ if arrow => return None,
            "=" => equals = true,
            "in" => inside = true,
            "let" if !equals => return None,
            "for" if inside => return Some("for"),
            "for" => return None,
            keyword @ ("if" | "match" | "while") => return Some(keyword),
            _ => (),
        }
        at = before;
    }
    None
}

/// Whether `brace` follows the type of a closure's value: `|a| -> B { … }`.
fn is_closure_body(scan: &Scan, brace: usize) -> bool {
    let mut at = brace;
    while let Some(before) = previous(scan, at) {
        match scan.text(before) {
            ">" if before > 0 && scan.text(before - 1) == "-" => return true,
            "," | ";" | "}" | "=" => return false,
            _ => at = before,
        }
    }
    false
}

/// Whether the token `at` is between the bars of a closure.
fn in_closure_parameters(scan: &Scan, at: usize) -> bool {
    let mut here = at;
    while let Some(before) = previous(scan, here) {
        match scan.text(before) {
            "|" => return opens_closure(scan, before),
            ";" | "}" | "=" => return false,
            _ => here = before,
        }
    }
    false
}

/// A bar after a value is an operator, or the end of a parameter list.
fn opens_closure(scan: &Scan, bar: usize) -> bool {
    let Some(before) = bar.checked_sub(1) else { return true };
    match scan.text(before) {
        "move" | "return" | "else" => true,
        ")" | "]" | "}" | "|" | "?" | ">" => false,
        _ => scan.code[before].kind == Kind::Sign,
    }
}

/// The last token of a parameter, with its comma.
fn parameter_end(scan: &Scan, start: usize) -> usize {
    let (mut at, mut angles) = (start, 0);
    while at < scan.code.len() {
        match scan.text(at) {
            ")" | "|" | "]" | "}" => return at - 1,
            "," if angles == 0 => return at,
            "<" => angles += 1,
            ">" if scan.text(at - 1) != "-" => angles -= 1,
            _ => (),
        }
        at = scan.matching_bracket[at] + 1;
    }
    at - 1
}

/// Whether an expression statement has an operator between its parts: rustc would apply a tag above
/// it to its first part only.
fn has_operator(scan: &Scan, start: usize, last: usize) -> bool {
    const WITH_VALUE: &[&str] = &["let", "return", "break", "continue", "|", "move"];
    if WITH_VALUE.contains(&scan.text(start)) || starts_block(scan, start) {
        return false;
    }
    let mut at = start;
    while matches!(scan.text(at), "*" | "&" | "-" | "!") {
        at += 1;
    }
    while at <= last {
        let path = at == start || scan.text(at - 1) == ":";
        match scan.text(at) {
            "<" if path => at = closing_angle(scan, at),
            "as" | "=" | "+" | "-" | "*" | "/" | "%" | "^" | "&" | "|" | "<" | ">" => return true,
            "." if scan.text(at + 1) == "." => return true,
            _ => (),
        }
        at = scan.matching_bracket[at] + 1;
    }
    false
}

fn closing_angle(scan: &Scan, open: usize) -> usize {
    let mut depth = 0;
    for at in open..scan.code.len() {
        match scan.text(at) {
            "<" => depth += 1,
            ">" if scan.text(at - 1) != "-" => depth -= 1,
            _ => (),
        }
        if depth == 0 {
            return at;
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `@` marks the position of a tag in `text`.
    fn check(text: &str, expected: Result<Shape, &str>) {
        let text = text.replacen('@', "#[cfg(a)]", 1);
        let scan = Scan::new(&text).expect("matched brackets");
        let at = |it: usize| scan.reads(it, &["#", "[", "cfg"]);
        let hash = (0..scan.code.len()).find(|&it| at(it)).expect("a tag");
        let found = tagged(&scan, hash, behind_attributes(&scan, hash)).map(|it| it.0);
        match (found, expected) {
            (Err(reason), Err(part)) => assert!(reason.contains(part), "{text}: {reason}"),
            (found, expected) => assert_eq!(found, expected, "{text}"),
        }
    }

    #[test]
    fn a_tag_may_stand_above_an_item() {
        for text in [
            "@ mod a;",
            "#![x] @ use a;",
            "mod a { @ fn f() {} }",
            "impl<T: A<B>> C for D<T> where T: E { @ const F: u8 = 1; fn f() {} }",
            "pub(crate) trait A: B { fn f(); @ fn g(); }",
            "fn f() { @ fn g() {} g() }",
            "fn f() { if a { b } @ const A: u8 = 1; }",
        ] {
            check(text, Ok(Shape::Item));
        }
    }

    #[test]
    fn a_tag_may_stand_above_a_field_a_variant_or_a_row() {
        for text in [
            "struct A<T> where T: B { @ a: T }",
            "pub enum A { @ B, C }",
            "enum A { B { @ c: u8 } }",
            "fn f() { let a = A { @ b: 1, c }; }",
            "fn f() { let A { @ b, c } = a; }",
            "fn f() { if let A { @ b, c } = a { } }",
            "fn f() { match a { A { @ b, c } => d } }",
            "fn f() { return A { @ b: 1 }; }",
            "fn f() { g(A { @ b: 1 }) }",
            "fn f() -> A { A { @ b: c } }",
            "const A: &[u8] = &[@ 1, 2];",
            "fn f() { let a = [@ 1, 2]; }",
            "fn f() { for a in [@ 1, 2] {} }",
            "fn f() { |a: u8| A { @ b: 1 } }",
        ] {
            check(text, Ok(Shape::Row));
        }
    }

    #[test]
    fn a_tag_may_stand_above_an_arm() {
        for text in [
            "fn f() { match a { @ A => b, _ => c } }",
            "fn f() { match g(|x| { x }) { A => { b } @ _ => c } }",
            "fn f() { match (a, b) { A if c => d, @ B { e, .. } => f } }",
            "fn f() { let a = match b.c()? { @ A => if d { e } else { f }, _ => g }; }",
        ] {
            check(text, Ok(Shape::Arm));
        }
    }

    #[test]
    fn a_tag_may_stand_above_a_statement() {
        for text in [
            "fn f() { @ let a = b + c; d }",
            "fn f() -> A<B> { @ let Some(a) = b else { return c }; d }",
            "impl A { fn f(&self) { @ self.g(a, b)?; } }",
            "fn f() { @ Vec::<u8>::new().push(1); }",
            "fn f() { @ return a + b; }",
            "fn f() { while a < b { @ break; } }",
            "fn f() { for a in b.iter() { @ continue; } }",
            "fn f() { @ for a in b { c } d }",
            "fn f() { @ 'a: loop { b } c }",
            "fn f() { @ while let Some(a) = b { } c }",
            "fn f() { if let Some(a) = b { @ match c { _ => d } e } }",
            "fn f() { if a { b } else { @ if a { b } else { c } } }",
            "fn f() { @ { a = b; } c }",
            "fn f() { #[x] { @ a(b); } c }",
            "fn f() { @ println!(\"{a}\"); }",
            "fn f() { g(|a| { @ h(); a }) }",
            "fn f() { g(|a| -> B<C> { @ h(); a }) }",
            "fn f() { match a { A => { @ h(); a } } }",
            "fn f() { match a { A => unsafe { @ h(); a } } }",
            "fn f() { let a = { @ h(); b }; }",
            "fn f() { let a = if b == \"c\" { @ h(); b } else { c }; }",
            "const A: fn() = || { @ h(); };",
        ] {
            check(text, Ok(Shape::Statement));
        }
    }

    #[test]
    fn a_tag_may_stand_above_a_parameter() {
        for text in [
            "fn f(@ a: u8, b: u8) {}",
            "impl A { pub fn f<T: Into<u8>>(&self, @ a: HashMap<B, C>) -> u8 {} }",
            "trait A { fn f(a: u8, @ b: fn(u8) -> u8); }",
            "fn f() { g(|@ a: u8, b| c); }",
            "fn f() { let g = move |a, @ b: u8| c; }",
            "struct A(@ u8, u8);",
            "enum A { B(u8, @ u8) }",
        ] {
            check(text, Ok(Shape::Parameter));
        }
    }

    #[test]
    fn other_positions_are_rejected() {
        check("fn f() { if a { b } @ else { c } }", Err("`else`"));
        check("fn f() { g(@ a, b) }", Err("inside an expression"));
        check("fn f() { (@ a, b) }", Err("inside an expression"));
        check("fn f() { a[@ b] }", Err("inside an expression"));
        check("fn f() { let a = |b, c| d(b, @ c); }", Err("inside an expression"));
        check("fn f() { g(a | b, @ c); }", Err("inside an expression"));
        check("fn f() { vec![@ a, b] }", Err("in a macro"));
        check("fn f() { assert!(g(h) == A { @ a: b }) }", Err("in a macro"));
        check("macro_rules! a { () => { @ fn f() {} } }", Err("in a macro"));
        check("use a::{@ b, c};", Err("a `use`"));
        check("use a::{b::{@ c}, d};", Err("a `use`"));
        check("fn f() -> u8 { a(); @ b }", Err("value of a block"));
        check("fn f() -> u8 { a(); @ return b }", Err("value of a block"));
        check("fn f<T>() where @ T: A, T: B {}", Err("head of an item"));
        check("fn f() { A { @ ..b } }", Err("inside an expression"));
    }

    #[test]
    fn a_tag_on_a_part_of_a_statement_is_rejected() {
        for text in ["a = b;", "a.b += c;", "*a = b;", "a[b] = c;", "a == b;", "a()? << b;"] {
            check(&format!("fn f() {{ @ {text} }}"), Err("an assignment or another operator"));
        }
        for text in ["a as u8;", "0..a;", "<A as B>::c() - 1;", "a::<B>() && c;"] {
            check(&format!("fn f() {{ @ {text} }}"), Err("an assignment or another operator"));
        }
        for text in ["-a;", "&a;", "<A as B>::c();", "a.b::<C, D>(e = f);", "|a| a + b;"] {
            check(&format!("fn f() {{ @ {text} }}"), Ok(Shape::Statement));
        }
    }
}

//! The end of an element of Rust: an item, a variant, a field, an arm, a row or a statement.
//!
//! Nothing is parsed. The first words identify an item or a statement; otherwise the element ends
//! at the first comma, semicolon or closing bracket outside of all brackets. Angle brackets count
//! as brackets only if rustfmt writes no space after them, which distinguishes generics from
//! comparisons.
use crate::scan::Scan;
use crate::token::Kind;

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
    /// An operand, an argument or the value of a block.
    Expression,
}

/// The shape and the last token of the element that starts at token `start`, after its attributes.
pub fn element(scan: &Scan, start: usize) -> (Shape, usize) {
    let head = item_head(scan, start);
    if let Some(close) = item_close(scan, head) {
        let end = match close {
            Close::Body => body_or_semicolon(scan, head),
            Close::Semicolon => semicolon(scan, head),
        };
        return (Shape::Item, end);
    }
    if in_braces(scan, start) && starts_block(scan, start) {
        return (Shape::Statement, statement_end(scan, start));
    }
    if scan.text(start) == "let" {
        return (Shape::Statement, semicolon(scan, start));
    }
    comma_or_arm(scan, start)
}

/// How an item ends.
#[derive(Clone, Copy)]
enum Close {
    /// After its braces, or at a semicolon if it has none.
    Body,
    Semicolon,
}

const ITEMS: &[(&str, Close)] = &[
    ("fn", Close::Body),
    ("struct", Close::Body),
    ("enum", Close::Body),
    ("union", Close::Body),
    ("trait", Close::Body),
    ("impl", Close::Body),
    ("mod", Close::Body),
    ("extern", Close::Body),
    ("use", Close::Semicolon),
    ("const", Close::Semicolon),
    ("static", Close::Semicolon),
    ("type", Close::Semicolon),
];

fn item_close(scan: &Scan, head: usize) -> Option<Close> {
    let word = scan.text(head);
    let is_macro = scan.is_word(head) && scan.text(head + 1) == "!";
    if is_macro && (scan.text(head + 2) == "{" || word == "macro_rules") {
        return Some(Close::Body);
    }
    let (_, close) = ITEMS.iter().find(|(it, _)| *it == word)?;
    let named = match word {
        "fn" | "union" => scan.is_word(head + 1),
        "const" => scan.text(head + 1) != "{",
        _ => true,
    };
    named.then_some(*close)
}

/// The keyword of an item, after its visibility and words such as `unsafe`.
pub fn item_head(scan: &Scan, start: usize) -> usize {
    let mut at = start;
    if scan.text(at) == "pub" {
        at += 1;
        if scan.text(at) == "(" {
            at = scan.matching_bracket[at] + 1;
        }
    }
    while is_qualifier(scan, at) {
        at += 1;
    }
    at
}

fn is_qualifier(scan: &Scan, at: usize) -> bool {
    const BEFORE: &[&str] = &["const", "async", "unsafe", "extern"];
    const AFTER: &[&str] = &["fn", "async", "unsafe", "extern", "impl", "trait"];
    let abi = scan.text(at) == "extern" && scan.text(at + 1).starts_with('"');
    let quoted = scan.text(at).starts_with('"');
    (BEFORE.contains(&scan.text(at)) && AFTER.contains(&scan.text(at + 1)))
        || (abi && scan.text(at + 2) == "fn")
        || (quoted && scan.text(at + 1) == "fn")
}

/// The first closing brace or semicolon outside of all brackets.
fn body_or_semicolon(scan: &Scan, start: usize) -> usize {
    find(scan, start, |scan, at| match scan.text(at) {
        "{" => Some(scan.matching_bracket[at]),
        ";" => Some(at),
        _ => None,
    })
}

fn semicolon(scan: &Scan, start: usize) -> usize {
    find(scan, start, |scan, at| (scan.text(at) == ";").then_some(at))
}

/// Skips bracketed groups until `is_end` holds; without an end, returns the last token before the
/// closing bracket around `start`.
fn find(scan: &Scan, start: usize, is_end: impl Fn(&Scan, usize) -> Option<usize>) -> usize {
    let mut at = start;
    while at < scan.code.len() && !closes(scan, at) {
        if let Some(end) = is_end(scan, at) {
            return end;
        }
        at = scan.matching_bracket[at] + 1;
    }
    at - 1
}

fn closes(scan: &Scan, at: usize) -> bool {
    matches!(scan.text(at), ")" | "]" | "}")
}

fn in_braces(scan: &Scan, at: usize) -> bool {
    scan.parent[at].is_some_and(|it| scan.text(it) == "{")
}

/// Whether an expression without a final semicolon starts here.
pub(crate) fn starts_block(scan: &Scan, at: usize) -> bool {
    const BLOCKS: &[&str] = &["{", "if", "match", "while", "for", "loop", "unsafe"];
    let label = scan.code.get(at).is_some_and(|it| it.kind == Kind::Lifetime);
    BLOCKS.contains(&scan.text(at)) || (label && scan.text(at + 1) == ":")
}

/// The end of a statement that starts with a block, an `if`, a `match` or a loop.
fn statement_end(scan: &Scan, start: usize) -> usize {
    let end = block_end(scan, start);
    match scan.text(end + 1) {
        "." | "?" => semicolon(scan, end + 1),
        ";" => end + 1,
        _ => end,
    }
}

/// The closing brace of a block-like expression, with its `else` branches.
fn block_end(scan: &Scan, start: usize) -> usize {
    let mut end = body_or_semicolon(scan, start);
    while scan.text(end + 1) == "else" {
        end = body_or_semicolon(scan, end + 1);
    }
    end
}

/// The end of a row, an arm, or a statement that is an expression.
fn comma_or_arm(scan: &Scan, start: usize) -> (Shape, usize) {
    let mut at = after_parameters(scan, start);
    let mut angles = 0;
    while at < scan.code.len() && !closes(scan, at) {
        match scan.text(at) {
            "=" if is_arrow(scan, at) => return (Shape::Arm, arm_end(scan, at + 2)),
            ";" => return (Shape::Statement, at),
            "," if angles == 0 => return (row_or_argument(scan, at), at),
            sign => angles += angle(scan, at, sign, angles),
        }
        at = scan.matching_bracket[at] + 1;
    }
    let in_list = scan.parent[start].is_some_and(|it| scan.text(it) == "[");
    (if in_list { Shape::Row } else { Shape::Expression }, at - 1)
}

/// The start of a closure's value: the commas between its parameters do not end the element.
fn after_parameters(scan: &Scan, start: usize) -> usize {
    if scan.text(start) != "|" {
        return start;
    }
    find(scan, start + 1, |scan, at| (scan.text(at) == "|").then_some(at)) + 1
}

/// An element in parentheses that ends with a comma is an argument or a parameter.
fn row_or_argument(scan: &Scan, at: usize) -> Shape {
    match scan.parent[at].map(|it| scan.text(it)) {
        Some("(") => Shape::Expression,
        _ => Shape::Row,
    }
}

fn is_arrow(scan: &Scan, at: usize) -> bool {
    scan.reads(at, &["=", ">"]) && touches(scan, at)
}

/// Whether there is no space between `at` and the next token.
fn touches(scan: &Scan, at: usize) -> bool {
    let here = &scan.code[at];
    scan.code.get(at + 1).is_some_and(|next| next.start == here.start + here.text.len())
}

/// The change of the depth of angle brackets at a token.
fn angle(scan: &Scan, at: usize, sign: &str, depth: i32) -> i32 {
    let opens = touches(scan, at) && !matches!(scan.text(at + 1), "<" | "=");
    let arrow = at > 0 && touches(scan, at - 1) && matches!(scan.text(at - 1), "-" | "=");
    match sign {
        "<" if opens => 1,
        ">" if depth > 0 && !arrow => -1,
        _ => 0,
    }
}

/// The end of an arm whose body starts at `body`, with its comma.
fn arm_end(scan: &Scan, body: usize) -> usize {
    if starts_block(scan, body) {
        let end = block_end(scan, body);
        match scan.text(end + 1) {
            "," => return end + 1,
            "." | "?" => (),
            _ => return end,
        }
    }
    let (mut at, mut angles) = (body, 0);
    while at < scan.code.len() && !closes(scan, at) {
        match scan.text(at) {
            "," if angles == 0 => return at,
            sign => angles += angle(scan, at, sign, angles),
        }
        at = scan.matching_bracket[at] + 1;
    }
    at - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `@` marks the start of the element in `text`; `expected` is the element.
    fn check(text: &str, shape: Shape, expected: &str) {
        let start = text.find('@').expect("a mark");
        let text = text.replacen('@', " ", 1);
        let scan = Scan::new(&text).expect("matched brackets");
        let first = scan.code.iter().position(|it| it.start > start).expect("an element");
        let (found, last) = element(&scan, first);
        let end = scan.code[last].start + scan.code[last].text.len();
        assert_eq!((found, &text[scan.code[first].start..end]), (shape, expected));
    }

    #[test]
    fn items_end_with_their_body_or_a_semicolon() {
        let item = |text, expected| check(text, Shape::Item, expected);
        item("@fn f<T>(a: T) -> [u8; 2]\nwhere\n  T: A,\n{ {} } x", {
            "fn f<T>(a: T) -> [u8; 2]\nwhere\n  T: A,\n{ {} }"
        });
        item("trait T { @fn f(); fn g(); }", "fn f();");
        item("@pub(crate) const fn f() {} x", "pub(crate) const fn f() {}");
        item("@pub struct A(u32, #[x] u8); x", "pub struct A(u32, #[x] u8);");
        item("@struct A<T> where T: B { a: T } x", "struct A<T> where T: B { a: T }");
        item("@use a::{b, c}; x", "use a::{b, c};");
        item("@pub const A: [u8; 2] = [1, 2]; x", "pub const A: [u8; 2] = [1, 2];");
        item("@static A: B = B { c: 1 }; x", "static A: B = B { c: 1 };");
        item("@unsafe impl A for B {} x", "unsafe impl A for B {}");
        item("@mod a; x", "mod a;");
        item("@mod a { fn f() {} } x", "mod a { fn f() {} }");
        item("@macro_rules! a { (;) => {} } x", "macro_rules! a { (;) => {} }");
        item("@id! { A } x", "id! { A }");
        item("@extern \"C\" fn f() {} x", "extern \"C\" fn f() {}");
        item("@type A = B<C>; x", "type A = B<C>;");
    }

    #[test]
    fn rows_end_with_a_comma_or_before_the_bracket() {
        let row = |text, expected| check(text, Shape::Row, expected);
        row("enum E { @A, B }", "A,");
        row("enum E { @A { b: u8 }, B }", "A { b: u8 },");
        row("enum E { @A(B<C, D>), B }", "A(B<C, D>),");
        row("enum E { @A = 3, B }", "A = 3,");
        row("struct S { @pub a: HashMap<B, Vec<C>>, b: u8 }", "pub a: HashMap<B, Vec<C>>,");
        row("struct S { @a: fn(B) -> C, b: u8 }", "a: fn(B) -> C,");
        row("[ @Row { a: |x| { x }, b: c < d, e: 1 << 2 }, B]", {
            "Row { a: |x| { x }, b: c < d, e: 1 << 2 },"
        });
        row("[ @a < b, c > d ]", "a < b,");
        row("[ @(1, 2), (3, 4)]", "(1, 2),");
        row("[ A, @B ]", "B");
        row("[ @|a, b| f(a, b), B ]", "|a, b| f(a, b),");
        row("[ @|a, _| { f(a); g(a) }, B ]", "|a, _| { f(a); g(a) },");
        row("[ A, @|| a ]", "|| a");
        row("Row { @a: 1, b: 2 }", "a: 1,");
    }

    #[test]
    fn arms_end_with_a_comma_or_their_block() {
        let arm = |text, expected| check(text, Shape::Arm, expected);
        arm("match x { @A | B if c => { d } E => f }", "A | B if c => { d }");
        arm("match x { @A => { d }, E => f }", "A => { d },");
        arm("match x { @A(y) => f(y, 1), E => f }", "A(y) => f(y, 1),");
        arm("match x { @A { y, .. } => B { y }, E => f }", "A { y, .. } => B { y },");
        arm("match x { @A => if a { b } else { c }\n E => f }", "A => if a { b } else { c }");
        arm("match x { @A => match y { B => c }, E => f }", "A => match y { B => c },");
        arm("match x { @A => { b }.c(d), E => f }", "A => { b }.c(d),");
        arm("match x { @A => f::<B, C>(), E => f }", "A => f::<B, C>(),");
        arm("match x { @A => a, _ => b }", "A => a,");
        arm("match x { A => a, @_ => b }", "_ => b");
        arm("match x { @'{' => '}', _ => b }", "'{' => '}',");
        arm("match x { @a if a >= b => c, _ => b }", "a if a >= b => c,");
    }

    #[test]
    fn statements_end_with_a_semicolon_or_their_block() {
        let statement = |text, expected| check(text, Shape::Statement, expected);
        statement("{ @let a = b else { return; }; c }", "let a = b else { return; };");
        statement("{ @if a { b } else if c { d } else { e } f }", {
            "if a { b } else if c { d } else { e }"
        });
        statement("{ @for a in b { c } f }", "for a in b { c }");
        statement("{ @'a: loop { c } f }", "'a: loop { c }");
        statement("{ @{ a; } f }", "{ a; }");
        statement("{ @match a { B => c }.d(); f }", "match a { B => c }.d();");
        statement("{ @f(a, b); g }", "f(a, b);");
        statement("{ @a = match b { C => d }; g }", "a = match b { C => d };");
    }

    #[test]
    fn arguments_and_values_are_expressions() {
        check("f(@a, b)", Shape::Expression, "a,");
        check("f(a, @b)", Shape::Expression, "b");
        check("{ a; @b }", Shape::Expression, "b");
    }
}

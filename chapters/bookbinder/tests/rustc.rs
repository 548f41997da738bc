//! rustc accepts tags where the bookbinder does, and compiles the views.
use bookbinder::view::View;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Tags in every valid position.
const TEXT: &str = r#"//! L.
#![allow(dead_code, unused_mut, unused_variables)]
#[cfg(feature = "ch02")]
use std::fmt;

struct Row {
    a: u8,
    #[cfg(feature = "ch02")]
    b: u8,
}

enum Op {
    A,
    #[cfg(feature = "ch02")]
    B { c: u8 },
}

const ROWS: &[u8] = &[
    1,
    #[cfg(feature = "ch02")]
    2,
];

#[cfg(feature = "ch02")]
impl fmt::Display for Op {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "op")
    }
}

fn width(op: &Op, #[cfg(feature = "ch02")] row: &Row) -> u8 {
    match op {
        Op::A => 1,
        #[cfg(feature = "ch02")]
        Op::B { c } => *c + row.b,
    }
}

fn statements(mut rows: Vec<u8>) -> Result<u8, u8> {
    let mut sum = 0;
    // Why.
    #[cfg(feature = "ch02")]
    let row = Row { a: 1, b: 2 };
    #[cfg(not(feature = "ch02"))]
    let row = Row { a: 1 };
    #[cfg(feature = "ch02")]
    rows.push(row.b);
    #[cfg(feature = "ch02")]
    rows.pop().ok_or(1)?;
    #[cfg(feature = "ch02")]
    {
        sum += 1;
        rows[0] = sum;
    }
    #[cfg(feature = "ch02")]
    for row in &rows {
        sum += *row;
    }
    #[cfg(feature = "ch02")]
    if sum > 7 {
        sum -= 1;
    } else {
        return Err(sum);
    }
    #[cfg(feature = "ch02")]
    while sum > 9 {
        sum -= 1;
    }
    #[cfg(feature = "ch02")]
    match sum {
        0 => return Err(0),
        _ => sum -= 1,
    }
    #[cfg(feature = "ch02")]
    assert!(sum > 0);
    #[cfg(feature = "ch02")]
    fn inner() {}
    let add = |a: u8, #[cfg(feature = "ch02")] b: u8| a;
    let Row {
        a,
        #[cfg(feature = "ch02")]
        b,
    } = row;
    #[cfg(feature = "ch02")]
    return Ok(sum + a + b);
    #[cfg(not(feature = "ch02"))]
    return Ok(sum + a);
}
"#;

/// Whether rustc accepts a text, with the feature of chapter 2 or without.
fn compiles(name: &str, text: &str, with_feature: bool) -> bool {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rustc").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("lib.rs");
    fs::write(&file, text).expect("a file");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--out-dir"]);
    rustc.arg(&folder).arg(&file).arg("--check-cfg=cfg(feature, values(\"ch02\"))");
    if with_feature {
        rustc.args(["--cfg", "feature=\"ch02\""]);
    }
    rustc.output().expect("rustc runs").status.success()
}

#[test]
fn rustc_accepts_every_position_and_every_view() {
    for chapter in [1, 2] {
        assert!(compiles("tags", TEXT, chapter == 2), "the tags of chapter {chapter}");
        let view = View::tested(chapter).file(Path::new("lib.rs"), TEXT);
        let view = view.expect("no error").expect("a file");
        assert!(!view.contains("feature"), "{view}");
        assert!(compiles("view", &view, false), "{view}");
    }
}

#[test]
fn rustc_rejects_what_the_bookbinder_rejects() {
    let tag = "#[cfg(feature = \"ch02\")]\n";
    for body in [
        format!("let mut a = 1;\n{tag}a = 2;\n"),
        format!("let mut a = 1;\n{tag}a += 2;\n"),
        format!("let a = 1;\n{tag}a as u16;\n"),
        format!("if true {{\n}}\n{tag}else {{\n}}\n"),
    ] {
        let text = format!("fn f() {{\n{body}}}\n");
        assert!(View::tested(2).file(Path::new("lib.rs"), &text).is_err(), "{text}");
        assert!(!compiles("refused", &text, true), "{text}");
    }
}

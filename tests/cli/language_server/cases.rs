//! The programs of all chapters: every name has a declaration, and every declaration can be
//! renamed.
use super::{Client, URI, byte, edited};
use crate::sandbox::Sandbox;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The words that are no names.
const WORDS: &[&str] = &[
    "arg",
    "bool",
    "break",
    "byte",
    "continue",
    "else",
    "f32",
    "f64",
    "false",
    "flt",
    "for",
    "i16",
    "i32",
    "i64",
    "i8",
    "if",
    "int",
    "new",
    "null",
    "return",
    "showGraph",
    "struct",
    "true",
    "u1",
    "u16",
    "u32",
    "u8",
    "val",
    "var",
    "while",
];

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters");
    let folders = fs::read_dir(root).expect("a folder").flatten();
    let cases = folders.flat_map(|it| fs::read_dir(it.path().join("cases")).into_iter().flatten());
    let mut paths: Vec<_> = cases.flatten().map(|it| it.path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "smp"));
    paths.sort();
    assert!(paths.len() > 100, "{} programs", paths.len());
    paths
}

/// The positions of the names in a text, and the names.
fn names(text: &str) -> Vec<(Value, &str)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        let is_part = |it: char| it == '_' || it == '.' || it.is_ascii_alphanumeric();
        for word in code.split(|it| !is_part(it)).flat_map(parts) {
            let at = word.as_ptr() as usize - line.as_ptr() as usize;
            let is_name = word.starts_with(|it: char| it == '_' || it.is_ascii_alphabetic());
            if is_name && !WORDS.contains(&word) {
                found.push((json!({ "line": number, "character": at }), word));
            }
        }
    }
    found
}

/// `s` and `x` of `s.x`, but nothing of the number `1.5e3`.
fn parts(word: &str) -> Vec<&str> {
    let is_number = word.starts_with(|it: char| it.is_ascii_digit());
    if is_number { Vec::new() } else { word.split('.').collect() }
}

fn definition(client: &mut Client, position: &Value) -> Value {
    let parameters = json!({ "textDocument": { "uri": URI }, "position": position });
    client.ask("textDocument/definition", parameters)["result"]["range"]["start"].clone()
}

/// The text in which the name at `position` is another one.
fn renamed(client: &mut Client, text: &str, position: &Value, name: &str) -> String {
    let document = json!({ "uri": URI });
    let parameters = json!({ "textDocument": document, "position": position, "newName": name });
    let answer = client.ask("textDocument/rename", parameters);
    assert_eq!(answer["error"], Value::Null, "{position} {name}\n{text}");
    edited(text, &answer["result"]["changes"][URI])
}

#[test]
fn every_name_of_a_valid_program_has_a_declaration() {
    let (mut client, mut count) = (Client::new(), 0);
    for path in programs() {
        let text = fs::read_to_string(&path).expect("a program");
        if client.change(&text).iter().any(|it| it["severity"] == 1) {
            continue;
        }
        for (position, name) in names(&text) {
            let declared = definition(&mut client, &position);
            assert!(!declared.is_null(), "{}: {name} at {position}", path.display());
            let declared = byte(&text, &declared);
            assert!(text[declared..].starts_with(name), "{}: {name}", path.display());
            count += 1;
        }
    }
    client.end();
    assert!(count > 2000, "{count} names");
}

/// A name of the same length that the program does not have, so that all columns stay.
fn unused(name: &str, names: &[(Value, &str)]) -> Option<String> {
    let candidates = "qjwzkxyvfgh".chars().map(|it| it.to_string().repeat(name.len()));
    let is_free = |it: &String| !WORDS.contains(&&**it) && names.iter().all(|(_, name)| name != it);
    { candidates }.find(is_free)
}

/// The name that is used last has another declaration then, and is renamed back.
#[test]
fn a_renamed_program_has_the_same_code() {
    let (mut client, sandbox) = (Client::new(), Sandbox::new());
    let mut count = 0;
    for path in programs().iter().step_by(16) {
        let text = fs::read_to_string(path).expect("a program");
        let names = names(&text);
        if client.change(&text).iter().any(|it| it["severity"] == 1) {
            continue;
        }
        // The picture of a graph shows the names.
        let shown = names.last().filter(|_| !text.contains("#showGraph"));
        let Some((position, name)) = shown else { continue };
        let Some(unused) = unused(name, &names) else { continue };
        let new = renamed(&mut client, &text, position, &unused);
        assert_eq!(client.change(&new), client.change(&text), "{new}");
        client.change(&new);
        assert_eq!(renamed(&mut client, &new, position, name), text, "{}", path.display());
        let [old, new] = [&text, &new].map(|it| {
            sandbox.write("program.smp", it.as_bytes());
            let done = sandbox.sonc(&["ir", "program.smp", "--stage", "allocated"]);
            assert_eq!(done.status, Some(0), "{done:?}\n{it}");
            done.out
        });
        // Names of functions are symbols, at the ends of lines and as labels.
        let new = new.replace(&format!(" {unused}\n"), &format!(" {name}\n"));
        let new = new.replace(&format!("\n{unused}:\n"), &format!("\n{name}:\n"));
        assert_eq!(old, new, "{}", path.display());
        count += 1;
    }
    client.end();
    assert!(count > 15, "{count} programs");
}

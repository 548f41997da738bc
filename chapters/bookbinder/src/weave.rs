//! Weaves a text: fills each fence with the item it names or the output of its commands.
//!
//! The text stays readable Markdown. The filling depends on the info string and the lines of a
//! fence, and weaving a woven text changes nothing.
use crate::tree::Files;
use crate::{item, rules};
use std::path::Path;

/// A fenced block of a Markdown text, without indentation.
pub struct Fence<'a> {
    /// The text after the opening backticks.
    pub info: &'a str,
    pub body: Vec<&'a str>,
    /// The number of the opening line, from 1.
    pub line: usize,
}

/// The new body of a fence; `None` leaves it as it is.
pub type Filling = Option<Result<String, String>>;

/// `text` with filled fences, or all errors with their lines.
pub fn weave(text: &str, fill: impl Fn(&Fence) -> Filling) -> Result<String, Vec<String>> {
    let (mut woven, mut wrong) = (String::new(), Vec::new());
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        woven.extend([line, "\n"]);
        let Some(mark) = opening(line) else { continue };
        let margin = line.len() - line.trim_start().len();
        let mut body = Vec::new();
        let mut close = None;
        for (_, line) in lines.by_ref() {
            if closes(line, mark) {
                close = Some(line);
                break;
            }
            body.push(line);
        }
        let Some(close) = close else {
            wrong.push(format!("line {}: this fence is never closed", at + 1));
            break;
        };
        let info = line.trim_start()[mark.len()..].trim();
        let bare = body.iter().map(|it| it.get(margin..).unwrap_or(it.trim_start())).collect();
        match fill(&Fence { info, body: bare, line: at + 1 }) {
            None => body.iter().for_each(|line| woven.extend([line, "\n"])),
            Some(Ok(filling)) if filling.lines().any(|it| closes(it, mark)) => {
                wrong.push(format!("line {}: the filling would close the fence", at + 1));
            }
            Some(Ok(filling)) => filling.lines().for_each(|line| push(&mut woven, margin, line)),
            Some(Err(reason)) => wrong.push(format!("line {}: {reason}", at + 1)),
        }
        woven.extend([close, "\n"]);
    }
    if wrong.is_empty() { Ok(woven) } else { Err(wrong) }
}

/// The backticks that open a fence on this line.
pub(crate) fn opening(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let ticks = line.len() - line.trim_start_matches('`').len();
    (ticks >= 3 && !line[ticks..].contains('`')).then(|| &line[..ticks])
}

pub(crate) fn closes(line: &str, mark: &str) -> bool {
    line.trim_start().starts_with(mark) && line.trim().chars().all(|it| it == '`')
}

fn push(woven: &mut String, margin: usize, line: &str) {
    if !line.is_empty() {
        woven.extend(std::iter::repeat_n(' ', margin));
        woven.push_str(line);
    }
    woven.push('\n');
}

/// Fills `rust PATH NAME…` and `rules PATH NAME…` from `files`; without a name the whole file.
/// Blank lines separate several items. A fence of these languages without a path would be an
/// unchecked copy, and is rejected.
pub fn excerpt(files: &Files, info: &str) -> Filling {
    let mut words = info.split_whitespace();
    let language = words.next().filter(|it| ["rust", "rules"].contains(it))?;
    let Some(path) = words.next() else {
        return Some(Err(format!(
            "a `{language}` fence names a file and an item in it; call a sketch `text`"
        )));
    };
    let Some(text) = files.get(Path::new(path)) else {
        return Some(Err(format!("this chapter has no file {path}")));
    };
    let names: Vec<&str> = words.collect();
    if names.is_empty() {
        return Some(Ok(text.clone()));
    }
    let found: Result<Vec<String>, String> =
        names.iter().map(|it| item_text(path, text, it)).collect();
    Some(found.map(|items| items.join("\n")))
}

fn item_text(path: &str, text: &str, name: &str) -> Result<String, String> {
    if path.ends_with(".rules") {
        return rules::find(text, name).ok_or_else(|| format!("{path}: no rule `{name}`"));
    }
    item::find(text, name).map_err(|reason| format!("{path}: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        let rust = "//! A.\n\n/// F.\nfn f() {\n    1\n}\n\nconst G: u8 = 2;\n";
        let rules = "rule a: B => c\n";
        Files::from([("src/a.rs".into(), rust.into()), ("src/a.rules".into(), rules.into())])
    }

    fn check(text: &str, expected: &str) {
        let fill = |it: &Fence| excerpt(&files(), it.info);
        assert_eq!(weave(text, fill).as_deref(), Ok(expected));
        assert_eq!(weave(expected, fill).as_deref(), Ok(expected), "woven texts stay");
    }

    fn error(text: &str) -> String {
        weave(text, |it| excerpt(&files(), it.info)).unwrap_err().join("\n")
    }

    #[test]
    fn fences_are_filled_with_their_items() {
        check(
            "A\n\n```rust src/a.rs f\nold\n```\nB\n",
            "A\n\n```rust src/a.rs f\n/// F.\nfn f() {\n    1\n}\n```\nB\n",
        );
        check(
            "```rust src/a.rs G f\n```\n",
            "```rust src/a.rs G f\nconst G: u8 = 2;\n\n/// F.\nfn f() {\n    1\n}\n```\n",
        );
        check("```rules src/a.rules a\n```\n", "```rules src/a.rules a\nrule a: B => c\n```\n");
        check("```rules src/a.rules\n```\n", "```rules src/a.rules\nrule a: B => c\n```\n");
    }

    #[test]
    fn an_indented_fence_keeps_its_margin() {
        check(
            "1. A\n\n   ```rust src/a.rs f\n   old\n   ```\n",
            "1. A\n\n   ```rust src/a.rs f\n   /// F.\n   fn f() {\n       1\n   }\n   ```\n",
        );
    }

    #[test]
    fn other_fences_and_fences_in_fences_stay() {
        let text = "```text\na\n```\n````markdown\n```rust src/a.rs f\nold\n```\n````\n`a`\n";
        check(text, text);
    }

    #[test]
    fn errors_are_reported_with_their_lines() {
        assert_eq!(error("\n```rust src/b.rs f\n```\n"), {
            "line 2: this chapter has no file src/b.rs"
        });
        assert_eq!(error("```rust src/a.rs h\n```\n```rules src/a.rules b\n```\n"), {
            "line 1: src/a.rs: no item is called `h`\nline 3: src/a.rules: no rule `b`"
        });
        assert!(error("```rust\nfn f() {}\n```\n").contains("call a sketch `text`"));
        assert_eq!(error("```rust src/a.rs f\n"), "line 1: this fence is never closed");
    }
}

//! The examples of the language reference, `docs/language.md`. Each begins with the results or the
//! errors that are expected, as the programs of the chapters do.
use super::{Case, Configuration, check_errors, failures};
use sonc::this_chapter;
use std::fs;
use std::path::Path;

const REFERENCE: &str = "docs/language.md";

/// The examples, each with its line.
fn examples(text: &str) -> Vec<Case> {
    let mut examples = Vec::new();
    let mut begun: Option<(usize, String)> = None;
    for (at, line) in text.lines().enumerate() {
        match &mut begun {
            None if line == "```simple" => begun = Some((at + 2, String::new())),
            None => {}
            Some(_) if line == "```" => {
                let (line, text) = begun.take().expect("it has begun");
                let path = format!("{REFERENCE}:{line}").into();
                examples.extend(Case::new(path, this_chapter(), text));
            }
            Some((_, text)) => *text += &format!("{line}\n"),
        }
    }
    examples
}

/// The reference describes the language of the last chapter.
#[test]
fn every_example_of_the_reference_is_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(REFERENCE)).expect("the reference is a text");
    let examples = examples(&text);
    assert!(examples.len() > 15, "only {} examples", examples.len());
    for case in &examples {
        if case.errors.is_empty() {
            let failures = failures(case, &Configuration::standard());
            assert!(failures.is_empty(), "{}: {}", case.path.display(), failures.join("\n"));
        } else {
            check_errors(case);
        }
    }
}

//! The references of a Markdown text: links, commands, captions, and its table of contents.
use crate::weave::{closes, opening};

/// The relative links and images of a text: the line of each, from 1, and its path without the
/// anchor. Links in fences and in inline code do not count.
pub fn relative(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in outside_fences(text) {
        let prose = without_code(line);
        let targets = prose.split("](").skip(1).chain(definition(&prose));
        let paths = targets.filter_map(|rest| rest.split([')', ' ', '#']).next());
        found.extend(paths.filter(|it| is_relative(it)).map(|it| (number, it.to_string())));
    }
    found
}

/// The commands in inline code that name a case or a rule file of the chapter, with their lines,
/// from 1. Those that write a file, or read one of the reader's own, do not count.
pub fn commands(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in outside_fences(text) {
        let code = line.split('`').skip(1).step_by(2);
        found.extend(code.filter(|it| is_command(it)).map(|it| (number, it.to_string())));
    }
    found
}

/// The fences that quote a file without a paragraph `*PATH*` above: the line of each, from 1, and
/// the path.
pub fn without_caption(text: &str) -> Vec<(usize, String)> {
    let (mut found, mut above) = (Vec::new(), "");
    let mut fence: Option<&str> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let opened = if fence.is_none() { opening(line) } else { None };
        fence = opened.or(fence.filter(|mark| !closes(line, mark)));
        let info = line.trim_start().trim_start_matches('`');
        let quoted = opened.and_then(|_| quoted_file(info));
        let quoted = quoted.filter(|path| above != format!("*{path}*"));
        found.extend(quoted.map(|path| (number, path.to_string())));
        above = if line.trim().is_empty() { above } else { line.trim() };
    }
    found
}

/// The file that a fence quotes.
fn quoted_file(info: &str) -> Option<&str> {
    let (language, rest) = info.split_once(' ')?;
    let is_quotation = ["rust", "rules", "simple", "xml"].contains(&language);
    rest.split_whitespace().next().filter(|_| is_quotation)
}

/// The sections to which no link in the text leads: the line of each, from 1, and its title. The
/// last one, with the sources, needs none.
pub fn without_link(text: &str) -> Vec<(usize, String)> {
    let titles = outside_fences(text).filter_map(|(at, it)| Some((at, it.strip_prefix("## ")?)));
    let is_linked = |title: &str| text.contains(&format!("](#{})", anchor(title)));
    let found = titles.filter(|(_, title)| *title != "Sources" && !is_linked(title));
    found.map(|(number, title)| (number, title.to_string())).collect()
}

/// The links to sections of the text that it does not have: the line of each, from 1, and the
/// anchor.
pub fn without_section(text: &str) -> Vec<(usize, String)> {
    let headings = outside_fences(text).filter(|(_, line)| line.starts_with('#'));
    let anchors = headings.map(|(_, line)| anchor(line.trim_start_matches('#').trim()));
    let anchors: Vec<String> = anchors.collect();
    let mut found = Vec::new();
    for (number, line) in outside_fences(text) {
        let prose = without_code(line);
        let targets = prose.split("](#").skip(1).filter_map(|rest| rest.split(')').next());
        let broken = targets.filter(|it| !anchors.iter().any(|anchor| anchor == it));
        found.extend(broken.map(|it| (number, it.to_string())));
    }
    found
}

/// The anchor of a heading: small letters, digits and dashes.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The lines that are in no fence, with their numbers, from 1.
fn outside_fences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        if let Some(mark) = fence {
            fence = Some(mark).filter(|mark| !closes(line, mark));
            return false;
        }
        fence = opening(line);
        true
    })
}

fn is_command(code: &str) -> bool {
    let names_file = code.contains(" cases/") || code.contains(" rules/");
    let others = [" -o ", " mine/", " yours", "|"];
    code.starts_with("sonc ") && names_file && !others.iter().any(|it| code.contains(it))
}

/// The target of `[name]: target`.
fn definition(line: &str) -> Option<&str> {
    let (name, target) = line.strip_prefix('[')?.split_once("]: ")?;
    (!name.contains(']')).then_some(target)
}

fn is_relative(path: &str) -> bool {
    !path.is_empty() && !path.contains("://") && !path.starts_with("mailto:")
}

/// The line without inline code.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(usize, &str)]) {
        let found = relative(text);
        let found: Vec<_> = found.iter().map(|(line, path)| (*line, path.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn links_and_images_to_files_are_found() {
        check(
            "a [b](c.md) ![d](e/f.svg \"t\")\n[`g`](h.md#i)\n",
            &[(1, "c.md"), (1, "e/f.svg"), (2, "h.md")],
        );
        check("[a]: b.md\n[a]: https://x.org\n", &[(1, "b.md")]);
    }

    #[test]
    fn other_links_and_code_do_not_count() {
        check("[a](https://b.org/c) [d](#e) [f](mailto:g)\n`[h](i.md)`\n", &[]);
        check("```text\n[a](b.md)\n```\n", &[]);
    }

    #[test]
    fn a_quotation_without_caption_is_found() {
        let text = "*a.rs*\n\n```rust a.rs F\nfn f() {}\n```\n\n```rust b.rs F\n```\n```rust\n```\n\
                    *b.rs*\n\nA.\n\n```simple cases/c.smp\n\n```xml d\n```\n";
        assert_eq!(without_caption(text), [(7, "b.rs".into()), (15, "cases/c.smp".into())]);
    }

    #[test]
    fn a_section_without_link_is_found() {
        let text = "[a](#a-b-c)\n\n## A, b: c?\n\n## D\n\n```sh\n## E\n```\n\n## Sources\n";
        assert_eq!(without_link(text), [(5, "D".to_string())]);
    }

    #[test]
    fn a_link_to_a_missing_section_is_found() {
        let text = "[a](#a-b) [c](#c)\n\n### A, b\n\n```sh\n# C\n```\n";
        assert_eq!(without_section(text), [(1, "c".to_string())]);
    }

    #[test]
    fn commands_in_sentences_are_found() {
        let text = "Run `sonc ir cases/a.smp`, `sonc ir`\n`sonc run cases/a.smp -o b` and `x`.\n\
                    ```console\n$ sonc ir cases/b.smp `sonc ir cases/c.smp`\n```\n\
                    `sonc ir mine/d.smp`, `sonc ir cases/e.smp | dot`\n";
        assert_eq!(commands(text), [(1, "sonc ir cases/a.smp".to_string())]);
    }
}

//! Links of a Markdown text to files beside it.
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
    fn commands_in_sentences_are_found() {
        let text = "Run `sonc ir cases/a.smp`, `sonc ir`\n`sonc run cases/a.smp -o b` and `x`.\n\
                    ```console\n$ sonc ir cases/b.smp `sonc ir cases/c.smp`\n```\n\
                    `sonc ir mine/d.smp`, `sonc ir cases/e.smp | dot`\n";
        assert_eq!(commands(text), [(1, "sonc ir cases/a.smp".to_string())]);
    }
}

//! Links to the playground, where a program can be edited and run.
use super::links::relative;
use std::path::Path;

/// The page of the playground.
pub const PLAYGROUND: &str = "playground/index.html";

/// The link from a text to the playground with a program; `None` if the file is no program.
pub fn link(from: &Path, program: &Path, text: &str) -> Option<String> {
    let language = program.extension()?.to_str()?;
    let comment = LANGUAGES.iter().find(|(extension, _)| *extension == language)?.1;
    let runs: Vec<&str> = text.lines().filter_map(|it| arguments(it, comment)).collect();
    // A program of Simple runs once for each argument, others once with all of them.
    let count = if language == "smp" { MAX_RUNS } else { 1 };
    let arguments = runs.into_iter().take(count).collect::<Vec<_>>().join(" ");
    let page = relative(from, Path::new(PLAYGROUND));
    Some(format!(
        "{page}#chapter={}&language={language}&arguments={}&source={}",
        chapter(from),
        encoded(&arguments),
        encoded(text)
    ))
}

/// The extensions of programs, and the beginnings of their comments.
const LANGUAGES: &[(&str, &str)] = &[("smp", "// "), ("rv", "# "), ("cfg", "# ")];

/// So many of the arguments of a program are run.
const MAX_RUNS: usize = 3;

/// `2 5` in `# 2 5 -> 32`.
fn arguments<'t>(line: &'t str, comment: &str) -> Option<&'t str> {
    let arguments = line.strip_prefix(comment)?.split_once(" -> ")?.0.trim();
    let is_number = |it: &str| it.parse::<i32>().is_ok();
    arguments.split(' ').all(is_number).then_some(arguments)
}

/// The number of the chapter that a text belongs to; 0 if it belongs to none.
fn chapter(text: &Path) -> u32 {
    let folder = text.strip_prefix("chapters").ok().and_then(|it| it.iter().next()?.to_str());
    folder.and_then(|it| it.split('-').next()?.parse().ok()).unwrap_or(0)
}

/// A text in a fragment: all but a few characters are percent-encoded.
fn encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'*' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

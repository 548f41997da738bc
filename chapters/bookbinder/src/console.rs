//! Replays the commands of a `console` fence: `$ sonc …` lines, each followed by its output.
//!
//! A long output may be cut as in a shell, by `| head -n 9` or `| grep -E 'this|^that'`. As there,
//! a filter reads standard output, and messages only after `2>&1`.
use crate::weave::Filling;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// Before a filter: it reads both outputs.
const MERGED: &str = " 2>&1 |";

/// Runs every `$ sonc …` line of `body` with the compiler `program` in `folder`; returns the
/// commands, each followed by its output. A command that fails ends with a line `[exit 1]`. A fence
/// without such a line stays as it is.
pub fn replay(program: &Path, folder: &Path, body: &[&str]) -> Filling {
    let commands: Vec<&str> = body.iter().filter_map(|it| it.strip_prefix("$ ")).collect();
    if !commands.iter().any(|it| is_ours(it)) {
        return None;
    }
    let shown = commands.iter().map(|it| replay_one(program, folder, it));
    Some(shown.collect())
}

fn is_ours(command: &str) -> bool {
    command == "sonc" || command.starts_with("sonc ")
}

fn replay_one(program: &Path, folder: &Path, command: &str) -> Result<String, String> {
    let problem = |reason: &str| Err(format!("`{command}`: {reason}"));
    let plain = command.replacen(MERGED, " |", 1);
    let pipeline = match pipeline(&plain) {
        Some(pipeline) if is_ours(command) => pipeline,
        Some(_) => return problem("only `sonc` is run here"),
        None => return problem("only words, quoted words and `|` are understood, no shell"),
    };
    let mut program = Command::new(program);
    program.args(&pipeline[0][1..]).current_dir(folder);
    let is_filtered = pipeline.len() > 1 && plain == command;
    let ran = if is_filtered { run_without_messages(&mut program) } else { run(&mut program) };
    let (mut output, status) = match ran {
        Ok(result) => result,
        Err(err) => return problem(&err.to_string()),
    };
    for words in &pipeline[1..] {
        match filter(words, &output) {
            Some(filtered) => output = filtered,
            None => return problem("only `head -n N` and `grep -E 'A|^B'` may follow a `|`"),
        }
    }
    // A shell has the exit code of the last command: of a filter that let lines through, 0.
    let ending = if pipeline.len() == 1 { ending(status) } else { String::new() };
    shown(command, folder, &output, &ending)
}

/// A command with the output that it printed in `folder`.
pub fn shown(command: &str, folder: &Path, output: &str, ending: &str) -> Result<String, String> {
    if output.contains("/tmp/") || output.contains(&*folder.to_string_lossy()) {
        return Err(format!("`{command}`: the output names a folder of this machine"));
    }
    let line_end = if output.is_empty() || output.ends_with('\n') { "" } else { "\n" };
    Ok(format!("$ {command}\n{output}{line_end}{ending}"))
}

/// The line after the output of a command that fails.
pub fn ending(status: ExitStatus) -> String {
    match status.code() {
        Some(0) => String::new(),
        Some(code) => format!("[exit {code}]\n"),
        None => "[killed]\n".to_string(),
    }
}

/// Runs a command, which must not write to standard error.
fn run_without_messages(command: &mut Command) -> io::Result<(String, ExitStatus)> {
    let output = command.env("NO_COLOR", "1").stdin(Stdio::null()).output()?;
    if !output.stderr.is_empty() {
        return Err(io::Error::other("there are messages: use `2>&1 |`, or no filter"));
    }
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), output.status))
}

/// Runs a command. Both outputs use one pipe, so that they stay in order.
pub fn run(command: &mut Command) -> io::Result<(String, ExitStatus)> {
    let (mut reader, writer) = io::pipe()?;
    command.env("NO_COLOR", "1").stdin(Stdio::null());
    let mut child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
    // The command keeps a copy of the writing end; the output ends when all are closed.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut output = Vec::new();
    reader.read_to_end(&mut output)?;
    Ok((String::from_utf8_lossy(&output).into_owned(), child.wait()?))
}

/// The lines that a filter lets through; `None` if it is none of those that are known.
fn filter(words: &[String], text: &str) -> Option<String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (count, alternatives) = match words[..] {
        ["head", "-n", count] => (count.parse().ok()?, vec![""]),
        ["grep", "-E", pattern] if !pattern.contains(['.', '*', '+', '?', '(', '[', '{', '$']) => {
            (usize::MAX, pattern.split('|').collect())
        }
        _ => return None,
    };
    let matches = |line: &str| {
        alternatives.iter().any(|it| match it.strip_prefix('^') {
            Some(start) => line.starts_with(start),
            None => line.contains(it),
        })
    };
    let lines = text.lines().filter(|it| matches(it)).take(count);
    Some(lines.flat_map(|it| [it, "\n"]).collect())
}

/// The words of a command and of the filters after it as a shell sees them; `None` if a shell
/// would do more than run them.
fn pipeline(command: &str) -> Option<Vec<Vec<String>>> {
    let (mut commands, mut found) = (Vec::new(), Vec::new());
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '|') => {
                found.extend(word.take());
                commands.push(std::mem::take(&mut found));
            }
            (None, '>' | '<' | '&' | ';' | '$' | '*' | '\\' | '`') => return None,
            (None, ' ') => found.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    found.extend(word);
    commands.push(found);
    (quote.is_none() && commands.iter().all(|it| !it.is_empty())).then_some(commands)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let check = |command: &str, expected: Option<&[&[&str]]>| {
            let found = pipeline(command);
            let strings = |words: &&[&str]| words.iter().map(|it| it.to_string()).collect();
            assert_eq!(found, expected.map(|it| it.iter().map(strings).collect()), "{command}");
        };
        check("sonc run  a.smp", Some(&[&["sonc", "run", "a.smp"]]));
        check("sonc 'a b' \"\" c'd'", Some(&[&["sonc", "a b", "", "cd"]]));
        check("sonc a |head -n 2", Some(&[&["sonc", "a"], &["head", "-n", "2"]]));
        check("sonc a |", None);
        check("sonc a > b", None);
        check("sonc 'a", None);
    }

    #[test]
    fn filters_are_those_of_a_shell() {
        let check = |command: &str, expected: Option<&str>| {
            let pipeline = pipeline(command).expect("only words");
            assert_eq!(filter(&pipeline[0], "ab\nba\nc\n").as_deref(), expected, "{command}");
        };
        check("head -n 2", Some("ab\nba\n"));
        check("grep -E '^b|c'", Some("ba\nc\n"));
        check("grep -E 'b.*'", None);
        check("wc -l", None);
    }

    #[test]
    fn other_commands_are_left_alone_or_refused() {
        let replay = |body: &[&str]| replay(Path::new("none"), Path::new("."), body);
        assert_eq!(replay(&["$ cargo test", "ok"]), None);
        assert_eq!(replay(&["old output"]), None);
        let refused = replay(&["$ sonc 'a", "$ sonc run"]).unwrap().unwrap_err();
        assert!(refused.contains("no shell"), "{refused}");
    }

    /// `cat` replaces the compiler: it writes to both outputs and fails if a file is missing.
    #[cfg(unix)]
    #[test]
    fn outputs_and_failures_are_shown_below_their_command() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let body = ["$ sonc Cargo.toml", "old", "$ sonc none.toml", "older"];
        let shown = replay(Path::new("cat"), folder, &body).unwrap().unwrap();
        let first = "$ sonc Cargo.toml\n[package]\n";
        assert!(shown.starts_with(first) && !shown.contains("old"), "{shown}");
        let (_, second) = shown.split_once("\n$ sonc none.toml\n").unwrap();
        assert!(second.contains("none.toml") && second.ends_with("\n[exit 1]\n"), "{second}");
        let filtered = |it| replay(Path::new("cat"), folder, &[it]).expect("a command");
        let refused = filtered("$ sonc none.toml | head -n 1").unwrap_err();
        assert!(refused.contains("use `2>&1 |`"), "{refused}");
        let merged = filtered("$ sonc none.toml 2>&1 | head -n 1").unwrap();
        assert!(merged.contains("none.toml: "), "{merged}");
        let refused = replay(Path::new("cat"), folder, &["$ sonc Cargo.toml", "$ cat"]);
        assert_eq!(refused.unwrap().unwrap_err(), "`cat`: only `sonc` is run here");
    }
}

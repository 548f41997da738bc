//! A check: a command of the compiler, and the expected output.
//!
//! ```text
//! run remainder.smp prints 1            the whole output
//! ir a.smp --stage firm shows Phi       a part of the output
//! ir a.smp --stage selected lacks imul  no part of the output
//! run a.smp fails with never read       the command fails, with this in its message
//! ```
//!
//! Words with spaces are in single quotes: `run -e 'return 1;' prints 1`.
use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The time after which a command is ended.
const LIMIT: Duration = Duration::from_secs(20);

/// The number of bytes that are read of each output.
const MAX_OUTPUT: u64 = 1 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The command without its quotes.
    pub words: Vec<String>,
    pub expectation: Expectation,
}

/// The expected output of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expectation {
    Prints(String),
    Shows(String),
    Lacks(String),
    Fails(String),
}

/// The end of a command that ended in time.
struct Ended {
    status: ExitStatus,
    output: String,
    messages: String,
}

impl Check {
    /// Parses a line.
    ///
    /// # Errors
    /// The line has no expectation, no command, or a quote that is not closed.
    pub fn parse(line: &str) -> Result<Check, String> {
        type Make = fn(String) -> Expectation;
        const KINDS: [(&str, Make); 4] = [
            (" prints ", Expectation::Prints),
            (" shows ", Expectation::Shows),
            (" lacks ", Expectation::Lacks),
            (" fails with ", Expectation::Fails),
        ];
        let split = |(word, make): (&str, Make)| {
            let at = line.find(word)?;
            Some((at, make(line[at + word.len()..].trim().to_string())))
        };
        let first = KINDS.into_iter().filter_map(split).min_by_key(|it| it.0);
        let Some((at, expectation)) = first else {
            return Err(format!("`{line}`: `prints`, `shows`, `lacks` or `fails with` is missing"));
        };
        let words = words(&line[..at]).filter(|it| !it.is_empty());
        let words = words.ok_or_else(|| format!("`{line}`: no command"))?;
        Ok(Check { words, expectation })
    }

    /// Runs the command with the compiler `program`, in `folder`.
    ///
    /// # Errors
    /// The reason, if the output is not the expected one.
    pub fn run(&self, program: &Path, folder: &Path) -> Result<(), String> {
        let mut command = Command::new(program);
        command.args(&self.words).current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let ended = command.spawn().map_err(|err| err.to_string()).and_then(end_of);
        let judged = ended.and_then(|it| self.expectation.judge(&it));
        judged.map_err(|reason| format!("{self}: {reason}"))
    }
}

impl fmt::Display for Check {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let quoted = |it: &String| match it.contains(' ') {
            true => format!("'{it}'"),
            false => it.clone(),
        };
        write!(out, "{}", self.words.iter().map(quoted).collect::<Vec<_>>().join(" "))
    }
}

impl Expectation {
    fn judge(&self, ended: &Ended) -> Result<(), String> {
        let Ended { status, output, messages } = ended;
        let output = output.trim();
        let found = if status.success() { first_line(output) } else { first_line(messages) };
        if let Expectation::Fails(text) = self {
            return match status.code() {
                Some(0) => Err(format!("expected an error with `{text}`, found `{found}`")),
                Some(1 | 2) if messages.contains(text) => Ok(()),
                Some(1 | 2) => Err(format!("expected the message `{text}`, found `{found}`")),
                _ => Err(format!("ended without a diagnostic: `{found}`")),
            };
        }
        if !status.success() {
            return Err(format!("failed: `{found}`"));
        }
        match self {
            Expectation::Prints(text) if output != text => {
                Err(format!("expected `{text}`, found `{found}`"))
            }
            Expectation::Shows(text) if !output.contains(text) => {
                Err(format!("`{text}` is not in the output"))
            }
            Expectation::Lacks(text) if output.contains(text) => {
                Err(format!("`{text}` is in the output"))
            }
            _ => Ok(()),
        }
    }
}

/// The first line that is not blank; long ones are cut.
fn first_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    line.chars().take(100).collect()
}

/// The words of a command; `None` if a quote is not closed.
fn words(command: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for (at, part) in command.split('\'').enumerate() {
        match at % 2 {
            0 => found.extend(part.split_whitespace().map(String::from)),
            _ => found.push(part.to_string()),
        }
    }
    command.matches('\'').count().is_multiple_of(2).then_some(found)
}

/// Waits for the end of a command; ends it after the limit.
fn end_of(mut child: Child) -> Result<Ended, String> {
    let output = child.stdout.take().map(read_beside);
    let messages = child.stderr.take().map(read_beside);
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|err| err.to_string())? {
            Some(status) => break status,
            None if start.elapsed() < LIMIT => thread::sleep(Duration::from_millis(2)),
            None => {
                child.kill().and_then(|()| child.wait()).map_err(|err| err.to_string())?;
                return Err(format!("did not end in {} seconds", LIMIT.as_secs()));
            }
        }
    };
    // A process that the command started may keep the output open.
    let text = |read: Option<mpsc::Receiver<String>>| {
        let read = read.and_then(|it| it.recv_timeout(LIMIT).ok());
        read.ok_or("the output cannot be read".to_string())
    };
    Ok(Ended { status, output: text(output)?, messages: text(messages)? })
}

/// Reads an output in a thread of its own: a full pipe would stop the command.
fn read_beside(mut from: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = from.by_ref().take(MAX_OUTPUT).read_to_end(&mut bytes);
        let read = read.and_then(|_| io::copy(&mut from, &mut io::sink()));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // The output of a command that was ended is not waited for.
        read.ok().and_then(|_| sender.send(text).ok())
    });
    receiver
}

//! `sonc watch` compiles again when the program is saved.
use crate::running::{PATIENCE, Running};
use crate::sandbox::{Sandbox, compiler};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Waits for a line that begins so.
fn wait_for(lines: &Receiver<String>, start: &str) {
    let next = || lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no line `{start}`"));
    while !next().starts_with(start) {}
}

#[test]
fn a_saved_program_is_compiled_again() {
    let sandbox = Sandbox::new();
    sandbox.write("watched.smp", b"return arg+1;");
    let mut command = Command::new(compiler());
    command.args(["watch", "--arg", "2"]).arg(sandbox.path("watched.smp"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut running = Running::start(&mut command);
    let output = running.output();
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    wait_for(&lines, "3 for the argument 2");
    wait_for(&lines, "all stages: ");
    // A program with errors is reported, and the watch goes on.
    sandbox.write("watched.smp", b"return arg+;");
    sandbox.write("watched.smp", b"return arg*arg;");
    wait_for(&lines, "4 for the argument 2");
    wait_for(&lines, "sea ");
    wait_for(&lines, "bytes ");
    // The page is written before its stamp.
    let is_current = || {
        let read = |name| std::fs::read_to_string(sandbox.path(name)).unwrap_or_default();
        let (page, stamp) = (read("watched.html"), read("watched.html.stamp.js"));
        let version = stamp.trim_start_matches("window.pageVersion = ").trim_end_matches(";\n");
        page.contains("return arg*arg;") && page.contains(&format!("\"version\":{version}"))
    };
    assert!((0..200).any(|_| {
        thread::sleep(Duration::from_millis(50));
        is_current()
    }));
}

//! Killed commands: they leave no partial file, and no running program.
use crate::sandbox::{Sandbox, compiler};
use std::fs;
use std::process::{Child, Command};

const SIGNALS: [&str; 4] = ["INT", "TERM", "HUP", "KILL"];

/// Waits until `found` has a result for the process, or the process has ended.
fn wait_for<T>(child: &mut Child, found: impl Fn(u32) -> Option<T>) -> Option<T> {
    loop {
        if let Some(found) = found(child.id()) {
            return Some(found);
        }
        if child.try_wait().expect("it is our child").is_some() {
            return None;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

fn send(signal: &str, child: &mut Child) {
    let number = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &number]).status().expect("a command");
    assert!(sent.success(), "{signal}");
    child.wait().expect("it is our child");
}

/// The number of bytes a process has written; `None` if the system does not report it.
#[cfg(feature = "ch25")]
fn written(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("wchar: ")?.parse().ok())
}

#[cfg(feature = "ch25")]
#[test]
fn partial_files_are_removed() {
    let sandbox = Sandbox::new();
    let number = std::process::id();
    if written(number).is_none() {
        return;
    }
    sandbox.write("old.gxl", b"old");
    for (signal, output) in SIGNALS.iter().zip(["new.gxl", "old.gxl", "new.gxl", "old.gxl"]) {
        let before = sandbox.files();
        let words = ["firm", "generate", "straight", "400000", "1", "-o", output];
        let mut child = sandbox.command(&words).spawn().expect("sonc can be started");
        let begun = wait_for(&mut child, |id| written(id).filter(|&many| many > 1 << 20));
        begun.expect("the file is larger than that");
        send(signal, &mut child);
        assert!(sandbox.files() == before, "{signal} leaves a file");
    }
}

/// The children of a process.
fn children(process: u32) -> Option<Vec<u32>> {
    let path = format!("/proc/{process}/task/{process}/children");
    let text = fs::read_to_string(path).ok()?;
    Some(text.split_whitespace().filter_map(|word| word.parse().ok()).collect())
}

/// Whether a process is still running.
fn runs(process: u32) -> bool {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = text.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
    state.is_some_and(|state| state != 'Z' && state != 'X')
}

/// The child of `sonc` that is not `sonc` itself: the compiled program.
fn program(process: u32) -> Option<u32> {
    let sonc = fs::canonicalize(compiler()).expect("it is there");
    let is_other = |it: &u32| fs::read_link(format!("/proc/{it}/exe")).is_ok_and(|it| it != sonc);
    children(process)?.into_iter().find(is_other)
}

/// Whether this machine lists the children of processes, and executes our executables.
fn runs_natively(sandbox: &Sandbox) -> bool {
    assert_eq!(sandbox.sonc(&["build", "answer.smp"]).status, Some(0));
    let executed = Command::new(sandbox.path("answer")).output();
    children(std::process::id()).is_some() && executed.is_ok()
}

#[test]
fn a_program_ends_with_the_command_that_runs_it() {
    let sandbox = Sandbox::new();
    sandbox.write("endless.smp", b"while (1) {} return 0;");
    let native = runs_natively(&sandbox);
    for signal in SIGNALS.iter().filter(|_| native) {
        let mut child = sandbox.command(&["run", "endless.smp"]).spawn().expect("it starts");
        let program = wait_for(&mut child, program).expect("the program does not end");
        send(signal, &mut child);
        let mut looks = 0..10_000;
        while runs(program) && looks.next().is_some() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let left = runs(program);
        let _ = Command::new("kill").args(["-9", &program.to_string()]).output();
        assert!(!left, "the program is still running after {signal} ended sonc");
    }
}

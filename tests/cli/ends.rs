//! Killed commands: they leave no partial file, and no running program.
use crate::running::Running;
use crate::sandbox::{Sandbox, compiler};
use std::fs;
use std::process::Command;

/// Signals that end a process, and their numbers.
const SIGNALS: [(&str, u32); 4] = [("INT", 2), ("TERM", 15), ("HUP", 1), ("KILL", 9)];

/// The signals that are not ignored. A process inherits the ignored ones, for instance those of
/// `nohup` and of background processes of a script, and `sonc` and its programs respect that.
fn signals() -> impl Iterator<Item = &'static str> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|it| it.strip_prefix("SigIgn:")).map(str::trim);
    let ignored = ignored.and_then(|it| u64::from_str_radix(it, 16).ok()).unwrap_or(0);
    let is_effective = move |number: u32| ignored >> (number - 1) & 1 == 0;
    SIGNALS.into_iter().filter(move |it| is_effective(it.1)).map(|it| it.0)
}

fn send(signal: &str, running: &mut Running) {
    let number = running.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &number]).status().expect("a command");
    assert!(sent.success(), "{signal}");
    running.status();
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
    for (signal, output) in signals().zip(["new.gxl", "old.gxl", "new.gxl", "old.gxl"]) {
        let before = sandbox.files();
        let words = ["firm", "generate", "straight", "400000", "1", "-o", output];
        let mut running = Running::start(&mut sandbox.command(&words));
        let begun = running.wait_for(|id| written(id).filter(|&many| many > 1 << 20));
        begun.expect("the file is larger than that");
        send(signal, &mut running);
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
    let native = runs_natively(&sandbox);
    for signal in signals().filter(|_| native) {
        let mut running = Running::start(&mut sandbox.command(&["run", "endless.smp"]));
        let program = running.wait_for(program).expect("the program does not end");
        send(signal, &mut running);
        let mut looks = 0..10_000;
        while runs(program) && looks.next().is_some() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let left = runs(program);
        let _ = Command::new("kill").args(["-9", &program.to_string()]).output();
        assert!(!left, "the program is still running after {signal} ended sonc");
    }
}

/// As under `nohup`, or in the background of a script.
#[test]
fn ignored_signals_are_not_waited_for() {
    let tests = std::env::current_exe().expect("the program of the tests");
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' INT HUP && exec \"$0\" \"$@\""]).arg(tests);
    shell.args(["--exact", "ends::a_program_ends_with_the_command_that_runs_it"]);
    let output = shell.stdin(std::process::Stdio::null()).output().expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

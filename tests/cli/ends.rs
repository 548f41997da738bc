//! Commands that are ended from outside: they leave no half file behind, and no program running.
use crate::sandbox::{Done, Sandbox};
use std::fs;
use std::process::{Child, Command, Stdio};

/// A command under a limit of the shell's, as words of `ulimit`.
fn limited(sandbox: &Sandbox, limit: &str, words: &[&str]) -> Done {
    let script = format!("ulimit {limit} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_sonc")]).args(words);
    command.current_dir(sandbox.path("")).stdin(Stdio::null());
    command.output().expect("a shell").into()
}

#[test]
fn a_file_that_would_become_too_large_is_reported_and_does_not_stay() {
    let sandbox = Sandbox::new();
    sandbox.write("old", b"old");
    let before = sandbox.files();
    for line in [
        "build answer.smp -o new",
        "build answer.smp -o old",
        "build answer.smp --emit asm -o new",
        "dot answer.smp --stage sea -o old",
    ] {
        let done = limited(&sandbox, "-f 0", &line.split(' ').collect::<Vec<_>>());
        assert_eq!((done.status, &done.out[..]), (Some(1), ""), "{line}: {done:?}");
        assert!(done.err.starts_with("error: cannot write `"), "{line}: {done:?}");
        assert_eq!(sandbox.files(), before, "{line}");
    }
}

/// Where no file can be written, there is none that could be executed.
#[test]
fn what_cannot_be_executed_here_is_emulated() {
    let sandbox = Sandbox::new();
    let done = limited(&sandbox, "-f 0", &["run", "answer.smp"]);
    assert_eq!((done.status, &done.out[..], &done.err[..]), (Some(0), "42\n", ""));
    if sonc::this_chapter() >= 2 {
        let words = ["run", "--no-opt", "divide.smp", "--rules", "zeros.rules"];
        let done = limited(&sandbox, "-f 0", &words);
        assert_eq!(done.status, Some(1), "{done:?}");
        assert!(done.err.starts_with("error: fault at simple"), "{done:?}");
    }
}

#[test]
fn a_file_without_end_is_reported() {
    const LINES: &[(u32, &str)] = &[
        (1, "ir /dev/zero"),
        (1, "rules list /dev/zero"),
        (4, "pbqp /dev/zero"),
        (25, "firm verify /dev/zero"),
        (25, "firm copy /dev/zero"),
    ];
    let sandbox = Sandbox::new();
    for (_, line) in LINES.iter().filter(|(chapter, _)| *chapter <= sonc::this_chapter()) {
        let done = limited(&sandbox, "-v 1000000", &line.split(' ').collect::<Vec<_>>());
        assert_eq!((done.status, &done.out[..]), (Some(1), ""), "{line}: {done:?}");
        assert!(done.err.contains("cannot") || done.err.contains("E09"), "{line}: {done:?}");
    }
}

const SIGNALS: [&str; 4] = ["INT", "TERM", "HUP", "KILL"];

/// Waits until something is found about a process; it may also have ended before.
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

/// How many bytes a process has written; none, where processes do not say that.
fn written(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("wchar: ")?.parse().ok())
}

#[cfg(feature = "ch25")]
#[test]
fn half_a_file_does_not_stay() {
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
        assert!(sandbox.files() == before, "{signal} leaves something behind");
    }
}

/// The processes that a process has started.
#[cfg(feature = "ch07")]
fn children(process: u32) -> Option<Vec<u32>> {
    let path = format!("/proc/{process}/task/{process}/children");
    let text = fs::read_to_string(path).ok()?;
    Some(text.split_whitespace().filter_map(|word| word.parse().ok()).collect())
}

/// Whether a process still does something.
#[cfg(feature = "ch07")]
fn runs(process: u32) -> bool {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = text.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
    state.is_some_and(|state| state != 'Z' && state != 'X')
}

/// The program among the children of `sonc`: the one that is not `sonc` itself.
#[cfg(feature = "ch07")]
fn program(process: u32) -> Option<u32> {
    let sonc = fs::canonicalize(env!("CARGO_BIN_EXE_sonc")).expect("it is there");
    let is_other = |it: &u32| fs::read_link(format!("/proc/{it}/exe")).is_ok_and(|it| it != sonc);
    children(process)?.into_iter().find(is_other)
}

/// Whether this machine lists the children of processes, and executes what we compile.
#[cfg(feature = "ch07")]
fn runs_natively(sandbox: &Sandbox) -> bool {
    assert_eq!(sandbox.sonc(&["build", "answer.smp"]).status, Some(0));
    let executed = Command::new(sandbox.path("answer")).output();
    children(std::process::id()).is_some() && executed.is_ok()
}

#[cfg(feature = "ch07")]
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
        assert!(!left, "the program goes on when {signal} has ended sonc");
    }
}

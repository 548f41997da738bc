//! Terminals, closed pipes and full disks.
use crate::sandbox::{Done, Sandbox};
use sonc::this_chapter;
use std::fs::File;
use std::process::Stdio;

const PRINTING: &[(u32, &str)] = &[
    (1, "run answer.smp"),
    (1, "run answer.smp --emulate"),
    (1, "run answer.smp --stage firm"),
    (1, "ir answer.smp --stage elf"),
    (1, "dot answer.smp --stage sea"),
    (1, "build answer.smp -o -"),
    (2, "rules"),
    (4, "pbqp good.pbqp"),
];

fn check_each(check: impl Fn(&Sandbox, &[&str])) {
    let sandbox = Sandbox::new();
    for (_, line) in PRINTING.iter().filter(|(chapter, _)| *chapter <= this_chapter()) {
        check(&sandbox, &line.split(' ').collect::<Vec<_>>());
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    check_each(|sandbox, words| {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = sandbox.command(words).stdout(writer).stderr(Stdio::piped()).output();
        let done = Done::from(output.expect("sonc can be started"));
        assert_eq!((done.status, &done.err[..]), (Some(0), ""), "{words:?}");
    });
}

#[test]
fn closed_standard_error_is_ignored() {
    let sandbox = Sandbox::new();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = sandbox.command(&["run", "missing.smp"]).stderr(writer).output();
    assert_eq!(Done::from(output.expect("sonc can be started")).status, Some(1));
}

#[test]
fn a_full_disk_is_reported() {
    check_each(|sandbox, words| {
        let Ok(full) = File::options().write(true).open("/dev/full") else { return };
        let output = sandbox.command(words).stdout(full).stderr(Stdio::piped()).output();
        let done = Done::from(output.expect("sonc can be started"));
        assert_eq!(done.status, Some(1), "{words:?}: {done:?}");
        assert!(done.err.starts_with("error: ") && done.err.lines().count() == 1, "{done:?}");
    });
}

#[test]
fn only_terminals_get_colour() {
    let sandbox = Sandbox::new();
    sandbox.write("wrong.smp", b"return ?;");
    for words in [&["run", "wrong.smp"][..], &["walk"], &["--help"], &["ir", "answer.smp"]] {
        for refused in [None, Some(""), Some("1")] {
            let mut command = sandbox.command(words);
            command.env_remove("NO_COLOR");
            refused.map(|value| command.env("NO_COLOR", value));
            let done = Done::from(command.output().expect("sonc can be started"));
            assert!(!done.out.contains('\x1b') && !done.err.contains('\x1b'), "{done:?}");
        }
    }
}

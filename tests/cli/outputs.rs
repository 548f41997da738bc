//! Where things are written: as a whole or not at all, and never over the wrong file.
use crate::sandbox::Sandbox;
use sonc::this_chapter;
use std::fs;

#[test]
fn what_cannot_be_written_leaves_everything_as_it_was() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("folder")).expect("a folder");
    sandbox.write("folder/inside", b"inside");
    sandbox.write("old", b"old");
    sandbox.write("wrong.smp", b"return ?;");
    let before = sandbox.files();
    for (line, status, err) in [
        ("build answer.smp -o missing/out", 1, "cannot write `missing/out`"),
        ("build answer.smp -o folder", 1, "cannot write `folder`"),
        ("build answer.smp -o old/out", 1, "cannot write `old/out`"),
        ("dot answer.smp --stage sea -o missing/out", 1, "cannot write `missing/out`"),
        ("dot answer.smp --stage sea -o folder", 1, "cannot write `folder`"),
        ("dot answer.smp --stage all -o old", 1, "cannot write `old`"),
        ("run answer.smp --pictures old/pictures", 1, "cannot write `old/pictures`"),
        ("build wrong.smp -o old", 1, "wrong.smp:1:8"),
        ("build wrong.smp", 1, "wrong.smp:1:8"),
        ("build wrong.smp --emit asm -o old", 1, "wrong.smp:1:8"),
        ("build answer.smp -o answer.smp", 2, "is the input itself"),
        ("build answer.smp -o ./folder/../answer.smp", 2, "is the input itself"),
        ("dot answer.smp --stage sea -o answer.smp", 2, "is the input itself"),
        ("dot answer.smp --stage elf -o old", 2, "these can"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let done = sandbox.sonc(&words);
        assert_eq!((done.status, &done.out[..]), (Some(status), ""), "{line}: {done:?}");
        assert!(done.err.contains(err), "{line}: {done:?}");
        assert_eq!(sandbox.files(), before, "{line}");
    }
}

#[test]
fn a_program_without_extension_is_not_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.write("plain", b"return 42;");
    sandbox.write("plain.s", b"return 42;");
    let before = sandbox.files();
    for words in [&["build", "plain"][..], &["build", "plain.s", "--emit", "asm"]] {
        let done = sandbox.sonc(words);
        assert_eq!(done.status, Some(2), "{done:?}");
        assert!(done.err.contains("name another file with -o"), "{done:?}");
        assert_eq!(sandbox.files(), before);
    }
}

#[test]
fn only_what_was_asked_for_is_written() {
    let sandbox = Sandbox::new();
    let before = sandbox.files();
    for (line, file) in [
        ("build answer.smp -o out", "out"),
        ("build answer.smp --emit asm -o out.s", "out.s"),
        ("dot answer.smp --stage sea -o out.dot", "out.dot"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(sandbox.sonc(&words).status, Some(0), "{line}");
        fs::remove_file(sandbox.path(file)).expect("it was written");
        assert_eq!(sandbox.files(), before, "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let sandbox = Sandbox::new();
    sandbox.write("target", b"old");
    std::os::unix::fs::symlink("target", sandbox.path("link")).expect("a link");
    assert_eq!(sandbox.sonc(&["build", "answer.smp", "-o", "link"]).status, Some(0));
    assert!(fs::symlink_metadata(sandbox.path("link")).is_ok_and(|it| it.is_symlink()));
    assert!(fs::read(sandbox.path("target")).is_ok_and(|it| it.starts_with(b"\x7fELF")));
}

#[test]
fn what_is_no_file_is_written_to_and_not_replaced() {
    let sandbox = Sandbox::new();
    let pipe = "/proc/self/fd/1";
    if fs::metadata(pipe).is_err() {
        return;
    }
    let done = sandbox.sonc(&["build", "answer.smp", "-o", pipe]);
    assert_eq!((done.status, &done.err[..]), (Some(0), ""));
    assert!(done.out.starts_with("\u{7f}ELF"), "{done:?}");
}

#[test]
fn running_leaves_no_file_behind() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("temporary")).expect("a folder");
    let before = sandbox.files();
    for line in ["run answer.smp", "run --no-opt divide.smp --rules zeros.rules"] {
        let words: Vec<&str> = line.split(' ').collect();
        let done = sandbox.command(&words).env("TMPDIR", sandbox.path("temporary")).output();
        assert_ne!(done.expect("sonc can be started").status.code(), Some(101), "{line}");
        assert_eq!(sandbox.files(), before, "{line}");
    }
}

#[test]
fn where_nothing_can_be_executed_the_emulator_runs_it() {
    let sandbox = Sandbox::new();
    let run = |words: &[&str]| {
        let missing = sandbox.path("missing");
        sandbox.command(words).env("TMPDIR", missing).output().expect("sonc can be started")
    };
    assert_eq!(run(&["run", "answer.smp"]).stdout, b"42\n");
    if this_chapter() >= 2 {
        let output = run(&["run", "--no-opt", "divide.smp", "--rules", "zeros.rules"]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.starts_with("error: fault at simple"), "{errors}");
    }
}

#[test]
fn a_program_that_a_signal_ends_is_reported() {
    if this_chapter() < 2 {
        return;
    }
    let sandbox = Sandbox::new();
    let done = sandbox.sonc(&["run", "--no-opt", "divide.smp", "--rules", "zeros.rules"]);
    assert_eq!((done.status, &done.out[..]), (Some(1), ""), "{done:?}");
    let native = done.err.starts_with("error: the program was ended by signal: 8 (SIGFPE)");
    assert!(native || done.err.starts_with("error: fault at simple"), "{done:?}");
}

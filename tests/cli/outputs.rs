//! Output files: written as a whole or not at all, and never over the wrong file.
use crate::sandbox::{Sandbox, compiler};
use sonc::this_chapter;
use std::fs;

#[test]
fn a_failed_write_changes_nothing() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("folder")).expect("a folder");
    sandbox.write("folder/inside", b"inside");
    sandbox.write("old", b"old");
    sandbox.write("wrong.smp", b"return ?;");
    let before = sandbox.files();
    for (line, status, err) in [
        ("build answer.smp -o folder", 1, "cannot write `folder`"),
        ("build answer.smp -o old/out", 1, "cannot write `old/out`"),
        ("dot answer.smp --stage sea -o old/out", 1, "cannot write `old/out`"),
        ("dot answer.smp --stage sea -o folder", 1, "cannot write `folder`"),
        #[cfg(feature = "ch10")]
        ("dot answer.smp --stage all -o old", 1, "cannot write `old`"),
        #[cfg(feature = "ch10")]
        ("run answer.smp --pictures old/pictures", 1, "cannot write `old/pictures`"),
        ("build wrong.smp -o old", 1, "wrong.smp:1:8"),
        ("build wrong.smp", 1, "wrong.smp:1:8"),
        #[cfg(feature = "ch10")]
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
fn missing_folders_are_created() {
    const LINES: &[(u32, &str)] = &[
        (1, "build answer.smp -o a/b/out"),
        (1, "dot answer.smp --stage sea -o c/out"),
        (10, "build answer.smp --emit asm -o d/out"),
        (10, "dot answer.smp --stage all -o e/f"),
        (10, "run answer.smp --pictures g/h"),
        (9, "explore answer.smp -o i/j/out"),
        (19, "rules complete -o k/out"),
        (19, "rules check own.rules --dot l/out"),
        (25, "firm export answer.smp -o m/out"),
        (25, "firm generate minplus 3 -o n/out"),
        (25, "firm fold m/out --dot-steps o/p -o q/out"),
    ];
    let sandbox = Sandbox::new();
    for (_, line) in LINES.iter().filter(|(chapter, _)| *chapter <= this_chapter()) {
        let before = sandbox.files().len();
        let done = sandbox.sonc(&line.split(' ').collect::<Vec<_>>());
        assert!(!done.err.contains("cannot write"), "{line}: {done:?}");
        assert!(sandbox.files().len() > before, "{line}: {done:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_may_lead_to_a_missing_folder() {
    let sandbox = Sandbox::new();
    std::os::unix::fs::symlink("missing/target", sandbox.path("link")).expect("a link");
    assert_eq!(sandbox.sonc(&["build", "answer.smp", "-o", "link"]).status, Some(0));
    assert!(fs::read(sandbox.path("missing/target")).is_ok_and(|it| it.starts_with(b"\x7fELF")));
}

#[test]
fn a_program_without_extension_is_not_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.write("plain", b"return 42;");
    sandbox.write("plain.s", b"return 42;");
    let before = sandbox.files();
    for words in [
        &["build", "plain"][..],
        #[cfg(feature = "ch10")]
        &["build", "plain.s", "--emit", "asm"],
    ] {
        let done = sandbox.sonc(words);
        assert_eq!(done.status, Some(2), "{done:?}");
        assert!(done.err.contains("name another file with -o"), "{done:?}");
        assert_eq!(sandbox.files(), before);
    }
}

#[test]
fn only_the_requested_file_is_written() {
    let sandbox = Sandbox::new();
    let before = sandbox.files();
    for (line, file) in [
        ("build answer.smp -o out", "out"),
        #[cfg(feature = "ch10")]
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

/// Like any program that opens a file for writing.
#[cfg(unix)]
#[test]
fn a_dangling_link_names_the_file_that_is_written() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("folder")).expect("a folder");
    for (name, to) in [("link", "folder/second"), ("folder/second", "target")] {
        std::os::unix::fs::symlink(to, sandbox.path(name)).expect("a link");
    }
    let done = sandbox.sonc(&["build", "answer.smp", "-o", "link"]);
    assert_eq!((done.status, &done.err[..]), (Some(0), ""));
    for name in ["link", "folder/second"] {
        assert!(fs::symlink_metadata(sandbox.path(name)).is_ok_and(|it| it.is_symlink()));
    }
    assert!(fs::read(sandbox.path("folder/target")).is_ok_and(|it| it.starts_with(b"\x7fELF")));
}

#[cfg(unix)]
#[test]
fn a_cycle_of_links_is_an_error() {
    let sandbox = Sandbox::new();
    std::os::unix::fs::symlink("circle", sandbox.path("circle")).expect("a link");
    let done = sandbox.sonc(&["build", "answer.smp", "-o", "circle"]);
    assert_eq!(done.status, Some(1), "{done:?}");
    assert!(done.err.starts_with("error: cannot write `circle`"), "{done:?}");
    assert!(fs::symlink_metadata(sandbox.path("circle")).is_ok_and(|it| it.is_symlink()));
}

/// Other permissions stay; an executable is executable for all who may read it.
#[cfg(unix)]
#[test]
fn a_file_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    for (line, before, after) in [
        #[cfg(feature = "ch10")]
        ("build answer.smp --emit asm -o old", 0o640, 0o640),
        #[cfg(feature = "ch10")]
        ("build answer.smp --emit asm -o old", 0o666, 0o666),
        #[cfg(feature = "ch10")]
        ("build answer.smp --emit asm -o old", 0o400, 0o400),
        ("build answer.smp -o old", 0o600, 0o700),
        ("build answer.smp -o old", 0o751, 0o751),
    ] {
        let path = sandbox.path("old");
        let _ = fs::remove_file(&path);
        sandbox.write("old", b"old");
        fs::set_permissions(&path, fs::Permissions::from_mode(before)).expect("our own file");
        let opened = fs::OpenOptions::new().write(true).open(&path).is_ok();
        let done = sandbox.sonc(&line.split(' ').collect::<Vec<_>>());
        let mode = fs::metadata(&path).expect("it is there").permissions().mode() & 0o7777;
        if opened {
            assert_eq!((done.status, mode), (Some(0), after), "{before:o} {line}: {done:?}");
        } else {
            assert_eq!((done.status, mode), (Some(1), before), "{before:o} {line}: {done:?}");
        }
    }
}

/// A new file has the permissions of the umask.
#[cfg(unix)]
#[test]
fn a_new_file_has_the_default_mode() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    for (line, mask, mode) in [
        ("build answer.smp -o new", "077", 0o700),
        ("build answer.smp -o new", "022", 0o755),
        #[cfg(feature = "ch10")]
        ("build answer.smp --emit asm -o new", "077", 0o600),
        #[cfg(feature = "ch10")]
        ("build answer.smp --emit asm -o new", "002", 0o664),
    ] {
        let _ = fs::remove_file(sandbox.path("new"));
        let script = format!("umask {mask} && exec \"$0\" {line}");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script]).arg(compiler()).current_dir(sandbox.path(""));
        assert!(command.status().expect("a shell").success(), "{line}");
        let written = fs::metadata(sandbox.path("new")).expect("it is there");
        assert_eq!(written.permissions().mode() & 0o7777, mode, "{mask} {line}");
    }
}

#[test]
fn a_file_may_have_a_name_of_maximal_length() {
    let sandbox = Sandbox::new();
    let name = "n".repeat(255);
    for _ in 0..2 {
        let before = sandbox.files().len();
        let done = sandbox.sonc(&["build", "answer.smp", "-o", &name]);
        assert_eq!((done.status, &done.err[..]), (Some(0), ""));
        assert!(fs::read(sandbox.path(&name)).is_ok_and(|it| it.starts_with(b"\x7fELF")));
        assert!(sandbox.files().len() <= before + 1, "nothing else is written");
    }
}

/// The linker can do that, too: the running program keeps the old file.
#[cfg(unix)]
#[test]
fn a_running_program_can_be_replaced() {
    let sandbox = Sandbox::new();
    let sleep = ["/bin/sleep", "/usr/bin/sleep"].iter().find_map(|it| fs::read(it).ok());
    let Some(sleep) = sleep else { return };
    sandbox.write("sleeps", &sleep);
    use std::os::unix::fs::PermissionsExt;
    let path = sandbox.path("sleeps");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("our own file");
    let Ok(mut running) = std::process::Command::new(&path).arg("60").spawn() else { return };
    let done = sandbox.sonc(&["build", "answer.smp", "-o", "sleeps"]);
    let _ = running.kill();
    running.wait().expect("it is our child");
    assert_eq!((done.status, &done.err[..]), (Some(0), ""));
    assert!(fs::read(path).is_ok_and(|it| it.starts_with(b"\x7fELF\x01")));
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
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
fn a_program_killed_by_a_signal_is_reported() {
    if this_chapter() < 19 {
        return;
    }
    let sandbox = Sandbox::new();
    let done = sandbox.sonc(&["run", "--no-opt", "divide.smp", "--rules", "zeros.rules"]);
    assert_eq!((done.status, &done.out[..]), (Some(1), ""), "{done:?}");
    let native = done.err.starts_with("error: the program was ended by signal: 8 (SIGFPE)");
    assert!(native || done.err.starts_with("error: fault at simple"), "{done:?}");
}

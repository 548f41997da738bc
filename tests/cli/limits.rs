//! Commands under system limits: of file sizes and memory.
use crate::sandbox::{Done, Sandbox, compiler};
use std::process::{Command, Stdio};

/// A command under a limit of the shell, in the words of `ulimit`.
fn limited(sandbox: &Sandbox, limit: &str, words: &[&str]) -> Done {
    let script = format!("ulimit {limit} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(compiler()).args(words);
    command.current_dir(sandbox.path("")).stdin(Stdio::null());
    command.output().expect("a shell").into()
}

#[test]
fn a_file_that_becomes_too_large_is_reported_and_removed() {
    let sandbox = Sandbox::new();
    sandbox.write("old", b"old");
    let before = sandbox.files();
    for line in [
        "build answer.smp -o new",
        "build answer.smp -o old",
        #[cfg(feature = "ch10")]
        "build answer.smp --emit asm -o new",
        "dot answer.smp --stage sea -o old",
    ] {
        let done = limited(&sandbox, "-f 0", &line.split(' ').collect::<Vec<_>>());
        assert_eq!((done.status, &done.out[..]), (Some(1), ""), "{line}: {done:?}");
        assert!(done.err.starts_with("error: cannot write `"), "{line}: {done:?}");
        assert_eq!(sandbox.files(), before, "{line}");
    }
}

/// If no file can be written, no executable can be run.
#[test]
fn programs_that_cannot_be_executed_are_emulated() {
    let sandbox = Sandbox::new();
    let done = limited(&sandbox, "-f 0", &["run", "answer.smp"]);
    assert_eq!((done.status, &done.out[..], &done.err[..]), (Some(0), "42\n", ""));
    if sonc::this_chapter() >= 19 {
        let words = ["run", "--no-opt", "divide.smp", "--rules", "zeros.rules"];
        let done = limited(&sandbox, "-f 0", &words);
        assert_eq!(done.status, Some(1), "{done:?}");
        assert!(done.err.starts_with("error: fault at simple"), "{done:?}");
    }
}

/// 100 MB are less than the heap.
#[cfg(feature = "ch10")]
#[test]
fn a_heap_that_does_not_fit_is_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("object.smp", b"struct S { int x; } S s=new S; s.x=arg; return s;");
    assert_eq!(sandbox.sonc(&["build", "object.smp"]).status, Some(0));
    let command = |limit: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{limit} exec ./object 7")]).current_dir(sandbox.path(""));
        command.output().expect("a shell")
    };
    // Skipped if the host cannot run it.
    if command("").status.success() {
        let done = Done::from(command("ulimit -v 100000 &&"));
        assert_eq!((done.status, &done.err[..]), (Some(1), "sonc: out of memory\n"), "{done:?}");
    }
}

/// Each of the longest arrays is larger than the heap, and so are many short ones.
#[cfg(feature = "ch15")]
#[test]
fn arrays_that_do_not_fit_are_reported() {
    let sandbox = Sandbox::new();
    let loops =
        "int n = 0; int m = 0; while (n < 99) { m = m + (new int[arg])#; n = n + 1; } return m;";
    let full = [
        ("int[] a = new int[arg]; return a;", "67108864"),
        ("u8[] a = new u8[arg]; return a;", "268435456"),
        ("i16[] a = new i16[arg]; return a;", "134217728"),
        ("flt[] a = new flt[arg]; return a;", "67108864"),
        (loops, "9999999"),
    ];
    for (program, argument) in full {
        for how in [&[][..], &["--emulate"], &["--no-opt"]] {
            let words = [&["run", "-e", program, "--arg", argument], how].concat();
            let done = sandbox.sonc(&words);
            assert_eq!((done.status, &done.out[..]), (Some(1), ""), "{words:?}: {done:?}");
            assert!(done.err.starts_with("sonc: out of memory\n"), "{words:?}: {done:?}");
        }
    }
}

#[test]
fn an_infinite_file_is_reported() {
    const LINES: &[(u32, &str)] = &[
        (1, "ir /dev/zero"),
        (19, "rules list /dev/zero"),
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

//! Completions of shells, and pages for man.
use crate::sandbox::{Row, Sandbox, check, since};
use std::process::Command;

const fn prints(line: &'static str, out: &'static str) -> Row {
    Row { chapters: since(28), line, status: 0, out, err: "" }
}

#[test]
fn completions_and_pages_are_printed() {
    const ROWS: &[Row] = &[
        prints("generate completions bash", "--message-format"),
        prints("generate completions zsh", "#compdef sonc"),
        prints("generate completions fish", "complete -c sonc"),
        prints("generate man", "sonc\\-firm(1)"),
        Row { status: 2, err: "possible values: bash", ..prints("generate completions ed", "") },
        Row { status: 1, err: "cannot write", ..prints("generate man -o answer.smp", "") },
    ];
    check(&Sandbox::new(), ROWS);
}

#[test]
fn the_command_is_hidden() {
    let sandbox = Sandbox::new();
    for words in [&["--help"][..], &["generate", "man"]] {
        assert!(!sandbox.sonc(words).out.contains("installation"), "{words:?}");
    }
}

#[test]
fn every_command_has_a_page() {
    let sandbox = Sandbox::new();
    let done = sandbox.sonc(&["generate", "man", "-o", "share/man1"]);
    assert_eq!((done.status, &done.out[..], &done.err[..]), (Some(0), "", ""));
    for (name, part) in [
        ("sonc", "sonc\\-run(1)"),
        ("sonc-run", "\\-\\-arg"),
        ("sonc-firm", "sonc\\-firm\\-fold(1)"),
        ("sonc-firm-generate-exprtree", "SEED"),
    ] {
        let page = std::fs::read_to_string(sandbox.path("share/man1").join(format!("{name}.1")));
        assert!(page.expect("a page").contains(part), "{name}");
    }
    assert!(!sandbox.path("share/man1/sonc-generate.1").exists());
}

/// Skipped without a bash.
#[test]
fn bash_completes_words() {
    let sandbox = Sandbox::new();
    sandbox.write("sonc.bash", sandbox.sonc(&["generate", "completions", "bash"]).out.as_bytes());
    for (words, expected) in [
        (&["sonc", "ru"][..], "run rules\n"),
        (&["sonc", "run", "--emu"], "--emulate\n"),
        (&["sonc", "ir", "--stage", "all"], "allocated\n"),
        (&["sonc", "firm", "fo"], "fold\n"),
    ] {
        let [last, before] = [1, 2].map(|back| words[words.len() - back]);
        let script = format!(
            ". ./sonc.bash; COMP_WORDS=({}); COMP_CWORD={}; _sonc sonc '{last}' '{before}'; \
             echo \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            words.len() - 1,
        );
        let bash =
            Command::new("bash").args(["-c", &script]).current_dir(sandbox.path(".")).output();
        let Ok(done) = bash else { return };
        assert_eq!(String::from_utf8_lossy(&done.stdout), expected, "{words:?}: {done:?}");
    }
}

//! Invalid input of every kind, and invalid commands.
use crate::sandbox::{Row, Sandbox, check, since};
use sonc::this_chapter;

const fn refuses(chapter: u32, line: &'static str, status: i32, err: &'static str) -> Row {
    Row { chapters: since(chapter), line, status, out: "", err }
}

#[test]
fn invalid_commands_are_usage_errors() {
    const ROWS: &[Row] = &[
        refuses(1, "", 2, "Usage: sonc"),
        refuses(1, "walk answer.smp", 2, "unrecognized subcommand"),
        refuses(1, "run", 2, "<FILE>"),
        refuses(1, "run answer.smp sum.smp", 2, "unexpected argument"),
        refuses(1, "run answer.smp --stge firm", 2, "--stage"),
        refuses(1, "run answer.smp --stage frim", 2, "possible values: tokens, parsed, sea, "),
        refuses(1, "ir answer.smp --stage all", 2, "possible values: tokens"),
        refuses(1, "dot answer.smp", 2, "--stage"),
        refuses(1, "dot answer.smp --stage pictures", 2, "possible values: tokens"),
        refuses(1, "ir answer.smp --stage fim", 2, "a similar value exists: 'firm'"),
        refuses(1, "run answer.smp --arg seven", 2, "it is no integer from -2147483648 to"),
        refuses(1, "run answer.smp --arg", 2, "value is required"),
        refuses(
            1,
            "run answer.smp --arg 2147483648",
            2,
            "no integer from -2147483648 to 2147483647",
        ),
        refuses(
            1,
            "run answer.smp --arg -2147483649",
            2,
            "no integer from -2147483648 to 2147483647",
        ),
        refuses(2, "run answer.smp --cost weight", 2, "possible values: size, speed"),
        refuses(4, "run answer.smp --select best", 2, "possible values: greedy, pbqp"),
        refuses(10, "build answer.smp --emit poem", 2, "possible values: exe, asm"),
        refuses(2, "rules shuffle", 2, "possible values: list"),
        refuses(2, "run answer.smp --without luck", 2, "fold-constants"),
        refuses(11, "run answer.smp --without luck", 2, "congruent-phis"),
        refuses(2, "run sum.smp --without fold-constant", 2, "did you mean `fold-constants`?"),
        refuses(7, "run endless.smp --emulate --limit 1000", 1, "`--limit` allows more"),
        refuses(10, "watch -", 2, "only a file can be watched"),
        refuses(1, "run answer.smp --stage tokens", 2, "these can: parsed, sea, "),
        refuses(4, "run answer.smp --stage pbqp", 2, "these can: parsed, sea, "),
        refuses(1, "dot answer.smp --stage tokens", 2, "these can: parsed, sea"),
        refuses(1, "dot answer.smp --stage elf", 2, "these can: parsed, sea"),
        Row { chapters: (1, 3), ..refuses(1, "pbqp good.pbqp", 2, "unrecognized subcommand") },
        Row { chapters: (1, 3), ..refuses(1, "ir answer.smp --stage pbqp", 2, "possible values") },
        Row { chapters: (1, 1), ..refuses(1, "ir answer.smp --no-opt", 2, "unexpected argument") },
        Row {
            chapters: (1, 18),
            ..refuses(1, "ir answer.smp --rules a", 2, "unexpected argument")
        },
    ];
    check(&Sandbox::new(), ROWS);
}

#[test]
fn unreadable_files_are_reported_by_name() {
    const ROWS: &[Row] = &[
        refuses(1, "run missing.smp", 1, "cannot read `missing.smp`"),
        refuses(1, "ir .", 1, "cannot read `.`"),
        refuses(1, "build answer.smp/inside", 1, "cannot read `answer.smp/inside`"),
        refuses(19, "run answer.smp --rules missing.rules", 1, "cannot read `missing.rules`"),
        refuses(19, "rules list missing.rules", 1, "cannot read `missing.rules`"),
        refuses(4, "dot affine.smp --stage pbqp --select greedy", 2, "makes no PBQP"),
        refuses(4, "pbqp good.pbqp --budget 7", 2, "--exact"),
        refuses(4, "pbqp good.pbqp --exact --budget many", 2, "--budget"),
        refuses(4, "pbqp missing.pbqp", 1, "cannot read `missing.pbqp`"),
    ];
    check(&Sandbox::new(), ROWS);
}

#[test]
fn errors_in_rules_and_instances_are_reported_with_their_position() {
    const ROWS: &[Row] = &[
        refuses(19, "run answer.smp --rules broken.rules", 1, "broken.rules:1:20"),
        refuses(19, "rules list broken.rules", 1, "Konst"),
        refuses(19, "rules list garbled.rules", 1, "garbled.rules:1:"),
        refuses(19, "ir --rules garbled.rules answer.smp --stage firm", 1, "garbled.rules:1:"),
        refuses(19, "run --no-opt sum.smp --rules own.rules", 1, "no rule covers "),
        refuses(4, "pbqp broken.pbqp", 1, "broken.pbqp:3:3"),
        refuses(4, "pbqp answer.smp", 1, "answer.smp:1:1"),
        refuses(4, "pbqp astray.pbqp --no-propagation", 1, "no solution found: node 5 has no alt"),
    ];
    check(&Sandbox::new(), ROWS);
}

/// A text, the first chapter in which it is a program (`None` if it never is), and a part of the
/// error before.
type Text = (&'static [u8], Option<u32>, &'static str);

#[test]
fn invalid_programs_are_rejected() {
    const TEXTS: &[Text] = &[
        (b"", Some(3), "expected a statement"),
        (b"\n\n", Some(3), "expected a statement"),
        (b"return 42", None, "expected ;"),
        (b"return 2147483648;", None, "integer too large"),
        (b"return 99999999999999999999999999;", None, "integer too large"),
        (b"return 1\xff;", None, "is not UTF-8: line 1, byte 8"),
        (b"\n\n\xc3\x28", None, "is not UTF-8: line 3, byte 2"),
        (b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x03\0\x01\0\0\0\x90\x80", None, "UTF-8"),
        (b"\xef\xbb\xbf\xef\xbb\xbfreturn 1;", None, "test.smp:1:1"),
        (b"return 1;\x1b[31m", None, "test.smp:1:"),
        (b"return \xf0\x9f\x98\x80;", None, "test.smp:1:8"),
        (b"return ;", None, "expected"),
        (b"}", None, "}"),
    ];
    let sandbox = Sandbox::new();
    for (bytes, since, error) in TEXTS {
        sandbox.write("test.smp", bytes);
        for command in [&["run", "test.smp"][..], &["ir", "test.smp", "--stage", "elf"]] {
            let done = sandbox.sonc(command);
            let shown = format!("{:?}: {done:?}", String::from_utf8_lossy(bytes));
            assert!(!done.err.contains('\x1b'), "{shown}");
            if since.is_some_and(|since| this_chapter() >= since) {
                assert_eq!((done.status, &done.err[..]), (Some(0), ""), "{shown}");
            } else {
                assert_eq!((done.status, &done.out[..]), (Some(1), ""), "{shown}");
                assert!(done.err.contains(error), "{shown} should contain {error}");
            }
        }
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let sandbox = Sandbox::new();
    for (chapter, name, text, line) in [
        (1, "a.smp", "return 1;", "run a.smp"),
        (4, "a.pbqp", "pbqp 1 0\n1 5\n", "pbqp a.pbqp"),
        (26, "a.rv", "(func-1-inputs-1-outputs get-0)", "run a.rv --arg 1"),
        (27, "a.cfg", "function a -> b\nb = a\nreturn b\n", "ir a.cfg"),
    ] {
        sandbox.write(name, text.as_bytes());
        let expected = sandbox.sonc(&line.split(' ').collect::<Vec<_>>());
        sandbox.write(name, format!("\u{feff}{text}").as_bytes());
        let done = sandbox.sonc(&line.split(' ').collect::<Vec<_>>());
        assert!(chapter > this_chapter() || done == expected, "{line}: {done:?}, {expected:?}");
    }
    if this_chapter() >= 19 {
        let rules = std::fs::read(sandbox.path("own.rules")).expect("it is there");
        sandbox.write("own.rules", &[b"\xef\xbb\xbf", &rules[..]].concat());
        assert_eq!(sandbox.sonc(&["rules", "list", "own.rules"]).status, Some(0));
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_do_not_control_the_terminal() {
    let sandbox = Sandbox::new();
    sandbox.write("a\x1b[31m\n.smp", b"return ;");
    for words in [
        &["run", "a\x1b[31m\n.smp"][..],
        &["run", "b\x1b[31m\n.smp"],
        &["build", "answer.smp", "-o", "answer.smp/a\x1b\n"],
        #[cfg(feature = "ch25")]
        &["firm", "verify", "b\x1b[31m\n.smp"],
        #[cfg(feature = "ch25")]
        &["firm", "verify", "a\x1b[31m\n.smp"],
    ] {
        let done = sandbox.sonc(words);
        let raw = done.err.contains('\x1b') || done.err.lines().any(|it| it.starts_with(".smp"));
        assert!(done.status == Some(1) && !raw, "{words:?}: {done:?}");
        assert!(done.err.contains("\\u{1b}") && done.err.contains("\\n"), "{done:?}");
    }
}

#[cfg(feature = "ch25")]
#[test]
fn a_graph_is_no_program() {
    let sandbox = Sandbox::new();
    let made = sandbox.sonc(&["firm", "generate", "minplus", "3", "-o", "g.gxl"]);
    assert_eq!(made.status, Some(0), "{made:?}");
    for line in ["ir g.gxl", "run g.gxl", "dot g.gxl --stage sea", "firm export g.gxl"] {
        let done = sandbox.sonc(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((done.status, &done.out[..]), (Some(2), ""), "{line}: {done:?}");
        assert!(done.err.contains("is a graph: use `sonc firm ir`"), "{line}: {done:?}");
    }
}

#[cfg(feature = "ch19")]
#[test]
fn a_file_of_laws_is_reported_once() {
    let sandbox = Sandbox::new();
    let laws = concat!(env!("CARGO_MANIFEST_DIR"), "/src/peephole/peepholes.rules");
    let done = sandbox.sonc(&["rules", "check", laws]);
    assert_eq!((done.status, done.err.matches("Error:").count()), (Some(1), 1), "{done:?}");
    assert!(done.err.contains("this file contains no rules, but peepholes"), "{done:?}");
}

#[test]
fn bytes_of_value_zero_are_white_space() {
    let sandbox = Sandbox::new();
    sandbox.write("test.smp", b"return\0 42\0;\0\0");
    assert_eq!(sandbox.sonc(&["run", "test.smp"]).out, "42\n");
}

#[test]
fn long_texts_have_short_diagnostics() {
    let sandbox = Sandbox::new();
    let spaces = " ".repeat(10_000_000);
    for text in [format!("{spaces}?"), format!("?{spaces}"), "7".repeat(1_000_000)] {
        sandbox.write("test.smp", text.as_bytes());
        let done = sandbox.sonc(&["run", "test.smp"]);
        assert_eq!(done.status, Some(1), "{}", text.len());
        assert!(done.err.contains("test.smp:1:") && done.err.len() < 4000, "{}", done.err.len());
    }
    sandbox.write("test.smp", format!("{spaces}return 42;{spaces}").as_bytes());
    assert_eq!(sandbox.sonc(&["run", "test.smp"]).out, "42\n");
    sandbox.write("test.smp", spaces.as_bytes());
    let expected = if this_chapter() < 3 { Some(1) } else { Some(0) };
    assert_eq!(sandbox.sonc(&["run", "test.smp"]).status, expected);
}

#[test]
fn thousands_of_errors_are_reported_fast_and_briefly() {
    if this_chapter() < 3 {
        return;
    }
    let sandbox = Sandbox::new();
    let known = (0..20_000).map(|at| format!("int known{at}=1;\n"));
    let unknown = (0..20_000).map(|at| format!("unknown{at}=1;\n"));
    sandbox.write("test.smp", known.chain(unknown).collect::<String>().as_bytes());
    let done = sandbox.sonc(&["run", "test.smp"]);
    assert_eq!((done.status, done.err.matches("Undefined name").count()), (Some(1), 20));
}

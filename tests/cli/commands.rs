//! Every command with every option.
use crate::sandbox::{Row, Sandbox, check, since};
use sonc::this_chapter;

const fn prints(chapter: u32, line: &'static str, out: &'static str) -> Row {
    Row { chapters: since(chapter), line, status: 0, out, err: "" }
}

#[test]
fn run_prints_the_result() {
    const ROWS: &[Row] = &[
        prints(1, "run answer.smp", "42\n"),
        prints(1, "run answer.smp --emulate", "42\n"),
        prints(1, "run --emulate answer.smp --arg -1", "42\n"),
        prints(2, "run sum.smp --no-opt", "7\n"),
        prints(2, "run sum.smp --without fold-constants", "7\n"),
        prints(4, "run arg.smp", "0\n"),
        prints(4, "run arg.smp --arg -1", "-1\n"),
        prints(4, "run arg.smp --arg=-7", "-7\n"),
        prints(4, "run --arg 2147483647 arg.smp", "2147483647\n"),
        prints(4, "run --arg -2147483648 arg.smp", "-2147483648\n"),
        prints(4, "run --emulate --arg -2147483648 arg.smp", "-2147483648\n"),
        prints(4, "run affine.smp --arg 3 --select greedy --cost size --emulate", "18\n"),
        prints(4, "run --select pbqp --cost speed affine.smp --arg 3", "18\n"),
        prints(19, "run answer.smp --rules own.rules", "42\n"),
        Row { err: "total", ..prints(1, "run answer.smp --time", "42\n") },
        Row { err: "digraph", ..prints(3, "run named.smp", "11\n") },
    ];
    check(&Sandbox::new(), ROWS);
}

#[test]
fn run_evaluates_stages() {
    const ROWS: &[Row] = &[
        prints(1, "run answer.smp --stage parsed", "42\n"),
        prints(1, "run answer.smp --stage sea", "42\n"),
        prints(1, "run answer.smp --stage firm", "42\n"),
        prints(1, "run answer.smp --stage selected", "42\n"),
        prints(1, "run answer.smp --stage allocated", "42\n"),
        prints(1, "run answer.smp --stage bytes", "42\n"),
        prints(1, "run answer.smp --stage elf", "42\n"),
        prints(4, "run --stage sea arg.smp --arg -2147483648", "-2147483648\n"),
        prints(4, "run --stage firm affine.smp --arg 2", "15\n"),
        prints(4, "run --stage selected affine.smp --arg 2", "15\n"),
        prints(4, "run --stage allocated affine.smp --arg 2", "15\n"),
        prints(4, "run --stage bytes affine.smp --arg 2", "15\n"),
        prints(4, "run --stage elf affine.smp --arg 2", "15\n"),
        Row { err: "parsed", ..prints(1, "run answer.smp --stage firm --time", "42\n") },
    ];
    check(&Sandbox::new(), ROWS);
}

#[test]
fn explore_writes_a_page() {
    const ROWS: &[Row] = &[
        prints(9, "explore affine.smp --arg 2", "15 for the argument 2\nall stages: affine.html"),
        prints(9, "explore affine.smp -o page.html", "all stages: page.html\n"),
        prints(26, "explore difference.rv --arg 7 --arg 2", "5 for the arguments 7 2\n"),
        Row { status: 2, err: "one `--arg`", ..prints(9, "explore arg.smp --arg 1 --arg 2", "") },
        Row { status: 2, err: "the input", ..prints(9, "explore arg.smp -o arg.smp", "") },
        Row { status: 1, err: "cannot write", ..prints(9, "explore arg.smp -o arg.smp/p", "") },
    ];
    let sandbox = Sandbox::new();
    check(&sandbox, ROWS);
    if this_chapter() >= 9 {
        let page = std::fs::read_to_string(sandbox.path("page.html")).expect("a page");
        assert!(page.starts_with("<!doctype html>") && page.contains("id=\"stages\""));
    }
}

#[test]
fn ir_prints_stages() {
    const ROWS: &[Row] = &[
        prints(1, "ir answer.smp", "return 42;\n"),
        prints(1, "ir answer.smp --stage tokens", "0 Return"),
        prints(1, "ir answer.smp --stage parsed", "return 42;\n"),
        prints(1, "ir answer.smp --long", "[[ "),
        prints(26, "ir difference.rv --stage region --long", ": - n0.0 n0.1\n"),
        prints(1, "ir --stage firm answer.smp", "Const 42"),
        prints(1, "ir --stage selected answer.smp", "0x2a"),
        prints(1, "ir --stage allocated answer.smp", "mov eax,0x2a"),
        prints(1, "ir --stage bytes answer.smp", "b8 2a 00 00 00"),
        prints(1, "ir --stage elf answer.smp", "_start"),
        prints(2, "ir sum.smp", "return 7;\n"),
        prints(2, "ir --no-opt sum.smp", "return (1+(2*3));\n"),
        prints(2, "ir --without fold-constants sum.smp", "return (1+(2*3));\n"),
        Row { err: "fold-constants: (2*3)", ..prints(2, "ir --trace sum.smp", "return 7;\n") },
        prints(3, "ir named.smp --stage parsed", "digraph"),
        prints(3, "ir named.smp --stage parsed", "}\nreturn 11;\n"),
        prints(4, "ir affine.smp", "return ((arg*3)+9);\n"),
        prints(4, "ir affine.smp --arg -3", "return 0;\n"),
        prints(4, "ir affine.smp --stage pbqp", "lea"),
        prints(4, "ir affine.smp --stage selected --select greedy", "lea"),
        prints(
            9,
            "ir affine.smp --without add-constants --without add-sort --without like-terms",
            "+5)+4);\n",
        ),
        Row {
            err: "congruent-phis: Phi(Loop,0,",
            ..prints(11, "ir twins.smp --trace", "return 0;\n")
        },
        prints(11, "ir twins.smp --without congruent-phis", "-Phi"),
        Row {
            err: "if-conversion: 11 nodes in 5 blocks → 8 nodes in 2 blocks\n",
            ..prints(29, "ir choice.smp --stage lowered --trace", "Mux")
        },
    ];
    check(&Sandbox::new(), ROWS);
}

#[test]
fn dot_draws_stages() {
    const ROWS: &[Row] = &[
        prints(1, "dot answer.smp --stage parsed", "digraph"),
        prints(1, "dot answer.smp --stage sea", "digraph"),
        prints(3, "dot --stage firm answer.smp", "Const 42"),
        prints(2, "dot --stage allocated answer.smp", "digraph"),
        prints(1, "dot --stage sea answer.smp -o -", "digraph"),
        prints(1, "dot --stage sea answer.smp --svg", "<svg "),
        prints(3, "dot --stage shown named.smp", "digraph"),
        prints(3, "dot --stage shown answer.smp", ""),
        prints(4, "dot --stage pbqp affine.smp", "<TABLE"),
    ];
    check(&Sandbox::new(), ROWS);
}

#[test]
fn the_name_of_a_file_chooses_the_language_of_its_picture() {
    let sandbox = Sandbox::new();
    for (words, start) in [
        (&["dot", "answer.smp", "--stage", "sea", "-o", "a.svg"][..], "<svg "),
        (&["dot", "answer.smp", "--stage", "sea", "-o", "a.dot"], "digraph"),
        (&["dot", "answer.smp", "--stage", "sea", "--svg", "-o", "a.txt"], "<svg "),
        #[cfg(feature = "ch25")]
        (&["firm", "generate", "minplus", "3", "-o", "a.gxl"], "<?xml"),
        #[cfg(feature = "ch25")]
        (&["firm", "dot", "a.gxl", "-o", "b.svg"], "<svg "),
    ] {
        let done = sandbox.sonc(words);
        assert_eq!(done.status, Some(0), "{words:?}: {done:?}");
        let file = words.last().expect("its name");
        let text = std::fs::read_to_string(sandbox.path(file)).expect("a picture");
        assert!(text.starts_with(start), "{words:?}: {text}");
    }
}

#[test]
fn programs_are_read_from_standard_input() {
    let sandbox = Sandbox::new();
    for (chapter, line, out) in [
        (1, "run -", "42\n"),
        (1, "ir - --stage parsed", "return 42;\n"),
        (1, "dot - --stage sea", "digraph"),
        (1, "build -", ""),
        (9, "explore -", "42 for the argument 0\nall stages: stdin.html\n"),
        (25, "firm export -", "<?xml"),
    ] {
        let program = std::fs::File::open(sandbox.path("answer.smp")).expect("it is there");
        let mut command = sandbox.command(&line.split(' ').collect::<Vec<_>>());
        let done = command.stdin(program).output().expect("sonc can be started");
        let text = String::from_utf8_lossy(&done.stdout);
        let is_right = done.status.success() && text.starts_with(out);
        assert!(chapter > this_chapter() || is_right, "{line}: {done:?}");
    }
    assert!(std::fs::read(sandbox.path("stdin")).is_ok_and(|it| it.starts_with(b"\x7fELF")));
}

#[test]
fn programs_are_read_from_the_command_line() {
    let sandbox = Sandbox::new();
    for (chapter, words, status, out, err) in [
        (1, &["run", "-e", "return 42;"][..], 0, "42\n", ""),
        (4, &["run", "-e", "return arg+1;", "--arg", "-3"], 0, "-2\n", ""),
        (1, &["ir", "-e", "return 42;", "--stage", "parsed"], 0, "return 42;\n", ""),
        (1, &["dot", "--stage", "sea", "-e", "return 42;"], 0, "digraph", ""),
        (1, &["build", "-e", "return 42;"], 0, "", ""),
        (9, &["explore", "-ereturn 42;"], 0, "42 for the argument 0\nall stages: program.html", ""),
        (28, &["check", "-e", "return 42;"], 0, "", ""),
        (1, &["run", "-e", "return ;"], 1, "", "<command line>:1:8"),
        (28, &["check", "-e", "return ;"], 1, "", "<command line>:1:8"),
        (1, &["run", "answer.smp", "-e", "return 42;"], 2, "", "cannot be used with"),
        (1, &["run", "-e"], 2, "", "a value is required"),
        (10, &["watch", "-e", "return 42;"], 2, "", "only a file can be watched"),
    ] {
        let done = sandbox.sonc(words);
        let is_right =
            done.status == Some(status) && done.out.starts_with(out) && done.err.contains(err);
        assert!(chapter > this_chapter() || is_right, "{words:?}: {done:?}");
    }
    assert!(std::fs::read(sandbox.path("program")).is_ok_and(|it| it.starts_with(b"\x7fELF")));
}

#[cfg(feature = "ch10")]
#[test]
fn dot_draws_all_stages_into_a_folder() {
    for (words, extension, option) in [
        (&["dot", "answer.smp", "--stage", "all"][..], "dot", None),
        (&["dot", "--stage", "all", "-o", "answer.dots", "answer.smp"], "dot", None),
        (
            &["dot", "answer.smp", "--stage", "all", "--svg", "-o", "answer.dots"],
            "svg",
            Some("--svg"),
        ),
        (&["run", "answer.smp", "--pictures", "answer.dots"], "svg", Some("--svg")),
    ] {
        let sandbox = Sandbox::new();
        let done = sandbox.sonc(words);
        assert_eq!(done.status, Some(0), "{done:?}");
        assert!(done.err.starts_with("pictures of ") && done.err.contains("answer.dots"));
        for stage in ["parsed", "sea", "firm", "allocated"] {
            let path = sandbox.path("answer.dots").join(format!("{stage}.{extension}"));
            let text = std::fs::read_to_string(path).expect("a picture");
            let start = if extension == "dot" { "digraph" } else { "<svg " };
            assert!(text.starts_with(start), "{words:?}: {text}");
            let words = ["dot", "answer.smp", "--stage", stage].into_iter().chain(option);
            assert_eq!(text, sandbox.sonc(&words.collect::<Vec<_>>()).out);
        }
    }
}

#[test]
fn build_writes_an_executable() {
    for (output, words) in [
        ("answer", &["build", "answer.smp"][..]),
        ("out.bin", &["build", "answer.smp", "-o", "out.bin"]),
        ("out.bin", &["build", "-o", "out.bin", "answer.smp"]),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("out.bin", b"old");
        let done = sandbox.sonc(words);
        assert_eq!((done.status, &done.out[..], &done.err[..]), (Some(0), "", ""), "{words:?}");
        let path = sandbox.path(output);
        let bytes = std::fs::read(&path).expect("an executable");
        assert!(bytes.starts_with(b"\x7fELF"), "{words:?}");
        let printed = sandbox.command(&["build", "answer.smp", "-o", "-"]).output();
        assert_eq!(printed.expect("sonc can be started").stdout, bytes);
        // Skipped if the host cannot run it.
        if let Ok(output) = std::process::Command::new(&path).args(["1", "2"]).output() {
            assert_eq!(output.stdout, b"42\n42\n", "{words:?}");
        }
    }
}

#[cfg(feature = "ch10")]
#[test]
fn build_writes_assembly() {
    const ROWS: &[Row] = &[
        prints(10, "build answer.smp --emit asm -o -", "mov eax,0x2a"),
        prints(10, "build --emit asm answer.smp", ""),
    ];
    let sandbox = Sandbox::new();
    check(&sandbox, ROWS);
    let text = std::fs::read_to_string(sandbox.path("answer.s")).expect("assembly");
    assert_eq!(text, sandbox.sonc(&["build", "answer.smp", "--emit", "asm", "-o", "-"]).out);
}

#[test]
fn rules_are_listed() {
    const ROWS: &[Row] = &[
        prints(2, "rules", "mov-constant"),
        prints(2, "rules list", "rule return: Return:Is"),
        prints(19, "rules list own.rules", "give "),
        prints(2, "rules", "fold-constants"),
        prints(4, "rules", "Add(x, 0) => x"),
    ];
    let sandbox = Sandbox::new();
    check(&sandbox, ROWS);
    assert!(!sandbox.sonc(&["rules", "list", "own.rules"]).out.contains("mov-constant"));
}

#[test]
fn pbqp_solves_instances() {
    const ROWS: &[Row] = &[
        prints(4, "pbqp good.pbqp", "cost 3\n0 0\n1 0\n"),
        prints(4, "pbqp --exact good.pbqp", "cost 3\n0 0\n1 0\n"),
        prints(4, "pbqp good.pbqp --stats", "optimal\n"),
        prints(4, "pbqp good.pbqp --trace", "R1 "),
        prints(4, "pbqp good.pbqp --dot", "digraph"),
        Row { err: "solve ", ..prints(4, "pbqp good.pbqp --time", "cost 3\n0 0\n1 0\n") },
        prints(4, "pbqp good.pbqp --stats", "2 of 2 nodes without a heuristic choice\noptimal\n"),
        prints(4, "pbqp good.pbqp --no-propagation", "cost 3\n0 0\n1 0\n"),
        prints(4, "pbqp astray.pbqp --stats", "7 of 7 nodes without a heuristic choice\noptimal\n"),
        prints(4, "pbqp astray.pbqp --trace", "pruned 4 alternative 0\nR0 4 takes 1\n"),
        prints(4, "pbqp astray.pbqp --no-propagation --exact", "cost 520\n"),
        prints(4, "pbqp five.pbqp --no-search --exact --stats", "optimal\n"),
        Row {
            err: "not proven optimal, but at least 23: 0 steps of search were not enough",
            ..prints(4, "pbqp five.pbqp --no-search --exact --budget 0", "cost 33\n")
        },
        Row {
            status: 1,
            err: "no solution found, and no proof that there is none: 0 steps",
            ..prints(4, "pbqp astray.pbqp --no-propagation --exact --budget 0", "")
        },
        prints(4, "pbqp five.pbqp --exact --budget 10000", "cost 33\n"),
        prints(4, "pbqp triangle.pbqp", "cost 0\n0 1\n1 0\n"),
        Row { status: 1, err: "infeasible", ..prints(4, "pbqp impossible.pbqp", "") },
        Row { status: 1, err: "infeasible", ..prints(4, "pbqp impossible.pbqp --exact", "") },
    ];
    check(&Sandbox::new(), ROWS);
}

#[test]
fn help_and_version_are_printed() {
    const ROWS: &[Row] = &[
        prints(1, "--help", "Usage: sonc"),
        prints(1, "run --help", "[possible values: tokens, parsed, sea, "),
        prints(10, "dot --help", "elf, all, shown]"),
        prints(1, "--version", "sonc "),
    ];
    check(&Sandbox::new(), ROWS);
}

#[test]
fn empty_output_of_a_stage_is_empty() {
    let sandbox = Sandbox::new();
    sandbox.write("empty.smp", b" // nothing\n");
    let done = sandbox.sonc(&["ir", "empty.smp", "--stage", "tokens"]);
    assert_eq!((done.status, &done.out[..], &done.err[..]), (Some(0), "", ""));
    let done = sandbox.sonc(&["ir", "empty.smp"]);
    let expected = if this_chapter() < 3 { (Some(1), "") } else { (Some(0), "return 0;\n") };
    assert_eq!((done.status, &done.out[..]), expected);
}

//! Tests of the gradings and of their checks.
use super::*;

const TEXT: &str = "# A\nexercise 1: compiler\nshown run -e 'return 7%3;' prints 1\n\
                    hidden run a.smp fails with 'a' is never read\nhidden cases except b c\n\n\
                    exercise 4: answer d.smp e.smp\nhidden ir d.smp --stage firm lacks Phi\n\
                    person is it the shortest?\n";

#[test]
fn a_file_has_checks_for_exercises() {
    let found = parse(TEXT).expect("two exercises");
    let [first, second] = &found[..] else { panic!("{found:?}") };
    assert_eq!((first.number, &first.subject), (1, &Subject::Compiler));
    assert_eq!(first.shown[0].words, ["run", "-e", "return 7%3;"]);
    assert_eq!(first.shown[0].line(), "run -e 'return 7%3;' prints 1");
    assert_eq!(first.hidden[0].expectation, Expectation::Fails("'a' is never read".to_string()));
    assert_eq!(first.cases, Some(vec!["b".to_string(), "c".to_string()]));
    let files = ["d.smp", "e.smp"].map(String::from).to_vec();
    assert_eq!(second.subject, Subject::Answers(files));
    assert_eq!(second.hidden[0].expectation, Expectation::Lacks("Phi".to_string()));
    assert_eq!((&second.cases, second.questions.len()), (&None, 1));
}

#[test]
fn a_malformed_file_is_refused_with_its_line() {
    let check = |text: &str, expected: &str| {
        let reason = parse(text).expect_err(text);
        assert!(reason.contains(expected), "{text}: {reason}");
    };
    check("shown run a prints 1\n", "1: no exercise before");
    check("exercise 1: nothing\n", "1: `exercise 1: nothing`: no exercise");
    check("exercise 1: compiler\n", "exercise 1 has no check");
    check("exercise 1: compiler\nshown run a\n", "2: `run a`: `prints`");
    check("exercise 1: compiler\nshown run 'a prints 1\n", "no command");
    check("exercise 1: compiler\nseen run a prints 1\n", "a line is `shown`");
    check(
        "exercise 2: compiler\nshown a prints 1\nexercise 1: compiler\nshown a prints 1\n",
        "3: exercise 1 is out of order",
    );
}

#[test]
fn the_first_lines_of_a_program_are_checks() {
    let lines = |text: &str, own, chapter| -> Vec<String> {
        case("a.smp", text, own, chapter).iter().map(Check::line).collect()
    };
    let text = "// 0 -> 1\n// 7 -> -2\n// 8 -> never\n// show: sea\nreturn 1;\n// 9 -> 9\n";
    assert_eq!(lines(text, 1, 2), ["run a.smp prints 1", "run a.smp --arg 7 prints -2"]);
    assert_eq!(lines("// until: ch04\n// 0 -> 1\n", 1, 3), ["run a.smp prints 1"]);
    assert!(lines("// until: ch04\n// 0 -> 1\n", 1, 4).is_empty());
    assert_eq!(lines("// error: b\n", 2, 2), ["run a.smp fails with b"]);
    assert!(lines("// error: b\n", 2, 3).is_empty());
    assert_eq!(lines("// error always: b\n", 2, 3), ["run a.smp fails with b"]);
}

/// `sh` replaces the compiler.
#[cfg(unix)]
#[test]
fn outputs_are_compared() {
    let run = |line: &str| {
        let check = Check::parse(line).expect(line);
        check.run(Path::new("sh"), Path::new("."))
    };
    let passes = |line: &str| assert_eq!(run(line), Ok(()), "{line}");
    let fails = |line: &str, expected: &str| {
        let reason = run(line).expect_err(line);
        assert!(reason.contains(expected), "{line}: {reason}");
    };
    passes("-c 'echo 12' prints 12");
    passes("-c 'echo 12' shows 2");
    passes("-c 'echo 12' lacks 3");
    passes("-c 'echo no >&2; exit 1' fails with no");
    fails("-c 'echo 12' prints 1", "expected `1`, found `12`");
    fails("-c 'echo 12' shows 3", "`3` is not in the output");
    fails("-c 'echo 12' lacks 2", "`2` is in the output");
    fails("-c 'echo 12; exit 1' prints 12", "failed");
    fails("-c 'echo no >&2; exit 1' fails with yes", "expected the message `yes`, found `no`");
    fails("-c 'echo no' fails with no", "expected an error");
    fails("-c 'echo no >&2; exit 101' fails with no", "ended without a diagnostic");
    // A long output fills the pipe.
    fails("-c 'yes | head -n 999999' prints y", "expected `y`, found `y`");
}

//! Executed instructions by lines.
use crate::sandbox::{Done, Row, Sandbox, check, since};
use expect_test::expect;

const fn row(line: &'static str, status: i32, out: &'static str, err: &'static str) -> Row {
    Row { chapters: since(28), line, status, out, err }
}

#[test]
fn counts_follow_the_result() {
    const ROWS: &[Row] = &[
        row("run answer.smp --count", 0, "42\n", "in simple"),
        row("run difference.rv --count --arg 5 --arg 3", 0, "2\n", "in simple"),
        row("run endless.smp --count --limit 1000", 1, "", "more than 1000 instructions"),
        row("run answer.smp --count --stage sea", 2, "", "cannot be used with"),
        row("run missing.smp --count", 1, "", "cannot read `missing.smp`"),
        row("run wrong.smp --count", 1, "", "wrong.smp:1:8"),
        row("run answer.smp --count --target tr", 2, "", "selected"),
        row("run answer.smp --beside answer.c", 2, "", "--count"),
        row("run answer.smp --count --beside missing.c", 1, "", "cannot read `missing.c`"),
        row("run answer.smp --count --beside answer.c --int 64", 2, "", "`int` of 32 bits"),
    ];
    let sandbox = Sandbox::new();
    sandbox.write("wrong.smp", b"return x;");
    sandbox.write("answer.c", b"int simple(int arg) { return 42; }");
    sandbox.write("endless.smp", b"while (1) arg = arg + 1; return 1;");
    check(&sandbox, ROWS);
}

#[test]
fn each_line_has_its_instructions() {
    let sandbox = Sandbox::new();
    let program = "int sum = 0;\nint i = 0;\nwhile (i < arg) {\n  sum = sum + i * i;\n\n  \
                   i = i + 1;\n}\nreturn sum;\n";
    let done = sandbox.sonc(&["run", "-e", program, "--arg", "10", "--count"]);
    assert_eq!((done.status, done.out.as_str()), (Some(0), "285\n"));
    // An expected text loses the blanks that all of its lines begin with.
    expect![[r#"
        counts
                   3  int sum = 0;
                      int i = 0;
                  22  while (i < arg) {
                  30    sum = sum + i * i;

                  10    i = i + 1;
                      }
                   2  return sum;
                   2  of no line
                  98  in _start
                  69  in simple
    "#]]
    .assert_eq(&format!("counts\n{}", done.err));
}

/// The sum of all lines is the number of instructions in the functions of the program.
#[test]
fn no_instruction_is_lost() {
    let sandbox = Sandbox::new();
    let program = "struct P { int x; flt y; }\nP p = new P;\nint i = 0;\nwhile (i < arg) {\n\
                   p.x = p.x + i / 3;\n  p.y = p.y * 0.5 + p.x;\n  i = i + 1;\n}\nreturn p;";
    let done = sandbox.sonc(&["run", "-e", program, "--arg", "20", "--count"]);
    let number = |line: &str| line.trim_start().split(' ').next().and_then(|it| it.parse().ok());
    let (functions, lines): (Vec<&str>, Vec<&str>) =
        done.err.lines().partition(|line| line.contains("  in "));
    let sum: u64 = lines.into_iter().filter_map(number).sum::<u64>();
    let own = functions.iter().find(|it| it.ends_with("in simple")).and_then(|it| number(it));
    assert_eq!(own, Some(sum), "{}", done.err);
}

/// `.ci/tools` compares with a gcc that is installed.
#[test]
fn a_missing_gcc_is_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("answer.c", b"int simple(int arg) { return 42; }");
    let mut command = sandbox.command(&["run", "answer.smp", "--count", "--beside", "answer.c"]);
    let output = command.env("PATH", "").output().expect("sonc can be started");
    let done = Done::from(output);
    let reason = "error: `answer.c` has no code to compare with: `gcc` is not installed\n";
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (Some(1), "", reason));
}

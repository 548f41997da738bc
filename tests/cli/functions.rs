//! Programs of functions: parts of stages, and calls that need no stack.
use crate::sandbox::{Row, Sandbox, check, since};

const fn row(line: &'static str, status: i32, out: &'static str, err: &'static str) -> Row {
    Row { chapters: since(18), line, status, out, err }
}

const EVEN: &str = "val even = { int n -> n ? odd(n - 1) : 1; };\n\
                    val odd = { int n -> n ? even(n - 1) : 0; };\n\
                    return even(arg);\n";

#[test]
fn a_stage_is_printed_for_one_function() {
    const ROWS: &[Row] = &[
        row("ir fib.smp --stage firm --function fib", 0, "function fib: 1 -> 1\nStartBlock:", ""),
        Row {
            chapters: since(25),
            ..row("ir fib.smp --stage lowered --function fib", 0, "function fib: 1 -> 1\n", "")
        },
        row("ir fib.smp --stage blocks --function fib", 0, "b2 from b0:\n", ""),
        row("ir fib.smp --stage blocks --function simple", 0, "b0:\n  n0: { fib}", ""),
        row("ir fib.smp --stage pbqp --function fib", 0, "Call", ""),
        row("ir fib.smp --stage selected --function fib", 0, "fib:\n", ""),
        row("ir fib.smp --stage allocated --function fib", 0, "call fib\n", ""),
        row("ir fib.smp --stage allocated --function simple", 0, "simple:\n", ""),
        row("ir fib.smp --stage bytes --function fib", 0, "fib:\n", ""),
        row("ir fib.smp --stage firm --function fob", 2, "", "did you mean `fib`?"),
        row("ir fib.smp --stage firm --function fob", 2, "", "there are simple, fib"),
        row("ir fib.smp --stage sea --function fib", 2, "", "these can: blocks, firm"),
        row("ir fib.smp --function fib", 2, "", "--stage"),
        row("ir wrong.smp --stage firm --function fib", 1, "", "wrong.smp:1:8"),
    ];
    let sandbox = Sandbox::new();
    let fib = "val fib = { int n -> n < 2 ? n : fib(n - 1) + fib(n - 2); };\nreturn fib(arg);\n";
    sandbox.write("fib.smp", fib.as_bytes());
    sandbox.write("wrong.smp", b"return x;");
    check(&sandbox, ROWS);
}

#[test]
fn tail_calls_need_no_stack() {
    let count = "val count = { int n, int sum -> n ? count(n - 1, sum + 1) : sum; };\n\
                 return count(arg, 0) == arg;\n";
    let [no_copies, no_loops] = [["--without", "inline"], ["--without", "tail-calls"]];
    let sandbox = Sandbox::new();
    for program in [EVEN, count] {
        for options in [&[][..], &no_copies, &[no_copies, no_loops].concat(), &["--no-opt"]] {
            for more in [&["10000000"][..], &["1000000", "--emulate", "--limit", "100000000"]] {
                let line = [&["run", "-e", program][..], options, &["--arg"], more].concat();
                let done = sandbox.sonc(&line);
                assert_eq!((done.out.as_str(), done.err.as_str()), ("1\n", ""), "{line:?}");
            }
        }
    }
}

/// The results of a long chain of functions are not guessed.
#[test]
fn results_that_take_too_many_parses_are_an_error() {
    const ROWS: &[Row] = &[
        row("run 90.smp --arg 2", 0, "97.0\n", ""),
        row("run 200.smp --arg 2", 1, "", "[E10] Error: The results of too many functions"),
        row("run 200.smp --arg 2", 1, "", "declare a function before those that call it"),
        row("run sorted.smp --arg 2", 0, "207.0\n", ""),
    ];
    let sandbox = Sandbox::new();
    let call = |number: usize| format!("val g{number} = {{ int n -> g{}(n) + 1; }};", number + 1);
    let last = |number: usize| format!("val g{number} = {{ int n -> n * 3.5; }};");
    let program = |lines: &[String]| [lines, &["return g0(arg);".to_string()]].concat().join("\n");
    for length in [90, 200] {
        let mut lines: Vec<_> = (0..length).map(call).chain([last(length)]).collect();
        sandbox.write(&format!("{length}.smp"), program(&lines).as_bytes());
        lines.reverse();
        sandbox.write("sorted.smp", program(&lines).as_bytes());
    }
    check(&sandbox, ROWS);
}

//! Several configurations side by side.
use crate::sandbox::{Done, Row, Sandbox, check, since};
use expect_test::expect;

const fn row(line: &'static str, status: i32, out: &'static str, err: &'static str) -> Row {
    Row { chapters: since(28), line, status, out, err }
}

#[test]
fn wrong_comparisons_are_refused() {
    const ROWS: &[Row] = &[
        row("compare answer.smp", 2, "", "needs `--with OPTIONS`"),
        row("compare answer.smp --with foo", 2, "", "in `--with 'foo'`: unexpected argument"),
        row("compare answer.smp --with select=no", 2, "", "in `--with 'select=no'`: invalid value"),
        row("compare answer.smp --with target=tr", 2, "", "selected"),
        row("compare answer.smp --with without=none", 2, "", "no rule `none`"),
        row("compare missing.smp --with no-opt", 1, "", "cannot read `missing.smp`"),
        row("compare answer.smp --with no-opt --page answer.smp", 2, "", "is the input itself"),
        row(
            "compare answer.smp --with no-opt --with cost=size --with place=early --page p.html",
            2,
            "",
            "a page shows two configurations",
        ),
        row("compare wrong.smp --with no-opt", 1, "", "wrong.smp:1:8"),
    ];
    let sandbox = Sandbox::new();
    sandbox.write("wrong.smp", b"return x;");
    check(&sandbox, ROWS);
}

#[test]
fn numbers_and_texts_stand_side_by_side() {
    let sandbox = Sandbox::new();
    let words =
        ["--arg", "5", "--with", "no-opt", "--with", "select=greedy", "--with", "cost=size"];
    let program = ["compare", "-e", "return arg * 2 + arg;"];
    let done = sandbox.sonc(&[&program[..], &words, &["--stage", "sea"]].concat());
    assert_eq!((done.status, done.err.as_str()), (Some(0), ""));
    expect![[r#"
                               no-opt  select=greedy  cost=size
        lines of sea                8              7          7
        lines of firm               9              8          8
        lines of lowered            9              8          8
        lines of allocated          3              3          3
        bytes of code               8              8          8
        executed instructions       3              3          3
        result                     15             15         15

          no-opt                   select=greedy      cost=size
          return ((arg*2)+arg);  * return (arg*3);  * return (arg*3);
    "#]]
    .assert_eq(&done.out);
}

/// A configuration alone is compared with the standard one.
#[test]
fn the_standard_configuration_is_the_first() {
    let sandbox = Sandbox::new();
    let program =
        "int[] a = new int[9]; int i = 0; while (i < 9) { a[i] = i; i = i + 1; } return a[3];";
    let words = ["compare", "-e", program, "--arg", "7", "--with", "without=bounds-checks"];
    let done = sandbox.sonc(&words);
    assert_eq!((done.status, done.err.as_str()), (Some(0), ""));
    expect![[r#"
                               standard  without=bounds-checks
        lines of sea                 23                     28
        lines of firm                38                     48
        lines of lowered             35                     43
        lines of allocated           14                     23
        bytes of code                42                     59
        executed instructions        43                     61
        result                        3                      3
    "#]]
    .assert_eq(&done.out);
}

#[test]
fn standard_input_is_read_once() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["compare", "-", "--with", "no-opt", "--arg", "5"]);
    let file = std::fs::File::open(sandbox.path("affine.smp")).expect("it is there");
    let done = Done::from(command.stdin(file).output().expect("sonc can be started"));
    let result = done.out.lines().last().unwrap_or_default();
    assert_eq!(result.split_whitespace().collect::<Vec<_>>(), ["result", "24", "24"], "{done:?}");
}

/// `.ci/tools` opens such a page in a browser.
#[test]
fn a_page_has_the_numbers_and_the_stages_of_both() {
    let sandbox = Sandbox::new();
    let words = ["compare", "affine.smp", "--with", "no-opt", "--with", "cost=size"];
    let done = sandbox.sonc(&[&words[..], &["--arg", "5", "--page", "page.html"]].concat());
    assert_eq!((done.status, done.err.as_str()), (Some(0), ""));
    assert!(done.out.starts_with("both configurations: page.html\n"), "{}", done.out);
    let page = std::fs::read_to_string(sandbox.path("page.html")).expect("it was written");
    assert!(page.contains("\"columns\":[\"no-opt\",\"cost=size\"]"));
    assert!(page.contains("[\"result\",[\"24\",\"24\"]]"));
    assert!(page.contains("<title>affine: cost=size beside no-opt"));
}

//! `--target`: another machine, its rules and its stages.
use crate::sandbox::{Row, Sandbox, check, since};

const fn row(line: &'static str, status: i32, out: &'static str, err: &'static str) -> Row {
    Row { chapters: since(19), line, status, out, err }
}

const fn prints(line: &'static str, out: &'static str) -> Row {
    row(line, 0, out, "")
}

const fn refuses(line: &'static str, status: i32, err: &'static str) -> Row {
    row(line, status, "", err)
}

#[test]
fn an_abstract_machine_has_instructions() {
    const ROWS: &[Row] = &[
        prints("run affine.smp --target tr --arg 3", "18\n"),
        prints("run affine.smp --target tr --arg 3 --select greedy --cost size", "18\n"),
        prints("run affine.smp --target tr --arg 2 --stage firm", "15\n"),
        prints("run affine.smp --target tr --arg 2 --stage selected", "15\n"),
        prints("run --target ia32 affine.smp --arg 3", "18\n"),
        prints("run --target ia32 affine.smp --arg 3 --emulate", "18\n"),
        row("run answer.smp --target tr --time", 0, "42\n", "selected"),
        prints("ir affine.smp --target tr", "return ((arg*3)+9);\n"),
        prints("ir affine.smp --target tr --stage selected", "    muli v1,v0,3\n"),
        prints("ir affine.smp --target tr --stage selected --long", "    addi v2,v1,9\n"),
        prints("ir affine.smp --target tr --stage pbqp", "add-immediate"),
        prints("ir affine.smp --target ia32 --stage selected", "lea"),
        prints("dot affine.smp --target tr --stage selected", "muli v1,v0,3"),
        prints("dot affine.smp --target tr --stage pbqp", "mul-immediate"),
        row("dot affine.smp --target tr --stage all", 0, "", "affine.dots"),
        row("run affine.smp --target tr --pictures all", 0, "9\n", "pictures of "),
    ];
    check(&Sandbox::new(), ROWS);
}

#[test]
fn an_abstract_machine_has_no_executable() {
    const ROWS: &[Row] = &[
        refuses("run affine.smp --target tr --stage elf", 2, "there is no `elf`"),
        refuses("run affine.smp --target tr --stage allocated", 2, "last stage is `selected`"),
        refuses("run affine.smp --target tr --emulate", 2, "`tr` is an abstract machine"),
        refuses("ir affine.smp --target tr --stage bytes", 2, "there is no `bytes`"),
        refuses("dot affine.smp --target tr --stage allocated", 2, "there is no `allocated`"),
        refuses("build affine.smp --target tr", 2, "there is no `elf`"),
        refuses("build affine.smp --target tr --emit asm", 2, "`tr` is an abstract machine"),
        refuses("run affine.smp --target vax", 2, "possible values: ia32, tr"),
        refuses("run affine.smp --target", 2, "value is required"),
        refuses("rules list --target vax", 2, "possible values: ia32, tr"),
        refuses("run affine.smp --target tr --stage tokens", 2, "these can: parsed, sea, "),
    ];
    let sandbox = Sandbox::new();
    let files = sandbox.files();
    check(&sandbox, ROWS);
    assert_eq!(sandbox.files(), files, "a rejected input leaves no output");
}

#[test]
fn rules_are_those_of_the_target() {
    const ROWS: &[Row] = &[
        prints("rules list --target tr", "rule add-immediate: Add:Is(x, Const c) => addi d, x, c;"),
        prints("rules check --target tr", " rules compute what they say"),
        prints("rules --target tr", "fold-constants"),
        prints("rules list --target ia32", "lea/both"),
        prints("rules list tr.rules --target tr", "give"),
        prints("run answer.smp --rules tr.rules --target tr", "42\n"),
        prints("ir answer.smp --rules tr.rules --target tr --stage selected", "    copy v1,v0\n"),
        refuses("run answer.smp --rules tr.rules", 1, "there is no ia32 instruction `const`"),
        refuses("run answer.smp --rules own.rules --target tr", 1, "no tr instruction `mov`"),
        refuses("rules list own.rules --target tr", 1, "there is no tr register `eax`"),
        refuses("run arg.smp --rules tr.rules --target tr", 1, "no rule covers Argument:Is"),
        refuses("run answer.smp --rules broken.rules --target tr", 1, "broken.rules:1:20"),
        refuses("run answer.smp --rules missing.rules --target tr", 1, "cannot read"),
        refuses("run wrong.smp --target tr", 1, "wrong.smp:1:8"),
    ];
    let sandbox = Sandbox::new();
    sandbox.write("wrong.smp", b"return x;");
    sandbox.write(
        "tr.rules",
        b"rule give: Const c:Is => const t, c; copy d, t; cycles 2\n\
          rule end: Return:Is(m, x) => return x; cycles 1\n",
    );
    check(&sandbox, ROWS);
    let listed = sandbox.sonc(&["rules", "list", "--target", "tr"]).out;
    assert!(!listed.contains("lea "), "{listed}");
}

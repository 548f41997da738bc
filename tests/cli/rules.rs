//! Sets of rules: checked, drawn if incomplete, and completed.
use crate::sandbox::{Row, Sandbox, check, since};
use std::path::Path;

const fn row(line: &'static str, status: i32, out: &'static str, err: &'static str) -> Row {
    Row { chapters: since(19), line, status, out, err }
}

/// A file of the chapter about rule sets.
fn of_chapter(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters/19-rule-sets/rules");
    std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The chapter's rules, and rules for operators that the language got later: a set is complete for
/// the language of its chapter. The line numbers stay.
fn rules_of_chapter(sandbox: &Sandbox, name: &str) -> String {
    let text = String::from_utf8(of_chapter(name)).expect("rules are text");
    let mut more = String::new();
    for line in sandbox.sonc(&["rules"]).out.lines() {
        let rule = line.find("rule ").map_or("", |at| &line[at..]);
        let operation = rule.split([' ', '(']).nth(2).unwrap_or_default();
        let takes_any = ["(x) =>", "(x, y) =>", "(x in eax, y) =>", "(x, y in ecx) =>"]
            .iter()
            .any(|it| rule.contains(it));
        let is_float = operation == "Conv:Is";
        if takes_any
            && operation.ends_with(":Is")
            && !is_float
            && !text.contains(&format!(" {operation}("))
        {
            more += &format!("{rule} ");
        }
    }
    text.replacen("rule return:", &format!("{more}rule return:"), 1)
}

/// A folder with the chapter's rules, and some that lack rules for operations.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["not-composable.rules", "composable.rules"] {
        sandbox.write(name, rules_of_chapter(&sandbox, name).as_bytes());
    }
    sandbox.write("products.smp", &of_chapter("products.smp"));
    let text = rules_of_chapter(&sandbox, "composable.rules");
    sandbox.write("no-sub.rules", without(&text, "rule sub:").as_bytes());
    let guarded = text.replace("Const c:Is =>", "Const c:Is if imm8(c) =>");
    sandbox.write("guarded.rules", guarded.as_bytes());
    sandbox.write("wrong.rules", text.replace("sub x, y;", "sub y, x;").as_bytes());
    sandbox.write("few.rules", b"rule sum: Add:Is(x, y) => add x, y; cycles 1\n");
    sandbox
}

fn without(text: &str, begin: &str) -> String {
    let kept = text.lines().filter(|line| !line.starts_with(begin));
    kept.map(|line| format!("{line}\n")).collect()
}

#[test]
fn missing_patterns_are_reported_with_their_position() {
    const ROWS: &[Row] = &[
        row("rules check", 0, "complete and composable: ", ""),
        row("rules check composable.rules", 0, "complete and composable: ", ""),
        row("rules check not-composable.rules", 1, "", "no rule for Add:Is(x, Mul:Is(y, z))"),
        row("rules check not-composable.rules", 1, "", "not-composable.rules:25:24"),
        row("rules check not-composable.rules", 1, "", "`sum-minus` computes this"),
        row("rules check no-sub.rules", 1, "", "no rule for every Sub:Is(x, y)"),
        row("rules check no-sub.rules", 1, "", "this one does not always match"),
        row("rules check guarded.rules", 1, "", "no rule for every Const c:Is"),
        row("rules check guarded.rules", 1, "", "guarded.rules:5:6"),
        row("rules check few.rules", 1, "", "no rule for every Return:Is(m, x)"),
        row("rules check wrong.rules", 1, "", "rule `sub` does not compute its pattern"),
        row("rules check wrong.rules", 1, "", "for x = 1, y = 0: this is -1 and should be 1"),
        row("rules check broken.rules", 1, "", "broken.rules:1:20"),
        row("rules check missing.rules", 1, "", "cannot read `missing.rules`"),
    ];
    let sandbox = sandbox();
    check(&sandbox, ROWS);
    let listed = sandbox.sonc(&["rules", "list", "composable.rules"]).out.lines().count();
    let checked = sandbox.sonc(&["rules", "check", "composable.rules"]).out;
    assert!(checked.contains(&format!(": {listed} rules")), "{checked}");
}

#[test]
fn a_set_that_is_not_composable_is_rejected_and_completed() {
    const ROWS: &[Row] = &[
        row(
            "run products.smp --rules not-composable.rules --select heuristic \
             --without sub-sum-right --without like-terms",
            1,
            "",
            "no rule covers",
        ),
        row(
            "run products.smp --rules composable.rules --select heuristic --arg 3",
            0,
            "20593664\n",
            "",
        ),
        row("run products.smp --arg 3", 0, "20593664\n", ""),
        row("rules complete not-composable.rules", 0, "imul-then-add", ""),
        row("rules complete no-sub.rules", 1, "", "an atomic pattern cannot be generated"),
        row("rules complete broken.rules -o out", 1, "", "broken.rules:1:20"),
        row("rules complete no-sub.rules -o out", 1, "", "no rule for every Sub:Is(x, y)"),
        row("rules smt", 0, "(set-logic QF_BV)\n", ""),
        row("rules smt few.rules", 2, "", "is about the built-in rules"),
        row("rules complete few.rules -o few.rules", 2, "", "is the input itself"),
        row("rules check few.rules --dot few.rules", 2, "", "is the input itself"),
        row("rules check few.rules -o out", 2, "", "only `rules complete` writes"),
        row("rules list few.rules -o out", 2, "", "only `rules complete` writes"),
        row("rules complete few.rules --dot out", 2, "", "only `rules check` draws"),
    ];
    let sandbox = sandbox();
    let before = sandbox.files();
    check(&sandbox, ROWS);
    assert_eq!(sandbox.files(), before);
    let printed = |name: &str| sandbox.sonc(&["rules", "complete", name]).out;
    let completed = rules_of_chapter(&sandbox, "composable.rules");
    assert_eq!(printed("not-composable.rules"), completed);
    assert_eq!(printed("composable.rules"), completed, "the set is complete");
    let words = ["rules", "complete", "not-composable.rules", "-o", "composable.rules"];
    assert_eq!(sandbox.sonc(&words).status, Some(0));
    assert_eq!(sandbox.files(), before, "the file equals the printed text");
}

#[test]
fn missing_patterns_are_drawn() {
    let sandbox = sandbox();
    for (rules, status, parts) in [
        ("not-composable.rules", 1, &["Add:Is", "Mul:Is", "a part of sum-minus"][..]),
        ("no-sub.rules", 1, &["Sub:Is", "an operation"]),
        ("composable.rules", 0, &["nothing is missing"]),
    ] {
        let done = sandbox.sonc(&["rules", "check", rules, "--dot", "missing.dot"]);
        assert_eq!(done.status, Some(status), "{done:?}");
        let dot = std::fs::read_to_string(sandbox.path("missing.dot")).expect("a picture");
        for part in parts.iter().chain(&["digraph"]) {
            assert!(dot.contains(part), "{part} in {dot}");
        }
    }
}

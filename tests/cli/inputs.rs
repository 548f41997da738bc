//! No command overwrites its input, under any name.
use crate::sandbox::Sandbox;
use sonc::this_chapter;
use std::fs;

/// The first chapter with the command, the command, and its output path.
const COMMANDS: &[(u32, &str, &str)] = &[
    (1, "build answer.smp -o OUT", "answer.smp"),
    (10, "build answer.smp --emit asm -o OUT", "answer.smp"),
    (19, "build answer.smp --rules own.rules -o OUT", "own.rules"),
    (19, "build answer.smp --rules own.rules --emit asm -o OUT", "own.rules"),
    (1, "dot answer.smp --stage sea -o OUT", "answer.smp"),
    (19, "dot answer.smp --rules own.rules --stage sea -o OUT", "own.rules"),
    (3, "dot named.smp --stage shown -o OUT", "named.smp"),
    (10, "dot sea.dot --stage all -o .", "sea.dot"),
    (19, "dot answer.smp --rules sea.dot --stage all -o .", "sea.dot"),
    (10, "dot sea.svg --stage all --svg -o .", "sea.svg"),
    (10, "run sea.svg --pictures .", "sea.svg"),
    (19, "run answer.smp --rules sea.svg --pictures .", "sea.svg"),
    (19, "rules complete own.rules -o OUT", "own.rules"),
    (19, "rules check own.rules --dot OUT", "own.rules"),
    (25, "firm export answer.smp -o OUT", "answer.smp"),
    (25, "firm copy good.gxl -o OUT", "good.gxl"),
    (25, "firm fold good.gxl -o OUT", "good.gxl"),
    (25, "firm fold 0001-merge-constants.dot --dot-steps . --stats", "0001-merge-constants.dot"),
    (25, "firm select good.gxl -o OUT", "good.gxl"),
    (25, "firm select good.gxl --rules tr.rules -o OUT", "tr.rules"),
    (25, "firm pbqp good.gxl -o OUT", "good.gxl"),
    (25, "firm pbqp good.gxl --rules tr.rules -o OUT", "tr.rules"),
    (25, "firm ir good.gxl -o OUT", "good.gxl"),
    (25, "firm dot good.gxl -o OUT", "good.gxl"),
];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    if this_chapter() >= 25 {
        let made = sandbox.sonc(&["firm", "generate", "minplus", "3", "-o", "good.gxl"]);
        assert_eq!(made.status, Some(0), "{made:?}");
        fs::copy(sandbox.path("good.gxl"), sandbox.path("0001-merge-constants.dot"))
            .expect("a copy");
        let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/src/ttc/ttc.rules");
        fs::copy(rules, sandbox.path("tr.rules")).expect("a copy");
    }
    sandbox
}

/// `sea.dot` and `sea.svg` are programs if the line compiles them, else sets of rules.
fn give_sea(sandbox: &Sandbox, line: &str) {
    let from = if line.contains("--rules sea") { "own.rules" } else { "answer.smp" };
    for name in ["sea.dot", "sea.svg"] {
        let _ = fs::remove_file(sandbox.path(name));
        fs::copy(sandbox.path(from), sandbox.path(name)).expect("a copy");
    }
}

fn check(name: &dyn Fn(&Sandbox, &str) -> String) {
    let sandbox = sandbox();
    for (_, line, input) in COMMANDS.iter().filter(|row| row.0 <= this_chapter()) {
        give_sea(&sandbox, line);
        let output = if line.contains("OUT") { name(&sandbox, input) } else { (*input).into() };
        let before = sandbox.files();
        let line = line.replace("OUT", &output);
        let done = sandbox.sonc(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((done.status, &done.out[..]), (Some(2), ""), "{line}: {done:?}");
        assert!(done.err.contains("is the input itself"), "{line}: {done:?}");
        assert!(sandbox.files() == before, "{line}");
    }
}

#[test]
fn an_input_is_not_overwritten() {
    check(&|_, input| input.to_string());
}

#[test]
fn an_input_is_not_overwritten_under_a_longer_name() {
    check(&|sandbox, input| sandbox.path(".").join(input).display().to_string());
}

#[cfg(unix)]
#[test]
fn an_input_is_not_overwritten_through_a_symbolic_link() {
    check(&|sandbox, input| {
        let _ = fs::remove_file(sandbox.path("link"));
        std::os::unix::fs::symlink(input, sandbox.path("link")).expect("a link");
        "link".to_string()
    });
}

#[cfg(unix)]
#[test]
fn an_input_is_not_overwritten_through_a_hard_link() {
    check(&|sandbox, input| {
        let _ = fs::remove_file(sandbox.path("twin"));
        fs::hard_link(sandbox.path(input), sandbox.path("twin")).expect("a link");
        "twin".to_string()
    });
}

/// A folder of pictures may contain the program, unless a picture has its name.
#[cfg(feature = "ch10")]
#[test]
fn a_program_may_be_in_the_folder_of_its_pictures() {
    let sandbox = sandbox();
    for line in ["dot answer.smp --stage all -o .", "run answer.smp --pictures ."] {
        let done = sandbox.sonc(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(done.status, Some(0), "{line}: {done:?}");
        assert_eq!(fs::read(sandbox.path("answer.smp")).expect("it is there"), b"return 42;");
    }
}

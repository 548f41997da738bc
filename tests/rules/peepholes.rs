//! Peepholes: each alone rewrites its example as stated, keeps its result, and fires in some
//! program of the book.
use crate::cases::cases;
use crate::check::Check;
use crate::configuration::Configuration;
use sonc::{Artifact, Halt, Peephole, Source, Stage, StageObserver, Termination, peepholes};
use std::collections::BTreeSet;

/// The sea as one line, its results, and the rules that fired.
#[derive(Default)]
struct Seen {
    line: String,
    values: Vec<Termination>,
    check: Check,
}

const ARGUMENTS: [i64; 12] =
    [0, 1, -1, 2, -2, 7, 127, -128, 65_536, 715_827_883, i32::MAX as i64, i32::MIN as i64];

impl StageObserver for Seen {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.check.stage_done(stage, artifact)?;
        if stage == Stage::Sea {
            self.line = artifact.print();
            let outcomes = ARGUMENTS.iter().filter_map(|&argument| artifact.eval(argument));
            self.values = outcomes.map(|outcome| outcome.end).collect();
            return Err(Halt::Stopped(stage));
        }
        Ok(())
    }

    fn rewrite(&mut self, step: &sonc::Rewrite) {
        self.check.rewrite(step);
    }
}

/// Parses the example of a rule, an expression or a program, with only the peepholes `on`.
fn read(shown: &str, on: &[&str]) -> Seen {
    let program = shown.ends_with(';');
    let text = if program { shown.into() } else { format!("return {shown};") };
    let source = Source { name: "shown".into(), text };
    let off = peepholes().map(|rule| rule.name).filter(|name| !on.contains(name));
    let configuration = Configuration {
        without: off.map(String::from).collect(),
        trace: true,
        ..Configuration::standard()
    };
    let mut seen = Seen::default();
    match configuration.compile(&source, &mut seen) {
        Err(Halt::Stopped(Stage::Sea)) => seen,
        other => panic!("{shown}: {other:?}"),
    }
}

fn check_each(check: impl Fn(&Peephole)) {
    peepholes().for_each(check);
}

#[test]
fn names_are_unique() {
    super::check_names(peepholes().map(|rule| rule.name));
}

#[test]
fn each_rewrites_its_example_alone() {
    check_each(|rule| {
        let (before, after) = (read(rule.example.0, &[rule.name]), read(rule.example.1, &[]));
        assert!(before.check.fired.contains(&rule.name), "{} does not fire", rule.name);
        assert_eq!(before.line, after.line, "{}", rule.name);
        assert!(before.check.failures.is_empty(), "{}: {:?}", rule.name, before.check.failures);
    });
}

#[test]
fn each_keeps_the_result() {
    check_each(|rule| {
        let (before, after) = (read(rule.example.0, &[]), read(rule.example.1, &[]));
        assert_eq!(before.values.len(), ARGUMENTS.len());
        assert_eq!(before.values, after.values, "{}", rule.name);
    });
}

/// Programs in which one rewrite undoes the order of another: a pair of terms is sorted while
/// others are not, an expression is in a sum and in a product, or a known value is never computed.
#[cfg(feature = "ch04")]
#[test]
fn rewriting_ends_whichever_rules_are_on() {
    let programs: [(&str, &[&str]); _] = [
        ("int t = 1 + arg; return t * 2 + t;", &["add-order"]),
        ("int f = 0 + arg; arg = f + f + f; return arg;", &["add-order"]),
        #[cfg(feature = "ch05")]
        ("int n = 0; if (arg) n = arg; if (arg) arg = -arg; return arg + n + arg;", &[]),
        #[cfg(feature = "ch08")]
        ("int i = 0; while (1) if (i) break; while (0) if (0 == i) {} return i;", &["phi-trivial"]),
        #[cfg(feature = "ch08")]
        ("int o = 0; int r = arg; while (r) if (0 == o) break;", &["dead-control"]),
        #[cfg(feature = "ch08")]
        (
            "while (1) { int e = arg; int i = 0; while (e) if (i) {} else break; } return 0;",
            &["dead-control"],
        ),
    ];
    for (program, off) in programs {
        let on: Vec<_> = peepholes().map(|rule| rule.name).filter(|it| !off.contains(it)).collect();
        for on in [&on[..], &[]] {
            let seen = read(program, on);
            assert!(seen.check.failures.is_empty(), "{program}: {:?}", seen.check.failures);
        }
    }
}

#[test]
fn each_fires_in_a_program_of_the_book() {
    let mut fired = BTreeSet::new();
    for case in cases() {
        let mut check = Check::default();
        // Rules may have fired before the program was rejected.
        let configuration = Configuration { trace: true, ..Configuration::standard() };
        let _ = configuration.compile(&case.source, &mut check);
        fired.extend(check.fired);
    }
    check_each(|rule| assert!(fired.contains(rule.name), "{} fires in no case", rule.name));
}

//! Whether a program is accepted, and the messages if it is not, do not depend on rewrites: they
//! are equal with all of them, without any, and without each one. No accepted program accesses a
//! field of null at any stage of the sea.
//!
//! The programs have references, floats, dead code, and tests of null in forms that no rule
//! simplifies. `PROGRAMS=20000 cargo test --test agree acceptance` tests that many.
mod generate;

use super::configuration::{Configuration, rules};
use super::programs;
use sonc::{Artifact, Halt, Source, Stage, StageObserver, Termination};

/// The number of programs in a short run.
const PROGRAMS: u64 = 150;

const ARGUMENTS: [i64; 4] = [0, 1, -1, 7];

/// Runs the stages of the sea.
#[derive(Default)]
struct Faults(Vec<String>);

impl StageObserver for Faults {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let name = stage.name();
        self.0.extend(artifact.verify().iter().map(|it| format!("{name}: {}", it.invariant)));
        for argument in ARGUMENTS {
            let end = artifact.eval(argument).map(|outcome| outcome.end);
            if let Some(Termination::Fault { reason, .. }) = end {
                self.0.push(format!("{name}({argument}): {reason}"));
            }
        }
        if stage == Stage::Blocks { Err(Halt::Stopped(stage)) } else { Ok(()) }
    }
}

/// The messages about a program; none if it is accepted.
fn messages(text: &str, configuration: &Configuration) -> Vec<String> {
    let source = Source { name: "generated".into(), text: text.to_string() };
    let mut faults = Faults::default();
    match sonc::compile(&source, configuration.options(rules()), &mut faults) {
        Err(Halt::Stopped(_)) => {
            assert!(faults.0.is_empty(), "{configuration:?}\n{text}\n{:?}", faults.0);
            Vec::new()
        }
        Err(Halt::Errors(errors)) => errors.into_iter().map(|it| it.message).collect(),
        other => panic!("{:?}\n{text}", other.map(|_| ())),
    }
}

/// All rewrites, none, and all but one.
fn configurations() -> Vec<Configuration> {
    let without = sonc::peepholes().map(|it| vec![it.name.to_string()]);
    let without = without.map(|without| Configuration { without, ..Configuration::standard() });
    let none = Configuration { optimize: false, ..Configuration::standard() };
    [Configuration::standard(), none].into_iter().chain(without).collect()
}

#[test]
fn acceptance_does_not_depend_on_rewrites() {
    let configurations = configurations();
    let (count, mut accepted, mut refused_for_null) = (programs(PROGRAMS), 0, 0);
    for seed in 0..count {
        let text = generate::program(seed);
        let expected = messages(&text, &configurations[0]);
        for configuration in &configurations[1..] {
            let found = messages(&text, configuration);
            assert_eq!(found, expected, "seed {seed}, {configuration:?}\n{text}");
        }
        accepted += u64::from(expected.is_empty());
        let is_about_null = |it: &String| it.starts_with("Might be null");
        refused_for_null += u64::from(expected.iter().any(is_about_null));
    }
    println!("{accepted} of {count} accepted, {refused_for_null} refused for null");
    assert!(accepted * 5 > count && refused_for_null * 5 > count);
}

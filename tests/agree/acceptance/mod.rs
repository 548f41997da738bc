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

/// Runs the stages of the sea, up to the last one.
struct Faults {
    last: Stage,
    found: Vec<String>,
}

impl StageObserver for Faults {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let name = stage.name();
        self.found.extend(artifact.verify().iter().map(|it| format!("{name}: {}", it.invariant)));
        for argument in ARGUMENTS {
            let end = artifact.eval(argument).map(|outcome| outcome.end);
            if let Some(Termination::Fault { reason, .. }) = end {
                self.found.push(format!("{name}({argument}): {reason}"));
            }
        }
        if stage == self.last { Err(Halt::Stopped(stage)) } else { Ok(()) }
    }
}

/// The messages about a program; none if it is accepted. Then its stages are run.
fn messages(text: &str, configuration: &Configuration, last: Stage) -> Vec<String> {
    let source = Source { name: "generated".into(), text: text.to_string() };
    let mut faults = Faults { last, found: Vec::new() };
    match sonc::compile(&source, configuration.options(rules()), &mut faults) {
        Err(Halt::Stopped(_)) => {
            let found = faults.found;
            assert!(found.is_empty(), "{configuration:?}\n{text}\n{found:?}");
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
        let expected = messages(&text, &configurations[0], Stage::Blocks);
        for (at, configuration) in configurations.iter().enumerate().skip(1) {
            // All stages without any rewrite, and without one of them in turn.
            let is_complete = at == 1 || seed as usize % configurations.len() == at;
            let last = if is_complete { Stage::Blocks } else { Stage::Parsed };
            let found = messages(&text, configuration, last);
            assert_eq!(found, expected, "seed {seed}, {configuration:?}\n{text}");
        }
        accepted += u64::from(expected.is_empty());
        let is_about_null = |it: &String| it.starts_with("Might be null");
        refused_for_null += u64::from(expected.iter().any(is_about_null));
    }
    println!("{accepted} of {count} accepted, {refused_for_null} refused for null");
    assert!(accepted * 5 > count && refused_for_null * 8 > count);
}

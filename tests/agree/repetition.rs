//! Structured repetition: the stages of each template agree.
use super::configuration::Configuration;
use super::constructs::{random, singles};
use super::templates::Template;
use super::{Check, Judge, programs};

/// The repetitions of the statements.
const REPETITIONS: usize = 3;

/// The number of random templates.
const TEMPLATES: u64 = 100;

fn check(template: &Template) {
    for argument in [2, -1] {
        let text = template.text(REPETITIONS);
        let mut judge = Judge { check: Check::default(), open: Some(argument), first_end: None };
        let compiled = judge.compile(text.clone(), &Configuration::standard());
        judge.check.failures.extend(compiled.err());
        assert!(judge.check.failures.is_empty(), "{text}\n{}", judge.check.failures.join("\n"));
    }
}

#[test]
fn the_stages_of_templates_agree() {
    singles().chain((0..programs(TEMPLATES)).map(random)).for_each(|it| check(&it));
}

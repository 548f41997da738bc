//! No program that is accepted accesses a field of null, and programs are not rejected needlessly.
//!
//! `PROGRAMS=100000 cargo test --release --test agree null` tests that many.
use super::super::closed::is_closed;
use super::super::configuration::{Configuration, rules};
use super::super::generate::{unchecked, with_objects};
use super::super::meaning::accesses_null;
use super::super::program::{Program, text};
use super::super::reduce::smallest;
use super::super::{ARGUMENTS, programs};
use sonc::Termination;
use sonc::{Artifact, Diagnostic, Halt, MachineRules, Source, Stage, StageObserver};

/// Runs the stages up to the blocks.
struct Faults<'p> {
    program: &'p Program,
    /// The arguments for which it ends.
    arguments: Option<Vec<i32>>,
    faults: Vec<String>,
}

impl StageObserver for Faults<'_> {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let ends = |it: &i32| accesses_null(self.program, *it) == Some(false);
        let ending = || ARGUMENTS.into_iter().filter(ends).collect();
        for &argument in self.arguments.get_or_insert_with(ending).iter() {
            let end = artifact.eval(argument.into()).map(|outcome| outcome.end);
            if let Some(Termination::Fault { reason, .. }) = end {
                self.faults.push(format!("{}({argument}): {reason}", stage.name()));
            }
        }
        if stage == Stage::Blocks { Err(Halt::Stopped(stage)) } else { Ok(()) }
    }
}

/// How a program ends in the compiler.
enum Verdict {
    /// The faults of its stages.
    Accepted(Vec<String>),
    Rejected(Vec<Diagnostic>),
}

fn verdict(program: &Program, configuration: &Configuration, rules: &MachineRules) -> Verdict {
    let source = Source { name: "generated".into(), text: text(program) };
    let options = configuration.options(rules);
    let mut faults = Faults { program, arguments: None, faults: Vec::new() };
    match sonc::compile(&source, options, &mut faults) {
        Err(Halt::Stopped(_)) => Verdict::Accepted(faults.faults),
        Err(Halt::Errors(errors)) => Verdict::Rejected(errors),
        other => panic!("{:?}\n{}", other.map(|_| ()), source.text),
    }
}

/// Whether a program is accepted that accesses a field of null, at some stage.
fn is_unsafe(program: &Program, configuration: &Configuration, rules: &MachineRules) -> bool {
    let Verdict::Accepted(faults) = verdict(program, configuration, rules) else { return false };
    !faults.is_empty() || has_access(program)
}

fn has_access(program: &Program) -> bool {
    ARGUMENTS.iter().any(|&it| accesses_null(program, it) == Some(true))
}

/// Whether the first report, of which others may be consequences, is about null: at the field or at
/// the value that may be null.
fn is_about_null(program: &Program, errors: &[Diagnostic]) -> bool {
    let text = text(program);
    errors.iter().take(1).all(|error| {
        let (start, end) = (error.span.start as usize, error.span.end as usize);
        let field = format!("Might be null accessing '{}'", &text[start..end]);
        let is_access = error.message == field && text[..start].ends_with('.');
        let is_null = |it: &str| it == "null" || it.starts_with('*') && it.ends_with('?');
        let is_value = error.message.strip_prefix("Type ").is_some_and(|rest| {
            let ty = rest.split(' ').next().unwrap_or_default();
            is_null(ty) && rest.contains("is not of declared type *")
        });
        is_access || is_value
    })
}

#[test]
fn accepted_programs_never_access_null() {
    let rules = rules();
    let (mut accepted, mut rejected, mut harmless) = (0, 0, 0);
    let count = programs(1000);
    for seed in 0..count {
        let program = unchecked(seed);
        let optimize = seed % 4 != 0;
        let configuration = Configuration { optimize, ..Configuration::standard() };
        if is_unsafe(&program, &configuration, rules) {
            let small = smallest(program, |it| is_unsafe(it, &configuration, rules));
            panic!("seed {seed}, optimize {optimize}: null is accessed\n{}", text(&small));
        }
        match verdict(&program, &configuration, rules) {
            Verdict::Accepted(_) => accepted += 1,
            Verdict::Rejected(errors) => {
                let text = text(&program);
                if is_closed(&program) {
                    let is_rejected = |program: &Program| {
                        is_closed(program)
                            && matches!(
                                verdict(program, &configuration, rules),
                                Verdict::Rejected(_)
                            )
                    };
                    let small = super::super::program::text(&smallest(program, is_rejected));
                    panic!("seed {seed}, optimize {optimize}: this is valid:\n{small}\n{errors:?}");
                }
                assert!(is_about_null(&program, &errors), "seed {seed}:\n{text}\n{errors:?}");
                rejected += 1;
                harmless += usize::from(!has_access(&program));
            }
        }
    }
    println!("{accepted} accepted, {rejected} rejected, {harmless} of them harmless here");
    assert!(accepted * 5 > count && rejected * 5 > count, "{accepted} and {rejected}");
}

/// All programs whose accesses are guarded by tests are accepted, with and without peepholes.
#[test]
fn checked_programs_are_accepted() {
    let rules = rules();
    for seed in 0..programs(500) {
        let program = with_objects(seed);
        for optimize in [true, false] {
            let configuration = Configuration { optimize, ..Configuration::standard() };
            let verdict = verdict(&program, &configuration, rules);
            assert!(matches!(verdict, Verdict::Accepted(_)), "seed {seed}:\n{}", text(&program));
        }
    }
}

//! Programs for TR, an abstract machine: its last stage agrees with the oracle.
use super::check::Check;
use super::configuration::Configuration;
use super::meaning::meaning;
use super::program::text;
use super::{ARGUMENTS, generate, programs};
use sonc::{Artifact, Halt, MachineRules, Source, Stage, StageObserver, TargetMachine};

/// Checks every stage, and keeps the text of the last one.
#[derive(Default)]
struct Last {
    check: Check,
    text: String,
}

impl StageObserver for Last {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.text = artifact.print();
        self.check.stage_done(stage, artifact)
    }
}

fn rules() -> MachineRules {
    let source = TargetMachine::Tr.built_in_rules();
    TargetMachine::Tr.rules(&source).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// The instructions of the program with this seed, checked against the oracle.
fn selected(seed: u64, configuration: &Configuration, rules: &MachineRules) -> String {
    let program = generate::of_integers(seed);
    let source = Source { name: "generated".into(), text: text(&program) };
    let ended = ARGUMENTS.iter().filter_map(|&it| Some((it, meaning(&program, it)?.to_string())));
    let check = Check::from_iter(ended);
    let mut last = Last { check, ..Last::default() };
    let halt = sonc::compile(&source, configuration.options(rules), &mut last).err();
    let stopped = matches!(halt, Some(Halt::Stopped(Stage::Selected)));
    assert!(stopped, "seed {seed}, {configuration:?}: {halt:?}\n{}", source.text);
    assert_eq!(last.check.failures, [""; 0], "seed {seed}, {configuration:?}\n{}", source.text);
    assert_eq!(last.check.seen.last(), Some(&Stage::Selected));
    last.text
}

/// The names of the instructions, without operands.
fn names(code: &str) -> Vec<&str> {
    code.lines().flat_map(|line| line.trim_start().split([' ', '.', ':', '(']).next()).collect()
}

/// All rules have size 1, so greedy selection is optimal. The optimum is unique, except for
/// operations with two constants, either of which may be the immediate.
#[test]
fn the_last_stage_agrees_and_greedy_selection_is_optimal() {
    let rules = rules();
    for seed in 0..programs(400) {
        for optimize in [true, false] {
            let best = Configuration { optimize, ..Configuration::standard() };
            let mut greedy = best.clone();
            greedy.selection.method = sonc::Method::Greedy;
            let [best, greedy] =
                [best, greedy].map(|configuration| selected(seed, &configuration, &rules));
            assert_eq!(names(&best), names(&greedy), "seed {seed}\n{best}\n{greedy}");
        }
    }
}

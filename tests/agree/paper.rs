//! Programs for TR, a machine on paper: they mean at its last stage what they mean everywhere.
use super::check::Check;
use super::meaning::meaning;
use super::program::text;
use super::way::Way;
use super::{ARGUMENTS, generate, programs};
use sonc::{Artifact, Halt, Machine, MachineRules, Source, Stage, Watch};

/// Checks every stage, and keeps the text of the last one.
#[derive(Default)]
struct Last {
    check: Check,
    text: String,
}

impl Watch for Last {
    fn see(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.text = artifact.print();
        self.check.see(stage, artifact)
    }
}

fn rules() -> MachineRules {
    let source = Machine::Tr.built_in_rules();
    Machine::Tr.rules(&source).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// The instructions of the program with this seed, which mean what it means.
fn selected(seed: u64, way: &Way, rules: &MachineRules) -> String {
    let program = generate::program(seed);
    let source = Source { name: "generated".into(), text: text(&program) };
    let ended = ARGUMENTS.iter().filter_map(|&it| Some((it, meaning(&program, it)?.into())));
    let check = Check { wanted: ended.collect(), ..Check::default() };
    let mut last = Last { check, ..Last::default() };
    let halt = sonc::compile(&source, way.options(rules), &mut last).err();
    let stopped = matches!(halt, Some(Halt::Stopped(Stage::Selected)));
    assert!(stopped, "seed {seed}, {way:?}: {halt:?}\n{}", source.text);
    assert_eq!(last.check.failures, [""; 0], "seed {seed}, {way:?}\n{}", source.text);
    assert_eq!(last.check.seen.last(), Some(&Stage::Selected));
    last.text
}

/// The names of the instructions, without what they are applied to.
fn names(code: &str) -> Vec<&str> {
    code.lines().flat_map(|line| line.trim_start().split([' ', '.', ':', '(']).next()).collect()
}

/// All rules are of one size, so greed finds a best cover. There is one only, but for operations
/// with two constants: either of them may be the one that goes into the instruction.
#[test]
fn the_last_stage_means_what_the_program_means_and_greed_finds_it() {
    let rules = rules();
    for seed in 0..programs(400) {
        for optimize in [true, false] {
            let best = Way { optimize, ..Way::usual() };
            let mut greedy = best.clone();
            greedy.preference.method = sonc::Method::Greedy;
            let [best, greedy] = [best, greedy].map(|way| selected(seed, &way, &rules));
            assert_eq!(names(&best), names(&greedy), "seed {seed}\n{best}\n{greedy}");
        }
    }
}

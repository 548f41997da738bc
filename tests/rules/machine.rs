//! Machine rules: each is the best for some program of the book, or others need it.
use crate::cases::cases;
use crate::configuration::{Configuration, rules};
use sonc::{Artifact, Halt, MachineRules, Objective, Source, Stage, StageObserver};
use std::collections::BTreeSet;

/// The numbers of the rules that were chosen.
#[derive(Default)]
struct Chosen(BTreeSet<usize>);

impl StageObserver for Chosen {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage < Stage::Selected {
            return Ok(());
        }
        let marks = artifact.print();
        let marks = marks.split(',').filter_map(|it| it.lines().next()?.strip_prefix(MARK));
        self.0.extend(marks.filter_map(|it| usize::from_str_radix(it, 16).ok()));
        Err(Halt::Stopped(stage))
    }
}

/// How the number of a rule begins in the code it makes.
const MARK: &str = "0x7e57";

/// The built-in rules, each with one instruction more that names its number. The costs are what
/// they were, and so is the choice.
fn marked() -> MachineRules {
    let rules = rules();
    let mark = |(number, text): (usize, &String)| {
        let (pattern, steps) = text.split_once(" => ").expect("every rule becomes something");
        let mark = i64::from_str_radix(&format!("7e57{number:03x}"), 16).expect("a number");
        format!("{pattern} => mov mark, {mark}; {steps}\n")
    };
    let text = rules.catalogue().map(|rule| &rule.text).enumerate().map(mark).collect();
    let source = Source { name: "marked".into(), text };
    sonc::machine_rules(&source).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// One wish more than the ways before it had.
type Wish = fn(&mut Configuration);

const WISHES: &[Wish] = &[
    |configuration| configuration.selection.objective = Objective::Size,
    #[cfg(feature = "ch02")]
    |configuration| configuration.optimize = false,
    #[cfg(feature = "ch04")]
    |configuration| configuration.selection.method = sonc::Method::Greedy,
];

/// All wishes, each granted or not.
fn configurations() -> Vec<Configuration> {
    let mut configurations = vec![Configuration::usual()];
    for wish in WISHES {
        let mut more = configurations.clone();
        more.iter_mut().for_each(wish);
        configurations.extend(more);
    }
    configurations
}

/// What a rule may be for besides: whether the rules but this one lack something.
type Reason = fn(&MachineRules, &str) -> bool;

const REASONS: &[Reason] = &[
    #[cfg(feature = "ch19")]
    makes_composable,
];

#[cfg(feature = "ch19")]
fn makes_composable(rules: &MachineRules, name: &str) -> bool {
    let others = rules.catalogue().filter(|rule| rule.name != name);
    let text = others.map(|rule| format!("{}\n", rule.text)).collect();
    let others =
        sonc::check_rules(&Source { name: "others".into(), text }, sonc::TargetMachine::Ia32);
    !others.unwrap_or_else(|wrong| panic!("{wrong:?}")).complaints.is_empty()
}

/// Whether some case has the rule chosen for some way to compile. Every chapter asks this of its
/// own cases and of those before, so a rule is of use in its own chapter at the latest.
#[test]
fn each_is_of_use_to_a_program_of_the_book() {
    let (rules, marked) = (rules(), marked());
    let mut useful = BTreeSet::new();
    for case in cases() {
        for configuration in configurations() {
            let mut chosen = Chosen::default();
            // A case may be there to be refused.
            let _ = sonc::compile(&case.source, configuration.options(&marked), &mut chosen);
            useful.extend(chosen.0);
        }
    }
    let useless = rules.catalogue().enumerate().filter(|(at, _)| !useful.contains(at));
    let useless = useless.map(|(_, rule)| &rule.name);
    let useless = useless.filter(|name| !REASONS.iter().any(|reason| reason(&rules, name)));
    let useless: Vec<_> = useless.collect();
    assert!(useless.is_empty(), "chosen in no case: {useless:?}");
}

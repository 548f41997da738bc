//! The rules of TR, an abstract machine: they have names, and each is selected for some program.
use crate::cases::cases;
use crate::check_names;
use crate::configuration::Configuration;
use sonc::{Artifact, Halt, MachineRules, Stage, StageObserver, TargetMachine};
use std::collections::BTreeSet;

pub fn rules() -> MachineRules {
    let rules = TargetMachine::Tr.rules(&TargetMachine::Tr.built_in_rules());
    rules.unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"))
}

#[test]
fn rules_have_names() {
    check_names(rules().catalogue().map(|rule| rule.name.as_str()));
}

/// The names of the selected rules.
#[derive(Default)]
struct Selected(BTreeSet<String>);

impl StageObserver for Selected {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage < Stage::Pbqp {
            return Ok(());
        }
        let text = artifact.print();
        let names = text.split_whitespace().filter_map(|word| word.strip_prefix('*'));
        self.0.extend(names.map(String::from));
        Err(Halt::Stopped(stage))
    }
}

/// The reasons for a rule.
const USES: &[fn(&Selected, &str) -> bool] = &[
    |chosen, name| chosen.0.contains(name),
    // No program has upper halves of products; every operation must have an instruction.
    |_, name| name.starts_with("mulh"),
    #[cfg(feature = "ch20")]
    |_, name| crate::machine::completes(TargetMachine::Tr, &rules(), name),
    #[cfg(feature = "ch25")]
    |_, name| crate::graphs::needs_rule(name),
];

#[test]
fn each_is_selected_for_a_program_of_the_book() {
    let (rules, mut chosen) = (rules(), Selected::default());
    for case in cases() {
        for optimize in [true, false] {
            let configuration = Configuration { optimize, ..Configuration::standard() };
            // The case may be one of an error.
            let _ = sonc::compile(&case.source, configuration.options(&rules), &mut chosen);
        }
    }
    let is_used = |name: &str| USES.iter().any(|uses| uses(&chosen, name));
    let useless = rules.catalogue().filter(|rule| !is_used(&rule.name));
    let useless: Vec<_> = useless.map(|rule| &rule.name).collect();
    assert!(useless.is_empty(), "chosen in no case: {useless:?}");
}

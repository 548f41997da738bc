//! How programs are compiled, to be measured.
use sonc::{Halt, MachineRules, Options, SelectionOptions, Source, StageObserver};

pub fn rules() -> MachineRules {
    let rules = sonc::machine_rules(&sonc::built_in_rules());
    rules.unwrap_or_else(|_| panic!("the built-in rules are right"))
}

/// Compiles as the command line does, until `watch` stops it.
pub fn compile(source: &Source, rules: &MachineRules, watch: &mut dyn StageObserver) {
    let options = Options {
        optimize: true,
        without: &[],
        trace: false,
        argument: None,
        #[cfg(feature = "ch14")]
        int: sonc::INT,
        rules,
        selection: SelectionOptions::default(),
        #[cfg(feature = "ch11")]
        placement: sonc::PlacementMethod::default(),
        #[cfg(feature = "ch20")]
        registers: sonc::RegisterAllocator::default(),
        #[cfg(feature = "ch27")]
        via_regions: false,
    };
    match sonc::compile(source, options, watch) {
        Ok(_) | Err(Halt::Stopped(_)) => {}
        Err(_) => panic!("the program is right"),
    }
}

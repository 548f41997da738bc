//! Configurations: the options that tests vary.
use sonc::{Halt, Source, StageObserver};
#[cfg(feature = "ch02")]
use sonc::{MachineRules, Options, SelectionOptions};
#[cfg(feature = "ch02")]
use std::sync::OnceLock;

/// The options of a compilation.
#[derive(Clone, Debug)]
pub struct Configuration {
    #[cfg(feature = "ch02")]
    pub optimize: bool,
    #[cfg(feature = "ch02")]
    pub without: Vec<String>,
    /// Whether every rewrite is reported, with its texts: a third of the time.
    #[cfg(feature = "ch02")]
    pub trace: bool,
    #[cfg(feature = "ch02")]
    pub selection: SelectionOptions,
    #[cfg(feature = "ch11")]
    pub placement: sonc::PlacementMethod,
    #[cfg(feature = "ch20")]
    pub registers: sonc::RegisterAllocator,
    #[cfg(feature = "ch27")]
    pub via_regions: bool,
    #[cfg(feature = "ch14")]
    pub int: sonc::Width,
}

impl Configuration {
    /// The defaults of the command line.
    pub fn standard() -> Configuration {
        Configuration {
            #[cfg(feature = "ch02")]
            optimize: true,
            #[cfg(feature = "ch02")]
            without: Vec::new(),
            #[cfg(feature = "ch02")]
            trace: false,
            #[cfg(feature = "ch02")]
            selection: SelectionOptions::default(),
            #[cfg(feature = "ch11")]
            placement: sonc::PlacementMethod::default(),
            #[cfg(feature = "ch20")]
            registers: sonc::RegisterAllocator::default(),
            #[cfg(feature = "ch27")]
            via_regions: false,
            #[cfg(feature = "ch14")]
            int: sonc::INT,
        }
    }

    #[cfg(feature = "ch02")]
    pub fn options<'o>(&'o self, rules: &'o MachineRules) -> Options<'o> {
        Options {
            optimize: self.optimize,
            without: &self.without,
            trace: self.trace,
            #[cfg(feature = "ch04")]
            argument: None,
            rules,
            selection: self.selection,
            #[cfg(feature = "ch11")]
            placement: self.placement,
            #[cfg(feature = "ch20")]
            registers: self.registers,
            #[cfg(feature = "ch27")]
            via_regions: self.via_regions,
            #[cfg(feature = "ch14")]
            int: self.int,
        }
    }
}

impl Configuration {
    /// Compiles `source` with an observer.
    pub fn compile(
        &self,
        source: &Source,
        observer: &mut dyn StageObserver,
    ) -> Result<Vec<u8>, Halt> {
        #[cfg(not(feature = "ch02"))]
        let executable = sonc::compile(source, observer)?;
        #[cfg(feature = "ch02")]
        let executable = sonc::compile(source, self.options(rules()), observer)?;
        Ok(executable.bytes)
    }
}

/// The built-in rules of the machine. They are read once for all compilations.
#[cfg(feature = "ch02")]
pub fn rules() -> &'static MachineRules {
    static RULES: OnceLock<MachineRules> = OnceLock::new();
    RULES.get_or_init(|| {
        sonc::machine_rules(&sonc::built_in_rules()).unwrap_or_else(|diagnostics| {
            panic!("{}", sonc::render(&diagnostics, &sonc::built_in_rules(), false))
        })
    })
}

//! Ways to compile: what tests vary.
use sonc::{MachineRules, Options, Preference};

/// A way to compile: what a test varies.
#[derive(Clone, Debug)]
pub struct Way {
    #[cfg(feature = "ch02")]
    pub optimize: bool,
    #[cfg(feature = "ch02")]
    pub without: Vec<String>,
    pub preference: Preference,
}

impl Way {
    /// How the command line compiles if it is not told otherwise.
    pub fn usual() -> Way {
        Way {
            #[cfg(feature = "ch02")]
            optimize: true,
            #[cfg(feature = "ch02")]
            without: Vec::new(),
            preference: Preference::default(),
        }
    }

    pub fn options<'o>(&'o self, rules: &'o MachineRules) -> Options<'o> {
        Options {
            #[cfg(feature = "ch02")]
            optimize: self.optimize,
            #[cfg(feature = "ch02")]
            without: &self.without,
            #[cfg(feature = "ch02")]
            trace: true,
            #[cfg(feature = "ch04")]
            argument: None,
            rules,
            preference: self.preference,
        }
    }
}

pub fn rules() -> MachineRules {
    sonc::machine_rules(&sonc::built_in_rules()).unwrap_or_else(|complaints| {
        panic!("{}", sonc::render(&complaints, &sonc::built_in_rules(), false))
    })
}

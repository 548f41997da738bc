//! A request of the page: a program, and the options of its compilation.
use serde_json::Value;
use sonc::{MachineRules, Options, SelectionOptions, Source};

/// A program and its options.
pub struct Request {
    pub source: Source,
    #[cfg(feature = "ch02")]
    pub without: Vec<String>,
    /// The rules for instruction selection that are switched off.
    pub without_rules: Vec<String>,
    values: Value,
}

impl Request {
    /// Everything that a request does not name has the default of the command line.
    pub fn new(text: &str) -> Request {
        let values: Value = serde_json::from_str(text).unwrap_or_default();
        let text = values["source"].as_str().unwrap_or_default().to_string();
        let extension = values["language"].as_str().unwrap_or("smp");
        Request {
            source: Source { name: format!("program.{extension}"), text },
            #[cfg(feature = "ch02")]
            without: words(&values["without"]),
            without_rules: words(&values["withoutRules"]),
            values,
        }
    }

    /// Whether an option is switched to a value.
    #[cfg(feature = "ch04")]
    fn is(&self, option: &str, value: &str) -> bool {
        self.values[option] == value
    }

    /// The same request, with steps.
    pub fn with_steps(mut self) -> Request {
        self.values["trace"] = true.into();
        self
    }

    /// Whether the steps are made at once.
    #[cfg(feature = "ch02")]
    pub fn is_traced(&self) -> bool {
        self.values["trace"] != false
    }

    /// The options of the compilation, with these rules for instruction selection.
    pub fn options<'r>(&'r self, rules: &'r MachineRules) -> Options<'r> {
        Options {
            #[cfg(feature = "ch02")]
            optimize: self.values["optimize"] != false,
            #[cfg(feature = "ch02")]
            without: &self.without,
            #[cfg(feature = "ch02")]
            trace: self.is_traced(),
            #[cfg(feature = "ch04")]
            argument: None,
            int: sonc::INT,
            rules,
            selection: SelectionOptions {
                objective: match self.values["objective"] == "size" {
                    true => sonc::Objective::Size,
                    false => sonc::Objective::Speed,
                },
                #[cfg(feature = "ch04")]
                method: match () {
                    () if self.is("selector", "greedy") => sonc::Method::Greedy,
                    #[cfg(feature = "ch19")]
                    () if self.is("selector", "heuristic") => sonc::Method::Heuristic,
                    () => sonc::Method::Pbqp,
                },
            },
            #[cfg(feature = "ch11")]
            placement: match () {
                () if self.is("placement", "early") => sonc::PlacementMethod::Early,
                () if self.is("placement", "late") => sonc::PlacementMethod::Late,
                () => sonc::PlacementMethod::Best,
            },
            #[cfg(feature = "ch20")]
            registers: match self.is("allocator", "scan") {
                true => sonc::RegisterAllocator::Scan,
                false => sonc::RegisterAllocator::Colour,
            },
            #[cfg(feature = "ch27")]
            via_regions: self.is("via", "regions"),
        }
    }
}

/// A list of texts.
pub fn words(value: &Value) -> Vec<String> {
    let words = value.as_array().into_iter().flatten();
    words.filter_map(|it| Some(it.as_str()?.to_string())).collect()
}

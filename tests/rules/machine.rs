//! Machine rules: each is the best for some program of the book.
use crate::cases::cases;
use sonc::{Artifact, Cost, Halt, MachineRules, Options, Preference, Source, Stage, Watch};
use std::collections::BTreeSet;

/// The numbers of the rules that were chosen.
#[derive(Default)]
struct Chosen(BTreeSet<usize>);

impl Watch for Chosen {
    fn see(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage < Stage::Selected {
            return Ok(());
        }
        let marks = artifact.print();
        let marks = marks.split(',').filter_map(|it| it.lines().next()?.strip_prefix(MARK));
        self.0.extend(marks.filter_map(|it| usize::from_str_radix(it, 16).ok()));
        Err(Halt::Stopped(stage))
    }
}

fn rules() -> MachineRules {
    let rules = sonc::machine_rules(&sonc::built_in_rules());
    rules.unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// How the number of a rule begins in the code it makes.
const MARK: &str = "0x7e57";

/// The built-in rules, each with one instruction more that names its number. The costs are what
/// they were, and so is the choice.
fn marked() -> MachineRules {
    let rules = rules();
    let mark = |(number, text): (usize, &String)| {
        let (pattern, steps) = text.split_once("=>").expect("a rule becomes something");
        let mark = i64::from_str_radix(&format!("7e57{number:03x}"), 16).expect("a number");
        format!("{pattern}=> mov mark, {mark}; {steps}\n")
    };
    let text = rules.catalogue().map(|rule| &rule.text).enumerate().map(mark).collect();
    let source = Source { name: "marked".into(), text };
    sonc::machine_rules(&source).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// A way to compile.
#[derive(Clone, Copy)]
struct Way {
    optimize: bool,
    preference: Preference,
}

impl Way {
    fn options(self, rules: &MachineRules) -> Options<'_> {
        Options {
            optimize: self.optimize,
            without: &[],
            trace: false,
            #[cfg(feature = "ch04")]
            argument: None,
            rules,
            preference: self.preference,
        }
    }
}

/// One wish more than the ways before it had.
const WISHES: &[fn(Way) -> Way] = &[
    for_size,
    as_written,
    #[cfg(feature = "ch04")]
    greedily,
];

fn for_size(mut way: Way) -> Way {
    way.preference.cost = Cost::Size;
    way
}

fn as_written(way: Way) -> Way {
    Way { optimize: false, ..way }
}

#[cfg(feature = "ch04")]
fn greedily(mut way: Way) -> Way {
    way.preference.method = sonc::Method::Greedy;
    way
}

/// All wishes, each granted or not.
fn ways() -> Vec<Way> {
    let mut ways = vec![Way { optimize: true, preference: Preference::default() }];
    for wish in WISHES {
        let more: Vec<Way> = ways.iter().copied().map(wish).collect();
        ways.extend(more);
    }
    ways
}

/// The chapter that a rule comes with: `@ch04 rule …`.
fn chapter(text: &str) -> u32 {
    let number = text.strip_prefix("@ch").and_then(|it| it.get(..2));
    number.and_then(|it| it.parse().ok()).expect("a built-in rule says its chapter")
}

/// Whether a case of a rule's chapter, or of one before it, has it chosen for some way to compile.
#[test]
fn each_is_of_use_to_a_program_of_the_book() {
    let (rules, marked) = (rules(), marked());
    let mut useful = BTreeSet::new();
    for case in cases() {
        for way in ways() {
            let mut chosen = Chosen::default();
            // A case may be there to be refused.
            let _ = sonc::compile(&case.source, way.options(&marked), &mut chosen);
            useful.extend(chosen.0.into_iter().map(|rule| (rule, case.chapter)));
        }
    }
    let of_use = |(number, text): (usize, &str)| {
        useful.iter().any(|&(rule, at)| rule == number && at <= chapter(text))
    };
    let useless = rules.catalogue().enumerate().filter(|(at, rule)| !of_use((*at, &rule.text)));
    let useless: Vec<_> = useless.map(|(_, rule)| &rule.name).collect();
    assert!(useless.is_empty(), "chosen in no case: {useless:?}");
}

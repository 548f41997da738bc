//! The instructions that each method and each rewrite saves: all programs are compiled without it.
use super::compilers::{compile, options, rules};
use super::geometric_mean;
use super::measure::{Program, execute};
use emulate::Termination;
use sonc::{Method, Options, PlacementMethod, RegisterAllocator, Source};
use std::fmt::Write;
use std::iter::zip;

/// A change of less than this fraction is not listed.
const LEAST: f64 = 0.001;

/// A program that executes more instructions by this fraction shows the difference.
const NOTICEABLE: f64 = 0.01;

/// Rules of the machine, by their texts.
struct Group {
    name: &'static str,
    contains: fn(&str) -> bool,
}

const GROUPS: &[Group] = &[
    Group { name: "rules with `lea`", contains: |rule| rule.contains("lea ") },
    Group { name: "rules with `cmov`", contains: |rule| rule.contains("cmov.") },
    Group {
        name: "rules with integers in memory",
        contains: |rule| rule.contains("Load:") && !rule.contains("=> mov"),
    },
    Group { name: "rules for powers of two", contains: |rule| rule.contains("power-of-two(") },
    Group { name: "rules for division by multiplication", contains: |rule| rule.contains("magic") },
    Group { name: "rules for divisibility", contains: |rule| rule.contains("inverse(") },
];

/// The results and the executed instructions of each program.
type Runs = Vec<(Vec<Termination>, u64)>;

/// Executed instructions without something, relative to those with it.
struct Without {
    name: String,
    mean: f64,
    /// The programs that execute more by `NOTICEABLE` at least.
    slower: usize,
    /// The largest of all programs, and the program.
    most: (f64, String),
}

/// A row for each method and each rewrite that changes the number of executed instructions.
pub fn table(programs: &[Program]) -> String {
    let rules = rules();
    let usual = options(&rules);
    let all = runs(programs, usual);
    let compared = |name: &str, options: Options| Without::new(name, programs, options, &all);
    let mut greedy = usual;
    greedy.selection.method = Method::Greedy;
    let mut rows = vec![
        compared("all rewrites", Options { optimize: false, ..usual }),
        compared("selection by a PBQP (greedy)", greedy),
        compared(
            "placement by loop depth (early)",
            Options { placement: PlacementMethod::Early, ..usual },
        ),
        compared(
            "registers by colouring (linear scan)",
            Options { registers: RegisterAllocator::Scan, ..usual },
        ),
    ];
    for group in GROUPS {
        let rest = rules.catalogue().map(|it| it.text()).filter(|it| !(group.contains)(it));
        let source = Source { name: group.name.into(), text: rest.collect::<Vec<_>>().join("\n") };
        let rest = sonc::machine_rules(&source).unwrap_or_else(|_| panic!("{}", group.name));
        rows.push(compared(group.name, Options { rules: &rest, ..usual }));
    }
    let named = sonc::peepholes().map(|it| it.name).chain(sonc::passes().map(|it| it.0));
    let named = named.chain(sonc::folding_rules().map(|it| it.0));
    let mut single: Vec<_> = named
        .map(|name| compared(name, Options { without: &[name.to_string()], ..usual }))
        .filter(|it| (it.mean - 1.0).abs() >= LEAST)
        .collect();
    single.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    rows.extend(single);
    let mut text = String::from("| without | all programs | slower | most |\n|---|--:|--:|---|\n");
    for Without { name, mean, slower, most: (most, program) } in rows {
        let (mean, most) = (percent(mean), percent(most));
        writeln!(text, "| {name} | {mean} | {slower} | {program} {most} |").expect("text grows");
    }
    text
}

fn runs(programs: &[Program], options: Options) -> Runs {
    let run = |it: &Program| execute(&compile(&it.text, options).0, &it.arguments());
    programs.iter().map(run).collect()
}

impl Without {
    fn new(name: &str, programs: &[Program], options: Options, all: &Runs) -> Without {
        let mut ratios = Vec::new();
        for (program, (with, without)) in zip(programs, zip(all, runs(programs, options))) {
            assert_eq!(with.0, without.0, "{}, without {name}", program.name);
            ratios.push((without.1 as f64 / with.1 as f64, program.name.clone()));
        }
        let mean = geometric_mean(ratios.iter().map(|it| it.0)).expect("there are programs");
        let slower = ratios.iter().filter(|it| it.0 >= 1.0 + NOTICEABLE).count();
        let most = ratios.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        Without { name: name.into(), mean, slower, most: most.expect("there are programs") }
    }
}

/// A ratio as a difference.
fn percent(ratio: f64) -> String {
    format!("{:+.1} %", 100.0 * (ratio - 1.0))
}

//! Proves by trying that the instructions of a rule compute what its pattern says.
//!
//! Most instructions mean the same at every width: their results are those of 32 bits, cut. So
//! rules that use only these are tried with *all* values of a few bits, eight if the pattern has
//! two names. Every rule is tried with values of 32 bits where arithmetic goes wrong if it does,
//! and with values from anywhere. Division where it is undefined is not tried.
mod machine;
pub mod smt;
mod tr;
mod values;

use crate::arith::Width;
use crate::rules::meaning::{Kind, Question};
use crate::rules::{Rule, RuleSet};
use machine::{Machine, Wrong};
use values::{narrow, wide};

/// How the rules of a set were tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tried {
    /// How many rules passed with all values of some width, and how many with values of 32 bits.
    pub narrow: usize,
    pub wide: usize,
}

/// A rule that does not compute its pattern: its number, and the proof.
#[derive(Debug)]
pub struct Refuted {
    pub rule: usize,
    pub proof: String,
}

/// The results of a rule for a sample.
type Run = fn(&Rule, &Question, Width, &[i64]) -> Result<Vec<i64>, Wrong>;

/// Who executes the instructions of a machine, by its name.
const MACHINES: &[(&str, Run)] = &[
    ("ia32", |rule, question, width, sample| Machine::new(rule, question, width, sample).run()),
    ("tr", tr::run),
];

/// Tries every rule.
pub fn prove(rules: &RuleSet) -> (Tried, Vec<Refuted>) {
    let run = MACHINES.iter().find(|(name, _)| *name == rules.target.name);
    let (_, run) = run.expect("every machine has its row");
    let (mut tried, mut refuted) = (Tried::default(), Vec::new());
    for (number, rule) in rules.catalogue().enumerate() {
        let question = Question::new(rule);
        let few = narrow(&question);
        match few.map(|(width, samples)| try_all(*run, rule, &question, width, samples)) {
            Some(Verdict::Passed) => tried.narrow += 1,
            Some(Verdict::Failed(proof)) => {
                refuted.push(Refuted { rule: number, proof });
                continue;
            }
            Some(Verdict::NotTried) | None => {}
        }
        match try_all(*run, rule, &question, WORD, wide(&question)) {
            Verdict::Passed => tried.wide += 1,
            Verdict::Failed(proof) => refuted.push(Refuted { rule: number, proof }),
            Verdict::NotTried => {
                let proof = "no numbers were found for which it fits".to_string();
                refuted.push(Refuted { rule: number, proof });
            }
        }
    }
    (tried, refuted)
}

const WORD: Width = Width(32);

enum Verdict {
    Passed,
    /// With a sample for which it does.
    Failed(String),
    /// No sample can be tried, or the instructions mean something else at this width.
    NotTried,
}

/// Tries a rule with samples: a value for each name of the question.
fn try_all(
    run: Run,
    rule: &Rule,
    question: &Question,
    width: Width,
    samples: impl Iterator<Item = Vec<i64>>,
) -> Verdict {
    let mut verdict = Verdict::NotTried;
    for sample in samples {
        let Some(wanted) = question.answer(width, &sample) else { continue };
        let found = match run(rule, question, width, &sample) {
            Err(Wrong::Width) => return Verdict::NotTried,
            Err(Wrong::Fault(reason)) => reason.to_string(),
            Ok(found) if found == wanted => {
                verdict = Verdict::Passed;
                continue;
            }
            Ok(found) => {
                format!("this is {} and should be {}", listed(&found), listed(&wanted))
            }
        };
        let sample = shown(rule, question, &sample);
        return Verdict::Failed(format!("{sample}{found}, with {} bits", width.0));
    }
    verdict
}

/// Results as a person reads them.
fn listed(results: &[i64]) -> String {
    let results: Vec<_> = results.iter().map(i64::to_string).collect();
    results.join(", ")
}

/// A sample as a person reads it.
fn shown(rule: &Rule, question: &Question, sample: &[i64]) -> String {
    let names = question.names.iter().zip(sample).filter_map(|(name, value)| {
        let called = rule.called(name.slot?);
        Some(match name.kind {
            Kind::Relation => {
                let relation = crate::arith::Relation::ALL[*value as usize];
                format!("{called} = {}", relation.row().sign)
            }
            Kind::Argument => format!("argument {called} = {value}"),
            Kind::Value | Kind::Truth | Kind::Number => format!("{called} = {value}"),
        })
    });
    let names: Vec<_> = names.collect();
    if names.is_empty() { String::new() } else { format!("for {}: ", names.join(", ")) }
}

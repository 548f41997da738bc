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
use crate::rules::semantics::{Kind, PatternSemantics};
use crate::rules::{Rule, RuleSet};
use machine::{EvalError, Machine};
use values::{exhaustive, sampled};

/// How the rules of a set were tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// How many rules passed with all values of some width, and how many with values of 32 bits.
    pub narrow: usize,
    pub wide: usize,
}

/// A rule that does not compute its pattern: its number, and the proof.
#[derive(Debug)]
pub struct Counterexample {
    pub rule: usize,
    pub proof: String,
}

/// The results of a rule for a sample.
type Run = fn(&Rule, &PatternSemantics, Width, &[i64]) -> Result<Vec<i64>, EvalError>;

/// Who executes the instructions of a machine, by its name.
const MACHINES: &[(&str, Run)] = &[
    ("ia32", |rule, question, width, sample| Machine::new(rule, question, width, sample).run()),
    ("tr", tr::run),
];

/// Tries every rule.
pub fn validate(rules: &RuleSet) -> (Coverage, Vec<Counterexample>) {
    let run = MACHINES.iter().find(|(name, _)| *name == rules.target.name);
    let (_, run) = run.expect("every machine has its row");
    let (mut tried, mut refuted) = (Coverage::default(), Vec::new());
    for (number, rule) in rules.catalogue().enumerate() {
        let question = PatternSemantics::new(rule);
        let few = exhaustive(&question);
        match few.map(|(width, samples)| try_all(*run, rule, &question, width, samples)) {
            Some(Verdict::Passed) => tried.narrow += 1,
            Some(Verdict::Failed(proof)) => {
                refuted.push(Counterexample { rule: number, proof });
                continue;
            }
            Some(Verdict::NotTried) | None => {}
        }
        match try_all(*run, rule, &question, WORD, sampled(&question)) {
            Verdict::Passed => tried.wide += 1,
            Verdict::Failed(proof) => refuted.push(Counterexample { rule: number, proof }),
            Verdict::NotTried => {
                let proof = "no numbers were found for which it fits".to_string();
                refuted.push(Counterexample { rule: number, proof });
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
    question: &PatternSemantics,
    width: Width,
    samples: impl Iterator<Item = Vec<i64>>,
) -> Verdict {
    let mut verdict = Verdict::NotTried;
    for sample in samples {
        let Some(wanted) = question.evaluate(width, &sample) else { continue };
        let found = match run(rule, question, width, &sample) {
            Err(EvalError::Width) => return Verdict::NotTried,
            Err(EvalError::Fault(reason)) => reason.to_string(),
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
fn shown(rule: &Rule, question: &PatternSemantics, sample: &[i64]) -> String {
    let names = question.names.iter().zip(sample).filter_map(|(name, value)| {
        let called = rule.called(name.slot?);
        Some(match name.kind {
            Kind::Relation => {
                let relation = crate::arith::Relation::ALL[*value as usize];
                format!("{called} = {}", relation.row().symbol)
            }
            Kind::Argument => format!("argument {called} = {value}"),
            Kind::Value | Kind::Truth | Kind::Number => format!("{called} = {value}"),
        })
    });
    let names: Vec<_> = names.collect();
    if names.is_empty() { String::new() } else { format!("for {}: ", names.join(", ")) }
}

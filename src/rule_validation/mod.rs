//! Tests that the instructions of a rule compute its pattern, exhaustively for few bits.
//!
//! Most instructions have the same meaning at every width: their results are those of 32 bits,
//! truncated. So rules that use only these are tested with *all* values of a few bits, eight if the
//! pattern has two names. Every rule is tested with values of 32 bits at the edges of arithmetic
//! and with pseudo-random values. Undefined divisions are skipped.
mod machine;
mod smt;
mod smt_machine;
mod smt_terms;
mod tr;
mod values;

use crate::arith::{Relation, Width};
use crate::floats;
use crate::rules::semantics::{Kind, PatternSemantics};
use crate::rules::{Rule, RuleSet};
use machine::{EvalError, Machine};
use values::{exhaustive, sampled};

/// The coverage of the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// The number of rules that passed with all values of some width.
    pub exhaustive: usize,
    pub sampled: usize,
}

/// A rule that passed.
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    /// Whether it passed with all values of some width, too.
    pub exhaustively: bool,
}

/// A rule that does not compute its pattern, with a sample that shows it.
#[derive(Debug)]
pub struct Counterexample {
    pub rule: usize,
    pub proof: String,
}

/// The results of a rule for a sample.
type Run = fn(&Rule, &PatternSemantics, Width, &[i64]) -> Result<Vec<i64>, EvalError>;

/// The interpreters of instructions, by the name of the machine.
const MACHINES: &[(&str, Run)] = &[
    ("ia32", |rule, semantics, width, sample| Machine::new(rule, semantics, width, sample).run()),
    ("tr", tr::run),
];

/// Tests every rule.
pub fn validate(rules: &RuleSet) -> (Coverage, Vec<Counterexample>) {
    let (mut coverage, mut counterexamples) = (Coverage::default(), Vec::new());
    for (number, rule) in rules.catalogue().enumerate() {
        match validate_rule(rules, rule) {
            Ok(Tested { exhaustively }) => {
                coverage.exhaustive += usize::from(exhaustively);
                coverage.sampled += 1;
            }
            Err(proof) => counterexamples.push(Counterexample { rule: number, proof }),
        }
    }
    (coverage, counterexamples)
}

/// Tests one rule of a set.
///
/// # Errors
/// The sample for which it does not compute its pattern.
pub fn validate_rule(rules: &RuleSet, rule: &Rule) -> Result<Tested, String> {
    let run = MACHINES.iter().find(|(name, _)| *name == rules.target.name);
    let (_, run) = run.expect("every machine has its row");
    let semantics = PatternSemantics::new(rule);
    let few = exhaustive(&semantics);
    let few = few.map(|(width, samples)| try_all(*run, rule, &semantics, width, samples));
    let exhaustively = match few {
        Some(Verdict::Passed) => true,
        Some(Verdict::Failed(proof)) => return Err(proof),
        Some(Verdict::NotTried) | None => false,
    };
    match try_all(*run, rule, &semantics, WORD, sampled(&semantics)) {
        Verdict::Passed => Ok(Tested { exhaustively }),
        Verdict::Failed(proof) => Err(proof),
        Verdict::NotTried => Err("no numbers were found that it matches".to_string()),
    }
}

/// A script for an SMT solver: laws, operators and the rules of IA-32.
pub fn smt_questions(rules: &RuleSet) -> String {
    let questions = smt::questions().chain(smt_machine::questions(rules));
    let questions: String = questions.map(|it| it.to_string()).collect();
    format!("(set-logic QF_BV)\n{questions}")
}

const WORD: Width = Width(32);

enum Verdict {
    Passed,
    /// The text of a failing sample.
    Failed(String),
    /// There is no sample, or the instructions have another meaning at this width.
    NotTried,
}

/// Tests a rule with samples: a value for each name of the pattern.
fn try_all(
    run: Run,
    rule: &Rule,
    semantics: &PatternSemantics,
    width: Width,
    samples: impl Iterator<Item = Vec<i64>>,
) -> Verdict {
    let mut verdict = Verdict::NotTried;
    for sample in samples {
        let Some(expected) = semantics.evaluate(width, &sample) else { continue };
        let found = match run(rule, semantics, width, &sample) {
            Err(EvalError::Width) => return Verdict::NotTried,
            Err(EvalError::Fault(reason)) => reason.to_string(),
            Ok(found) if found == expected => {
                verdict = Verdict::Passed;
                continue;
            }
            Ok(found) => {
                format!("this is {} and should be {}", listed(&found), listed(&expected))
            }
        };
        let sample = shown(rule, semantics, &sample);
        return Verdict::Failed(format!("{sample}{found}, with {} bits", width.0));
    }
    verdict
}

/// Formats results.
fn listed(results: &[i64]) -> String {
    let results: Vec<_> = results.iter().map(i64::to_string).collect();
    results.join(", ")
}

/// Formats a sample.
fn shown(rule: &Rule, semantics: &PatternSemantics, sample: &[i64]) -> String {
    let names = semantics.names.iter().zip(sample).filter_map(|(name, value)| {
        let called = rule.name_of(name.rule_name?);
        Some(match name.kind {
            Kind::Relation => {
                format!("{called} = {}", Relation::of_number(*value).row().symbol)
            }
            Kind::Argument => format!("argument {called} = {value}"),
            _ if name.mode.is_float() => format!("{called} = {}", floats::text(*value)),
            Kind::Value | Kind::Truth | Kind::Number => format!("{called} = {value}"),
        })
    });
    let names: Vec<_> = names.collect();
    if names.is_empty() { String::new() } else { format!("for {}: ", names.join(", ")) }
}

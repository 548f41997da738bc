//! The target machines, and the validation of their rules.
use super::built_in_rules;
use crate::diagnostics::Diagnostic;
use crate::rule_validation::{self, Coverage, validate};
use crate::rules::{self, RuleSet};
use crate::stage::Stage;
use crate::target::Target;
use crate::{ia32, ttc};
use source::Source;

/// A target machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TargetMachine {
    /// IA-32.
    #[default]
    Ia32,
    /// TR, an abstract machine: its last stage is `selected`.
    Tr,
}

impl TargetMachine {
    /// Its built-in rules.
    pub fn built_in_rules(self) -> Source {
        match self {
            TargetMachine::Ia32 => built_in_rules(),
            TargetMachine::Tr => {
                let text = include_str!("../ttc/ttc.rules").to_string();
                Source { name: "ttc.rules".to_string(), text }
            }
        }
    }

    /// Reads a file of rules for this machine.
    ///
    /// # Errors
    /// All errors in the file.
    pub fn rules(self, source: &Source) -> Result<RuleSet, Vec<Diagnostic>> {
        rules::parse(source, self.target())
    }

    fn target(self) -> &'static Target {
        match self {
            TargetMachine::Ia32 => &ia32::TARGET,
            TargetMachine::Tr => &ttc::TARGET,
        }
    }

    /// The last stage of a compilation for this machine.
    pub fn last_stage(self) -> Stage {
        match self {
            TargetMachine::Ia32 => Stage::Elf,
            TargetMachine::Tr => Stage::Selected,
        }
    }
}

/// The result of checking a set of rules.
pub struct Verdict {
    /// Empty, if selection cannot fail with these rules.
    pub diagnostics: Vec<Diagnostic>,
    /// One line about the checks that succeeded.
    pub summary: String,
    /// A picture of the missing patterns, for Graphviz.
    pub dot: String,
}

/// Checks that a set of rules is complete and composable, and validates each rule.
///
/// # Errors
/// All errors in single rules.
pub fn check_rules(source: &Source, machine: TargetMachine) -> Result<Verdict, Vec<Diagnostic>> {
    let checked = rules::check(source, machine.target())?;
    let [rules, patterns, shapes] = checked.counts();
    let mut summary =
        format!("complete and composable: {rules} rules, {patterns} patterns, {shapes} shapes");
    let mut diagnostics = Vec::new();
    let (Coverage { exhaustive, sampled }, refuted) = validate(&checked.rules);
    summary += &format!(
        "; {sampled} rules compute what they say, {exhaustive} of them for all values of few bits"
    );
    diagnostics.extend(refuted.into_iter().map(|it| checked.counterexample(it.rule, it.proof)));
    diagnostics.extend(checked.diagnostics());
    Ok(Verdict { diagnostics, summary: summary + "\n", dot: checked.picture().dot() })
}

/// The text of a file of rules, followed by the rules that make it composable.
///
/// # Errors
/// All errors in single rules, or patterns for which there can be no rule.
pub fn complete_rules(source: &Source, machine: TargetMachine) -> Result<String, Vec<Diagnostic>> {
    rules::check(source, machine.target())?.completed()
}

/// The laws of the peepholes and the built-in rules of IA-32 as questions to an SMT solver. The
/// answer to each has to be `unsat`.
///
/// # Errors
/// All errors in the built-in rules.
pub fn smt_questions() -> Result<String, Vec<Diagnostic>> {
    let rules = TargetMachine::Ia32.rules(&built_in_rules())?;
    Ok(rule_validation::smt_questions(&rules))
}

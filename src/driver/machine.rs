//! The machines that instructions can be selected for, and what can be proved of their rules.
use super::built_in_rules;
use crate::diagnostics::Diagnostic;
use crate::rule_validation::{Coverage, validate};
use crate::rules::target::Target;
use crate::rules::{self, RuleSet};
use crate::stage::Stage;
use crate::{ia32, ttc};
use source::Source;

/// A machine that instructions can be selected for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TargetMachine {
    /// IA-32.
    #[default]
    Ia32,
    /// TR, which is on paper only: its last stage is `selected`.
    Tr,
}

impl TargetMachine {
    /// The rules for it that come with the compiler.
    pub fn built_in_rules(self) -> Source {
        match self {
            TargetMachine::Ia32 => built_in_rules(),
            TargetMachine::Tr => {
                let text = include_str!("../ttc/ttc.rules").to_string();
                Source { name: "ttc.rules".to_string(), text }
            }
        }
    }

    /// Reads a file of rules for it.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub fn rules(self, source: &Source) -> Result<RuleSet, Vec<Diagnostic>> {
        rules::parse(source, self.target())
    }

    fn target(self) -> &'static Target {
        match self {
            TargetMachine::Ia32 => &ia32::TARGET,
            TargetMachine::Tr => &ttc::TARGET,
        }
    }

    /// The last stage of a program that is compiled for it.
    pub fn last_stage(self) -> Stage {
        match self {
            TargetMachine::Ia32 => Stage::Elf,
            TargetMachine::Tr => Stage::Selected,
        }
    }
}

/// What is to be said about a set of rules.
pub struct Verdict {
    /// What is wrong with it; nothing, if selection cannot fail with it.
    pub complaints: Vec<Diagnostic>,
    /// What was proved, one line.
    pub summary: String,
    /// The patterns that are missing, drawn for Graphviz.
    pub dot: String,
}

/// Proves that a file of rules is complete and composable, and that each rule computes what it
/// says.
///
/// # Errors
/// Everything that is wrong with single rules.
pub fn check_rules(source: &Source, machine: TargetMachine) -> Result<Verdict, Vec<Diagnostic>> {
    let checked = rules::check(source, machine.target())?;
    let [rules, patterns, shapes] = checked.counts();
    let mut summary =
        format!("complete and composable: {rules} rules, {patterns} patterns, {shapes} shapes");
    let mut complaints = Vec::new();
    let (Coverage { exhaustive: narrow, sampled: wide }, refuted) = validate(&checked.rules);
    summary += &format!(
        "; {wide} rules compute what they say, {narrow} of them for all values of few bits"
    );
    complaints.extend(refuted.into_iter().map(|it| checked.counterexample(it.rule, it.proof)));
    complaints.extend(checked.diagnostics());
    Ok(Verdict { complaints, summary: summary + "\n", dot: checked.picture().dot() })
}

/// The text of a file of rules, and behind it what makes it composable.
///
/// # Errors
/// Everything that is wrong with single rules, or patterns for which there can be no rule.
pub fn complete_rules(source: &Source, machine: TargetMachine) -> Result<String, Vec<Diagnostic>> {
    rules::check(source, machine.target())?.completed()
}

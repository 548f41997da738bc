//! `sonc rules`: lists the rules, and checks whether selection can fail with them.
use crate::arguments::{Rules, RulesAction};
use crate::files::Failure;
use crate::files::{Outcome, print};
use host::Output;
#[cfg(feature = "ch04")]
use sonc::MachineRule;
use sonc::MachineRules;
use std::path::Path;

/// The width of the column of laws.
const LAW_WIDTH: usize = 55;
impl Rules {
    pub fn execute(self) -> Outcome {
        #[cfg(feature = "ch19")]
        self.check_options()?;
        match self.action {
            RulesAction::List => self.list(),
            #[cfg(feature = "ch19")]
            RulesAction::Check => self.check(),
            #[cfg(feature = "ch19")]
            RulesAction::Complete => self.complete(),
            #[cfg(feature = "ch19")]
            RulesAction::Smt => self.smt(),
        }
    }

    fn list(self) -> Outcome {
        let rules = built_in()?;
        #[cfg(feature = "ch19")]
        let rules = self.target.rules_or(self.file.as_deref(), rules)?;
        let lines = lines(&rules);
        #[cfg(feature = "ch19")]
        if self.file.is_some() {
            return print(&lines);
        }
        print(&rewrites())?;
        print(&lines)
    }
}

/// The names and the texts of the rules; those that a rule with forms stands for are below it.
fn lines(rules: &MachineRules) -> String {
    let mut lines = String::new();
    #[cfg(feature = "ch04")]
    let mut last = None;
    for rule in rules.catalogue() {
        #[cfg(feature = "ch04")]
        {
            lines += &heading(rule, last);
            last = rule.with_forms();
        }
        lines += &format!("{:<20} {}\n", rule.name, rule.text());
    }
    lines
}

/// The written rule, if it has forms and has not been the last one, and the indentation of those
/// that it stands for.
#[cfg(feature = "ch04")]
fn heading(rule: &MachineRule, last: Option<&str>) -> String {
    match rule.with_forms() {
        Some(text) if Some(text) != last => {
            let name = rule.written().next().unwrap_or_default();
            format!("{name:<20} {text}\n  ")
        }
        Some(_) => "  ".to_string(),
        None => String::new(),
    }
}

/// The built-in rules for IA-32.
pub fn built_in() -> Result<MachineRules, Failure> {
    let source = sonc::built_in_rules();
    sonc::machine_rules(&source).map_err(|diagnostics| Failure::Diagnostics(diagnostics, source))
}

/// The rules that rewrite graphs.
fn rewrites() -> String {
    let text = peepholes();
    #[cfg(feature = "ch29")]
    let text = text + &laws(sonc::passes());
    #[cfg(feature = "ch25")]
    let text = text + &laws(sonc::folding_rules());
    #[cfg(feature = "ch28")]
    let text = text + &region_rules();
    text
}
fn peepholes() -> String {
    let mut text = String::new();
    for rule in sonc::peepholes() {
        text += &rewrite(rule.name, rule.law, rule.example);
    }
    text + "\n"
}

/// A rule's name, law and example, which is in a line of its own if the law is long.
fn rewrite(name: &str, law: &str, (before, after): (&str, &str)) -> String {
    let law = law.split_whitespace().collect::<Vec<_>>().join(" ");
    let law = match law.chars().count() > LAW_WIDTH {
        true => format!("{law}\n{:<22}", ""),
        false => format!("{law:<LAW_WIDTH$}"),
    };
    format!("{name:<22} {law} {before} → {after}\n")
}

#[cfg(feature = "ch28")]
fn region_rules() -> String {
    let mut text = String::new();
    for rule in sonc::region_rules() {
        text += &rewrite(rule.name, rule.law, rule.example);
    }
    text + "\n"
}

/// Rules without an example.
#[cfg(feature = "ch25")]
fn laws(rules: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    let lines = rules.map(|(name, law)| format!("{name:<20} {law}\n"));
    lines.collect::<String>() + "\n"
}

#[cfg(feature = "ch19")]
impl Rules {
    /// Options without effect are errors.
    fn check_options(&self) -> Outcome {
        let (draws, writes) = match self.action {
            RulesAction::List => (false, false),
            RulesAction::Check => (true, false),
            RulesAction::Complete => (false, true),
            RulesAction::Smt => (false, false),
        };
        if self.file.is_some() && matches!(self.action, RulesAction::Smt) {
            return Err(Failure::Usage("`rules smt` is about the built-in rules".into()));
        }
        if self.dot.is_some() && !draws {
            return Err(Failure::Usage("only `rules check` draws what is missing".into()));
        }
        if self.output.is_some() && !writes {
            return Err(Failure::Usage("only `rules complete` writes rules".into()));
        }
        Ok(())
    }

    fn smt(&self) -> Outcome {
        let questions = sonc::smt_questions();
        let failure = |it| Failure::Diagnostics(it, sonc::built_in_rules());
        print(&questions.map_err(failure)?)
    }

    fn check(self) -> Outcome {
        // Without `--dot` there is no picture, not even on standard output.
        let picture = self.dot.as_deref().map(|path| self.output(Some(path))).transpose()?;
        let source = self.target.source(self.file.as_deref())?;
        let verdict = sonc::check_rules(&source, self.target.machine());
        let verdict =
            verdict.map_err(|diagnostics| Failure::Diagnostics(diagnostics, source.clone()))?;
        picture.map_or(Ok(()), |picture| picture.write_text(&verdict.dot))?;
        if !verdict.diagnostics.is_empty() {
            return Err(Failure::Diagnostics(verdict.diagnostics, source));
        }
        print(&verdict.summary)
    }

    fn complete(self) -> Outcome {
        let output = self.output(self.output.as_deref())?;
        let source = self.target.source(self.file.as_deref())?;
        match sonc::complete_rules(&source, self.target.machine()) {
            Ok(text) => Ok(output.write_text(&text)?),
            Err(diagnostics) => Err(Failure::Diagnostics(diagnostics, source)),
        }
    }

    fn output(&self, path: Option<&Path>) -> Result<Output, Failure> {
        Ok(Output::new(path, self.file.as_deref().as_slice())?)
    }
}

//! `sonc rules`: lists the rules, and says whether selection can fail with them.
use crate::arguments::{Rules, RulesAction};
use crate::files::{Failure, Outcome, print, read};
#[cfg(feature = "ch19")]
use crate::outputs::Output;
use sonc::{MachineRules, Source};
use std::path::Path;

impl Rules {
    pub fn execute(self) -> Outcome {
        CHECKS.iter().try_for_each(|check| check(&self))?;
        match self.action {
            RulesAction::List => self.list(),
            #[cfg(feature = "ch19")]
            RulesAction::Check => self.check(),
            #[cfg(feature = "ch19")]
            RulesAction::Complete => self.complete(),
        }
    }

    fn list(self) -> Outcome {
        let mut text = String::new();
        for list in LISTS {
            text += &list(&self)?;
        }
        print(&text)
    }
}

/// What is listed, one after the other.
const LISTS: &[fn(&Rules) -> Result<String, Failure>] = &[
    #[cfg(feature = "ch02")]
    |it| Ok(if it.file.is_none() { peepholes() } else { String::new() }),
    #[cfg(feature = "ch25")]
    |it| Ok(if it.file.is_none() { foldings() } else { String::new() }),
    |it| {
        let rules = LISTED[LISTED.len() - 1](it)?;
        Ok(rules.catalogue().map(|it| format!("{:<20} {}\n", it.name, it.text)).collect())
    },
];

#[cfg(feature = "ch02")]
fn peepholes() -> String {
    let mut text = String::new();
    for rule in sonc::peepholes() {
        let (before, after) = rule.example;
        text += &format!("{:<20} {:<44} {before} → {after}\n", rule.name, rule.law);
    }
    text + "\n"
}

#[cfg(feature = "ch25")]
fn foldings() -> String {
    let lines = sonc::foldings().map(|(name, law)| format!("{name:<20} {law}\n"));
    lines.collect::<String>() + "\n"
}

/// Which rules are listed; the last one counts.
const LISTED: &[fn(&Rules) -> Result<MachineRules, Failure>] = &[
    |it| machine_rules(it.file.as_deref()),
    #[cfg(feature = "ch19")]
    Rules::machine_rules,
];

/// What is asked of the command line before anything is done.
const CHECKS: &[fn(&Rules) -> Outcome] = &[
    #[cfg(feature = "ch19")]
    Rules::check_options,
];

#[cfg(feature = "ch19")]
impl Rules {
    /// An option that would mean nothing is a mistake.
    fn check_options(&self) -> Outcome {
        let (draws, writes) = match self.action {
            RulesAction::List => (false, false),
            RulesAction::Check => (true, false),
            RulesAction::Complete => (false, true),
        };
        if self.dot.is_some() && !draws {
            return Err(Failure::Usage("only `rules check` draws what is missing".into()));
        }
        if self.output.is_some() && !writes {
            return Err(Failure::Usage("only `rules complete` writes rules".into()));
        }
        Ok(())
    }

    fn check(self) -> Outcome {
        // Without a path there is no picture, and nothing is printed in its place.
        let picture = self.dot.as_deref().map(|path| self.output(Some(path))).transpose()?;
        let source = self.target.source(self.file.as_deref())?;
        let verdict = sonc::check_rules(&source, self.target.machine());
        let verdict = verdict.map_err(|wrong| Failure::Complaints(wrong, source.clone()))?;
        picture.map_or(Ok(()), |picture| picture.write_text(&verdict.dot))?;
        if !verdict.complaints.is_empty() {
            return Err(Failure::Complaints(verdict.complaints, source));
        }
        print(&verdict.summary)
    }

    fn complete(self) -> Outcome {
        let output = self.output(self.output.as_deref())?;
        let source = self.target.source(self.file.as_deref())?;
        match sonc::complete_rules(&source, self.target.machine()) {
            Ok(text) => output.write_text(&text),
            Err(wrong) => Err(Failure::Complaints(wrong, source)),
        }
    }

    fn output(&self, path: Option<&Path>) -> Result<Output, Failure> {
        Output::new(path, self.file.as_deref().as_slice())
    }
}

/// The rules in a file, or the built-in ones.
pub fn machine_rules(file: Option<&Path>) -> Result<MachineRules, Failure> {
    let source = source(file)?;
    sonc::machine_rules(&source).map_err(|complaints| Failure::Complaints(complaints, source))
}

fn source(file: Option<&Path>) -> Result<Source, Failure> {
    match file {
        Some(path) => read(path),
        None => Ok(sonc::built_in_rules()),
    }
}

//! Reports the patterns that a rule set lacks, and generates rules for them.
use super::RuleSet;
use super::composable::missing;
use super::compose::{Generated, Impossible, compose};
use super::cover::Pieces;
use super::dot::picture;
use super::required_patterns::{MissingPattern, Why};
use crate::chapter::this_chapter;
use crate::diagnostics::{Code, Diagnostic};
use crate::target::Target;
use picture::Picture;
use rule_text::RuleAst;
use source::{Source, Span};
use std::collections::BTreeSet;

/// A rule set, and the patterns that it lacks.
pub struct Checked<'s> {
    source: &'s Source,
    target: &'s Target,
    pub rules: RuleSet,
    trees: Vec<RuleAst>,
    missing: Vec<MissingPattern>,
}

/// Reads rules for `target` and finds the patterns that they lack.
///
/// # Errors
/// All errors of single rules.
pub fn check<'s>(source: &'s Source, target: &'s Target) -> Result<Checked<'s>, Vec<Diagnostic>> {
    let rules = super::parse(source, target)?;
    let (trees, _) = rule_text::rules(&source.text, this_chapter());
    let missing = missing(&rules, &trees);
    Ok(Checked { source, target, rules, trees, missing })
}

impl Checked<'_> {
    /// A diagnostic for each missing pattern.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.missing.iter().map(|need| self.diagnostic(need)).collect()
    }

    /// The diagnostic for a rule that does not compute its pattern.
    pub fn counterexample(&self, rule: usize, proof: String) -> Diagnostic {
        let name = &self.trees[rule].name;
        let message = format!("rule `{}` does not compute its pattern", name.text);
        Diagnostic::new(Code::Rule, name.span, message, proof)
    }

    /// The numbers of rules, of patterns with all orders of their operands, and of the shapes of
    /// these and their parts.
    pub fn counts(&self) -> [usize; 3] {
        let RuleSet { rules, variants, .. } = &self.rules;
        let mut shapes: Vec<_> = variants.iter().flat_map(|it| it.shapes.iter()).collect();
        shapes.sort_unstable();
        shapes.dedup();
        [rules.len(), variants.len(), shapes.len()]
    }

    /// The missing patterns, drawn.
    pub fn picture(&self) -> Picture {
        let title = if self.missing.is_empty() { "nothing is missing" } else { "missing" };
        picture(title, self.missing.iter().map(|need| (&need.guarded, self.describe(need))))
    }

    /// The kind of a missing pattern, and its rule.
    fn describe(&self, need: &MissingPattern) -> String {
        let origin = need.origin.map_or("", |(rule, _)| self.rules.rules[rule].name.as_str());
        match need.why {
            Why::Atomic => "an operation".to_string(),
            Why::Root => format!("a result of {origin}"),
            Why::Part => format!("a part of {origin}"),
            Why::Cut => format!("a cut of {origin}"),
        }
    }

    fn diagnostic(&self, need: &MissingPattern) -> Diagnostic {
        let name = need.origin.map_or("", |(rule, _)| self.rules.rules[rule].name.as_str());
        let (label, help) = match need.why {
            Why::Atomic => return self.missing_atomic(need),
            Why::Root => (
                format!("`{name}` computes this and more at once"),
                "another operation may need one result alone",
            ),
            Why::Part => (
                format!("`{name}` computes this as a part"),
                "another operation may need it in a register",
            ),
            Why::Cut => (
                format!("`{name}` computes this as a part"),
                "the operand may be in a register, or in the instruction of another rule",
            ),
        };
        let place = need.origin.map_or(Span::default(), |(_, place)| place);
        let message = format!("no rule for {}", need.guarded.text());
        Diagnostic::new(Code::Cover, place, message, label).with_help(help)
    }

    /// It points at a rule with the same root, or at the beginning of the file.
    fn missing_atomic(&self, need: &MissingPattern) -> Diagnostic {
        let same = |rule: &super::Rule| rule.pattern.kind == need.guarded.pattern.kind;
        let near = self.rules.rules.iter().position(same);
        let message = format!("no rule for every {}", need.guarded.text());
        let (place, label) = match near {
            Some(rule) => (self.trees[rule].name.span, "this one does not always match"),
            None => (Span::default(), "nowhere in these rules"),
        };
        let help = "an atomic pattern cannot be generated: nothing else computes it";
        Diagnostic::new(Code::Cover, place, message, label).with_help(help)
    }

    /// The text of the rules, followed by rules for all missing patterns.
    ///
    /// # Errors
    /// The patterns for which no rule can be generated.
    pub fn completed(&self) -> Result<String, Vec<Diagnostic>> {
        let atomic = self.missing.iter().filter(|need| need.why == Why::Atomic);
        let atomic: Vec<_> = atomic.map(|need| self.missing_atomic(need)).collect();
        if !atomic.is_empty() {
            return Err(atomic);
        }
        let mut text = self.source.text.clone();
        if self.missing.is_empty() {
            return Ok(text);
        }
        text += if text.is_empty() || text.ends_with('\n') { "\n" } else { "\n\n" };
        text += "# Generated: with these, the rules above are composable.\n";
        let (mut names, mut diagnostics) = (self.names(), Vec::new());
        let pieces = Pieces::new(&self.rules);
        for need in &self.missing {
            match compose((&self.rules, &pieces), &self.trees, self.target, &need.guarded) {
                Ok(generated) => text += &self.rule(need, generated, &mut names),
                Err(impossible) => diagnostics.push(self.not_generated(need, impossible)),
            }
        }
        if diagnostics.is_empty() { Ok(text) } else { Err(diagnostics) }
    }

    fn names(&self) -> BTreeSet<String> {
        self.rules.rules.iter().map(|rule| rule.name.clone()).collect()
    }

    /// A generated rule with a new name, and a comment with its purpose.
    fn rule(
        &self,
        need: &MissingPattern,
        generated: Generated,
        names: &mut BTreeSet<String>,
    ) -> String {
        let Generated { name, text } = generated;
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut all = [name.clone()].into_iter().chain(numbered);
        let name = all.find(|name| !names.contains(name)).expect("numbers do not end");
        names.insert(name.clone());
        let what = self.describe(need);
        wrapped(&format!("# {what}\n{}rule {name}: {text}\n", self.tag()))
    }

    /// If the rules have chapter tags, generated rules get the tag of this chapter.
    fn tag(&self) -> String {
        let tagged = self.trees.iter().any(|tree| tree.tag.is_some());
        if tagged { format!("@ch{:02} ", this_chapter()) } else { String::new() }
    }

    fn not_generated(&self, need: &MissingPattern, impossible: Impossible) -> Diagnostic {
        let diagnostic = self.diagnostic(need);
        diagnostic.with_help(match impossible {
            Impossible::NoCover => "no rules cover it together".to_string(),
            Impossible::TooLarge(reason) => {
                format!("a rule put together from others would be too large: {reason}")
            }
        })
    }
}

/// Breaks lines that are too long after a semicolon.
fn wrapped(text: &str) -> String {
    let mut wrapped = String::new();
    for line in text.lines() {
        let mut length = 0;
        for word in line.split_inclusive("; ") {
            if length > 0 && length + word.trim_end().chars().count() > MAX_LINE {
                wrapped.truncate(wrapped.trim_end().len());
                wrapped += "\n       ";
                length = 7;
            }
            wrapped += word;
            length += word.chars().count();
        }
        wrapped.push('\n');
    }
    wrapped
}

/// The maximal length of a line.
const MAX_LINE: usize = 100;

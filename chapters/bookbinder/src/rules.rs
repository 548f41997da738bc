//! Rule files: one rule per paragraph, `@ch05 rule name: pattern => instructions; …`,
//! `@ch05 peephole name: pattern => replacement; …`, or `@ch05 form name: pattern => result`, an
//! alternative of a form, which may have its own name: `form name/alternative: …`. A rule of the
//! chapters 5 to 19 alone has the tag `@ch05-19`.
//!
//! A rule starts at the start of a line and ends before the next rule, comment or blank line. The
//! comments directly above it (`#` or `//`) belong to it.
use crate::TagError;
use crate::view::{Line, join};
use std::ops::RangeInclusive;

/// The rule file of `chapter`: without tags, and without the rules of other chapters.
pub fn view(text: &str, chapter: u32) -> Result<Vec<(usize, String)>, TagError> {
    let lines: Vec<&str> = text.lines().collect();
    let mut untagged = lines.clone();
    let mut fates = vec![Line::Kept; lines.len()];
    for (at, line) in lines.iter().enumerate() {
        let Some((chapters, rest)) = tag(line) else {
            if line.trim_start().starts_with("@ch") {
                let reason = "a tag is `@chNN` or `@chNN-MM`, before `rule`, `form` or `peephole`";
                return Err(TagError { line: at, reason: reason.to_string() });
            }
            continue;
        };
        untagged[at] = rest;
        if !chapters.contains(&chapter) {
            fates[first_line(&lines, at)..=last_line(&lines, at)].fill(Line::Absent);
        }
    }
    let kept = join(&untagged, &fates).into_iter();
    Ok(kept.map(|(at, line)| (at, line.to_string())).collect())
}

/// The text of the rule called `name`, with the comments above it; or that of all alternatives of
/// the form called `name`.
pub fn find(text: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_form = |line: &str| {
        let form = item(line).filter(|(keyword, _)| *keyword == FORM);
        form.is_some_and(|(_, form)| form.split('/').next() == Some(name))
    };
    let is_found = |line: &str| rule_name(line) == Some(name) || is_form(line);
    let found = (0..lines.len()).filter(|&at| is_found(lines[at]));
    let found = found.flat_map(|at| &lines[first_line(&lines, at)..=last_line(&lines, at)]);
    let found: String = found.flat_map(|line| [line, "\n"]).collect();
    (!found.is_empty()).then_some(found)
}

/// The chapters of a tagged rule, and its first line without the tag.
fn tag(line: &str) -> Option<(RangeInclusive<u32>, &str)> {
    let (chapters, rest) = chapters(line)?;
    let rest = rest.trim_start();
    KEYWORDS.iter().find(|it| rest.starts_with(**it))?;
    Some((chapters, rest))
}

/// The chapters in a tag `@chNN` or `@chNN-MM` at the start of a text, and the text after it.
pub(crate) fn chapters(text: &str) -> Option<(RangeInclusive<u32>, &str)> {
    let (first, rest) = text.strip_prefix("@ch")?.split_at_checked(2)?;
    let (last, rest) = match rest.strip_prefix('-') {
        Some(rest) => rest.split_at_checked(2)?,
        None => ("99", rest),
    };
    Some((first.parse().ok()?..=last.parse().ok()?, rest))
}

/// The words that begin a rule.
const KEYWORDS: [&str; 3] = ["rule ", "peephole ", FORM];

const FORM: &str = "form ";

fn rule_name(line: &str) -> Option<&str> {
    item(line).map(|(_, name)| name)
}

/// The keyword and the name of the item that begins with a line.
fn item(line: &str) -> Option<(&'static str, &str)> {
    let line = tag(line).map_or(line, |(_, rest)| rest);
    let keyword = KEYWORDS.into_iter().find(|it| line.starts_with(it))?;
    line[keyword.len()..].split_once(':').map(|(name, _)| (keyword, name.trim()))
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with(['#']) || line.trim_start().starts_with("//")
}

fn first_line(lines: &[&str], rule: usize) -> usize {
    let comments = lines[..rule].iter().rev().take_while(|it| is_comment(it)).count();
    rule - comments
}

fn last_line(lines: &[&str], rule: usize) -> usize {
    let ends =
        |line: &&str| line.trim().is_empty() || is_comment(line) || rule_name(line).is_some();
    let rest = &lines[rule + 1..];
    rule + rest.iter().position(ends).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str, chapter: u32) -> Result<String, TagError> {
        let lines = super::view(text, chapter)?;
        Ok(lines.iter().flat_map(|(_, line)| [line, "\n"]).collect())
    }

    const FILE: &str = "\
# The rules of a machine.

rule const: Const c => mov d, c; bytes 5

# x + c without a flag.
// And shorter.
@ch04 rule lea-disp: Add(x, Const c)
    => lea d, [x + c]; bytes 3
@ch02 rule add: Add(x, y) => add x, y; bytes 2
";

    #[test]
    fn rules_of_later_chapters_are_removed_with_their_comments() {
        let first = "# The rules of a machine.\n\nrule const: Const c => mov d, c; bytes 5\n";
        assert_eq!(view(FILE, 1).unwrap(), first);
        let add = "rule add: Add(x, y) => add x, y; bytes 2\n";
        assert_eq!(view(FILE, 2).unwrap(), format!("{first}\n{add}"));
        assert_eq!(view(FILE, 4).unwrap(), FILE.replace("@ch04 ", "").replace("@ch02 ", ""));
    }

    #[test]
    fn a_rule_may_have_a_last_chapter() {
        let text = "@ch02-03 rule a: b\n@ch03 rule c: d\n";
        assert_eq!(view(text, 1).unwrap(), "");
        assert_eq!(view(text, 2).unwrap(), "rule a: b\n");
        assert_eq!(view(text, 3).unwrap(), "rule a: b\nrule c: d\n");
        assert_eq!(view(text, 4).unwrap(), "rule c: d\n");
    }

    #[test]
    fn a_rule_is_found_by_its_name() {
        let text = view(FILE, 4).unwrap();
        assert_eq!(find(&text, "add").unwrap(), "rule add: Add(x, y) => add x, y; bytes 2\n");
        let lea = find(&text, "lea-disp").unwrap();
        assert!(lea.starts_with("# x + c") && lea.ends_with("bytes 3\n"), "{lea}");
        assert_eq!(find(&text, "lea"), None);
    }

    #[test]
    fn peepholes_are_rules() {
        let law = "peephole add-zero: Add(x, 0) => x; decreases weight\n";
        let text = format!("@ch02 {law}@ch04 peephole b: c\n");
        assert_eq!(view(&text, 2).unwrap(), law);
        assert_eq!(find(&text, "add-zero").unwrap(), format!("@ch02 {law}"));
    }

    #[test]
    fn a_form_is_quoted_with_all_its_alternatives() {
        let text = "form a: x => x\nrule b: c\n# On top.\n@ch04 form a/d: y\n  => y\n";
        let plain = text.replace("@ch04 ", "");
        assert_eq!(find(&view(text, 3).unwrap(), "a").unwrap(), "form a: x => x\n");
        let all = plain.replace("rule b: c\n", "");
        assert_eq!(find(&view(text, 4).unwrap(), "a").unwrap(), all);
        assert_eq!(find(&plain, "a/d").unwrap(), "# On top.\nform a/d: y\n  => y\n");
    }

    #[test]
    fn a_tag_elsewhere_is_rejected() {
        assert_eq!(view("rule a: B\n  @ch04 => c\n", 4).unwrap_err().line, 1);
        assert_eq!(view("@ch4 rule a: B => c\n", 4).unwrap_err().line, 0);
    }
}

//! The results of a submission, as a table and as JSON.

/// The result of an exercise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Passed,
    Failed,
    /// No check decides it.
    Person,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::Person => "person",
        }
    }
}

/// The row of an exercise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub chapter: u32,
    pub exercise: u32,
    pub verdict: Verdict,
    /// The number of checks that were made, and of those that passed.
    pub checks: usize,
    pub passed: usize,
    pub reason: String,
}

/// A table with a line for each exercise.
pub fn table(rows: &[Row]) -> String {
    let mut text =
        format!("{:>7} {:>8}  {:<6} {:>9}  reason\n", "chapter", "exercise", "", "checks");
    for row in rows {
        let Row { chapter, exercise, checks, passed, reason, .. } = row;
        let count = if *checks == 0 { "-".to_string() } else { format!("{passed}/{checks}") };
        let verdict = row.verdict.name();
        let line = format!("{chapter:>7} {exercise:>8}  {verdict:<6} {count:>9}  {reason}");
        text += &format!("{}\n", line.trim_end());
    }
    let count = |verdict| rows.iter().filter(|it| it.verdict == verdict).count();
    let [passed, failed, person] = [Verdict::Passed, Verdict::Failed, Verdict::Person].map(count);
    text + &format!("{passed} passed, {failed} failed, {person} for a person\n")
}

/// One document of JSON.
pub fn json(rows: &[Row]) -> String {
    let object = |row: &Row| {
        let Row { chapter, exercise, verdict, checks, passed, reason } = row;
        format!(
            "{{\"chapter\":{chapter},\"exercise\":{exercise},\"result\":\"{}\",\
             \"checks\":{checks},\"passed\":{passed},\"reason\":{}}}",
            verdict.name(),
            quoted(reason)
        )
    };
    let rows: Vec<String> = rows.iter().map(object).collect();
    format!("{{\"version\":1,\"exercises\":[\n{}\n]}}\n", rows.join(",\n"))
}

fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            '\n' => literal += "\\n",
            '\0'..='\u{1f}' => literal += &format!("\\u{:04x}", u32::from(character)),
            character => literal.push(character),
        }
    }
    literal + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(exercise: u32, verdict: Verdict, checks: usize, reason: &str) -> Row {
        let passed = if verdict == Verdict::Failed { checks - 1 } else { checks };
        Row { chapter: 1, exercise, verdict, checks, passed, reason: reason.to_string() }
    }

    #[test]
    fn rows_say_whether_an_exercise_passed() {
        let rows = [
            row(1, Verdict::Person, 0, "read it"),
            row(2, Verdict::Passed, 3, ""),
            row(3, Verdict::Failed, 2, "run \"a\": a\\b\n"),
        ];
        let table = table(&rows);
        assert!(table.contains("      1        1  person         -  read it\n"), "{table}");
        assert!(table.contains("      1        2  passed       3/3\n"), "{table}");
        assert!(table.contains("  failed       1/2  run"), "{table}");
        assert!(table.ends_with("1 passed, 1 failed, 1 for a person\n"), "{table}");
        let json = json(&rows);
        assert!(json.contains(r#""result":"passed","checks":3,"passed":3,"reason":""}"#), "{json}");
        assert!(json.contains(r#""reason":"run \"a\": a\\b\n"}"#), "{json}");
    }
}

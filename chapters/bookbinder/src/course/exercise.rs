//! The exercises in the text of a chapter.

/// A numbered exercise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exercise {
    pub number: u32,
    /// The item of the list without its number, as Markdown.
    pub text: String,
}

/// The exercises of a text, in all its sections `Exercises`.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Exercises {
    /// The paragraphs before the lists.
    pub introduction: String,
    pub list: Vec<Exercise>,
}

impl Exercises {
    /// Reads the text of a chapter.
    pub fn of(lesson: &str) -> Exercises {
        let mut found = Exercises::default();
        let (mut in_exercises, mut in_item) = (false, false);
        for line in lesson.lines() {
            if line.starts_with('#') || line.starts_with("[Solutions]") {
                in_exercises = line.starts_with('#') && line.contains("Exercises");
                in_item = false;
            } else if !in_exercises {
                continue;
            } else if let Some((number, text)) = item(line) {
                found.list.push(Exercise { number, text: text.to_string() });
                in_item = true;
            } else {
                found.push(line, in_item);
            }
        }
        found.introduction = found.introduction.trim().to_string();
        for exercise in &mut found.list {
            exercise.text.truncate(exercise.text.trim_end().len());
        }
        found
    }

    fn push(&mut self, line: &str, in_item: bool) {
        let text = match self.list.last_mut().filter(|_| in_item) {
            Some(exercise) => &mut exercise.text,
            None => &mut self.introduction,
        };
        text.extend(["\n", line]);
    }

    pub fn numbers(&self) -> Vec<u32> {
        self.list.iter().map(|it| it.number).collect()
    }
}

/// The number and the text of an item of a list.
pub fn item(line: &str) -> Option<(u32, &str)> {
    let (number, text) = line.split_once(". ")?;
    Some((number.parse().ok()?, text))
}

/// The name of the patch that solves each exercise, by the fences `console changed NAME` of the
/// solutions; the name of the patch that all others share is empty.
pub fn changed(solutions: &str) -> Vec<(u32, String)> {
    let (mut at, mut found) = (None, Vec::new());
    for line in solutions.lines() {
        at = item(line).map(|it| it.0).or(at);
        let name = line.strip_prefix("```console changed").map(str::trim);
        let named = at.zip(name).map(|(number, name)| (number, name.to_string()));
        found.extend(named.filter(|it| !found.contains(it)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_lines_and_lists_their_introduction() {
        let text = "# A\n\n1. none\n\n## Exercises\n\nFirst.\n\n1. B\n   *Check:* c\n2. D\n\n\
                    # Part two\n\n## Exercises\n\n3. E\n\n[Solutions](solutions/README.md)\n\nF\n";
        let found = Exercises::of(text);
        assert_eq!(found.introduction, "First.");
        let texts: Vec<&str> = found.list.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["B\n   *Check:* c", "D", "E"]);
        assert_eq!(found.numbers(), [1, 2, 3]);
    }

    #[test]
    fn exercises_know_their_patch() {
        let text = "1. A\n```console changed a\n```\n2. B\n```console changed\n```\n\
                    ```console changed\n```\n3. C\n```console\n```\n";
        assert_eq!(changed(text), [(1, "a".to_string()), (2, String::new())]);
    }
}

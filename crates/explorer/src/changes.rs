//! The differences between two pages.
use crate::Page;
use std::collections::HashMap;

impl Page {
    /// The lines that were added and removed in each stage since the page `last`.
    pub fn changes(&self, last: &Page) -> String {
        let mut text = String::new();
        for stage in &self.stages {
            let before = last.stages.iter().find(|it| it.name == stage.name);
            let before = before.map_or("", |it| &it.listing);
            let [added, removed] = [(&stage.listing[..], before), (before, &stage.listing)]
                .map(|(one, other)| lines_only_in(one, other));
            if added + removed > 0 {
                text += &format!("{:<10} +{added} −{removed} lines\n", stage.name);
            }
        }
        text
    }
}

/// How many lines one text has that another has not.
fn lines_only_in(one: &str, other: &str) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    other.lines().for_each(|line| *counts.entry(line).or_default() += 1);
    let lines = one.lines().filter(|line| match counts.get_mut(*line) {
        Some(count @ 1..) => {
            *count -= 1;
            false
        }
        _ => true,
    });
    lines.count()
}

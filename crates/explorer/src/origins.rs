//! Places in the source text.
use crate::Stage;
use picture::Picture;
use std::collections::HashMap;
use std::ops::Range;

/// Translates bytes of a text to units of UTF-16, in which a browser counts.
pub struct Units {
    /// For each byte, the number of units before its character.
    before: Vec<usize>,
}

impl Units {
    pub fn new(source: &str) -> Units {
        let mut before = Vec::with_capacity(source.len() + 1);
        let mut units = 0;
        for character in source.chars() {
            before.extend(std::iter::repeat_n(units, character.len_utf8()));
            units += character.len_utf16();
        }
        before.push(units);
        Units { before }
    }

    /// The name of a range in the page: `4-7`.
    pub fn name(&self, range: &Range<usize>) -> String {
        let last = self.before.len() - 1;
        let [start, end] = [range.start, range.end].map(|at| self.before[at.min(last)]);
        format!("{start}-{end}")
    }
}

/// The places of the nodes of a picture.
pub fn by_name(picture: &Picture) -> HashMap<&str, &Range<usize>> {
    picture.origins.iter().map(|(name, origin)| (name.as_str(), origin)).collect()
}

/// The places of the lines of a stage: those given, or those of the nodes or cells (`node:port`)
/// that they begin with.
pub fn of_lines(stage: &Stage, units: &Units) -> Vec<Vec<String>> {
    if !stage.lines.is_empty() {
        let names = |it: &Vec<Range<usize>>| it.iter().map(|it| units.name(it)).collect();
        return stage.lines.iter().map(names).collect();
    }
    let Some(picture) = &stage.picture else { return Vec::new() };
    let origins = by_name(picture);
    let line = |line: &str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        origins
            .get(word.trim_end_matches(':'))
            .map(|origin| units.name(origin))
            .into_iter()
            .collect()
    };
    stage.listing.lines().map(line).collect()
}

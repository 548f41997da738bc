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

/// Adds the places of instructions to a picture of code. A cell with the port `i7` is instruction 7
/// of its function; `functions` has the places of the instructions of each function. In the picture
/// of several functions, the names of nodes begin with the number of the function: `f1_b0`.
pub fn add_instructions(picture: &mut Picture, functions: &[Vec<Vec<Range<usize>>>]) {
    for node in &picture.nodes {
        let function = node.name.strip_prefix('f').and_then(|it| it.split('_').next());
        let function = function.and_then(|it| it.parse().ok()).unwrap_or(0);
        let Some(instructions) = functions.get::<usize>(function) else { continue };
        for port in node.rows.iter().flatten().filter_map(|cell| cell.port.as_ref()) {
            let number = port.strip_prefix('i').and_then(|number| number.parse().ok());
            let places = number.and_then(|number: usize| instructions.get(number));
            let name = format!("{}:{port}", node.name);
            let places = places.into_iter().flatten();
            picture.origins.extend(places.map(|place| (name.clone(), place.clone())));
        }
    }
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

//! Suggestions for unknown names.

/// The candidate most similar to `name`, if it is similar enough for a typing error.
pub fn closest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    if name.len() > MAX_NAME_LENGTH {
        return None;
    }
    let measured = candidates.map(|candidate| (edit_distance(name, candidate), candidate));
    let (distance, closest) = measured.min_by_key(|&(distance, _)| distance)?;
    let limit = name.len().max(3) / 3;
    (distance <= limit && closest != name).then_some(closest)
}

/// Longer names are not compared: that would be slow.
const MAX_NAME_LENGTH: usize = 40;

/// The Levenshtein distance: the fewest letters to insert, delete or change to turn `a` into `b`
/// (V. Levenshtein, 1965).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (above, letter) in a.chars().enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for at in 0..b.len() {
            let changed = diagonal + usize::from(letter != b[at]);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
#[path = "tests/closest.rs"]
mod tests;

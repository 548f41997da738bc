//! Suggestions for unknown names.

/// The candidate most similar to `name`, if it is similar enough for a typing error.
pub fn closest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    if !(2..=MAX_NAME_LENGTH).contains(&name.len()) {
        return None;
    }
    let measured = candidates.map(|candidate| (edit_distance(name, candidate), candidate));
    let (distance, closest) = measured.min_by_key(|&(distance, _)| distance)?;
    let limit = name.len().max(3) / 3;
    (distance <= limit && closest != name).then_some(closest)
}

/// Longer names are not compared: that would be slow. A single letter is similar to all others.
const MAX_NAME_LENGTH: usize = 40;

/// The fewest letters to insert, delete or change, or to exchange with the next one, to turn `a`
/// into `b` (F. Damerau, 1964; V. Levenshtein, 1965).
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            let exchanges = i > 1 && j > 1 && a[i - 2..i] == [b[j - 1], b[j - 2]];
            row.push(if exchanges { least.min(rows[i - 2][j - 2] + 1) } else { least });
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
#[path = "tests/closest.rs"]
mod tests;

//! Tables of constants in several parts.

/// The number of rows of all parts.
pub const fn total<T>(parts: &[&[T]]) -> usize {
    let (mut count, mut part) = (0, 0);
    while part < parts.len() {
        (count, part) = (count + parts[part].len(), part + 1);
    }
    count
}

/// The rows of all parts, as one table for a constant. `N` is their total; the first part is not
/// empty.
pub const fn concatenated<T: Copy, const N: usize>(parts: &[&[T]]) -> [T; N] {
    let mut rows = [parts[0][0]; N];
    let (mut part, mut at, mut row) = (0, 0, 0);
    while at < N {
        if row == parts[part].len() {
            (part, row) = (part + 1, 0);
        } else {
            rows[at] = parts[part][row];
            (at, row) = (at + 1, row + 1);
        }
    }
    rows
}

#[cfg(test)]
#[path = "tests/tables.rs"]
mod tests;

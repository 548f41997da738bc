//! A table with a row for each line of a code and a column for each of its values.
use crate::{Cell, Kind};

/// A set of values: bit n is that of column n.
pub type Columns = u128;

/// A line of a code.
pub struct LiveLine {
    /// The line itself.
    pub text: String,
    /// The values that it reads.
    pub reads: Columns,
    /// The values that it writes.
    pub writes: Columns,
}

impl LiveLine {
    /// The live values before the line, from those after it.
    pub fn live_before(&self, live_after: Columns) -> Columns {
        live_after & !self.writes | self.reads
    }
}

/// The rows of a table: first `title` and the names of the columns, then the lines, with a bar in
/// the column of a value while it is live. `live_out` are the live values after the last line. Only
/// columns with something in them are shown, and at most `max_columns` of them.
pub fn live_table(
    title: &str,
    names: &[String],
    lines: &[LiveLine],
    live_out: Columns,
    max_columns: usize,
) -> Vec<Vec<Cell>> {
    let mut live = live_out;
    let mut touched = 0;
    let mut after = Vec::with_capacity(lines.len());
    for line in lines.iter().rev() {
        after.push(live);
        touched |= live | line.reads | line.writes;
        live = line.live_before(live);
    }
    let shown = (0..names.len()).filter(|at| touched >> at & 1 == 1).take(max_columns);
    let shown = shown.collect::<Vec<_>>();
    let head = |name: &str| Cell::new(name, Kind::Control);
    let heads = shown.iter().map(|&at| head(&names[at]));
    let mut rows = vec![std::iter::once(head(title)).chain(heads).collect()];
    for (line, live) in lines.iter().zip(after.into_iter().rev()) {
        let cells = shown.iter().map(|&at| cell(line, live, 1 << at));
        rows.push(std::iter::once(head(&line.text)).chain(cells).collect());
    }
    rows
}

/// Whether a line reads or writes a value, and whether the value is live after it.
fn cell(line: &LiveLine, live: Columns, value: Columns) -> Cell {
    let [reads, writes, is_live] = [line.reads, line.writes, live].map(|set| set & value != 0);
    let text = match (reads, writes, is_live) {
        (true, true, _) => "read, write",
        (true, false, _) => "read",
        (false, true, _) => "write",
        (false, false, true) => "|",
        (false, false, false) => "",
    };
    Cell { highlighted: is_live || reads, ..Cell::new(text, Kind::Data) }
}

#[cfg(test)]
#[path = "tests/live_table.rs"]
mod tests;

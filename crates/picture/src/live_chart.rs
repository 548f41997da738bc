//! The same as a text: a line for each line of a code, a bar for each value while it is live.

/// Each line of a code with its number, and the bars of the values. Lines are numbered 0, 2, 4, …:
/// a value is read at the number of a line and written at the next number. `is_live(column, at)`
/// is whether a value is live there.
pub fn live_chart(
    lines: &[String],
    names: &[String],
    is_live: impl Fn(usize, u32) -> bool,
) -> String {
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let heads = names.iter().map(|name| format!(" {name:>3}")).collect::<String>();
    let mut chart = format!("{:>4}  {:width$}{heads}\n", "", "");
    for (line, at) in lines.iter().zip((0..).step_by(2)) {
        let mark = |column| match [at, at + 1].map(|at| is_live(column, at)) {
            [true, true] => '│',
            [true, false] => '╵',
            [false, true] => '╷',
            [false, false] => ' ',
        };
        let marks = (0..names.len()).map(|column| format!("   {}", mark(column)));
        let line = format!("{at:>4}  {line:width$}{}", marks.collect::<String>());
        chart += line.trim_end();
        chart += "\n";
    }
    chart
}

#[cfg(test)]
#[path = "tests/live_chart.rs"]
mod tests;

//! Tests of `live_chart.rs`.
use super::*;

#[test]
fn bars_are_drawn_from_writes_to_reads() {
    let (lines, names) = (["a = 1", "b = a + 2", "f(b)"], ["a", "b"]);
    let spans = [1..3, 3..5];
    let chart = live_chart(&lines.map(String::from), &names.map(String::from), |column, at| {
        spans[column].contains(&at)
    });
    let expected = [
        "                  a   b",
        "   0  a = 1       ╷",
        "   2  b = a + 2   ╵   ╷",
        "   4  f(b)            ╵",
    ];
    assert_eq!(chart.lines().collect::<Vec<_>>(), expected);
}

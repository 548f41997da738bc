//! Tests of `live_table.rs`.
use super::*;

#[test]
fn a_bar_leads_from_a_write_to_the_last_read() {
    let names = ["a", "b", "c"].map(String::from);
    let lines = [("a = 1", 0b000, 0b001), ("c = 2", 0b000, 0b100), ("a = a + c", 0b101, 0b001)];
    let lines = lines.map(|(text, reads, writes)| LiveLine { text: text.into(), reads, writes });
    let rows = live_table("t", &names, &lines, 0b001, 9);
    let texts = rows.iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect());
    let texts: Vec<Vec<_>> = texts.collect();
    let expected = [
        ["t", "a", "c"],
        ["a = 1", "write", ""],
        ["c = 2", "|", "write"],
        ["a = a + c", "read, write", "read"],
    ];
    assert_eq!(texts, expected);
    let highlighted = rows[3].iter().map(|cell| cell.highlighted).collect::<Vec<_>>();
    assert_eq!(highlighted, [false, true, true]);
    assert_eq!(live_table("t", &names, &lines, 0b001, 1)[0].len(), 2);
}

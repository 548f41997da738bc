//! Tests of `dot.rs`.
use super::*;
use crate::ia32::parse_assembly::{allocated, selected};

/// The rows of the table: texts, with a star where a cell is highlighted.
fn rows(picture: &Picture, table: usize) -> Vec<String> {
    let text = |cell: &Cell| format!("{}{}", cell.text, if cell.highlighted { "*" } else { "" });
    let row = |row: &Vec<Cell>| row.iter().map(text).collect::<Vec<_>>().join(" ");
    picture.nodes[table].rows.iter().map(row).collect()
}

#[test]
fn bars_extend_from_definition_to_last_use() {
    let code = selected("mov v0,1; mov v1,2; mov eax,v1; add eax,v0; ret");
    let picture = picture(&code);
    assert_eq!(picture.title, "selected");
    assert_eq!(
        rows(&picture, 0),
        [
            " eax v0 v1",
            "mov v0,0x1  write* ",
            "mov v1,0x2  |* write*",
            "mov eax,v1 write* |* read*",
            "add eax,v0 read, write* read* ",
            "ret read*  ",
        ]
    );
}

#[test]
fn an_unused_result_is_not_highlighted() {
    let code = allocated("mov eax,1; sub esp,4; mov ecx,2; add esp,4; ret");
    assert_eq!(rows(&picture(&code), 0)[3], "mov ecx,0x2 |* write");
}

#[test]
fn omitted_registers_and_instructions_are_counted() {
    let code = (0..1000).map(|n| format!("mov v{n},{n};")).collect::<String>();
    let picture = picture(&selected(&code));
    assert_eq!(picture.title, "selected: 24 of 1000 registers");
    assert_eq!(picture.nodes[0].rows.len(), 202);
    assert_eq!(rows(&picture, 0)[201], "… 800 more instructions");
}

#[cfg(feature = "ch05")]
#[test]
fn each_block_is_a_table_with_edges_from_jumps_to_it() {
    let code = selected(
        "b0: mov v0,1; mov v1,9; jmp b1(v0); b1@1(v2): cmp v2,v1; jl b2; jmp b3; \
             b2@1: mov v3,v2; inc v3; jmp b1(v3); b3: mov eax,v2; ret",
    );
    let picture = picture(&code);
    let table = |at: usize| rows(&picture, at);
    assert_eq!(
        table(1),
        ["b1(v2), in a loop v1 v2", "cmp v2,v1 read* read*", "jl b2 |* |*", "jmp b3 |* |*",]
    );
    assert_eq!(table(2)[3], "jmp b1(v3) |*  |*");
    let end = |end: &picture::Endpoint| {
        let port = end.port.iter().map(|port| format!(":{port}"));
        end.node.clone() + &port.collect::<String>()
    };
    let edges = picture.edges.iter().map(|edge| (end(&edge.from), end(&edge.to)));
    let expected = [("b1", "b0:i2"), ("b2", "b1:i4"), ("b3", "b1:i5"), ("b2:i8", "b1")];
    assert!(edges.eq(expected.map(|(from, to)| (from.to_string(), to.to_string()))));
}

#[cfg(feature = "ch05")]
#[test]
fn omitted_blocks_are_counted() {
    let blocks = (1..1000).map(|n| format!("b{n}: mov v{n},v0; jmp b{}; ", n + 1));
    let code = format!("b0: mov v0,1; jmp b1; {} b1000: ret", blocks.collect::<String>());
    let picture = picture(&selected(&code));
    assert_eq!(picture.nodes.len(), 101);
    assert_eq!(picture.nodes[100].rows[0][0].text, "… 901 more blocks");
}

//! Code as a picture: a row per instruction, a column per register, a bar while it is needed.
use crate::base::picture::{Cell, Kind, Node, Picture};
use crate::ia32::code::{Code, Form, Inst};
use crate::ia32::reg::Register;

/// What still fits on a page.
const COLUMNS: usize = 24;
const ROWS: usize = 200;

pub fn picture(code: &Code) -> Picture {
    let mut columns = registers(code);
    let all = columns.len();
    columns.truncate(COLUMNS);
    let mut rows = vec![head(&columns)];
    for (inst, needed) in code.instructions.iter().zip(needed(code, &columns)).take(ROWS) {
        rows.push(row(inst, &columns, needed));
    }
    let left_out = code.instructions.len().saturating_sub(ROWS);
    if left_out > 0 {
        rows.push(vec![Cell::new(format!("… {left_out} more instructions"), Kind::Control)]);
    }
    let mut picture = Picture::new(title(code.form, columns.len(), all));
    picture.nodes.push(Node { name: "code".into(), kind: Kind::Control, rows, group: None });
    picture
}

fn title(form: Form, shown: usize, all: usize) -> String {
    let form = match form {
        Form::Selected => "selected",
        Form::Allocated => "allocated",
    };
    if shown < all { format!("{form}: {shown} of {all} registers") } else { form.into() }
}

/// The registers the code names or means, by their numbers.
fn registers(code: &Code) -> Vec<Register> {
    let mut registers = code
        .instructions
        .iter()
        .flat_map(|inst| inst.reads().chain(inst.writes()))
        .collect::<Vec<_>>();
    registers.sort_unstable();
    registers.dedup();
    registers
}

/// For each instruction the columns whose value is needed after it: bit n is column n.
fn needed(code: &Code, columns: &[Register]) -> Vec<u32> {
    let bit = |register: Register| columns.binary_search(&register).map_or(0, |at| 1u32 << at);
    let mut live = 0;
    let mut after = Vec::with_capacity(code.instructions.len());
    for inst in code.instructions.iter().rev() {
        after.push(live);
        live &= !inst.writes().map(bit).fold(0, |all, one| all | one);
        live |= inst.reads().map(bit).fold(0, |all, one| all | one);
    }
    after.reverse();
    after
}

fn head(columns: &[Register]) -> Vec<Cell> {
    let names = columns.iter().map(|register| Cell::new(register.to_string(), Kind::Control));
    std::iter::once(Cell::new("", Kind::Control)).chain(names).collect()
}

/// The instruction, and for each register whether it is read, written or just kept.
fn row(inst: &Inst, columns: &[Register], needed: u32) -> Vec<Cell> {
    let mut cells = vec![Cell::new(inst.to_string(), Kind::Control)];
    for (at, &register) in columns.iter().enumerate() {
        let reads = inst.reads().any(|read| read == register);
        let writes = inst.writes().any(|written| written == register);
        let kept = needed >> at & 1 == 1;
        let text = match (reads, writes, kept) {
            (true, true, _) => "read, write",
            (true, false, _) => "read",
            (false, true, _) => "write",
            (false, false, true) => "|",
            (false, false, false) => "",
        };
        cells.push(Cell { marked: kept || reads, ..Cell::new(text, Kind::Data) });
    }
    cells
}

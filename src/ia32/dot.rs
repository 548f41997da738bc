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

/// The registers the code names or means, by their numbers; esp is needed all the time.
fn registers(code: &Code) -> Vec<Register> {
    let mut registers = code
        .instructions
        .iter()
        .flat_map(|inst| inst.reads().chain(inst.writes()))
        .filter(|&register| register != Register::ESP)
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

#[cfg(test)]
#[cfg(feature = "ch04")]
mod tests {
    use super::*;
    use crate::ia32::read::{allocated, selected};

    /// The rows of the table: texts, with a star where a cell is marked.
    fn rows(picture: &Picture) -> Vec<String> {
        let text = |cell: &Cell| format!("{}{}", cell.text, if cell.marked { "*" } else { "" });
        let row = |row: &Vec<Cell>| row.iter().map(text).collect::<Vec<_>>().join(" ");
        picture.nodes[0].rows.iter().map(row).collect()
    }

    #[test]
    fn bars_reach_from_writer_to_last_reader() {
        let code = selected("mov v0,1; mov v1,2; mov eax,v1; add eax,v0; ret");
        let picture = picture(&code);
        assert_eq!(picture.title, "selected");
        assert_eq!(
            rows(&picture),
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
    fn a_result_that_nobody_reads_is_not_marked() {
        let code = allocated("mov eax,1; sub esp,4; mov ecx,2; add esp,4; ret");
        assert_eq!(rows(&picture(&code))[3], "mov ecx,0x2 |* write");
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let code = (0..1000).map(|n| format!("mov v{n},{n};")).collect::<String>();
        let picture = picture(&selected(&code));
        assert_eq!(picture.title, "selected: 24 of 1000 registers");
        assert_eq!(picture.nodes[0].rows.len(), 202);
        assert_eq!(rows(&picture)[201], "… 800 more instructions");
    }
}

//! Code as a picture: a row per instruction, a column per register, a bar while it is needed.
//!
//! Of several blocks each is a table, with an edge to it from each jump that leads there.
#[cfg(feature = "ch05")]
use crate::ia32::code::BlockId;
use crate::ia32::code::{Code, Form, Instruction};
#[cfg(feature = "ch05")]
use crate::ia32::print::head;
use crate::ia32::register::Register;
#[cfg(feature = "ch05")]
use arena::Id;
use picture::{Cell, Kind, Node, Picture};
use std::ops::Range;

/// What still fits on a page: registers in a table, instructions in the picture.
const COLUMNS: usize = 24;
const ROWS: usize = 200;

pub fn picture(code: &Code) -> Picture {
    #[cfg(feature = "ch05")]
    if code.blocks.len() > 1 {
        return many_tables(code);
    }
    one_table(code)
}

fn one_table(code: &Code) -> Picture {
    let mut columns = registers(code.instructions.iter().flat_map(named).collect());
    let all = columns.len();
    columns.truncate(COLUMNS);
    let tables = Tables { code, columns };
    let count = code.instructions.len();
    let mut rows = tables.table("", 0..count, 0);
    if count > ROWS {
        let more = format!("… {} more instructions", count - ROWS);
        rows.push(vec![Cell::new(more, Kind::Control)]);
    }
    let mut picture = Picture::new(tables.title(all));
    picture.nodes.push(Node { name: "code".into(), kind: Kind::Control, rows, cluster: None });
    picture
}

fn named(instruction: &Instruction) -> impl Iterator<Item = Register> + use<> {
    instruction.reads().chain(instruction.writes())
}

/// By their numbers; esp is needed all the time.
fn registers(mut named: Vec<Register>) -> Vec<Register> {
    named.retain(|&register| register != Register::ESP);
    named.sort_unstable();
    named.dedup();
    named
}

/// Code, and the registers whose values are followed: bit n of a set is column n.
struct Tables<'c> {
    code: &'c Code,
    columns: Vec<Register>,
}

type Set = u128;

impl Tables<'_> {
    fn title(&self, all: usize) -> String {
        let form = match self.code.form {
            Form::Selected => "selected",
            Form::Allocated => "allocated",
        };
        let shown = self.columns.len();
        if shown < all { format!("{form}: {shown} of {all} registers") } else { form.into() }
    }

    /// What is needed behind the instructions is `behind`.
    fn table(&self, name: &str, range: Range<usize>, behind: Set) -> Vec<Vec<Cell>> {
        let instructions = &self.code.instructions[range];
        let needed = self.needed(instructions, behind);
        let touched = instructions.iter().zip(&needed).fold(0, |all, (instruction, needed)| {
            all | needed | self.set(instruction.reads()) | self.set(instruction.writes())
        });
        let shown = |at: &usize| touched >> at & 1 == 1;
        let shown = (0..self.columns.len()).filter(shown).take(COLUMNS).collect::<Vec<_>>();
        let names = shown.iter().map(|&at| self.columns[at].to_string());
        let names = std::iter::once(name.to_string()).chain(names);
        let mut rows = vec![names.map(|name| Cell::new(name, Kind::Control)).collect()];
        for (instruction, needed) in instructions.iter().zip(needed).take(ROWS) {
            rows.push(self.row(instruction, &shown, needed));
        }
        rows
    }

    fn set(&self, registers: impl Iterator<Item = Register>) -> Set {
        let bit = |register| self.columns.binary_search(&register).map_or(0, |at| 1 << at);
        registers.map(bit).fold(0, |all, one: Set| all | one)
    }

    /// What is needed after each instruction.
    fn needed(&self, instructions: &[Instruction], behind: Set) -> Vec<Set> {
        let mut live = behind;
        let mut after = Vec::with_capacity(instructions.len());
        for instruction in instructions.iter().rev() {
            after.push(live);
            live = live & !self.set(instruction.writes()) | self.set(instruction.reads());
        }
        after.reverse();
        after
    }

    /// The instruction, and for each register whether it is read, written or just kept.
    fn row(&self, instruction: &Instruction, shown: &[usize], needed: Set) -> Vec<Cell> {
        let mut cells = vec![Cell::new(instruction.to_string(), Kind::Control)];
        for &at in shown {
            let register = self.columns[at];
            let reads = instruction.reads().any(|read| read == register);
            let writes = instruction.writes().any(|written| written == register);
            let kept = needed >> at & 1 == 1;
            let text = match (reads, writes, kept) {
                (true, true, _) => "read, write",
                (true, false, _) => "read",
                (false, true, _) => "write",
                (false, false, true) => "|",
                (false, false, false) => "",
            };
            cells.push(Cell { highlighted: kept || reads, ..Cell::new(text, Kind::Data) });
        }
        cells
    }
}

/// So many blocks are drawn that their instructions fit on a page.
#[cfg(feature = "ch05")]
fn many_tables(code: &Code) -> Picture {
    let blocks = code.blocks.ids().filter(|&id| code.range(id).end <= ROWS).collect::<Vec<_>>();
    let handed = |id: &BlockId| [&code.blocks[*id].parameters[..], &code.blocks[*id].arguments];
    let handed = blocks.iter().flat_map(handed).flatten().copied();
    let shown = blocks.last().map_or(0, |&last| code.range(last).end);
    let named = code.instructions[..shown].iter().flat_map(named);
    let mut columns = registers(named.chain(handed).collect());
    let all = columns.len();
    columns.truncate(Set::BITS as usize);
    let tables = Tables { code, columns };
    let behind = tables.behind(&blocks);
    let mut picture = Picture::new(tables.title(all));
    for (&block, behind) in blocks.iter().zip(behind) {
        tables.draw(block, behind, &mut picture);
    }
    if blocks.len() < code.blocks.len() {
        let more = format!("… {} more blocks", code.blocks.len() - blocks.len());
        picture.node("more", more, Kind::Control);
    }
    for &block in &blocks {
        for next in code.successors(block).filter(|next| next.index() < blocks.len()) {
            let jump = |at: &usize| code.instructions[*at].target() == Some(next);
            let from = code.range(block).find(jump).unwrap_or(code.range(block).end - 1);
            let from = picture::Endpoint { node: name(block), port: Some(port(from)) };
            picture.control_edge(from, picture::Endpoint::node(name(next)), next <= block);
        }
    }
    picture
}

#[cfg(feature = "ch05")]
fn name(block: BlockId) -> String {
    format!("b{}", block.index())
}

#[cfg(feature = "ch05")]
fn port(at: usize) -> String {
    format!("i{at}")
}

#[cfg(feature = "ch05")]
impl Tables<'_> {
    /// What is needed behind each block. Sets grow until they fit each other.
    fn behind(&self, blocks: &[BlockId]) -> Vec<Set> {
        let mut before = vec![0; self.code.blocks.len()];
        let mut behind = vec![0; blocks.len()];
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for &id in blocks.iter().rev() {
                let block = &self.code.blocks[id];
                let next = self.code.successors(id).map(|next| before[next.index()]);
                let end = next.fold(self.set(block.arguments.iter().copied()), |all, it| all | it);
                let instructions = &self.code.instructions[self.code.range(id)];
                let start = instructions.iter().rev().fold(end, |live, instruction| {
                    live & !self.set(instruction.writes()) | self.set(instruction.reads())
                });
                let start = start & !self.set(block.parameters.iter().copied());
                grows |= before[id.index()] != start;
                (before[id.index()], behind[id.index()]) = (start, end);
            }
        }
        behind
    }

    fn draw(&self, id: BlockId, behind: Set, picture: &mut Picture) {
        let range = self.code.range(id);
        let block = &self.code.blocks[id];
        let loops = match block.depth {
            0 => String::new(),
            1 => ", in a loop".into(),
            depth => format!(", in {depth} loops"),
        };
        let title = format!("{}{loops}", head(id, &block.parameters));
        let mut rows = self.table(&title, range.clone(), behind);
        for (row, at) in rows[1..].iter_mut().zip(range) {
            row[0].port = Some(port(at));
            row[0].text = self.code.instruction_text(id, at);
        }
        picture.nodes.push(Node { name: name(id), kind: Kind::Control, rows, cluster: None });
    }
}

#[cfg(test)]
#[cfg(feature = "ch04")]
mod tests {
    use super::*;
    use crate::ia32::parse_assembly::{allocated, selected};

    /// The rows of the table: texts, with a star where a cell is highlighted.
    fn rows(picture: &Picture, table: usize) -> Vec<String> {
        let text =
            |cell: &Cell| format!("{}{}", cell.text, if cell.highlighted { "*" } else { "" });
        let row = |row: &Vec<Cell>| row.iter().map(text).collect::<Vec<_>>().join(" ");
        picture.nodes[table].rows.iter().map(row).collect()
    }

    #[test]
    fn bars_reach_from_writer_to_last_reader() {
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
    fn a_result_that_nobody_reads_is_not_marked() {
        let code = allocated("mov eax,1; sub esp,4; mov ecx,2; add esp,4; ret");
        assert_eq!(rows(&picture(&code), 0)[3], "mov ecx,0x2 |* write");
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let code = (0..1000).map(|n| format!("mov v{n},{n};")).collect::<String>();
        let picture = picture(&selected(&code));
        assert_eq!(picture.title, "selected: 24 of 1000 registers");
        assert_eq!(picture.nodes[0].rows.len(), 202);
        assert_eq!(rows(&picture, 0)[201], "… 800 more instructions");
    }

    #[cfg(feature = "ch05")]
    #[test]
    fn each_block_is_a_table_with_edges_from_the_jumps_that_lead_to_it() {
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
    fn blocks_that_do_not_fit_are_counted() {
        let blocks = (1..1000).map(|n| format!("b{n}: mov v{n},v0; jmp b{}; ", n + 1));
        let code = format!("b0: mov v0,1; jmp b1; {} b1000: ret", blocks.collect::<String>());
        let picture = picture(&selected(&code));
        assert_eq!(picture.nodes.len(), 101);
        assert_eq!(picture.nodes[100].rows[0][0].text, "… 901 more blocks");
    }
}

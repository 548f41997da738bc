//! Draws code as a table: a row per instruction, a column per register, a bar while the register is
//! live.
//!
//! Each of several blocks is a table, with an edge from each jump to its target.
#[cfg(feature = "ch26")]
use crate::ia32::Program;
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

/// The limits of a readable picture: registers in a table, instructions in total.
const MAX_COLUMNS: usize = 24;
const MAX_ROWS: usize = 200;

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
    columns.truncate(MAX_COLUMNS);
    let tables = Tables { code, columns };
    let count = code.instructions.len();
    let mut rows = tables.table("", 0..count, 0);
    for (row, at) in rows[1..].iter_mut().zip(0..) {
        row[0].port = Some(port(at));
    }
    if count > MAX_ROWS {
        let more = format!("… {} more instructions", count - MAX_ROWS);
        rows.push(vec![Cell::new(more, Kind::Control)]);
    }
    let mut picture = Picture::new(tables.title(all)).with_highlight("live");
    picture.nodes.push(Node { name: "code".into(), kind: Kind::Control, rows, cluster: None });
    picture
}

fn named(instruction: &Instruction) -> impl Iterator<Item = Register> {
    instruction.reads().chain(instruction.writes())
}

/// The port of an instruction.
fn port(at: usize) -> String {
    format!("i{at}")
}

/// Sorts registers by number, without esp, which is always live.
fn registers(mut named: Vec<Register>) -> Vec<Register> {
    named.retain(|&register| register != Register::ESP);
    named.sort_unstable();
    named.dedup();
    named
}

/// Several functions.
#[cfg(feature = "ch26")]
pub fn functions(program: &Program) -> Picture {
    let parts = program.functions.iter().map(|code| (code.name.clone(), picture(code)));
    Picture::of_parts("functions", parts)
}

/// Code, and the registers that are shown: bit n of a set is column n.
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

    /// The table of a range; `live_out` are the live registers at its end.
    fn table(&self, name: &str, range: Range<usize>, live_out: Set) -> Vec<Vec<Cell>> {
        let instructions = &self.code.instructions[range];
        let live = self.live_after(instructions, live_out);
        let touched = instructions.iter().zip(&live).fold(0, |all, (instruction, live)| {
            all | live | self.set(instruction.reads()) | self.set(instruction.writes())
        });
        let shown = |at: &usize| touched >> at & 1 == 1;
        let shown = (0..self.columns.len()).filter(shown).take(MAX_COLUMNS).collect::<Vec<_>>();
        let names = shown.iter().map(|&at| self.columns[at].to_string());
        let names = std::iter::once(name.to_string()).chain(names);
        let mut rows = vec![names.map(|name| Cell::new(name, Kind::Control)).collect()];
        for (instruction, live) in instructions.iter().zip(live).take(MAX_ROWS) {
            rows.push(self.row(instruction, &shown, live));
        }
        rows
    }

    fn set(&self, registers: impl Iterator<Item = Register>) -> Set {
        let bit = |register| self.columns.binary_search(&register).map_or(0, |at| 1 << at);
        registers.map(bit).fold(0, |all, one: Set| all | one)
    }

    /// The live registers after each instruction.
    fn live_after(&self, instructions: &[Instruction], live_out: Set) -> Vec<Set> {
        let mut live = live_out;
        let mut after = Vec::with_capacity(instructions.len());
        for instruction in instructions.iter().rev() {
            after.push(live);
            live = live & !self.set(instruction.writes()) | self.set(instruction.reads());
        }
        after.reverse();
        after
    }

    /// The instruction, and for each register whether it is read, written or live.
    fn row(&self, instruction: &Instruction, shown: &[usize], live: Set) -> Vec<Cell> {
        let mut cells = vec![Cell::new(instruction.to_string(), Kind::Control)];
        for &at in shown {
            let register = self.columns[at];
            let reads = instruction.reads().any(|read| read == register);
            let writes = instruction.writes().any(|written| written == register);
            let is_live = live >> at & 1 == 1;
            let text = match (reads, writes, is_live) {
                (true, true, _) => "read, write",
                (true, false, _) => "read",
                (false, true, _) => "write",
                (false, false, true) => "|",
                (false, false, false) => "",
            };
            cells.push(Cell { highlighted: is_live || reads, ..Cell::new(text, Kind::Data) });
        }
        cells
    }
}

/// Draws as many blocks as the limit of instructions permits.
#[cfg(feature = "ch05")]
fn many_tables(code: &Code) -> Picture {
    let blocks = code.blocks.ids().filter(|&id| code.range(id).end <= MAX_ROWS).collect::<Vec<_>>();
    let passed = |id: &BlockId| [&code.blocks[*id].parameters[..], &code.blocks[*id].arguments];
    let passed = blocks.iter().flat_map(passed).flatten().copied();
    let shown = blocks.last().map_or(0, |&last| code.range(last).end);
    let named = code.instructions[..shown].iter().flat_map(named);
    let mut columns = registers(named.chain(passed).collect());
    let all = columns.len();
    columns.truncate(Set::BITS as usize);
    let tables = Tables { code, columns };
    let live_out = tables.live_out(&blocks);
    let mut picture = Picture::new(tables.title(all)).with_highlight("live");
    for (&block, live_out) in blocks.iter().zip(live_out) {
        tables.draw(block, live_out, &mut picture);
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
impl Tables<'_> {
    /// The live registers at the end of each block, by iteration to a fixed point.
    fn live_out(&self, blocks: &[BlockId]) -> Vec<Set> {
        let mut before = vec![0; self.code.blocks.len()];
        let mut live_out = vec![0; blocks.len()];
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
                (before[id.index()], live_out[id.index()]) = (start, end);
            }
        }
        live_out
    }

    fn draw(&self, id: BlockId, live_out: Set, picture: &mut Picture) {
        let range = self.code.range(id);
        let block = &self.code.blocks[id];
        let loops = match block.depth {
            0 => String::new(),
            1 => ", in a loop".into(),
            depth => format!(", in {depth} loops"),
        };
        let title = format!("{}{loops}", head(id, &block.parameters));
        let mut rows = self.table(&title, range.clone(), live_out);
        for (row, at) in rows[1..].iter_mut().zip(range) {
            row[0].port = Some(port(at));
            row[0].text = self.code.instruction_text(id, at);
        }
        picture.nodes.push(Node { name: name(id), kind: Kind::Control, rows, cluster: None });
    }
}

#[cfg(test)]
#[cfg(feature = "ch04")]
#[path = "tests/dot.rs"]
mod tests;

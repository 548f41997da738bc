//! Draws code as a table: a row per instruction, a column per register, a bar while the register is
//! live.
//!
//! Each of several blocks is a table, with an edge from each jump to its target.
use crate::ia32::Program;
#[cfg(feature = "ch05")]
use crate::ia32::code::BlockId;
use crate::ia32::code::{Code, Form, Instruction};
use crate::ia32::register::Register;
#[cfg(feature = "ch05")]
use crate::schedule::loops_around;
#[cfg(feature = "ch05")]
use arena::{Id, SideTable};
use picture::{Cell, Columns, Kind, LiveLine, Node, Picture, live_table};
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
    let named = code.instructions.iter().flat_map(Instruction::registers);
    let mut columns = registers(named.collect());
    let all = columns.len();
    columns.truncate(MAX_COLUMNS);
    let tables = Tables { code, columns };
    let count = code.instructions.len();
    let mut rows = tables.table("", 0..count, 0);
    rows.truncate(1 + MAX_ROWS);
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
#[cfg(feature = "ch14")]
pub fn functions(program: &Program) -> Picture {
    let parts = program.functions.iter().map(|code| (code.name.clone(), picture(code)));
    Picture::of_parts("functions", parts)
}

/// Code, and the registers that are shown: bit n of a set is column n.
struct Tables<'c> {
    code: &'c Code,
    columns: Vec<Register>,
}

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
    fn table(&self, name: &str, range: Range<usize>, live_out: Columns) -> Vec<Vec<Cell>> {
        let names: Vec<_> = self.columns.iter().map(Register::to_string).collect();
        live_table(name, &names, &self.lines(range), live_out, MAX_COLUMNS)
    }

    fn lines(&self, range: Range<usize>) -> Vec<LiveLine> {
        let line = |instruction: &Instruction| LiveLine {
            text: instruction.to_string(),
            reads: self.set(instruction.reads()),
            writes: self.set(instruction.writes()),
        };
        self.code.instructions[range].iter().map(line).collect()
    }

    fn set(&self, registers: impl Iterator<Item = Register>) -> Columns {
        let bit = |register| self.columns.binary_search(&register).map_or(0, |at| 1 << at);
        registers.map(bit).fold(0, |all, one: Columns| all | one)
    }
}

/// Draws as many blocks as the limit of instructions permits.
#[cfg(feature = "ch05")]
fn many_tables(code: &Code) -> Picture {
    let blocks = code.blocks.ids().filter(|&id| code.range(id).end <= MAX_ROWS).collect::<Vec<_>>();
    let passed = |id: &BlockId| [&code.blocks[*id].parameters[..], &code.blocks[*id].arguments];
    let passed = blocks.iter().flat_map(passed).flatten().copied();
    let shown = blocks.last().map_or(0, |&last| code.range(last).end);
    let named = code.instructions[..shown].iter().flat_map(Instruction::registers);
    let mut columns = registers(named.chain(passed).collect());
    let all = columns.len();
    columns.truncate(Columns::BITS as usize);
    let tables = Tables { code, columns };
    let live_out = tables.live_out(&blocks);
    let mut picture = Picture::new(tables.title(all)).with_highlight("live");
    for &block in &blocks {
        tables.draw(block, live_out[block], &mut picture);
    }
    if blocks.len() < code.blocks.len() {
        let more = format!("… {} more blocks", code.blocks.len() - blocks.len());
        picture.node("more", more, Kind::Control);
    }
    for &block in &blocks {
        for next in code.successors(block).filter(|next| next.index() < blocks.len()) {
            let jump = |at: &usize| code.instructions[*at].target() == Some(next);
            let from = code.range(block).find(jump).unwrap_or(code.range(block).end - 1);
            let from = picture::Endpoint { node: block.to_string(), port: Some(port(from)) };
            picture.control_edge(from, picture::Endpoint::node(next.to_string()), next <= block);
        }
    }
    picture
}

#[cfg(feature = "ch05")]
impl Tables<'_> {
    /// The live registers at the end of each block.
    fn live_out(&self, blocks: &[BlockId]) -> SideTable<BlockId, Columns> {
        let predecessors = self.code.all_successors().inverted();
        let passed = |id: BlockId| self.set(self.code.blocks[id].arguments.iter().copied());
        let ends = SideTable::of(self.code.blocks.ids().map(passed).collect());
        let postorder = blocks.iter().rev().copied().collect::<Vec<_>>();
        flow::solve(
            &postorder,
            ends,
            |a, b| a | b,
            |id, &end, to| {
                let lines = self.lines(self.code.range(id));
                let start = lines.iter().rev().fold(end, |live, line| line.live_before(live));
                let start = start & !self.set(self.code.blocks[id].parameters.iter().copied());
                let shown = predecessors[id].iter().filter(|it| it.index() < blocks.len());
                shown.for_each(|&before| to(before, start));
            },
        )
    }

    fn draw(&self, id: BlockId, live_out: Columns, picture: &mut Picture) {
        let range = self.code.range(id);
        let block = &self.code.blocks[id];
        let title = block.head(id) + &loops_around(block.depth);
        let mut rows = self.table(&title, range.clone(), live_out);
        for (row, at) in rows[1..].iter_mut().zip(range) {
            row[0].port = Some(port(at));
            row[0].text = self.code.instruction_text(id, at);
        }
        picture.nodes.push(Node { name: id.to_string(), kind: Kind::Control, rows, cluster: None });
    }
}

#[cfg(test)]
#[cfg(feature = "ch04")]
#[path = "tests/dot.rs"]
mod tests;

//! The invariants of blocks.
//!
//! Both forms:
//! * `blocks-fit`: each instruction is in one block, no block is empty, and jump targets are
//!   blocks;
//! * `block-arguments`: a block has as many arguments as its only successor has parameters.
//!
//! Selected code:
//! * `parameters`: only joins have parameters;
//! * `critical`: no edge is critical: from a block with several successors to a join;
//! * `ordered`: a block is after one of its predecessors, and the target of a back edge dominates
//!   its source;
//! * `contiguous-loops`: the header of a loop dominates all blocks up to its last back edge;
//! * `single-definition`: a virtual register is written in one block only;
//! * `dominated`: the block of its definition dominates its uses.
use crate::ia32::code::{Block, BlockId, Code, Form};
use crate::ia32::instruction::Op;
use crate::ia32::register::Register;
use crate::target::blocks;
use crate::target::report::Report;
use arena::{Id, SideTable};
use flow::Dominators;

/// The other checks rely on this one.
pub fn blocks_fit(code: &Code, report: &mut Report) {
    if !blocks::contain_all(&code.blocks, code.instructions.len()) {
        report.fail_anywhere("blocks-fit", "not every instruction is in one block".into());
    }
    for (at, instruction) in code.instructions.iter().enumerate() {
        if instruction.target().is_some_and(|target| target.index() >= code.blocks.len()) {
            report.fail("blocks-fit", instruction.place(at), "there is no such block");
        }
    }
}

/// `jCC` is the last instruction of a block, or directly before its final `jmp`.
pub fn jumps_last(code: &Code, report: &mut Report) {
    for range in code.ranges() {
        let end = range.end;
        let jumps = code.instructions[end - 1].op == Op::Jmp;
        for at in range.filter(|&at| code.instructions[at].op == Op::Jcc) {
            let after = end - 1 - at;
            if after != usize::from(jumps) {
                let instruction = &code.instructions[at];
                report.fail("terminator-last", instruction.place(at), "an instruction follows");
            }
        }
    }
}

/// Each predecessor of a block with parameters has no other successor and passes the arguments.
pub fn block_arguments(code: &Code, report: &mut Report) {
    for id in code.blocks.ids() {
        let block = &code.blocks[id];
        let agrees = blocks::arguments_fit(&code.blocks, id, code.successors(id));
        let real = code.form == Form::Allocated && !block.parameters.is_empty();
        let known = |register: &Register| register.virtual_number() < Some(code.register_count());
        let mut named = block.arguments.iter().chain(&block.parameters);
        if !agrees || real || !named.all(|it| !it.is_real() && known(it)) {
            report.fail("block-arguments", id, "its arguments do not fit the parameters");
        }
    }
}

/// `parameters` and `critical`: moves for the values at a block's start are placed at the ends of
/// its predecessors. So each of several predecessors has no other successor, and a block with one
/// predecessor needs no moves.
pub fn check_joins(code: &Code, report: &mut Report) {
    let predecessors = code.predecessors();
    for id in code.blocks.ids() {
        let is_join = predecessors[id].len() > 1;
        if !is_join && !code.blocks[id].parameters.is_empty() {
            report.fail("parameters", id, "a block with one predecessor has parameters");
        }
        if is_join && predecessors[id].iter().any(|&from| code.successors(from).count() > 1) {
            report.fail("critical", id, "a critical edge reaches this join");
        }
    }
}

/// `ordered`, `single-definition` and `dominated`: the virtual registers are in static single
/// assignment form.
pub fn single_assignment(code: &Code, report: &mut Report) {
    let dominators = Dominators::of(&code.predecessors());
    let before = report.count();
    for (id, detail) in dominators.order_violations(code.blocks.ids(), |id| code.successors(id)) {
        report.fail("ordered", id, detail);
    }
    if report.count() == before {
        contiguous_loops(code, &dominators, report);
    }
    let definitions = definitions(code, report);
    if report.count() > before {
        return;
    }
    for id in code.blocks.ids() {
        let reads =
            code.instructions[code.range(id)].iter().flat_map(|instruction| instruction.reads());
        let arguments = code.blocks[id].arguments.iter().copied();
        for register in reads.chain(arguments).filter(|register| !register.is_real()) {
            if definitions[register].is_some_and(|definition| !dominators.dominates(definition, id))
            {
                let detail = format!("{register} is not written on every path to here");
                report.fail("dominated", id, detail);
            }
        }
    }
}

/// The header of a loop dominates all blocks up to its last back edge: values that are needed in
/// memory there are stored before the header. Outer headers dominate inner ones, so testing the
/// innermost loop is enough.
fn contiguous_loops(code: &Code, dominators: &Dominators<BlockId>, report: &mut Report) {
    let mut last = SideTable::<BlockId, Option<BlockId>>::new(code.blocks.len());
    for id in code.blocks.ids() {
        code.successors(id)
            .filter(|&header| header <= id)
            .for_each(|header| last[header] = Some(id));
    }
    let mut enclosing: Vec<(BlockId, BlockId)> = Vec::new();
    for id in code.blocks.ids() {
        while enclosing.pop_if(|&mut (_, last)| last < id).is_some() {}
        if enclosing.last().is_some_and(|&(header, _)| !dominators.dominates(header, id)) {
            report.fail(
                "contiguous-loops",
                id,
                "it is inside a loop whose header does not dominate it",
            );
        }
        enclosing.extend(last[id].map(|last| (id, last)));
    }
}

/// The block in which each virtual register is written, or whose parameter it is.
fn definitions(code: &Code, report: &mut Report) -> SideTable<Register, Option<BlockId>> {
    let mut definitions = SideTable::<Register, Option<BlockId>>::new(0);
    for id in code.blocks.ids() {
        for &register in &code.blocks[id].parameters {
            if definitions[register].replace(id).is_some() {
                report.fail("single-definition", id, format!("{register} is a parameter twice"));
            }
        }
    }
    for id in code.blocks.ids() {
        let Block { parameters, .. } = &code.blocks[id];
        let written =
            code.instructions[code.range(id)].iter().flat_map(|instruction| instruction.writes());
        for register in written.filter(|register| !register.is_real()) {
            let other = definitions[register].replace(id).is_some_and(|other| other != id);
            if other || parameters.contains(&register) {
                report.fail("single-definition", id, format!("{register} is written elsewhere"));
            }
        }
    }
    definitions
}

#[cfg(test)]
#[path = "tests/verify_blocks.rs"]
mod tests;

//! What blocks have to be like: the invariants that only code with several blocks can break.
use crate::ia32::code::{Block, BlockId, Code, Form};
use crate::ia32::instruction::Op;
use crate::ia32::register::Register;
use crate::ia32::report::Report;
use arena::{Id, SideTable};
use flow::Dominators;

/// Nothing else can be checked where this does not hold.
pub fn blocks_fit(code: &Code, report: &mut Report) {
    let starts = code.blocks.ids().map(|id| code.blocks[id].first as usize).collect::<Vec<_>>();
    let ascend = starts.windows(2).all(|pair| pair[0] < pair[1]);
    let ends = starts.last().is_some_and(|&last| last < code.instructions.len());
    if starts.first() != Some(&0) || !ascend || !ends {
        report.fail_anywhere("blocks-fit", "not every instruction is in one block".into());
    }
    for (at, instruction) in code.instructions.iter().enumerate() {
        if instruction.target().is_some_and(|target| target.index() >= code.blocks.len()) {
            report.fail("blocks-fit", at, instruction, "there is no such block");
        }
    }
}

/// `jCC` stands at the end of a block, or before the `jmp` at its end.
pub fn jumps_last(code: &Code, report: &mut Report) {
    for range in code.ranges() {
        let end = range.end;
        let jumps = code.instructions[end - 1].op == Op::Jmp;
        for at in range.filter(|&at| code.instructions[at].op == Op::Jcc) {
            let behind = end - 1 - at;
            if behind != usize::from(jumps) {
                let instruction = &code.instructions[at];
                report.fail("terminator-last", at, instruction, "a block goes on behind a jump");
            }
        }
    }
}

/// What arrives at a block is handed over by each block before it, which jumps nowhere else.
pub fn handed_over(code: &Code, report: &mut Report) {
    for id in code.blocks.ids() {
        let block = &code.blocks[id];
        let mut targets = code.successors(id);
        let fits = match (targets.next(), targets.next()) {
            (Some(only), None) => block.arguments.len() == code.blocks[only].parameters.len(),
            (first, second) => {
                let mut all = first.into_iter().chain(second);
                block.arguments.is_empty() && all.all(|it| code.blocks[it].parameters.is_empty())
            }
        };
        let real = code.form == Form::Allocated && !block.parameters.is_empty();
        let known = |register: &Register| register.virtual_number() < Some(code.virtuals);
        let mut named = block.arguments.iter().chain(&block.parameters);
        if !fits || real || !named.all(|it| !it.is_real() && known(it)) {
            fail(
                report,
                "block-arguments",
                id,
                "its values do not fit those of the block behind it",
            );
        }
    }
}

/// `parameters` and `critical`: what a block begins with is settled at the ends of the blocks that
/// lead to it. So either each of several leads nowhere else, or there is only one, and nothing is
/// to be settled.
pub fn joins(code: &Code, report: &mut Report) {
    let entries = code.predecessors();
    for id in code.blocks.ids() {
        let is_join = entries[id].len() > 1;
        if !is_join && !code.blocks[id].parameters.is_empty() {
            fail(report, "parameters", id, "values arrive where no ways meet");
        }
        if is_join && entries[id].iter().any(|&from| code.successors(from).count() > 1) {
            fail(report, "critical", id, "one of the ways here comes from a branch");
        }
    }
}

/// `ordered`, `single-definition` and `dominated`: the virtual registers are in static single
/// assignment form.
pub fn single_assignment(code: &Code, report: &mut Report) {
    let dominators = code.dominators();
    let before = report.count();
    for (id, what) in dominators.order_violations(code.blocks.ids(), |id| code.successors(id)) {
        fail(report, "ordered", id, what);
    }
    if report.count() == before {
        together(code, &dominators, report);
    }
    let writers = writers(code, report);
    if report.count() > before {
        return;
    }
    for id in code.blocks.ids() {
        let reads =
            code.instructions[code.range(id)].iter().flat_map(|instruction| instruction.reads());
        let handed = code.blocks[id].arguments.iter().copied();
        for register in reads.chain(handed).filter(|register| !register.is_real()) {
            if writers[register].is_some_and(|writer| !dominators.dominates(writer, id)) {
                let what = format!("{register} was not written on every way here");
                fail(report, "dominated", id, &what);
            }
        }
    }
}

/// Control comes through the head of a loop to whatever stands between it and the last jump back:
/// what is needed in memory there is stored before the head. In such loops around a block, outer
/// heads dominate inner ones, so it is enough to look at the innermost.
fn together(code: &Code, dominators: &Dominators<BlockId>, report: &mut Report) {
    let mut last = SideTable::<BlockId, Option<BlockId>>::new(code.blocks.len());
    for id in code.blocks.ids() {
        code.successors(id).filter(|&head| head <= id).for_each(|head| last[head] = Some(id));
    }
    let mut around: Vec<(BlockId, BlockId)> = Vec::new();
    for id in code.blocks.ids() {
        while around.pop_if(|&mut (_, last)| last < id).is_some() {}
        if around.last().is_some_and(|&(head, _)| !dominators.dominates(head, id)) {
            fail(report, "contiguous-loops", id, "it stands in a loop, but not behind its head");
        }
        around.extend(last[id].map(|last| (id, last)));
    }
}

/// The block in which each virtual register is written, or whose parameter it is.
fn writers(code: &Code, report: &mut Report) -> SideTable<Register, Option<BlockId>> {
    let mut writers = SideTable::<Register, Option<BlockId>>::new(0);
    for id in code.blocks.ids() {
        for &register in &code.blocks[id].parameters {
            if writers[register].replace(id).is_some() {
                fail(report, "single-definition", id, &format!("{register} arrives twice"));
            }
        }
    }
    for id in code.blocks.ids() {
        let Block { parameters, .. } = &code.blocks[id];
        let written =
            code.instructions[code.range(id)].iter().flat_map(|instruction| instruction.writes());
        for register in written.filter(|register| !register.is_real()) {
            let other = writers[register].replace(id).is_some_and(|other| other != id);
            if other || parameters.contains(&register) {
                fail(
                    report,
                    "single-definition",
                    id,
                    &format!("{register} is written elsewhere, too"),
                );
            }
        }
    }
    writers
}

fn fail(report: &mut Report, invariant: &'static str, block: BlockId, what: &str) {
    report.fail_anywhere(invariant, format!("b{}: {what}", block.index()));
}

#[cfg(test)]
#[path = "tests/verify_blocks.rs"]
mod tests;

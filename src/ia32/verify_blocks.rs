//! What blocks have to be like: the invariants that only code with several blocks can break.
use crate::ia32::code::{Block, BlockId, Code, Form};
use crate::ia32::instruction::Op;
use crate::ia32::register::Register;
use crate::ia32::verify::Report;
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
mod tests {
    use crate::ia32::Code;
    use crate::ia32::parse_assembly::{allocated, selected};
    use crate::stage::Artifact;

    #[track_caller]
    fn check(code: Code, expected: &[&str]) {
        let violations = code.verify();
        let mut broken = violations.iter().map(|found| found.invariant).collect::<Vec<_>>();
        broken.dedup();
        assert_eq!(broken, expected, "{violations:?}");
    }

    #[test]
    fn sound_code_breaks_nothing() {
        check(
            selected(
                "b0: mov v0,DWORD PTR [argument 0]; cmp v0,9; jl b2; jmp b1; b1: jmp b3(v0); \
                 b2: mov v1,v0; inc v1; jmp b3(v1); b3(v2): mov eax,v2; ret",
            ),
            &[],
        );
        check(
            allocated(
                "b0: push ebx; mov ebx,DWORD PTR [esp+8]; jmp b2; b1@1: inc ebx; \
                 b2@1: cmp ebx,9; jl b1; b3: mov eax,ebx; pop ebx; ret",
            ),
            &[],
        );
        check(selected("b0: jmp b1; b1@1: jmp b1"), &[]);
    }

    #[test]
    fn every_instruction_is_in_a_block_and_jumps_lead_to_one() {
        let code = || selected("b0: mov v0,1; jmp b1; b1: mov eax,v0; ret");
        for firsts in [[1, 2], [0, 0], [0, 4], [2, 1]] {
            let mut code = code();
            for (id, first) in code.blocks.ids().zip(firsts) {
                code.blocks[id].first = first;
            }
            check(code, &["blocks-fit"]);
        }
        check(Code { blocks: Default::default(), ..code() }, &["blocks-fit"]);
        check(selected("b0: jmp b2; b1: jmp b1"), &["blocks-fit"]);
    }

    #[test]
    fn blocks_end_where_control_leaves() {
        check(selected("b0: mov eax,1; b1: ret"), &["terminator-last"]);
        check(allocated("b0: mov eax,1; b1: ret"), &[]);
        check(allocated("b0: jmp b1; b1: mov eax,1"), &["terminator-last"]);
        check(allocated("b0: mov eax,1; cmp eax,2; jl b1; b1: ret"), &[]);
        check(selected("b0: mov eax,1; cmp eax,2; jl b1; b1: ret"), &["terminator-last"]);
        let twice = "b0: mov eax,1; cmp eax,2; jl b0; jl b1; jmp b1; b1: ret";
        check(allocated(twice), &["terminator-last"]);
        check(allocated("b0: mov eax,1; jmp b1; inc eax; b1: ret"), &["terminator-last"]);
        check(allocated("b0: mov eax,1; ret; jmp b1; b1: ret"), &["terminator-last"]);
    }

    #[test]
    fn values_are_handed_over_to_one_block() {
        let with = |jump: &str, head: &str| {
            selected(&format!(
                "b0: mov v0,1; test v0,v0; jl b2; jmp b1; b1: jmp b3(v0,v0); \
                 b2: {jump}; {head}: mov v9,v0; mov eax,v9; ret"
            ))
        };
        check(with("jmp b3(v0,v0)", "b3(v1,v2)"), &[]);
        check(with("jmp b3", "b3(v1,v2)"), &["block-arguments"]);
        check(with("jmp b3(v0,v0)", "b3"), &["block-arguments"]);
        check(with("test v0,v0; jl b3; jmp b3", "b3(v1,v2)"), &["block-arguments", "critical"]);
        check(with("jmp b3(v0,v0)", "b3(v1,ebx)"), &["block-arguments"]);
        let code = allocated("b0: mov eax,1; jmp b1(eax); b1(ebx): ret");
        check(code, &["block-arguments"]);
    }

    #[test]
    fn values_arrive_where_ways_meet_and_no_branch_leads_there() {
        let alone = "b0: mov v0,1; jmp b1(v0); b1(v1): mov eax,v1; ret";
        check(selected(alone), &["parameters"]);
        check(selected("b0(v0): mov eax,v0; ret"), &["parameters"]);
        let past = "b0: mov v0,1; test v0,v0; jl b2; jmp b1; b1: jmp b2; b2: mov eax,v0; ret";
        check(selected(past), &["critical"]);
        let same = "b0: mov v0,1; test v0,v0; jl b1; jmp b1; b1: mov eax,v0; ret";
        check(selected(same), &["critical"]);
        let back = "b0: mov v0,1; jmp b1; b1@1: test v0,v0; jl b1; jmp b2; b2: mov eax,v0; ret";
        check(selected(back), &["critical"]);
    }

    #[test]
    fn virtual_registers_are_written_in_one_block() {
        let loops = |body: &str| {
            selected(&format!(
                "b0: mov v0,1; jmp b1(v0); b1@1(v1): cmp v1,9; jl b2; jmp b3; \
                 b2@1: {body}; b3: mov eax,v1; ret"
            ))
        };
        check(loops("mov v2,v1; inc v2; jmp b1(v2)"), &[]);
        check(loops("inc v1; jmp b1(v1)"), &["single-definition"]);
        check(loops("mov v0,2; jmp b1(v0)"), &["single-definition"]);
        let twice = "b0: mov v0,1; jmp b1(v0,v0); b1(v1,v1): mov eax,v1; ret";
        check(selected(twice), &["parameters", "single-definition"]);
    }

    #[test]
    fn virtual_registers_are_read_where_their_writer_has_been_passed() {
        let diamond = |left: &str, behind: &str| {
            selected(&format!(
                "b0: mov v0,1; test v0,v0; jl b2; jmp b1; b1: {left}; jmp b3; b2: jmp b3; \
                 b3: mov eax,{behind}; ret"
            ))
        };
        check(diamond("mov v1,2", "v0"), &[]);
        check(diamond("mov v1,2", "v1"), &["dominated"]);
        let handed = "b0: mov v0,1; test v0,v0; jl b2; jmp b1; b1: mov v1,2; jmp b3(v1); \
                      b2: jmp b3(v1); b3(v2): mov eax,v2; ret";
        check(selected(handed), &["dominated"]);
    }

    #[test]
    fn blocks_stand_in_an_order_that_follows_control() {
        check(selected("b0: jmp b2; b1: jmp b3; b2: jmp b1; b3: mov eax,1; ret"), &["ordered"]);
        check(selected("b0: mov eax,1; ret; b1: jmp b1"), &["ordered"]);
        check(selected("b0: mov eax,1; jmp b0"), &["ordered"]);
        let middle = "b0: mov v0,1; test v0,v0; jl b1; jmp b2; b1: jmp b3; b2: jmp b4; \
                      b3: jmp b4; b4: jmp b3";
        check(selected(middle), &["ordered"]);
    }

    #[test]
    fn the_blocks_of_a_loop_stand_together() {
        // b1 leads past a loop from b3 to b8, or into it.
        let around = |past: &str, middle: &str| {
            selected(&format!(
                "b0: mov v0,1; test v0,v0; jl b1; jmp b2; b1: jmp {past}; b2: jmp b3; \
                 b3@1: test v0,v0; jl b4; jmp b6; b4@1: jmp b5; b5: jmp {middle}; \
                 b6@1: jmp b7; b7@1: test v0,v0; jl b8; jmp b9; b8@1: jmp b3; b9: jmp b10; \
                 b10: mov eax,v0; ret"
            ))
        };
        check(around("b10", "b7"), &[]);
        check(around("b10", "b10"), &[]);
        check(around("b5", "b10"), &["contiguous-loops"]);
    }

    #[test]
    fn real_registers_and_flags_stay_in_their_block() {
        check(selected("b0: mov eax,1; jmp b1; b1: ret"), &["definite-assignment"]);
        let flags = "b0: mov v0,1; cmp v0,1; jmp b1; b1: setl v1; mov eax,v0; ret";
        check(selected(flags), &["flags-defined"]);
    }

    #[test]
    fn allocated_code_is_followed_on_every_way() {
        let diamond = |left: &str, right: &str, behind: &str| {
            allocated(&format!(
                "b0: mov eax,1; cmp eax,2; jl b2; b1: {left}; jmp b3; b2: {right}; \
                 b3: {behind}; ret"
            ))
        };
        let both = |text: &str, behind: &str| diamond(text, text, behind);
        check(both("mov ecx,1", "mov eax,ecx"), &[]);
        check(diamond("mov ecx,1", "mov edx,1", "mov eax,ecx"), &["definite-assignment"]);
        check(both("cdq", "setl al"), &[]);
        check(diamond("cdq", "add eax,1", "setl al"), &["flags-defined"]);
        check(diamond("cdq", "add eax,1", "sete al"), &[]);
        check(diamond("cdq", "imul eax", "sete al"), &["flags-defined"]);
        check(both("push ebx; mov ebx,1", "pop ebx"), &[]);
        check(diamond("push ebx; mov ebx,1", "push ebx", "pop ebx"), &[]);
        check(diamond("push ebx; mov ebx,1", "cdq", "mov eax,1"), &["stack-balanced"]);
        check(diamond("push ebx; mov ebx,1; pop ebx", "mov ebx,1", "cdq"), &["callee-saved"]);
        check(diamond("push ebx; push esi", "push esi; push ebx", "pop ebx; pop esi"), {
            &["callee-saved"]
        });
        let slot = "sub esp,0x100; mov DWORD PTR [esp+0xf0],eax";
        check(both(slot, "mov eax,DWORD PTR [esp+0xf0]; add esp,0x100"), &[]);
        check(diamond(slot, "sub esp,0x100", "mov eax,DWORD PTR [esp+0xf0]; add esp,0x100"), {
            &["stack-written"]
        });
    }

    #[test]
    fn what_a_loop_takes_away_is_missing_at_its_head() {
        let counts = |body: &str| {
            allocated(&format!(
                "b0: mov eax,1; mov ecx,2; jmp b1; b1@1: inc eax; cmp eax,ecx; jge b3; \
                 b2@1: {body}; jmp b1; b3: ret"
            ))
        };
        check(counts("cdq"), &[]);
        check(counts("push eax"), &["stack-balanced"]);
        check(counts("sub esp,4; mov DWORD PTR [esp],eax; add esp,4"), &[]);
        check(counts("mov eax,DWORD PTR [esp-4]"), &["stack-written"]);
        check(counts("mov ebx,1"), &["callee-saved"]);
    }

    /// Nested tests, then as many blocks for their other sides, then as many loops.
    fn large(count: usize, compare: &str, other: impl Fn(usize) -> String) -> String {
        let mut text = String::new();
        for at in 1..count {
            text += &format!("b{at}: {compare}; jl b{}; jmp b{}; ", 3 * count - 2 * at, at + 1);
        }
        for at in (count..3 * count).step_by(2) {
            text += &format!("b{at}: jmp b{}; b{}: {}; ", at + 1, at + 1, other(at));
            text += &format!("jmp b{}; ", (at + 3).min(3 * count));
        }
        for at in (3 * count..6 * count).step_by(3) {
            text += &format!("b{at}@1: {compare}; jl b{}; jmp b{}; ", at + 1, at + 2);
            text += &format!("b{}@1: jmp b{at}; b{}: jmp b{}; ", at + 1, at + 2, at + 3);
        }
        text + &format!("b{}: ", 6 * count)
    }

    #[test]
    fn a_hundred_thousand_blocks_are_not_too_many() {
        let text = large(25_000, "test v0,v0", |at| format!("mov v{at},v0"));
        check(selected(&format!("b0: mov v0,1; jmp b1; {text} mov eax,v0; ret")), &[]);
        let text = large(25_000, "cmp ecx,ebx", |at| format!("mov DWORD PTR [esp+{}],ecx", at * 4));
        let entry = "push ebx; mov ebx,1; mov ecx,1; sub esp,0x100000; jmp b1";
        let end = "mov eax,ebx; add esp,0x100000; pop ebx; ret";
        check(allocated(&format!("b0: {entry}; {text} {end}")), &[]);
    }
}

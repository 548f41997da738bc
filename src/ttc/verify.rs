//! The invariants of code.
//!
//! - `operands-fit`: each operand is of its slot's kind.
//! - `blocks-fit`: each instruction is in one block, no block is empty, and jumps lead to blocks.
//! - `terminator-last`: what jumps or returns stands at the end of a block, and there one stands.
//! - `numbered`: there are as many registers as the code says.
//! - `block-arguments`: a block hands over as many values as the only block behind it expects.
//! - `parameters`: values arrive with control only where several ways meet.
//! - `ordered`: a block stands behind one that leads to it, and jumps back lead to blocks that
//!   control has passed on every way there.
//! - `single-definition`: a register is written once, or arrives once.
//! - `dominated`: it is read only where it was written on every way there.
use crate::rules::code_builder::BlockId;
use crate::rules::target::OperandConstraint;
use crate::stage::Violation;
use crate::ttc::code::{Code, Operand, Register};
use crate::ttc::eval::place;
use arena::{Id, ListTable, SideTable};
use flow::Dominators;

/// Every broken invariant; those further down rely on those above.
pub fn verify(code: &Code) -> Vec<Violation> {
    let mut report = Report(Vec::new());
    for check in CHECKS {
        check(code, &mut report);
        if !report.0.is_empty() {
            break;
        }
    }
    report.0
}

const CHECKS: &[fn(&Code, &mut Report)] =
    &[operands_fit, blocks_fit, leaves_last, numbered, handed_over, single_assignment];

struct Report(Vec<Violation>);

impl Report {
    fn fail(&mut self, invariant: &'static str, detail: String) {
        self.0.push(Violation { invariant, detail });
    }

    fn fail_in(&mut self, invariant: &'static str, block: BlockId, what: &str) {
        self.fail(invariant, format!("b{}: {what}", block.index()));
    }
}

fn operands_fit(code: &Code, report: &mut Report) {
    for (at, inst) in code.instructions.iter().enumerate() {
        let slots = inst.row().instruction.operands.len();
        let rest = inst.operands[slots..].iter().all(|operand| *operand == Operand::None);
        if !rest || !inst.slots().all(|(slot, operand)| fits(slot, operand)) {
            let what = format!("{}: an operand does not fit its slot", place(at, inst));
            report.fail("operands-fit", what);
        }
    }
}

fn fits(slot: OperandConstraint, operand: Operand) -> bool {
    match slot {
        OperandConstraint::Register(..) => matches!(operand, Operand::Register(_)),
        OperandConstraint::Immediate => matches!(operand, Operand::Immediate(_)),
        OperandConstraint::Condition => matches!(operand, Operand::Condition(_)),
        OperandConstraint::Block => matches!(operand, Operand::Block(_)),
        #[cfg(feature = "ch25")]
        OperandConstraint::Symbol => matches!(operand, Operand::Symbol(_)),
        OperandConstraint::Address => false,
    }
}

fn blocks_fit(code: &Code, report: &mut Report) {
    let starts = code.blocks.ids().map(|id| code.blocks[id].first as usize).collect::<Vec<_>>();
    let ascend = starts.windows(2).all(|pair| pair[0] < pair[1]);
    let ends = starts.last().is_some_and(|&last| last < code.instructions.len());
    if starts.first() != Some(&0) || !ascend || !ends {
        report.fail("blocks-fit", "not every instruction is in one block".into());
    }
    for (at, inst) in code.instructions.iter().enumerate() {
        if inst.targets().any(|target| target.index() >= code.blocks.len()) {
            report.fail("blocks-fit", format!("{}: there is no such block", place(at, inst)));
        }
    }
}

fn leaves_last(code: &Code, report: &mut Report) {
    for range in code.blocks.ids().map(|block| code.range(block)) {
        for at in range.clone() {
            let inst = &code.instructions[at];
            if inst.leaves() != (at + 1 == range.end) {
                let what = if inst.leaves() { "something follows" } else { "nothing follows" };
                report.fail("terminator-last", format!("{}: {what}", place(at, inst)));
            }
        }
    }
}

fn numbered(code: &Code, report: &mut Report) {
    let known = |register: Register| register.index() < code.registers as usize;
    for (at, inst) in code.instructions.iter().enumerate() {
        if !inst.reads().chain(inst.writes()).all(known) {
            report.fail("numbered", format!("{}: an unknown register", place(at, inst)));
        }
    }
    for id in code.blocks.ids() {
        let block = &code.blocks[id];
        if !block.parameters.iter().chain(&block.arguments).copied().all(known) {
            report.fail_in("numbered", id, "an unknown register");
        }
    }
}

fn handed_over(code: &Code, report: &mut Report) {
    for id in code.blocks.ids() {
        let arguments = code.blocks[id].arguments.len();
        let targets: Vec<_> = code.successors(id).collect();
        let fits = match targets[..] {
            [only] => arguments == code.blocks[only].parameters.len(),
            _ => arguments == 0 && targets.iter().all(|it| code.blocks[*it].parameters.is_empty()),
        };
        if !fits {
            let what = "its values do not fit those of the block behind it";
            report.fail_in("block-arguments", id, what);
        }
    }
    let entries = entries(code);
    for id in code.blocks.ids() {
        if entries[id].len() < 2 && !code.blocks[id].parameters.is_empty() {
            report.fail_in("parameters", id, "values arrive where no ways meet");
        }
    }
}

/// `ordered`, `single-definition` and `dominated`.
fn single_assignment(code: &Code, report: &mut Report) {
    let dominators = dominators(code);
    for (id, what) in dominators.order_violations(code.blocks.ids(), |id| code.successors(id)) {
        report.fail_in("ordered", id, what);
    }
    let written = written(code, report);
    if !report.0.is_empty() {
        return;
    }
    for id in code.blocks.ids() {
        let range = code.range(id);
        let reads = |at: usize| code.instructions[at].reads().map(move |it| (at, it));
        let handed = code.blocks[id].arguments.iter().map(|it| (range.end, *it));
        for (at, register) in range.clone().flat_map(reads).chain(handed) {
            let is_there = written[register].is_some_and(|(block, behind)| match block == id {
                true => behind <= at,
                false => dominators.dominates(block, id),
            });
            if !is_there {
                let what = format!("{register} was not written on every way here");
                report.fail_in("dominated", id, &what);
            }
        }
    }
}

fn dominators(code: &Code) -> Dominators<BlockId> {
    let entries = entries(code);
    let from = |block| entries[block].iter().copied();
    Dominators::build(BlockId::ENTRY, code.blocks.ids().skip(1), from)
}

/// The blocks that lead to each.
fn entries(code: &Code) -> ListTable<BlockId, BlockId> {
    let ways = |from| code.successors(from).map(move |to| (to, from));
    ListTable::group(code.blocks.len(), code.blocks.ids().flat_map(ways))
}

type Written = Option<(BlockId, usize)>;

/// The block in which each register is written, and the instruction behind that.
fn written(code: &Code, report: &mut Report) -> SideTable<Register, Written> {
    let mut written: SideTable<Register, Written> = SideTable::new(code.registers as usize);
    for id in code.blocks.ids() {
        let range = code.range(id);
        let arrive = code.blocks[id].parameters.iter().map(|it| (range.start, *it));
        let writes = |at: usize| code.instructions[at].writes().map(move |it| (at + 1, it));
        for (behind, register) in arrive.chain(range.clone().flat_map(writes)) {
            if written[register].replace((id, behind)).is_some() {
                report.fail_in("single-definition", id, &format!("{register} is written again"));
            }
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ttc::read::code;

    #[track_caller]
    fn check(code: Code, expected: &[&str]) {
        let violations = verify(&code);
        let mut broken = violations.iter().map(|found| found.invariant).collect::<Vec<_>>();
        broken.dedup();
        assert_eq!(broken, expected, "{violations:?}");
    }

    #[test]
    fn sound_code_breaks_nothing() {
        check(code("b0: argument v0,0; addi v1,v0,5; return v1"), &[]);
        check(code("b0: const v0,1; jmp b1(v0); b1(v1): addi v2,v1,1; jmp b1(v2)"), &[]);
        check(code("b0: const v0,1; cond v0,b2,b1; b1: jmp b3; b2: jmp b3; b3: return v0"), &[]);
    }

    #[test]
    fn operands_fit_their_slots() {
        let mut wrong = code("b0: const v0,1; return v0");
        wrong.instructions[1].operands[0] = Operand::Immediate(1);
        check(wrong.clone(), &["operands-fit"]);
        wrong.instructions[1].operands[0] = Operand::None;
        check(wrong, &["operands-fit"]);
        let mut wrong = code("b0: const v0,1; return v0");
        wrong.instructions[1].operands[1] = Operand::Immediate(1);
        check(wrong, &["operands-fit"]);
    }

    #[test]
    fn every_instruction_is_in_a_block_and_jumps_lead_to_one() {
        check(Code::default(), &["blocks-fit"]);
        let two = || code("b0: const v0,1; jmp b1; b1: return v0");
        for firsts in [[1, 2], [0, 0], [0, 3], [2, 1]] {
            let mut wrong = two();
            for (id, first) in wrong.blocks.ids().zip(firsts) {
                wrong.blocks[id].first = first;
            }
            check(wrong, &["blocks-fit"]);
        }
        check(code("b0: jmp b1"), &["blocks-fit"]);
    }

    #[test]
    fn blocks_end_where_control_leaves() {
        check(code("b0: const v0,1"), &["terminator-last"]);
        check(code("b0: const v0,1; return v0; return v0"), &["terminator-last"]);
        check(code("b0: const v0,1; b1: return v0"), &["terminator-last"]);
        check(code("b0: jmp b1; jmp b1; b1: jmp b1"), &["terminator-last"]);
    }

    #[test]
    fn registers_are_counted() {
        let few = |text: &str| Code { registers: 1, ..code(text) };
        check(few("b0: const v1,1; return v1"), &["numbered"]);
        check(few("b0: const v0,1; jmp b1(v0); b1(v1): jmp b1(v0)"), &["numbered"]);
    }

    #[test]
    fn values_are_handed_over_to_one_block() {
        let with = |jump: &str, head: &str| {
            code(&format!(
                "b0: const v0,1; cond v0,b1,b2; b1: jmp b3(v0,v0); b2: {jump}; \
                 {head}: addi v9,v0,1; return v9"
            ))
        };
        check(with("jmp b3(v0,v0)", "b3(v1,v2)"), &[]);
        check(with("jmp b3", "b3(v1,v2)"), &["block-arguments"]);
        check(with("jmp b3(v0,v0)", "b3"), &["block-arguments"]);
        check(with("cond v0,b3,b3", "b3(v1,v2)"), &["block-arguments"]);
    }

    #[test]
    fn values_arrive_where_ways_meet() {
        check(code("b0: const v0,1; jmp b1(v0); b1(v1): return v1"), &["parameters"]);
        check(code("b0(v0): return v0"), &["parameters"]);
    }

    #[test]
    fn blocks_stand_in_an_order_that_follows_control() {
        check(code("b0: jmp b2; b1: jmp b3; b2: jmp b1; b3: jmp b3"), &["ordered"]);
        check(code("b0: const v0,1; return v0; b1: jmp b1"), &["ordered"]);
        check(code("b0: jmp b0"), &["ordered"]);
        let middle = "b0: const v0,1; cond v0,b1,b2; b1: jmp b2; b2: jmp b1";
        check(code(middle), &["ordered"]);
    }

    #[test]
    fn registers_are_written_once_and_before_they_are_read() {
        check(code("b0: const v0,1; const v0,2; return v0"), &["single-definition"]);
        let turning = |arguments: &str, head: &str| {
            code(&format!("b0: const v0,1; jmp b1({arguments}); b1({head}): jmp b1({arguments})"))
        };
        check(turning("v0,v0", "v1,v1"), &["single-definition"]);
        check(turning("v0", "v0"), &["single-definition"]);
        check(code("b0: add v0,v1,v1; const v1,1; return v0"), &["dominated"]);
        check(code("b0: return v0"), &["dominated"]);
        let diamond = |left: &str, behind: &str| {
            code(&format!(
                "b0: const v0,1; cond v0,b1,b2; b1: {left}; jmp b3; b2: jmp b3; b3: return {behind}"
            ))
        };
        check(diamond("const v1,2", "v0"), &[]);
        check(diamond("const v1,2", "v1"), &["dominated"]);
        check(code("b0: jmp b1(v1); b1(v0): const v1,1; jmp b1(v1)"), &["dominated"]);
    }
}

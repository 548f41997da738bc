//! The invariants of code.
//!
//! - `operands-fit`: each operand is of its slot's kind.
//! - `blocks-fit`: each instruction is in one block, no block is empty, and all targets are blocks.
//! - `terminator-last`: the last instruction of a block, and no other, is a jump or a return.
//! - `numbered`: all registers are below the number of registers.
//! - `block-arguments`: a block has as many arguments as its only successor has parameters.
//! - `parameters`: only blocks with several predecessors have parameters.
//! - `ordered`: a block is after one of its predecessors, and back edges lead to dominators.
//! - `single-definition`: a register is written once, or is one parameter.
//! - `dominated`: the definition of a register dominates its uses.
use crate::stage::Violation;
use crate::target::OperandConstraint;
use crate::target::blocks::{self, BlockId};
use crate::target::report::Report;
use crate::ttc::tr::code::{Code, Operand, Register};
use arena::{Id, ListTable, SideTable};
use flow::Dominators;

/// Every broken invariant; each check relies on the ones before it.
pub fn verify(code: &Code) -> Vec<Violation> {
    let mut report = Report::default();
    for check in CHECKS {
        check(code, &mut report);
        if !report.0.is_empty() {
            break;
        }
    }
    report.0
}

const CHECKS: &[fn(&Code, &mut Report)] =
    &[operands_fit, blocks_fit, terminator_last, numbered, block_arguments, single_assignment];

fn operands_fit(code: &Code, report: &mut Report) {
    for (at, inst) in code.instructions.iter().enumerate() {
        let slots = inst.row().instruction.operands.len();
        let rest = inst.operands[slots..].iter().all(|operand| *operand == Operand::None);
        if !rest || !inst.slots().all(|(slot, operand)| fits(slot, operand)) {
            report.fail("operands-fit", inst.place(at), "an operand does not fit its slot");
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
        OperandConstraint::Symbol if matches!(operand, Operand::Symbol(_)) => true,
        OperandConstraint::Symbol | OperandConstraint::Address => false,
    }
}

fn blocks_fit(code: &Code, report: &mut Report) {
    if !blocks::contain_all(&code.blocks, code.instructions.len()) {
        report.fail_anywhere("blocks-fit", "not every instruction is in one block".into());
    }
    for (at, inst) in code.instructions.iter().enumerate() {
        if inst.targets().any(|target| target.index() >= code.blocks.len()) {
            report.fail("blocks-fit", inst.place(at), "there is no such block");
        }
    }
}

fn terminator_last(code: &Code, report: &mut Report) {
    for range in code.blocks.ids().map(|block| code.range(block)) {
        for at in range.clone() {
            let inst = &code.instructions[at];
            if inst.is_terminator() != (at + 1 == range.end) {
                let what = if inst.is_terminator() { "something" } else { "nothing" };
                report.fail("terminator-last", inst.place(at), format!("{what} follows"));
            }
        }
    }
}

fn numbered(code: &Code, report: &mut Report) {
    let known = |register: Register| register.index() < code.registers as usize;
    for (at, inst) in code.instructions.iter().enumerate() {
        if !inst.reads().chain(inst.writes()).all(known) {
            report.fail("numbered", inst.place(at), "an unknown register");
        }
    }
    for id in code.blocks.ids() {
        let block = &code.blocks[id];
        if !block.parameters.iter().chain(&block.arguments).copied().all(known) {
            report.fail("numbered", id, "an unknown register");
        }
    }
}

fn block_arguments(code: &Code, report: &mut Report) {
    for id in code.blocks.ids() {
        if !blocks::arguments_fit(&code.blocks, id, code.successors(id)) {
            report.fail("block-arguments", id, "its arguments do not fit the parameters");
        }
    }
    let predecessors = predecessors(code);
    for id in code.blocks.ids() {
        if predecessors[id].len() < 2 && !code.blocks[id].parameters.is_empty() {
            report.fail("parameters", id, "a block with one predecessor has parameters");
        }
    }
}

/// `ordered`, `single-definition` and `dominated`.
fn single_assignment(code: &Code, report: &mut Report) {
    let dominators = Dominators::of(&predecessors(code));
    for (id, what) in dominators.order_violations(code.blocks.ids(), |id| code.successors(id)) {
        report.fail("ordered", id, what);
    }
    let written = written(code, report);
    if !report.0.is_empty() {
        return;
    }
    for id in code.blocks.ids() {
        let range = code.range(id);
        let reads = |at: usize| code.instructions[at].reads().map(move |it| (at, it));
        let passed = code.blocks[id].arguments.iter().map(|it| (range.end, *it));
        for (at, register) in range.clone().flat_map(reads).chain(passed) {
            let is_there = written[register].is_some_and(|(block, after)| match block == id {
                true => after <= at,
                false => dominators.dominates(block, id),
            });
            if !is_there {
                let what = format!("{register} is not written on every path to here");
                report.fail("dominated", id, what);
            }
        }
    }
}

/// The predecessors of each block.
fn predecessors(code: &Code) -> ListTable<BlockId, BlockId> {
    let edges = |from| code.successors(from).map(move |to| (to, from));
    ListTable::group(code.blocks.len(), code.blocks.ids().flat_map(edges))
}

type Written = Option<(BlockId, usize)>;

/// The block in which each register is written, and the next instruction.
fn written(code: &Code, report: &mut Report) -> SideTable<Register, Written> {
    let mut written: SideTable<Register, Written> = SideTable::new(code.registers as usize);
    for id in code.blocks.ids() {
        let range = code.range(id);
        let parameters = code.blocks[id].parameters.iter().map(|it| (range.start, *it));
        let writes = |at: usize| code.instructions[at].writes().map(move |it| (at + 1, it));
        for (after, register) in parameters.chain(range.clone().flat_map(writes)) {
            if written[register].replace((id, after)).is_some() {
                report.fail("single-definition", id, format!("{register} is written again"));
            }
        }
    }
    written
}

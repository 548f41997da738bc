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
use crate::target::code_builder::BlockId;
use crate::ttc::tr::code::{Code, Operand, Register};
use crate::ttc::tr::eval::place;
use arena::{Id, ListTable, SideTable};
use flow::Dominators;

/// Every broken invariant; each check relies on the ones before it.
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
    &[operands_fit, blocks_fit, terminator_last, numbered, block_arguments, single_assignment];

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
        OperandConstraint::Symbol if matches!(operand, Operand::Symbol(_)) => true,
        OperandConstraint::Symbol | OperandConstraint::Address => false,
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

fn terminator_last(code: &Code, report: &mut Report) {
    for range in code.blocks.ids().map(|block| code.range(block)) {
        for at in range.clone() {
            let inst = &code.instructions[at];
            if inst.is_terminator() != (at + 1 == range.end) {
                let what =
                    if inst.is_terminator() { "something follows" } else { "nothing follows" };
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

fn block_arguments(code: &Code, report: &mut Report) {
    for id in code.blocks.ids() {
        let arguments = code.blocks[id].arguments.len();
        let targets: Vec<_> = code.successors(id).collect();
        let fits = match targets[..] {
            [only] => arguments == code.blocks[only].parameters.len(),
            _ => arguments == 0 && targets.iter().all(|it| code.blocks[*it].parameters.is_empty()),
        };
        if !fits {
            let what = "its arguments do not fit the parameters of its successor";
            report.fail_in("block-arguments", id, what);
        }
    }
    let predecessors = predecessors(code);
    for id in code.blocks.ids() {
        if predecessors[id].len() < 2 && !code.blocks[id].parameters.is_empty() {
            report.fail_in("parameters", id, "a block with one predecessor has parameters");
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
        let passed = code.blocks[id].arguments.iter().map(|it| (range.end, *it));
        for (at, register) in range.clone().flat_map(reads).chain(passed) {
            let is_there = written[register].is_some_and(|(block, after)| match block == id {
                true => after <= at,
                false => dominators.dominates(block, id),
            });
            if !is_there {
                let what = format!("{register} is not written on every path to here");
                report.fail_in("dominated", id, &what);
            }
        }
    }
}

fn dominators(code: &Code) -> Dominators<BlockId> {
    let predecessors = predecessors(code);
    let from = |block| predecessors[block].iter().copied();
    Dominators::build(BlockId::ENTRY, code.blocks.ids().skip(1), from)
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
                report.fail_in("single-definition", id, &format!("{register} is written again"));
            }
        }
    }
    written
}

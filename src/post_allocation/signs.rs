//! Signs: which registers hold numbers above zero, and which hold numbers that are not negative.
//!
//! If a number above zero is decremented, the result is not negative, and the flags show whether it
//! is zero. So they show whether it is above zero, too, and a loop that counts down needs no
//! compare. The analysis is a forward data-flow problem: a register is in a set of a block if it is
//! in that of all its predecessors at their ends, or a test has led there (S. S. Muchnick, Advanced
//! Compiler Design and Implementation, 1997, 8.1).
use super::control_flow::{Block, ControlFlow, Order, compared};
use super::decoded::Decoded;
use crate::arith::Relation;
use crate::ia32::code::{BlockId, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand, Register};
use crate::target::{Flags, RegisterClass};
use arena::SideTable;

/// The knowledge about the signs of registers.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Signs {
    /// They hold numbers above zero.
    positive: RegisterSet,
    /// They hold numbers that are not negative.
    natural: RegisterSet,
}

/// The signs at the start of each reachable block.
fn at_starts(flow: &ControlFlow, order: &Order) -> SideTable<BlockId, Signs> {
    let mut starts = SideTable::<BlockId, Signs>::new(flow.blocks.len());
    order.reachable.iter().for_each(|&id| starts[id] = Signs::all());
    starts[BlockId::ENTRY] = Signs::default();
    let both = |a: &Signs, b: &Signs| a.intersect(*b);
    flow::solve(&order.reachable, starts, both, |id, start, to| {
        let mut end = *start;
        flow.blocks[id].body.iter().for_each(|it| end.step(it));
        for next in flow.successors(id) {
            let mut arriving = end;
            arriving.assume(&flow.blocks[id], next);
            to(next, arriving);
        }
    })
}

/// The same, if some block tests whether a number is above zero; else nothing, since only then a
/// decrement may be such a test.
pub fn of_counters(flow: &ControlFlow, order: &Order) -> SideTable<BlockId, Signs> {
    let counts =
        |id: BlockId| flow.successors(id).any(|next| tested(&flow.blocks[id], next).is_some());
    match flow.blocks.ids().any(counts) {
        true => at_starts(flow, order),
        false => SideTable::new(flow.blocks.len()),
    }
}

impl Signs {
    /// Of code that is never executed.
    fn all() -> Signs {
        let all = RegisterSet::allocatable(RegisterClass::General);
        Signs { positive: all, natural: all }
    }

    fn intersect(self, other: Signs) -> Signs {
        Signs {
            positive: self.positive.intersect(other.positive),
            natural: self.natural.intersect(other.natural),
        }
    }

    /// Whether a register holds a number that is not negative.
    pub fn is_natural(self, register: Register) -> bool {
        self.natural.contains(register)
    }

    /// The knowledge after an instruction.
    pub fn step(&mut self, instruction: &Decoded) {
        let least = self.result(instruction);
        // `set` writes a byte, which may be that of a known register.
        let written = instruction.real_writes();
        (self.positive, self.natural) =
            (self.positive.without(written), self.natural.without(written));
        if let Operand::Register(target) = instruction.operands[0]
            && written.contains(target)
        {
            self.learn(target, least);
        }
    }

    /// A lower bound of the result in the first operand.
    fn result(&self, instruction: &Instruction) -> i32 {
        let [first, second, _] = &instruction.operands;
        match (instruction.op, second) {
            (Op::Zero | Op::Movzx, _) => 0,
            #[cfg(feature = "ch14")]
            (Op::MovzxHalf, _) => 0,
            (Op::MovImmediate, Operand::Immediate(number)) => *number,
            (Op::Mov, _) => self.least(*second),
            (Op::Shr, Operand::Immediate(count)) if count & 31 != 0 => 0,
            (Op::Sar, _) => self.least(*first).min(0),
            (Op::AndImmediate, Operand::Immediate(mask)) if 0 <= *mask => 0,
            (Op::Dec, _) => self.least(*first).saturating_sub(1),
            _ => i32::MIN,
        }
    }

    /// The knowledge that a test at the end of a block adds if control goes to `next`.
    fn assume(&mut self, block: &Block, next: BlockId) {
        let Some((relation, [left, right])) = test(block, next) else { return };
        self.assume_relation(left, relation, right);
        self.assume_relation(right, relation.swapped(), left);
    }

    fn assume_relation(&mut self, left: Operand, relation: Relation, right: Operand) {
        let Operand::Register(register) = left else { return };
        let least = match relation {
            Relation::Greater => self.least(right).saturating_add(1),
            Relation::GreaterEqual | Relation::Equal => self.least(right),
            _ => return,
        };
        self.learn(register, least.max(self.least(left)));
    }

    /// Sets the lower bound of a register.
    fn learn(&mut self, register: Register, least: i32) {
        let sets = [(&mut self.positive, 0 < least), (&mut self.natural, 0 <= least)];
        for (set, is_in) in sets {
            if is_in { set.insert(register) } else { set.remove(register) }
        }
    }

    /// A lower bound of an operand.
    fn least(&self, operand: Operand) -> i32 {
        match operand {
            Operand::Immediate(number) => number,
            Operand::Register(register) if self.positive.contains(register) => 1,
            Operand::Register(register) if self.natural.contains(register) => 0,
            _ => i32::MIN,
        }
    }
}

/// The relation between two operands if control goes from a block to `next`.
fn test(block: &Block, next: BlockId) -> Option<(Relation, [Operand; 2])> {
    let Terminator::Branch(relation, yes, no) = block.terminator else { return None };
    let at = block.body.iter().rposition(|it| it.flags() != Flags::Untouched)?;
    let (left, right) = compared(&block.body[at])?;
    let relation = if next == yes { relation } else { relation.negated() };
    let written = block.body[at..].iter().map(Decoded::real_writes);
    let written = written.fold(RegisterSet::EMPTY, RegisterSet::union);
    let is_written =
        |operand| matches!(operand, Operand::Register(register) if written.contains(register));
    let is_known = yes != no && !is_written(left) && !is_written(right);
    is_known.then_some((relation, [left, right]))
}

/// The register that is above zero if control goes from a block to `next`, because of a test.
pub fn tested(block: &Block, next: BlockId) -> Option<Register> {
    match test(block, next)? {
        (Relation::Greater, [Operand::Register(register), Operand::Immediate(0)]) => Some(register),
        _ => None,
    }
}

/// The register that an instruction decrements.
pub fn decremented(instruction: &Instruction) -> Option<Register> {
    match (instruction.op, instruction.operands[0]) {
        (Op::Dec, Operand::Register(register)) => Some(register),
        _ => None,
    }
}

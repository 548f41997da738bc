//! The forms of a selected instruction in allocated code: the same one, or one with an operand in
//! memory.
use crate::allocation_validation::places::Place;
use crate::ia32::code::{Address, Base, Instruction};
use crate::ia32::{Op, Operand, Register};
use crate::target::OperandConstraint;

/// The operands of the selected instruction and the places where the allocated one has them.
#[derive(Default)]
pub struct Match {
    pub reads: Vec<(Register, Place)>,
    pub writes: Vec<(Register, Place)>,
    /// The words of the caller that it reads.
    pub words: Vec<(Address, Place)>,
    /// The first two reads may be exchanged.
    pub commutes: bool,
}

/// The operands, if the allocated instruction is a form of the selected one.
pub fn matches(
    selected: &Instruction,
    allocated: &Instruction,
    place: impl Fn(Operand) -> Option<Place>,
) -> Option<Match> {
    let [first, second, _] = selected.operands;
    let [target, number, _] = allocated.operands;
    let commutes = selected.op.row().commutes;
    let mut found = Match { commutes, ..Match::default() };
    match (selected.op, allocated.op) {
        (Op::Test, Op::MemoryCmpImmediate) => {
            let is_zero = first == second && number == Operand::Immediate(0);
            found.reads.push((register(first).filter(|_| is_zero)?, place(target)?));
        }
        (Op::Lea, Op::MemoryAdd | Op::MemoryAddImmediate) => {
            let Operand::Address(sum) = second else { return None };
            found.sum(sum, number, place(target)?, &place)?;
            found.writes.push((register(first)?, place(target)?));
        }
        (from, to) if is_form(from, to) => {
            let operands = selected.operands.into_iter().zip(allocated.operands);
            let slots = from.row().instruction.operands.iter();
            for (&slot, (name, operand)) in slots.zip(operands) {
                found.operand(slot, name, operand, &place)?;
            }
        }
        _ => return None,
    }
    Some(found)
}

/// Whether the second is the first, or the same with an operand in memory.
fn is_form(selected: Op, allocated: Op) -> bool {
    selected == allocated
        || selected.with_second_in_memory() == Some(allocated)
        || selected.with_first_in_memory() == Some(allocated)
        || (selected, allocated) == (Op::CmpImmediate, Op::MemoryCmpImmediate)
}

fn register(operand: Operand) -> Option<Register> {
    let Operand::Register(register) = operand else { return None };
    Some(register)
}

impl Match {
    /// The reads, with the first two exchanged.
    pub fn exchanged(&self) -> impl Iterator<Item = (Register, Place)> {
        let mut reads = self.reads.clone();
        if let [first, second, ..] = reads.as_mut_slice() {
            std::mem::swap(&mut first.1, &mut second.1);
        }
        reads.into_iter()
    }

    fn operand(
        &mut self,
        slot: OperandConstraint,
        name: Operand,
        operand: Operand,
        place: impl Fn(Operand) -> Option<Place>,
    ) -> Option<()> {
        match (name, operand) {
            (Operand::Register(register), _) => {
                let place = place(operand)?;
                if slot.reads() {
                    self.reads.push((register, place));
                }
                if slot.writes() {
                    self.writes.push((register, place));
                }
                Some(())
            }
            (Operand::Address(named), _) if named.is_on_stack() => {
                self.words.push((named, place(operand)?));
                Some(())
            }
            (Operand::Address(named), Operand::Address(address)) => self.address(named, address),
            _ => (name == operand).then_some(()),
        }
    }

    /// The same address with other names of its registers.
    fn address(&mut self, named: Address, address: Address) -> Option<()> {
        let names = named.registers().into_iter().flatten();
        let registers = address.registers().into_iter().flatten();
        let mut next = registers.clone();
        let mut renamed = named;
        renamed.rename(|name| next.next().unwrap_or(name));
        self.reads.extend(names.zip(registers.map(Place::Register)));
        (renamed == address).then_some(())
    }

    /// A sum that `lea` computes, and an update in memory: one term is there, the other is `other`.
    fn sum(
        &mut self,
        sum: Address,
        other: Operand,
        target: Place,
        place: impl Fn(Operand) -> Option<Place>,
    ) -> Option<()> {
        let Base::Register(base) = sum.base() else { return None };
        self.reads.push((base, target));
        match (sum.index(), other) {
            (Some((index, 1)), Operand::Register(_)) if sum.displacement == 0 => {
                self.reads.push((index, place(other)?));
                self.commutes = true;
                Some(())
            }
            (None, Operand::Immediate(number)) => (number == sum.displacement).then_some(()),
            _ => None,
        }
    }
}

//! Gives each value one definition: a second write of a virtual register in its block writes a new
//! one.
//!
//! A copy and the instruction after it that updates its target are one definition.
use crate::ia32::code::{Code, Instruction};
use crate::ia32::register::NAMES;
use crate::ia32::{Operand, Register};
use crate::target::OperandConstraint;
use arena::SideTable;

pub fn rename(code: &mut Code) {
    let remaining = definitions(code);
    let mut values = (0..code.register_count()).map(Register::new_virtual);
    if values.all(|value| remaining[value] <= 1) {
        return;
    }
    let old = std::mem::take(&mut code.instructions);
    let mut renaming = Renaming { code, remaining, names: SideTable::new(0) };
    let mut renamed = Vec::with_capacity(old.len());
    let firsts = renaming.code.blocks.ids().map(|id| renaming.code.blocks[id].first);
    let mut firsts = firsts.collect::<Vec<_>>().into_iter().zip(renaming.code.blocks.ids());
    let mut next = firsts.next();
    for (at, instruction) in old.iter().enumerate() {
        if let Some((first, block)) = next
            && first as usize == at
        {
            renaming.code.blocks[block].first = renamed.len() as u32;
            next = firsts.next();
        }
        let previous = at.checked_sub(1).map(|at| &old[at]);
        renaming.instruction(instruction, previous, &mut renamed);
    }
    code.instructions = renamed;
}

struct Renaming<'c> {
    code: &'c mut Code,
    /// The number of definitions of each register that have not been reached.
    remaining: SideTable<Register, u32>,
    /// The new name of each register, if it is not its own. The last definition keeps it.
    names: SideTable<Register, Option<Register>>,
}

impl Renaming<'_> {
    fn instruction(
        &mut self,
        instruction: &Instruction,
        previous: Option<&Instruction>,
        renamed: &mut Vec<Instruction>,
    ) {
        let mut copy = *instruction;
        let written = written(instruction).filter(|_| !continues(instruction, previous));
        let Some(value) = written else {
            copy.rename(|_, name| self.names[name].unwrap_or(name));
            return renamed.push(copy);
        };
        self.remaining[value] -= 1;
        let last = self.remaining[value] == 0;
        let old = self.names[value].unwrap_or(value);
        let new = if last { value } else { self.fresh(value) };
        let updates = instruction.reads().any(|read| read == value);
        let updates = updates && updated(instruction) == Some(value);
        if updates && new != old {
            let operands = [Operand::Register(new), Operand::Register(old)];
            let copy = self.code.kind(new).expect(KNOWN).copy();
            renamed.push(Instruction::new(copy, &operands, instruction.origin));
        }
        let names = &self.names;
        copy.rename(|slot, name| match name == value && (slot.writes() || updates) {
            true => new,
            false => names[name].unwrap_or(name),
        });
        self.names[value] = Some(new);
        renamed.push(copy);
    }

    fn fresh(&mut self, value: Register) -> Register {
        let kind = self.code.kind(value).expect(KNOWN);
        self.code.virtual_registers.push(kind);
        Register::new_virtual(self.code.register_count() - 1)
    }
}

/// The number of definitions of each virtual register.
fn definitions(code: &Code) -> SideTable<Register, u32> {
    let count = NAMES.len() + code.virtual_registers.len();
    let mut counts = SideTable::<Register, u32>::new(count);
    for (at, instruction) in code.instructions.iter().enumerate() {
        let previous = at.checked_sub(1).map(|at| &code.instructions[at]);
        let new = written(instruction).filter(|_| !continues(instruction, previous));
        new.into_iter().for_each(|value| counts[value] += 1);
    }
    counts
}

fn written(instruction: &Instruction) -> Option<Register> {
    let mut written = instruction.slots().filter_map(|(slot, operand)| operand.written(slot));
    written.find(|it| !it.is_real())
}

/// The register that an instruction reads and overwrites.
pub fn updated(instruction: &Instruction) -> Option<Register> {
    let is_update = |slot: &OperandConstraint| slot.reads() && slot.writes();
    let (_, operand) = instruction.slots().find(|(slot, _)| is_update(slot))?;
    let Operand::Register(register) = operand else { return None };
    Some(register)
}

/// Whether an instruction updates the target of the copy before it.
fn continues(instruction: &Instruction, previous: Option<&Instruction>) -> bool {
    let copied = previous.filter(|it| it.op.is_copy()).and_then(written);
    copied.is_some() && updated(instruction) == copied
}

const KNOWN: &str = "verified: the register is known";

//! The code with real registers, and the moves between its instructions.
use crate::allocate::Allocation;
use crate::allocate::Position;
use crate::allocate::linear_scan::Part;
use crate::allocate::parallel_copy::{Location, sequentialize};
use crate::allocate::spill_code::Move;
use crate::ia32::code::Instruction;
use crate::ia32::register::{NAMES, RegisterSet};
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::OperandConstraint;
use arena::Id;

/// Goes through the parts in the order in which they begin.
pub struct Sweep<'p> {
    parts: std::slice::Iter<'p, Part>,
    /// Those that have begun and not ended.
    current: Vec<Part>,
}

impl Sweep<'_> {
    pub fn new(parts: &[Part]) -> Sweep<'_> {
        Sweep { parts: parts.iter(), current: Vec::new() }
    }

    /// The parts of values that are live at a position, which is not before the last one.
    pub fn live(&mut self, allocation: &Allocation, at: Position) -> Vec<Part> {
        while let Some(part) = self.parts.as_slice().first().filter(|part| part.from <= at) {
            self.current.push(*part);
            self.parts.next();
        }
        self.current.retain(|part| at < part.to);
        let is_live = |part: &&Part| allocation.intervals[part.value].covers(at);
        self.current.iter().filter(is_live).copied().collect()
    }
}

impl Allocation<'_> {
    /// The instructions, with the moves before them.
    pub fn rewrite(&mut self, mut moves: Vec<Move>) -> Vec<Instruction> {
        moves.sort_by_key(|it| it.at);
        let mut moves = moves.chunk_by(|a, b| a.at == b.at).peekable();
        let mut sweep = Sweep::new(&self.parts);
        let mut done = Vec::with_capacity(2 * self.code.instructions.len());
        for (number, instruction) in self.code.instructions.iter().enumerate() {
            let at = 2 * number as Position;
            while let Some(group) = moves.next_if(|group| group[0].at <= at + 1) {
                let busy = self.busy(&mut sweep, group[0].at);
                // On an edge no value stays that the copies do not name.
                #[cfg(feature = "ch05")]
                let busy = if instruction.op == Op::Jmp { RegisterSet::EMPTY } else { busy };
                let copies = group.iter().map(|it| it.copy);
                let scratch = &mut || self.slots.scratch(at);
                let made = sequentialize(copies, busy, scratch);
                done.extend(
                    made.into_iter().map(|it| Instruction { origin: instruction.origin, ..it }),
                );
            }
            let instruction = self.with_registers(*instruction, at);
            if instruction.op != Op::Mov || instruction.operands[0] != instruction.operands[1] {
                done.push(instruction);
            }
        }
        done
    }

    /// The registers that hold something at a position.
    fn busy(&self, sweep: &mut Sweep, at: Position) -> RegisterSet {
        let mut busy = RegisterSet::EMPTY;
        let real = (0..NAMES.len()).map(Register::from_index);
        real.filter(|&it| self.intervals[it].covers(at)).for_each(|it| busy.insert(it));
        sweep.live(self, at).iter().for_each(|part| busy.insert(part.register));
        busy
    }

    /// An instruction with real registers. A copy of a value in memory is a load.
    fn with_registers(&self, mut instruction: Instruction, at: Position) -> Instruction {
        if let (Op::Mov, [_, Operand::Register(source), _]) = (instruction.op, instruction.operands)
            && !source.is_real()
            && let home @ Location::Memory(_) = self.location(source, at)
        {
            instruction.op = Op::Load;
            instruction.operands[1] = home.operand();
        }
        instruction.rename(|slot, name| {
            let at = if slot.reads() || slot == OperandConstraint::Address { at } else { at + 1 };
            if name.is_real() {
                name
            } else {
                self.register(name, at).expect("it is needed in one")
            }
        });
        instruction
    }
}

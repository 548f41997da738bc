//! Rewrites the code with real registers, and inserts the moves.
use crate::ia32::code::Instruction;
use crate::ia32::register::{NAMES, RegisterSet};
use crate::ia32::{Op, Operand, Register};
use crate::linear_scan::allocation::Allocation;
use crate::linear_scan::scan::Part;
use crate::linear_scan::spill_code::Move;
use crate::live_ranges::Position;
use crate::live_ranges::parallel_copy::{Location, sequentialize};
use crate::target::OperandConstraint;
use arena::Id;

/// A sweep over the parts in the order of their starts.
pub struct Sweep<'p> {
    parts: std::slice::Iter<'p, Part>,
    /// The parts that have started and not ended.
    active: Vec<Part>,
}

impl Sweep<'_> {
    pub fn new(parts: &[Part]) -> Sweep<'_> {
        Sweep { parts: parts.iter(), active: Vec::new() }
    }

    /// The parts of values that are live at a position, which is not before the last one.
    pub fn live(&mut self, allocation: &Allocation, at: Position) -> Vec<Part> {
        while let Some(part) = self.parts.as_slice().first().filter(|part| part.from <= at) {
            self.active.push(*part);
            self.parts.next();
        }
        self.active.retain(|part| at < part.to);
        let is_live = |part: &&Part| allocation.intervals.of(part.value).covers(at);
        self.active.iter().filter(is_live).copied().collect()
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
                // The copies of an edge name all values that are live on it.
                #[cfg(feature = "ch05")]
                let busy = if instruction.op == Op::Jmp { RegisterSet::EMPTY } else { busy };
                let copies = group.iter().map(|it| it.copy).collect::<Vec<_>>();
                let scratch = &mut |kind| self.slots.scratch(at, kind);
                sequentialize(&copies, busy, scratch, instruction.origin, &mut done);
            }
            let instruction = self.with_registers(*instruction, at);
            if !instruction.op.is_copy() || instruction.operands[0] != instruction.operands[1] {
                done.push(instruction);
            }
        }
        done
    }

    /// The registers that hold live values at a position.
    fn busy(&self, sweep: &mut Sweep, at: Position) -> RegisterSet {
        let mut busy = RegisterSet::EMPTY;
        let real = (0..NAMES.len()).map(Register::from_index);
        real.filter(|&it| self.intervals.of(it).covers(at)).for_each(|it| busy.insert(it));
        sweep.live(self, at).iter().for_each(|part| busy.insert(part.register));
        busy
    }

    /// An instruction with real registers. A copy of a value in memory is a load.
    fn with_registers(&self, mut instruction: Instruction, at: Position) -> Instruction {
        if let [_, Operand::Register(source), _] = instruction.operands
            && instruction.op.is_copy()
            && !source.is_real()
            && let location @ Location::Memory(_) = self.location(source, at)
        {
            instruction.op = self.intervals[source].kind.load();
            instruction.operands[1] = location.operand();
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

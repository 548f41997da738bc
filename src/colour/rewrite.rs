//! Rewrites the code with real registers, and sequentializes the parallel copies.
use crate::colour::color::Colours;
use crate::colour::memory_operand::with_memory;
use crate::colour::read_modify_write::updates;
use crate::colour::split_code::{self, Action, Part, Source, SplitCode, Step, Target};
use crate::ia32::code::{Code, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use crate::live_ranges::Position;
use crate::live_ranges::frame;
use crate::live_ranges::parallel_copy::{Copy, Location, sequentialize};
use crate::live_ranges::stack_slots::StackSlots;
use crate::target::RegisterKind;

/// The rewritten code is in pieces of about so many instructions.
const PIECE: usize = 1024;

pub fn rewrite(code: Code, split: SplitCode, colours: &Colours, slots: StackSlots) -> Code {
    let (moved, done) = (Vec::new(), Vec::new());
    let mut body = Vec::new();
    let mut rewriting = Rewriting { code: &code, split: &split, colours, slots, moved, done };
    for block in code.blocks.ids() {
        let block = &split.blocks[block];
        if rewriting.done.len() + block.steps.range().len() > PIECE {
            body.push(std::mem::replace(&mut rewriting.done, Vec::with_capacity(PIECE)));
        }
        for step in &split.steps[block.steps.range()] {
            let is_instruction = matches!(step.action, Action::Instruction { .. });
            if is_instruction && code.instructions[step.at as usize].op == Op::Jmp {
                rewriting.copies(block.exit, RegisterSet::EMPTY, step.at as usize);
            }
            rewriting.step(step);
        }
    }
    let Rewriting { slots, done, .. } = rewriting;
    body.push(done);
    drop(split);
    frame::lay_out(code, body, &slots)
}

struct Rewriting<'c> {
    code: &'c Code,
    split: &'c SplitCode,
    colours: &'c Colours,
    slots: StackSlots,
    /// The copies of a step.
    moved: Vec<Copy>,
    /// The instructions of the last piece so far.
    done: Vec<Instruction>,
}

impl Rewriting<'_> {
    fn step(&mut self, step: &Step) {
        match step.action {
            Action::Instruction { operands, memory } => {
                let instructions = &self.code.instructions[step.at as usize..];
                let mut instruction = match memory {
                    Some(value) => in_memory(instructions, value, self.memory(value).operand()),
                    None => instructions[0],
                };
                let mut names = self.split.operands[operands.range()].iter();
                let mut next = || names.next().expect("an operand for each name").register;
                instruction.rename(|_, _| self.register(next()));
                let [to, from, _] = instruction.operands;
                if !instruction.op.is_copy() || to != from {
                    self.done.push(instruction);
                }
            }
            Action::Copies { copies, across } => {
                // Copies to real registers begin a region: nothing else is in its registers yet.
                let mut targets = self.split.copies[copies.range()].iter();
                let begins = targets.any(|it| it.target().is_some_and(|to| to.is_real()));
                let mut busy = if begins { RegisterSet::EMPTY } else { step.fixed };
                let across = self.split.across[across.range()].iter();
                across.for_each(|&it| busy.insert(self.register(it)));
                self.copies(copies, busy, step.at as usize);
            }
        }
    }

    /// Values that are computed again come last: their registers are free then.
    fn copies(&mut self, copies: Part, mut busy: RegisterSet, at: usize) {
        let copies = &self.split.copies[copies.range()];
        if copies.is_empty() {
            return;
        }
        let origin = self.code.instructions[at].origin;
        let mut moved = std::mem::take(&mut self.moved);
        moved.clear();
        for copy in copies {
            let from = match copy.from {
                Source::Register(from) => Location::Register(self.register(from)),
                Source::Memory(value) => self.memory(value),
                Source::Computed(_) => continue,
            };
            let to = match copy.to {
                Target::Register(to) => Location::Register(self.register(to)),
                Target::Memory(value) => self.memory(value),
            };
            match to {
                // Most copies have no effect, but their values are needed after the others.
                Location::Register(register) if to == from => busy.insert(register),
                _ => moved.push(Copy { to, from, kind: self.kind(copy, to) }),
            }
        }
        let (slots, at) = (&mut self.slots, 2 * at as Position);
        let scratch = &mut |kind| slots.scratch(at, kind);
        sequentialize(&moved, busy, scratch, origin, &mut self.done);
        self.moved = moved;
        for copy in copies {
            if let (Source::Computed(at), Some(to)) = (copy.from, copy.target()) {
                let to = Operand::Register(self.register(to));
                self.done.push(recomputed(&self.code.instructions[at as usize], to, origin));
            }
        }
    }

    /// The kind of the register or value that is copied.
    fn kind(&self, copy: &split_code::Copy, to: Location) -> RegisterKind {
        match (copy.to, copy.from, to) {
            (Target::Memory(value), ..) | (_, Source::Memory(value), _) => {
                self.code.kind(value).expect("a value has a kind")
            }
            (_, _, Location::Register(register)) => register.real_kind(),
            (_, _, Location::Memory(_)) => RegisterKind::WORD,
        }
    }

    fn register(&self, name: Register) -> Register {
        self.colours.of(name)
    }

    fn memory(&self, value: Register) -> Location {
        Location::Memory(self.slots.address(value))
    }
}

/// The form of the first instructions that has a value in memory, at this place. Few have one.
#[cold]
fn in_memory(instructions: &[Instruction], value: Register, place: Operand) -> Instruction {
    match updates(instructions).find(|it| it.value == value) {
        Some(update) => update.instruction(place, instructions[0].origin),
        None => with_memory(&instructions[0], place),
    }
}

/// The instruction that computes a value again; it does not change the flags.
fn recomputed(instruction: &Instruction, to: Operand, origin: u32) -> Instruction {
    match instruction.op {
        Op::Zero => Instruction::new(Op::MovImmediate, &[to, Operand::Immediate(0)], origin),
        op => Instruction::new(op, &[to, instruction.operands[1]], origin),
    }
}

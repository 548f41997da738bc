//! Rewrites the code with real registers, and sequentializes the parallel copies.
use crate::allocate::Position;
use crate::allocate::frame;
use crate::allocate::intervals::Intervals;
use crate::allocate::parallel_copy::{Copy, Location, sequentialize};
use crate::allocate::stack_slots::StackSlots;
use crate::allocate::with_blocks;
use crate::colour::color::Colours;
use crate::colour::split_code::{self, Action, Source, SplitCode, Step, Target};
use crate::ia32::code::{Code, Form, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::RegisterKind;

pub fn rewrite(
    code: Code,
    split: SplitCode,
    colours: &Colours,
    slots: StackSlots,
    intervals: &Intervals,
) -> Code {
    let steps = code.blocks.ids().map(|block| split.blocks[block].steps.len()).sum::<usize>();
    let done = Vec::with_capacity(steps);
    let mut rewriting = Rewriting { code: &code, colours, intervals, slots, done };
    for block in code.blocks.ids() {
        for step in &split.blocks[block].steps {
            if matches!(&step.action, Action::Instruction(it) if it.op == Op::Jmp) {
                rewriting.copies(&split.blocks[block].exit, RegisterSet::EMPTY, step.at);
            }
            rewriting.step(step);
        }
    }
    // Its instructions have been copied.
    drop(split);
    let instructions = frame::lay_out(rewriting.done, &rewriting.slots);
    let virtual_registers = Vec::new();
    with_blocks(Code { form: Form::Allocated, instructions, virtual_registers, ..code })
}

struct Rewriting<'c> {
    code: &'c Code,
    colours: &'c Colours,
    intervals: &'c Intervals,
    slots: StackSlots,
    done: Vec<Instruction>,
}

impl Rewriting<'_> {
    fn step(&mut self, step: &Step) {
        match &step.action {
            Action::Instruction(instruction) => {
                let mut instruction = *instruction;
                instruction.rename(|_, name| self.register(name));
                if let Some(value) = step.memory {
                    instruction.operands[1] = self.memory(value).operand();
                }
                let [to, from, _] = instruction.operands;
                if !instruction.op.is_copy() || to != from {
                    self.done.push(instruction);
                }
            }
            Action::Copies(copies, across) => {
                let mut busy = step.fixed;
                across.iter().for_each(|&it| busy.insert(self.register(it)));
                self.copies(copies, busy, step.at);
            }
        }
    }

    /// Values that are computed again come last: their registers are free then.
    fn copies(&mut self, copies: &[split_code::Copy], busy: RegisterSet, at: usize) {
        let origin = self.code.instructions[at].origin;
        let moved = copies.iter().filter_map(|copy| {
            let from = match copy.from {
                Source::Register(from) => Location::Register(self.register(from)),
                Source::Memory(value) => self.memory(value),
                Source::Computed(_) => return None,
            };
            let to = match copy.to {
                Target::Register(to) => Location::Register(self.register(to)),
                Target::Memory(value) => self.memory(value),
            };
            Some(Copy { to, from, kind: self.kind(copy, to) })
        });
        let moved = moved.collect::<Vec<_>>();
        let (slots, at) = (&mut self.slots, 2 * at as Position);
        let made = sequentialize(moved.into_iter(), busy, &mut |kind| slots.scratch(at, kind));
        self.done.extend(made.into_iter().map(|it| Instruction { origin, ..it }));
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
                self.intervals[value].kind
            }
            (_, _, Location::Register(register)) => register.real_kind(),
            (_, _, Location::Memory(_)) => RegisterKind::WORD,
        }
    }

    fn register(&self, name: Register) -> Register {
        self.colours[name]
    }

    fn memory(&self, value: Register) -> Location {
        Location::Memory(self.slots.address(value, self.intervals))
    }
}

/// The instruction that computes a value again; it does not change the flags.
fn recomputed(instruction: &Instruction, to: Operand, origin: u32) -> Instruction {
    match instruction.op {
        Op::Zero => Instruction::new(Op::MovImmediate, &[to, Operand::Immediate(0)], origin),
        op => Instruction::new(op, &[to, instruction.operands[1]], origin),
    }
}

//! Shrink-wrapping: a function makes its frame only on the paths that need it.
//!
//! The allocation makes the frame at the entry and leaves it before each return. Here, the block
//! that dominates all blocks with work for the frame makes it, and the edges out of the part that
//! it dominates leave it. So a recursion that ends at once saves no register. (F. Chow: Minimizing
//! Register Usage Penalty at Procedure Calls, 1988, section 5.)
use super::control_flow::{ControlFlow, Order};
use super::decoded::Decoded;
use crate::firm::Signature;
use crate::ia32::code::{Base, BlockId, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand, Register};
use arena::SideTable;

/// Moves the frame of a function down, if that takes no further instructions. Takes and returns the
/// registers that are live after each block.
pub fn wrap(
    flow: &mut ControlFlow,
    mut live_out: SideTable<BlockId, RegisterSet>,
) -> SideTable<BlockId, RegisterSet> {
    let order = flow.order();
    if let Some(frame) = Frame::new(flow, &order) {
        frame.sink_copies(flow, &order, &mut live_out);
        frame.move_down(flow, &order);
    }
    live_out
}

const WORD: i32 = 4;
const ESP: Operand = Operand::Register(Register::ESP);

/// The frame as the allocation has made it.
struct Frame {
    /// The instructions that make it and those that leave it.
    prologue: Vec<Decoded>,
    epilogue: Vec<Decoded>,
    bytes: i32,
    /// The registers that it saves.
    saved: RegisterSet,
    /// The number of instructions before the epilogue, for each block that has one.
    epilogues: SideTable<BlockId, Option<usize>>,
}

impl Frame {
    /// The frame, if there is one, and each return leaves it.
    fn new(flow: &ControlFlow, order: &Order) -> Option<Frame> {
        if flow.blocks[BlockId::ENTRY].terminator == Terminator::NoReturn {
            return None; // It pushes arguments.
        }
        let entry = &flow.blocks[BlockId::ENTRY].body;
        let length = entry.iter().take_while(|it| growth(it) > 0).count();
        let prologue = entry[..length].to_vec();
        let epilogue: Vec<_> = prologue.iter().rev().map(|it| undone(it).into()).collect();
        let mut frame = Frame {
            bytes: prologue.iter().map(|it| growth(it)).sum(),
            saved: RegisterSet::EMPTY,
            prologue,
            epilogue,
            epilogues: SideTable::new(flow.blocks.len()),
        };
        for instruction in &frame.prologue {
            if let (Op::Push, Operand::Register(register)) =
                (instruction.op, instruction.operands[0])
            {
                frame.saved.insert(register);
            }
        }
        for &block in &order.reachable {
            if flow.blocks[block].terminator == Terminator::Return {
                frame.epilogues[block] = Some(frame.epilogue_of(&flow.blocks[block].body)?);
            }
        }
        (length > 0).then_some(frame)
    }

    /// The index of the epilogue in the body of a block that returns. After it is nothing but a
    /// jump to another function.
    fn epilogue_of(&self, body: &[Decoded]) -> Option<usize> {
        let jumps = body.last().is_some_and(|it| it.op.jumps_to_function());
        let end = body.len() - usize::from(jumps);
        let begin = end.checked_sub(self.epilogue.len())?;
        let same = |(a, b): (&Decoded, &Decoded)| (a.op, a.operands) == (b.op, b.operands);
        body[begin..end].iter().zip(&self.epilogue).all(same).then_some(begin)
    }

    /// The instructions of a block without prologue and epilogue.
    fn work<'f>(&self, flow: &'f ControlFlow, block: BlockId) -> &'f [Decoded] {
        let body = &flow.blocks[block].body[..];
        let body = &body[..self.epilogues[block].unwrap_or(body.len())];
        if block == BlockId::ENTRY { &body[self.prologue.len()..] } else { body }
    }

    /// Makes the frame in the lowest block that dominates all blocks that need it, if that fits.
    fn move_down(&self, flow: &mut ControlFlow, order: &Order) {
        let needing = order.reachable.iter().copied().filter(|&block| self.is_needed(flow, block));
        let needing: Vec<_> = needing.collect();
        let from = |block| order.predecessors[block].iter().copied();
        let later = order.reachable.iter().copied().filter(|block| *block != BlockId::ENTRY);
        let dominators = flow::Dominators::build(BlockId::ENTRY, later, from);
        let top = needing.into_iter().reduce(|a, b| dominators.nearest_common_dominator(a, b));
        let Some(mut top) = top else {
            return self.make_in(flow, order, |_| false);
        };
        while top != BlockId::ENTRY {
            let is_inside = |block| dominators.dominates(top, block);
            if self.fits(flow, order, top, is_inside) {
                return self.make_in(flow, order, is_inside);
            }
            top = dominators.immediate_dominator(top);
        }
    }

    /// Copies to saved registers move from the entry to the only block after it that needs them, so
    /// that the entry does not need the frame. (LLVM: Post-RA Machine Sinking.)
    fn sink_copies(
        &self,
        flow: &mut ControlFlow,
        order: &Order,
        live_out: &mut SideTable<BlockId, RegisterSet>,
    ) {
        for at in (self.prologue.len()..flow.blocks[BlockId::ENTRY].body.len()).rev() {
            let copy = flow.blocks[BlockId::ENTRY].body[at];
            let (Op::Mov, [Operand::Register(to), Operand::Register(from), _]) =
                (copy.op, copy.operands)
            else {
                continue;
            };
            let after = &flow.blocks[BlockId::ENTRY].body[at + 1..];
            let stays =
                |it: &Decoded| !it.real_writes().contains(to) && !it.real_writes().contains(from);
            let is_live = |block: &BlockId| live_in(flow, *block, live_out).contains(to);
            let mut needing = flow.successors(BlockId::ENTRY).filter(is_live);
            let (Some(block), None) = (needing.next(), needing.next()) else { continue };
            let moves =
                self.saved.contains(to) && !self.saved.contains(from) && after.iter().all(stays);
            if !moves || order.predecessors[block] != [BlockId::ENTRY] {
                continue;
            }
            let body = &mut flow.blocks[BlockId::ENTRY].body;
            body.remove(at);
            for instruction in &mut body[at..] {
                let mut renamed = **instruction;
                renamed.rename(|_, name| if name == to { from } else { name });
                *instruction = renamed.into();
            }
            flow.blocks[block].body.insert(0, copy);
            live_out[BlockId::ENTRY].insert(from);
        }
    }

    /// Whether a block writes a saved register or accesses the frame.
    fn is_needed(&self, flow: &ControlFlow, block: BlockId) -> bool {
        self.work(flow, block).iter().any(|it| {
            let is_passed = |it: Signature| it.on_stack() + it.results_on_stack() > 0;
            it.real_writes().intersect(self.saved) != RegisterSet::EMPTY
                || it.signature().is_some_and(is_passed)
                || it.operands.iter().any(|it| on_stack(it).is_some_and(|at| at < self.bytes))
                || moves_stack(it)
        })
    }

    /// Whether `top` can make the frame for the blocks that it dominates: control enters each time
    /// from outside, leaves by jumps without a condition, and there are no more epilogues than now.
    fn fits(
        &self,
        flow: &ControlFlow,
        order: &Order,
        top: BlockId,
        is_inside: impl Fn(BlockId) -> bool,
    ) -> bool {
        let entry = &flow.blocks[BlockId::ENTRY];
        if flow.blocks[top].depth > entry.depth
            || order.predecessors[top].iter().any(|&it| is_inside(it))
        {
            return false;
        }
        let (mut before, mut after) = (0, 0);
        for &block in &order.reachable {
            let leaves = flow.successors(block).any(|to| !is_inside(to));
            match flow.blocks[block].terminator {
                Terminator::Return => {
                    before += 1;
                    after += usize::from(is_inside(block));
                }
                Terminator::Goto(_) => after += usize::from(is_inside(block) && leaves),
                Terminator::Branch(..) if is_inside(block) && leaves => return false,
                Terminator::Branch(..) | Terminator::NoReturn => {}
            }
        }
        after <= before
    }

    /// Makes the frame where control enters the inner blocks, and leaves it where control leaves
    /// them. Outside, the words of the caller are closer to esp.
    fn make_in(&self, flow: &mut ControlFlow, order: &Order, is_inside: impl Fn(BlockId) -> bool) {
        for &block in &order.reachable {
            let body = &mut flow.blocks[block].body;
            if block == BlockId::ENTRY {
                body.drain(..self.prologue.len());
            }
            if !is_inside(block) {
                if let Some(at) = self.epilogues[block] {
                    let at = at - if block == BlockId::ENTRY { self.prologue.len() } else { 0 };
                    body.drain(at..at + self.epilogue.len());
                }
                body.iter_mut().for_each(|it| *it = self.without_frame(it).into());
            }
        }
        for &block in &order.reachable {
            let entered = order.predecessors[block].iter().any(|&it| !is_inside(it));
            if is_inside(block) && entered {
                flow.blocks[block].body.splice(..0, self.prologue.iter().copied());
            }
            if let Terminator::Goto(to) = flow.blocks[block].terminator
                && is_inside(block)
                && !is_inside(to)
            {
                flow.blocks[block].body.extend(&self.epilogue);
                if flow.only_returns(to) {
                    flow.blocks[block].terminator = Terminator::Return;
                }
            }
        }
    }

    fn without_frame(&self, instruction: &Instruction) -> Instruction {
        let mut instruction = *instruction;
        for operand in &mut instruction.operands {
            if on_stack(operand).is_some()
                && let Operand::Address(address) = operand
            {
                address.displacement -= self.bytes;
            }
        }
        instruction
    }
}

/// The registers that are live at the start of a block.
fn live_in(
    flow: &ControlFlow,
    block: BlockId,
    live_out: &SideTable<BlockId, RegisterSet>,
) -> RegisterSet {
    let body = flow.blocks[block].body.iter().rev();
    body.fold(live_out[block], |live, it| live.without(it.real_writes()).union(it.real_reads()))
}

/// The bytes by which an instruction makes the stack larger.
fn growth(instruction: &Instruction) -> i32 {
    match (instruction.op, instruction.operands) {
        (Op::Push, _) => WORD,
        (Op::SubImmediate, [ESP, Operand::Immediate(bytes), _]) => bytes,
        _ => 0,
    }
}

/// The instruction of the epilogue for one of the prologue.
fn undone(instruction: &Instruction) -> Instruction {
    let op = if instruction.op == Op::Push { Op::Pop } else { Op::AddImmediate };
    Instruction { op, ..*instruction }
}

fn moves_stack(instruction: &Instruction) -> bool {
    instruction.op.pushes() || instruction.op == Op::Pop || instruction.operands[0] == ESP
}

/// The distance of an operand in memory from esp, if it is on the stack.
fn on_stack(operand: &Operand) -> Option<i32> {
    let Operand::Address(address) = operand else { return None };
    (address.base() == Base::Register(Register::ESP)).then_some(address.displacement)
}

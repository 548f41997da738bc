//! Redundant copies: removes instructions that write a value where it is already, and those whose
//! result is not read.
//!
//! Allocation places one value at a time: a value may be loaded that another register still holds,
//! and a constant may be set again. Forward, each register and each word of the stack has the
//! number of its value (copy propagation and local value numbering: S. S. Muchnick, Advanced
//! Compiler Design and Implementation, 1997, 12.4 and 12.5). Backward, a register is live if it is
//! read before it is written (there, 14.1.3). The contents at the end of a block are those at the
//! start of a successor without other predecessors.
use super::control_flow::{ControlFlow, Order};
use super::decoded::Decoded;
use crate::ia32::code::{Address, BlockId, Instruction};
use crate::ia32::register::{NAMES, RegisterSet};
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand, Register};
use arena::{FxHashMap, Id, SideTable};

/// Returns the registers that are live after each block.
pub fn remove(flow: &mut ControlFlow, order: &Order) -> SideTable<BlockId, RegisterSet> {
    remove_repeated(flow, order);
    remove_dead(flow, order)
}

/// Removes copies to places that have the value already.
fn remove_repeated(flow: &mut ControlFlow, order: &Order) {
    let mut starts = FxHashMap::<BlockId, Contents>::default();
    for &id in &order.reachable {
        let mut contents = starts.remove(&id).unwrap_or_default();
        flow.blocks[id].body.retain_mut(|instruction| contents.step(instruction));
        for next in flow.successors(id).filter(|&next| order.predecessors[next].len() == 1) {
            starts.insert(next, contents.clone());
        }
    }
}

/// The number of a value.
type Value = u32;

/// Words of the stack, and constants, whose values are known; more are forgotten.
const MAX_KNOWN: usize = 32;

/// The values of registers, of words of the stack, and of constants.
#[derive(Clone)]
struct Contents {
    registers: [Value; NAMES.len()],
    /// By their distance from esp.
    words: Vec<(i32, Value)>,
    constants: Vec<(i32, Value)>,
    count: Value,
}

impl Default for Contents {
    /// All registers have different values.
    fn default() -> Contents {
        let count = NAMES.len() as Value;
        let registers = std::array::from_fn(|at| at as Value);
        Contents { registers, words: Vec::new(), constants: Vec::new(), count }
    }
}

impl Contents {
    /// The contents after an instruction; false if it changes nothing. A load of a value that a
    /// register holds becomes a copy of that register.
    fn step(&mut self, instruction: &mut Decoded) -> bool {
        let [first, second, _] = instruction.operands;
        match (instruction.op, first, second) {
            (Op::Mov, Operand::Register(to), Operand::Register(from)) => {
                let value = self.registers[from.index()];
                self.set(to, value)
            }
            (Op::MovImmediate, Operand::Register(to), Operand::Immediate(number)) => {
                let value = find(&mut self.constants, number, &mut self.count);
                self.set(to, value)
            }
            // Its flags are not read: rules read those of comparisons only.
            (Op::Zero, Operand::Register(to), _) => {
                let value = find(&mut self.constants, 0, &mut self.count);
                self.set(to, value)
            }
            (Op::Load, Operand::Register(to), Operand::Address(address))
                if address.is_on_stack() =>
            {
                let value = find(&mut self.words, word(address), &mut self.count);
                if let Some(holder) = self.registers.iter().position(|&held| held == value) {
                    let from = Operand::Register(Register::from_index(holder));
                    *instruction =
                        Instruction::new(Op::Mov, &[first, from], instruction.origin).into();
                }
                self.set(to, value)
            }
            (Op::Store, Operand::Address(address), Operand::Register(from))
                if address.is_on_stack() =>
            {
                let value = self.registers[from.index()];
                let known = self.words.iter().position(|&(at, _)| at == word(address));
                let known = known.map(|at| self.words.swap_remove(at).1);
                remember(&mut self.words, word(address), value);
                known != Some(value)
            }
            _ => {
                self.forget(instruction);
                true
            }
        }
    }

    /// Whether this changes the register.
    fn set(&mut self, register: Register, value: Value) -> bool {
        std::mem::replace(&mut self.registers[register.index()], value) != value
    }

    /// The registers that the instruction writes have new values; so have the words of the stack,
    /// if it writes there, moves esp or calls a function.
    fn forget(&mut self, instruction: &Decoded) {
        for register in instruction.real_writes().iter() {
            self.count += 1;
            self.registers[register.index()] = self.count;
        }
        let moves_stack = instruction.real_writes().contains(Register::ESP);
        if let Operand::Address(address) = instruction.operands[0]
            && address.is_on_stack()
        {
            // A float has two words.
            let written = word(address)..word(address) + 8;
            self.words.retain(|(at, _)| !written.contains(at));
        }
        let pushes = instruction.op.pushes() || instruction.op == Op::Pop;
        #[cfg(feature = "ch14")]
        let pushes = pushes || instruction.is_call();
        if moves_stack || pushes {
            self.words.clear();
        }
    }
}

fn word(address: Address) -> i32 {
    address.displacement
}

/// The value of a word or constant, a new one if it is not known.
fn find(known: &mut Vec<(i32, Value)>, key: i32, count: &mut Value) -> Value {
    if let Some(&(_, value)) = known.iter().find(|&&(it, _)| it == key) {
        return value;
    }
    *count += 1;
    remember(known, key, *count);
    *count
}

fn remember(known: &mut Vec<(i32, Value)>, key: i32, value: Value) {
    if known.len() == MAX_KNOWN {
        known.remove(0);
    }
    known.push((key, value));
}

/// The live registers before an instruction. Returns whether it is needed: a copy to a register
/// that is not live has no effect.
pub fn step_back(instruction: &Decoded, live: &mut RegisterSet) -> bool {
    let copies = matches!(instruction.op, Op::Mov | Op::MovImmediate | Op::Load | Op::Lea);
    let writes = instruction.real_writes();
    if copies && !writes.contains(Register::ESP) && writes.intersect(*live).is_empty() {
        return false;
    }
    // `set` writes one byte of a register.
    if instruction.op != Op::Set {
        *live = live.without(writes);
    }
    *live = live.union(instruction.real_reads());
    true
}

/// Removes copies to registers that are not read afterwards. Returns the registers that are live
/// after each block.
fn remove_dead(flow: &mut ControlFlow, order: &Order) -> SideTable<BlockId, RegisterSet> {
    let (live_out, has_dead) = live_out(flow, order);
    let mut is_needed = Vec::new();
    for id in flow.blocks.ids().filter(|&id| has_dead[id]) {
        let mut live = live_out[id];
        let body = &mut flow.blocks[id].body;
        is_needed.extend(body.iter().rev().map(|it| step_back(it, &mut live)));
        body.retain(|_| is_needed.pop().expect("one for each instruction"));
    }
    live_out
}

/// The registers that are read after each block before they are written, and whether a block has
/// instructions whose result is not read.
fn live_out(
    flow: &ControlFlow,
    order: &Order,
) -> (SideTable<BlockId, RegisterSet>, SideTable<BlockId, bool>) {
    let mut live_out = SideTable::new(flow.blocks.len());
    let mut has_dead = SideTable::new(flow.blocks.len());
    let returned = RegisterSet::of_numbers(flow.returns.row().instruction.reads);
    for id in flow.blocks.ids().filter(|&id| flow.blocks[id].terminator == Terminator::Return) {
        live_out[id] = RegisterSet::CALLEE_SAVED.union(returned);
    }
    let postorder = order.reachable.iter().rev().copied().collect::<Vec<_>>();
    let union = |a: &RegisterSet, b: &RegisterSet| a.union(*b);
    let live_out = flow::solve(&postorder, live_out, union, |id, end, to| {
        let (mut live, mut are_needed) = (*end, true);
        flow.blocks[id].body.iter().rev().for_each(|it| are_needed &= step_back(it, &mut live));
        has_dead[id] = !are_needed;
        order.predecessors[id].iter().for_each(|&from| to(from, live));
    });
    (live_out, has_dead)
}

#[cfg(test)]
#[path = "tests/redundant_copies.rs"]
mod tests;

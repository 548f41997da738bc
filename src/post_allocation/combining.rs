//! Instruction combining: two or three instructions become one that computes the same.
//!
//! Selection assumes copies and loads that allocation may not need, and allocation adds others. So
//! here a copy and a sum of it become a `lea`, a result is computed in the register that it is
//! copied to, a load whose value is read once becomes an operand in memory, and a load, an
//! operation and a store of one word become an operation on memory. Between the instructions there
//! may be others that touch none of their registers. (J. W. Davidson and C. W. Fraser, The Design
//! and Application of a Retargetable Peephole Optimizer, 1980.)
use super::compare_elimination::may_read_flags;
use super::control_flow::ControlFlow;
use super::decoded::Decoded;
use super::redundant_copies::step_back;
use crate::ia32::code::{Address, Base, BlockId, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand, Register};
use crate::target::Flags;
use arena::SideTable;
use memory::Size;

/// Combined instructions are no further apart, so that a search takes constant time.
const MAX_DISTANCE: usize = 12;

/// `live_out` are the registers that are live after each block.
pub fn combine(flow: &mut ControlFlow, live_out: &SideTable<BlockId, RegisterSet>) {
    let mut window = Window::default();
    for id in flow.blocks.ids() {
        let may_read = |next| may_read_flags(&flow.blocks[next]);
        let reads_flags = matches!(flow.blocks[id].terminator, Terminator::Branch(..))
            || flow.successors(id).any(may_read);
        let body = &mut flow.blocks[id].body;
        window.open(std::mem::take(body), live_out[id], reads_flags);
        for at in 0..window.body.len() {
            COMBINATIONS.iter().find_map(|combine| combine(&mut window, at));
        }
        *body = window.close();
    }
}

/// The combinations that begin with an instruction; the first that applies is used.
const COMBINATIONS: &[fn(&mut Window, usize) -> Option<()>] =
    &[Window::update_memory, Window::read_memory, Window::add_to_copy, Window::compute_copy];

/// The instructions of a block.
#[derive(Default)]
struct Window {
    body: Vec<Decoded>,
    is_removed: Vec<bool>,
    /// The registers that each of them reads or writes; a removed one touches none.
    touched: Vec<RegisterSet>,
    /// The registers that are live after each of them.
    live: Vec<RegisterSet>,
    /// Whether the end of the block or a later block may read the flags.
    reads_flags: bool,
}

impl Window {
    fn open(&mut self, body: Vec<Decoded>, mut live: RegisterSet, reads_flags: bool) {
        self.live.clear();
        self.touched.clear();
        for instruction in body.iter().rev() {
            self.live.push(live);
            step_back(instruction, &mut live);
        }
        self.live.reverse();
        self.touched.extend(body.iter().map(touched));
        self.is_removed.clear();
        self.is_removed.resize(body.len(), false);
        (self.body, self.reads_flags) = (body, reads_flags);
    }

    /// The instructions that were not removed.
    fn close(&mut self) -> Vec<Decoded> {
        let mut is_removed = self.is_removed.iter();
        self.body.retain(|_| is_removed.next() == Some(&false));
        std::mem::take(&mut self.body)
    }

    /// `mov r,[s]; add r,x; mov [s],r` → `add [s],x`, for a word s of the stack.
    fn update_memory(&mut self, at: usize) -> Option<()> {
        let (register, address) = self.load(at).filter(|(_, address)| address.is_on_stack())?;
        let update = self.next_touch(at, register)?;
        let updated = in_memory(&self.body[update], register, address)?;
        let store = self.next_touch(update, register)?;
        let Instruction { op, operands, .. } = &*self.body[store];
        let stored = [Operand::Address(address), Operand::Register(register)];
        let is_accessed = |it: &Decoded| moves_stack(it) || accesses(it, address);
        if *op != Op::Store || operands[..2] != stored || self.between(at, store).any(is_accessed) {
            return None;
        }
        self.dies(store, register)?;
        self.remove(at);
        self.replace(update, updated);
        self.remove(store);
        self.live[at..store].iter_mut().for_each(|live| live.remove(register));
        Some(())
    }

    /// `mov r,[m]; add x,r` → `add x,[m]`
    fn read_memory(&mut self, at: usize) -> Option<()> {
        let (register, address) = self.load(at)?;
        let user = self.next_touch(at, register)?;
        let combined = with_memory(&self.body[user], register, address)?;
        let parts = || address.registers().into_iter().flatten();
        let changes = |it: &Decoded| {
            let writes = it.real_writes();
            moves_stack(it)
                || matches!(it.operands[0], Operand::Address(_))
                || parts().any(|part| writes.contains(part))
        };
        if self.between(at, user).any(changes) {
            return None;
        }
        self.dies(user, register)?;
        self.remove(at);
        self.replace(user, combined);
        for live in &mut self.live[at..user] {
            live.remove(register);
            parts().for_each(|part| live.insert(part));
        }
        Some(())
    }

    /// `mov c,a; add c,x` → `lea c,[a+x]`
    fn add_to_copy(&mut self, at: usize) -> Option<()> {
        let (copy, from) = self.copy(at)?;
        let update = self.next_touch(at, copy)?;
        let mut sum = *self.body[update];
        let changes = |it: &Decoded| it.real_writes().contains(from);
        if sum.operands[0] != Operand::Register(copy) || self.between(at, update).any(changes) {
            return None;
        }
        sum.rename(|_, it| if it == copy { from } else { it });
        let sum = self.sum(update, &sum, copy)?;
        self.remove(at);
        self.replace(update, sum);
        for live in &mut self.live[at..update] {
            live.remove(copy);
            live.insert(from);
        }
        Some(())
    }

    /// `add a,x; mov c,a` → `lea c,[a+x]`, or `add c,a` if c is x.
    fn compute_copy(&mut self, at: usize) -> Option<()> {
        let instruction = self.instruction(at)?;
        let Operand::Register(result) = instruction.operands[0] else { return None };
        let at_copy = self.next_touch(at, result)?;
        let (copy, from) = self.copy(at_copy)?;
        let is_touched = self.touched[at + 1..at_copy].iter().any(|it| it.contains(copy));
        if from != result || is_touched {
            return None;
        }
        let computed = self.with_result(at, instruction, copy)?;
        self.dies(at_copy, result)?;
        self.replace(at, computed);
        self.remove(at_copy);
        for live in &mut self.live[at..at_copy] {
            live.remove(result);
            live.insert(copy);
        }
        Some(())
    }

    /// The instruction with its result in another register.
    fn with_result(
        &self,
        at: usize,
        instruction: &Instruction,
        to: Register,
    ) -> Option<Instruction> {
        let Instruction { op, operands: [first, second, third], origin } = *instruction;
        let to_operand = Operand::Register(to);
        match op {
            Op::Load | Op::Lea | Op::Mov | Op::MovImmediate | Op::ImulImmediate => {
                Some(Instruction { op, operands: [to_operand, second, third], origin })
            }
            _ if op.row().commutes && second == to_operand => {
                Some(Instruction::new(op, &[to_operand, first], origin))
            }
            _ => self.sum(at, instruction, to),
        }
    }

    /// The instruction at `at` as a `lea`, if it is a sum whose flags are not read.
    fn sum(&self, at: usize, instruction: &Instruction, to: Register) -> Option<Instruction> {
        let operands = [Operand::Register(to), Operand::Address(address_of_sum(instruction)?)];
        let sum = Instruction::new(Op::Lea, &operands, instruction.origin);
        self.are_flags_dead(at).then_some(sum)
    }

    fn load(&self, at: usize) -> Option<(Register, Address)> {
        match **self.instruction(at)? {
            Instruction {
                op: Op::Load,
                operands: [Operand::Register(to), Operand::Address(address), _],
                ..
            } => Some((to, address)),
            _ => None,
        }
    }

    /// The target and the source of a copy.
    fn copy(&self, at: usize) -> Option<(Register, Register)> {
        match **self.instruction(at)? {
            Instruction {
                op: Op::Mov,
                operands: [Operand::Register(to), Operand::Register(from), _],
                ..
            } => (![to, from].contains(&Register::ESP)).then_some((to, from)),
            _ => None,
        }
    }

    /// The next instruction that reads or writes a register.
    fn next_touch(&self, at: usize, register: Register) -> Option<usize> {
        let end = self.body.len().min(at + 1 + MAX_DISTANCE);
        let is_next = |&at: &usize| self.touched[at].contains(register);
        (at + 1..end).find(is_next)
    }

    /// None if it was removed.
    fn instruction(&self, at: usize) -> Option<&Decoded> {
        (!self.is_removed[at]).then_some(&self.body[at])
    }

    fn between(&self, from: usize, to: usize) -> impl Iterator<Item = &Decoded> {
        (from + 1..to).filter_map(|at| self.instruction(at))
    }

    fn remove(&mut self, at: usize) {
        (self.is_removed[at], self.touched[at]) = (true, RegisterSet::EMPTY);
    }

    fn replace(&mut self, at: usize, instruction: Instruction) {
        self.body[at] = instruction.into();
        self.touched[at] = touched(&self.body[at]);
    }

    /// Some if the register is not live after an instruction.
    fn dies(&self, at: usize, register: Register) -> Option<()> {
        (!self.live[at].contains(register)).then_some(())
    }

    /// Whether the flags that an instruction sets are not read.
    fn are_flags_dead(&self, at: usize) -> bool {
        let following = self.between(at, self.body.len());
        !Flags::are_read(following.map(Decoded::flags), self.reads_flags)
    }
}

/// The registers that an instruction reads or writes.
fn touched(instruction: &Decoded) -> RegisterSet {
    instruction.real_reads().union(instruction.real_writes())
}

/// Whether the instruction may access a word of the stack. A float has two words.
fn accesses(instruction: &Instruction, word: Address) -> bool {
    let words = if instruction.op.memory_size() == Size::Double { 2 } else { 1 };
    let is_accessed = |operand: &Operand| match operand {
        Operand::Address(it) => (0..words).any(|at| it.displacement + 4 * at == word.displacement),
        _ => false,
    };
    instruction.operands.iter().any(is_accessed)
}

/// Whether words of the stack have other addresses after it, or are unknown after a call.
fn moves_stack(instruction: &Decoded) -> bool {
    #[cfg(feature = "ch14")]
    if instruction.is_call() {
        return true;
    }
    instruction.op.pushes()
        || instruction.op == Op::Pop
        || instruction.real_writes().contains(Register::ESP)
}

/// The address that is the sum which an instruction computes.
fn address_of_sum(instruction: &Instruction) -> Option<Address> {
    let [Operand::Register(left), right, _] = instruction.operands else { return None };
    let far = |displacement: i32| Address::new(Base::Register(left), displacement);
    let address = match (instruction.op, right) {
        (Op::Add, Operand::Register(right)) => far(0).with_index(right, 1),
        (Op::AddImmediate, Operand::Immediate(number)) => far(number),
        (Op::SubImmediate, Operand::Immediate(number)) => far(number.wrapping_neg()),
        (Op::Inc, _) => far(1),
        (Op::Dec, _) => far(-1),
        (Op::Shl, Operand::Immediate(1)) => far(0).with_index(left, 1),
        _ => return None,
    };
    let uses_stack = address.registers().into_iter().flatten().any(|it| it == Register::ESP);
    (!uses_stack).then_some(address)
}

/// The update of a register as one of a word in memory.
fn in_memory(update: &Instruction, register: Register, address: Address) -> Option<Instruction> {
    let [first, second, _] = update.operands;
    if first != Operand::Register(register) || second == first {
        return None;
    }
    let operands = [Operand::Address(address), second, Operand::None];
    let op = update.op.with_first_in_memory()?;
    Some(Instruction { op, operands, origin: update.origin })
}

/// The instruction with an address in place of a register that it reads once.
fn with_memory(user: &Instruction, register: Register, address: Address) -> Option<Instruction> {
    let (word, value) = (Operand::Address(address), Operand::Register(register));
    let (op, operands) = match (user.op, user.operands) {
        (Op::Test, [left, right, _]) if left == value && right == value => {
            (Op::MemoryCmpImmediate, [word, Operand::Immediate(0)])
        }
        (Op::CmpImmediate, [left, number, _]) if left == value => {
            (Op::MemoryCmpImmediate, [word, number])
        }
        (op, [left, right, _]) if right == value && left != value => {
            (op.with_second_in_memory()?, [left, word])
        }
        _ => return None,
    };
    Some(Instruction::new(op, &operands, user.origin))
}

#[cfg(test)]
#[path = "tests/combining.rs"]
mod tests;

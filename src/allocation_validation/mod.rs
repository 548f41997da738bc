//! Validation of register allocation: every operand of the allocated code is the value that the
//! selected code names, on every path.
//!
//! Both codes are executed symbolically, side by side and block by block. The selected code gives
//! each value a symbol. The allocated code moves symbols between registers and words of the stack;
//! each of its other instructions is the form of a selected instruction, and must read the same
//! symbols. At a join, a register holds the symbols that it holds on every path. So a wrong
//! register is found even if it was written before, which a test of definite assignment cannot
//! find. (A. Pnueli, M. Siegel, E. Singerman: Translation Validation, 1998; C. Fallin: Cranelift,
//! Part 3: Correctness in Register Allocation, 2021.)
mod constant;
mod values;
mod places;
mod matching;

use crate::allocation_validation::constant::Constant;
use crate::allocation_validation::matching::{Match, matches};
use crate::allocation_validation::places::{Place, Places};
use crate::allocation_validation::values::Values;
use crate::ia32::code::{Address, Base, BlockId, Instruction};
#[cfg(feature = "ch18")]
use crate::ia32::register::argument_registers;
use crate::ia32::{Code, Op, Operand, Register};
use crate::stage::Violation;
use crate::target::Flags;
use arena::Id;
use std::collections::BTreeMap;

/// Larger functions, by their blocks times the words of their frames, are not validated: the states
/// of all blocks would need gigabytes.
const MAX_WORDS: usize = 1 << 20;

/// The instructions of the allocated code that read another value than the selected code, at most
/// one of each block.
pub fn validate(selected: &Code, allocated: &Code) -> Vec<Violation> {
    let body_height = body_height(allocated);
    if allocated.blocks.len() * (body_height as usize / 4 + 1) > MAX_WORDS {
        return Vec::new();
    }
    let mut values = Values::new(selected);
    let mut places = Places::default();
    for number in 0..selected.argument_words() {
        places.set(Place::Word(argument_offset(number)), values.argument(number));
    }
    // Or it is a float, and its second word is the next one.
    #[cfg(feature = "ch18")]
    for number in 1..selected.argument_words() {
        let place = Place::Double(argument_offset(number - 1));
        places.insert(place, values.argument(number - 1));
    }
    #[cfg(feature = "ch18")]
    for register in argument_registers(selected.signature) {
        places.set(Place::Register(register), values.passed(register));
    }
    let mut validation = Validation { selected, allocated, values, height: 0, body_height };
    let mut faults = BTreeMap::new();
    let start = (BlockId::ENTRY, places);
    let successors = |block| allocated.successors(block);
    flow::execute_all(start, successors, Places::meet, |block, places: &mut Places| {
        let result = validation.block(block, places);
        faults.remove(&block);
        result.map_err(|fault| faults.insert(block, fault)).is_ok()
    });
    let violation = |detail| Violation { invariant: "same-values", detail };
    faults.into_values().map(violation).collect()
}

/// The distance of an argument from esp at the entry, where esp points at the return address.
fn argument_offset(number: u32) -> i32 {
    4 + 4 * number as i32
}

/// The bytes of the frame in the body of a function: the first instructions push and reserve them.
fn body_height(code: &Code) -> i32 {
    let first = &code.instructions[code.range(BlockId::ENTRY)];
    first.iter().map_while(|it| frame_growth(it).filter(|bytes| *bytes > 0)).sum()
}

/// The bytes by which an instruction makes the stack grow, if it moves esp.
fn frame_growth(instruction: &Instruction) -> Option<i32> {
    match (instruction.op, instruction.operands) {
        (Op::Push, _) => Some(4),
        (Op::Pop, _) => Some(-4),
        (Op::SubImmediate, [ESP, Operand::Immediate(bytes), _]) => Some(bytes),
        (Op::AddImmediate, [ESP, Operand::Immediate(bytes), _]) => Some(-bytes),
        _ => None,
    }
}

const ESP: Operand = Operand::Register(Register::ESP);

struct Validation<'c> {
    selected: &'c Code,
    allocated: &'c Code,
    values: Values,
    /// The size of the stack at this point, from esp at the entry on, in bytes.
    height: i32,
    /// The same in all blocks, between prologue and epilogue.
    body_height: i32,
}

impl<'c> Validation<'c> {
    /// Executes a block of both codes. `places` is the state at its start, and becomes that at its
    /// end.
    fn block(&mut self, block: BlockId, places: &mut Places) -> Result<(), String> {
        let (selected, allocated) = (self.selected, self.allocated);
        self.values.begin_block(selected, block);
        places.retain(|value| self.values.is_older(value));
        self.height = if block == BlockId::ENTRY { 0 } else { self.body_height };
        let mut next = selected.range(block).start;
        for at in allocated.range(block) {
            let instruction = &allocated.instructions[at];
            let step = self.step(instruction, &mut next, places);
            step.map_err(|detail| format!("instruction {at}, `{instruction}`: {detail}"))?;
        }
        match self.needed(&mut next) {
            Some(missing) => Err(format!("block {}: `{missing}` is missing", block.index())),
            None => {
                self.pass_arguments(block, places);
                Ok(())
            }
        }
    }

    /// The next instruction of the selected block that is no copy or constant: these need no
    /// instruction in the allocated code.
    fn needed(&mut self, next: &mut usize) -> Option<&'c Instruction> {
        let selected = self.selected;
        let instructions = &selected.instructions[..self.values.end()];
        while instructions.get(*next).is_some_and(|it| self.values.rename(it)) {
            *next += 1;
        }
        instructions.get(*next)
    }

    /// The places of the arguments also hold the parameters of the only successor.
    fn pass_arguments(&mut self, block: BlockId, places: &mut Places) {
        let arguments = &self.selected.blocks[block].arguments;
        let Some(to) = self.selected.successors(block).next().filter(|_| !arguments.is_empty())
        else {
            return;
        };
        let parameters = &self.selected.blocks[to].parameters;
        let pairs = parameters.iter().zip(arguments).filter_map(|(&parameter, &argument)| {
            let argument = self.values.of(argument)?;
            Some((self.values.parameter(parameter), argument))
        });
        places.pass(&pairs.collect::<Vec<_>>());
    }

    /// Executes an instruction of the allocated code, and the next of the selected code unless the
    /// former only moves a value.
    fn step(
        &mut self,
        instruction: &Instruction,
        next: &mut usize,
        places: &mut Places,
    ) -> Result<(), String> {
        #[cfg(feature = "ch15")]
        if self.is_argument(instruction, next) {
            self.execute(instruction, next, places)?;
            self.height += 4;
            places.clear(Place::Word(-self.height));
            return Ok(());
        }
        if self.moves(instruction, places) {
            return Ok(());
        }
        self.execute(instruction, next, places)
    }

    /// Whether an instruction pushes an argument of a call that does not return.
    #[cfg(feature = "ch15")]
    fn is_argument(&mut self, instruction: &Instruction, next: &mut usize) -> bool {
        let pushes = matches!(instruction.op, Op::Push | Op::PushImmediate);
        let is_in_body = pushes && self.height >= self.body_height;
        is_in_body && self.needed(next).is_some_and(|it| it.op == instruction.op)
    }

    /// Executes an instruction that is a form of the next one of the selected code.
    fn execute(
        &mut self,
        instruction: &Instruction,
        next: &mut usize,
        places: &mut Places,
    ) -> Result<(), String> {
        let selected = self.needed(next).ok_or("the block has no instruction left")?;
        let place = |operand| Place::of(instruction.op, operand, self.height);
        let found = matches(selected, instruction, place);
        let found = found.ok_or_else(|| format!("`{selected}` was expected"))?;
        self.check_reads(selected, &found, places)?;
        self.write(selected, *next, &found, places);
        if selected.flags() == Flags::Untouched {
            clear_flags(instruction, places);
        }
        *next += 1;
        Ok(())
    }

    /// Executes an instruction that only moves values, or writes a constant. Returns whether it is
    /// one.
    fn moves(&mut self, instruction: &Instruction, places: &mut Places) -> bool {
        let height = self.height;
        let place = |operand| Place::of(instruction.op, operand, height);
        if let Some(growth) = frame_growth(instruction) {
            self.height += growth;
            instruction.writes().for_each(|it| places.clear(Place::Register(it)));
            if instruction.op == Op::Push {
                places.clear(Place::Word(-self.height));
            }
        } else if let Some((to, constant)) = Constant::of(instruction) {
            let Some(to) = place(to) else { return false };
            places.set(to, self.values.constant(constant));
        } else {
            let [to, from, _] = instruction.operands;
            let is_move = match instruction.op {
                Op::Load | Op::Store | Op::FloatLoad | Op::FloatStore => true,
                op => op.is_copy(),
            };
            let (Some(to), Some(from), true) = (place(to), place(from), is_move) else {
                return false;
            };
            places.copy(to, from);
        }
        clear_flags(instruction, places);
        true
    }

    fn check_reads(
        &self,
        selected: &Instruction,
        found: &Match,
        places: &Places,
    ) -> Result<(), String> {
        let holds = |(register, place): (Register, Place)| {
            self.values.of(register).is_some_and(|value| places.holds(place, value))
        };
        let are_exchanged = found.commutes && found.exchanged().all(holds);
        let wrong = found.reads.iter().find(|it| !are_exchanged && !holds(**it));
        if let Some((name, place)) = wrong {
            return Err(format!("{place} does not hold {name}"));
        }
        for register in selected.implicit_reads() {
            if !holds((register, Place::Register(register))) {
                return Err(format!("{register} does not hold its operand"));
            }
        }
        let flags = self.values.flags().is_some_and(|it| places.holds(Place::Flags, it));
        if selected.flags().reads() && !flags {
            return Err("the flags are not those of its comparison".into());
        }
        let passed = self.values.words_read(selected);
        let passed = passed.map(|(address, value)| (address, Some(value), self.word(address)));
        let named = found.words.iter().map(|&(it, place)| (it, self.values.word(it), place));
        for (address, value, place) in passed.chain(named) {
            let holds = |it| {
                let holds = places.holds(place, it);
                #[cfg(feature = "ch18")]
                let holds = holds || places.holds(place.double(), it);
                holds
            };
            if !value.is_some_and(holds) {
                return Err(format!("{place} does not hold {address}"));
            }
        }
        Ok(())
    }

    /// The place of a word of the caller, or of the next call.
    fn word(&self, address: Address) -> Place {
        Place::Word(match address.base() {
            Base::Argument(number) => argument_offset(number),
            Base::Outgoing(number) => 4 * number as i32 - self.height,
            _ => unreachable!("other bases are no words of selected code"),
        })
    }

    /// The results of the selected instruction number `at` are new values.
    fn write(&mut self, selected: &Instruction, at: usize, found: &Match, places: &mut Places) {
        for register in selected.implicit_writes() {
            places.set(Place::Register(register), self.values.define(at, register));
        }
        for &(register, place) in &found.writes {
            places.set(place, self.values.define(at, register));
        }
        for (address, value) in self.values.define_words(selected, at) {
            places.set(self.word(address), value);
        }
        if selected.flags().writes() {
            places.set(Place::Flags, self.values.define_flags(at));
        }
    }
}

fn clear_flags(instruction: &Instruction, places: &mut Places) {
    if instruction.flags().writes() {
        places.clear(Place::Flags);
    }
}

#[cfg(test)]
mod tests;

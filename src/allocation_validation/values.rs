//! The values of the selected code: a symbol for each definition.
//!
//! A copy is no definition, and equal constants are one value. So the allocator may remove copies
//! and compute constants again.
use crate::allocation_validation::constant::Constant;
use crate::ia32::code::{Address, Base, BlockId, Instruction};
use crate::ia32::register::NAMES;
#[cfg(feature = "ch18")]
use crate::ia32::register::argument_registers;
use crate::ia32::{Code, Op, Operand, Register};
use arena::{Arena, FxHashMap, Id, SideTable, id};
use std::collections::BTreeMap;
use std::ops::Range;

id! {
    /// A value of the selected code.
    Value
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Definition {
    Constant(Constant),
    /// The word of the caller with this number.
    Argument(u32),
    /// The argument in this register.
    #[cfg(feature = "ch18")]
    Passed(Register),
    /// The parameter of a block.
    Parameter(Register),
    /// The result of the instruction with this number in a register.
    Result(u32, Register),
    /// The flags after it.
    Flags(u32),
    /// A result of the call in a word of the stack.
    Word(u32, Address),
}

impl Value {
    pub const MIN: Value = Value(0);
    pub const MAX: Value = Value(u32::MAX);
}

pub struct Values {
    definitions: Arena<Value, Definition>,
    numbers: FxHashMap<Definition, Value>,
    /// The value that each register has now.
    registers: SideTable<Register, Option<Value>>,
    flags: Option<Value>,
    /// The values in words of the caller and in those of the next call, if this block has written
    /// them.
    words: BTreeMap<Address, Value>,
    /// The instructions of this block.
    range: Range<usize>,
}

impl Values {
    pub fn new(selected: &Code) -> Values {
        let registers = NAMES.len() + selected.virtual_registers.len();
        Values {
            definitions: Arena::default(),
            numbers: FxHashMap::default(),
            registers: SideTable::new(registers),
            flags: None,
            words: BTreeMap::new(),
            range: 0..0,
        }
    }

    /// A block writes its parameters. Real registers and flags have no values at its start.
    /// @ch18 Only at the entry, arguments are in some of them.
    pub fn begin_block(&mut self, selected: &Code, block: BlockId) {
        let real = (0..NAMES.len()).map(Register::from_index);
        real.for_each(|it| self.registers[it] = None);
        self.flags = None;
        self.words.clear();
        #[cfg(feature = "ch18")]
        if block == BlockId::ENTRY {
            for register in argument_registers(selected.signature) {
                self.registers[register] = Some(self.passed(register));
            }
        }
        self.range = selected.range(block);
        for &parameter in &selected.blocks[block].parameters {
            self.registers[parameter] = Some(self.parameter(parameter));
        }
    }

    /// The end of this block.
    pub fn end(&self) -> usize {
        self.range.end
    }

    pub fn constant(&mut self, constant: Constant) -> Value {
        self.intern(Definition::Constant(constant))
    }

    pub fn argument(&mut self, number: u32) -> Value {
        self.intern(Definition::Argument(number))
    }

    /// The argument that the caller has in a register.
    #[cfg(feature = "ch18")]
    pub fn passed(&mut self, register: Register) -> Value {
        self.intern(Definition::Passed(register))
    }

    pub fn parameter(&mut self, register: Register) -> Value {
        self.intern(Definition::Parameter(register))
    }

    /// The value that a register has now.
    pub fn of(&self, register: Register) -> Option<Value> {
        self.registers[register]
    }

    pub fn flags(&self) -> Option<Value> {
        self.flags
    }

    /// Whether a value was defined before this block. The block may be executed again, and then its
    /// own values are those of the last time.
    pub fn is_older(&self, value: Value) -> bool {
        match self.definitions[value] {
            Definition::Constant(_) | Definition::Argument(_) | Definition::Parameter(_) => true,
            #[cfg(feature = "ch18")]
            Definition::Passed(_) => true,
            Definition::Result(at, _) | Definition::Flags(at) => {
                !self.range.contains(&(at as usize))
            }
            Definition::Word(at, _) => !self.range.contains(&(at as usize)),
        }
    }

    /// The new value of a register that an instruction writes.
    pub fn define(&mut self, at: usize, register: Register) -> Value {
        let value = self.intern(Definition::Result(at as u32, register));
        self.registers[register] = Some(value);
        value
    }

    pub fn define_flags(&mut self, at: usize) -> Value {
        let value = self.intern(Definition::Flags(at as u32));
        self.flags = Some(value);
        value
    }

    /// Executes a copy, a constant, or a move from or to a word of the stack. Returns whether the
    /// instruction is one.
    pub fn rename(&mut self, instruction: &Instruction) -> bool {
        if let Some((to, constant)) = Constant::of(instruction) {
            let value = self.constant(constant);
            self.set(to, Some(value));
            return true;
        }
        let [to, from, _] = instruction.operands;
        let is_move = match instruction.op {
            op if op.is_copy() => true,
            Op::Load | Op::FloatLoad => is_word(from),
            Op::Store | Op::FloatStore => is_word(to),
            _ => false,
        };
        if is_move {
            let value = self.get(from);
            self.set(to, value);
        }
        is_move
    }

    fn get(&self, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Register(register) => self.registers[register],
            Operand::Address(address) => self.word(address),
            _ => None,
        }
    }

    /// The value in a word of the stack. Arguments are there from the beginning.
    pub fn word(&self, address: Address) -> Option<Value> {
        match (self.words.get(&address), address.base()) {
            (Some(value), _) => Some(*value),
            (None, Base::Argument(number)) => {
                self.numbers.get(&Definition::Argument(number)).copied()
            }
            (None, _) => None,
        }
    }

    fn set(&mut self, operand: Operand, value: Option<Value>) {
        match (operand, value) {
            (Operand::Register(register), _) => self.registers[register] = value,
            (Operand::Address(address), Some(value)) => {
                self.words.insert(address, value);
            }
            _ => {}
        }
    }

    /// The words that a call or a return reads.
    /// @ch15 The arguments of a call that does not return have been pushed.
    pub fn words_read(&self, selected: &Instruction) -> impl Iterator<Item = (Address, Value)> {
        let parameters = selected.signature().map(|it| it.on_stack());
        #[cfg(feature = "ch15")]
        let parameters = parameters.filter(|_| selected.op != Op::CallNoReturn);
        let is_return = selected.op.is_return();
        let is_read = move |address: &Address| match address.base() {
            Base::Argument(_) => is_return,
            Base::Outgoing(number) => parameters.is_some_and(|parameters| number < parameters),
            _ => false,
        };
        self.words.iter().filter(move |(it, _)| is_read(it)).map(|(at, value)| (*at, *value))
    }

    /// The words that a call writes, with their new values.
    pub fn define_words(&mut self, selected: &Instruction, at: usize) -> Vec<(Address, Value)> {
        let Some(signature) = selected.signature() else { return Vec::new() };
        // The arguments may be overwritten, and later ones may have another size.
        self.words.retain(|at, _| !matches!(at.base(), Base::Outgoing(_)));
        let first = signature.on_stack();
        let numbers = first..first + signature.results_on_stack();
        let addresses = numbers.map(|number| Address::new(Base::Outgoing(number), 0));
        let mut words = Vec::new();
        for address in addresses {
            let value = self.intern(Definition::Word(at as u32, address));
            self.words.insert(address, value);
            words.push((address, value));
        }
        words
    }

    fn intern(&mut self, definition: Definition) -> Value {
        let definitions = &mut self.definitions;
        *self.numbers.entry(definition).or_insert_with(|| definitions.push(definition))
    }
}

/// Whether an operand is a word of the stack.
fn is_word(operand: Operand) -> bool {
    matches!(operand, Operand::Address(address) if address.is_on_stack())
}

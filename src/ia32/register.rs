//! The registers: eight real ones, and any number of virtual ones.
#[cfg(feature = "ch18")]
use crate::firm::{Signature, WordSet};
use crate::ia32::instruction::Op;
#[cfg(feature = "ch02")]
use crate::target::RegisterClass;
use crate::target::{RegisterConstraint, RegisterKind};
use arena::{Id, id};
use std::fmt;

id! {
    /// The first numbers are those of the real registers, in the order of `NAMES`; all others are
    /// virtual.
    Register
}

/// The real registers by their numbers.
pub const NAMES: &[&str] = &[
    "eax",
    "ecx",
    "edx",
    "ebx",
    "esp",
    "ebp",
    "esi",
    "edi",
    #[cfg(feature = "ch12")]
    "xmm0",
    #[cfg(feature = "ch12")]
    "xmm1",
    #[cfg(feature = "ch12")]
    "xmm2",
    #[cfg(feature = "ch12")]
    "xmm3",
    #[cfg(feature = "ch12")]
    "xmm4",
    #[cfg(feature = "ch12")]
    "xmm5",
    #[cfg(feature = "ch12")]
    "xmm6",
    #[cfg(feature = "ch12")]
    "xmm7",
];

/// The number of the first real register for floats: the machine counts them from 0 again.
#[cfg(feature = "ch12")]
pub const FIRST_FLOAT: usize = 8;

/// The registers that a cdecl function must preserve: ebx, ebp, esi and edi.
#[cfg(feature = "ch02")]
pub const CALLEE_SAVED: [Register; 4] = [Register(3), Register(5), Register(6), Register(7)];

/// The registers of the first parameters: eax, edx and ecx, as in gcc's convention `regparm(3)`.
#[cfg(feature = "ch18")]
pub const ARGUMENT_REGISTERS: [Register; 3] = [Register::EAX, Register::EDX, Register::ECX];

/// The registers of the first floats among them: xmm0, xmm1 and xmm2.
#[cfg(feature = "ch18")]
pub const FLOAT_ARGUMENT_REGISTERS: [Register; 3] = [Register(8), Register(9), Register(10)];

/// The words of parameters that are in registers, each with its register. That of a float is its
/// first word.
#[cfg(feature = "ch18")]
pub fn passed_words(signature: Signature) -> impl Iterator<Item = (u32, Register)> + use<> {
    let (mut words, mut floats) = (ARGUMENT_REGISTERS.iter(), FLOAT_ARGUMENT_REGISTERS.iter());
    let mut next = 0;
    (0..WordSet::SIZE).filter_map(move |word| {
        if word < next || !signature.in_registers.contains(word) {
            return None;
        }
        let is_float = signature.floats.contains(word);
        next = word + if is_float { 2 } else { 1 };
        let register = if is_float { floats.next() } else { words.next() };
        register.map(|&register| (word, register))
    })
}

/// The registers in which a function finds its first parameters.
#[cfg(feature = "ch18")]
pub fn argument_registers(signature: Signature) -> impl Iterator<Item = Register> + use<> {
    passed_words(signature).map(|(_, register)| register)
}

/// The low bytes that have names of their own.
#[cfg(feature = "ch04")]
const BYTE_NAMES: [&str; 4] = ["al", "cl", "dl", "bl"];

#[cfg(feature = "ch02")]
impl RegisterKind {
    /// The instruction that copies a register of this kind.
    pub fn copy(self) -> Op {
        #[cfg(feature = "ch12")]
        if self == RegisterKind::FLOAT {
            return Op::FloatMove;
        }
        Op::Mov
    }

    /// The instruction that loads one.
    pub fn load(self) -> Op {
        #[cfg(feature = "ch12")]
        if self == RegisterKind::FLOAT {
            return Op::FloatLoad;
        }
        Op::Load
    }

    /// The instruction that stores one.
    pub fn store(self) -> Op {
        #[cfg(feature = "ch12")]
        if self == RegisterKind::FLOAT {
            return Op::FloatStore;
        }
        Op::Store
    }
}

impl Register {
    pub const EAX: Register = Register(0);
    #[cfg(feature = "ch18")]
    pub const ECX: Register = Register(1);
    #[cfg(feature = "ch02")]
    pub const EDX: Register = Register(2);
    #[cfg(feature = "ch02")]
    pub const ESP: Register = Register(4);
    #[cfg(feature = "ch02")]
    pub const EBP: Register = Register(5);

    /// The virtual register `v<number>`.
    pub fn new_virtual(number: u32) -> Register {
        Register::from_index(NAMES.len() + number as usize)
    }

    /// The number `n` of the virtual register `v<n>`; none for a real register.
    pub fn virtual_number(self) -> Option<u32> {
        self.0.checked_sub(NAMES.len() as u32)
    }

    pub fn is_real(self) -> bool {
        self.virtual_number().is_none()
    }

    /// Whether the register is virtual, or a real one that an operand may be.
    #[cfg(feature = "ch04")]
    pub fn satisfies(self, constraint: RegisterConstraint) -> bool {
        match constraint {
            RegisterConstraint::Any => true,
            #[cfg(feature = "ch12")]
            RegisterConstraint::Float => true,
            RegisterConstraint::Byte => !self.is_real() || self.byte_name().is_some(),
            #[cfg(feature = "ch14")]
            RegisterConstraint::Half => true,
            #[cfg(feature = "ch14")]
            RegisterConstraint::Only(number) => self.index() == usize::from(number),
        }
    }

    /// The kind of a real register.
    #[cfg(feature = "ch02")]
    pub fn real_kind(self) -> RegisterKind {
        #[cfg(feature = "ch12")]
        if self.index() >= FIRST_FLOAT {
            return RegisterKind::FLOAT;
        }
        RegisterKind::WORD
    }

    /// The name of the low byte, if it has one.
    #[cfg(feature = "ch04")]
    pub fn byte_name(self) -> Option<&'static str> {
        BYTE_NAMES.get(self.index()).copied()
    }

    /// The name of the lower half, if it has one: that of the register without its `e`.
    #[cfg(feature = "ch14")]
    pub fn half_name(self) -> Option<&'static str> {
        NAMES.get(self.index()).and_then(|name| name.strip_prefix('e'))
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.virtual_number() {
            Some(number) => write!(f, "v{number}"),
            None => f.write_str(NAMES[self.index()]),
        }
    }
}

/// A set of real registers: bit n is the register with number n.
#[cfg(feature = "ch02")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegisterSet(u16);

#[cfg(feature = "ch02")]
impl RegisterSet {
    pub const EMPTY: RegisterSet = RegisterSet(0);
    /// Those of `CALLEE_SAVED`.
    pub const CALLEE_SAVED: RegisterSet = RegisterSet(0b1110_1000);
    /// The registers of a class, without esp, which holds the stack.
    pub fn allocatable(class: RegisterClass) -> RegisterSet {
        match class {
            RegisterClass::General => RegisterSet(0b1110_1111),
            #[cfg(feature = "ch12")]
            RegisterClass::Float => RegisterSet(0xff << FIRST_FLOAT),
        }
    }

    /// The registers that an operand with this constraint may be.
    pub fn of(class: RegisterConstraint) -> RegisterSet {
        match class {
            RegisterConstraint::Any => RegisterSet(0xff),
            #[cfg(feature = "ch04")]
            RegisterConstraint::Byte => RegisterSet(0b0000_1111),
            #[cfg(feature = "ch14")]
            RegisterConstraint::Half => RegisterSet(0xff),
            #[cfg(feature = "ch14")]
            RegisterConstraint::Only(number) => RegisterSet(1 << number),
            #[cfg(feature = "ch12")]
            RegisterConstraint::Float => RegisterSet(0xff << FIRST_FLOAT),
        }
    }

    /// Those that a call may change by convention, besides the register of its result.
    #[cfg(feature = "ch18")]
    pub fn changed_by_calls() -> RegisterSet {
        RegisterSet::of_numbers(Op::Call.row().instruction.clobbers())
    }

    /// The registers with these numbers.
    pub fn of_numbers(numbers: &[u8]) -> RegisterSet {
        RegisterSet(numbers.iter().fold(0, |set, number| set | 1 << number))
    }

    pub fn contains(self, register: Register) -> bool {
        register.is_real() && self.0 >> register.0 & 1 == 1
    }

    pub fn insert(&mut self, register: Register) {
        self.0 |= 1 << register.0;
    }

    /// Inserts a register unless it is virtual.
    pub fn insert_real(&mut self, register: Register) {
        if register.is_real() {
            self.insert(register);
        }
    }

    pub fn remove(&mut self, register: Register) {
        self.0 &= !(1 << register.0);
    }

    pub fn intersect(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 & other.0)
    }

    pub fn union(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 | other.0)
    }

    /// The set and one more register.
    #[cfg(feature = "ch20")]
    pub const fn with(self, register: Register) -> RegisterSet {
        RegisterSet(self.0 | 1 << register.0)
    }

    /// Its members that are not in the other set.
    pub fn without(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 & !other.0)
    }

    /// The number of members.
    #[cfg(feature = "ch20")]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The member with the smallest number.
    #[cfg(feature = "ch20")]
    pub fn first(self) -> Option<Register> {
        (!self.is_empty()).then(|| Register(self.0.trailing_zeros()))
    }

    #[cfg(feature = "ch18")]
    pub fn is_empty(self) -> bool {
        self == RegisterSet::EMPTY
    }

    #[cfg(feature = "ch20")]
    pub fn is_subset_of(self, other: RegisterSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Its members by ascending number.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Register> {
        let numbers = self.0.trailing_zeros()..u16::BITS - self.0.leading_zeros();
        numbers.map(Register).filter(move |&register| self.contains(register))
    }
}

#[cfg(test)]
#[path = "tests/register.rs"]
mod tests;

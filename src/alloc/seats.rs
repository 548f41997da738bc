//! Which value sits in which register, at the begin or the end of a block.
use crate::ia32::Register;
use crate::ia32::reg::{NAMES, RegisterSet};
use arena::Id;

#[derive(Clone, Copy, Default)]
pub struct Seats([Option<Register>; NAMES.len()]);

impl Seats {
    pub fn seat(&mut self, register: Register, value: Register) {
        self.0[register.index()] = Some(value);
    }

    /// The registers that hold values, and these.
    pub fn taken(self) -> impl Iterator<Item = (Register, Register)> {
        let registers = RegisterSet::ALLOCATABLE.iter();
        registers.filter_map(move |name| self.0[name.index()].map(|value| (name, value)))
    }

    /// The register of a value.
    pub fn of(self, value: Register) -> Option<Register> {
        self.taken().find(|&(_, seated)| seated == value).map(|(register, _)| register)
    }

    /// Only those values for which a condition holds.
    pub fn filter(self, keep: impl Fn(Register) -> bool) -> Seats {
        Seats(self.0.map(|seat| seat.filter(|&value| keep(value))))
    }
}
